"""Forty shapes of claims, planted once true and once false with their traps, and variants that must not be taken plainly.

Statements and labels were written without looking at the settlers. A wrong verdict is a failure; silence is not.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from claimjury.settlers.checks.outcome import ChecksResult
from claimjury.settlers.checks.run import run_checks
from claimjury.settlers.outcome import Silent
from claimjury.settlers.settle import read_statement
from settlers.settle_helpers import build, said

DATA = Path(__file__).parents[1] / "data" / "settle"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


PLANTED, FORMS = rows("planted.jsonl"), rows("forms.jsonl")


def ran(case: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> ChecksResult | None:
    if case.get("run") is None:
        return None
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return run_checks(folder, only=[case["run"]])


@pytest.mark.parametrize("case", PLANTED, ids=lambda case: case["id"])
def test_a_planted_claim_is_settled_rightly_or_not_at_all(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "repo"
    base = build(case, folder)
    row = said(folder, case["statement"], base=base, checks=ran(case, folder, monkeypatch))
    if case["expect"] == "silent":
        assert row.verdict is None, row.proof
    assert row.verdict in (None, "CONFIRMED" if case["truth"] else "REFUTED"), row.proof
    assert (row.verdict is None) == bool(row.silent)
    assert bool(row.proof) == (row.verdict is not None)


@pytest.mark.parametrize("case", FORMS, ids=lambda case: case["id"])
def test_a_negated_hedged_appended_or_quoted_form_is_never_taken_plainly(
    case: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "repo"
    base = build(case, folder)
    row = said(folder, case["statement"], base=base)
    if case["expect"] == "silent":
        assert row.verdict is None
    else:
        assert row.verdict in (None, "CONFIRMED" if case["truth"] else "REFUTED")


@pytest.mark.parametrize("case", rows("not_a_claim.jsonl"), ids=lambda case: case["id"])
def test_a_sentence_that_claims_nothing_decidable_has_no_reading(case: dict[str, Any]) -> None:
    assert isinstance(read_statement(case["statement"]), Silent)


def test_the_planted_claims_that_need_no_luck_are_settled_at_all(tmp_path: Path) -> None:
    """A settler that never spoke would pass the rest."""
    settled = 0
    for number, case in enumerate(case for case in PLANTED if case["run"] is None):
        folder = tmp_path / str(number)
        base = build(case, folder)
        settled += said(folder, case["statement"], base=base).verdict is not None
    assert settled >= 17
