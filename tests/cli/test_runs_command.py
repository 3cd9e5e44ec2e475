"""`claimjury runs`, and `verify` with its ledger: kept, found, compared, gone on with, reused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimjury.ledger.store import default_path
from claimjury.settings.files import user_file
from claimjury.testing import Asked, Reply, ScriptedOllama, ballot
from cli.helpers import Cli
from jury.helpers import CLAIM, CONFIRM, FIRST, REFUTE, TRIO, trio


def run_ids(cli: Cli) -> list[str]:
    return [run["run_id"] for run in cli("runs", "list", "--json").json["runs"]]


def test_every_run_is_kept_and_shown_as_verify_showed_it(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--json")
        text = cli("verify", "--claim", "Another one.")
    assert default_path().exists()
    assert run_ids(cli)[1] == ran.json["run_id"]
    shown = cli("runs", "show", ran.json["run_id"], "--json")
    assert shown.status == 0
    assert shown.json["result"] == ran.json["result"]
    again = cli("runs", "show", "last")
    assert again.out == text.out
    assert cli("runs", "show", "last", "--format", "markdown").out.startswith("## claimjury")


def test_runs_alone_lists_them_the_newest_first(cli: Cli) -> None:
    assert cli("runs").status == 2
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ids = [cli("verify", "--claim", text, "--json").json["run_id"] for text in ("One.", "Two.")]
    out = cli("runs").out
    assert out.index(ids[1]) < out.index(ids[0])
    assert "SCRIPTED" in out
    assert run_ids(cli) == ids[::-1]
    assert len(cli("runs", "list", "--limit", "1", "--json").json["runs"]) == 1


def test_a_run_is_not_kept_where_the_user_says_so(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        cli("verify", "--claim", CLAIM, "--no-save")
    assert not default_path().exists()
    cli("demo", "-q")
    assert not default_path().exists()


def test_runs_are_searched(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        lock = cli("verify", "--claim", "The lock is released.", "--json").json["run_id"]
        cli("verify", "--claim", "The loop ends.")
    assert [run["run_id"] for run in cli("runs", "search", "lock", "--json").json["runs"]] == [lock]
    assert cli("runs", "search", "nothing").out == "No runs.\n"


def test_the_same_question_asked_before_is_shown_with_what_was_said(cli: Cli) -> None:
    with ScriptedOllama(dict.fromkeys(TRIO, lambda asked: CONFIRM if asked.turn == 0 else REFUTE)) as server:
        cli.use(server)
        first = cli("verify", "--claim", CLAIM, "--json").json
        second = cli("verify", "--claim", CLAIM, "--json").json
        other = cli("verify", "--claim", CLAIM, "--min-refute-votes", "1", "--json").json
        text = cli("verify", "--claim", CLAIM).out
    assert "prior_runs" not in first["result"]["claims"][0]
    [prior] = second["result"]["claims"][0]["prior_runs"]
    assert (prior["run_id"], prior["verdict"], prior["scripted"]) == (first["run_id"], "CONFIRMED", True)
    assert "prior_runs" not in other["result"]["claims"][0]
    assert "Asked before: REFUTED in 1 run(s), CONFIRMED in 1 run(s)" in text


def test_a_question_is_known_again_without_its_content(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        cli("verify", "--claim", CLAIM, "--no-content")
        again = cli("verify", "--claim", CLAIM, "--json").json
    assert len(again["result"]["claims"][0]["prior_runs"]) == 1


def test_the_very_same_question_is_answered_from_the_ledger_and_says_so(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        first = cli("verify", "--claim", CLAIM, "--reuse", "--json").json
        asked = len(server.paths)
        monkeypatch.delenv("OLLAMA_API_KEY")
        reused = cli("verify", "--claim", CLAIM, "--reuse", "--json")
        text = cli("verify", "--claim", CLAIM, "--reuse")
        assert len(server.paths) == asked
        assert cli("verify", "--claim", "Another.", "--reuse").status == 3
    assert reused.json["result"]["reused_from"] == first["run_id"]
    assert reused.status == first["exit_status"]
    assert f"Reused from run {first['run_id']}: nothing was sent." in text.out
    assert "reused_from" not in first["result"]


def test_a_run_goes_on_with_the_seats_that_had_not_answered(cli: Cli) -> None:
    up = False

    def flaky(_asked: Asked) -> Reply:
        return CONFIRM if up else Reply(status=401, error="unauthorized")

    Path("loop.py").write_text("pass\n", encoding="utf-8")
    with ScriptedOllama({**trio(CONFIRM), TRIO[2]: flaky}) as server:
        cli.use(server)
        first = cli(
            "verify", "--claim", CLAIM, "--source", "loop.py", "--reference", "loop.py", "--json"
        ).json
        up = True
        before = len(server.asked)
        again = cli("verify", "--resume", "last", "--json")
        assert [asked.body["model"] for asked in server.asked[before:]] == ["glm-5.2"]
        assert server.asked[before].body["messages"] == server.asked[0].body["messages"]
    result = again.json["result"]
    assert result["resumed_from"] == first["run_id"]
    assert [seat.get("replayed", False) for seat in result["panel"]] == [True, True, False]
    assert result["claims"][0]["confirm_votes"] == 3
    assert f"to each of {TRIO[2]} at" in again.err
    assert len(run_ids(cli)) == 2


def test_a_run_does_not_go_on_where_a_source_has_changed(cli: Cli) -> None:
    Path("loop.py").write_text("pass\n", encoding="utf-8")
    with ScriptedOllama(trio(Reply(status=401))) as server:
        cli.use(server)
        cli("verify", "--claim", CLAIM, "--source", "loop.py")
        asked = len(server.paths)
        Path("loop.py").write_text("changed\n", encoding="utf-8")
        ran = cli("verify", "--resume", "last", "--json")
        assert len(server.paths) == asked
    assert ran.status == 2
    assert "has changed: loop.py" in ran.json["error"]["message"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["verify", "--resume", "nothing"], "There is no run 'nothing'"),
        (["verify", "--resume", "last", "--claim", "x"], "goes on with the claims"),
        (["verify", "--resume", "last", "--panel", "glm-5.2"], "also given: panel"),
        (
            ["verify", "--resume", "last", "--min-refute-votes", "1", "--dry-run"],
            "also given: dry_run, min_refute_votes",
        ),
        (["verify", "--resume", "last", "--no-save"], "No ledger is kept"),
        (["runs", "show", "nothing"], "There is no run 'nothing'"),
        (["runs", "forget", ""], "The id of the run is empty"),
        (["runs", "--ledger", "other.sqlite3", "list"], "No such option"),
        (["runs", "prune", "--older-than", "-1"], "older-than"),
    ],
)
def test_what_cannot_be_found_or_done_is_said(cli: Cli, args: list[str], said: str) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        cli("verify", "--claim", CLAIM)
        ran = cli(*args)
    assert ran.status == 2
    assert said in ran.err


def test_a_run_that_was_kept_without_content_says_so_and_does_not_go_on(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        cli("verify", "--claim", CLAIM, "--no-content")
        shown, resumed = cli("runs", "show", "last"), cli("verify", "--resume", "last")
    assert "Only its hashes, counts and votes were kept" in " ".join(shown.out.split())
    assert "panel 3/3" in shown.out
    assert "kept without its content" in resumed.err


@pytest.mark.parametrize(
    "reply", [CONFIRM, Reply(ballot({"c1": "CONFIRMED"}), served="llama3:8b"), Reply("no votes")]
)
def test_a_run_whose_jurors_have_all_answered_has_nothing_to_go_on_with(cli: Cli, reply: Reply) -> None:
    with ScriptedOllama(trio(reply)) as server:
        cli.use(server)
        cli("verify", "--claim", CLAIM)
        asked = len(server.asked)
        ran = cli("verify", "--resume", "last")
        assert len(server.asked) == asked
    assert ran.status == 2
    assert "nothing is left to ask" in ran.err
    assert len(run_ids(cli)) == 1


def test_a_run_that_went_on_names_the_run_that_it_went_on_as(cli: Cli) -> None:
    with ScriptedOllama({**trio(CONFIRM), TRIO[2]: [Reply(status=401)]}) as server:
        cli.use(server)
        first = cli("verify", "--claim", CLAIM, "--json").json["run_id"]
        second = cli("verify", "--resume", first, "--json").json["run_id"]
        asked = len(server.asked)
        ran = cli("verify", "--resume", first)
        assert len(server.asked) == asked
    assert ran.status == 2
    assert f"went on as {second}" in ran.err


@pytest.mark.parametrize(
    "command",
    [
        ["runs", "list"],
        ["runs", "search", "loop"],
        ["runs", "show", "last"],
        ["runs", "diff", "last", "last"],
        ["runs", "retally", "last"],
        ["runs", "export", "last", "--receipt", "receipt.json"],
        ["report", "last"],
        ["verify", "--resume", "last"],
        ["runs", "prune", "--older-than", "0"],
        ["runs", "forget", "last"],
    ],
)
def test_every_command_reads_the_ledger_that_the_users_settings_name(cli: Cli, command: list[str]) -> None:
    settings = user_file()
    settings.parent.mkdir(parents=True)
    settings.write_text(f"ledger = '{Path('mine.sqlite3').absolute()}'\n", encoding="utf-8")
    with ScriptedOllama({**trio(CONFIRM), TRIO[2]: [Reply(status=401), CONFIRM]}) as server:
        cli.use(server)
        cli("verify", "--claim", CLAIM)
        ran = cli(*command)
    assert ran.status in (0, 20), ran.err
    assert Path("mine.sqlite3").exists()
    assert not default_path().exists()


def test_two_runs_are_compared_and_a_flip_exits_with_10(cli: Cli) -> None:
    Path("loop.py").write_text("pass\n", encoding="utf-8")
    with ScriptedOllama(dict.fromkeys(TRIO, lambda asked: CONFIRM if asked.turn == 0 else REFUTE)) as server:
        cli.use(server)
        first = cli("verify", "--claim", CLAIM, "--source", "loop.py", "--json").json["run_id"]
        Path("loop.py").write_text("changed\n", encoding="utf-8")
        second = cli(
            "verify", "--claim", CLAIM, "--source", "loop.py", "--min-refute-votes", "3", "--json"
        ).json["run_id"]
    flip, same = cli("runs", "diff", first, second), cli("runs", "diff", first, first, "--json")
    assert (flip.status, same.status) == (10, 0)
    assert "CHANGED: CONFIRMED -> REFUTED" in flip.out
    assert "The evidence differs: loop.py." in flip.out
    assert "Another min_refute_votes was in force." in flip.out
    assert same.json["evidence"] == []


def test_a_run_is_forgotten_and_old_ones_are_pruned(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ids = [cli("verify", "--claim", text, "--json").json["run_id"] for text in ("One.", "Two.")]
    assert cli("runs", "forget", ids[0]).status == 0
    assert run_ids(cli) == [ids[1]]
    assert "was forgotten at" in cli("runs", "show", ids[0]).err
    assert cli("runs", "prune", "--older-than", "0").out == f"{ids[1]}\n"
    assert run_ids(cli) == []


def test_a_juror_that_had_answered_in_part_is_asked_again_only_for_the_rest(cli: Cli) -> None:
    down = Reply(status=401)
    half = Reply(ballot({"c1": "CONFIRMED"}))
    rest = Reply(ballot({"c2": "CONFIRMED"}))
    with ScriptedOllama({FIRST: [half, down, rest]}) as server:
        cli.use(server)
        args = ["--claim", "One.", "--claim", "Two.", "--panel", FIRST, "--json"]
        first = cli("verify", *args).json["result"]
        again = cli("verify", "--resume", "last", "--json").json["result"]
        assert len(server.asked) == 3
        assert json.dumps(server.asked[2].body["messages"]) == json.dumps(server.asked[1].body["messages"])
    assert [claim["confirm_votes"] for claim in first["claims"]] == [1, 0]
    assert [claim["confirm_votes"] for claim in again["claims"]] == [1, 1]


def test_a_ledger_that_cannot_be_opened_costs_no_verdict_and_is_told(cli: Cli) -> None:
    Path("notes.db").write_text("not a ledger " * 100, encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--ledger", "notes.db", "--json")
    assert ran.json["result"]["claims"][0]["verdict"] == "CONFIRMED"
    assert ran.json["warnings"] == ["ledger_failed"]
    assert "this run is not kept" in ran.err
    assert Path("notes.db").read_text(encoding="utf-8") == "not a ledger " * 100
