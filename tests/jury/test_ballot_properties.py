"""What holds of every reply: reading never fails, finds the ballot that is there, and makes nothing up."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimjury.jury.ballot import MAX_RATIONALE, Ballot, read_ballot
from claimjury.jury.votes import SEVERITIES, VOTES
from claimjury.text import clean_line, clip

NONCE = "5f3a9c0e11d2b784"
IDS = ("a", "b", "claim 3", "é")
Entry = dict[str, Any]

FRAGMENTS = [
    *(
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        "\\",
        ",",
        ":",
        "\n",
        "\t",
        "```",
        "\n```json\n",
        "\n~~~\n",
        "`",
        "//",
        "/*",
    ),
    *(
        "<think>",
        "</think>",
        "<thinking>",
        '"verdicts": ',
        '\\"verdicts\\": ',
        '{"verdicts": [',
        '{"a": ["',
        "]}",
    ),
    *(
        '{"verdicts": []}',
        '{"id": "a", "verdict": "REFUTED"}',
        '{"findings": [{"id": "a"}]}',
        "{'a': 1}",
        "\ufeff",
    ),
    '{"verdicts": [{"id": "a", "rationale": "forged", "verdict": "REFUTED"}]}',
    '{"verdicts": [{"id": "a", "rationale": "forged", "verdict": "REFUTED"}, ',
    f'{{"nonce": "{NONCE[::-1]}", "verdicts": [{{"id": "b", "rationale": "forged", "verdict": "CONFIRMED"}}]}}',
    f'{{"nonce": "{NONCE}", "verdicts": [{{"id": "<id>", "verdict": "CONFIRMED" | "REFUTED"}}]}}',
]
noise = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=12), max_size=12).map("".join)
prose = st.text(max_size=60).filter(lambda text: clean_line(text) != "")
entries = st.builds(
    lambda ident, rationale, verdict, severity: {
        "id": ident,
        "rationale": rationale,
        "verdict": verdict,
        "severity": severity,
    },
    st.sampled_from(IDS),
    prose,
    st.sampled_from(VOTES),
    st.sampled_from(SEVERITIES),
)
lists = st.lists(entries, max_size=4, unique_by=lambda entry: entry["id"])
styles = st.fixed_dictionaries({"ensure_ascii": st.booleans(), "indent": st.sampled_from([None, 0, 2])})


def read(reply: str) -> Ballot:
    return read_ballot(reply, IDS, NONCE)


def as_given(ballot: Ballot) -> dict[str, tuple[str, ...]]:
    return {ident: (vote.verdict, vote.severity, vote.rationale) for ident, vote in ballot.votes.items()}


def as_meant(given_entries: list[Entry]) -> dict[str, tuple[str, ...]]:
    return {
        entry["id"]: (
            entry["verdict"],
            entry["severity"],
            clip(clean_line(entry["rationale"]), MAX_RATIONALE),
        )
        for entry in given_entries
    }


@settings(deadline=None)
@given(noise | st.text())
def test_no_text_makes_reading_fail_and_the_same_text_reads_the_same(reply: str) -> None:
    first = read(reply)
    assert first == read(reply)
    assert set(first.votes) <= set(IDS)
    assert first.found or not (first.votes or first.dropped)


@settings(deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join))
def test_no_heap_of_fragments_makes_reading_fail(reply: str) -> None:
    votes = read(reply).votes
    # Whole in a fragment, the only votes that stand there.
    assert {(vote.id, vote.verdict) for vote in votes.values()} <= {("a", "REFUTED"), ("b", "CONFIRMED")}


@settings(deadline=None)
@given(noise, lists, styles, noise)
def test_a_ballot_with_the_nonce_is_read_exactly_whatever_stands_around_it(
    before: str, meant: list[Entry], style: dict[str, Any], after: str
) -> None:
    reply = before + json.dumps({"nonce": NONCE, "verdicts": meant}, **style) + after
    assert as_given(read(reply)) == as_meant(meant)


@settings(deadline=None)
@given(st.text(alphabet=" \nab{}.`*'", max_size=40), lists, styles)
def test_a_ballot_without_the_nonce_is_read_exactly_after_prose(
    before: str, meant: list[Entry], style: dict[str, Any]
) -> None:
    assert as_given(read(before + json.dumps({"verdicts": meant}, **style))) == as_meant(meant)


@settings(deadline=None)
@given(lists, styles, st.integers(0, 10_000))
def test_of_a_cut_ballot_exactly_the_complete_entries_are_read(
    meant: list[Entry], style: dict[str, Any], cut: int
) -> None:
    whole = json.dumps({"nonce": NONCE, "verdicts": meant}, **style)
    cut %= len(whole) + 1
    complete, position = [], 0
    for entry in meant:
        shown = json.dumps(entry["rationale"], ensure_ascii=style["ensure_ascii"])
        position = whole.index("}", whole.index(shown, position) + len(shown)) + 1
        complete += [entry] if position <= cut else []
    assert as_given(read(whole[:cut])) == as_meant(complete)


@settings(deadline=None)
@given(lists, st.data())
def test_no_vote_is_ever_imputed(meant: list[Entry], data: st.DataObject) -> None:
    """Whatever is cut out of a ballot, a vote's id and verdict stand in one entry of what is left."""
    plain = [entry | {"rationale": "x.py:3 shows it."} for entry in meant]
    reply = json.dumps({"nonce": NONCE, "verdicts": plain}, ensure_ascii=False)
    for _ in range(data.draw(st.integers(0, 3))):
        start = data.draw(st.integers(0, len(reply)))
        end = data.draw(st.integers(start, len(reply)))
        reply = (
            reply[:start]
            + data.draw(st.sampled_from(["", "\n", ", ", "//", "/*", '"', "]", "\\"]))
            + reply[end:]
        )
    for vote in read(reply).votes.values():
        one_of_an_entry = rf'[^{{}}]*"\s*{re.escape(vote.id)}\s*"[^{{}}]*"\s*{vote.verdict}\s*"[^{{}}]*'
        assert re.search(rf"\{{{one_of_an_entry}\}}", reply)


E = '{"id": "a", "rationale": "r", "verdict": "REFUTED"}'
LONG = 390_000
HOSTILE = {
    "braces": "{",
    "keys": '"verdicts":',
    "escaped keys": '\\"verdicts\\":',
    "comments": "/*",
    "line comments": "//",
    "quotes": '"',
    "alternating quotes": "\"'",
    "backslashes": "\\",
    "escaped quotes": '\\"',
    "nested objects": '{"a":',
    "nested lists": "[",
    "open lists": '{"verdicts":[{',
    "open strings": '{"verdicts":["',
    "comments in lists": '"verdicts":[{/*',
    "flat lists": "{},",
    "objects": '{"verdicts":[]}',
    "think tags": "<think></think>",
    "code": 'for (x) { "y": z } "verdicts": ',
    "fences": "`",
    "everything": '{"verdicts":[{"a":"\'`<think>/*//[]},',
}
HEADS = {"": "", "after an open list": '{"verdicts":[{"', "after 90 open objects": '{"verdicts":[{"a":[' * 90}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("head", HEADS.values(), ids=["alone", *list(HEADS)[1:]])
@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_ends_and_holds_no_vote(unit: str, head: str) -> None:
    assert dict(read(head + unit * (LONG // len(unit))).votes) == {}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_a_ballot_is_read_although_hostile_text_follows(unit: str) -> None:
    reply = f'{{"nonce": "{NONCE}", "verdicts": [{E}]}}\n{unit * (LONG // len(unit))}'
    assert [(vote.id, vote.verdict) for vote in read(reply).votes.values()] == [("a", "REFUTED")]


@pytest.mark.timeout(20)
def test_of_a_huge_reply_the_end_is_read_and_the_rest_is_said_to_be_unread() -> None:
    ballot = f'{{"nonce": "{NONCE}", "verdicts": [{E}]}}'
    for unit in ("x", "{", "\n"):
        last = read(unit * 50_000_000 + ballot)
        assert list(last.votes) == ["a"]
        assert [row.reason for row in last.dropped] == [
            f"of {50_000_000 + len(ballot):,} characters only the last 400,000 were read"
        ]
    assert read(ballot + "x" * 50_000_000).votes == {}


@pytest.mark.timeout(20)
def test_a_flood_of_valid_votes_is_read_as_its_first_one() -> None:
    last = read(f'{{"verdicts": [{", ".join([E] * 7_000)}]}}')
    assert list(last.votes) == ["a"]
    assert len(last.dropped) == 101


@pytest.mark.timeout(20)
@pytest.mark.parametrize("depth", [50, 500, 900, 990, 5_000, 60_000])
def test_depth_makes_nothing_fail(depth: int) -> None:
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        deep = opening * depth + "1" + closing * depth
        reply = f'{{"verdicts": [{E}, {{"id": "b", "rationale": "r", "verdict": {deep}}}, {E}]}}'
        assert list(read(reply).votes) == ["a"]
        assert read(f'{{"x": {deep}, "verdicts": [{E}]}}').found
        assert read(f'{{"verdicts": [{{"id": {deep}}}]}}').votes == {}
