"""The budget: refused up front by the worst case, watched on the way, and no price is made up."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury import InvalidRequest, plan_verify, verify_claims
from claimjury.errors import BudgetExceeded
from claimjury.jury.budget import Purse, Spent, run_worst
from claimjury.jury.gate import exit_status
from claimjury.jury.plan import juror_params
from claimjury.models.limits import MAX_ATTEMPTS
from claimjury.models.traits import route_traits
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import CLAIM, CONFIRM, TRIO, trio
from vendors.vendor_host import Say, VendorHost

GPT = "openai/gpt-4o"


def worst_of(**options: Any) -> Spent:
    plan = plan_verify([CLAIM], **options)
    claims = len(plan.request.claims)
    params = {model: juror_params(route, route_traits(route), claims) for model, route in plan.routes.items()}
    return run_worst(plan, params)


def test_the_worst_case_is_every_attempt_of_call_and_re_ask_with_prompt_and_output_limit() -> None:
    plan = plan_verify([CLAIM])
    prompt = -(-plan.prompt.bytes // 3)
    limit = juror_params(plan.sitting[0], route_traits(plan.sitting[0]), 1).num_predict
    call, again = prompt + limit, prompt + limit + 2_000 + limit
    assert worst_of(reask=False).tokens == len(TRIO) * MAX_ATTEMPTS * call
    assert worst_of().tokens == len(TRIO) * MAX_ATTEMPTS * (call + again)


def test_alternates_are_part_of_the_worst_case() -> None:
    assert worst_of(alternates=["minimax-m3:cloud"]).tokens > worst_of().tokens


async def test_a_run_whose_worst_case_is_over_the_limit_is_refused_before_any_evidence_is_sent() -> None:
    worst = worst_of().tokens
    with ScriptedOllama(trio(CONFIRM)) as server:
        with pytest.raises(BudgetExceeded) as caught:
            await verify_claims([CLAIM], cloud=server.cloud, max_tokens=worst - 1)
        assert server.asked == []
        result = await verify_claims([CLAIM], cloud=server.cloud, max_tokens=worst)
    assert result.claims[0].confirm_votes == 3
    assert (
        f"The run may take {worst:,} tokens at worst, and {worst - 1:,} are allowed." in caught.value.message
    )
    assert "3 attempts" in caught.value.message
    assert "--no-reask" in caught.value.hint
    assert caught.value.exit_status == 5


def test_a_limit_in_dollars_is_refused_where_a_price_is_not_known() -> None:
    with pytest.raises(InvalidRequest) as caught:
        plan_verify([CLAIM], max_cost_usd=1.0)
    for model in TRIO:
        assert model in caught.value.message
    assert "--max-tokens N" in caught.value.hint


async def test_a_limit_in_dollars_holds_by_the_price_list() -> None:
    with VendorHost({"gpt-4o": Say(votes={"c1": "CONFIRMED"})}) as host:
        access = host.access()
        with pytest.raises(
            BudgetExceeded, match=r"The run may cost \$0\.\d\d at worst, and \$0\.01 are allowed"
        ):
            await verify_claims([CLAIM], panel=[GPT], access=access, max_cost_usd=0.01)
        assert host.heard == []
        result = await verify_claims([CLAIM], panel=[GPT], access=access, max_cost_usd=1.0)
    seat = result.panel[0]
    assert (seat.included, seat.cost_source) == (True, "price_list")
    assert result.cost_usd is not None
    assert 0 < result.cost_usd < 0.01


async def test_what_a_seat_cost_is_the_list_price_of_its_tokens() -> None:
    with VendorHost({"gpt-4o": Say(votes={"c1": "CONFIRMED"}, tokens=(10_000, 1_000))}) as host:
        result = await verify_claims([CLAIM], panel=[GPT], access=host.access())
    # gpt-4o: $2.50 and $10 per million tokens (openai.com/api/pricing).
    assert result.panel[0].cost_usd == pytest.approx(0.025 + 0.01)


async def test_what_a_host_reports_comes_before_the_price_list() -> None:
    say = Say(
        votes={"c1": "CONFIRMED"},
        fields={
            "usage": {"prompt_tokens": 9_000, "completion_tokens": 9, "total_tokens": 9_009, "cost": 0.0123}
        },
    )
    with VendorHost({"x-ai/grok-4": say}) as host:
        result = await verify_claims([CLAIM], panel=["openrouter/x-ai/grok-4"], access=host.access())
    assert (result.panel[0].cost_usd, result.panel[0].cost_source) == (0.0123, "reported")
    assert (result.cost_usd, result.cost_source) == (0.0123, "reported")


async def test_a_price_that_is_not_known_is_said_to_be_and_no_sum_hides_it() -> None:
    with (
        ScriptedOllama(trio(CONFIRM)) as ollama,
        VendorHost({"gpt-4o": Say(votes={"c1": "CONFIRMED"})}) as host,
    ):
        access = host.access(cloud=ollama.cloud)
        result = await verify_claims([CLAIM], panel=[TRIO[0], GPT], access=access)
    assert [(seat.cost_usd, seat.cost_source) for seat in result.panel][0] == (None, "unknown")
    assert result.panel[1].cost_source == "price_list"
    assert (result.cost_usd, result.cost_source) == (None, "unknown")


async def test_a_call_that_would_not_fit_any_more_is_not_made_and_what_arrived_counts() -> None:
    greedy = Say(votes={"c1": "CONFIRMED"}, tokens=(4_000_000, 10))
    panel = [GPT, "google/gemini-2.5-flash"]
    with VendorHost(
        {"gpt-4o": greedy, "gemini-2.5-flash": Say(text="no ballot", tokens=(4_000_000, 9))}
    ) as host:
        access = host.access()
        limit = worst_of(panel=panel, access=access).tokens
        result = await verify_claims([CLAIM], panel=panel, access=access, max_tokens=limit)
    assert result.panel[0].included
    assert len(host.heard) == 2
    assert result.panel[1].reasked == ("c1",)
    assert result.panel[1].exclude_reason == "no_valid_verdicts"


async def test_a_seat_that_the_budget_keeps_from_asking_is_excluded_as_budget() -> None:
    first, second = TRIO[:2]
    gate = threading.Event()
    greedy = Reply(content=ballot({"c1": "CONFIRMED"}), prompt_tokens=90_000_000)
    busy = Reply(status=503, error="busy", gate=gate)
    with ScriptedOllama({first: [greedy], second: [busy, CONFIRM]}) as server:
        result = await verify_claims(
            [CLAIM],
            panel=[first, second],
            cloud=server.cloud,
            max_tokens=worst_of(panel=[first, second]).tokens,
            on_seat=lambda _seat: gate.set(),
        )
    assert [seat.exclude_reason for seat in result.panel] == [None, "budget"]
    assert result.panel[1].attempts == 1
    assert exit_status(result) == 5


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), True, "5"])
def test_a_limit_that_is_no_number_over_0_is_refused(bad: Any) -> None:
    for name in ("max_cost_usd", "max_tokens"):
        with pytest.raises(InvalidRequest, match="over 0"):
            plan_verify([CLAIM], **{name: bad})


AMOUNTS = st.integers(min_value=0, max_value=1_000)


@given(st.lists(st.tuples(AMOUNTS, AMOUNTS, st.booleans()), max_size=30), AMOUNTS)
def test_held_and_spent_never_pass_the_limit_where_no_call_takes_more_than_its_worst_case(
    calls: list[tuple[int, int, bool]], limit: int
) -> None:
    purse = Purse(max_tokens=limit)
    for worst, taken, ends in calls:
        held = Spent(tokens=worst, cost_usd=None)
        if purse.hold(held) and ends:
            purse.settle(held, Spent(tokens=min(worst, taken), cost_usd=None))
        assert 0 <= purse.spent.tokens <= limit
