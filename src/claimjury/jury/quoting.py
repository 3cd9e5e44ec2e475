"""Quoting: the excerpts that a juror cites, read strictly and looked up in what was sent. A bad one costs no vote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from claimjury.evidence.quotes import Evidence, Placed, QuoteBook
from claimjury.evidence.reference import Reference
from claimjury.evidence.sources import Source
from claimjury.jury.votes import Quote, Vote
from claimjury.text import clean, clean_line, clip

__all__ = ["MAX_QUOTES", "NO_QUOTE", "QuoteCheck", "held_to_quotes", "quotable", "read_quotes"]

MAX_QUOTES: Final = 10
"""Of one vote; more are listed as dropped."""
NO_QUOTE: Final = "a quote that stands in the evidence"
"""What an undecided vote misses where quotes are required."""
_MAX_NAME: Final = 400
_MAX_SHOWN: Final = 600
_MAX_LINE: Final = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteCheck:
    """What quotes are looked up in.

    Attributes:
        book: What was sent.
        statements: Of the claims, by id.
        required: Whether a decisive vote without a found quote counts as UNCERTAIN.
    """

    book: QuoteBook
    statements: Mapping[str, str] = field(default_factory=dict)
    required: bool = False


def quotable(sources: Iterable[Source], reference: Reference | None) -> QuoteBook:
    """Give what a prompt shows as it can be quoted."""
    texts = [
        Evidence(
            name=source.path,
            text=source.text,
            first_line=source.first_line,
            is_diff=source.diff is not None,
        )
        for source in sources
    ]
    if reference is not None:
        texts.append(Evidence(name="reference", text=reference.text))
    return QuoteBook(texts)


def read_quotes(
    given: object, claim_id: str, check: QuoteCheck | None
) -> tuple[tuple[Quote, ...], list[str]]:
    """Read the quotes of an entry; without a check they are read and not looked up.

    Returns:
        The quotes, and what was wrong with those that are none.
    """
    if given is None:
        return (), []
    if not isinstance(given, list):
        return (), ["its quotes are no list"]
    quotes: list[Quote] = []
    faults: list[str] = []
    for item in given[:MAX_QUOTES]:
        quote = _quote(item, claim_id, check)
        if isinstance(quote, str):
            faults.append(quote)
        else:
            quotes.append(quote)
    if len(given) > MAX_QUOTES:
        faults.append(f"{len(given) - MAX_QUOTES} more quotes were not read")
    return tuple(quotes), faults


def held_to_quotes(vote: Vote) -> Vote:
    """Give a vote as it counts where quotes are required: a decisive one without a found quote is UNCERTAIN."""
    if vote.verdict == "UNCERTAIN" or vote.grounded:
        return vote
    changed = {"verdict": "UNCERTAIN", "said": vote.verdict, "missing": vote.missing or NO_QUOTE}
    return vote.model_copy(update=changed)


def _quote(item: object, claim_id: str, check: QuoteCheck | None) -> Quote | str:
    if not isinstance(item, dict):
        return "a quote is no object"
    text, source = item.get("text"), item.get("source")
    if not isinstance(text, str) or not text.strip():
        return "a quote has no text"
    if not isinstance(source, str) or not source.strip():
        return "a quote has no source"
    lines = _lines(item)
    if lines is None:
        return "a quote has no line numbers"
    placed = (
        None if check is None else check.book.place(text, source, lines, check.statements.get(claim_id, ""))
    )
    return Quote(
        source=clip(clean_line(source), _MAX_NAME),
        start_line=lines[0],
        end_line=lines[1],
        text=clip(clean(text).strip("\n"), _MAX_SHOWN),
        **_place(placed),
    )


def _lines(item: Mapping[str, Any]) -> tuple[int, int] | None:
    first = _number(item.get("start_line", item.get("line")))
    last = _number(item.get("end_line", first))
    return None if first is None or last is None else (min(first, last), max(first, last))


def _number(value: object) -> int | None:
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value.strip()[:12])
    usable = isinstance(value, int) and not isinstance(value, bool) and 0 < value < _MAX_LINE
    return value if usable and isinstance(value, int) else None


def _place(placed: Placed | None) -> dict[str, Any]:
    if placed is None:
        return {}
    first, last = placed.lines or (None, None)
    start, end = placed.span or (None, None)
    return {
        "found": placed.found,
        "found_start_line": first,
        "found_end_line": last,
        "start_char": start,
        "end_char": end,
    }
