"""Lint: how a claim is stated, told by rules, on claims that were written without looking at them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury import plan_verify
from claimjury.lint import HINTS, RULES, lint

DATA = Path(__file__).parents[1] / "data" / "lint"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def rules_of(statement: str) -> set[str]:
    return {found.rule for found in lint(statement)}


@pytest.mark.parametrize("row", rows("lint.jsonl"), ids=lambda row: row["id"])
def test_a_badly_stated_claim_gets_its_rules_and_no_other(row: dict[str, Any]) -> None:
    assert rules_of(row["text"]) == set(row["rules"])


@pytest.mark.parametrize("row", rows("good.jsonl"), ids=lambda row: row["id"])
def test_a_well_stated_claim_gets_none(row: dict[str, Any]) -> None:
    assert rules_of(row["text"]) == set()


def test_every_rule_is_measured_and_says_how_to_restate() -> None:
    measured = {rule for row in rows("lint.jsonl") for rule in row["rules"]}
    assert measured == set(RULES) == set(HINTS)


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        ("`parse` handles various encodings.", "vague_quantifier"),
        ("`parse` handles a few encodings.", "vague_quantifier"),
        ("The cache is bug-free.", "praise"),
        ("`drop` removes the temporary folder safely.", "praise"),
        ("The suite in tests/api is comprehensive.", "praise"),
        ("src/a.py has a clean design.", "opinion"),
        ("The above holds for `read_all`.", "pronoun"),
        ("`read_all` would return None for an empty file.", "should"),
        ("`read_all` is expected to return None for an empty file.", "should"),
        ("`read_all` returns None, therefore `show` prints nothing.", "cause"),
        ("`lock` is taken before `write`, which fixes the race.", "cause"),
    ],
)
def test_the_words_that_the_corpus_lacks_are_known_too(statement: str, rule: str) -> None:
    assert rule in rules_of(statement)


def test_what_is_quoted_is_not_the_claims_own_wording() -> None:
    assert rules_of("`a.py` line 3 reads `return bool(correctly) or should_work`.") == set()
    assert rules_of('The message in a.py says "this should work because most do".') == set()


@given(st.text(max_size=300))
def test_any_text_is_linted_without_a_fault_and_each_rule_comes_once(text: str) -> None:
    found = [one.rule for one in lint(text)]
    assert found == sorted(set(found), key=RULES.index)


def test_a_run_warns_of_a_badly_stated_claim_and_of_no_other() -> None:
    plan = plan_verify(
        [{"id": "a", "statement": "It should work."}, {"id": "b", "statement": "`f` returns 3."}]
    )
    assert [code for code in plan.warnings if code.startswith("lint")] == ["lint:a:praise,pronoun,should"]
