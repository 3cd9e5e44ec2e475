"""Bytes to text, with the encoding named. A guess is called one, what is replaced is counted, nothing binary is sent."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Final

from claimjury.errors import SourceNotText

__all__ = ["Decoded", "decode"]

_ASCII: Final = bytes(range(128))
_NEVER_IN_TEXT: Final = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x1a\x1b"))
_MAX_REPLACED: Final = 0.05
"""A share of the characters. Over it, the bytes are another encoding, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """Text as read from bytes.

    Attributes:
        text: Without its byte-order mark.
        encoding: Python's name of the encoding.
        replaced: Count of characters that stand for bytes which are none in that encoding (U+FFFD).
        guessed: Whether nothing in the bytes declares or proves the encoding.
    """

    text: str
    encoding: str
    replaced: int = 0
    guessed: bool = False


def decode(data: bytes, shown: str, *, noun: str = "source") -> Decoded:
    """Give the text of `data`. `noun` and `shown` say in messages what it is and which.

    Raises:
        SourceNotText: The bytes are binary (a NUL byte, unless a mark says UTF-16) or no text that can be told.
    """
    shown = f"{noun} {shown}"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _utf16(data, shown)
    if (nul := data.find(b"\0")) >= 0:
        raise _binary(shown, f"byte {nul} is NUL")
    marked = data.startswith(codecs.BOM_UTF8)
    encoding = "utf-8-sig" if marked else "utf-8"
    try:
        return Decoded(text=data.decode(encoding), encoding=encoding)
    except UnicodeDecodeError:
        return _broken(data, encoding, shown) if marked or _is_mostly_utf8(data) else _legacy(data, shown)


def _utf16(data: bytes, shown: str) -> Decoded:
    # The codec takes the mark off and reads the order of bytes from it.
    decoded = _with_replacements(data, "utf-16", shown)
    if (nul := decoded.text.find("\0")) >= 0:
        raise _binary(shown, f"character {nul} is NUL")
    return decoded


def _broken(data: bytes, encoding: str, shown: str) -> Decoded:
    decoded = _with_replacements(data, encoding, shown)
    return Decoded(
        text=decoded.text,
        encoding=encoding,
        replaced=decoded.replaced,
        guessed=encoding == "utf-8",
    )


def _legacy(data: bytes, shown: str) -> Decoded:
    if len(data.translate(None, _NEVER_IN_TEXT)) < len(data):
        raise _binary(shown, "it holds control characters, and is not UTF-8")
    # Loaded only here: most files are UTF-8, and it takes 50 ms.
    from claimjury.evidence.guessing import guess

    encoding = guess(data)
    if encoding is None:
        raise _not_told(data, shown)
    return Decoded(text=data.decode(encoding), encoding=encoding, guessed=True)


def _with_replacements(data: bytes, encoding: str, shown: str) -> Decoded:
    text = data.decode(encoding, "replace")
    replaced = text.count("\ufffd") - data.decode(encoding, "ignore").count("\ufffd")
    if replaced > max(1, _MAX_REPLACED * len(text)):
        raise _not_told(data, shown)
    return Decoded(text=text, encoding=encoding, replaced=replaced)


def _is_mostly_utf8(data: bytes) -> bool:
    """Whether three quarters of what is not ASCII are well-formed UTF-8, which hardly happens by chance."""
    high = len(data.translate(None, _ASCII))
    formed = len(data.decode("utf-8", "ignore").encode().translate(None, _ASCII))
    return formed >= 0.75 * high


def _binary(shown: str, why: str) -> SourceNotText:
    return SourceNotText(f"The {shown} is binary: {why}.", hint="Send text; for a binary, a listing of it.")


def _not_told(data: bytes, shown: str) -> SourceNotText:
    try:
        data.decode("utf-8")
        where = ""
    except UnicodeDecodeError as error:
        where = f" (byte {error.start} is 0x{data[error.start]:02x})"
    return SourceNotText(
        f"The {shown} is not UTF-8{where}, and its encoding cannot be told.",
        hint="Convert it to UTF-8, for example with `iconv -f ENCODING -t utf-8`.",
    )
