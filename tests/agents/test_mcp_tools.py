"""The tools over MCP, in both eras of the protocol, with the SDK's own client."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import anyio
import pytest

from agents.helpers import CLAIMS, ERAS, VERIFY, answer_of, client_of, refusal_of, tools_of
from claimjury.settings.files import user_file
from claimjury.surfaces.mcp.arguments import MAX_WAIT_S
from claimjury.surfaces.mcp.tools import patience_of
from claimjury.surfaces.mcp.words import PROMPT_NAME
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import CONFIRM, FIRST, REFUTE, TRIO, trio

SLOW = "glm-5.2:cloud"


def user(text: str) -> None:
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(text, encoding="utf-8")


def gated(gate: threading.Event) -> dict[str, Any]:
    return {**trio(CONFIRM), SLOW: [Reply(content=ballot({"c1": "CONFIRMED"}), gate=gate)]}


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_of_either_era_gets_the_envelope_of_a_jury(era: str) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with client_of(server, era) as client:
            answer = answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS}))
    assert answer["status"] == "complete"
    assert answer["result"]["claims"][0]["verdict"] == "CONFIRMED"
    assert answer["result"]["egress"][0]["host"] == server.url
    assert answer["exit_status"] == 20


@pytest.mark.parametrize("era", ERAS)
async def test_the_tools_have_titles_described_arguments_hints_and_schemas(era: str) -> None:
    with ScriptedOllama({}) as server:
        async with client_of(server, era) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            told = client.instructions or ""
    assert set(tools) == {VERIFY, "claim_verifier", "check_citations", "get_run"}
    for tool in tools.values():
        assert tool.title
        assert tool.annotations is not None
        assert tool.annotations.open_world_hint is (tool.name != "check_citations")
        assert tool.annotations.read_only_hint is True
        assert len((tool.description or "").encode()) < 2_048
        assert tool.input_schema["type"] == (tool.output_schema or {})["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        for name, schema in tool.input_schema["properties"].items():
            assert schema.get("description"), name
    assert 0 < len(told.encode()) < 2_048
    for word in ("agent_action", "NEEDS_REVIEW", "source_paths", "costs"):
        assert word in (tools[VERIFY].description or "")


async def test_the_arguments_are_those_of_the_reference_tool_and_ours_are_optional() -> None:
    with ScriptedOllama({}) as server:
        async with client_of(server) as client:
            schema = next(
                tool for tool in (await client.list_tools()).tools if tool.name == VERIFY
            ).input_schema
    assert schema["required"] == ["claims"]
    assert {"claims", "source_paths", "reference", "panel", "min_refute_votes"} <= set(schema["properties"])
    claim = schema["$defs"]["ClaimArgument"]
    assert (claim["required"], claim["additionalProperties"]) == (["id", "statement"], False)
    assert claim["properties"]["id"]["maxLength"] == 64
    assert claim["properties"]["statement"]["maxLength"] == 4_000


async def test_a_list_that_came_as_a_string_of_json_is_read() -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with tools_of(server) as tools:
            answer = await tools.verify_claims(
                {"claims": '[{"id": "c1", "statement": "It ends."}]', "source_paths": "[]"}, progress=_silent
            )
    assert answer["status"] == "complete"


async def _silent(_ended: int, _of: int, _message: str) -> None:
    pass


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ({}, "INVALID_REQUEST", "`claims` is wrong"),
        ({"claims": []}, "INVALID_REQUEST", "`claims` is wrong"),
        ({"claims": [{"id": "c1"}]}, "INVALID_REQUEST", "`claims.0.statement` is wrong"),
        (
            {"claims": [{"id": "c1", "statement": "x", "reasoning": "I ran it"}]},
            "INVALID_REQUEST",
            "no argument",
        ),
        ({"claims": CLAIMS, "model": "x"}, "INVALID_REQUEST", "`model` is no argument"),
        ({"claims": CLAIMS * 2}, "INVALID_REQUEST", "c1"),
        ({"claims": [{"id": "c1", "statement": "x" * 4_001}]}, "INVALID_REQUEST", "at most 4000"),
        ({"claims": CLAIMS, "reference": "x" * 20_001}, "INVALID_REQUEST", "at most 20000"),
        ({"claims": CLAIMS, "source_paths": ["gone.py"]}, "SOURCE_PATH_NOT_FOUND", "gone.py"),
        (
            {"claims": CLAIMS, "source_paths": ["/etc/passwd"]},
            "SOURCE_OUTSIDE_ROOTS",
            "outside the allowed roots",
        ),
        ({"claims": CLAIMS, "source_paths": [".env"]}, "SOURCE_DENIED", "denied"),
        (
            {"claims": CLAIMS, "panel": ["openai/gpt-5.2"]},
            "INVALID_REQUEST",
            "the operator lets callers name",
        ),
        ({"claims": CLAIMS, "panel": ["auto"]}, "INVALID_REQUEST", "who votes must be known"),
        ({"claims": CLAIMS, "min_refute_votes": 0}, "INVALID_REQUEST", "min_refute_votes"),
        ({"claims": CLAIMS, "max_tokens": 10}, "BUDGET_EXCEEDED", "tokens at worst"),
        (
            {"claims": [{"id": "c1", "statement": "-----BEGIN RSA PRIVATE KEY-----\nMIIE"}]},
            "SOURCE_DENIED",
            "a private key",
        ),
        (
            {"claims": CLAIMS, "reference": "ok\nexport STRIPE_API_KEY=sk_live_0123456789abcdef\n"},
            "SOURCE_DENIED",
            "The reference holds a value of a dotenv file (line 2)",
        ),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, dict) else None,
)
async def test_a_refusal_is_a_tool_error_with_code_message_and_what_to_do(
    arguments: dict[str, Any], code: str, said: str
) -> None:
    Path(".env").write_text("TOKEN=1\n", encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with client_of(server) as client:
            text = refusal_of(await client.call_tool(VERIFY, arguments))
        assert server.asked == []
    first, hint = text.split("\n")
    assert first.startswith(f"{code}: ")
    assert said in first
    assert hint
    assert "sk_live" not in text


async def test_without_a_key_the_refusal_says_what_would_be_sent_and_where(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        monkeypatch.setattr("agents.helpers.environ", lambda server: {"OLLAMA_CLOUD_HOST": server.url})
        async with client_of(server) as client:
            text = refusal_of(await client.call_tool(VERIFY, {"claims": CLAIMS}))
    assert text.startswith("CLOUD_NOT_CONFIGURED: There is no OLLAMA_API_KEY")
    assert "this would be sent: 1 claim" in text


async def test_files_below_the_root_are_sent_and_every_answer_lists_what_left() -> None:
    Path("loop.py").write_text("for attempt in range(7): pass\n", encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with client_of(server) as client:
            answer = answer_of(
                await client.call_tool(VERIFY, {"claims": CLAIMS, "source_paths": ["loop.py"]})
            )
    assert "for attempt in range(7): pass" in server.asked[0].prompt
    assert answer["result"]["egress"][0]["files"] == ["loop.py"]


async def test_a_server_without_a_project_says_which_line_to_add_and_still_judges_claims() -> None:
    Path("loop.py").write_text("pass\n", encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with client_of(server, roots=()) as client:
            text = refusal_of(await client.call_tool(VERIFY, {"claims": CLAIMS, "source_paths": ["loop.py"]}))
            answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS}))
    assert '"args": ["mcp", "--root", "/path/to/the/project"]' in text


async def test_the_callers_own_panel_or_threshold_makes_every_verdict_thin_and_the_operators_does_not() -> (
    None
):
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with client_of(server) as client:
            own: tuple[dict[str, Any], ...] = ({"panel": [*TRIO[:2]]}, {"min_refute_votes": 1})
            same: tuple[dict[str, Any], ...] = ({"panel": [*TRIO][::-1]}, {"min_refute_votes": 2}, {})
            marked = [answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS, **rules})) for rules in own]
            plain = [answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS, **rules})) for rules in same]
    for answer in marked:
        assert "caller_set_rules" in answer["result"]["claims"][0]["standing"]["reasons"]
        assert answer["result"]["params"]["caller_set_rules"] is True
    for answer in plain:
        assert "caller_set_rules" not in answer["result"]["claims"][0]["standing"]["reasons"]


async def test_a_caller_lowers_limits_and_never_raises_them() -> None:
    user("max_tokens = 5000\ndeadline = 30\n")
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with client_of(server) as client:
            text = refusal_of(await client.call_tool(VERIFY, {"claims": CLAIMS, "max_tokens": 90_000_000}))
    assert "5,000 are allowed" in text
    user("deadline = 30\n")
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with client_of(server) as client:
            answers = [
                answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS, **asked}))
                for asked in ({}, {"deadline_s": 500}, {"deadline_s": 5})
            ]
    assert [answer["result"]["params"]["deadline_s"] for answer in answers] == [30, 30, 5]


async def test_without_a_deadline_of_anybodys_a_run_ends_all_the_same() -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with client_of(server) as client:
            answer = answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS}))
    assert answer["result"]["params"]["deadline_s"] == 600


async def test_providers_that_the_operator_lets_callers_name_are_taken() -> None:
    user('caller_providers = ["openai"]\n')
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with client_of(server) as client:
            text = refusal_of(await client.call_tool(VERIFY, {"claims": CLAIMS, "panel": ["openai/gpt-5.2"]}))
    assert text.startswith("CLOUD_NOT_CONFIGURED: There is no OPENAI_API_KEY")


async def test_the_callers_own_family_does_not_judge_it_where_it_says_who_it_is() -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with client_of(server) as client:
            answer = answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS, "author": "glm-5.3"}))
        user('author = "deepseek"\n')
        async with client_of(server) as client:
            own = answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS, "author": "glm-5.3"}))
    reasons = [seat.get("exclude_reason") for seat in answer["result"]["panel"]]
    assert reasons == [None, None, "author_family"]
    assert [seat.get("exclude_reason") for seat in own["result"]["panel"]] == ["author_family", None, None]


async def test_a_long_run_answers_in_time_with_what_is_settled_and_get_run_has_the_rest() -> None:
    gate = threading.Event()
    with ScriptedOllama(gated(gate)) as server:
        async with client_of(server) as client:
            first = answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS, "answer_within_s": 0.5}))
            gate.set()
            last = answer_of(
                await client.call_tool("get_run", {"run_id": first["run_id"], "wait_s": MAX_WAIT_S})
            )
            while last["status"] == "running":
                last = answer_of(await client.call_tool("get_run", {"run_id": first["run_id"]}))
    assert first["status"] == "running"
    assert first["outstanding"] == [SLOW]
    assert {seat["model"] for seat in first["seats"]} == set(TRIO) - {SLOW}
    assert first["claims"][0]["confirm_votes"] == 2
    assert first["egress"][0]["host"] == server.url
    assert "get_run" in first["next"]
    assert (last["status"], last["run_id"]) == ("complete", first["run_id"])
    assert last["result"]["claims"][0]["confirm_votes"] == 3


async def test_a_verdict_that_no_outstanding_vote_can_change_is_marked_and_others_have_none() -> None:
    gate = threading.Event()
    votes = {"c1": "CONFIRMED", "c2": "REFUTED", "c3": "UNCERTAIN"}
    scripts = dict.fromkeys(TRIO, [Reply(content=ballot(votes))])
    scripts[SLOW] = [Reply(content=ballot(votes), gate=gate)]
    claims = [{"id": ident, "statement": "The loop ends."} for ident in votes]
    with ScriptedOllama(scripts) as server:
        async with client_of(server) as client:
            first = answer_of(await client.call_tool(VERIFY, {"claims": claims, "answer_within_s": 0.5}))
            gate.set()
    rows = {claim["id"]: claim for claim in first["claims"]}
    assert (rows["c1"]["decided_early"], rows["c1"]["verdict"]) == (True, "CONFIRMED")
    assert (rows["c2"]["decided_early"], rows["c2"]["verdict"]) == (True, "REFUTED")
    assert (rows["c3"]["decided_early"], rows["c3"]["verdict"]) == (True, "NEEDS_REVIEW")
    open_claims = [{"id": "c1", "statement": "The loop ends."}]
    gate = threading.Event()
    scripts = {FIRST: [CONFIRM], SLOW: [Reply(content=ballot({"c1": "REFUTED"}), gate=gate)]}
    with ScriptedOllama(scripts) as server:
        async with client_of(server) as client:
            asked = {"claims": open_claims, "panel": [FIRST, SLOW], "answer_within_s": 0.5}
            early = answer_of(await client.call_tool(VERIFY, asked))
            gate.set()
    assert "verdict" not in early["claims"][0]


async def test_get_run_reads_what_earlier_sessions_have_kept_and_refuses_what_nobody_has() -> None:
    with ScriptedOllama(trio(REFUTE)) as server:
        async with client_of(server) as client:
            first = answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS}))
        async with client_of(server) as client:
            kept = answer_of(await client.call_tool("get_run", {"run_id": first["run_id"]}))
            text = refusal_of(await client.call_tool("get_run", {"run_id": "20200101T000000-nothing"}))
    assert kept == first
    assert text.startswith("UNKNOWN_RUN: ")


async def test_progress_is_told_for_each_juror() -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None = None, message: str | None = None) -> None:
        told.append((progress, total, message))

    for era in ERAS:
        told.clear()
        with ScriptedOllama({**trio(CONFIRM), FIRST: [Reply(status=401, error="no")]}) as server:
            async with client_of(server, era) as client:
                await client.call_tool(VERIFY, {"claims": CLAIMS}, progress_callback=hear)
        assert [row[0] for row in told] == [1, 2, 3]
        assert {row[1] for row in told} == {3}
        assert any(f"{FIRST}: the call failed (AUTH_FAILED)" in (row[2] or "") for row in told)


@pytest.mark.parametrize("era", ERAS)
async def test_a_cancelled_call_ends_the_calls_to_the_hosts_and_keeps_what_has_arrived(era: str) -> None:
    gate = threading.Event()
    with ScriptedOllama(gated(gate)) as server:
        async with client_of(server, era) as client:
            with anyio.move_on_after(30) as scope:
                async with anyio.create_task_group() as group:
                    ended: list[str] = []

                    async def hear(
                        progress: float, total: float | None = None, message: str | None = None
                    ) -> None:
                        ended.append(message or "")
                        if progress == 2:
                            group.cancel_scope.cancel()

                    await client.call_tool(VERIFY, {"claims": CLAIMS}, progress_callback=hear)
            assert not scope.cancelled_caught
        gate.set()
        async with client_of(server, era) as client:
            kept = answer_of(await client.call_tool("get_run", {"run_id": "last"}))
    assert kept["status"] == "interrupted"
    seats = {seat["model"]: seat.get("exclude_reason") for seat in kept["result"]["panel"]}
    assert seats == {**dict.fromkeys(TRIO, None), SLOW: "cancelled"}


@pytest.mark.parametrize("era", ERAS)
async def test_the_prompt_says_how_to_state_claims(era: str) -> None:
    with ScriptedOllama({}) as server:
        async with client_of(server, era) as client:
            listed = (await client.list_prompts()).prompts
            got = await client.get_prompt(PROMPT_NAME)
    assert [prompt.name for prompt in listed] == [PROMPT_NAME]
    text = str(got.messages[0].content)
    for word in ("could be false", "reference", "source_paths", "Leave out why", "author"):
        assert word in text


def test_a_client_that_waits_longer_is_answered_later() -> None:
    assert patience_of(None) == patience_of("some-editor") == 45
    assert patience_of("claude-code") == patience_of("Codex-MCP-Client") == 240


async def test_what_a_juror_says_is_cleaned_before_an_agent_reads_it() -> None:
    hostile = Reply(
        content=ballot({"c1": {"verdict": "REFUTED", "rationale": "a\x1b[31m\u202ebad\n::error::x"}})
    )
    with ScriptedOllama(trio(hostile)) as server:
        async with client_of(server) as client:
            answer = answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS}))
    said = answer["result"]["claims"][0]["jurors"][0]["rationale"]
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "::error" not in said
