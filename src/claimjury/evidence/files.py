"""One file, read: through one handle, regular, within the limit, and not while it changes."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from claimjury.errors import SourceDenied, SourceNotFound, SourceNotText, SourceTooLarge
from claimjury.evidence.denylist import denied_by
from claimjury.text import clean_line, show_bytes

__all__ = ["MAX_SOURCE_BYTES", "Identity", "Role", "identify", "read_file", "read_named", "too_large"]

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a file is read as: how much of it, and how messages speak of it.

    Attributes:
        noun: What it is called.
        max_bytes: How many bytes of it may be read.
        if_irregular: What to do where it is a directory, a FIFO, a device.
        if_large: What to do where it is over `max_bytes`.
        if_denied: What to do where it is named like a secret.
    """

    noun: str = "source"
    max_bytes: int = MAX_SOURCE_BYTES
    if_irregular: str = "Name files of text."
    if_large: str = "Send the part that the claims are about as a file of its own."
    if_denied: str = "Send a copy without them; or allow it on purpose with --allow-secrets."


_SOURCE: Final = Role()


def identify(resolved: Path, shown: str) -> Identity:
    """Tell which file this is: a file system that folds case gives one file by two spellings.

    Raises:
        SourceNotFound: It has gone.
    """
    try:
        status = resolved.stat()
    except OSError as error:
        raise _unreadable(shown, error, _SOURCE) from error
    return (status.st_dev, status.st_ino) if status.st_ino else resolved


def read_named(path: Path, role: Role, *, allow_secrets: bool = False) -> bytes:
    """Give the bytes of a file that the user named by itself, so that it may lie anywhere.

    Raises:
        SourceNotFound: There is no such file, or it cannot be read.
        SourceNotText: It is not a regular file.
        SourceDenied: It is named like a secret, or leads to such a file.
        SourceTooLarge: It is over the role's limit.
    """
    shown = clean_line(str(path))
    try:
        # Asked before the links are followed: a pipe below /dev/fd has no path that they could lead to.
        _refuse_irregular(path.stat(), shown, role)
        resolved = path.resolve(strict=True)
    except (OSError, ValueError) as error:
        raise _unreadable(shown, error, role) from error
    pattern = None if allow_secrets else denied_by(path) or denied_by(resolved)
    if pattern is not None:
        raise SourceDenied(
            f"The {role.noun} {shown} is denied: `{pattern}` names files that hold secrets.",
            hint=role.if_denied,
        )
    return read_file(resolved, shown, role=role)


def _read_all(handle: int, max_bytes: int) -> bytes:
    os.lseek(handle, 0, os.SEEK_SET)
    with os.fdopen(handle, "rb", closefd=False) as file:
        return file.read(max_bytes + 1)


def read_file(
    resolved: Path, shown: str, *, role: Role = _SOURCE, read: Callable[[int], bytes] | None = None
) -> bytes:
    """Give the bytes of a regular file. `read` reads a handle from its beginning.

    A file that changes while it is read would be half old and half new, so it is read once more.

    Raises:
        SourceNotFound: It cannot be read, or changes each time (then it is retryable).
        SourceNotText: It is not a regular file.
        SourceTooLarge: It is over the role's limit.
    """
    try:
        handle = os.open(resolved, _OPEN_FLAGS)
        try:
            return _read_steady(handle, shown, role, read or partial(_read_all, max_bytes=role.max_bytes))
        finally:
            os.close(handle)
    except OSError as error:
        raise _unreadable(shown, error, role) from error


def _read_steady(handle: int, shown: str, role: Role, read: Callable[[int], bytes]) -> bytes:
    for _ in range(2):
        before = os.fstat(handle)
        # Checked before it becomes a file object: Python makes none of a directory.
        _refuse_irregular(before, shown, role)
        if before.st_size > role.max_bytes:
            raise too_large(shown, before.st_size, role)
        data = read(handle)
        if len(data) > role.max_bytes:
            raise too_large(shown, len(data), role)
        after = os.fstat(handle)
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            return data
    raise SourceNotFound(
        f"The {role.noun} {shown} cannot be read: it changed while it was read, twice.",
        hint="Wait until what writes it is done, or send a copy.",
        retryable=True,
    )


def _refuse_irregular(status: os.stat_result, shown: str, role: Role) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise SourceNotText(
            f"The {role.noun} {shown} is {_kind(status.st_mode)}, not a regular file.",
            hint=role.if_irregular,
        )


def _unreadable(shown: str, error: OSError | ValueError, role: Role) -> SourceNotFound | SourceNotText:
    if isinstance(error, OSError) and error.errno in (errno.ENXIO, errno.EISDIR, errno.EOPNOTSUPP):
        return SourceNotText(f"The {role.noun} {shown} is not a regular file.", hint=role.if_irregular)
    return SourceNotFound(
        f"The {role.noun} {shown} cannot be read: {getattr(error, 'strerror', None) or error}.",
        hint="Check the path and its permissions.",
    )


def too_large(shown: str, size: int, role: Role = _SOURCE) -> SourceTooLarge:
    """Say that a file of `size` bytes, at the least, is over the limit."""
    return SourceTooLarge(
        f"The {role.noun} {shown} has {show_bytes(size)}; at most {show_bytes(role.max_bytes)} are read.",
        hint=role.if_large,
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
