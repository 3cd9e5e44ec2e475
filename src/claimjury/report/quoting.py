"""Quotes in words: what a juror cites, and whether that stands in what was sent."""

from __future__ import annotations

from typing import Final

from claimjury.evidence.quotes import MAX_QUOTE, MIN_QUOTE, Found
from claimjury.jury.result import JurorVote, VerifyResult
from claimjury.jury.votes import Quote
from claimjury.text import clean_line

__all__ = ["INJECTED", "MEANING", "found_line", "has_quotes", "quote_place", "said_line"]

MEANING: Final = (
    "A quote that was found exists in what was sent. Whether it supports the vote, it does not say."
)
INJECTED: Final = "Aimed at whoever judges, found by rules in what was sent; no verdict hangs on it."
_FOUND: Final[dict[Found, str]] = {
    "exact": "found there",
    "near": "found there, not letter by letter",
    "moved": "found at other lines",
    "absent": "NOT IN THE EVIDENCE",
    "rejected:wrong_source": "NOT TAKEN: nothing of that name was sent",
    "rejected:too_short": f"NOT TAKEN: under {MIN_QUOTE} characters",
    "rejected:too_long": f"NOT TAKEN: over {MAX_QUOTE} characters",
    "rejected:claim_echo": "NOT TAKEN: it repeats the claim",
    "rejected:whole_source": "NOT TAKEN: it is most of the source",
    "rejected:cut": "NOT TAKEN: what stands just before it is left out: a sign, or the mark of a comment or a deleted line",
}


def has_quotes(result: VerifyResult) -> bool:
    """Whether any vote that counts quotes anything."""
    return any(vote.quotes for claim in result.claims for vote in claim.jurors)


def quote_place(quote: Quote) -> str:
    """Give where a quote says that it stands: `src/a.py:12-13`."""
    end = "" if quote.end_line == quote.start_line else f"-{quote.end_line}"
    return f"{clean_line(quote.source)}:{quote.start_line}{end}"


def found_line(quote: Quote) -> str:
    """Say whether a quote was found, and where, if it was at other lines."""
    if quote.found is None:
        return "not looked up"
    if quote.found != "moved":
        return _FOUND[quote.found]
    first, last = quote.found_start_line, quote.found_end_line
    return f"{_FOUND[quote.found]} ({first}{'' if first == last else f'-{last}'})"


def said_line(vote: JurorVote) -> str:
    """Say what a vote was before it counted as UNCERTAIN; empty for every other one."""
    return "" if vote.said is None else f"said {vote.said}, without a quote that was found"
