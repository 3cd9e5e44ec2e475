r"""A text kept on one line, reversibly: what could break, move or reorder the line becomes an escape, like `\n`. Pure."""

from __future__ import annotations

import re
from typing import Final

from claimjury.text import is_harmful

__all__ = ["escape_of", "escaped", "unescaped"]

_EMPTY: Final = r"\e"
"""An empty text. No character has this escape, so nothing else is written so."""
_NAMED: Final = {"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
_CHARS: Final = {escape: char for char, escape in _NAMED.items()}
_ESCAPE: Final = re.compile(
    r"\\(?:[\\nrt]|x(?P<x>[0-9A-Fa-f]{2})|u(?P<u>[0-9A-Fa-f]{4})|U(?P<U>00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4}))"
)
# A CI runner obeys `##[group]` and `##vso[task...]` anywhere in a line.
_COMMAND_HASHES: Final = re.compile(r"##(?=(?:vso)?\[)", re.IGNORECASE)


def escaped(text: str) -> str:
    """Give `text` on one line, without blanks at its ends and never empty; `unescaped` gives it back."""
    if not text:
        return _EMPTY
    body = "".join(escape_of(char) if char in _NAMED or is_harmful(char) else char for char in text)
    # What reads a line takes the blanks off its ends.
    if body[0].isspace():
        body = escape_of(body[0]) + body[1:]
    if body[-1].isspace():
        body = body[:-1] + escape_of(body[-1])
    return _COMMAND_HASHES.sub("#" + escape_of("#").replace("\\", r"\\"), body)


def escape_of(char: str) -> str:
    """Give the escape of one character."""
    code = ord(char)
    if char in _NAMED:
        return _NAMED[char]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def unescaped(text: str) -> str:
    """Give the text that `escaped` was given. A backslash that begins no escape, as in an agent's text, stays."""
    return "" if text == _EMPTY else _ESCAPE.sub(_char, text)


def _char(match: re.Match[str]) -> str:
    code = match["x"] or match["u"] or match["U"]
    return chr(int(code, 16)) if code else _CHARS[match[0]]
