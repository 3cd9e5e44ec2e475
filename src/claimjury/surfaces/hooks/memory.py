"""Memory: what was said already, by hash, so that it is said once. One that cannot be kept holds nothing up."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

__all__ = ["said_before"]

_MAX_KEPT: Final = 500


def said_before(note: str, message: str, folder: Path) -> bool:
    """Whether this was said of this message; from now on it was. Of several that ask at once, one is told no."""
    mark = sha256(f"{message}\0{note}".encode("utf-8", "surrogatepass")).hexdigest()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(folder / mark, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return (folder / mark).exists()
    except OSError:
        return False
    _forget(folder)
    return False


def _forget(folder: Path) -> None:
    """Keep the newest, and remove files of this memory alone."""
    with suppress(OSError):
        kept = [entry for entry in os.scandir(folder) if len(entry.name) == 64 and entry.is_file()]
        if len(kept) <= _MAX_KEPT:
            return
        for entry in sorted(kept, key=lambda entry: entry.stat().st_mtime_ns)[: len(kept) - _MAX_KEPT]:
            with suppress(OSError):
                os.unlink(entry.path)  # noqa: PTH108 - the entry is at hand.
