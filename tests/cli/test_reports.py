"""The text and Markdown reports say the same, of every kind of seat and verdict."""

from __future__ import annotations

import pytest

from claimjury.testing import Reply, ScriptedOllama, ballot
from cli.helpers import Cli, Ran
from jury.helpers import FIRST, TRIO

VOTES: dict[str, str | dict[str, str]] = {
    "c1": {"verdict": "CONFIRMED", "rationale": "Line 3."},
    "c2": {"verdict": "UNCERTAIN", "rationale": "Not shown.", "missing": "The output of the test."},
    "c3": "REFUTED",
}
SCRIPTS = {
    FIRST: [Reply(ballot({**VOTES, "zz": "REFUTED"}))],
    TRIO[1]: [Reply(ballot({**VOTES, "c3": "CONFIRMED"}), done_reason="length")],
    TRIO[2]: [Reply(ballot({name: VOTES[name] for name in ("c1", "c2")})), Reply(ballot({"c3": "REFUTED"}))],
    "minimax-m3:cloud": [Reply(status=403, error="this model requires a subscription")],
    "gpt-oss:120b-cloud": [Reply("")],
}
CLAIMS = [item for text in ("One.", "Two.", "Three.") for item in ("--claim", text)]


@pytest.fixture(params=["text", "markdown"])
def report(request: pytest.FixtureRequest, cli: Cli) -> str:
    with ScriptedOllama(SCRIPTS, catalogue=["glm-5.2"]) as server:
        cli.use(server)
        ran: Ran = cli("verify", *CLAIMS, "--panel", ",".join(SCRIPTS), "--format", request.param, "-v")
    assert ran.status == 10
    return " ".join(ran.out.replace("\\", "").split())


@pytest.mark.parametrize(
    "said",
    [
        "SCRIPTED: no model was called.",
        "1 confirmed, 1 refuted, 1 needs review across 3 claim(s); panel 3/5 cloud-served",
        "REFUTED, 2 of 5 seats, 1 against, 2 without a vote (medium agreement)",
        "CONFIRMED, 3 of 5 seats, 2 without a vote (high agreement)",
        "NEEDS_REVIEW: 0 confirm, 0 refute, 3 uncertain, of 5 seats",
        "thin: a juror decided the other way; a seat was excluded or skipped the claim",
        "Why: the jurors could not decide it from this evidence",
        "Would settle it: The output of the test.",
        "Next: send the file that the claim is about with --source (",
        "dissent",
        "asked again for c3",
        "cut at the output limit",
        "the plan does not serve the model",
        "glm-5.2",
        "Exit status 10: at least one claim is refuted",
        "This is supporting evidence, not proof.",
    ],
)
def test_both_reports_say_what_a_reader_needs(report: str, said: str) -> None:
    folded = report.replace("**", "").replace(
        "(PLAN_LOCKED)", "(PLAN_LOCKED) the plan does not serve the model"
    )
    assert said in folded


def test_the_worst_comes_first_and_dissent_before_the_rest(report: str) -> None:
    assert report.index("Three.") < report.index("Two.") < report.index("One.")
    dissent = report.index("dissent")
    assert report.index("Three.") < dissent < report.index("Two.")


def test_the_text_report_names_dropped_entries_and_empty_replies_when_verbose(cli: Cli) -> None:
    with ScriptedOllama(SCRIPTS) as server:
        cli.use(server)
        out = " ".join(cli("verify", *CLAIMS, "--panel", ",".join(SCRIPTS), "-v").out.split())
    assert f"{FIRST} dropped zz: unknown id" in out
    assert "its reply was empty" in out
    assert f"{FIRST}: sent_model deepseek-v4-pro, num_predict 35328, think high" in out


def test_without_a_seat_that_counts_a_report_is_weak_and_says_so(cli: Cli) -> None:
    with ScriptedOllama(dict.fromkeys(TRIO, [Reply(served="llama3:8b")])) as server:
        cli.use(server)
        ran = cli("verify", "--claim", "One.")
    assert ran.status == 20
    out = " ".join(ran.out.split())
    assert "WEAK: fewer than 2 known families sat" in out
    assert out.count("EXCLUDED the host served another model") == 3
