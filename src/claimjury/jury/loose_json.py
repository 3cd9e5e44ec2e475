"""JSON as models write it: strict first, then with comments and trailing commas taken off outside strings.

A repairing parser would close strings and brackets by itself, and so make votes up; this one never does.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

__all__ = ["CONFLICT", "closing", "read_json", "read_loose_json"]

CONFLICT: Final = "\0conflict"
"""The key that marks an object which gives one of its keys two values: it says two things."""
_STRING_OR_COMMENT: Final = r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*(?:[^*]|\*(?!/)){0,400}\*/'
_LOOSE: Final = re.compile(rf"{_STRING_OR_COMMENT}|,(?=\s*[}}\]])", re.DOTALL)
_BRACKETS: Final = re.compile(rf"{_STRING_OR_COMMENT}|[{{}}\[\]]", re.DOTALL)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, item in pairs:
        if name in value and value[name] != item:
            value[CONFLICT] = True
        value[name] = item
    return value


# Not strict: a raw newline or tab inside a string is read as it stands.
_DECODER: Final = json.JSONDecoder(strict=False, object_pairs_hook=_pairs)


def read_json(text: str, start: int) -> tuple[Any, int]:
    """Give the JSON value at `start` and its end; `(None, -1)` where there is none."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, -1


def read_loose_json(text: str, start: int) -> tuple[Any, int]:
    """Give the object at `start`, comments and trailing commas taken off, and its end; `(None, -1)` for none."""
    end = closing(text, start)
    if end < 0:
        return None, -1
    tidy = _LOOSE.sub(lambda match: match[0] if match[0].startswith('"') else "", text[start:end])
    value, read = read_json(tidy, 0)
    return (value, end) if read == len(tidy) else (None, -1)


def closing(text: str, start: int) -> int:
    """Give the end of the bracket that opens at `start`, strings and comments skipped; -1 where it never closes."""
    depth = 0
    for token in _BRACKETS.finditer(text, start):
        if token[0] in "{[":
            depth += 1
        elif token[0] in "}]":
            depth -= 1
            if depth == 0:
                return token.end()
    return -1
