"""Literals: the value that one has in its language, where that is beyond doubt. Pure."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Final

from claimjury.settlers.syntax.values import Value

__all__ = ["UNKNOWN", "Unknown", "number", "plain_string", "python_literal", "quoted"]

_MAX: Final = 4_000
"""Characters: the longest literal that is worth its value; Python refuses to convert longer integers."""
_INTEGER: Final = re.compile(r"[+-]?(?:0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+|[1-9]\d*|0)")
_DECIMAL: Final = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?")
_OLD_OCTAL: Final = re.compile(r"[+-]?0[0-7]+")


class Unknown:
    """No value, where `None` is one."""


UNKNOWN: Final = Unknown()


def python_literal(text: str) -> Value | Unknown:
    """Give the value of a Python literal: a number, a string, a truth value or None."""
    if len(text) > _MAX:
        return UNKNOWN
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # The parentheses let a string that is several span lines.
            value: object = ast.literal_eval(f"({text}\n)")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return UNKNOWN
    return value if value is None or isinstance(value, bool | int | float | str) else UNKNOWN


def number(text: str, *, suffixes: str = "", octal: bool = False) -> int | float | Unknown:
    """Give the value of a number.

    Args:
        text: As it is written.
        suffixes: A pattern of the types that may follow it; one that begins with f or d makes it no integer.
        octal: Whether a leading zero makes it octal; else such a number has no sure value.
    """
    if len(text) > _MAX:
        return UNKNOWN
    plain, suffix = text.replace("_", ""), ""
    # In `0x1f` and `0x1f32` what looks like a suffix is digits.
    is_hex = plain.lstrip("+-")[:2] in ("0x", "0X")
    match = re.fullmatch(f"(.*?)({suffixes})", plain) if suffixes else None
    if match and not (is_hex and match[2][0] in "fFdD"):
        plain, suffix = match[1], match[2]
    if octal and _OLD_OCTAL.fullmatch(plain):
        return int(plain, 8)
    if _INTEGER.fullmatch(plain):
        value = int(plain, 0)
        return float(value) if suffix[:1] in ("f", "F", "d", "D") else value
    if _DECIMAL.fullmatch(plain) and not _OLD_OCTAL.fullmatch(plain):
        return float(plain) if re.search(r"[.eE]", plain) else UNKNOWN
    return UNKNOWN


def plain_string(text: str, quotes: str) -> str | Unknown:
    """Give what stands between the quotes of a string; unknown where it holds an escape, whose meaning differs."""
    if len(text) < 2 or text[0] not in quotes or text[-1] != text[0] or "\\" in text:
        return UNKNOWN
    return text[1:-1]


def quoted(text: str) -> str | None:
    """Give what a string of any of the languages says; none where it has a prefix, an escape or a part to fill in."""
    value = UNKNOWN if text.startswith(('"""', "'''")) else plain_string(text, "\"'`")
    return value if isinstance(value, str) and "${" not in value else None
