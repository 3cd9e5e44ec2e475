"""The words of the count: a vote as cast, and the closed sets that it is made of."""

from __future__ import annotations

from typing import Final, Literal, get_args

from claimjury.values import Value

__all__ = ["SEVERITIES", "VOTES", "Severity", "Verdict", "Vote", "VoteWord"]

VoteWord = Literal["CONFIRMED", "REFUTED", "UNCERTAIN"]
Verdict = Literal["CONFIRMED", "REFUTED", "NEEDS_REVIEW"]
Severity = Literal["critical", "high", "medium", "low"]
VOTES: Final[tuple[VoteWord, ...]] = get_args(VoteWord)
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)


class Vote(Value):
    """One juror's vote on one claim.

    Attributes:
        id: The claim's id.
        verdict: CONFIRMED, REFUTED or UNCERTAIN.
        severity: How much it would matter if the claim were acted on and wrong.
        rationale: 1 to 3 sentences, cleaned; over 1,000 characters it is cut and says so.
        missing: What would decide an UNCERTAIN claim, where the juror said so.
    """

    id: str
    verdict: VoteWord
    severity: Severity
    rationale: str
    missing: str | None = None
