"""Sources: files as loaded, whole, hashed, their lines counted."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from claimjury.errors import InvalidRequest, SourceNotFound, SourceNotText, SourceTooLarge
from claimjury.evidence.decoding import decode
from claimjury.evidence.denylist import refuse_secrets
from claimjury.evidence.roots import confine, resolve_roots
from claimjury.text import clean_line, show_bytes

__all__ = ["MAX_SOURCES", "MAX_SOURCE_BYTES", "Source", "count_lines", "load_sources"]

MAX_SOURCES: Final = 50
MAX_SOURCE_BYTES: Final = 50_000_000
_OPEN_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    # A FIFO without a writer would block for ever; a link put in place after the check is refused.
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    r"""One file as loaded.

    Attributes:
        path: Its name in the prompt and the result: relative to its root, with forward slashes.
        text: Its whole text, line ends as they are.
        sha256: Of the bytes of the file, hexadecimal.
        bytes: Size of the file.
        lines: Count of lines; a line ends at \n or \r\n only.
        encoding: The encoding that the text was read by.
    """

    path: str
    text: str
    sha256: str
    bytes: int
    lines: int
    encoding: str


def load_sources(
    paths: Sequence[str | os.PathLike[str]],
    *,
    roots: Sequence[Path] | None = None,
    allow_secrets: bool = False,
) -> tuple[Source, ...]:
    """Load every path below the roots, in the order given; a file named twice is loaded once.

    Raises:
        InvalidRequest: There are more than 50 paths, or a name is not UTF-8.
        EvidenceError: One of the files cannot be used; nothing is loaded by halves.
        ConfigInvalid: A root is not allowed.
    """
    if len(paths) > MAX_SOURCES:
        raise InvalidRequest(
            f"There are {len(paths)} sources; a run takes at most {MAX_SOURCES}.",
            hint="Send the files that the claims are about: none is dropped for you.",
        )
    if not paths:
        return ()
    allowed = resolve_roots(roots)
    found: dict[Path, tuple[Path, Path]] = {}
    for path in map(Path, paths):
        resolved, root = confine(path, allowed)
        if not allow_secrets:
            refuse_secrets(path, resolved)
        found.setdefault(resolved, (path, root))
    names = _names({resolved: root for resolved, (_, root) in found.items()})
    for name in names.values():
        _refuse_surrogates(name)
    return tuple(_load(resolved, given, names[resolved]) for resolved, (given, _) in found.items())


def count_lines(text: str) -> int:
    r"""Count the lines of `text`: they end at \n (so at \r\n too) and nowhere else."""
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _names(roots: dict[Path, Path]) -> dict[Path, str]:
    """Name each file relative to its root; where two roots hold the same name, the root's own name leads.

    Where that still gives one name to two files, each is named relative to the directory that holds all roots.
    """
    plain = {resolved: resolved.relative_to(root).as_posix() for resolved, root in roots.items()}
    taken = list(plain.values())
    led = {
        resolved: name if taken.count(name) == 1 else f"{roots[resolved].name}/{name}"
        for resolved, name in plain.items()
    }
    if len(set(led.values())) == len(led):
        return led
    base = os.path.commonpath(roots.values())
    return {resolved: resolved.relative_to(base).as_posix() for resolved in roots}


def _refuse_surrogates(name: str) -> None:
    """Refuse a name that is not UTF-8: neither the prompt nor the result could hold it."""
    if any("\ud800" <= char <= "\udfff" for char in name):
        shown = os.fsencode(name).decode("utf-8", "backslashreplace")
        raise InvalidRequest(
            f"The name of the source {clean_line(shown)} is not UTF-8.", hint="Rename the file."
        )


def _load(resolved: Path, given: Path, name: str) -> Source:
    shown = clean_line(str(given))
    data = _read(resolved, shown)
    text, encoding = decode(data, shown)
    return Source(
        path=name,
        text=text,
        sha256=hashlib.sha256(data).hexdigest(),
        bytes=len(data),
        lines=count_lines(text),
        encoding=encoding,
    )


def _read(resolved: Path, shown: str) -> bytes:
    """Read a regular file through one handle, checked on that handle."""
    try:
        handle = os.open(resolved, _OPEN_FLAGS)
    except OSError as error:
        raise _unreadable(shown, error) from error
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise SourceNotText(
                f"The source {shown} is {_kind(status.st_mode)}, not a regular file.",
                hint="Name files of text.",
            )
        if status.st_size > MAX_SOURCE_BYTES:
            raise _too_large(shown, status.st_size)
        try:
            data = file.read(MAX_SOURCE_BYTES + 1)
        except OSError as error:
            raise _unreadable(shown, error) from error
    if len(data) > MAX_SOURCE_BYTES:
        raise _too_large(shown, len(data))
    return data


def _unreadable(shown: str, error: OSError) -> SourceNotFound | SourceNotText:
    if error.errno in (errno.ENXIO, errno.EISDIR, errno.EOPNOTSUPP):
        return SourceNotText(f"The source {shown} is not a regular file.", hint="Name files of text.")
    return SourceNotFound(
        f"The source {shown} cannot be read: {error.strerror}.", hint="Check its permissions."
    )


def _too_large(shown: str, size: int) -> SourceTooLarge:
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
