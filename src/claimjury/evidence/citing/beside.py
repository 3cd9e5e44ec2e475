"""Beside: what a text says stands at the place that it cites: an identifier in backticks, or a quote.

Only where nothing but words like `in`, `at`, `defines` stands between; a sentence that says something is gone claims nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from claimjury.evidence.citing.finding import Citation

__all__ = ["Beside", "named_beside", "named_by_link"]

_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*(?:\([^()`]{0,80}\))?!?")
_CODE: Final = re.compile(r"(?<!`)`([^`\n]{2,200})`(?!`)")
_QUOTE: Final = re.compile('["\u201c]([^"\u201c\u201d\n]{12,200})["\u201d]')
_LINKED: Final = re.compile(
    r"in|at|on|is|its|the|a|an|of|from|see|defined|declared|lives|sits|found|set|line|lines|function|method|class|constant|"
    r"variable|field|struct|interface|type|test|helper|here|now|that|which|and"
)
_SAYING: Final = re.compile(
    r"is|the|a|an|defines|declares|has|holds|contains|says|reads|sets|returns|calls|raises|exports|function|method|class|constant|"
    r"variable|field|struct|interface|type|test|helper|where|in|of"
)
_GONE: Final = re.compile(
    r"\b(?:remov\w*|delet\w*|renam\w*|drop(?:ped|s)?|gone|replac\w*|mov(?:ed|es|ing)|no longer|used to|instead of|was|were|"
    r"not|n't|never|without|missing|should|would|could|add|adds|rather than|unlike|similar|like|formerly|previously|old)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(r"[A-Za-z]+")
_SENTENCE: Final = re.compile(
    r"(?<=[.!?])[\s*_)\"\u201d]+(?=[A-Z\u00c0-\u00de`\[*_(\"\u201c\x00])|\n[ \t]*(?:\n|[-*+][ \t]|\d+[.)][ \t]|\||#)"
)
_MAX_BETWEEN: Final = 40
_MAX_SENTENCE: Final = 1_000
_MARK: Final = "\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What should stand there: the words that are looked for, and what the text has."""

    kind: Literal["symbol", "quote"]
    text: str
    wanted: str


def named_beside(prose: str, citations: Sequence[Citation]) -> list[Citation]:
    """Give the citations with what the text says stands there."""
    bare = _without_citations(prose, citations)
    sentences = _Sentences.of(bare)
    return [
        replace(one, beside=(*one.beside, *_beside(bare, one, sentences)))
        if one.line and one.form != "frame"
        else one
        for one in citations
    ]


def named_by_link(text: str) -> tuple[Beside, ...]:
    """Give what the text of a link says stands at its target: an identifier in backticks, and nothing else."""
    match = _CODE.fullmatch(text.strip())
    found = _as_beside(match) if match else None
    return (found,) if found is not None and found.kind == "symbol" else ()


def _without_citations(prose: str, citations: Sequence[Citation]) -> str:
    """Give the text with a mark in the place of each citation and of the backticks around it."""
    parts: list[str] = []
    at = 0
    for one in citations:
        begin, end = one.start, one.start + len(one.text)
        if one.spaced and prose[:begin].endswith(one.spaced[: -len(one.path)]):
            begin -= len(one.spaced) - len(one.path)
        if prose[begin - 1 : begin] == "`" == prose[end : end + 1]:
            begin, end = begin - 1, end + 1
        begin = max(begin, at)
        parts += [prose[at:begin], _MARK * (end - begin)]
        at = end
    return "".join([*parts, prose[at:]])


def _beside(bare: str, one: Citation, sentences: _Sentences) -> list[Beside]:
    begin, end = one.start, one.start + len(one.text)
    left, right = sentences.around(begin, end)
    before, after = bare[left:begin].rstrip(_MARK), bare[end:right].lstrip(_MARK)
    if _GONE.search(_without_code(f"{before} {after}")):
        return []
    # What stands beyond another citation belongs to that one.
    found = [_before(before.rpartition(_MARK)[2]), _after(after.partition(_MARK)[0])]
    return [row for row in found if row is not None]


@dataclass(frozen=True, slots=True)
class _Sentences:
    """Where the sentences of a text begin and end."""

    ends: Sequence[int]
    starts: Sequence[int]
    length: int

    @classmethod
    def of(cls, bare: str) -> _Sentences:
        breaks = list(_SENTENCE.finditer(bare))
        return cls([match.start() for match in breaks], [match.end() for match in breaks], len(bare))

    def around(self, begin: int, end: int) -> tuple[int, int]:
        """Give the part between the breaks before and after a place; a long one is cut to what is close by."""
        before = bisect_right(self.starts, begin) - 1
        after = bisect_left(self.ends, end)
        left = self.starts[before] if before >= 0 else 0
        right = self.ends[after] if after < len(self.ends) else self.length
        return max(left, begin - _MAX_SENTENCE), min(right, end + _MAX_SENTENCE)


def _without_code(text: str) -> str:
    return _QUOTE.sub(" ", _CODE.sub(" ", text))


def _before(text: str) -> Beside | None:
    """Give what ends just before the citation, as in "`parse` in a.py:3" or "`parse` (a.py:3)"."""
    last = _last(text)
    if last is None:
        return None
    between = text[last.end() :]
    if not _joins(between.rstrip("`*_(["), _LINKED):
        return None
    return _as_beside(last)


def _after(text: str) -> Beside | None:
    """Give what begins just after it, as in "a.py:3 defines `parse`" or "a.py:3 (`parse`)"."""
    text_from = text.lstrip("`*_")
    first = min(
        filter(None, [_CODE.search(text_from), _QUOTE.search(text_from)]),
        key=lambda m: m.start(),
        default=None,
    )
    if first is None:
        return None
    between = text_from[: first.start()]
    if not _joins(between, _SAYING) or not (between.strip(" \t*_") or between.count(" ") == 0):
        return None
    tail = text_from[first.end() : first.end() + 1]
    if between.strip(" \t*_`") in (",", ";", ".", ")", "),", ").") or (
        between.strip().startswith((",", ".", ")", ";"))
    ):
        return None
    return None if tail == ":" and not between.strip() else _as_beside(first)


def _last(text: str) -> re.Match[str] | None:
    found = None
    for pattern in (_CODE, _QUOTE):
        for match in pattern.finditer(text):
            if found is None or match.end() > found.end():
                found = match
    return found


def _joins(between: str, words: re.Pattern[str]) -> bool:
    """Whether only joining words and marks stand between."""
    bare = between.strip()
    if len(bare) > _MAX_BETWEEN or re.search(r"[.,;!?\n]", bare):
        return False
    return all(words.fullmatch(word.lower()) for word in _WORDS.findall(bare)) and not re.search(r"\d", bare)


def _as_beside(match: re.Match[str]) -> Beside | None:
    text = match[1].strip()
    if match[0][0] != "`":
        return Beside(kind="quote", text=text, wanted=text)
    if _IDENTIFIER.fullmatch(text):
        name = re.split(r"\.|::|#|->", text.partition("(")[0].rstrip("!"))[-1]
        return Beside(kind="symbol", text=text, wanted=name) if len(name) > 1 else None
    return Beside(kind="quote", text=text, wanted=text) if len(text) >= 12 and " " in text else None
