"""`.claimjuryignore`: what a project or its user never sends. The patterns are those of `.gitignore`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from claimjury.errors import ConfigInvalid
from claimjury.text import clean_line

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["IGNORE_FILE", "is_ignored", "is_kept_back"]

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
    except OSError as error:
        # A link that leads nowhere is a file that somebody meant to be there.
        if isinstance(error, (FileNotFoundError, NotADirectoryError)) and not os.path.lexists(file):
            return False
        raise _unreadable(file, error.strerror or str(error)) from error
    return _spec(file, status.st_mtime_ns, status.st_size).match_file(str(name))


def is_kept_back(path: Path, resolved: Path, roots: Sequence[Path]) -> bool:
    """Whether the ignore file of any root names a file, by the name that is given or by the one that it leads to.

    Args:
        path: As it is given.
        resolved: Links followed.
        roots: The roots, links followed.

    Raises:
        ConfigInvalid: An ignore file cannot be read.
    """
    lexical = Path(os.path.abspath(path))  # noqa: PTH100 - `absolute` leaves `..` in.
    names = {resolved, lexical, lexical.parent.resolve() / lexical.name}
    return any(
        is_ignored(root, PurePosixPath(name.relative_to(root).as_posix()))
        for root in roots
        for name in names
        if name.is_relative_to(root)
    )


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
