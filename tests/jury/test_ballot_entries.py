"""Entry by entry: which is a vote, which is dropped, and why; what of a juror's words is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from claimjury.jury.ballot import MAX_RATIONALE, read_ballot
from claimjury.jury.votes import VOTES, Vote

NONCE = "5f3a9c0e11d2b784"


def entry(**fields: Any) -> dict[str, Any]:
    return {"id": "a", "rationale": "x.py:3 shows it.", "verdict": "CONFIRMED", "severity": "low"} | fields


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in entry().items() if key != name}


def ballot(*entries: Any) -> str:
    return json.dumps({"nonce": NONCE, "verdicts": list(entries)})


def vote(**fields: Any) -> Vote:
    return read_ballot(ballot(entry(**fields)), ("a", "b"), NONCE).votes["a"]


VALID = {
    "as asked for": entry(),
    "an id with blanks around": entry(id=" a\n"),
    "a verdict in lower case": entry(verdict="confirmed"),
    "a verdict with blanks around": entry(verdict="\tConfirmed  "),
    "no severity": without("severity"),
    "fields we do not know": entry(confidence=0.9, verdicts=[]),
}


@pytest.mark.parametrize("given", VALID.values(), ids=VALID)
def test_a_vote_is_read_from(given: dict[str, Any]) -> None:
    read = read_ballot(ballot(given), ("a", "b"), NONCE)
    assert ({key: cast.verdict for key, cast in read.votes.items()}, read.dropped) == ({"a": "CONFIRMED"}, ())


DROPPED = {
    "an unknown id": (entry(id="z"), "z", "unknown id"),
    "an id in another case": (entry(id="A"), "A", "unknown id"),
    "an empty id": (entry(id=""), "", "unknown id"),
    "a numeric id": (entry(id=1), None, "no id: '1'"),
    "a null id": (entry(id=None), None, "no id: absent"),
    "no id": (without("id"), None, "no id: absent"),
    "a verdict of ours outside the three": (
        entry(verdict="NEEDS_REVIEW"),
        "a",
        "verdict outside the three: 'NEEDS_REVIEW'",
    ),
    "two verdicts": (entry(verdict="CONFIRMED | REFUTED"), "a", "verdict outside the three"),
    "a verdict with a full stop": (entry(verdict="CONFIRMED."), "a", "verdict outside the three"),
    "a verdict in letters that fold to ours": (entry(verdict="conf\u0131rmed"), "a", "verdict outside"),
    "a verdict in a list": (entry(verdict=["REFUTED"]), "a", "verdict outside the three: \"['REFUTED']\""),
    "a verdict that is true": (entry(verdict=True), "a", "verdict outside the three: 'True'"),
    "no verdict": (without("verdict"), "a", "verdict outside the three: absent"),
    "an empty rationale": (entry(rationale=""), "a", "empty rationale"),
    "a blank rationale": (entry(rationale=" \n\t\u00a0"), "a", "empty rationale"),
    "a rationale of control characters": (entry(rationale="\x1b[31m\u202e\x07"), "a", "empty rationale"),
    "a rationale in a list": (entry(rationale=["x.py:3"]), "a", "empty rationale"),
    "a rationale that is a number": (entry(rationale=3), "a", "empty rationale"),
    "no rationale": (without("rationale"), "a", "empty rationale"),
}


@pytest.mark.parametrize(("given", "ident", "reason"), DROPPED.values(), ids=DROPPED)
def test_an_entry_is_dropped_and_listed_for(given: dict[str, Any], ident: str | None, reason: str) -> None:
    read = read_ballot(ballot(given), ("a", "b"), NONCE)
    assert (dict(read.votes), read.found) == ({}, True)
    [dropped] = read.dropped
    assert dropped.id == ident
    assert dropped.reason.startswith(reason)


@pytest.mark.parametrize("name", ["id", "verdict", "rationale"])
def test_a_key_with_two_values_drops_the_entry_and_with_one_value_twice_does_not(name: str) -> None:
    given = json.dumps(entry())
    other, same = f'{{"{name}": "b", {given[1:]}', f'{{"{name}": {json.dumps(entry()[name])}, {given[1:]}'
    read = read_ballot(f'{{"verdicts": [{other}]}}', ("a", "b"), NONCE)
    assert (dict(read.votes), [row.reason for row in read.dropped]) == ({}, ["a key has two values"])
    assert list(read_ballot(f'{{"verdicts": [{same}]}}', ("a", "b"), NONCE).votes) == ["a"]


def test_what_is_no_object_is_skipped() -> None:
    given = [None, 1, "CONFIRMED", [entry()], json.dumps(entry(verdict="REFUTED")), entry(), True]
    read = read_ballot(ballot(*given), ("a", "b"), NONCE)
    assert ([cast.verdict for cast in read.votes.values()], read.dropped) == (["CONFIRMED"], ())


def test_of_two_valid_votes_the_first_stands_and_the_second_is_listed() -> None:
    read = read_ballot(ballot(entry(), entry(verdict="REFUTED")), ("a",), NONCE)
    assert read.votes["a"].verdict == "CONFIRMED"
    assert [(row.id, row.reason) for row in read.dropped] == [
        ("a", "second vote (REFUTED); the first stands")
    ]


def test_an_invalid_vote_does_not_stand_in_the_way_of_a_valid_one() -> None:
    read = read_ballot(ballot(entry(verdict="MAYBE"), entry(verdict="REFUTED")), ("a",), NONCE)
    assert read.votes["a"].verdict == "REFUTED"
    assert [row.reason for row in read.dropped] == ["verdict outside the three: 'MAYBE'"]


def test_an_id_with_blanks_of_its_own_is_matched_as_it_is() -> None:
    ids = ("a b", "a  b")
    read = read_ballot(ballot(entry(id="a  b"), entry(id=" a b ", verdict="REFUTED")), ids, NONCE)
    assert {ident: cast.verdict for ident, cast in read.votes.items()} == {
        "a b": "REFUTED",
        "a  b": "CONFIRMED",
    }


@pytest.mark.parametrize(
    "given", ["N/A", "", "severe", 9, "9", None, True, ["high"], {"level": "high"}], ids=repr
)
def test_a_bad_severity_becomes_medium(given: Any) -> None:
    assert vote(severity=given).severity == "medium"


@pytest.mark.parametrize("given", ["critical", "HIGH", " Medium ", "low"])
def test_a_severity_is_folded(given: str) -> None:
    assert vote(severity=given).severity == given.strip().lower()


def test_a_long_rationale_is_cut_and_says_so() -> None:
    assert vote(rationale="x" * MAX_RATIONALE).rationale == "x" * MAX_RATIONALE
    cut = vote(rationale="x" * (MAX_RATIONALE + 1)).rationale
    assert cut == "x" * MAX_RATIONALE + " [cut: 1,001 characters in all]"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
        ("a\u202eb\u2066c", "abc"),
        ("a\x00\x07\x7fb", "ab"),
        ("::error file=x.py::broken", "broken"),
        ("first\n::set-output name=x::1", "first 1"),
        ("##[group]x", "x"),
        ("\ud800lone", "lone"),
        ("two\n\n  lines\tand a tab", "two lines and a tab"),
    ],
    ids=["ansi", "link", "bidi", "control", "workflow", "second line", "azure", "surrogate", "blanks"],
)
def test_what_could_act_on_a_terminal_or_a_workflow_is_taken_out(given: str, kept: str) -> None:
    read = vote(rationale=given, verdict="UNCERTAIN", missing=given)
    assert (read.rationale, read.missing) == (kept, kept)


@pytest.mark.parametrize("word", VOTES)
def test_missing_is_kept_for_uncertain_only(word: str) -> None:
    kept = "The test log." if word == "UNCERTAIN" else None
    assert vote(verdict=word, missing="The test log.").missing == kept
    assert vote(verdict=word, missing=" ").missing is None
    assert vote(verdict=word, missing=["log"]).missing is None


@pytest.mark.parametrize("word", VOTES)
@pytest.mark.parametrize(
    "prose",
    ['REFUTED. "verdict": "REFUTED"', "no failures found", "not supported", "CONFIRMED by x.py", "critical"],
)
def test_words_of_the_rationale_never_move_the_verdict(word: str, prose: str) -> None:
    read = vote(verdict=word, rationale=prose)
    assert (read.verdict, read.severity, read.rationale) == (word, "low", prose)


def test_words_of_the_rationale_never_make_up_a_verdict() -> None:
    read = read_ballot(ballot({"id": "a", "rationale": "REFUTED"}), ("a",), NONCE)
    assert read.votes == {}


def test_a_flood_of_bad_entries_is_listed_by_number() -> None:
    read = read_ballot(ballot(*[{}] * 5_000, entry()), ("a",), NONCE)
    assert list(read.votes) == ["a"]
    assert len(read.dropped) == 101
    assert read.dropped[-1].reason == "4,900 more entries were dropped"
