"""One snapshot of a work tree: which files there are, what git stores of each, and what git would not show.

Git lists; a file that may differ from what it stores is read and hashed here.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from claimjury.evidence.git import work_tree
from claimjury.settlers.blind import BlindSpot, converted
from claimjury.settlers.listing import (
    LINK,
    SUBMODULE,
    Entry,
    list_differing,
    list_head,
    list_index,
    list_untracked,
    stored_otherwise,
)

Read = Callable[[str], bytes | None]
__all__ = ["Snapshot", "blob_id", "is_committed", "take_snapshot", "top_of"]

_MAX_HASHED: Final = 50_000_000
"""Bytes of one file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A work tree at one moment.

    Attributes:
        top: Its top.
        head: The full id of the commit that is checked out; None before the first.
        files: What lies in it, tracked and not, by path; what `.gitignore` names is left out.
        differing: Tracked paths whose bytes or mode are not those of the index, or that are gone.
        staged: Index entries, by path, as git stores them.
        unlike_head: What the commit stores of each path of which the index has something else; None where it has no such file.
        blind: What git would not show.
        commit: Where it is none of a work tree but of a commit, its full id.
        reads: Gives the bytes of a file of that commit.
    """

    top: Path
    head: str | None
    files: Mapping[str, Entry]
    differing: frozenset[str]
    staged: Mapping[str, Entry]
    unlike_head: Mapping[str, Entry | None]
    blind: tuple[BlindSpot, ...]
    commit: str | None = None
    reads: Read | None = None

    @property
    def digest(self) -> str:
        """A hash over the paths, modes and contents as git names them."""
        rows = ((path, self.files[path]) for path in sorted(self.files))
        lines = (f"{entry.mode} {entry.blob or self._hash(path)} {path}\n" for path, entry in rows)
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()

    @property
    def dirty(self) -> bool:
        """Whether a tracked file differs from the index, or one is not tracked."""
        return bool(self.differing or self.untracked)

    @property
    def untracked(self) -> frozenset[str]:
        """The paths that are not in the index."""
        return frozenset(path for path, entry in self.files.items() if not entry.tracked)

    def stored_at(self, commit: str) -> tuple[Mapping[str, Entry], frozenset[str]]:
        """Give the files of a commit, and the paths of which the index, or the work tree, may have something else.

        Raises:
            InvalidRequest: git refuses.
        """
        rows = self.unlike_head if commit == self.head else stored_otherwise(self.top, commit)
        stored = {**self.staged, **rows}
        return (
            {path: entry for path, entry in stored.items() if entry is not None},
            self.differing | self.untracked | rows.keys(),
        )

    def within(self, files: Iterable[Path]) -> frozenset[str]:
        """Give the paths, relative to the top, of those files that lie below it."""
        resolved = [file.resolve() for file in files]
        return frozenset(
            file.relative_to(self.top).as_posix() for file in resolved if file.is_relative_to(self.top)
        )

    def _hash(self, path: str) -> str:
        """Give the hash of a file that git has none of, as git would make it; `-` where it cannot be read."""
        data = self.read(path)
        return "-" if data is None else blob_id(data, self.head or "")

    def without(self, paths: Collection[str]) -> Snapshot:
        """Give the same without some files that are not tracked."""
        left = {path: entry for path, entry in self.files.items() if entry.tracked or path not in paths}
        return self if len(left) == len(self.files) else replace(self, files=left)

    def read(self, path: str) -> bytes | None:
        """Give the bytes of a regular file within the tree; None of anything else, a link too, whose target is another file."""
        return _bytes_of(self.top, path, links=False) if self.reads is None else self.reads(path)

    def lies(self, path: str) -> bool:
        """Whether anything lies at a path, git lists it or not."""
        if self.commit is None:
            return os.path.lexists(self.top / path)
        return path in self.files or self.is_folder(path)

    def is_folder(self, path: str) -> bool:
        """Whether a folder lies there."""
        if self.commit is None:
            return (self.top / path).is_dir()
        return any(one.startswith(f"{path}/") for one in self.files)


def blob_id(data: bytes, like: str) -> str:
    """Give git's id of a file's bytes, in the hash that `like` was made with."""
    digest = hashlib.sha1 if len(like) == len("0" * 40) else hashlib.sha256
    return digest(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def top_of(directory: Path) -> Path | None:
    """Give the top of the work tree that a directory lies in; None where it lies in none.

    Raises:
        InvalidRequest: git is missing or refuses.
    """
    return top.resolve() if (top := work_tree(directory)) is not None else None


def take_snapshot(top: Path) -> Snapshot:
    """Take a snapshot of a work tree.

    Args:
        top: As `top_of` gives it.

    Raises:
        InvalidRequest: git is missing or refuses.
    """
    # Each waits for git, which lists on the other cores.
    with ThreadPoolExecutor() as side:
        index, others = side.submit(list_index, top), side.submit(list_untracked, top)
        head, differing = side.submit(list_head, top), side.submit(list_differing, top)
    return _together(top, index.result(), differing.result(), others.result(), head.result())


def _together(
    top: Path,
    index: tuple[Mapping[str, Entry], Sequence[BlindSpot]],
    differing: Mapping[str, str],
    untracked: tuple[Sequence[str], Sequence[str]],
    head: tuple[str | None, Mapping[str, Entry | None]],
) -> Snapshot:
    (staged, blind), (others, hidden), (commit, unlike_head) = index, untracked, head
    files, unsure = _present(top, staged, differing)
    files |= {path: _loose(top, path) for path in others if not path.endswith("/") and path not in files}
    nested = [BlindSpot(kind="nested_repository", path=path) for path in others if path.endswith("/")]
    excluded = [BlindSpot(kind="excluded", path=path) for path in hidden]
    apart = frozenset(path for path in differing if files.get(path) != staged.get(path))
    found = Snapshot(
        top=top,
        head=commit,
        files=files,
        differing=apart,
        staged=staged,
        unlike_head=unlike_head,
        blind=(*blind, *unsure, *nested, *excluded),
    )
    return replace(found, blind=(*found.blind, *_split(found)))


def _split(snapshot: Snapshot) -> Iterator[BlindSpot]:
    """Give the paths of which the commit, the index and the work tree say three things, or whose file the index alone has lost."""
    for path, stored in snapshot.unlike_head.items():
        if path in snapshot.differing or (stored is not None and path in snapshot.untracked):
            yield BlindSpot(kind="staged", path=path)


def is_committed(snapshot: Snapshot) -> bool:
    """Whether all that lies there, and all that is staged, is what the commit that is checked out holds."""
    return not snapshot.dirty and not snapshot.unlike_head


def _present(
    top: Path, staged: Mapping[str, Entry], differing: Mapping[str, str]
) -> tuple[dict[str, Entry], list[BlindSpot]]:
    """Give the tracked files that are there, those that may differ hashed by us."""
    files = dict(staged)
    for path in differing:
        files.pop(path, None)
    unsure: list[BlindSpot] = []
    suspects = []
    for path, mode in differing.items():
        entry = staged.get(path)
        if not mode or entry is None or entry.mode == SUBMODULE:
            continue
        data = _bytes_of(top, path, links=True)
        files[path] = Entry(mode=mode, blob=None if data is None else blob_id(data, entry.blob or ""))
        if data is None:
            unsure.append(BlindSpot(kind="unreadable", path=path))
        elif (
            files[path].blob != entry.blob
            and blob_id(data.replace(b"\r\n", b"\n"), entry.blob or "") == entry.blob
        ):
            # Whether git would store these line ends hangs on settings of a user's own, which are not read here.
            unsure.append(BlindSpot(kind="converted", path=path))
        elif files[path].blob != entry.blob:
            suspects.append((path, b"\r" in data))
    return files, [*unsure, *converted(top, suspects)]


def _bytes_of(top: Path, path: str, *, links: bool) -> bytes | None:
    """Give what git would store of a path; None of what is neither a file nor, where `links`, a link, or lies behind a link."""
    file = top / path
    try:
        if not file.parent.resolve().is_relative_to(top) or file.parent.resolve() != file.parent:
            return None
        status = file.lstat()
        if stat.S_ISLNK(status.st_mode):
            return os.fsencode(file.readlink()) if links else None
        return file.read_bytes() if stat.S_ISREG(status.st_mode) and status.st_size <= _MAX_HASHED else None
    except OSError:
        return None


def _mode(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return LINK
    return "100755" if mode & stat.S_IXUSR else "100644"


def _loose(top: Path, path: str) -> Entry:
    try:
        mode = (top / path).lstat().st_mode
    except OSError:
        mode = 0
    return Entry(mode=_mode(mode), blob=None, tracked=False)
