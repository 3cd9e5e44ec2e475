"""Tokens of a text, each with its place: two texts say the same where their tokens do, however they are wrapped.

Unicode is folded by NFKC, quote marks and dashes to one of each kind. White space separates and is no token, so it
matters between two words alone. A number with its separators is one token, so no part of it matches.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

__all__ = ["Tokens", "joined", "tokens_of"]

_TOKEN: Final = re.compile(r"\d+(?:[.,_:]\d+)+|\w+|\.{3}|\S")
_ALIKE: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a`\u00b4\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)
_SEPARATOR: Final = "\x1f"
_MAX_MARKS: Final = 30
"""As in Unicode's stream-safe text."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text.

    Attributes:
        words: The tokens, folded.
        starts: Where each begins in the text, in characters.
        ends: Where each ends.
        text: The text.
    """

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    text: str
    _joined: str = field(default="", repr=False)
    _offsets: tuple[int, ...] = field(default=(), repr=False)
    _lines: tuple[int, ...] = field(default=(), repr=False)

    def line(self, place: int) -> int:
        r"""Give the line of a token, counted from 1; lines end at \n or \r\n only."""
        return bisect_right(self._lines, self.starts[place])

    def line_start(self, place: int) -> int:
        """Give where the line of a token begins in the text."""
        return self._lines[self.line(place) - 1]

    def within(self, first: int, last: int) -> range:
        """Give the places of the tokens that begin on these lines, counted from 1."""
        lines = self._lines
        start = lines[first - 1] if 1 <= first <= len(lines) else len(self.text)
        end = lines[last] if last < len(lines) else len(self.text) + 1
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def matches(self, words: tuple[str, ...], within: range | None = None) -> Iterator[int]:
        """Give the places from which on these words stand, one after the other; of `within` alone, if it is given."""
        if not words or within == range(0):
            return
        needle = joined(words)
        start = 0 if within is None else self._offsets[within[0]]
        end = len(self._joined) if within is None else self._end_of(within[-1])
        found = self._joined.find(needle, start, end)
        while found >= 0:
            yield bisect_right(self._offsets, found) - 1
            found = self._joined.find(needle, found + 1, end)

    def _end_of(self, place: int) -> int:
        """Give where the separator after a token ends."""
        return self._offsets[place] + len(self.words[place]) + 2

    @property
    def size(self) -> int:
        """Characters of the text, each run of white space counted as one."""
        return len(" ".join(self.text.split()))


def tokens_of(text: str) -> Tokens:
    """Give the tokens of a text."""
    folded, places = _folded(text)
    words, starts, ends, offsets = [], [], [], []
    at = 0
    for match in _TOKEN.finditer(folded):
        word = match[0]
        words.append(word)
        starts.append(places[match.start()] if places else match.start())
        ends.append((places[match.end() - 1] + 1) if places else match.end())
        offsets.append(at)
        at += len(word) + 1
    lines = [0, *(match.end() for match in re.finditer(r"\n", text))]
    return Tokens(
        tuple(words),
        tuple(starts),
        tuple(ends),
        text,
        joined(words),
        tuple(offsets),
        tuple(lines),
    )


def joined(words: Sequence[str]) -> str:
    """Give tokens as one text in which those of another are found by a search of strings."""
    return f"{_SEPARATOR}{_SEPARATOR.join(words)}{_SEPARATOR}"


def _folded(text: str) -> tuple[str, list[int]]:
    """Give the text folded, and for each of its characters the place that it comes from; no places where none moved."""
    if text.isascii():
        return text.translate(_ALIKE), []
    parts: list[str] = []
    places: list[int] = []
    for start, cluster in _clusters(text):
        part = unicodedata.normalize("NFKC", cluster.translate(_ALIKE)).translate(_ALIKE)
        parts.append(part)
        places += [min(start + index, start + len(cluster) - 1) for index in range(len(part))]
    return "".join(parts), places


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """Give each character with the marks that combine with it, since only together they have one folded form.

    Of many marks, only so many are taken at once: they are put in order, in a time that grows with their square.
    """
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or index - start > _MAX_MARKS or not unicodedata.combining(text[index]):
            yield start, text[start:index]
            start = index
