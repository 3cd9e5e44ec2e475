"""A panel of one real model: it shows that the plumbing carries, and nothing of accuracy. It is never two families."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from claimjury import SeatResult, verify_claims
from claimjury.evidence.window import estimate_tokens
from claimjury.models.hosts import Cloud
from claimjury.models.providers import ProviderHost, make_server
from claimjury.models.routes import Access
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import TRIO
from real.conftest import CLAIMS
from real.model_server import ModelServer

SMOLLM, OTHER = "lab/smollm2:135m", "lab/glm-5.2"
STATEMENTS = [f"The function `step_{number}` returns {number}." for number in range(1, CLAIMS + 1)]

pytestmark = pytest.mark.timeout(240)


def access(server: ModelServer) -> Access:
    host = ProviderHost.of(make_server("lab", f"{server.url}/v1"), {}, trusted_hosts=(server.url,))
    return Access(cloud=Cloud(), hosts={"lab": host})


def write_evidence() -> None:
    lines = [f"def step_{number}() -> int:\n    return {number}\n" for number in range(1, CLAIMS + 1)]
    Path("steps.py").write_text("\n\n".join(lines), encoding="utf-8")


@pytest.fixture
async def result(juror: ModelServer) -> Any:
    write_evidence()
    return await verify_claims(
        STATEMENTS, source_paths=["steps.py"], panel=[SMOLLM, OTHER], access=access(juror)
    )


async def test_a_panel_of_a_real_model_runs_end_to_end(result: Any, juror: ModelServer) -> None:
    true, false = result.panel
    # One true seat, whose votes are the model's own.
    assert (true.included, true.served_model, true.family) == (True, "smollm2:135m", "huggingface")
    assert true.verdicts_returned == CLAIMS
    assert true.host == juror.url
    assert (true.request_id or "").startswith("chatcmpl-")
    assert true.fingerprint
    # The same model, asked by another's name, names itself, so it is no second family.
    assert (false.included, false.exclude_reason) == (False, "served_model_mismatch:smollm2:135m")
    assert result.weak
    assert {claim.verdict for claim in result.claims} <= {"NEEDS_REVIEW"}
    # What it votes is chance; each vote is one of the three, on each claim.
    words = [juror.verdict for claim in result.claims for juror in claim.jurors]
    assert len(words) == CLAIMS
    assert set(words) <= {"CONFIRMED", "REFUTED", "UNCERTAIN"}
    # Its tokens lie between what the exclusion for unseen evidence and the estimate of the window assume.
    sent = result.params.prompt_sha256 and result.egress[0].bytes // 2
    assert true.usage.tokens_in is not None
    assert 0.4 * sent / 4 < true.usage.tokens_in <= estimate_tokens(sent)
    assert result.scripted is None
    assert result.cost_source == "unknown"


async def test_a_real_juror_makes_every_verdict_thin_where_it_votes_the_same_way_on_everything(
    juror: ModelServer,
) -> None:
    write_evidence()
    votes = {f"c{number}": "CONFIRMED" if number % 2 else "REFUTED" for number in range(1, CLAIMS + 1)}
    with ScriptedOllama(dict.fromkeys(TRIO[:2], [Reply(content=ballot(votes))])) as scripted:
        reach = replace(access(juror), cloud=scripted.trusted_cloud)
        run = await verify_claims(
            STATEMENTS, source_paths=["steps.py"], panel=[SMOLLM, *TRIO[:2]], access=reach
        )
    assert [seat.included for seat in run.panel] == [True, True, True]
    decided = [claim.standing for claim in run.claims if claim.standing is not None]
    assert decided
    # What it votes is chance; whether that is the same on everything decides what the run says of it.
    words = {juror.verdict for claim in run.claims for juror in claim.jurors if juror.model == SMOLLM}
    constant = len(words) == 1
    assert all(("constant_voter" in (standing.reasons or ())) == constant for standing in decided)


async def test_a_run_that_is_stopped_in_the_middle_of_an_answer_ends_and_keeps_what_it_has() -> None:
    write_evidence()
    stop = anyio.Event()
    with ModelServer(context=4096) as server:

        async def stop_when_busy() -> None:
            while not await anyio.to_thread.run_sync(server.busy):
                pass
            stop.set()

        async with anyio.create_task_group() as group:
            group.start_soon(stop_when_busy)
            run = await verify_claims(
                STATEMENTS, source_paths=["steps.py"], panel=[SMOLLM], access=access(server), stop=stop
            )
    assert run.status == "interrupted"
    assert run.panel[0].exclude_reason == "cancelled"
    assert run.egress[0].bytes > 0


async def test_an_answer_that_is_cut_at_the_output_limit_is_told_as_such() -> None:
    with ModelServer(context=1536) as server:
        run = await verify_claims(["The loop ends."], panel=[SMOLLM], access=access(server), reask=False)
    seat: SeatResult = run.panel[0]
    assert (seat.included, seat.exclude_reason, seat.truncated) == (False, "reply_truncated", True)


async def test_a_prompt_that_the_server_has_no_room_for_is_refused_and_not_cut() -> None:
    with ModelServer(context=512) as server:
        run = await verify_claims(["The loop ends."], panel=[SMOLLM], access=access(server))
    assert run.panel[0].exclude_reason == "call_failed:BAD_RESPONSE"
    assert "exceeds the available context size" in (run.panel[0].detail or "")


async def test_a_server_that_is_gone_is_unreachable() -> None:
    with ModelServer(context=512) as server:
        gone = access(server)
    run = await verify_claims(["The loop ends."], panel=[SMOLLM], access=gone)
    assert run.panel[0].exclude_reason == "call_failed:UNREACHABLE"
