"""`claimjury refute` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimjury.skeptics.block import parse_block
from claimjury.testing import Reply, ScriptedOllama
from cli.helpers import Cli
from cli.test_panels_command import user
from skeptics.helpers import CLAIM, MODEL, READ, calls, repository, steps, verdict

HOLDS = steps(calls(READ), Reply(content=verdict(False)))
REFUTES = steps(calls(READ), Reply(content=verdict(True)))


@pytest.fixture
def repo(monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = repository()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("repo")
def test_the_block_is_printed_and_what_leaves_is_said_first(cli: Cli) -> None:
    with ScriptedOllama({MODEL: HOLDS}) as server:
        cli.use(server)
        ran = cli("refute", CLAIM)
        again = cli("refute", CLAIM, "-q")
    assert ran.status == 0
    assert ran.out == again.out
    assert parse_block(ran.out).block.tally.verdict == "HOLDS"
    assert f"Claim: {CLAIM}\n" in ran.out
    assert "SCRIPTED, no model was asked" in ran.out
    assert "Supporting evidence, never proof." in ran.out
    first, *rest = ran.err.splitlines()
    assert f"at {server.url}" in first
    assert "3 skeptics may read, and so send, any file of repo that is not denied" in first
    assert sorted(line.split()[1] for line in rest[:3]) == ["1.", "2.", "3."]
    assert rest[3:] == ["claimjury: nothing says that the host serves the models that it names"]
    assert len(again.err.splitlines()) == 2


@pytest.mark.usefixtures("repo")
def test_json_has_the_block_and_what_each_skeptic_did(cli: Cli) -> None:
    with ScriptedOllama({MODEL: REFUTES}) as server:
        cli.use(server)
        text, ran = cli("refute", CLAIM, "-n", "1"), cli("refute", CLAIM, "-n", "1", "--json")
    said = ran.json["refute"]
    assert (ran.status, ran.json["exit_status"], said["verdict"]) == (10, 10, "REFUTED")
    assert said["text"] == text.out
    [one] = said["skeptics"]
    assert (one["angle"], one["model"], one["grounds"], one["refuted"]) == (
        "factual",
        MODEL,
        "evidence",
        True,
    )
    assert one["read"] == [{"tool": "read", "path": "cache.py", "start": 1, "end": 9}]
    assert said["note"] == "Supporting evidence, never proof."


@pytest.mark.usefixtures("repo")
def test_markdown_has_the_same_words_and_no_markup_of_a_stranger(cli: Cli) -> None:
    hostile = steps(calls(READ), Reply(content=verdict(True, "![x](http://evil) <b>cache.py:9</b>")))
    with ScriptedOllama({MODEL: hostile}) as server:
        cli.use(server)
        ran = cli("refute", CLAIM, "-n", "1", "--format", "markdown")
    assert "**REFUTED**: 1 of 1 skeptics refute" in ran.out
    assert "![x](http" not in ran.out
    assert "<b>" not in ran.out


CLAUDE: list[Any] = [
    {"type": "user", "message": {"role": "user", "content": "Fix the cache."}},
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "First."}]}},
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "name": "x"}]}},
    {
        "type": "assistant",
        "message": {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "no"}, {"type": "text", "text": CLAIM}],
        },
    },
]
CODEX: list[Any] = [
    {"type": "session_meta", "payload": {"id": "1"}},
    {
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": CLAIM}],
        },
    },
    {"type": "event_msg", "payload": {"type": "token_count"}},
]


def lines(rows: list[Any]) -> str:
    return "\n".join(json.dumps(row) for row in rows) + '\n{"cut'


@pytest.mark.usefixtures("repo")
@pytest.mark.parametrize(
    "text", [lines(CLAUDE), lines(CODEX), f"  {CLAIM}\n"], ids=["claude code", "codex", "plain text"]
)
def test_the_claim_of_a_transcript_is_its_last_message(cli: Cli, text: str) -> None:
    Path("session.jsonl").write_text(text, encoding="utf-8")
    with ScriptedOllama({MODEL: HOLDS}) as server:
        cli.use(server)
        ran = cli("refute", "--transcript", "session.jsonl", "-n", "1")
    assert (ran.status, f"Claim: {CLAIM}\n" in ran.out) == (0, True)


@pytest.mark.usefixtures("repo")
def test_a_message_of_claude_code_that_is_several_rows_is_one_claim(cli: Cli) -> None:
    def row(ident: str, text: str) -> dict[str, Any]:
        part = {"type": "text", "text": text}
        return {"type": "assistant", "message": {"role": "assistant", "id": ident, "content": [part]}}

    call = {"type": "tool_use", "id": "t1", "name": "Read", "input": {}}
    tool = {"type": "assistant", "message": {"role": "assistant", "id": "m2", "content": [call]}}
    rows = [
        row("m1", "An older one is here."),
        row("m2", "In cache.py the function get"),
        tool,
        row("m2", "returns None."),
    ]
    Path("session.jsonl").write_text(lines(rows), encoding="utf-8")
    with ScriptedOllama({MODEL: HOLDS}) as server:
        cli.use(server)
        ran = cli("refute", "--transcript", "session.jsonl", "-n", "1")
    assert "Claim: In cache.py the function get\\nreturns None.\n" in ran.out


@pytest.mark.usefixtures("repo")
@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "The claim is empty"),
        (["fixed it"], "a fragment"),
        ([CLAIM, "--transcript", "x"], "both given"),
        (["--transcript", "gone"], "cannot be read"),
        (["--transcript", "users.jsonl"], "no message of an assistant"),
        ([CLAIM, "-n", "0"], "from 1 to 9"),
        ([CLAIM, "--repo", "gone"], "gone"),
        ([CLAIM, "--model", "glm-5.2", "--across", "kimi-k3"], "both say who is asked"),
        ([CLAIM, "-n", "1", "--across", "glm-5.2:cloud,kimi-k3:cloud"], "2 models for 1 skeptics"),
        ([CLAIM, "--across", "glm-5.2:cloud,glm-5.1:cloud"], "cannot be a skeptic"),
        ([CLAIM, "--model", "deepseek-v4-pro:cloud", "--author", "deepseek"], "author"),
        ([CLAIM, "--max-cost", "1"], "is not known"),
        ([CLAIM, "--diff", "nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_asked_is_said_and_nothing_is_sent(cli: Cli, args: list[str], said: str) -> None:
    Path("users.jsonl").write_text(lines(CLAUDE[:1]), encoding="utf-8")
    with ScriptedOllama({}) as server:
        cli.use(server)
        ran = cli("refute", *args)
        assert server.asked == []
    assert (ran.status, said in ran.err) == (2, True), ran.err


@pytest.mark.usefixtures("repo")
def test_a_dry_run_shows_what_each_skeptic_is_told_and_opens_no_connection(cli: Cli) -> None:
    with ScriptedOllama({}) as server:
        cli.use(server)
        ran, as_json = cli("refute", CLAIM, "--dry-run"), cli("refute", CLAIM, "--dry-run", "--json")
        assert server.paths == []
    assert (ran.status, as_json.status) == (0, 0)
    assert "# Your angle: steelman-then-break" in ran.out
    assert [row["angle"] for row in as_json.json["openings"]] == ["factual", "logical", "steelman"]


@pytest.mark.usefixtures("repo")
def test_without_a_key_or_a_working_model_the_status_says_so(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedOllama({MODEL: [Reply(status=410, error="it was retired")]}) as server:
        cli.use(server)
        broken = cli("refute", CLAIM)
        monkeypatch.delenv("OLLAMA_API_KEY")
        assert cli("refute", CLAIM).status == 3
    assert broken.status == 4
    assert "fault: the call failed (MODEL_RETIRED)" in broken.out
    assert "nothing could be checked" in broken.out


@pytest.mark.usefixtures("repo")
def test_skeptics_count_against_the_caps_of_a_day(cli: Cli) -> None:
    user("daily_runs = 1\n")
    with ScriptedOllama({MODEL: HOLDS}) as server:
        cli.use(server)
        assert cli("refute", CLAIM, "-n", "1").status == 0
        asked = len(server.asked)
        ran = cli("refute", CLAIM, "-n", "1")
        assert len(server.asked) == asked
    assert (ran.status, "daily_runs is 1" in ran.err) == (5, True)


@pytest.mark.usefixtures("repo")
def test_evidence_and_reference_are_given_and_the_output_can_go_to_a_file(cli: Cli) -> None:
    Path("log.txt").write_text("1 passed\n", encoding="utf-8")
    holds = steps(Reply(content=verdict(False)))
    with ScriptedOllama({MODEL: holds}) as server:
        cli.use(server)
        args = ["--source", "cache.py", "--reference", "log.txt", "-n", "1", "--output", "out.txt"]
        ran = cli("refute", CLAIM, *args)
        prompt = server.asked[0].prompt
    assert (ran.status, ran.out) == (0, "")
    assert Path("out.txt").read_text(encoding="utf-8").startswith("VERDICT: HOLDS\n")
    assert "1 passed" in prompt
    assert "return value if until" in prompt
