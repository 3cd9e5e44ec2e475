"""Memory: what was said already, by hash, so that it is said once. One that cannot be kept holds nothing up."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

__all__ = ["mark_of", "remember", "was_said"]

_MAX_KEPT: Final = 500


def mark_of(note: str, message: str) -> str:
    """Give the mark of what is said of a message."""
    return sha256(f"{message}\0{note}".encode("utf-8", "surrogatepass")).hexdigest()


def was_said(mark: str, folder: Path) -> bool:
    """Whether it was said already."""
    return (folder / mark).is_file()


def remember(mark: str, folder: Path) -> None:
    """Keep that it was said: one empty file each, so that hooks which end at once lose nothing of each other's."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(folder / mark, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _forget(folder)


def _forget(folder: Path) -> None:
    """Keep the newest, and remove files of this memory alone."""
    with suppress(OSError):
        kept = [entry for entry in os.scandir(folder) if len(entry.name) == 64 and entry.is_file()]
        if len(kept) <= _MAX_KEPT:
            return
        for entry in sorted(kept, key=lambda entry: entry.stat().st_mtime_ns)[: len(kept) - _MAX_KEPT]:
            with suppress(OSError):
                os.unlink(entry.path)  # noqa: PTH108 - the entry is at hand.
