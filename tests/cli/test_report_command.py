"""`claimjury report` and `--report`: kept runs as text, Markdown, JSON or one HTML file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from claimjury.report.schema import json_schema
from claimjury.testing import ScriptedOllama
from cli.helpers import Cli
from jury.helpers import CLAIM, CONFIRM, trio


@pytest.fixture
def ids(cli: Cli) -> list[str]:
    Path("loop.py").write_text("for attempt in range(7):\n    pass\n", encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        args = ["--source", "loop.py", "--reference", "loop.py", "--json"]
        return [cli("verify", "--claim", text, *args).json["run_id"] for text in ("One.", "Two.")]


def test_one_run_is_reported_in_every_form(cli: Cli, ids: list[str]) -> None:
    text = cli("report", ids[0]).out
    markdown = cli("report", ids[0], "--format", "markdown").out
    as_json = cli("report", ids[0], "--format", "json").json
    html = cli("report", ids[0], "--format", "html").out
    assert text.startswith(f"Run {ids[0]}\nSCRIPTED")
    assert markdown.startswith("## claimjury")
    assert as_json["run_id"] == ids[0]
    assert html.lower().startswith("<!doctype html>")
    for report in (text, markdown, html):
        assert "One." in report
        assert "Two." not in report
    assert "for attempt in range(7):" in html


def test_several_runs_are_in_one_report(cli: Cli, ids: list[str]) -> None:
    html, as_json = cli("report", *ids, "--format", "html").out, cli("report", *ids, "--format", "json").json
    assert [run["run_id"] for run in as_json["runs"]] == ids
    assert all(run in html for run in ids)


@pytest.mark.parametrize(
    ("name", "begins"),
    [("r.html", "<!doctype html>"), ("r.md", "## claimjury"), ("r.json", "{"), ("r.txt", "Run ")],
)
def test_the_form_follows_the_ending_of_the_file(cli: Cli, ids: list[str], name: str, begins: str) -> None:
    assert cli("report", "last", "--output", name).out == ""
    assert Path(name).read_text(encoding="utf-8").lower().startswith(begins.lower())


def test_verify_and_demo_write_an_html_report_too(cli: Cli) -> None:
    Path("loop.py").write_text("for attempt in range(7):\n    pass\n", encoding="utf-8")
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--source", "loop.py", "--report", "verify.html", "--json")
    demo = cli("demo", "--report", "demo.html", "-q")
    assert (ran.json["exit_status"], demo.status) == (20, 0)
    assert "for attempt in range(7):" in Path("verify.html").read_text(encoding="utf-8")
    assert "TTLCache" in Path("demo.html").read_text(encoding="utf-8")


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_sent(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--report", "no/such/dir/r.html")
        assert server.paths == []
    assert ran.status == 2


def test_a_run_that_cannot_be_shown_is_said(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        cli("verify", "--claim", CLAIM, "--no-content")
    assert "has no result to show" in cli("report", "last").err
    assert cli("report", "nothing").status == 2


def test_the_schema_is_printed_as_it_is_published(cli: Cli) -> None:
    assert json.loads(cli("schema").out) == json_schema()


def test_nothing_of_the_html_report_is_imported_before_it_is_wanted() -> None:
    code = "import claimjury.surfaces.cli.main, claimjury.surfaces.cli.running, sys; print('jinja2' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
