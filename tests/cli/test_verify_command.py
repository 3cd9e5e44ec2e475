"""`claimjury verify`, as a user types it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from claimjury.testing import Reply, ScriptedOllama, ballot
from cli.helpers import Cli
from jury.helpers import CLAIM, CONFIRM, FIRST, REFUTE, TRIO, trio

BOTH = Reply(content=ballot({"c1": "CONFIRMED", "c2": "REFUTED"}))


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_json_is_one_envelope_that_repeats_the_exit_status(cli: Cli) -> None:
    with ScriptedOllama(trio(REFUTE)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--json")
    envelope = ran.json
    assert ran.status == envelope["exit_status"] == 20
    assert envelope["result"]["claims"][0]["verdict"] == "CONFIRMED"
    assert {name: envelope[name] for name in ("status", "backend", "degraded", "warnings", "model")} == {
        "status": "complete",
        "backend": "cloud",
        "degraded": False,
        "warnings": [],
        "model": ",".join(TRIO),
    }
    assert envelope["run_id"] == envelope["result"]["run_id"]
    assert envelope["tokens_in"] > 0
    assert "degrade_reason" not in envelope


def test_an_excluded_seat_degrades_the_run_and_says_how_many(cli: Cli) -> None:
    with ScriptedOllama(trio(Reply(status=401))) as server:
        cli.use(server)
        envelope = cli("verify", "--claim", CLAIM, "--format", "json").json
    assert (envelope["degraded"], envelope["degrade_reason"]) == (True, "jury_excluded:1/3")


def test_a_field_that_does_not_apply_is_absent_and_not_null(cli: Cli) -> None:
    with ScriptedOllama(trio(Reply(content="no votes"))) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--json")
    assert "null" not in ran.out
    assert "standing" in ran.json["result"]["claims"][0]
    assert "why" not in ran.json["result"]["claims"][0]


@pytest.mark.parametrize(
    ("first", "second", "args", "status"),
    [
        (REFUTE, REFUTE, [], 10),
        (CONFIRM, CONFIRM, [], 20),
        (CONFIRM, CONFIRM, ["--as", "findings"], 10),
        (REFUTE, REFUTE, ["--as", "findings"], 20),
        (REFUTE, CONFIRM, ["--panel", ",".join(TRIO[:2])], 20),
        (REFUTE, REFUTE, ["--panel", FIRST], 20),
        (Reply(status=401), Reply(status=401), ["--panel", ",".join(TRIO[:2])], 4),
        (Reply(served="x"), Reply(served="x"), ["--panel", ",".join(TRIO[:2])], 20),
    ],
    ids=[
        "refuted",
        "thin",
        "findings confirmed",
        "findings refuted",
        "split",
        "weak",
        "unreached",
        "mismatched",
    ],
)
def test_the_exit_status_is_that_of_the_table(
    cli: Cli, first: Reply, second: Reply, args: list[str], status: int
) -> None:
    with ScriptedOllama({**trio(first), TRIO[1]: [second]}) as server:
        cli.use(server)
        assert cli("verify", "--claim", CLAIM, *args, "-q").status == status


def test_claims_of_a_file_and_of_options_are_joined(cli: Cli) -> None:
    Path("claims.md").write_text("# Claims\n\n- The loop ends.\n", encoding="utf-8")
    with ScriptedOllama(dict.fromkeys(TRIO, [BOTH])) as server:
        cli.use(server)
        claims = cli("verify", "claims.md", "--claim", CLAIM, "--json").json["result"]["claims"]
    assert [(claim["id"], claim["statement"]) for claim in claims] == [
        ("c1", "The loop ends."),
        ("c2", CLAIM),
    ]


def test_claims_come_from_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, b'["The loop ends."]')
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        assert cli("verify", "-", "--json").json["result"]["claims"][0]["statement"] == "The loop ends."


def test_a_reference_of_standard_input_is_the_callers_and_of_a_file_is_a_files(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("log.txt").write_text("14 passed", encoding="utf-8")
    feed(monkeypatch, b"14 passed")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        piped = cli("verify", "--claim", CLAIM, "--reference", "-", "--json").json
        filed = cli("verify", "--claim", CLAIM, "--reference", "log.txt", "--json").json
        prompts = [asked.prompt for asked in server.requests_of(FIRST)]
    assert "caller_reference_only" in piped["result"]["claims"][0]["standing"]["reasons"]
    assert "caller_reference_only" not in filed["result"]["claims"][0]["standing"]["reasons"]
    assert "supplied by the party that asks; not verified" in prompts[0]
    assert "read from a file" in prompts[1]


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["verify"], "INVALID_REQUEST", "nothing to judge"),
        (["verify", "-", "--reference", "-"], "INVALID_REQUEST", "standard input"),
        (["verify", "missing.json"], "SOURCE_PATH_NOT_FOUND", "missing.json"),
        (["verify", "--claim", ""], "INVALID_REQUEST", "Claim 1 is empty"),
        (["verify", "--claim", "x", "--source", "gone.py"], "SOURCE_PATH_NOT_FOUND", "gone.py"),
        (["verify", "--claim", "x", "--source", "/etc/hosts"], "SOURCE_OUTSIDE_ROOTS", "/etc/hosts"),
        (["verify", "--claim", "x", "--panel", "glm-5.2,GLM-5.2:cloud"], "INVALID_REQUEST", "twice"),
        (["verify", "--claim", "x", "--panel", "glm-5.2,"], "INVALID_REQUEST", "not a model id"),
        (["verify", "--claim", "x", "--panel", "qwen3:local"], "INVALID_REQUEST", "local model"),
        (["verify", "--claim", "x", "--min-refute-votes", "6"], "INVALID_REQUEST", "min_refute_votes is 6"),
        (["verify", "--claim", "x", "--min-refute-votes", "two"], "INVALID_REQUEST", "min-refute-votes"),
        (["verify", "--claim", "x", "--deadline", "-1"], "INVALID_REQUEST", "-1.0 seconds"),
        (["verify", "--claim", "x", "--as", "opinions"], "INVALID_REQUEST", "opinions"),
        (["verify", "--claim", "x", "--nope"], "INVALID_REQUEST", "--nope"),
        (["verify", "--claim", "x", "--output", "no/such/dir/out"], "INVALID_REQUEST", "no/such/dir/out"),
        (["verify", "--claim", "x", "--output", "."], "INVALID_REQUEST", "cannot be written"),
        (["verify", "--claim", "x", "--reference", "gone.txt"], "SOURCE_PATH_NOT_FOUND", "gone.txt"),
        (["verify", "--claim", "x", "--reference", ".env"], "SOURCE_DENIED", ".env"),
        (["verify", "--claim", "x", "--panel", "bedrock/gpt-5.2"], "INVALID_REQUEST", "bedrock"),
        (["verify", "--claim", "x", "--source", ""], "SOURCE_PATH_NOT_FOUND", "empty"),
        (["verify", "--claim", "x", "--source", "src/"], "SOURCE_PATH_NOT_FOUND", "src"),
        (["verify", "--claim", "x", "--diff", "HEAD~1"], "SOURCE_PATH_NOT_FOUND", "no git work tree"),
        (["nonsense"], "INVALID_REQUEST", "nonsense"),
    ],
    ids=lambda value: " ".join(value[1:]) or "none" if isinstance(value, list) else None,
)
def test_bad_input_exits_with_2_and_is_reported_before_a_missing_key(
    cli: Cli, args: list[str], code: str, said: str
) -> None:
    Path(".env").write_text("KEY=1", encoding="utf-8")
    plain = cli(*args)
    assert plain.status == 2
    assert plain.err.startswith(f"claimjury: {code}: ")
    assert said in plain.err
    ran = cli(*args, "--json")
    assert (ran.status, ran.json["exit_status"], ran.json["error"]["code"]) == (2, 2, code)
    assert said in ran.json["error"]["message"]
    assert ran.json["error"]["hint"]


def test_without_a_key_nothing_is_sent_and_the_hint_names_what_would_be(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("loop.py").write_text("pass\n", encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        monkeypatch.delenv("OLLAMA_API_KEY")
        ran = cli("verify", "--claim", CLAIM, "--source", "loop.py", "--json")
        assert server.paths == []
    assert ran.status == 3
    error = ran.json["error"]
    assert error["code"] == "CLOUD_NOT_CONFIGURED"
    for part in ("1 claim", "loop.py (5 bytes)", server.url, *TRIO, "OLLAMA_API_KEY", "--dry-run"):
        assert part in error["hint"]


def test_a_dry_run_prints_what_would_be_sent_without_key_or_connection(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("loop.py").write_text("for attempt in range(7):\n    pass\n", encoding="utf-8")
    args = ["verify", "--claim", CLAIM, "--source", "loop.py"]
    with ScriptedOllama(trio(CONFIRM), catalogue=[]) as server:
        cli.use(server)
        monkeypatch.delenv("OLLAMA_API_KEY")
        text, as_json = cli(*args, "--dry-run"), cli(*args, "--dry-run", "--json")
        assert server.paths == []
        cli.use(server)
        cli(*args)
        sent = {f"{name}": asked.body for asked in server.asked for name in [asked.body["model"]]}
    assert (text.status, as_json.status) == (0, 0)
    assert "1| for attempt in range(7):" in text.out
    for request in as_json.json["requests"]:
        body = request["body"]
        assert json.dumps(body).replace(nonce(body), "") == json.dumps(
            {name: sent[body["model"]][name] for name in body}
        ).replace(nonce(sent[body["model"]]), "")


def nonce(body: dict[str, object]) -> str:
    return json.dumps(body).split("<<<CLAIMS ", 1)[1][:16]


def test_what_leaves_is_said_on_standard_error_even_when_quiet(cli: Cli) -> None:
    Path("loop.py").write_text("pass\n", encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--source", "loop.py", "-q")
    lines = ran.err.strip().split("\n")
    assert len(lines) == 1
    for part in ("1 claim", "loop.py (5 bytes)", server.url, *TRIO):
        assert part in lines[0]


def test_progress_is_one_plain_line_an_event_where_there_is_no_terminal(cli: Cli) -> None:
    with ScriptedOllama(trio([Reply(content="?"), CONFIRM])) as server:
        cli.use(server)
        err = cli("verify", "--claim", CLAIM).err
    assert f"claimjury: {FIRST}: asked again for c1" in err
    assert f"claimjury: {TRIO[1]}: 1 vote(s) in " in err


def test_the_report_shows_the_worst_first_with_dissent_panel_and_ceiling(cli: Cli) -> None:
    votes = [
        {"c1": "CONFIRMED", "c2": "REFUTED"},
        {"c1": "CONFIRMED", "c2": "REFUTED"},
        {"c1": "REFUTED", "c2": "REFUTED"},
    ]
    scripts = {model: [Reply(content=ballot(row))] for model, row in zip(TRIO, votes, strict=True)}
    wrong = Reply(content=ballot({"c1": "REFUTED"}), served="llama3:8b")
    with ScriptedOllama({**scripts, "minimax-m3:cloud": [wrong]}) as server:
        cli.use(server)
        panel = ",".join([*TRIO, "minimax-m3:cloud"])
        out = cli("verify", "--claim", "One.", "--claim", "Two.", "--panel", panel).out
    first, second = out.index("REFUTED, 3 of 4 seats"), out.index("CONFIRMED, 2 of 4 seats, 1 against")
    assert out.index("SCRIPTED") < first < second < out.index("\nPanel\n")
    assert out.index("glm-5.2:cloud (zai), high, dissent") < out.index("CONFIRMED deepseek-v4-pro:cloud")
    assert "EXCLUDED the host served another model" in " ".join(out.split())
    assert "supporting evidence, not proof" in out
    assert "Exit status 10" in out


def test_output_writes_the_whole_report_to_the_file_and_nothing_to_standard_output(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--json", "--output", "out.json")
        text = cli("verify", "--claim", CLAIM, "--output", "out.txt")
    assert (ran.out, text.out) == ("", "")
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["exit_status"] == ran.status
    assert "supporting evidence, not proof" in Path("out.txt").read_text(encoding="utf-8")
    assert sorted(path.name for path in Path().iterdir()) == ["out.json", "out.txt"]


def test_a_report_that_cannot_be_written_any_more_is_printed_and_not_lost(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    Path("reports").mkdir()

    def gone(_asked: object) -> Reply:
        shutil.rmtree("reports", ignore_errors=True)
        return CONFIRM

    with ScriptedOllama(dict.fromkeys(TRIO, gone)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--json", "--output", "reports/out.json")
    assert ran.json["result"]["claims"][0]["verdict"] == "CONFIRMED"
    assert "could not be written" in ran.err


def test_a_host_that_is_not_trusted_is_refused_before_anything_is_sent(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "sk-canary-0123456789")
    for host in (
        "https://ollama.example",
        "http://ollama.com",
        "https://user:pw@ollama.com",
        "ftp://ollama.com",
        "x",
    ):
        monkeypatch.setenv("OLLAMA_CLOUD_HOST", host)
        ran = cli("verify", "--claim", CLAIM, "--json")
        assert (ran.status, ran.json["error"]["code"]) == (2, "CONFIG_INVALID")
        assert "canary" not in ran.out + ran.err


def test_hostile_text_reaches_the_terminal_as_text(cli: Cli) -> None:
    evil = "\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07 [bold]not bold[/bold] \u202eright\n::error::pwned"
    vote = {"verdict": "REFUTED", "rationale": evil}
    with ScriptedOllama(dict.fromkeys(TRIO, [Reply(content=ballot({"c1": vote}))])) as server:
        cli.use(server)
        ran = cli("verify", "--claim", f"Claim {evil}", "--json")
        text = cli("verify", "--claim", f"Claim {evil}")
    for shown in (ran.out, ran.err, text.out, text.err):
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert not any(line.lstrip().startswith("::error") for line in shown.split("\n"))
    assert "[bold]not bold[/bold]" in text.out
    assert ran.json["result"]["claims"][0]["statement"] == f"Claim {evil}"


def test_a_fault_of_ours_exits_with_70_and_never_with_1(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object, **_options: object) -> None:
        raise ZeroDivisionError("our fault")

    monkeypatch.setattr("claimjury.surfaces.cli.running.read_claim_items", broken)
    ran = cli("verify", "--claim", CLAIM, "--json")
    assert (ran.status, ran.json["error"]["code"]) == (70, "INTERNAL")


def test_version_names_what_a_result_depends_on(cli: Cli) -> None:
    ran = cli("--version")
    assert ran.status == 0
    assert ran.out.startswith("claimjury 0.")
    for name in ("Python", "pydantic-ai-slim", "httpx2"):
        assert name in ran.out
