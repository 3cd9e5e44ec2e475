"""Runs of skeptics on the command line, after they were kept: `runs`, `report`, `receipt`."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimjury.ledger.store import open_ledger
from claimjury.skeptics.block import parse_block
from claimjury.testing import Reply, ScriptedOllama
from cli.helpers import Cli, Ran
from skeptics.helpers import CLAIM, MODEL, READ, calls, repository, steps, verdict

REFUTES = steps(
    calls(READ),
    Reply(content=verdict(True, "<b>x</b> \x1b[31mLine 9\u202e is wrong.", citations=["cache.py:99"])),
)


@pytest.fixture
def kept(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Ran:
    monkeypatch.chdir(repository())
    with ScriptedOllama({MODEL: REFUTES}) as server:
        cli.use(server)
        return cli("refute", CLAIM)


def test_a_run_of_skeptics_is_listed_found_and_shown_as_refute_showed_it(cli: Cli, kept: Ran) -> None:
    assert kept.status == 10
    listed = cli("runs")
    assert "refute" in listed.out
    assert "SCRIPTED: REFUTED: 3 of 3 skeptics refute" in listed.out
    [line] = cli("runs", "list", "--json").json["runs"]
    assert (line["kind"], line["exit_status"], line["scripted"]) == ("refute", 10, True)
    assert line["run_id"] in cli("runs", "search", "expired").out
    assert cli("runs", "show", "last").out == kept.out
    shown = cli("runs", "show", "last", "--json").json
    assert (shown["refute"]["run_id"], shown["exit_status"]) == (line["run_id"], 10)
    assert cli("runs", "show", "last", "--format", "markdown").out.startswith("## claimjury refute")


def test_a_report_of_skeptics_has_every_form_and_no_byte_of_theirs_acts(cli: Cli, kept: Ran) -> None:
    assert cli("report", "last").out.endswith(kept.out)
    assert cli("report", "last", "--format", "json").json["refute"]["verdict"] == "REFUTED"
    assert "3 of 3 skeptics refute" in cli("report", "last", "--format", "markdown").out
    assert cli("report", "last", "--output", "r.html").status == 0
    page = Path("r.html").read_text(encoding="utf-8")
    assert "REFUTED: 3 of 3 skeptics refute." in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page
    assert "<b>x</b>" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "NO SUCH LINE" in page
    assert "SCRIPTED: no model was called" in page
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


@pytest.mark.usefixtures("kept")
def test_one_report_holds_runs_of_both_engines(cli: Cli) -> None:
    with ScriptedOllama({MODEL: [Reply(content="no ballot")]}) as server:
        cli.use(server)
        ran = cli("verify", "--claim", "The cache is empty.", "--panel", MODEL, "--json")
    jury = ran.json["run_id"]
    skeptics = next(
        line["run_id"] for line in cli("runs", "list", "--json").json["runs"] if line["kind"] == "refute"
    )
    both = cli("report", jury, skeptics, "--format", "json").json["runs"]
    assert [run.get("run_id") or run["refute"]["run_id"] for run in both] == [jury, skeptics]
    cli("report", jury, skeptics, "--output", "r.html")
    page = Path("r.html").read_text(encoding="utf-8")
    assert f'href="#refute-1-refutation"><bdi>{skeptics}</bdi>' in page
    assert page.count('id="refute-1-refutation"') == 1
    assert "2 claim(s) in 2 run(s)" in page


@pytest.mark.usefixtures("kept")
def test_a_receipt_of_skeptics_is_written_and_checked(cli: Cli) -> None:
    assert "Its skeptics are scripts" in cli("runs", "export", "last", "--receipt", "r.json").err
    checked = cli("receipt", "verify", "r.json", "--evidence", ".", "--json")
    assert (checked.status, checked.json["check"]["outcome"]) == (20, "scripted")
    assert cli("receipt", "stale", "r.json").status == 0
    Path("cache.py").write_text("x = 1\n", encoding="utf-8")
    changed = cli("receipt", "verify", "r.json", "--evidence", ".")
    assert changed.status == 10
    assert "shows something else in the folder now" in " ".join(changed.out.split())


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    "command",
    [("runs", "retally", "last"), ("runs", "diff", "last", "last"), ("verify", "--resume", "last")],
    ids=" ".join,
)
def test_what_only_juries_have_is_refused_with_what_there_is(cli: Cli, command: tuple[str, ...]) -> None:
    ran = cli(*command)
    assert ran.status == 2
    assert "is one of skeptics" in ran.err
    assert "claimjury runs show" in ran.err


def test_no_save_keeps_nothing_and_no_content_keeps_no_word(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository())
    with ScriptedOllama({MODEL: REFUTES}) as server:
        cli.use(server)
        assert cli("refute", CLAIM, "--no-save", "--ledger", "a.sqlite3").status == 10
        assert cli("refute", CLAIM, "--no-content", "--ledger", "b.sqlite3").status == 10
    with open_ledger(Path("a.sqlite3")) as ledger:
        assert not ledger.connection.execute("SELECT * FROM all_runs").fetchall()
    said = cli("runs", "show", "last", "--ledger", "b.sqlite3")
    assert said.status == 0
    assert "REFUTED: 3 of 3 skeptics refute. Only its hashes, counts and findings were kept." in said.out
    assert cli("runs", "show", "last", "--ledger", "b.sqlite3", "--json").json["content_kept"] is False
    refused = cli("runs", "export", "last", "--receipt", "r.json", "--ledger", "b.sqlite3")
    assert (refused.status, Path("r.json").exists()) == (2, False)
    assert "without its content" in refused.err


def test_a_ledger_that_cannot_be_written_costs_no_verdict(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository())
    Path("not.sqlite3").write_text("no database", encoding="utf-8")
    with ScriptedOllama({MODEL: REFUTES}) as server:
        cli.use(server)
        ran = cli("refute", CLAIM, "--json", "--ledger", "not.sqlite3")
    assert ran.status == 10
    assert "ledger_failed" in ran.json["refute"]["warnings"]
    assert "this run is not kept" in ran.err
    assert parse_block(ran.json["refute"]["text"]).block.tally.verdict == "REFUTED"


@pytest.mark.usefixtures("kept")
def test_a_run_that_did_not_end_shows_the_skeptics_that_had(cli: Cli) -> None:
    run_id = cli("runs", "list", "--json").json["runs"][0]["run_id"]
    # As a process leaves it that is killed after its second skeptic.
    with open_ledger() as ledger, ledger.commit() as rows:
        rows.execute("DELETE FROM refutation_results")
        rows.execute("DELETE FROM skeptics WHERE place = 3")
    shown = cli("runs", "show", "last")
    first, *rest = shown.out.splitlines()
    assert first == f"{run_id}: no verdict, since it did not end; 2 of 3 skeptics had."
    assert [line.split(" -- ")[0] for line in rest] == [
        "  1. [factual] refuted=true (evidence)",
        "  2. [logical] refuted=true (evidence)",
    ]
    value = cli("runs", "show", "last", "--json").json
    assert (value["status"], value["n"], len(value["skeptics"])) == ("unfinished", 3, 2)
    refused = cli("report", "last")
    assert (refused.status, "did not end" in refused.err) == (2, True)
