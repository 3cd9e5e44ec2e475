"""JSON as models write it: strict first, then with comments, odd blanks and trailing commas taken off.

A repairing parser would close strings and brackets by itself, and so make votes up; this one never does. Every
pattern reads on from where it began and never back, and a reader counts what it reads: hostile text costs no more
than long text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from json import JSONDecodeError
from typing import Any, Final

__all__ = ["BLANK", "CONFLICT", "Reader", "read_json"]

CONFLICT: Final = "\0conflict"
"""The key that marks an object which gives one of its keys two values: it says two things."""
BLANK: Final = r"\s\ufeff\u200b-\u200d\u2060"
"""White space and zero-width characters, as part of a pattern's set."""
_COMMENT: Final = r"(?>//[^\n]*|/\*(?s:.*?)(?:\*/|\Z))"
_STRING: Final = r'"[^"\\]*+(?:\\(?s:.)[^"\\]*+)*+(?:"|\\?\Z)'
_TIDY: Final = re.compile(
    rf"(?P<string>{_STRING})|{_COMMENT}|,(?=(?:[{BLANK}]|{_COMMENT})*+[}}\]])|(?![ \t\r\n])[{BLANK}]"
)
_TOKEN: Final = re.compile(
    rf'{_STRING}|{_COMMENT}|(?P<open>[{{\[])|(?P<close>[}}\]])|(?P<word>[^{BLANK}"{{}}\[\],:/]++|/)'
)
_GAP: Final = re.compile(rf"(?:[{BLANK},]|{_COMMENT})*+")
_ATOM: Final = re.compile(r"true|false|null|NaN|-?Infinity|-?\d[\d.eE+-]*+")
_MAX_DEPTH: Final = 100
_MAX_WORK: Final = 2_000_000
_LINES: Final = 400
"""A failure at character n costs as much as to read n / 400: its line is counted."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, item in pairs:
        if name in value and value[name] != item:
            value[CONFLICT] = True
        value[name] = item
    return value


# Not strict: a raw newline or tab inside a string is read as it stands.
_DECODER: Final = json.JSONDecoder(strict=False, object_pairs_hook=_pairs)


def read_json(text: str) -> Any:
    """Give the JSON value that `text` is, or None where it is none."""
    bare = text.strip()
    value, end = Reader(bare).read_strictly(0)
    return value if end == len(bare) else None


@dataclass(slots=True)
class Reader:
    """Reads objects out of one text.

    Attributes:
        text: What is read.
        left: How many more characters may be read in all, over and over.
    """

    text: str
    left: int = _MAX_WORK

    @property
    def short(self) -> bool:
        """Whether the work is used up. As much again is left for reading strictly, which is fast."""
        return self.left <= 0

    def skip(self, start: int) -> int:
        """Give where the blanks, commas and comments that begin at `start` end."""
        gap = None if self.short else _GAP.match(self.text, start)
        end = start if gap is None else gap.end()
        self.left -= end - start
        return end

    def read(self, start: int) -> tuple[Any, int]:
        """Give the object at `start` and its end, read strictly or else tidied; `(None, -1)` where there is none."""
        value, end = self.read_strictly(start)
        if end >= 0:
            return value, end
        end = self.closing(start)
        if end < 0:
            return None, -1
        tidy = _TIDY.sub(lambda match: match["string"] or " ", self.text[start:end])
        value, read = Reader(tidy).read_strictly(0)
        return (value, end) if read == len(tidy) else (None, -1)

    def read_strictly(self, start: int) -> tuple[Any, int]:
        """Give the JSON value at `start` and its end; `(None, -1)` where there is none."""
        if self.left <= -_MAX_WORK:
            return None, -1
        reached = len(self.text)
        try:
            value, reached = _DECODER.raw_decode(self.text, start)
        except (ValueError, RecursionError) as error:
            if isinstance(error, JSONDecodeError) and not error.msg.startswith("Unterminated"):
                reached = error.pos
            self.left -= reached // _LINES
            return None, -1
        finally:
            self.left -= reached - start
        return value, reached

    def closing(self, start: int, *, lax: bool = False) -> int:
        """Give the end of the bracket that opens at `start`; -1 where it does not close, or holds what JSON cannot.

        Lax, it may hold anything, and a bracket that closes takes along those left open inside.
        """
        if self.short:
            return -1
        opened: list[str] = []
        reached = len(self.text)
        for token in _TOKEN.finditer(self.text, start):
            if not _fits(token, opened, lax=lax):
                reached = token.end()
                break
            if not opened:
                self.left -= token.end() - start
                return token.end()
        self.left -= reached - start
        return -1


def _fits(token: re.Match[str], opened: list[str], *, lax: bool) -> bool:
    """Take `token` into account; whether it may stand there."""
    if token.lastgroup == "open":
        opened.append(token[0])
        return len(opened) <= _MAX_DEPTH
    if token.lastgroup == "close":
        opening = "{" if token[0] == "}" else "["
        while opened and opened.pop() != opening:
            if not lax or not opened:
                return False
        return True
    return lax or token.lastgroup is None or _ATOM.fullmatch(token[0]) is not None
