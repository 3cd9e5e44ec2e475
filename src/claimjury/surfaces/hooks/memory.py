"""Memory: what was said already, by hash, so that it is said once. One that cannot be kept holds nothing up."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

__all__ = ["said_before"]

_MAX_KEPT: Final = 500


def said_before(note: str, message: str, file: Path) -> bool:
    """Whether this was said of this message; from now on it was."""
    mark = sha256(f"{message}\0{note}".encode("utf-8", "surrogatepass")).hexdigest()
    kept: list[str] = []
    with suppress(OSError, ValueError):
        kept = file.read_text(encoding="ascii").split()
    if mark in kept:
        return True
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.write_text("\n".join([*kept[-_MAX_KEPT:], mark]) + "\n", encoding="ascii")
    return False
