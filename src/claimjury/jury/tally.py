"""The tally: votes to verdicts, per claim, over included seats. Pure; its rules are fixed.

With R refutes, C confirms and m = min_refute_votes:
REFUTED iff R >= m and R > C and C < 2. CONFIRMED iff C >= 2 and C > R and R < m. Else NEEDS_REVIEW.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from claimjury.jury.votes import Verdict, VoteWord

__all__ = [
    "MIN_CONFIRM_VOTES",
    "UNKNOWN_FAMILY",
    "CastSeat",
    "Confidence",
    "Count",
    "count_claim",
    "run_is_weak",
    "verdict_of",
]

MIN_CONFIRM_VOTES: Final = 2
MIN_FAMILIES: Final = 2
UNKNOWN_FAMILY: Final = "unknown"
Confidence = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CastSeat:
    """A seat as the tally sees it.

    Attributes:
        family: The vendor lineage; `unknown` counts as none.
        included: Whether its votes count.
        votes: Its votes by claim id.
    """

    family: str
    included: bool
    votes: Mapping[str, VoteWord]


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What the votes on one claim come to.

    Attributes:
        verdict: CONFIRMED, REFUTED or NEEDS_REVIEW.
        confidence: Agreement among those who voted, not a probability.
        confirm: Votes CONFIRMED.
        refute: Votes REFUTED.
        uncertain: Votes UNCERTAIN.
        missing: Included seats that skipped the claim.
        excluded: Seats that do not count.
        contested: A threshold was met and blocked by the other side.
        weak: Fewer than 2 known families voted on the claim.
    """

    verdict: Verdict
    confidence: Confidence
    confirm: int
    refute: int
    uncertain: int
    missing: int
    excluded: int
    contested: bool
    weak: bool


def count_claim(claim_id: str, seats: Sequence[CastSeat], min_refute_votes: int) -> Count:
    """Count the votes on one claim."""
    sitting = [seat for seat in seats if seat.included]
    cast = [(seat.family, seat.votes[claim_id]) for seat in sitting if claim_id in seat.votes]
    words = [word for _, word in cast]
    confirm, refute = words.count("CONFIRMED"), words.count("REFUTED")
    verdict = verdict_of(confirm, refute, min_refute_votes)
    met = refute >= min_refute_votes or confirm >= MIN_CONFIRM_VOTES
    return Count(
        verdict=verdict,
        confidence=_confidence(verdict, confirm, refute, len(cast)),
        confirm=confirm,
        refute=refute,
        uncertain=words.count("UNCERTAIN"),
        missing=len(sitting) - len(cast),
        excluded=len(seats) - len(sitting),
        contested=met and verdict == "NEEDS_REVIEW",
        weak=_too_few(family for family, _ in cast),
    )


def run_is_weak(seats: Sequence[CastSeat]) -> bool:
    """Whether fewer than 2 known families sat."""
    return _too_few(seat.family for seat in seats if seat.included)


def verdict_of(confirm: int, refute: int, min_refute_votes: int) -> Verdict:
    """Give the verdict that so many votes come to."""
    if refute >= min_refute_votes and refute > confirm and confirm < MIN_CONFIRM_VOTES:
        return "REFUTED"
    if confirm >= MIN_CONFIRM_VOTES and confirm > refute and refute < min_refute_votes:
        return "CONFIRMED"
    return "NEEDS_REVIEW"


def _confidence(verdict: Verdict, confirm: int, refute: int, cast: int) -> Confidence:
    if verdict == "NEEDS_REVIEW":
        return "low"
    decisive = confirm if verdict == "CONFIRMED" else refute
    return "high" if decisive == cast and decisive >= MIN_CONFIRM_VOTES else "medium"


def _too_few(families: Iterable[str]) -> bool:
    return len(set(families) - {UNKNOWN_FAMILY}) < MIN_FAMILIES
