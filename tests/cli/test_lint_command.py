"""`claimjury verify --lint`: how claims are stated, told without a key, evidence or a network."""

from __future__ import annotations

from pathlib import Path

from cli.helpers import Cli

GOOD = "`retry` raises TimeoutError after 3 attempts."
BAD = "It should work."


def test_a_badly_stated_claim_is_named_with_how_to_restate_it_and_undecided(cli: Cli) -> None:
    ran = cli("verify", "--claim", GOOD, "--claim", BAD, "--lint")
    assert ran.status == 20
    lines = ran.out.splitlines()
    assert lines[0].startswith("c2: praise (work): Say what happens for which input")
    assert lines[1] == "  It should work."
    assert lines[-1] == "2 claim(s), 1 badly stated. Nothing was sent."


def test_well_stated_claims_exit_with_0_and_a_run_of_them_needs_no_key(cli: Cli) -> None:
    ran = cli("verify", "--claim", GOOD, "--lint")
    assert (ran.status, ran.out) == (0, "1 claim(s), 0 badly stated. Nothing was sent.\n")
    assert "egress" not in ran.err


def test_json_has_each_claim_with_its_warnings_and_can_go_to_a_file(cli: Cli, tmp_path: Path) -> None:
    value = cli("verify", "--claim", BAD, "--lint", "--json").json
    assert value["exit_status"] == 20
    row = value["lint"][0]
    assert (row["id"], row["statement"]) == ("c1", BAD)
    assert [one["rule"] for one in row["warnings"]] == ["praise", "pronoun", "should"]
    assert all(one["hint"] for one in row["warnings"])
    file = tmp_path / "lint.txt"
    assert cli("verify", "--claim", GOOD, "--lint", "--output", str(file)).out == ""
    assert file.read_text("utf-8").startswith("1 claim(s)")


def test_claims_that_cannot_be_read_are_an_error_as_ever(cli: Cli) -> None:
    ran = cli("verify", "none.json", "--lint")
    assert ran.status == 2
    assert "none.json" in ran.err
