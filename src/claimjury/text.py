"""Text from strangers, made safe to show.

A juror's words, a claim and a file's name can carry control characters, ANSI sequences, bidi overrides
(CVE-2021-42574) or workflow commands that a CI runner would obey. What is shown to a person, an agent or a
log passes through `clean`; what is written as JSON keeps every character, the harmful ones escaped.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

__all__ = [
    "clean",
    "clean_line",
    "clip",
    "fold_blanks",
    "is_harmful",
    "safe_json",
    "show_bytes",
    "show_harmful",
]

# ECMA-48: CSI; OSC, DCS, SOS, PM and APC up to their terminator; then any other two-byte escape.
_ANSI = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
# GitHub obeys `::error file=x::` after any blanks at a line's start, and `##[group]` anywhere in a line
# (actions/runner, ActionCommand.cs); Azure obeys `##vso[task...]` anywhere. An opening without its bracket goes
# too: what is printed after it may hold one.
_COMMAND_AT_START = re.compile(r"^[^\S\n]*(?:::[A-Za-z][\w-]*(?:[ \t][^\n]*?)?::[^\S\n]*)+", re.MULTILINE)
_COMMAND_ANYWHERE = re.compile(
    r"(^[^\S\n]*)?(?:##(?:vso)?\[(?:[^\[\]\n]*\])?)+", re.MULTILINE | re.IGNORECASE
)
_COMMAND_HASHES = re.compile(r"##(?=(?:vso)?\[)", re.IGNORECASE)
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LINE_SEPARATORS = frozenset("\u2028\u2029\x85")


def is_harmful(char: str) -> bool:
    """Whether a single character can move, hide or reorder what is shown around it."""
    if char in "\n\t":
        return False
    return char in _BIDI or char in _LINE_SEPARATORS or unicodedata.category(char) in ("Cc", "Cs", "Co")


def clean(text: str) -> str:
    """Give `text` without ANSI sequences, control characters, bidi overrides and workflow commands.

    Newlines and tabs stay. Emoji, right-to-left letters and markup of our own renderer stay: they are text.
    """
    text = _ANSI.sub("", text.replace("\r\n", "\n"))
    text = "".join(" " if char in _LINE_SEPARATORS else "" if is_harmful(char) else char for char in text)
    return _without_commands(text)


def fold_blanks(text: str) -> str:
    """Give `text` on one line: every run of white space becomes one blank."""
    return " ".join(text.split())


def clean_line(text: str) -> str:
    """Give `text` cleaned and on one line."""
    return fold_blanks(_without_commands(fold_blanks(clean(text))))


def _without_commands(text: str) -> str:
    # Within a line a blank takes a command's place: what stands around it cannot close up into another.
    text = _COMMAND_ANYWHERE.sub(lambda match: " " if match[1] is None else "", text)
    return _COMMAND_AT_START.sub("", text)


def clip(text: str, limit: int) -> str:
    """Give at most `limit` characters of `text`, and say so where some were cut."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]} [cut: {len(text):,} characters in all]"


def show_bytes(count: int) -> str:
    """Give a count of bytes for people: `1,234 bytes`."""
    return f"{count:,} byte{'' if count == 1 else 's'}"


def show_harmful(text: str) -> str:
    r"""Give `text` with each harmful character as an escape that can be read, like `\x1b`; nothing is left out."""
    return "".join(ascii(char)[1:-1] if is_harmful(char) else char for char in text)


def safe_json(value: Any, *, indent: int | None = 2) -> str:
    r"""Give `value` as JSON that says the same and acts on no terminal and no runner: what is harmful as `\uXXXX`."""
    dumped = json.dumps(value, ensure_ascii=False, indent=indent)
    dumped = _COMMAND_HASHES.sub(r"#\\u0023", dumped)
    if dumped.isascii():
        return dumped.replace("\x7f", "\\u007f")
    return "".join(_escape(char) if is_harmful(char) else char for char in dumped)


def _escape(char: str) -> str:
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
