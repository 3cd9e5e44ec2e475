"""Whether a text may stand in a file in another form: broken over lines, marked, or with other quotes. Pure."""

from __future__ import annotations

import html
import re
import string
from typing import Final

from claimjury.settlers.search import folded, word_pattern

__all__ = ["LIKE_NUMBER", "bones", "may_hold", "whole_line", "whole_text"]

LIKE_NUMBER: Final = re.compile(r"[-+]?\d[\d_,]*(?:\.\d+)?\Z")
"""What is said like a number, though no language may read it so."""
_MAX: Final = 20_000_000
"""Characters: in a longer file nothing is looked for in other forms, and it may hold anything."""
_LONG_WORD: Final = 8
"""Letters: a shorter word may arise from what two others end and begin with."""
_NO_BONES: Final = (string.punctuation + string.whitespace).encode()
_PUNCTUATION: Final = string.punctuation.encode()
_MARKUP: Final = re.compile(
    r"<[^<>\n]{0,300}>"  # a tag, or an address
    r"|\]\([^()\n]{0,300}\)|\]\[[^\]\n]{0,100}\]"  # what a link leads to
    r"|\\(?:[abefnrtv0]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})"  # an escape
    r"|[\"'`]\s{0,200}(?:[+.&\\]\s{0,200})?[rbfuRBFUL]{1,2}(?=[\"'])"  # the prefix of the next part of a string
    r"|-[ \t]*\n\W{0,100}"  # a word that is broken
)


def bones(text: str) -> str:
    """Give the letters and digits of a text, without case."""
    plain = folded(text)
    if plain.isascii():
        return plain.encode().translate(None, _NO_BONES).decode()
    return re.sub(r"[\W_]+", "", plain)


def may_hold(text: str, said: str) -> bool:
    """Whether a file of this text may hold another in any form: only its letters and digits are compared."""
    wanted = bones(said)
    if not wanted or len(text) > _MAX:
        return True
    strip = _words if said.strip().isalnum() and len(wanted) < _LONG_WORD else bones
    return wanted in strip(text) or wanted in strip(html.unescape(_MARKUP.sub("", text)))


def _words(text: str) -> str:
    """Give a text without punctuation and case."""
    plain = folded(text)
    if plain.isascii():
        return plain.encode().translate(None, _PUNCTUATION).decode()
    return re.sub(r"[^\w\s]+|_", "", plain)


def whole_text(said: str) -> re.Pattern[str]:
    """Give what finds a text that no longer word holds: `--verbose` not in `--verbose-errors`, `1.2` not in `1.2.3`."""
    return word_pattern(said, points=".,")


def whole_line(said: str) -> re.Pattern[str]:
    """Give what finds a text as a line of its own, indented or not."""
    return re.compile(rf"^[ \t]*{re.escape(said.strip())}[ \t\r]*$", re.MULTILINE)
