"""Whether a value that is said is the one that a source gives a constant."""

from __future__ import annotations

import re
from typing import Final

from claimjury.settlers.syntax import Constant
from claimjury.settlers.texts import LIKE_NUMBER, bones

__all__ = ["NUMBER", "other_unit", "same_value"]

_MAX: Final = 300
"""Characters of a value: longer ones are not compared."""
_VERSION: Final = re.compile(r"v?\d+(?:\.\d+)+(?:[A-Za-z]\w*)?(?:[-+.]\w+)*\Z")
NUMBER: Final = re.compile(r"-?(?:0|[1-9][\d_]*)(?:\.\d+)?\Z", re.ASCII)
_DECIMAL: Final = re.compile(r"-?(?:0|[1-9][\d_]*)(?:\.\d+)?(?![xXoObB])(?:[A-Za-z]\w*)?\Z", re.ASCII)
_NOTHING: Final = frozenset({"None", "null", "nil", "undefined"})
_KEPT: Final = frozenset({"True", "False", "true", "false", *_NOTHING})
"""Words that languages keep for a value."""
_UNITS: Final = (
    *(60, 100, 1000, 1024, 1440, 3600, 60_000, 86_400, 1_000_000, 1_048_576, 3_600_000, 86_400_000),
    1_000_000_000,
)
"""How many of one unit another one is: seconds and minutes, a share and percent, bytes and KiB."""


def same_value(said: str, constant: Constant, *, quoted: bool) -> bool | None:
    """Whether a text is the value; None where the two differ in kind or in part only, or the text may be no value."""
    text, value = constant.text.strip(), constant.value
    if max(len(said), len(text)) > _MAX:
        return None
    if said == text:
        return True
    if isinstance(value, str):
        return _same_text(said, text, value, quoted=quoted)
    if isinstance(value, bool) or value is None:
        return _same_word(said, text, quoted=quoted)
    return _same_number(said, text, value)


def _same_text(said: str, text: str, value: str, *, quoted: bool) -> bool | None:
    bare = _unquoted(said)
    unsure = LIKE_NUMBER.match(said) or said in _KEPT or "\\" in said + text
    if bare == value:
        return None if unsure else True
    ours, theirs = bones(bare), bones(value)
    # `30` and "30s", `http` and "https", `1.2` and "1.2.0": a part of the value may be meant.
    if unsure or not quoted or ours in theirs or theirs in ours:
        return None
    versions = all(map(_VERSION.match, (said, value))) and _release(said) != _release(value)
    return False if versions or bare != said else None


def _same_word(said: str, text: str, *, quoted: bool) -> bool | None:
    """Compare with a truth value, or with none at all."""
    if bones(said) == bones(text) or {said, text} <= _NOTHING or not quoted:
        return None
    return False if said in _KEPT or _unquoted(said) != said else None


def _same_number(said: str, text: str, value: float) -> bool | None:
    if not (NUMBER.match(said) and _DECIMAL.match(text)):
        return None
    bare = said.replace("_", "")
    whole, fraction = isinstance(value, int), bare.partition(".")[2]
    if whole and not fraction:
        return True if int(bare) == value else None if other_unit(int(bare), value) else False
    number = float(bare)
    if fraction and not whole and number == value:
        return True
    # It may be said rounded, or of the other kind: 3 for 3.0.
    if number == value or round(value, len(fraction)) == number or other_unit(number, value):
        return None
    return False


def _unquoted(said: str) -> str:
    return said[1:-1] if len(said) > 1 and said[0] == said[-1] and said[0] in "'\"`" else said


def _release(version: str) -> list[int]:
    numbers = [int(part) for part in re.findall(r"\d+", version)]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers


def other_unit(said: float, value: float) -> bool:
    """Whether two numbers may be one amount in two units: 30 seconds are 30000 milliseconds, and 0.8 is 80 percent."""
    less, more = sorted((abs(said), abs(value)))
    return less > 0 and any(abs(more - less * unit) <= 1e-9 * more for unit in _UNITS)
