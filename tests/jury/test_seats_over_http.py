"""What a seat is asked, and what makes it count or not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from claimjury import VerifyResult, exit_status, verify_claims
from claimjury.jury.events import SeatEnded, SeatReasked
from claimjury.models.limits import MAX_ATTEMPTS
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import CLAIM, CONFIRM, FIRST, REFUTE, TRIO, Heard, ask, trio

TWO = [CLAIM, "The lock is released."]


async def test_every_juror_is_sent_the_same_messages_under_its_base_name_without_format() -> None:
    with ScriptedOllama({**trio(CONFIRM), "mistral-large-3:675b-cloud": [CONFIRM]}) as server:
        await verify_claims([CLAIM], panel=[*TRIO, "mistral-large-3:675b-cloud"], cloud=server.cloud)
        bodies = [asked.body for asked in server.asked]
    assert len({json.dumps(body["messages"]) for body in bodies}) == 1
    assert sorted(body["model"] for body in bodies) == [
        "deepseek-v4-pro",
        "glm-5.2",
        "kimi-k2.7-code",
        "mistral-large-3:675b",
    ]
    assert not any("format" in body for body in bodies)


async def test_thinking_is_asked_for_at_the_lowest_level_and_only_of_models_that_can() -> None:
    panel = ["glm-5.2:cloud", "kimi-k2.7-code:cloud", "gpt-oss:120b-cloud", "mistral-large-3:675b-cloud"]
    with ScriptedOllama(dict.fromkeys(panel, [CONFIRM])) as server:
        await verify_claims([CLAIM], panel=panel, cloud=server.cloud)
        asked = {item.body["model"]: item.body for item in server.asked}
    assert asked["glm-5.2"]["think"] == "high"
    assert asked["kimi-k2.7-code"]["think"] is True
    assert asked["gpt-oss:120b"]["think"] == "low"
    assert "think" not in asked["mistral-large-3:675b"]
    temperatures = {name: body["options"].get("temperature") for name, body in asked.items()}
    assert temperatures == {
        "glm-5.2": None,
        "kimi-k2.7-code": None,
        "gpt-oss:120b": None,
        "mistral-large-3:675b": 0.2,
    }


async def test_a_host_that_refuses_thinking_is_asked_without_it() -> None:
    refused = Reply(status=400, error='"deepseek-v4-pro" does not support thinking')
    with ScriptedOllama(trio([refused, CONFIRM])) as server:
        result = await verify_claims([CLAIM], cloud=server.cloud)
        first, second = server.requests_of(FIRST)
    assert first.body["think"] == "high"
    assert "think" not in second.body
    assert second.body["options"]["temperature"] == 0.2
    assert result.panel[0].included
    assert result.warnings == (f"thinking_refused:{FIRST}",)


async def test_a_seat_that_is_asked_anew_without_thinking_takes_no_more_calls_than_its_worst_case() -> None:
    refused = Reply(status=400, error='"deepseek-v4-pro" does not support thinking')
    broken = Reply(status=500, error="it broke", headers={"Retry-After": "0"})
    with ScriptedOllama(trio([refused, *[broken] * 9])) as server:
        result = await verify_claims([CLAIM], cloud=server.cloud)
        assert len(server.requests_of(FIRST)) == MAX_ATTEMPTS
    assert result.panel[0].attempts == MAX_ATTEMPTS


async def test_the_catalogue_knows_better_than_the_table_who_can_think() -> None:
    catalogue = [
        {"model": "glm-5.2", "capabilities": ["completion"]},
        {"model": "mistral-large-3:675b", "capabilities": ["completion", "thinking"]},
    ]
    panel = ["glm-5.2:cloud", "mistral-large-3:675b-cloud"]
    with ScriptedOllama(dict.fromkeys(panel, [CONFIRM]), catalogue=catalogue) as server:
        await verify_claims([CLAIM], panel=panel, cloud=server.cloud)
        asked = {item.body["model"]: item.body for item in server.asked}
    assert "think" not in asked["glm-5.2"]
    assert asked["mistral-large-3:675b"]["think"] is True


async def test_a_model_that_no_table_knows_is_looked_up_by_name() -> None:
    details = {"novel-1": {"capabilities": ["thinking"], "model_info": {"novel.context_length": 65_536}}}
    with ScriptedOllama({"novel-1:cloud": [CONFIRM]}, details=details) as server:
        result = await verify_claims([CLAIM], panel=["novel-1:cloud"], cloud=server.cloud)
        assert server.asked[0].body["think"] is True
        assert server.asked[0].body["options"]["num_predict"] == 16_384
    assert result.warnings == ("refute_unreachable", "family_unknown:novel-1:cloud")


async def test_a_window_that_nobody_knows_is_32768_with_a_warning() -> None:
    result = await ask({"novel-1:cloud": [CONFIRM]})
    assert result.warnings == (
        "refute_unreachable",
        "family_unknown:novel-1:cloud",
        "window_unknown:novel-1:cloud",
    )
    assert result.params.jurors["novel-1:cloud"].num_predict == 8_192


@pytest.mark.parametrize("claims", [1, 20])
async def test_the_output_budget_has_room_for_thinking_and_every_claim(claims: int) -> None:
    result = await ask(trio(CONFIRM), claims=[f"Claim number {n} holds." for n in range(claims)])
    assert result.params.jurors[FIRST].num_predict == 32_768 + 1_024 + 512 * claims


async def test_an_omitted_claim_is_asked_for_once_and_only_it_is_taken_from_the_second_reply() -> None:
    heard = Heard()
    second = Reply(content=ballot({"c1": "REFUTED", "c2": "CONFIRMED"}))
    with ScriptedOllama({FIRST: [CONFIRM, second, REFUTE]}) as server:
        result = await verify_claims(TWO, panel=[FIRST], cloud=server.cloud, recorder=heard)
        first, again = server.requests_of(FIRST)
        roles = [message["role"] for message in again.body["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert again.body["messages"][:2] == first.body["messages"]
    assert json.loads(again.body["messages"][2]["content"])["verdicts"][0]["id"] == "c1"
    assert '"c2"' in again.body["messages"][3]["content"]
    assert '"c1"' not in again.body["messages"][3]["content"]
    assert [[vote.verdict for vote in claim.jurors] for claim in result.claims] == [
        ["CONFIRMED"],
        ["CONFIRMED"],
    ]
    assert result.panel[0].attempts == 2
    assert result.panel[0].reasked == ("c2",)
    assert [event.ids for event in heard.of(SeatReasked)] == [("c2",)]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(content=""), "it was empty"),
        (Reply(content="I confirm c1 and refute c2."), 'no JSON object with a "verdicts" list'),
        (Reply(content='{"verdicts": [', done_reason="length"), "cut at the output limit"),
        (Reply(content=ballot({"c1": "MAYBE", "zz": "REFUTED"})), "'MAYBE'"),
    ],
    ids=["empty", "prose", "cut", "bad entries"],
)
async def test_the_correction_says_what_was_wrong(reply: Reply, said: str) -> None:
    good = Reply(content=ballot({"c1": "CONFIRMED", "c2": "REFUTED"}))
    with ScriptedOllama({FIRST: [reply, good]}) as server:
        result = await verify_claims(TWO, panel=[FIRST], cloud=server.cloud)
        correction = server.asked[1].body["messages"][-1]["content"]
    assert said in correction
    assert result.panel[0].verdicts_returned == 2


async def test_a_seat_that_gives_nothing_twice_is_excluded_with_a_sample_of_its_first_reply() -> None:
    result = await ask(trio([Reply(content="Looks fine to me. " * 40), Reply(content="As I said.")]))
    seat = result.panel[0]
    assert (seat.exclude_reason, seat.attempts) == ("no_valid_verdicts", 2)
    assert seat.raw_sample == ("Looks fine to me. " * 40)[:200].strip()


async def test_without_re_ask_a_seat_is_asked_once() -> None:
    result = await ask(trio(Reply(content="nothing")), reask=False)
    assert result.panel[0].attempts == 1
    assert result.panel[0].reasked is None


@pytest.mark.parametrize(
    "second",
    [
        Reply(status=500),
        Reply(status=401),
        Reply(hang_up=True),
        Reply(content=ballot({"c2": "REFUTED"}), served="glm-4.7"),
        Reply(content=ballot({"c2": "REFUTED"}), served=""),
        Reply(content=ballot({"c2": "REFUTED"}), prompt_tokens=9),
        Reply(content="no"),
    ],
    ids=["500", "401", "dropped", "other model", "no model", "unseen", "prose"],
)
async def test_whatever_goes_wrong_in_a_re_ask_the_first_reply_stands(second: Reply) -> None:
    result = await ask({FIRST: [CONFIRM, second]}, claims=TWO)
    assert result.panel[0].included
    assert result.panel[0].verdicts_returned == 1
    assert [claim.missing_votes for claim in result.claims] == [0, 1]


@pytest.mark.parametrize(
    ("served", "reason"),
    [
        (None, None),
        ("deepseek-v4-pro:cloud", None),
        ("DeepSeek-V4-Pro", None),
        ("deepseek-v4-pro:latest", None),
        ("deepseek-v4-pro:0813", "served_model_mismatch:deepseek-v4-pro:0813"),
        ("deepseek-v4-flash", "served_model_mismatch:deepseek-v4-flash"),
        ("GLM-5.2", "served_model_mismatch:GLM-5.2"),
        ("deepseek-v4-pro-cloud", "served_model_mismatch:deepseek-v4-pro-cloud"),
        ("", "served_model_unknown"),
    ],
)
async def test_a_seat_counts_only_when_the_served_model_is_the_one_asked_for(
    served: str | None, reason: str | None
) -> None:
    result = await ask(trio(Reply(content=ballot({"c1": "REFUTED"}), served=served)))
    seat = result.panel[0]
    assert seat.exclude_reason == reason
    assert result.claims[0].refute_votes == (1 if reason is None else 0)


async def test_the_votes_of_an_excluded_seat_are_kept_apart_and_it_is_not_asked_again() -> None:
    result = await ask(trio(Reply(content=ballot({"c1": "REFUTED"}), served="x")), claims=TWO)
    seat = result.panel[0]
    assert (seat.included, seat.verdicts_returned, seat.attempts) == (False, 0, 1)
    assert [vote.verdict for vote in seat.excluded_votes or ()] == ["REFUTED"]
    assert all(FIRST not in [vote.model for vote in claim.jurors] for claim in result.claims)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"remote_model": "deepseek-v4-pro", "remote_host": "https://ollama.com:443"}, "local_fallback:"),
        ({"remote_host": "https://ollama.com:443"}, "local_fallback:"),
        ({"remote_model": "qwen3:8b"}, "served_model_mismatch:qwen3:8b"),
    ],
)
async def test_names_that_a_daemon_wrote_prove_nothing(fields: dict[str, Any], reason: str) -> None:
    result = await ask(trio(Reply(content=ballot({"c1": "REFUTED"}), fields=fields)))
    assert (result.panel[0].exclude_reason or "").startswith(reason)


@pytest.mark.parametrize(("share", "reason"), [(0.39, "evidence_not_seen"), (0.41, None)])
async def test_a_host_that_counted_far_fewer_tokens_than_were_sent_did_not_see_the_evidence(
    share: float, reason: str | None
) -> None:
    sent = 0

    def counted(asked: Any) -> Reply:
        nonlocal sent
        sent = sum(len(message["content"].encode()) for message in asked.body["messages"])
        return Reply(content=ballot({"c1": "CONFIRMED"}), prompt_tokens=round(share * sent / 4))

    result = await ask(trio(counted))
    assert result.panel[0].exclude_reason == reason


async def test_a_host_that_counts_nothing_is_warned_about_and_not_excluded() -> None:
    result = await ask(trio(Reply(content=ballot({"c1": "CONFIRMED"}), prompt_tokens=-1)))
    assert result.panel[0].included
    assert result.panel[0].usage is not None
    assert result.panel[0].usage.tokens_in is None
    assert result.warnings == (f"prompt_tokens_unknown:{FIRST}",)


async def test_a_cut_reply_with_votes_counts_and_says_so() -> None:
    result = await ask(trio(Reply(content=ballot({"c1": "CONFIRMED"}), done_reason="length")))
    assert (result.panel[0].included, result.panel[0].truncated) == (True, True)


async def test_a_reply_that_spent_its_budget_on_thinking_is_excluded_as_cut() -> None:
    result = await ask(trio(Reply(content="", thinking="Let me see. " * 500, done_reason="length")))
    assert result.panel[0].exclude_reason == "reply_truncated"
    assert result.panel[0].attempts == 2


async def test_two_names_in_one_stream_are_no_name_that_was_asked_for() -> None:
    lines = [
        {"model": "deepseek-v4-pro", "message": {"content": '{"verdicts": []}'}, "done": False},
        {"model": "glm-5.2", "message": {"content": ""}, "done": True},
    ]
    body = "\n".join(map(json.dumps, lines)).encode()
    result = await ask(trio(Reply(body=body)))
    assert result.panel[0].exclude_reason == "served_model_mismatch:deepseek-v4-pro and glm-5.2"


async def test_one_whole_object_is_read_as_well_as_a_stream() -> None:
    content = json.dumps({"verdicts": [{"id": "c1", "verdict": "CONFIRMED", "rationale": "Line 3."}]})
    reply = {
        "model": "deepseek-v4-pro",
        "message": {"content": content},
        "done": True,
        "prompt_eval_count": 9_000,
    }
    result = await ask(trio(Reply(body=json.dumps(reply, indent=2).encode())))
    assert result.panel[0].included


async def test_every_byte_handed_to_the_network_is_in_the_egress_row() -> None:
    catalogue: list[Any] = []
    with ScriptedOllama(trio([Reply(content=""), CONFIRM]), catalogue=catalogue) as server:
        result = await verify_claims([CLAIM], cloud=server.cloud)
        received = sum(len(asked.raw) for asked in server.asked)
    assert [row.bytes for row in result.egress] == [received]


async def test_each_seat_is_reported_as_it_ends_and_a_callback_that_raises_costs_no_vote() -> None:
    seen: list[str] = []

    def on_seat(seat: Any) -> None:
        seen.append(seat.model)
        raise ValueError("my callback is broken")

    heard = Heard()
    result = await ask(trio(CONFIRM), on_seat=on_seat, recorder=heard)
    assert sorted(seen) == sorted(TRIO)
    assert len(heard.of(SeatEnded)) == 3
    assert result.claims[0].confirm_votes == 3
    assert result.warnings == ("listener_failed",)


async def test_a_recorder_hears_everything_whatever_a_callback_raises_and_the_other_way_round() -> None:
    seen: list[str] = []

    class Broken:
        def record(self, event: Any, /) -> None:
            raise OSError(f"the disk is full at {event}")

    result = await ask(trio(CONFIRM), on_seat=lambda seat: seen.append(seat.model), recorder=Broken())
    assert sorted(seen) == sorted(TRIO)
    assert result.claims[0].confirm_votes == 3
    assert result.warnings == ("listener_failed",)


async def test_a_plan_that_does_not_serve_a_seat_shows_what_the_catalogue_lists_and_switches_nothing() -> (
    None
):
    locked = Reply(status=403, error="this model requires a subscription")
    result = await ask(
        trio(locked),
        catalogue=["gpt-oss:120b", "glm-5.2"],
        plans={"gpt-oss:120b": "free", "glm-5.2:cloud": "pro"},
    )
    assert result.panel[0].exclude_reason == "call_failed:PLAN_LOCKED"
    assert [seat.model for seat in result.panel] == list(TRIO)
    assert result.warnings == ("catalogue:gpt-oss:120b (free), glm-5.2 (pro)",)


async def test_a_misspelt_model_is_shown_the_ids_that_look_like_it() -> None:
    result = await ask(trio(CONFIRM), panel=["glm-5-2:cloud", *TRIO], catalogue=["glm-5.2"])
    assert result.panel[0].exclude_reason == "call_failed:OLLAMA_MODEL_MISSING"
    assert result.warnings == ("window_unknown:glm-5-2:cloud", "close_ids:glm-5-2:cloud: glm-5.2")


async def test_a_result_is_frozen_and_reads_back_from_its_own_json() -> None:
    result = await ask(trio(REFUTE))
    assert VerifyResult.model_validate_json(json.dumps(result.to_json())) == result
    with pytest.raises(ValueError, match="frozen"):
        result.weak = True


async def test_a_firm_confirmed_run_exits_with_0() -> None:
    from pathlib import Path

    Path("loop.py").write_text("for attempt in range(7): pass\n", encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        result = await verify_claims([CLAIM], source_paths=["loop.py"], cloud=server.trusted_cloud)
    assert result.claims[0].standing is not None
    assert result.claims[0].standing.grade == "firm"
    assert exit_status(result) == 0
    assert result.scripted is True


async def test_what_was_never_handed_to_a_connection_is_not_said_to_have_left() -> None:
    from pathlib import Path

    Path("loop.py").write_text("pass\n", encoding="utf-8")
    with ScriptedOllama({}) as gone:
        cloud = gone.cloud
    result = await verify_claims([CLAIM], source_paths=["loop.py"], cloud=cloud)
    assert result.egress == ()


async def test_a_run_that_is_stopped_before_it_asks_sends_nothing() -> None:
    import anyio

    stop = anyio.Event()
    stop.set()
    heard = Heard()
    with ScriptedOllama(trio(CONFIRM)) as server:
        result = await verify_claims([CLAIM], cloud=server.cloud, stop=stop, recorder=heard)
        assert server.paths == []
    assert {seat.exclude_reason for seat in result.panel} == {"cancelled"}
    assert result.status == "interrupted"
    assert result.egress == ()
    assert [type(event).__name__ for event in heard.events] == [
        "RunPlanned",
        "RunStarted",
        *["SeatEnded"] * 3,
        "RunEnded",
    ]


async def test_a_seat_that_was_cut_says_that_it_was_asked() -> None:
    import threading

    never = threading.Event()
    with ScriptedOllama(trio(Reply(gate=never))) as server:
        result = await verify_claims([CLAIM], cloud=server.cloud, deadline_s=0.8)
        never.set()
    assert (result.panel[0].exclude_reason, result.panel[0].attempts) == ("deadline", 1)


async def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    result = await ask(trio(Reply(ballot({"c1": "CONFIRMED"}), prompt_tokens=-1)))
    assert result.tokens_in is None
    assert result.tokens_out is not None
    assert "tokens_in" not in result.to_json()
    assert "null" not in result.model_dump_json()


async def test_a_fault_of_ours_in_one_seat_costs_no_other_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(requested: str, _answer: object, **_rest: object) -> None:
        if requested == FIRST:
            raise ZeroDivisionError("our fault")

    monkeypatch.setattr("claimjury.jury.seat.served_model_fault", broken)
    result = await ask(trio(CONFIRM))
    assert result.panel[0].exclude_reason == "call_failed:BAD_RESPONSE"
    assert "A fault of claimjury itself" in (result.panel[0].detail or "")
    assert result.claims[0].confirm_votes == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"reference": 5}, "The reference is a int"),
        ({"reask": "no"}, "reask is 'no'"),
        ({"polarity": "opinions"}, "polarity"),
        ({"deadline_s": float("nan")}, "deadline"),
        ({"min_refute_votes": True}, "min_refute_votes"),
        ({"panel": []}, "0 models"),
    ],
)
async def test_options_of_the_wrong_kind_are_refused_by_name(options: dict[str, Any], said: str) -> None:
    from claimjury import InvalidRequest

    with pytest.raises(InvalidRequest, match=said):
        await verify_claims([CLAIM], **options)
