"""Quotes: does what a juror cites stand in what was sent? That it exists, not that it supports. Pure.

A quote says the same as the source where its tokens do (see `tokens.py`): other white space, quote marks, dashes, wrapped
lines and the gutter of the prompt are forgiven; a word, a digit, an operator, a case or their order is not.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import PurePosixPath
from typing import Final, Literal

from claimjury.evidence.cutting import Marks, is_cut, marks_of, marks_of_diff, turns
from claimjury.evidence.tokens import Tokens, joined, tokens_of

__all__ = ["MAX_QUOTE", "MIN_QUOTE", "Evidence", "Found", "Placed", "QuoteBook", "is_found"]

MIN_QUOTE: Final = 12
"""Characters, white space folded: below, a quote stands nearly everywhere."""
MAX_QUOTE: Final = 500
"""Characters: above, it shows that a file was copied, not what in it decides."""
_MOST: Final = 0.8
_MANY_LINES: Final = 5
"""A source of up to so many lines may be quoted whole."""
_MAX_MATCHES: Final = 2_000
"""Places that are looked at: a juror chooses the quote, and a source may repeat one line for ever."""
_MAX_NEAR: Final = 2_000
"""Lines within which an inexact quote is looked for."""
_GUTTER: Final = re.compile(r"^[ \t]*\d+\| ?", re.MULTILINE)
_ELISIONS: Final = frozenset({"...", "\u2026"})
_SOFT: Final = frozenset({",", ";", "'", '"'})
Found = Literal[
    "exact",
    "near",
    "moved",
    "absent",
    "rejected:wrong_source",
    "rejected:too_short",
    "rejected:too_long",
    "rejected:claim_echo",
    "rejected:whole_source",
    "rejected:cut",
]


def is_found(found: Found | None) -> bool:
    """Whether a quote stands in what was sent."""
    return found in ("exact", "near", "moved")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A text that was sent, as it can be quoted.

    Attributes:
        name: As its fence named it; `reference` for the reference.
        text: What was sent of it.
        first_line: The number of its first line.
        is_diff: Whether its lines begin with the marks of a diff.
    """

    name: str
    text: str
    first_line: int = 1
    is_diff: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Where a quote stands.

    Attributes:
        found: `exact`: at the lines that it names. `moved`: the same words, at others. `near`: at those lines, with a marked
            elision or other punctuation. Else `absent`, or `rejected:` and the rule.
        lines: The first and last line where it was found; absent where it was not.
        span: Where it begins and ends in the text that was sent, in characters; absent unless the words are the same.
    """

    found: Found
    lines: tuple[int, int] | None = None
    span: tuple[int, int] | None = None


class QuoteBook:
    """What was sent, indexed for looking quotes up; each text is indexed at its first quote."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        """Take the texts; several may have one name."""
        self._evidence = tuple(evidence)
        self._views: dict[int, tuple[_View, ...]] = {}

    def place(self, text: str, source: str, lines: tuple[int, int], claim: str) -> Placed:
        """Say whether a quote stands where it says.

        Args:
            text: The quote.
            source: The name that it gives.
            lines: The first and last line that it gives.
            claim: The claim's statement.
        """
        named = self._named(source)
        if not named:
            return Placed(found="rejected:wrong_source")
        forms = list(_forms(text))
        size = min(form.size for form in forms)
        if size < MIN_QUOTE:
            return Placed(found="rejected:too_short")
        if size > MAX_QUOTE:
            return Placed(found="rejected:too_long")
        if any(_same(form.words, tokens_of(claim).words) for form in forms):
            return Placed(found="rejected:claim_echo")
        views = [view for place in named for view in self._view(place)]
        if any(view.is_mostly(size) for view in views):
            return Placed(found="rejected:whole_source")
        return _best(views, forms, lines)

    def _named(self, source: str) -> list[int]:
        """Give the texts of a name: as it was given, else by the one that its path ends in."""
        name = source.strip().strip("`\"'").replace("\\", "/").removeprefix("./")
        exact = [place for place, one in enumerate(self._evidence) if one.name in (name, source)]
        if exact:
            return exact
        parts = PurePosixPath(name).parts
        ending = {
            one.name
            for one in self._evidence
            if parts and PurePosixPath(one.name).parts[-len(parts) :] == parts
        }
        return [place for place, one in enumerate(self._evidence) if len(ending) == 1 and one.name in ending]

    def _view(self, place: int) -> tuple[_View, ...]:
        if place not in self._views:
            self._views[place] = tuple(_views(self._evidence[place]))
        return self._views[place]


def _forms(text: str) -> Iterator[Tokens]:
    """Give the quote as it is, and without the gutter that each of its lines may have."""
    yield tokens_of(text)
    lines = [line for line in re.split(r"\r?\n", text) if line.strip()]
    if lines and all(_GUTTER.match(line) for line in lines):
        yield tokens_of(_GUTTER.sub("", text))


def _same(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two texts say the same, case and the marks at their ends aside."""
    return _bare(words) == _bare(others)


def _bare(words: Sequence[str]) -> list[str]:
    return [word.casefold() for word in words if word not in _SOFT and word != "."]


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """One way to read a text: as it is, or the newer side of a diff."""

    tokens: Tokens
    numbers: Sequence[int]
    marks: Sequence[Marks]
    own: bool
    is_diff: bool

    def is_mostly(self, size: int) -> bool:
        lines = sum(bool(line.strip()) for line in self.tokens.text.split("\n"))
        return lines > _MANY_LINES and size >= _MOST * self.tokens.size

    def places(self, first: int, last: int) -> range:
        """Give the places of the tokens at these lines, as they are numbered."""
        start, end = bisect_left(self.numbers, first), bisect_right(self.numbers, last)
        return self.tokens.within(start + 1, end) if start < end else range(0)

    def lines_of(self, first: int, last: int) -> tuple[int, int]:
        tokens = self.tokens
        return self.numbers[tokens.line(first) - 1], self.numbers[tokens.line(last) - 1]

    def cuts(self, first: int) -> bool:
        """Whether what stands just before turns what begins here."""
        line = self.tokens.line(first) - 1
        marks = self.marks[line] if line < len(self.marks) else self.marks[-1]
        return is_cut(self.tokens, first, marks, diff=self.is_diff and self.own)


def _views(evidence: Evidence) -> Iterator[_View]:
    lines = evidence.text.split("\n")
    numbers = [evidence.first_line + index for index in range(len(lines))]
    marks = list(marks_of_diff(lines)) if evidence.is_diff else [marks_of(evidence.name)]
    yield _View(
        tokens=tokens_of(evidence.text), numbers=numbers, marks=marks, own=True, is_diff=evidence.is_diff
    )
    if evidence.is_diff:
        newer = [
            (number, line, mark)
            for number, line, mark in zip(numbers, lines, marks, strict=True)
            if line[:1] in ("+", " ")
        ]
        yield _View(
            tokens=tokens_of("\n".join(line[1:] for _, line, _ in newer)),
            numbers=[number for number, _, _ in newer] or [1],
            marks=[mark for _, _, mark in newer] or [None],
            own=False,
            is_diff=True,
        )


def _best(views: Sequence[_View], forms: Sequence[Tokens], lines: tuple[int, int]) -> Placed:
    """Give the best place: at the lines that the quote names, else inexactly there, else elsewhere."""
    first, last = min(lines), max(lines)
    elsewhere: list[Placed] = []
    cut = False
    for view, form, start in _matches(views, forms):
        end = start + len(form.words) - 1
        if view.cuts(start):
            cut = True
            continue
        at = view.lines_of(start, end)
        span = (view.tokens.starts[start], view.tokens.ends[end]) if view.own else None
        if first <= at[0] and at[1] <= last:
            return Placed(found="exact", lines=at, span=span)
        elsewhere.append(Placed(found="moved", lines=at, span=span))
    if near := _near(views, forms, first, last):
        return near
    if elsewhere:
        return min(elsewhere, key=lambda one: abs((one.lines or (0, 0))[0] - first))
    return Placed(found="rejected:cut" if cut else "absent")


def _matches(views: Sequence[_View], forms: Sequence[Tokens]) -> Iterator[tuple[_View, Tokens, int]]:
    for view in views:
        for form in forms:
            for start in islice(view.tokens.matches(form.words), _MAX_MATCHES):
                yield view, form, start


def _near(views: Sequence[_View], forms: Sequence[Tokens], first: int, last: int) -> Placed | None:
    """Find the quote at its lines with a marked elision, or without commas, semicolons, quote marks and a last stop."""
    for view in views if last - first < _MAX_NEAR else ():
        places = view.places(first, last)
        for form in forms:
            at = _elided(view, form, places) or _unpunctuated(view, form, places)
            if at is not None:
                return Placed(found="near", lines=view.lines_of(*at))
    return None


def _elided(view: _View, form: Tokens, places: range) -> tuple[int, int] | None:
    """Find the pieces of a quote one after the other; what is left out between them may not turn what they say."""
    pieces = _pieces(form.words)
    if len(pieces) < 2 or not places or any(len(" ".join(piece)) < MIN_QUOTE for piece in pieces):
        return None
    words, at, begun, ended = view.tokens.words, places[0], -1, -1
    for piece in pieces:
        start = next(
            (
                place
                for place in islice(view.tokens.matches(piece, range(at, places[-1] + 1)), _MAX_MATCHES)
                if not view.cuts(place)
            ),
            None,
        )
        if start is None:
            return None
        if ended >= 0 and turns(words, ended + 1, start - 1):
            return None
        begun = start if begun < 0 else begun
        ended = start + len(piece) - 1
        at = ended + 1
    return begun, ended


def _pieces(words: Sequence[str]) -> list[tuple[str, ...]]:
    pieces: list[list[str]] = [[]]
    for word in words:
        if word in _ELISIONS:
            pieces.append([])
        else:
            pieces[-1].append(word)
    return [tuple(piece) for piece in pieces if piece and piece not in (["["], ["]"])]


def _unpunctuated(view: _View, form: Tokens, places: range) -> tuple[int, int] | None:
    wanted = [word for word in form.words if word not in _SOFT]
    if wanted and wanted[-1] == ".":
        wanted.pop()
    kept = [place for place in places if view.tokens.words[place] not in _SOFT]
    words = [view.tokens.words[place] for place in kept]
    if not wanted or not words:
        return None
    text, needle = joined(words), joined(wanted)
    offsets = list(accumulate((len(word) + 1 for word in words), initial=0))
    found = text.find(needle)
    for _ in range(_MAX_MATCHES):
        if found < 0:
            break
        start = bisect_right(offsets, found) - 1
        if not view.cuts(kept[start]):
            return kept[start], kept[start + len(wanted) - 1]
        found = text.find(needle, found + 1)
    return None
