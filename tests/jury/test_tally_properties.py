"""The rules of the tally, each property of the contract as a test over arbitrary panels."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury.jury.standing import Grounds, Standing, action_of, standing_of, why_of
from claimjury.jury.tally import CastSeat, Count, count_claim, run_is_weak
from claimjury.jury.votes import VoteWord

WORDS = get_args(VoteWord)
FAMILIES = ["deepseek", "moonshot", "zai", "openai", "mistral", "unknown"]

words = st.sampled_from(WORDS)
seats = st.builds(
    CastSeat,
    family=st.sampled_from(FAMILIES),
    included=st.booleans(),
    votes=st.dictionaries(st.sampled_from(["c", "other"]), words, max_size=2),
)
panels = st.lists(seats, min_size=1, max_size=5)
thresholds = st.integers(1, 5)
EVIDENCE = Grounds(sources=1)
ORDER = {"REFUTED": 0, "NEEDS_REVIEW": 1, "CONFIRMED": 2}


def seat(word: VoteWord | None, family: str = "zai", *, included: bool = True) -> CastSeat:
    return CastSeat(family=family, included=included, votes={} if word is None else {"c": word})


def count(confirm: int, refute: int, uncertain: int = 0, *, m: int = 2) -> Count:
    given_words: dict[VoteWord, int] = {"CONFIRMED": confirm, "REFUTED": refute, "UNCERTAIN": uncertain}
    cast = [word for word, times in given_words.items() for _ in range(times)]
    return count_claim("c", [seat(word, family) for word, family in zip(cast, FAMILIES, strict=False)], m)


def standing(panel: list[CastSeat], m: int, grounds: Grounds = EVIDENCE, claims: int = 1) -> Standing | None:
    return standing_of("c", count_claim("c", panel, m), panel, grounds, claims=claims)


@pytest.mark.parametrize(
    ("confirm", "refute", "m"), [row for row in product(range(6), range(6), range(1, 6)) if sum(row[:2]) <= 5]
)
def test_the_verdict_is_that_of_the_written_rule(confirm: int, refute: int, m: int) -> None:
    refuted = refute >= m and refute > confirm and confirm < 2
    confirmed = confirm >= 2 and confirm > refute and refute < m
    expected = "REFUTED" if refuted else "CONFIRMED" if confirmed else "NEEDS_REVIEW"
    assert not (refuted and confirmed)
    counted = count(confirm, refute, m=m)
    assert counted.verdict == expected
    assert counted.contested == (expected == "NEEDS_REVIEW" and (refute >= m or confirm >= 2))


@given(panels, thresholds)
def test_a_solo_juror_never_mints_confirmed(panel: list[CastSeat], m: int) -> None:
    voters = [item for item in panel if item.included and "c" in item.votes]
    if len(voters) < 2:
        assert count_claim("c", panel, m).verdict != "CONFIRMED"


@given(panels, thresholds, seats)
def test_an_excluded_seat_has_no_effect_on_the_votes(panel: list[CastSeat], m: int, extra: CastSeat) -> None:
    before = count_claim("c", panel, m)
    after = count_claim("c", [*panel, replace(extra, included=False)], m)
    assert replace(after, excluded=before.excluded) == before


@given(st.data(), panels, thresholds)
def test_the_order_of_seats_changes_nothing(data: st.DataObject, panel: list[CastSeat], m: int) -> None:
    shuffled = data.draw(st.permutations(panel))
    assert count_claim("c", shuffled, m) == count_claim("c", panel, m)
    assert run_is_weak(shuffled) == run_is_weak(panel)
    assert standing(list(shuffled), m) == standing(panel, m)


@given(panels, thresholds, st.sampled_from(FAMILIES))
def test_adding_a_refute_never_moves_a_claim_toward_confirmed(
    panel: list[CastSeat], m: int, family: str
) -> None:
    before = count_claim("c", panel, m).verdict
    after = count_claim("c", [*panel, seat("REFUTED", family)], m).verdict
    assert ORDER[after] <= ORDER[before]


@given(panels, thresholds, st.sampled_from(FAMILIES))
def test_adding_a_confirm_never_moves_a_claim_toward_refuted(
    panel: list[CastSeat], m: int, family: str
) -> None:
    before = count_claim("c", panel, m).verdict
    after = count_claim("c", [*panel, seat("CONFIRMED", family)], m).verdict
    assert ORDER[after] >= ORDER[before]


@given(panels, thresholds)
def test_no_verdict_stands_against_as_many_decisive_votes_on_the_other_side(
    panel: list[CastSeat], m: int
) -> None:
    counted = count_claim("c", panel, m)
    if counted.verdict == "CONFIRMED":
        assert counted.confirm > counted.refute
    if counted.verdict == "REFUTED":
        assert counted.refute > counted.confirm


@given(panels, thresholds, st.data(), st.integers(1, 10))
def test_removing_a_seat_never_raises_the_standing(
    panel: list[CastSeat], m: int, data: st.DataObject, claims: int
) -> None:
    index = data.draw(st.integers(0, len(panel) - 1))
    reduced = [replace(item, included=item.included and at != index) for at, item in enumerate(panel)]
    after = standing(reduced, m, claims=claims)
    assert after is None or after.grade == "thin"


@given(panels, thresholds, st.data(), st.integers(1, 10))
def test_removing_a_vote_never_raises_the_standing(
    panel: list[CastSeat], m: int, data: st.DataObject, claims: int
) -> None:
    index = data.draw(st.integers(0, len(panel) - 1))
    ident = data.draw(st.sampled_from(["c", "other"]))
    votes = {name: word for name, word in panel[index].votes.items() if name != ident}
    reduced = [replace(item, votes=votes) if at == index else item for at, item in enumerate(panel)]
    before, after = standing(panel, m, claims=claims), standing(reduced, m, claims=claims)
    if after is not None and after.grade == "firm":
        assert before is not None
        assert before.grade == "firm"


@given(panels, thresholds)
def test_the_counts_add_up(panel: list[CastSeat], m: int) -> None:
    counted = count_claim("c", panel, m)
    cast = counted.confirm + counted.refute + counted.uncertain
    assert cast + counted.missing + counted.excluded == len(panel)


@given(panels, thresholds)
def test_high_confidence_means_that_all_who_voted_agree_and_are_two_or_more(
    panel: list[CastSeat], m: int
) -> None:
    counted = count_claim("c", panel, m)
    cast = counted.confirm + counted.refute + counted.uncertain
    decisive = {"CONFIRMED": counted.confirm, "REFUTED": counted.refute, "NEEDS_REVIEW": -1}[counted.verdict]
    expected = "low" if decisive < 0 else "high" if decisive == cast and cast >= 2 else "medium"
    assert counted.confidence == expected


@given(panels, thresholds)
def test_a_claim_is_weak_when_fewer_than_two_known_families_voted_on_it(
    panel: list[CastSeat], m: int
) -> None:
    known = {item.family for item in panel if item.included and "c" in item.votes} - {"unknown"}
    assert count_claim("c", panel, m).weak == (len(known) < 2)


def test_two_unknown_families_are_weak() -> None:
    assert count_claim("c", [seat("CONFIRMED", "unknown"), seat("CONFIRMED", "unknown")], 2).weak
    assert run_is_weak([seat(None, "unknown"), seat(None, "zai")])
    assert not run_is_weak([seat(None, "moonshot"), seat(None, "zai")])


FIRM = [seat("CONFIRMED", "zai"), seat("CONFIRMED", "openai"), seat("CONFIRMED", "deepseek")]


def test_three_agreeing_families_with_evidence_are_firm() -> None:
    assert standing(FIRM, 2) == Standing(grade="firm")


@pytest.mark.parametrize(
    ("panel", "grounds", "reason"),
    [
        ([*FIRM[:2], seat("REFUTED", "mistral")], EVIDENCE, "split"),
        ([*FIRM, seat(None, "mistral")], EVIDENCE, "seat_missing"),
        ([*FIRM, seat("CONFIRMED", "mistral", included=False)], EVIDENCE, "seat_missing"),
        ([seat("CONFIRMED"), seat("CONFIRMED")], EVIDENCE, "weak"),
        (FIRM, Grounds(), "no_evidence"),
        (FIRM, Grounds(sources=1, unnamed=frozenset({"c"})), "named_file_not_sent"),
        (FIRM, Grounds(sources=1, unverified_host=True), "unverified_host"),
        (FIRM, Grounds(sources=1, local=True), "local"),
        (FIRM, Grounds(sources=1, caller_set_rules=True), "caller_set_rules"),
    ],
)
def test_a_verdict_is_thin_for_one_reason_of_the_closed_set(
    panel: list[CastSeat], grounds: Grounds, reason: str
) -> None:
    assert standing(panel, 2, grounds) == Standing(grade="thin", reasons=(reason,))  # type: ignore[arg-type]


def test_a_callers_reference_alone_is_no_evidence_and_says_so() -> None:
    found = standing(FIRM, 2, Grounds(reference="caller"))
    assert found == Standing(grade="thin", reasons=("no_evidence", "caller_reference_only"))


def test_a_reference_from_a_file_is_evidence() -> None:
    assert standing(FIRM, 2, Grounds(reference="file")) == Standing(grade="firm")


def test_a_juror_with_one_verdict_for_eight_claims_makes_them_thin_and_for_seven_does_not() -> None:
    assert standing(FIRM, 2, claims=7) == Standing(grade="firm")
    assert standing(FIRM, 2, claims=8) == Standing(grade="thin", reasons=("constant_voter",))
    mixed = [replace(item, votes={"c": "CONFIRMED", "other": "REFUTED"}) for item in FIRM]
    assert standing(mixed, 2, claims=8) == Standing(grade="firm")


def test_an_undecided_claim_has_no_standing() -> None:
    assert standing([seat("UNCERTAIN")], 2) is None


@pytest.mark.parametrize(
    ("counted", "why"),
    [
        (count(2, 2), "contested"),
        (count(3, 2), "contested"),
        (count(1, 1, 1), "split"),
        (count(0, 0, 3), "uncertain"),
        (count(1, 0, 1), "uncertain"),
        (count(1, 0), "too_few_votes"),
        (count(0, 1), "too_few_votes"),
        (count(0, 0), "too_few_votes"),
        (count(0, 2, 1, m=3), "too_few_votes"),
    ],
)
def test_an_undecided_claim_says_why(counted: Count, why: str) -> None:
    assert counted.verdict == "NEEDS_REVIEW"
    assert why_of(counted) == why


LOG = "the output of the test"
WORDING = "restate: `run` returns within 1 s"
WITH_LOG = Grounds(sources=1, reference="file")


@pytest.mark.parametrize(
    ("counted", "grounds", "missing", "action"),
    [
        (count(2, 2), EVIDENCE, [], "ask_human"),
        (count(1, 1), EVIDENCE, [], "ask_human"),
        (count(1, 0), EVIDENCE, [], "stop"),
        (count(0, 0, 3), Grounds(), [], "add_source"),
        (count(0, 0, 3), Grounds(), [LOG], "add_source"),
        (count(0, 0, 3), Grounds(), [WORDING, WORDING], "restate"),
        (count(0, 0, 3), Grounds(sources=1, unnamed=frozenset({"c"})), [LOG], "add_source"),
        (count(0, 0, 3), EVIDENCE, [], "run_check"),
        (count(0, 0, 3), WITH_LOG, [LOG], "run_check"),
        (count(0, 0, 3), WITH_LOG, [LOG, WORDING], "run_check"),
        (count(0, 0, 3), WITH_LOG, [LOG, WORDING, "Restate: it never raises"], "restate"),
        (count(0, 0, 3), WITH_LOG, [], "restate"),
    ],
)
def test_an_undecided_claim_says_what_to_do(
    counted: Count, grounds: Grounds, missing: list[str], action: str
) -> None:
    assert action_of("c", counted, grounds, missing) == action
