"""Bytes to text, with the encoding named. Nothing is guessed without a word, nothing binary is sent."""

from __future__ import annotations

import codecs
from typing import Final

from claimjury.errors import SourceNotText

__all__ = ["decode"]

_UTF8_BOM: Final = codecs.BOM_UTF8


def decode(data: bytes, shown: str) -> tuple[str, str]:
    """Give the text of `data` and the name of its encoding. A byte-order mark is not part of the text.

    Raises:
        SourceNotText: The bytes are binary (a NUL byte) or not UTF-8; the first wrong byte is named.
    """
    if (nul := data.find(b"\0")) >= 0:
        raise SourceNotText(
            f"The source {shown} is binary: byte {nul} is NUL.",
            hint="Send text; for a binary, a listing of it.",
        )
    encoding = "utf-8-sig" if data.startswith(_UTF8_BOM) else "utf-8"
    try:
        # Decoded as "utf-8-sig", the mark would not count in the position of a wrong byte.
        return data.decode("utf-8").removeprefix("\ufeff"), encoding
    except UnicodeDecodeError as error:
        raise SourceNotText(
            f"The source {shown} is not UTF-8: byte {error.start} is 0x{data[error.start]:02x}.",
            hint="Convert it to UTF-8, for example with `iconv -t utf-8`.",
        ) from error
