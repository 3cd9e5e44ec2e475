"""The rules of the skeptics' tally, each as a test over every panel of 1 to 9."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury.errors import InvalidRequest
from claimjury.skeptics.angles import ANGLES, AngleName, angle_named, angle_of
from claimjury.skeptics.tally import Finding, Grounds, RefuteTally, tally

findings = st.builds(
    Finding, refuted=st.booleans(), grounds=st.sampled_from(get_args(Grounds)), reason=st.just("It says so.")
)
panels = st.lists(findings, min_size=1, max_size=9)


def finding(*, refuted: bool, grounds: Grounds = "evidence", reason: str = "It says so.") -> Finding:
    return Finding(refuted=refuted, grounds=grounds, reason=reason)


def panel(evidence: int, default: int, fault: int, holds: int) -> list[Finding]:
    counts: dict[Grounds, int] = {"evidence": evidence, "default": default, "fault": fault}
    refuting = [finding(refuted=True, grounds=word) for word, times in counts.items() for _ in range(times)]
    return refuting + [finding(refuted=False)] * holds


def every_panel() -> Iterator[tuple[int, int, int, int]]:
    """Give (evidence, default, fault, holds) of all panels of 1 to 9 skeptics."""
    for n in range(1, 10):
        for evidence in range(n + 1):
            for default in range(n + 1 - evidence):
                for fault in range(n + 1 - evidence - default):
                    yield evidence, default, fault, n - evidence - default - fault


def test_the_verdict_and_the_counts_of_every_panel_are_those_of_the_written_rule() -> None:
    for evidence, default, fault, holds in every_panel():
        n, refuted = evidence + default + fault + holds, evidence + default + fault
        assert tally(panel(evidence, default, fault, holds)) == RefuteTally(
            verdict="HOLDS" if refuted * 2 <= n else "REFUTED",
            n=n,
            refuted=refuted,
            refuted_on_evidence=evidence,
            refuted_by_default=default,
            faulted=fault,
            tie=refuted * 2 == n,
            exit_status=tally(panel(evidence, default, fault, holds)).exit_status,
        )


def test_the_exit_status_of_every_panel_is_that_of_the_table() -> None:
    for evidence, default, fault, holds in every_panel():
        n, refuted = evidence + default + fault + holds, evidence + default + fault
        status = tally(panel(evidence, default, fault, holds)).exit_status
        assert (status == 4) is (fault == n)
        assert (status == 10) is (evidence * 2 > n)
        assert (status == 0) is (refuted * 2 < n)
        assert status in (0, 4, 10, 20)


@pytest.mark.parametrize(
    ("counts", "verdict", "status"),
    [
        ((0, 0, 0, 3), "HOLDS", 0),
        ((1, 0, 0, 2), "HOLDS", 0),
        ((2, 0, 0, 1), "REFUTED", 10),
        ((1, 1, 0, 1), "REFUTED", 20),
        ((0, 2, 0, 1), "REFUTED", 20),
        ((0, 0, 2, 1), "REFUTED", 20),
        ((0, 0, 3, 0), "REFUTED", 4),
        ((2, 0, 0, 2), "HOLDS", 20),
        ((0, 0, 1, 1), "HOLDS", 20),
        ((0, 0, 1, 0), "REFUTED", 4),
        ((1, 0, 0, 0), "REFUTED", 10),
        ((0, 1, 0, 0), "REFUTED", 20),
    ],
)
def test_panels_worked_out_by_hand(counts: tuple[int, int, int, int], verdict: str, status: int) -> None:
    counted = tally(panel(*counts))
    assert (counted.verdict, counted.exit_status) == (verdict, status)


@given(panels)
def test_the_counts_add_up(found: list[Finding]) -> None:
    counted = tally(found)
    assert counted.refuted == counted.refuted_on_evidence + counted.refuted_by_default + counted.faulted
    assert 0 <= counted.refuted <= counted.n == len(found)


@given(panels, st.randoms())
def test_the_order_of_the_skeptics_changes_nothing(found: list[Finding], random: Random) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    assert tally(shuffled) == tally(found)


@given(panels)
def test_a_further_refutation_never_makes_a_refuted_claim_hold(found: list[Finding]) -> None:
    after = tally([*found, finding(refuted=True)])
    assert tally(found).verdict == "HOLDS" or after.verdict == "REFUTED"


@given(panels)
def test_a_skeptic_that_breaks_down_never_turns_the_exit_status_to_0(found: list[Finding]) -> None:
    for place in range(len(found)):
        broken = [*found[:place], finding(refuted=False, grounds="fault"), *found[place + 1 :]]
        assert tally(found).exit_status == 0 or tally(broken).exit_status != 0


@given(panels)
def test_an_outage_never_reads_as_a_refutation_on_evidence(found: list[Finding]) -> None:
    counted = tally([finding(refuted=True, grounds="fault") for _ in found])
    assert (counted.verdict, counted.refuted_on_evidence, counted.exit_status) == ("REFUTED", 0, 4)


@pytest.mark.parametrize("grounds", ["default", "fault"])
def test_a_default_or_a_fault_counts_as_refuted_whatever_the_skeptic_said(grounds: Grounds) -> None:
    assert finding(refuted=False, grounds=grounds).refutes
    assert tally([finding(refuted=False, grounds=grounds)]).refuted == 1


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_a_refutation_without_a_reason_is_not_one_on_evidence(reason: str) -> None:
    counted = tally([finding(refuted=True, reason=reason)])
    assert (counted.refuted_on_evidence, counted.refuted_by_default, counted.exit_status) == (0, 1, 20)


def test_a_panel_of_nobody_is_refused_and_does_not_hold() -> None:
    with pytest.raises(InvalidRequest, match="no skeptic"):
        tally([])


def test_the_angles_come_in_their_fixed_order_and_only_the_sixth_skeptic_begins_again() -> None:
    names = ["factual", "logical", "steelman", "provenance", "adversarial"]
    assert [angle_of(place).name for place in range(1, 12)] == [*names, *names, "factual"]
    assert list(get_args(AngleName)) == names
    assert [angle.title for angle in ANGLES] == [
        "factual/empirical",
        "logical/definitional/scope",
        "steelman-then-break",
        "provenance",
        "adversarial counterexample",
    ]


def test_each_angle_has_a_prompt_of_its_own_of_two_to_four_sentences() -> None:
    assert len({angle.prompt for angle in ANGLES}) == len(ANGLES)
    assert all(2 <= angle.prompt.count(". ") + 1 <= 4 for angle in ANGLES)


def test_an_angle_is_found_by_its_short_and_its_whole_name_alone() -> None:
    assert [angle_named(angle.title.upper()) for angle in ANGLES] == list(ANGLES)
    assert [angle_named(angle.name) for angle in ANGLES] == list(ANGLES)
    assert [angle_named(name) for name in ("", "fact", "factual ")] == [None] * 3


def test_panels_are_counted_alike_in_all_orders() -> None:
    found = panel(1, 1, 1, 1)
    assert len({tally(order) for order in permutations(found)}) == 1
