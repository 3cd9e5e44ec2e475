"""One file, read: through one handle, regular, within the limit, and not while it changes."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from claimjury.errors import SourceNotFound, SourceNotText, SourceTooLarge
from claimjury.text import show_bytes

__all__ = ["MAX_SOURCE_BYTES", "Identity", "identify", "read_file", "too_large"]

MAX_SOURCE_BYTES: Final = 50_000_000
Identity = tuple[int, int] | Path
"""Device and inode; the path where a file system has no inodes."""
_OPEN_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    # A FIFO without a writer would block for ever; a link put in place after the check is refused.
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
)


def identify(resolved: Path, shown: str) -> Identity:
    """Tell which file this is: a file system that folds case gives one file by two spellings.

    Raises:
        SourceNotFound: It has gone.
    """
    try:
        status = resolved.stat()
    except OSError as error:
        raise _unreadable(shown, error) from error
    return (status.st_dev, status.st_ino) if status.st_ino else resolved


def _read_all(handle: int) -> bytes:
    os.lseek(handle, 0, os.SEEK_SET)
    with os.fdopen(handle, "rb", closefd=False) as file:
        return file.read(MAX_SOURCE_BYTES + 1)


def read_file(resolved: Path, shown: str, *, read: Callable[[int], bytes] = _read_all) -> bytes:
    """Give the bytes of a regular file. `read` reads a handle from its beginning.

    A file that changes while it is read would be half old and half new, so it is read once more.

    Raises:
        SourceNotFound: It cannot be read, or changes each time (then it is retryable).
        SourceNotText: It is not a regular file.
        SourceTooLarge: It is over 50 MB.
    """
    try:
        handle = os.open(resolved, _OPEN_FLAGS)
        try:
            return _read_steady(handle, shown, read)
        finally:
            os.close(handle)
    except OSError as error:
        raise _unreadable(shown, error) from error


def _read_steady(handle: int, shown: str, read: Callable[[int], bytes]) -> bytes:
    for _ in range(2):
        before = os.fstat(handle)
        # Checked before it becomes a file object: Python makes none of a directory.
        _refuse_unfit(before, shown)
        data = read(handle)
        if len(data) > MAX_SOURCE_BYTES:
            raise too_large(shown, len(data))
        after = os.fstat(handle)
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            return data
    raise SourceNotFound(
        f"The source {shown} cannot be read: it changed while it was read, twice.",
        hint="Wait until what writes it is done, or send a copy.",
        retryable=True,
    )


def _refuse_unfit(status: os.stat_result, shown: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise SourceNotText(
            f"The source {shown} is {_kind(status.st_mode)}, not a regular file.", hint="Name files of text."
        )
    if status.st_size > MAX_SOURCE_BYTES:
        raise too_large(shown, status.st_size)


def _unreadable(shown: str, error: OSError) -> SourceNotFound | SourceNotText:
    if error.errno in (errno.ENXIO, errno.EISDIR, errno.EOPNOTSUPP):
        return SourceNotText(f"The source {shown} is not a regular file.", hint="Name files of text.")
    return SourceNotFound(
        f"The source {shown} cannot be read: {error.strerror}.", hint="Check its permissions."
    )


def too_large(shown: str, size: int) -> SourceTooLarge:
    """Say that a source of `size` bytes, at the least, is over the limit."""
    return SourceTooLarge(
        f"The source {shown} has {show_bytes(size)}; at most {show_bytes(MAX_SOURCE_BYTES)} are read.",
        hint="Send the part that the claims are about as a file of its own.",
    )


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: "a directory",
        stat.S_IFIFO: "a FIFO",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return kinds.get(stat.S_IFMT(mode), "something else")
