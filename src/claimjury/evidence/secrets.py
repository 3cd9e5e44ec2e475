"""Secrets in texts: what has the form of a key, a token or a password is not sent, unless the user says so.

A text is looked through whole, before lines are cut, clipped or framed: what stands around a secret is what it is known by.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from claimjury.evidence.private_keys import find_keys
from claimjury.evidence.secret_forms import NAMED, Span, spans_in
from claimjury.text import clean_line, clip

__all__ = ["Bare", "Secret", "excerpt_of", "find_secrets", "redact", "secrets_within", "without_secrets"]

_PART: Final = 6_000
_OVERLAP: Final = 2_000
"""Characters that two parts of one line have in common."""
_SHARED: Final = 500
"""Characters that two parts have in common at least: a login may take several lines."""
_KEY: Final = "Private key"
_TELLING: Final = 8
"""Characters from which on a value is looked for in the whole text, wherever it was known by its form."""
_TOKEN: Final = re.compile(r"[\w./+=-]*")
_MAX_COMPARED: Final = 2_000_000_000
_HIDDEN: Final = "a line that cannot be shown without it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """What has the form of a secret.

    Attributes:
        rule: The form.
        line: Counted from 1.
        start: Where it begins in the text, in characters.
        end: Where it ends.
    """

    rule: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bare:
    """A text without its secrets, every line in its place.

    Attributes:
        text: The text.
        lines: The first and the last line of each secret that was taken out.
    """

    text: str
    lines: tuple[tuple[int, int], ...] = ()

    def count(self, first: int, last: int) -> int:
        """Count the secrets that stood in these lines."""
        return sum(begin <= last and first <= end for begin, end in self.lines)


def find_secrets(text: str, *, diff: bool = False) -> list[Secret]:
    """Give what in a text has the form of a secret, in order; what overlaps counts once.

    Args:
        text: The whole text.
        diff: Whether it is a diff: its hunks show keys without what they begin with.
    """
    spans = [Span(_KEY, start, end) for start, end in find_keys(text, diff=diff)]
    spans += (
        Span(rule, at + start, at + end) for at, part in _parts(text) for rule, start, end in spans_in(part)
    )
    if not spans:
        return []
    spans = _merged(text, spans)
    merged = _merged(text, [*spans, *_again(text, spans)])
    ends = _line_ends(text)
    return [
        Secret(rule=rule, line=bisect_right(ends, start) + 1, start=start, end=end)
        for rule, start, end in merged
    ]


def without_secrets(text: str, *, diff: bool = False) -> Bare:
    """Give a text without its secrets, and where they stood."""
    found = find_secrets(text, diff=diff)
    lines = tuple((one.line, one.line + text.count("\n", one.start, one.end)) for one in found)
    return Bare(text=redact(text, found), lines=lines)


def secrets_within(found: Iterable[Secret], start: int, end: int, first_line: int) -> list[Secret]:
    """Give the secrets of a text that stand in a part of it, as they stand there, each cut to it.

    Args:
        found: Those of the whole text.
        start: Where the part begins in it.
        end: Where it ends.
        first_line: The number of the line at which the part begins.
    """
    return [
        Secret(
            rule=one.rule,
            line=max(one.line - first_line + 1, 1),
            start=max(one.start - start, 0),
            end=min(one.end, end) - start,
        )
        for one in found
        if one.start < end and one.end > start
    ]


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """Give a text with each secret replaced by a mark that names its form; no line is added or lost."""
    parts: list[str] = []
    at = 0
    for secret in secrets:
        lost = text.count("\n", secret.start, secret.end)
        parts += [text[at : secret.start], f"[REDACTED: {secret.rule}]", "\n" * lost]
        at = secret.end
    return "".join([*parts, text[at:]])


def excerpt_of(text: str, secret: Secret, found: Sequence[Secret]) -> str:
    """Give the line of a secret without it and without every other one of those that were found."""
    begin = text.rfind("\n", 0, secret.start) + 1
    end = text.find("\n", secret.start)
    end = len(text) if end < 0 else end
    line = redact(text[begin:end], secrets_within(found, begin, end, secret.line))
    values = {part for one in found for part in text[one.start : one.end].split("\n")}
    if any(len(value) > 3 and value in line for value in values):
        return _HIDDEN
    return clip(clean_line(line), 160)


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Cut a text into parts that overlap, each of which begins with a line where its lines are not too long."""
    at = 0
    while at < len(text):
        end = at + _PART
        if end >= len(text):
            yield at, text[at:]
            return
        yield at, text[at:end]
        line = text.rfind("\n", end - _OVERLAP, end - _SHARED)
        at = line + 1 if line >= 0 else end - _OVERLAP


def _again(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Give every other place of a value that is known: beside another name its form may not tell."""
    values = {text[start:end]: rule for rule, start, end in spans if rule != _KEY}
    long = [value for value in values if len(value) >= _TELLING and not value.isalpha()]
    telling = set(long[: _MAX_COMPARED // max(len(text), 1)])
    for value in telling:
        yield from _places(text, value, values[value], 0, len(text))
    short = {
        (text[start:end], rule, text.rfind("\n", 0, start) + 1)
        for rule, start, end in spans
        if rule != _KEY and text[start:end] not in telling
    }
    for value, rule, first in short:
        last = text.find("\n", first)
        for span in _places(text, value, rule, first, len(text) if last < 0 else last):
            around = text[max(span.start - 1, 0) : span.start] + text[span.end : span.end + 1]
            if not any(map(str.isalnum, around)):
                yield span


def _places(text: str, value: str, rule: str, start: int, end: int) -> Iterator[Span]:
    at = text.find(value, start, end)
    while at >= 0:
        yield Span(rule, at, at + len(value))
        at = text.find(value, at + len(value), end)


def _merged(text: str, spans: Iterable[Span]) -> list[Span]:
    """Give the spans in order, each to its token's end, those that overlap as one.

    What is known by its form is not told by the name beside it.
    """
    merged: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, one.rule == NAMED, -one.end)):
        if not merged or span.start >= merged[-1].end:
            merged.append(span._replace(end=_whole(text, span)))
            continue
        last = merged[-1]
        rule = span.rule if last.rule == NAMED or span.rule == _KEY else last.rule
        end = last.end if span.end <= last.end else _whole(text, span)
        merged[-1] = Span(rule, last.start, end)
    return merged


def _whole(text: str, span: Span) -> int:
    """Give where the token of a span ends: some forms give the part that they know it by alone."""
    if span.rule in (NAMED, _KEY):
        return span.end
    rest = _TOKEN.match(text, span.end)
    return rest.end() if rest else span.end


def _line_ends(text: str) -> list[int]:
    ends: list[int] = []
    at = text.find("\n")
    while at >= 0:
        ends.append(at)
        at = text.find("\n", at + 1)
    return ends
