"""Which legacy encoding is this? A guess, and always called one: bytes do not say how they were written.

charset-normalizer judges prose well and source code badly, where a comment has one accent in a thousand
letters. So it sees only the lines that are not ASCII, and two shapes that it misjudges when they are short
are told apart first: East Asian pairs, and Western letters strewn among ASCII ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from charset_normalizer import from_bytes

__all__ = ["guess"]

_SAMPLE: Final = 200_000
"""Bytes."""
_LATIN: Final = ("cp1252", "cp1250", "cp1254")
_OTHERS: Final = ("gb18030", "cp932", "euc_jp", "cp949", "big5", "cp1251", "cp1253", *_LATIN)
_RUN: Final = re.compile(rb"[\x80-\xff]+")
_STREWN: Final = re.compile(
    rb"(?<![\x80-\xff])(?:[\x80-\xff]|(?<=[A-Za-z])[\x80-\xff]{2,3}|[\x80-\xff]{2,3}(?=[A-Za-z]))(?![\x80-\xff])"
)
_WESTERN: Final = re.compile(r"[€…‘’“”–—™ŠŒŽšœžŸ\xa0¡£§©«®°·»¿À-ÖØ-öø-ÿ]")
_KOREAN: Final = frozenset("이다는에을의가고하한지은를로서")
_NEAR: Final = 0.02
"""charset-normalizer's chaos is a share of odd characters; so close together, it tells nothing."""
_MAX_CHAOS: Final = 0.15
"""For Latin: Shift JIS katakana, read as cp1252, has 0.167."""


def guess(data: bytes) -> str | None:
    """Give the name of an encoding that reads all of `data`, or None where none is likely.

    The name is one of Python's. `data` is neither ASCII nor UTF-8.
    """
    sample = _lines_in_question(data)
    likely = [*_of_pairs(sample), *_latin(sample), *_ranked(sample, _OTHERS)]
    return next((name for name in likely if _reads(data, name)), None)


def _lines_in_question(data: bytes) -> bytes:
    """Give the lines that are not ASCII, whole, since half a character would rule its encoding out."""
    held: list[bytes] = []
    size = 0
    for line in data.split(b"\n"):
        if not line.isascii():
            held.append(line)
            size += len(line)
        if size > _SAMPLE:
            break
    sample = b"\n".join(held)
    # A blank is the second byte of no character in any of these encodings.
    blank = sample.rfind(b" ", 0, _SAMPLE) if size > _SAMPLE else -1
    return sample if blank < 0 else sample[:blank]


def _reads(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _of_pairs(sample: bytes) -> list[str]:
    """Give the Korean or the Chinese encoding, where all that is not ASCII comes in pairs and the pairs are common.

    Of Chinese, common are the 3,755 characters of rows 16 to 55, and punctuation.
    """
    runs = _RUN.findall(sample)
    if any(len(run) % 2 for run in runs):
        return []
    if _korean(sample):
        return ["cp949"]
    leads = b"".join(run[::2] for run in runs)
    common = sum(0xB0 <= lead <= 0xD7 or 0xA1 <= lead <= 0xA3 for lead in leads)
    return ["gbk", "gb18030"] if common >= 0.9 * len(leads) else []


def _korean(sample: bytes) -> bool:
    """Whether all of it reads as Hangul with its commonest syllables, which as Chinese would be rare characters."""
    letters = re.sub(r"[\0-\x7f]", "", sample.decode("cp949", "replace"))
    common = sum(letter in _KOREAN for letter in letters)
    return all("가" <= letter <= "힣" for letter in letters) and common >= 0.1 * len(letters)


def _latin(sample: bytes) -> list[str]:
    """Give the Latin code pages that are likely, where most of what is not ASCII stands alone or in a word of it."""
    if 2 * len(_STREWN.findall(sample)) < len(_RUN.findall(sample)):
        return []
    ranked = _ranked(sample, _LATIN, max_chaos=_MAX_CHAOS)
    if ranked:
        return sorted(ranked, key=_LATIN.index)
    # Of one sign in three words, the library says nothing at all.
    signs = re.sub(r"[\0-\x7f]", "", sample.decode("cp1252", "replace"))
    return ["cp1252"] if len(_WESTERN.findall(signs)) == len(signs) else []


def _ranked(sample: bytes, encodings: Sequence[str], *, max_chaos: float = 1) -> list[str]:
    """Give those of `encodings` that charset-normalizer finds as likely as its best one, in its order."""
    matches = list(from_bytes(sample, cp_isolation=list(encodings)))
    least = min((match.chaos for match in matches), default=1.0)
    near = [match for match in matches if match.chaos <= min(least + _NEAR, max_chaos)]
    coherence = max((match.coherence for match in near), default=0.0)
    best = [match for match in near if match.coherence >= coherence]
    names = [name for match in best for name in (match.encoding, *match.could_be_from_charset)]
    return [name for name in names if name in encodings]
