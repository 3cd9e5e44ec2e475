"""Every form of every settler, true and false, in one project; and what a small change of a statement does."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from claimjury.settlers.outcome import Reading
from claimjury.settlers.registry import SETTLERS
from claimjury.settlers.settle import read_statement
from settlers.project import CLAIMS, make_project
from settlers.settle_helpers import said, verdict, verdicts

WORDS = {True: "CONFIRMED", False: "REFUTED", None: None}
NUMBER = r"(?<![\w.`])\d+(?![\w`]|\.\d)"
SETTLED = [row for row in CLAIMS if row[1] is not None]
NEGATIONS: list[Callable[[str], str]] = [
    lambda text: f"It is not so that {text[0].lower()}{text[1:]}",
    lambda text: re.sub(r"\b(was|were|is|are)\b", r"\1 not", text, count=1),
    lambda text: re.sub(
        r"\b(exists|takes|has|contains|imports|calls|mentions|reads|defines|exports|accepts|depends|pins)\b",
        lambda m: f"never {m[0]}",
        text,
        count=1,
    ),
]
APPENDED = [
    " and the tests pass",
    ", so the bug is fixed",
    " because it was slow",
    " (see the notes)",
    ", which is new",
    "; nothing else matters",
    " unless CI fails",
    " in most cases",
]
HEDGED = [
    "It seems that {}",
    "Probably {}",
    "I think {}",
    "If merged, {}",
    "According to the README, {}",
    '"{}" is what the author says.',
    "The plan is that {}",
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("project") / "repo")


@pytest.mark.parametrize(("statement", "truth"), CLAIMS, ids=[text for text, _ in CLAIMS])
def test_a_claim_of_each_form_is_settled_as_it_is(project: Path, statement: str, truth: bool | None) -> None:
    row = said(project, statement)
    assert row.verdict == WORDS[truth], row.silent or row.proof
    assert bool(row.proof) == (truth is not None)


def test_every_form_of_every_settler_is_tried() -> None:
    readings = [read_statement(text) for text, _ in CLAIMS]
    tried = {reading.form for reading in readings if isinstance(reading, Reading)}
    forms = {
        form for settler in SETTLERS if settler.name not in ("tests", "checkers") for form in settler.forms
    }
    assert forms - tried == set()


@pytest.mark.parametrize(("statement", "truth"), SETTLED, ids=[text for text, _ in SETTLED])
def test_negating_a_claim_flips_or_silences_it(project: Path, statement: str, truth: bool | None) -> None:
    negated = {negate(statement) for negate in NEGATIONS} - {statement}
    assert [text for text, word in verdicts(project, sorted(negated)).items() if word == WORDS[truth]] == []


@pytest.mark.parametrize(("statement", "truth"), SETTLED, ids=[text for text, _ in SETTLED])
def test_a_clause_that_is_appended_or_put_around_silences_it(
    project: Path, statement: str, truth: bool | None
) -> None:
    bare = statement.removesuffix(".")
    lower = bare[0].lower() + bare[1:]
    texts = [*(f"{bare}{tail}." for tail in APPENDED), *(form.format(lower) for form in HEDGED)]
    assert [text for text, word in verdicts(project, texts).items() if word is not None] == []


@pytest.mark.parametrize(
    ("statement", "truth"), [row for row in CLAIMS if row[1] and re.search(NUMBER, row[0])]
)
def test_another_number_flips_or_silences_a_true_claim(
    project: Path, statement: str, truth: bool | None
) -> None:
    # A line of a file may read the same at another place, so the last number is changed.
    *_, last = re.finditer(NUMBER, statement)
    other = f"{statement[: last.start()]}{int(last[0]) + 7}{statement[last.end() :]}"
    assert other != statement
    assert verdict(project, other) != "CONFIRMED"


@pytest.mark.parametrize(
    ("statement", "truth"),
    [
        row
        for row in CLAIMS
        if row[1]
        and "`" in row[0]
        and "no" not in row[0].lower().split()
        and "not" not in row[0].split()
        and "Nothing" not in row[0]
        and "unused" not in row[0]
        and "longer" not in row[0]
    ],
)
def test_another_name_flips_or_silences_a_true_claim(
    project: Path, statement: str, truth: bool | None
) -> None:
    for name in dict.fromkeys(re.findall(r"`([^`]+)`", statement)):
        other = statement.replace(
            f"`{name}`", f"`{name.replace('.', '_qq.', 1) if '.' in name else name + '_qq'}`"
        )
        assert verdict(project, other) != "CONFIRMED", other


def test_without_a_base_nothing_is_said_of_the_change_and_the_tree_is_still_settled(project: Path) -> None:
    from unit.git_helpers import git

    git("branch", "-m", "main", "trunk", at=project)
    try:
        row = said(project, "`src/parcel/api.py` was added.", base=None)
        assert row.verdict is None
        assert "--base" in (row.silent or "")
        assert verdict(project, "`LIMIT` is 20.", base=None) == "CONFIRMED"
    finally:
        git("branch", "-m", "trunk", "main", at=project)
    assert verdict(project, "`src/parcel/api.py` was added.", base=None) == "CONFIRMED"
