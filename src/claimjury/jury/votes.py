"""The words of the count: a vote as cast, and the closed sets that it is made of."""

from __future__ import annotations

from typing import Final, Literal, get_args

from claimjury.evidence.quotes import Found, is_found
from claimjury.values import Value

__all__ = ["SEVERITIES", "VOTES", "Quote", "Severity", "Verdict", "Vote", "VoteWord"]

VoteWord = Literal["CONFIRMED", "REFUTED", "UNCERTAIN"]
Verdict = Literal["CONFIRMED", "REFUTED", "NEEDS_REVIEW"]
Severity = Literal["critical", "high", "medium", "low"]
VOTES: Final[tuple[VoteWord, ...]] = get_args(VoteWord)
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)


class Quote(Value):
    """An excerpt that a juror cites, and whether it stands in what was sent. That it exists, not that it supports.

    Attributes:
        source: The name that the juror gives.
        start_line: The first line that it gives.
        end_line: The last line that it gives.
        text: Cleaned; over 600 characters it is cut and says so.
        found: `exact`, `near` (those lines, inexactly), `moved` (other lines), `absent`, or `rejected:` and the rule. Absent
            where it was not looked up.
        found_start_line: The first line where it stands.
        found_end_line: The last line where it stands.
        start_char: Where it begins in the text that was sent, in characters, where the words are the same.
        end_char: Where it ends there.
    """

    source: str
    start_line: int
    end_line: int
    text: str
    found: Found | None = None
    found_start_line: int | None = None
    found_end_line: int | None = None
    start_char: int | None = None
    end_char: int | None = None


class Vote(Value):
    """One juror's vote on one claim.

    Attributes:
        id: The claim's id.
        verdict: CONFIRMED, REFUTED or UNCERTAIN.
        severity: How much it would matter if the claim were acted on and wrong.
        rationale: 1 to 3 sentences, cleaned; over 1,000 characters it is cut and says so.
        missing: What would decide an UNCERTAIN claim, where the juror said so.
        quotes: What it cites; absent where it cites nothing.
        said: What the juror said, where the vote counts as UNCERTAIN because no quote of it was found and quotes are required.
    """

    id: str
    verdict: VoteWord
    severity: Severity
    rationale: str
    missing: str | None = None
    quotes: tuple[Quote, ...] | None = None
    said: VoteWord | None = None

    @property
    def grounded(self) -> bool | None:
        """Whether a quote of it stands in what was sent; None where it cites nothing, or nothing was looked up."""
        looked_up = [quote for quote in self.quotes or () if quote.found is not None]
        return any(is_found(quote.found) for quote in looked_up) if looked_up else None
