"""One snapshot of a work tree: which files there are, what git stores of each, and what git would not show.

Only plumbing is asked, and of the work tree only its file times: git reads no file itself, as it would run the repository's filters.
A file whose time differs is read and hashed here.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from claimjury.errors import InvalidRequest
from claimjury.evidence.git import Reply, run_git, work_tree
from claimjury.settlers.blind import BlindSpot, converted, hidden_by_tag

__all__ = [
    "LINK",
    "SUBMODULE",
    "Entry",
    "Snapshot",
    "blob_id",
    "is_committed",
    "take_snapshot",
    "tree_at",
]

LINK: Final = "120000"
SUBMODULE: Final = "160000"
_SECOND: Final = 1_000_000_000
_LOW: Final = 0xFFFF_FFFF
"""The index keeps 32 bits of a size and of an inode."""
_MAX_INDEX: Final = 400_000_000
_LISTED: Final = re.compile(rb"(\w) (\d+) ([0-9a-f]+) (\d)\t([^\0]*)\0")
_TOLD: Final = re.compile(
    _LISTED.pattern + rb"  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: (\d+)\n"
    rb"  uid: \d+\tgid: \d+\n  size: (\d+)\tflags: [0-9a-f]+\n"
)
"""A line of `ls-files --stage -v --debug`: what the index says of a file, and what it last saw of it."""
_USUAL_MODES: Final = {b"100644": "100644", b"100755": "100755"}
_IN_TREE: Final = re.compile(rb"(\d+) \w+ ([0-9a-f]+)\t([^\0]*)\0")
_MAX_HASHED: Final = 50_000_000
"""Bytes of one file."""


class Entry(NamedTuple):
    """A file of a tree.

    Attributes:
        mode: As git has it: 100644, 100755, 120000 (a link) or 160000 (another repository).
        blob: Git's id of its bytes; None where it is not tracked, or cannot be known.
        tracked: It is in the index.
    """

    mode: str
    blob: str | None
    tracked: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A work tree at one moment.

    Attributes:
        top: Its top.
        head: The full id of the commit that is checked out; None before the first.
        files: What lies in it, tracked and not, by path; what `.gitignore` names is left out.
        differing: Tracked paths whose bytes or mode are not those of the index, or that are gone.
        staged: Index entries, by path, as git stores them.
        blind: What git would not show.
    """

    top: Path
    head: str | None
    files: Mapping[str, Entry]
    differing: frozenset[str]
    staged: Mapping[str, Entry]
    blind: tuple[BlindSpot, ...]

    @property
    def digest(self) -> str:
        """A hash over the paths, modes and contents as git names them."""
        rows = (
            (path, entry.mode, entry.blob or self._hash(path)) for path, entry in sorted(self.files.items())
        )
        lines = (f"{mode} {blob} {path}\n" for path, mode, blob in rows)
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()

    @property
    def dirty(self) -> bool:
        """Whether a tracked file differs from the index, or one is not tracked."""
        return bool(self.differing) or any(not entry.tracked for entry in self.files.values())

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
        return _bytes_of(self.top, path, links=False)


def blob_id(data: bytes, like: str) -> str:
    """Give git's id of a file's bytes, in the hash that `like` was made with."""
    digest = hashlib.sha1 if len(like) == len("0" * 40) else hashlib.sha256
    return digest(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def take_snapshot(directory: Path) -> Snapshot | None:
    """Take a snapshot of the work tree that a directory lies in; None where it lies in none.

    Raises:
        InvalidRequest: git is missing or refuses.
    """
    top = work_tree(directory)
    if top is None or not directory.resolve().is_relative_to(top.resolve()):
        return None
    top = top.resolve()
    staged, seen, blind = _staged(top)
    trust = _Trust(mode=_setting(top, "core.fileMode"), links=_setting(top, "core.symlinks"))
    differing = _differing(top, staged, seen, trust)
    files, unsure = _present(top, staged, differing)
    others, hidden = _untracked(top)
    files |= {path: _loose(top, path) for path in others if not path.endswith("/") and path not in files}
    nested = [BlindSpot(kind="nested_repository", path=path) for path in others if path.endswith("/")]
    reply = run_git(top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    head = None if reply.status else reply.output.decode("ascii").strip()
    apart = frozenset(path for path in differing if files.get(path) != staged.get(path))
    excluded = (BlindSpot(kind="excluded", path=path) for path in hidden)
    return Snapshot(
        top=top,
        head=head,
        files=files,
        differing=apart,
        staged=staged,
        blind=(*blind, *unsure, *nested, *excluded, *_split(top, head, staged, apart, files)),
    )


def _split(
    top: Path,
    head: str | None,
    staged: Mapping[str, Entry],
    apart: Collection[str],
    files: Mapping[str, Entry],
) -> Iterator[BlindSpot]:
    """Give the paths of which the commit, the index and the work tree say three things, or whose file the index alone has lost."""
    if head is None or not (apart or any(not entry.tracked for entry in files.values())):
        return
    stored = tree_at(top, head)
    for path in apart:
        if stored.get(path) != staged.get(path):
            yield BlindSpot(kind="staged", path=path)
    for path, entry in files.items():
        if not entry.tracked and path in stored:
            yield BlindSpot(kind="staged", path=path)


class _Trust(NamedTuple):
    """Whether the file system keeps what git would store of a mode, and of a link."""

    mode: bool
    links: bool


def _setting(top: Path, name: str) -> bool:
    """Give a switch of the repository's own that is on by default: off on Windows, and where a disk of it is mounted."""
    return run_git(top, "config", "--type=bool", "--get", name).output.strip() != b"false"


@lru_cache(maxsize=4)
def tree_at(top: Path, commit: str) -> Mapping[str, Entry]:
    """Give the files of a commit.

    Raises:
        InvalidRequest: git refuses.
    """
    listing = _checked(run_git(top, "ls-tree", "-r", "-z", "--full-tree", commit))
    return {
        os.fsdecode(name): Entry(mode.decode(), blob.decode())
        for mode, blob, name in _IN_TREE.findall(listing)
    }


def is_committed(snapshot: Snapshot) -> bool:
    """Whether all that lies there, and all that is staged, is what the commit that is checked out holds."""
    staged_differs = snapshot.head is not None and tree_at(snapshot.top, snapshot.head) != dict(
        snapshot.staged
    )
    return not snapshot.dirty and not staged_differs


_Seen = tuple[int, ...]
"""What the index last saw of a file: seconds and nanoseconds of both its times, its inode and its size."""


def _staged(top: Path) -> tuple[dict[str, Entry], dict[str, _Seen], list[BlindSpot]]:
    """Give the index, what it last saw of each file, and what its flags hide."""
    entries: dict[str, Entry] = {}
    seen: dict[str, _Seen] = {}
    blind: list[BlindSpot] = []
    for tag, mode, blob, stage, name, *told in _index_rows(top):
        path = os.fsdecode(name)
        entries[path] = Entry(_USUAL_MODES.get(mode) or mode.decode(), blob.decode())
        seen[path] = tuple(map(int, told))
        if tag != b"H" or stage != b"0" or mode not in _USUAL_MODES:
            blind += hidden_by_tag(tag.decode(), stage.decode(), mode.decode(), path)
    return entries, seen, blind


def _index_rows(top: Path) -> list[tuple[bytes, ...]]:
    """Give the rows of the index. git promises no form of `--debug`: where it is another, each file is looked at instead."""
    options = ("ls-files", "-z", "--stage", "-v", "--full-name")
    told = _checked(run_git(top, *options, "--debug", indexed=True, limit=_MAX_INDEX))
    rows: list[tuple[bytes, ...]] = _TOLD.findall(told)
    if not _TOLD.sub(b"", told):
        return rows
    return _LISTED.findall(_checked(run_git(top, *options, indexed=True, limit=_MAX_INDEX)))


def _differing(
    top: Path, staged: Mapping[str, Entry], seen: Mapping[str, _Seen], trust: _Trust
) -> dict[str, str]:
    """Give the mode, now, of each tracked path that may differ, by its times; "" where it is gone.

    Not git but we look: to compare a file whose time is that of the index, git would run the repository's filters.
    """
    index, folder = _index_time(top), f"{top}{os.sep}"
    found = {}
    for path, entry in staged.items():
        if entry.mode == SUBMODULE:
            continue
        try:
            # 20,000 objects of pathlib are as slow as all the rest.
            status = os.lstat(folder + path)
        except OSError:
            found[path] = ""
            continue
        mode = _as_stored(_mode(status.st_mode), entry.mode, trust)
        if mode != entry.mode or not _as_seen(status, seen[path], index):
            found[path] = mode
    return found


def _as_stored(here: str, stored: str, trust: _Trust) -> str:
    if stored == LINK:
        return here if trust.links else stored
    return here if trust.mode or here == LINK else stored


def _as_seen(status: os.stat_result, seen: _Seen, index: int) -> bool:
    """Whether a file is surely the one that the index saw. One that changed as late as the index may have changed since."""
    times = (*divmod(status.st_ctime_ns, _SECOND), *divmod(status.st_mtime_ns, _SECOND))
    here = (*times, status.st_ino & _LOW, status.st_size & _LOW)
    return here == seen and status.st_mtime_ns < index


def _index_time(top: Path) -> int:
    reply = run_git(top, "rev-parse", "--git-path", "index", indexed=True)
    try:
        return (top / os.fsdecode(_checked(reply).removesuffix(b"\n"))).stat().st_mtime_ns
    except OSError:
        return 0


def _mode(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return LINK
    return "100755" if mode & stat.S_IXUSR else "100644"


def _present(
    top: Path, staged: Mapping[str, Entry], differing: Mapping[str, str]
) -> tuple[dict[str, Entry], list[BlindSpot]]:
    """Give the tracked files that are there, those that may differ hashed by us."""
    files = {path: entry for path, entry in staged.items() if path not in differing}
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


def _untracked(top: Path) -> tuple[list[str], list[str]]:
    """Give untracked paths, and those of them that only the repository's own exclude list hides."""
    everything = _others(top, "--exclude-per-directory=.gitignore")
    excludes = _exclude_file(top)
    if excludes is None:
        return everything, []
    usual = set(_others(top, "--exclude-per-directory=.gitignore", f"--exclude-from={excludes}"))
    return [path for path in everything if path in usual], [path for path in everything if path not in usual]


def _others(top: Path, *options: str) -> list[str]:
    reply = run_git(top, "ls-files", "--others", "-z", "--full-name", *options, indexed=True)
    return [os.fsdecode(name) for name in _records(_checked(reply))]


def _exclude_file(top: Path) -> str | None:
    """Give the repository's own exclude list where it names anything."""
    reply = run_git(top, "rev-parse", "--git-path", "info/exclude")
    file = top / os.fsdecode(_checked(reply).removesuffix(b"\n"))
    try:
        lines = file.read_bytes().splitlines() if file.is_file() else []
    except OSError:
        return None
    return str(file) if any(line.strip() and not line.startswith(b"#") for line in lines) else None


def _loose(top: Path, path: str) -> Entry:
    try:
        mode = (top / path).lstat().st_mode
    except OSError:
        mode = 0
    return Entry(mode=_mode(mode), blob=None, tracked=False)


def _records(output: bytes) -> Iterator[bytes]:
    yield from filter(None, output.split(b"\0"))


def _checked(reply: Reply) -> bytes:
    if reply.status:
        raise InvalidRequest(
            f"git could not list the work tree: {reply.complaint[:300] or f'exit status {reply.status}'}.",
            hint="Try `git status` in that directory, or turn the settlers off with --no-settle.",
        )
    return reply.output
