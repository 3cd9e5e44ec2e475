"""Skeptics over MCP: one claim about the server's project, with the operator's settings as a floor."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import anyio
import pytest

from agents.helpers import ERAS, answer_of, client_of, environ, refusal_of
from agents.test_mcp_tools import user
from claimjury.settings.load import load_settings
from claimjury.surfaces.mcp.arguments import RefuteArguments
from claimjury.surfaces.mcp.floor import Floor
from claimjury.surfaces.mcp.job import Job
from claimjury.surfaces.mcp.jobs import Jobs
from claimjury.testing import Asked, Reply, Script, ScriptedOllama
from jury.helpers import TRIO
from skeptics.helpers import CLAIM, MODEL, READ, angle, calls, repository, steps, verdict

TOOL = "claim_verifier"
HOLDS = steps(calls(READ), Reply(content=verdict(False)))
REFUTED = steps(calls(READ), Reply(content=verdict(True)))


@pytest.fixture(autouse=True)
def project() -> None:
    """Make the working directory, which is the server's project, the repository."""
    repository(Path.cwd())


def gated(gate: threading.Event) -> Script:
    """Script skeptics of which the factual one waits before its first word."""

    def script(asked: Asked) -> Reply:
        if angle(asked) == "factual" and not asked.tool_replies:
            return Reply(calls=[READ], gate=gate)
        return HOLDS(asked)

    return script


@pytest.mark.parametrize("era", ERAS)
async def test_a_claim_that_no_skeptic_of_the_operators_model_breaks_holds(era: str) -> None:
    with ScriptedOllama({MODEL: HOLDS}) as server:
        async with client_of(server, era) as client:
            answer = answer_of(await client.call_tool(TOOL, {"claim": CLAIM}))
    assert (answer["verdict"], answer["n"], answer["refuted"], answer["exit_status"]) == ("HOLDS", 3, 0, 0)
    assert (answer["status"], answer["note"]) == ("complete", "Supporting evidence, never proof.")
    assert {one["model"] for one in answer["skeptics"]} == {MODEL}
    assert answer["egress"][0]["files"] == ["cache.py"]
    assert answer["text"].startswith("VERDICT: HOLDS\n")
    assert "caller_set_rules" not in answer["warnings"]


async def test_a_claim_that_most_skeptics_break_with_a_reason_is_refuted() -> None:
    with ScriptedOllama({MODEL: REFUTED}) as server:
        async with client_of(server) as client:
            answer = answer_of(await client.call_tool(TOOL, {"claim": CLAIM}))
    assert (answer["verdict"], answer["refuted_on_evidence"], answer["exit_status"]) == ("REFUTED", 3, 10)
    assert answer["skeptics"][0]["reason"] == "cache.py:9 shows it."


async def test_skeptics_across_vendors_and_evidence_that_the_caller_names_are_taken_and_marked() -> None:
    asked = {
        "claim": CLAIM,
        "across": list(TRIO),
        "source_paths": ["use.py"],
        "reference": "7 passed",
        "author": "qwen",
    }
    with ScriptedOllama(dict.fromkeys(TRIO, HOLDS)) as server:
        async with client_of(server) as client:
            answer = answer_of(await client.call_tool(TOOL, asked))
    assert [one["model"] for one in answer["skeptics"]] == list(TRIO)
    assert all("7 passed" in told.prompt and "print(Cache()" in told.prompt for told in server.asked)
    assert "caller_set_rules" in answer["warnings"]


async def test_nobody_of_the_authors_family_is_asked() -> None:
    with ScriptedOllama(dict.fromkeys(TRIO, HOLDS)) as server:
        async with client_of(server) as client:
            answer = answer_of(await client.call_tool(TOOL, {"claim": CLAIM, "author": "deepseek", "n": 1}))
    assert [one["model"] for one in answer["skeptics"]] == [TRIO[1]]


async def test_a_fragment_is_refused_with_the_argument_that_attacks_it_all_the_same() -> None:
    with ScriptedOllama({MODEL: HOLDS}) as server:
        async with client_of(server) as client:
            text = refusal_of(await client.call_tool(TOOL, {"claim": "Fixed the cache."}))
            assert server.asked == []
            answer = answer_of(await client.call_tool(TOOL, {"claim": "Fixed the cache.", "anyway": True}))
    first, hint = text.split("\n")
    assert first.startswith("INVALID_REQUEST: The claim is a fragment")
    assert "`anyway: true` attacks it as it stands" in hint
    assert answer["n"] == 3


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ({"claim": None}, "INVALID_REQUEST", "`claim` is wrong"),
        ({"claim": ""}, "INVALID_REQUEST", "`claim` is wrong"),
        ({"claim": "x" * 4_001}, "INVALID_REQUEST", "at most 4000"),
        ({"n": 10}, "INVALID_REQUEST", "`n` is wrong"),
        ({"n": 0}, "INVALID_REQUEST", "`n` is wrong"),
        ({"reference": "x" * 20_001}, "INVALID_REQUEST", "at most 20000"),
        ({"reasoning": "I ran it"}, "INVALID_REQUEST", "`reasoning` is no argument"),
        ({"repo": "/"}, "INVALID_REQUEST", "`repo` is no argument"),
        ({"roots": ["/"]}, "INVALID_REQUEST", "`roots` is no argument"),
        ({"host": "http://evil"}, "INVALID_REQUEST", "`host` is no argument"),
        ({"allow_secrets": True}, "INVALID_REQUEST", "`allow_secrets` is no argument"),
        ({"model": TRIO[0], "across": [TRIO[1]]}, "INVALID_REQUEST", "both say who"),
        ({"n": 1, "across": [*TRIO]}, "INVALID_REQUEST", "`across` names 3 models"),
        ({"model": "openai/gpt-5.2"}, "INVALID_REQUEST", "the operator lets callers name"),
        ({"across": ["openai/gpt-5.2"]}, "INVALID_REQUEST", "the operator lets callers name"),
        ({"model": TRIO[0], "author": "deepseek"}, "INVALID_REQUEST", "author's family (deepseek)"),
        ({"source_paths": ["/etc/passwd"]}, "SOURCE_OUTSIDE_ROOTS", "outside the allowed"),
        ({"source_paths": [".env"]}, "SOURCE_DENIED", "denied"),
        (
            {"claim": "-----BEGIN RSA PRIVATE KEY-----\nMIIE"},
            "SOURCE_DENIED",
            "The claim holds a private key",
        ),
        (
            {"reference": "export STRIPE_API_KEY=sk_live_0123456789abcdef\n"},
            "SOURCE_DENIED",
            "The reference holds a value of a dotenv file",
        ),
        ({"max_tokens": 10}, "BUDGET_EXCEEDED", "one call may take"),
        ({"max_cost_usd": 1}, "INVALID_REQUEST", "costs is not known"),
        ({"max_cost_usd": 0}, "INVALID_REQUEST", "`max_cost_usd` is wrong"),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, dict) else None,
)
async def test_a_refusal_has_code_message_and_what_to_do_and_nothing_is_sent(
    arguments: dict[str, Any], code: str, said: str
) -> None:
    Path(".env").write_text("TOKEN=1\n", encoding="utf-8")
    with ScriptedOllama(dict.fromkeys(TRIO, HOLDS)) as server:
        async with client_of(server) as client:
            text = refusal_of(await client.call_tool(TOOL, {"claim": CLAIM, **arguments}))
        assert server.asked == []
    first, hint = text.split("\n")
    assert first.startswith(f"{code}: ")
    assert said in first
    assert hint
    assert "sk_live" not in text


async def test_providers_that_the_operator_lets_callers_name_may_be_skeptics() -> None:
    user('caller_providers = ["openai"]\n')
    with ScriptedOllama({}) as server:
        async with client_of(server) as client:
            text = refusal_of(await client.call_tool(TOOL, {"claim": CLAIM, "model": "openai/gpt-5.2"}))
    assert text.startswith("CLOUD_NOT_CONFIGURED: There is no OPENAI_API_KEY")


async def test_skeptics_read_the_servers_project_alone_and_without_one_they_are_refused() -> None:
    Path("inner").mkdir()
    (Path("inner") / "cache.py").write_text("inner = 1\n", encoding="utf-8")
    script = steps(calls(READ, ("read", {"path": "../cache.py"})), Reply(content=verdict(False)))
    with ScriptedOllama({MODEL: script}) as server:
        async with client_of(server, roots=(Path.cwd() / "inner", Path.cwd())) as client:
            answer = answer_of(await client.call_tool(TOOL, {"claim": CLAIM, "n": 1}))
        async with client_of(server, roots=()) as client:
            text = refusal_of(await client.call_tool(TOOL, {"claim": CLAIM}))
    assert "inner = 1" in server.asked[-1].tool_replies[0]
    assert "class Cache" not in server.asked[-1].prompt
    assert answer["skeptics"][0]["failed_calls"] == 1
    assert '"args": ["mcp", "--root", "/path/to/the/project"]' in text


async def test_a_caller_of_skeptics_lowers_limits_and_never_raises_them() -> None:
    user("max_tokens = 5000\nmax_cost = 2\ndeadline = 30\n")
    more: dict[str, Any] = {"max_tokens": 90_000_000, "max_cost_usd": 50, "deadline_s": 500}
    less: dict[str, Any] = {"max_tokens": 4_000, "max_cost_usd": 1, "deadline_s": 5}
    with ScriptedOllama({MODEL: HOLDS}) as server:
        floor = Floor(loaded=load_settings(environ(server)), roots=(Path.cwd(),))
        got = [
            floor.refute_options(RefuteArguments.model_validate({"claim": CLAIM, **asked}))
            for asked in ({}, more, less)
        ]
        user("max_tokens = 5000\n")
        async with client_of(server) as client:
            text = refusal_of(await client.call_tool(TOOL, {"claim": CLAIM, "max_tokens": 90_000_000}))
    limits = [(row["max_tokens"], row["max_cost_usd"], row["deadline_s"]) for row in got]
    assert limits == [(5_000, 2, 30), (5_000, 2, 30), (4_000, 1, 5)]
    assert "Each of 3 skeptics may take 1,666 tokens" in text
    assert "Raise `max_tokens`, or ask fewer skeptics (`n`)." in text


async def test_without_a_deadline_of_anybodys_skeptics_end_all_the_same() -> None:
    with ScriptedOllama({}) as server:
        floor = Floor(loaded=load_settings(environ(server)), roots=(Path.cwd(),))
    assert floor.refute_options(RefuteArguments.model_validate({"claim": CLAIM}))["deadline_s"] == 600


async def test_a_run_of_skeptics_counts_against_the_caps_of_the_day_as_what_it_took() -> None:
    # The worst case of a run is 1,800,000 tokens: a second fits only where the first is settled.
    user("daily_tokens = 2000000\ndaily_runs = 2\n")
    with ScriptedOllama({MODEL: HOLDS}) as server:
        async with client_of(server) as client:
            answer_of(await client.call_tool(TOOL, {"claim": CLAIM}))
            answer_of(await client.call_tool(TOOL, {"claim": CLAIM}))
            text = refusal_of(await client.call_tool(TOOL, {"claim": CLAIM}))
    assert text.startswith("BUDGET_EXCEEDED: ")
    assert "daily_runs is 2" in text


async def test_a_long_run_of_skeptics_answers_in_time_with_those_that_ended_and_get_run_has_the_rest() -> (
    None
):
    gate = threading.Event()
    with ScriptedOllama({MODEL: gated(gate)}) as server:
        async with client_of(server) as client:
            first = answer_of(await client.call_tool(TOOL, {"claim": CLAIM, "answer_within_s": 0.01}))
            asked = {"run_id": first["run_id"]}
            known = first
            while len(known["outstanding"]) > 1:
                known = answer_of(await client.call_tool("get_run", asked))
            gate.set()
            last = answer_of(await client.call_tool("get_run", asked))
            while last["status"] == "running":
                last = answer_of(await client.call_tool("get_run", asked))
            assert answer_of(await client.call_tool("get_run", {**asked, "wait_s": 0})) == last
    assert (first["status"], first["n"], first["claim"]) == ("running", 3, CLAIM)
    assert "verdict" not in known
    assert [one["angle"] for one in sorted(known["skeptics"], key=lambda one: one["place"])] == [
        "logical",
        "steelman",
    ]
    assert known["outstanding"] == [1]
    assert server.url in known["sends"][0]
    assert "get_run" in known["next"]
    assert (last["status"], last["verdict"], last["run_id"]) == ("complete", "HOLDS", first["run_id"])


async def test_a_later_server_gives_the_run_of_an_earlier_one_with_the_mark_of_its_caller() -> None:
    with ScriptedOllama({MODEL: HOLDS}) as server:
        async with client_of(server) as client:
            answer = answer_of(await client.call_tool(TOOL, {"claim": CLAIM, "n": 2}))
        async with client_of(server) as client:
            later = answer_of(await client.call_tool("get_run", {"run_id": answer["run_id"]}))
            text = refusal_of(await client.call_tool("get_run", {"run_id": "20260101T000000-00000000"}))
    assert later == answer
    assert "caller_set_rules" in later["warnings"]
    assert text.startswith("UNKNOWN_RUN: ")


@pytest.mark.parametrize("era", ERAS)
async def test_progress_is_told_as_each_skeptic_ends(era: str) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None = None, message: str | None = None) -> None:
        told.append((progress, total, message))

    with ScriptedOllama({MODEL: REFUTED}) as server:
        async with client_of(server, era) as client:
            await client.call_tool(TOOL, {"claim": CLAIM}, progress_callback=hear)
    assert [row[:2] for row in told] == [(1, 3), (2, 3), (3, 3)]
    assert all("refutes: cache.py:9 shows it." in (row[2] or "") for row in told)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """Give the jobs of skeptics as they are started."""
    jobs: list[Job] = []
    attack = Jobs.attack

    def noted(self: Jobs, *args: Any, **rest: Any) -> Job:
        jobs.append(attack(self, *args, **rest))
        return jobs[-1]

    monkeypatch.setattr(Jobs, "attack", noted)
    return jobs


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_gives_up_ends_its_skeptics_and_what_had_arrived_stays(
    era: str, started: list[Job]
) -> None:
    gate = threading.Event()
    with ScriptedOllama({MODEL: gated(gate)}) as server:
        async with client_of(server, era) as client:
            async with anyio.create_task_group() as group:

                async def hear(
                    progress: float, total: float | None = None, message: str | None = None
                ) -> None:
                    if progress == 2:
                        group.cancel_scope.cancel()

                await client.call_tool(TOOL, {"claim": CLAIM}, progress_callback=hear)
            (job,) = started
            while not job.done:
                await job.wait(30, seen=job.changes)
            answer = answer_of(await client.call_tool("get_run", {"run_id": job.run_id}))
        gate.set()
    assert (answer["status"], answer["exit_status"]) == ("interrupted", 130)
    assert [one["grounds"] for one in answer["skeptics"]] == ["fault", "evidence", "evidence"]


async def test_a_server_that_ends_stops_its_skeptics(started: list[Job]) -> None:
    gate = threading.Event()
    with ScriptedOllama({MODEL: gated(gate)}) as server:
        async with client_of(server) as client:
            first = answer_of(await client.call_tool(TOOL, {"claim": CLAIM, "answer_within_s": 0.01}))
        gate.set()
    (job,) = started
    assert first["status"] == "running"
    assert job.answer()["status"] == "interrupted"


async def test_the_schema_of_the_arguments_is_strict_and_says_when_to_use_the_tool() -> None:
    with ScriptedOllama({}) as server:
        async with client_of(server) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    schema = tools[TOOL].input_schema
    assert (schema["required"], schema["additionalProperties"]) == (["claim"], False)
    assert set(schema["properties"]) == {
        *("claim", "n", "reference", "source_paths", "diff", "author", "model", "across", "anyway"),
        *("max_tokens", "max_cost_usd", "deadline_s", "answer_within_s"),
    }
    for word in ("ollama_verify_claims", "one free-text claim", "never proof", "costs"):
        assert word in (tools[TOOL].description or "")
    assert "earlier sessions are read from the operator's ledger" in (tools["get_run"].description or "")
