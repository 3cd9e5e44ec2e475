"""Decided early: whatever the outstanding seats vote, the verdict is the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from claimjury.jury.early import decided_early
from claimjury.jury.tally import verdict_of

COUNT = st.integers(min_value=0, max_value=5)


@given(COUNT, COUNT, COUNT, st.integers(min_value=1, max_value=5), st.data())
def test_no_way_of_voting_changes_a_verdict_that_is_decided_early(
    confirm: int, refute: int, outstanding: int, needed: int, data: st.DataObject
) -> None:
    early = decided_early(confirm, refute, outstanding, needed)
    votes = data.draw(st.lists(st.sampled_from("CRUN"), min_size=outstanding, max_size=outstanding))
    end = verdict_of(confirm + votes.count("C"), refute + votes.count("R"), needed)
    assert early in (None, end)


@given(COUNT, COUNT, st.integers(min_value=1, max_value=5))
def test_with_nobody_outstanding_every_verdict_is_decided(confirm: int, refute: int, needed: int) -> None:
    assert decided_early(confirm, refute, 0, needed) == verdict_of(confirm, refute, needed)


def test_what_is_open_has_no_verdict() -> None:
    assert decided_early(1, 0, 1, 2) is None
    assert decided_early(0, 0, 3, 2) is None
    assert decided_early(2, 0, 1, 2) == "CONFIRMED"
    assert decided_early(0, 2, 1, 2) == "REFUTED"
    assert decided_early(2, 0, 2, 2) is None
