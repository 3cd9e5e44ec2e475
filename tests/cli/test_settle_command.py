"""Settled first: what a tool decides goes to no juror, no vote moves it, and a receipt shows it again."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from claimjury import exit_status, verify_claims_sync
from claimjury.ledger.receipt_form import canonical, manifest_of, whole_sha256
from claimjury.testing import Reply, ScriptedOllama, ballot
from cli.helpers import Cli
from settlers.project import make_project
from settlers.settle_helpers import write
from unit.git_helpers import git

TRUE = "`src/parcel/api.py` was added."
FALSE = "`LIMIT` is 10."
OPEN = "The cache gives every key back unchanged."
PANEL = ("deepseek-v4-pro:cloud", "kimi-k2.7-code:cloud", "glm-5.2:cloud")


def voting(**votes: str) -> dict[str, list[Reply]]:
    return {model: [Reply(content=ballot(votes))] for model in PANEL}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make_project(tmp_path / "project")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def server(cli: Cli) -> Iterator[ScriptedOllama]:
    with ScriptedOllama(voting(c3="CONFIRMED")) as scripted:
        cli.use(scripted)
        yield scripted


def claims_of(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {claim["id"]: claim for claim in result["claims"]}


def test_a_settled_claim_is_sent_nowhere_and_the_rest_goes_to_the_jury(
    cli: Cli, server: ScriptedOllama
) -> None:
    value = cli("verify", "--claim", TRUE, "--claim", FALSE, "--claim", OPEN, "--json").json
    claims = claims_of(value["result"])
    assert [claims[ident]["verdict"] for ident in ("c1", "c2", "c3")] == ["CONFIRMED", "REFUTED", "CONFIRMED"]
    assert claims["c1"]["settled_by"] == "files"
    assert claims["c1"]["standing"] == {"grade": "firm"}
    assert claims["c2"]["proof"][0]["path"] == "src/parcel/cache.py"
    assert "settled_by" not in claims["c3"]
    assert claims["c3"]["confirm_votes"] == 3
    assert value["exit_status"] == 10
    sent = "".join(json.dumps(request.body) for request in server.asked)
    assert OPEN in sent
    assert "was added" not in sent
    assert "LIMIT" not in sent


def test_no_vote_moves_a_settled_claim(cli: Cli) -> None:
    with ScriptedOllama(voting(c1="REFUTED", c2="CONFIRMED", c3="CONFIRMED")) as scripted:
        cli.use(scripted)
        claims = claims_of(
            cli("verify", "--claim", TRUE, "--claim", FALSE, "--claim", OPEN, "--json").json["result"]
        )
    assert (claims["c1"]["verdict"], claims["c2"]["verdict"]) == ("CONFIRMED", "REFUTED")
    assert claims["c1"]["jurors"] == []


def test_where_all_is_settled_no_key_is_needed_and_nothing_is_sent(cli: Cli) -> None:
    ran = cli("verify", "--claim", TRUE)
    assert ran.status == 0
    assert "settled by files: no juror was asked" in ran.out
    assert "sending" not in ran.err


def test_settle_only_decides_what_it_can_and_leaves_the_rest_undecided_with_the_reason(cli: Cli) -> None:
    value = cli("verify", "--claim", TRUE, "--claim", OPEN, "--settle-only", "--json").json
    claims = claims_of(value["result"])
    assert claims["c2"]["why"] == "not_settled"
    assert claims["c2"]["not_settled"].startswith("No settler understands")
    assert (value["exit_status"], value["result"]["panel"], value["result"]["egress"]) == (20, [], [])
    assert value["result"]["tree"]["base_why"] == "where HEAD left main"
    assert cli("verify", "--claim", TRUE, "--claim", FALSE, "--settle-only").status == 10


def test_a_run_that_is_refused_for_want_of_a_key_shows_what_was_settled(cli: Cli) -> None:
    ran = cli("verify", "--claim", FALSE, "--claim", OPEN)
    assert ran.status == 3
    assert "REFUTED, settled by values: c1: `LIMIT` is 10." in ran.out
    assert "  Proof: src/parcel/cache.py:1: LIMIT is 20 there." in ran.out
    value = cli("verify", "--claim", FALSE, "--claim", OPEN, "--json").json
    assert value["error"]["code"] == "CLOUD_NOT_CONFIGURED"
    assert [row["settled_by"] for row in value["settled"]] == ["values"]


def test_without_settling_every_claim_goes_to_the_jury(cli: Cli) -> None:
    with ScriptedOllama(voting(c1="REFUTED")) as scripted:
        cli.use(scripted)
        ran = cli("verify", "--claim", TRUE, "--no-settle", "--json")
    assert claims_of(ran.json["result"])["c1"]["refute_votes"] == 3
    assert cli("verify", "--claim", TRUE, "--no-settle", "--settle-only").status == 2


def test_the_base_can_be_said_and_a_wrong_one_is_an_error(cli: Cli) -> None:
    assert cli("verify", "--claim", TRUE, "--settle-only", "--base", "main").status == 0
    assert cli("verify", "--claim", TRUE, "--settle-only", "--base", "HEAD").status != 0
    ran = cli("verify", "--claim", TRUE, "--settle-only", "--base", "nowhere")
    assert ran.status == 2
    assert "--base nowhere names no commit" in ran.err


def test_a_diff_that_does_not_end_at_what_is_checked_out_is_another_change(cli: Cli, project: Path) -> None:
    write(project, {"later.py": "x = 1\n"})
    git("add", "--all", at=project)
    git("commit", "--quiet", "-m", "later", at=project)
    ran = cli("verify", "--claim", TRUE, "--settle-only", "--diff", "main..HEAD~1", "--json")
    assert "which is not checked out" in claims_of(ran.json["result"])["c1"]["not_settled"]
    assert cli("verify", "--claim", TRUE, "--settle-only", "--diff", "main..HEAD").status == 0


def test_a_tree_outside_of_the_roots_is_not_looked_at(cli: Cli, project: Path) -> None:
    ran = cli("verify", "--claim", FALSE, "--settle-only", "--root", str(project / "docs"), "--json")
    assert "not wholly below an allowed root" in claims_of(ran.json["result"])["c1"]["not_settled"]


def test_a_receipt_of_settled_claims_is_settled_again_where_the_tree_is_at_hand(
    cli: Cli, server: ScriptedOllama, project: Path, tmp_path: Path
) -> None:
    run_id = cli(
        "verify", "--claim", TRUE, "--claim", OPEN.replace("The", "Each"), "--claim", OPEN, "--json"
    ).json["run_id"]
    receipt = tmp_path / "receipt.json"
    assert cli("runs", "export", run_id, "--receipt", str(receipt)).status == 0
    ran = cli("receipt", "verify", str(receipt), "--evidence", str(project))
    assert "fits  settled claims" in ran.out
    assert "not checked  settled claims" in cli("receipt", "verify", str(receipt)).out.replace(
        "not_checked", "not checked"
    )
    forged = json.loads(receipt.read_text("utf-8"))
    assert forged["settled"][0]["verdict"] == "CONFIRMED"
    assert cli("runs", "retally", run_id).status in (0, 10, 20)
    assert cli("runs", "show", run_id).out.count("settled by files") == 1


def test_an_edited_settled_verdict_is_found(cli: Cli, project: Path, tmp_path: Path) -> None:
    run_id = cli("verify", "--claim", TRUE, "--json").json["run_id"]
    receipt = tmp_path / "receipt.json"
    cli("runs", "export", run_id, "--receipt", str(receipt))
    parts = json.loads(receipt.read_text("utf-8"))
    parts["settled"][0]["verdict"] = "REFUTED"
    parts["manifest"] = manifest_of(parts)
    parts["receipt_sha256"] = whole_sha256(parts)
    receipt.write_bytes(canonical(parts))
    ran = cli("receipt", "verify", str(receipt), "--evidence", str(project))
    assert ran.status == 10
    assert "The claim c1 is REFUTED on record, and settled once more it is CONFIRMED." in ran.out


def test_a_run_that_was_cut_short_goes_on_with_what_was_settled(cli: Cli) -> None:
    with ScriptedOllama(
        {
            **voting(c2="CONFIRMED"),
            PANEL[2]: [Reply(status=500)] * 3 + [Reply(content=ballot({"c2": "CONFIRMED"}))],
        }
    ) as scripted:
        cli.use(scripted)
        first = cli("verify", "--claim", TRUE, "--claim", OPEN, "--json").json
        again = cli("verify", "--resume", first["run_id"], "--json").json
    assert [claim["verdict"] for claim in again["result"]["claims"]] == ["CONFIRMED", "CONFIRMED"]
    assert claims_of(again["result"])["c1"]["settled_by"] == "files"
    assert again["result"]["tree"] == first["result"]["tree"]


def test_a_command_settles_what_a_run_left_undecided_and_the_old_verdict_stays(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    write(
        project,
        {
            "pyproject.toml": (project / "pyproject.toml").read_text("utf-8")
            + '[tool.pytest.ini_options]\npythonpath = ["src"]\n'
        },
    )
    (project / "web" / "package.json").unlink()
    git("add", "--all", at=project)
    git("commit", "--quiet", "-m", "tests", at=project)
    git("branch", "--force", "main", at=project)
    also = ("--claim", "`README.md` has 400 lines.")
    first = cli("verify", "--claim", "All tests pass.", *also, "--settle-only", "--json").json
    row = claims_of(first["result"])["c1"]
    assert row["verdict"] == "NEEDS_REVIEW"
    assert "claimjury verify --check" in row["would_settle"]
    ran = cli("settle", first["run_id"], "--json", "--", "pytest")
    settled = claims_of(ran.json["result"])["c1"]
    assert (settled["verdict"], settled["settled_by"]) == ("CONFIRMED", "tests")
    assert (settled["was"]["verdict"], settled["was"]["run_id"]) == ("NEEDS_REVIEW", first["run_id"])
    assert settled["proof"][0]["exit_status"] == 0
    # What was refuted before is neither asked again nor forgotten.
    assert "c2 REFUTED" in ran.err
    assert ran.status == 10
    assert (
        claims_of(cli("runs", "show", first["run_id"], "--format", "json").json["result"])["c1"]["verdict"]
        == "NEEDS_REVIEW"
    )
    assert cli("settle", ran.json["run_id"], "--", "pytest").status == 2


def test_a_run_with_checks_says_how_each_ended(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    text = (project / "pyproject.toml").read_text("utf-8")
    write(project, {"pyproject.toml": f'{text}[tool.pytest.ini_options]\npythonpath = ["src"]\n'})
    ran = cli("verify", "--claim", "`README.md` exists.", "--settle-only", "--check")
    assert "claimjury: PASS pytest in ., exit status 0" in ran.err
    assert "tests: 2 passed" in ran.err


def test_the_outcome_of_any_command_is_a_reference_that_we_ran(cli: Cli) -> None:
    with ScriptedOllama(
        {
            model: [Reply(content=ballot({"c1": "UNCERTAIN"})), Reply(content=ballot({"c1": "CONFIRMED"}))]
            for model in PANEL
        }
    ) as scripted:
        cli.use(scripted)
        first = cli("verify", "--claim", OPEN, "--source", "src/parcel/cache.py", "--json").json
        assert claims_of(first["result"])["c1"]["verdict"] == "NEEDS_REVIEW"
        ran = cli(
            "settle",
            first["run_id"],
            "--json",
            "--",
            sys.executable,
            "-c",
            "print('measured: 3'); raise SystemExit(4)",
        ).json
        sent = json.dumps(scripted.requests_of(PANEL[0])[-1].body)
    assert ran["result"]["reference"]["origin"] == "ran"
    assert "measured: 3" in sent
    assert "exit status 4" in sent
    assert claims_of(ran["result"])["c1"]["verdict"] == "CONFIRMED"
    assert claims_of(ran["result"])["c1"]["was"]["run_id"] == first["run_id"]


def test_checks_are_run_first_and_settle_claims_about_them(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    write(project, {"ruff.toml": "", "bad.py": "import os\n"})
    ran = cli("verify", "--check", "--settle-only", "--claim", "ruff is clean.", "--json")
    row = claims_of(ran.json["result"])["c1"]
    assert (row["verdict"], row["settled_by"], row["proof"][0]["exit_status"]) == ("REFUTED", "checkers", 1)
    receipt = project.parent / "receipt.json"
    assert cli("runs", "export", ran.json["run_id"], "--receipt", str(receipt)).status == 0
    again = cli("receipt", "verify", str(receipt), "--evidence", str(project))
    assert again.status == 0
    assert "1 of 1 rest on runs of checks, which are not run again" in again.out
    assert cli("verify", "--check", "--reference", "README.md", "--claim", OPEN).status == 2


def test_the_library_settles_first_too() -> None:
    result = verify_claims_sync([TRUE])
    assert result.claims[0].settled_by == "files"
    assert exit_status(result) == 0
    assert result.judged == ()


def test_the_file_of_the_claims_is_no_part_of_what_is_claimed_about(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    write(project, {"claims.md": "- Nothing mentions `zebra_crossing`.\n", "out.txt": "zebra_crossing\n"})
    ran = cli("verify", "claims.md", "--settle-only", "--reference", "out.txt", "--json")
    assert claims_of(ran.json["result"])["c1"]["verdict"] == "CONFIRMED"
    assert ran.json["result"]["tree"]["aside"] == ["claims.md", "out.txt"]
    receipt = tmp_path / "receipt.json"
    assert cli("runs", "export", ran.json["run_id"], "--receipt", str(receipt)).status == 0
    assert "fits  settled claims" in cli("receipt", "verify", str(receipt), "--evidence", str(project)).out
    write(project, {"notes.txt": "zebra_crossing\n"})
    ran = cli("verify", "claims.md", "--settle-only", "--reference", "out.txt", "--json")
    assert "notes.txt alone, which git does not track" in claims_of(ran.json["result"])["c1"]["not_settled"]


def test_a_claims_file_that_git_tracks_refutes_no_claim_of_its_own(cli: Cli, project: Path) -> None:
    write(project, {"claims.md": "- Nothing mentions `zebra_crossing`.\n"})
    git("add", "--all", at=project)
    git("commit", "--quiet", "-m", "claims", at=project)
    ran = cli("verify", "claims.md", "--settle-only", "--json")
    assert "claims.md alone" in claims_of(ran.json["result"])["c1"]["not_settled"]


def exported(cli: Cli, run_id: str, at: Path) -> Path:
    assert cli("runs", "export", run_id, "--receipt", str(at)).status == 0
    return at


def tampered(receipt: Path, at: Path, change: Callable[[dict[str, Any]], Any]) -> Path:
    """Change a receipt, and compute its hashes anew."""
    parts = json.loads(receipt.read_text("utf-8"))
    change(parts)
    parts.pop("manifest")
    parts.pop("receipt_sha256")
    parts["manifest"] = manifest_of(parts)
    parts["receipt_sha256"] = whole_sha256(parts)
    at.write_bytes(canonical(parts))
    return at


@pytest.mark.parametrize(
    ("change", "status"),
    [
        pytest.param(lambda row: row["settled"][0]["proof"][0].update(path="README.md"), 10, id="path"),
        pytest.param(lambda row: row["settled"][1]["proof"][0].update(line=3), 10, id="line"),
        pytest.param(lambda row: row["settled"][1]["proof"][0].update(text="LIMIT is 9."), 10, id="text"),
        pytest.param(lambda row: row["settled"].pop(0), 10, id="a claim dropped"),
        pytest.param(lambda row: row["tree"].update(base_why="by magic"), 10, id="why"),
        pytest.param(
            lambda row: row["tree"].update(base_why="where HEAD left trunk"), 10, id="why, as it is said"
        ),
        pytest.param(lambda row: row["tree"].update(head="0" * 40), 20, id="head"),
        pytest.param(lambda row: row["tree"].update(dirty=not row["tree"]["dirty"]), 20, id="dirty"),
        pytest.param(lambda row: row["tree"].update(base="0" * 40), 20, id="base"),
        pytest.param(lambda row: row["tree"].update(directory="../.."), 20, id="directory"),
        pytest.param(lambda row: row["tree"].update(aside=["a\0b"]), 10, id="no name"),
        pytest.param(
            lambda row: (row["tree"].update(digest="0"), row["settled"][0].update(verdict="REFUTED")),
            20,
            id="another tree",
        ),
    ],
)
def test_no_edited_receipt_of_settled_claims_is_valid_beside_its_tree(
    cli: Cli, project: Path, tmp_path: Path, change: Callable[[dict[str, Any]], Any], status: int
) -> None:
    run_id = cli("verify", "--claim", TRUE, "--claim", FALSE, "--json").json["run_id"]
    receipt = exported(cli, run_id, tmp_path / "receipt.json")
    assert cli("receipt", "verify", str(receipt), "--evidence", str(project)).status == 0
    ran = cli("receipt", "verify", str(tampered(receipt, receipt, change)), "--evidence", str(project))
    assert ran.status == status, ran.out
    assert ran.out.startswith("INVALID" if status == 10 else "UNCHECKED")


def test_a_receipt_verifies_from_below_from_within_the_tree_and_from_another_branch(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "src")
    where, branch = "`parcel/api.py` was added.", git("symbolic-ref", "--short", "HEAD", at=project)
    first = cli(
        "verify", "--claim", where, "--claim", f"The current branch is `{branch}`.", "--settle-only", "--json"
    ).json
    assert [claim["verdict"] for claim in first["result"]["claims"]] == ["CONFIRMED", "CONFIRMED"]
    assert first["result"]["tree"]["directory"] == "src"
    receipt = exported(cli, first["run_id"], project / "run.json")
    git("checkout", "--quiet", "-b", "elsewhere", at=project)
    again = cli("receipt", "verify", str(receipt), "--evidence", str(project))
    assert again.status == 0, again.out
    assert "1 of 2 rest on runs of checks, which are not run again, or on where HEAD was" in " ".join(
        again.out.split()
    )
    assert cli("receipt", "stale", str(receipt), "--root", str(project)).status == 0
    write(project, {"later.py": "x = 1\n"})
    ran = cli("receipt", "verify", str(receipt), "--evidence", str(project), "--json")
    assert (ran.status, ran.json["check"]["outcome"]) == (20, "unchecked")
    ran = cli("receipt", "stale", str(receipt), "--root", str(project))
    assert ran.status == 10
    assert "changed: the work tree that claims were settled on" in ran.out


def test_a_report_of_findings_says_what_its_status_means(cli: Cli) -> None:
    bad = cli("verify", "--claim", TRUE, "--settle-only", "--as", "findings")
    assert (bad.status, "Exit status 10: at least one finding is confirmed." in bad.out) == (10, True)
    good = cli("verify", "--claim", FALSE, "--settle-only", "--as", "findings")
    assert (good.status, "Exit status 0: every finding is refuted, firmly." in good.out) == (0, True)


def test_settling_alone_sends_nothing_so_no_secret_stops_it_and_without_checks_it_goes_on(
    cli: Cli, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    secret = "AKIA" + "IOSFODNN7REALKEY"
    (tmp_path / "out.txt").write_text(f"aws_access_key_id = {secret}\n", "utf-8")
    with_reference = ("--reference", str(tmp_path / "out.txt"))
    assert cli("verify", "--settle-only", *with_reference, "--claim", TRUE).status == 0
    bare = tmp_path / "bare"
    write(bare, {"a.py": "x = 1\n"})
    git("init", "--quiet", "--initial-branch=main", at=bare)
    monkeypatch.chdir(bare)
    ran = cli("verify", "--check", "--settle-only", "--claim", "`a.py` exists.")
    assert ran.status == 0, ran.err
    assert "--check found nothing to run" in ran.err
    write(bare, {"ruff.toml": "", "a.py": f"import os  # {secret}\n"})
    ran = cli("verify", "--check", "--settle-only", "--claim", "ruff is clean.")
    assert (ran.status, secret in ran.out) == (10, False)
    assert cli("verify", "--check", "--claim", OPEN).status == 3
    assert secret not in cli("check", "--json").out


def test_a_dry_run_of_settling_alone_says_what_is_settled_and_that_nothing_would_be_sent(cli: Cli) -> None:
    ran = cli("verify", "--settle-only", "--dry-run", "--claim", TRUE, "--claim", OPEN)
    assert ran.status == 0
    assert "nothing would be sent" in ran.out
    assert f"CONFIRMED, settled by files: c1: {TRUE}" in ran.out
    assert "Not settled: c2" in ran.out
    assert "system message" not in ran.out
    value = cli("verify", "--settle-only", "--dry-run", "--claim", TRUE, "--json").json
    assert (value["settled"][0]["verdict"], value["requests"]) == ("CONFIRMED", [])


def test_what_is_to_be_done_fits_why_it_was_not_settled(
    cli: Cli, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = claims_of(cli("verify", "--settle-only", "--claim", "All tests pass.", "--json").json["result"])[
        "c1"
    ]
    assert (row["agent_action"], row["would_settle"]) == ("run_check", "claimjury verify --check")
    row = claims_of(cli("verify", "--settle-only", "--claim", OPEN, "--json").json["result"])["c1"]
    assert row["agent_action"] == "restate"
    (tmp_path / "nowhere").mkdir()
    monkeypatch.chdir(tmp_path / "nowhere")
    ran = cli("verify", "--settle-only", "--claim", TRUE)
    assert "There is no git work tree here" in ran.out
    assert "restate" not in ran.out
    assert "No tool settled any of it" in ran.out


def test_the_report_of_a_run_without_jurors_has_no_table_of_votes(cli: Cli, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    cli("verify", "--claim", TRUE, "--settle-only", "--report", str(page))
    html = page.read_text(encoding="utf-8")
    assert "No juror was asked." in html
    assert "settled by files" in html
    assert 'class="matrix"' not in html
    assert "Settled by tools from the tree that is named, each with its proof" in html


def test_how_a_settled_claim_is_stated_is_no_warning(cli: Cli, project: Path) -> None:
    write(project, {"new.py": "x = 1\n"})
    git("add", "--all", at=project)
    given = ("--claim", "This change adds `new.py`.", "--claim", "`new.py` is faster.")
    ran = cli("verify", *given, "--settle-only", "--base", "HEAD", "--json")
    assert claims_of(ran.json["result"])["c1"]["verdict"] == "CONFIRMED"
    warnings = [code for code in ran.json["result"]["warnings"] if code.startswith("lint:")]
    assert warnings == ["lint:c2:comparison"]
