"""`.claimjuryignore`: what a project or its user never sends. The patterns are those of `.gitignore`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from claimjury.errors import ConfigInvalid
from claimjury.text import clean_line

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["IGNORE_FILE", "is_ignored"]

IGNORE_FILE: Final = ".claimjuryignore"
_MAX_BYTES: Final = 1_000_000


def is_ignored(root: Path, name: PurePosixPath) -> bool:
    """Whether a root's ignore file names a path below it.

    Args:
        root: The root, links followed.
        name: Relative to it.

    Raises:
        ConfigInvalid: The ignore file cannot be read: what it keeps back is not known then.
    """
    file = root / IGNORE_FILE
    try:
        status = file.stat()
    except OSError:
        return False
    return _spec(file, status.st_mtime_ns, status.st_size).match_file(str(name))


@lru_cache(maxsize=32)
def _spec(file: Path, _changed: int, size: int) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    if size > _MAX_BYTES:
        raise _unreadable(file, f"it has over {_MAX_BYTES:,} bytes")
    try:
        return GitIgnoreSpec.from_lines(file.read_text(encoding="utf-8-sig").splitlines())
    except (OSError, ValueError) as error:
        raise _unreadable(file, str(error)) from error


def _unreadable(file: Path, why: str) -> ConfigInvalid:
    return ConfigInvalid(
        f"{clean_line(str(file))} cannot be read: {clean_line(why)}.",
        hint="Mend it, or remove it: what it keeps back is not known as it is.",
    )
