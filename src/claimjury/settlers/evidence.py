"""The evidence of settlers: a snapshot, the change since its base, what git does not show, and one search for all names."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final

from claimjury.errors import InvalidRequest
from claimjury.evidence.denylist import denied_by
from claimjury.evidence.git import run_git
from claimjury.settlers.base import Base, find_base
from claimjury.settlers.blind import BlindSpot, tell
from claimjury.settlers.checks.outcome import ChecksResult
from claimjury.settlers.listing import LINK, SUBMODULE, Entry
from claimjury.settlers.outcome import Silent
from claimjury.settlers.path_list import PathList
from claimjury.settlers.search import Found, Hit, Holding, Search
from claimjury.settlers.snapshot import Snapshot, blob_id
from claimjury.text import clean_line

__all__ = ["Change", "Evidence", "Unread"]

_REGULAR: Final = "100644"
_PROGRAM: Final = "100755"
_PACKED: Final = (
    ".zip",
    ".gz",
    ".tgz",
    ".bz2",
    ".xz",
    ".7z",
    ".jar",
    ".whl",
    ".docx",
    ".xlsx",
    ".pptx",
    ".pdf",
)
_NOT_LOOKED: Final = "\0"
_MAX_BLOB: Final = 50_000_000


class Unread(Exception):
    """A file of the base cannot be looked at, so nothing is settled by it."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """What differs between the base and the files as they lie there.

    Attributes:
        base: Where it begins.
        then: The files of the base.
        now: The files as they lie there.
        touched: The paths that may differ; all others do not.
    """

    base: Base
    then: Mapping[str, Entry]
    now: Mapping[str, Entry]
    touched: frozenset[str]

    @cached_property
    def paths(self) -> frozenset[str]:
        """The paths that were added, deleted or changed; of a renamed file both."""
        return frozenset(path for path in self.touched if not _same(self.then.get(path), self.now.get(path)))

    @property
    def added(self) -> frozenset[str]:
        """The paths that are new."""
        return self.paths - self.then.keys()

    @property
    def deleted(self) -> frozenset[str]:
        """The paths that are gone."""
        return self.paths - self.now.keys()

    @property
    def modified(self) -> frozenset[str]:
        """The paths that are in both and differ."""
        return self.paths & self.then.keys() & self.now.keys()

    @property
    def short(self) -> str:
        """The base, as words for a proof."""
        return f"{self.base.commit[:12]} ({self.base.why})"


def _same(then: Entry | None, now: Entry | None) -> bool:
    return then is not None and now is not None and (then.mode, then.blob) == (now.mode, now.blob)


@dataclass(slots=True, kw_only=True)
class Evidence:
    """What settlers may look at in one run. All is read at most once, and only when it is asked for.

    Attributes:
        snapshot: Of the work tree.
        asked_base: The revision that was said to be the base.
        no_base: Why there is no change to look at, where there is none.
        names: What is searched for in the tree, all at once.
        holding: The search for them, where one runs beside.
        checks: Checks that we ran on this very tree.
        aside: Files that the claims stand in; those that are tracked are still in the snapshot.
        directory: Where the run was asked for.
    """

    snapshot: Snapshot
    asked_base: str | None = None
    no_base: str | None = None
    names: frozenset[str] = frozenset()
    holding: Holding | None = None
    checks: ChecksResult | None = None
    aside: frozenset[str] = frozenset()
    directory: Path
    _read: dict[str, bytes | None] = field(default_factory=dict)
    _then: dict[str, bytes] = field(default_factory=dict)
    _past: Evidence | None = None
    _base: Base | Silent | None = None
    _change: Change | Silent | None = None
    _searching: Search | None = None
    _found: dict[str, Found] = field(default_factory=dict)
    _first: dict[tuple[str, ...], Hit | None] = field(default_factory=dict)
    _paths: dict[bool, PathList] = field(default_factory=dict)
    _unsearched: str | None = _NOT_LOOKED
    _ignored: list[str] | None = None

    @property
    def files(self) -> Mapping[str, Entry]:
        """The files as they lie there."""
        return self.snapshot.files

    def base(self) -> Base | Silent:
        """Give where the change begins, or why that is not known.

        Raises:
            InvalidRequest: The one that was said names no commit.
        """
        if self._base is None:
            self._base = (
                Silent(reason=self.no_base) if self.no_base else find_base(self.snapshot, self.asked_base)
            )
        return self._base

    def change(self) -> Change | Silent:
        """Give the change since the base, or why there is none to look at."""
        if self._change is None:
            base = self.base()
            self._change = base if isinstance(base, Silent) else self._since(base)
        return self._change

    def whole_change(self) -> Change | Silent:
        """Give the change where git shows all of it, and tracks all that it counts as new."""
        change = self.change()
        if isinstance(change, Silent):
            return change
        if (silence := self.unseen()) is not None:
            return silence
        loose = next((path for path in sorted(change.added) if not change.now[path].tracked), None)
        if loose is not None:
            return Silent(reason=f"{clean_line(loose)} is not tracked, and may be no part of the change.")
        return change

    @property
    def known_change(self) -> Change | None:
        """The change, where it was asked for and there is one."""
        return None if isinstance(self._change, Silent) else self._change

    def _since(self, base: Base) -> Change:
        then, touched = self.snapshot.stored_at(base.commit)
        loose = {path: self._with_blob(path, self.files[path], then) for path in self.snapshot.untracked}
        return Change(base=base, then=then, now={**self.files, **loose}, touched=touched)

    def _with_blob(self, path: str, entry: Entry, then: Mapping[str, Entry]) -> Entry:
        """Hash a file that is not tracked now but was then."""
        if entry.blob is not None or path not in then:
            return entry
        data = self.read(path)
        like = then[path].blob or ""
        return Entry(mode=entry.mode, blob=None if data is None else blob_id(data, like), tracked=False)

    def read(self, path: str) -> bytes | None:
        """Give a file's bytes as they lie there; None of one that is named like a secret, or is no regular file."""
        if path not in self._read:
            denied = denied_by(PurePosixPath(path)) is not None
            self._read[path] = None if denied else self.snapshot.read(path)
        return self._read[path]

    def text(self, path: str) -> str:
        """Give a file as text, with a mark for each byte that is none; empty where it cannot be read."""
        return (self.read(path) or b"").decode("utf-8", "replace")

    def read_then(self, path: str) -> bytes | None:
        """Give a file's bytes at the base; None where it was not there.

        Raises:
            Unread: It was there, and its bytes are not at hand.
        """
        change = self.change()
        entry = None if isinstance(change, Silent) else change.then.get(path)
        if entry is None or entry.blob is None:
            return None
        if path in self._then:
            return self._then[path]
        if denied_by(PurePosixPath(path)) is not None or entry.mode not in (_REGULAR, _PROGRAM):
            raise Unread(path)
        reply = run_git(self.snapshot.top, "cat-file", "blob", entry.blob, limit=_MAX_BLOB)
        if reply.status or len(reply.output) > _MAX_BLOB:
            raise Unread(path)
        self._then[path] = reply.output
        return reply.output

    def read_before(self, path: str) -> bytes | None:
        """Give the same, from the work tree where it did not change: git need not be asked for it.

        Raises:
            Unread: As `read_then`.
        """
        change = self.change()
        same = isinstance(change, Change) and path not in change.paths and path in self.files
        return self.read(path) if same else self.read_then(path)

    def past(self) -> Evidence | Silent:
        """Give the tree of the base as evidence, or why there is none. It has no change, and no run."""
        change = self.change()
        if isinstance(change, Silent):
            return change
        if self._past is None:
            inner = (path for path, entry in change.then.items() if entry.mode == SUBMODULE)
            before = Snapshot(
                top=self.snapshot.top,
                head=change.base.commit,
                files=change.then,
                differing=frozenset(),
                staged=change.then,
                unlike_head={},
                blind=tuple(BlindSpot(kind="submodule", path=path) for path in inner),
                commit=change.base.commit,
                reads=self.read_before,
            )
            none = "It is the base itself."
            # What is named is the same file as now, be it there at the base or not.
            known = {False: self.paths(then=True)}
            self._past = Evidence(
                snapshot=before, no_base=none, names=self.names, directory=self.directory, _paths=known
            )
        return self._past

    def found(self, name: str) -> Found:
        """Give where a name stands in the tree."""
        if not self._found:
            self._found = self._search.of(sorted(self.names), self.holding)
        if name not in self._found:
            self._found |= self._search.of([name])
        return self._found[name]

    def first(self, names: Sequence[str]) -> Hit | None:
        """Give one place in the tree where any of some names stands."""
        key = tuple(names)
        if key not in self._first:
            self._first[key] = self._search.first(names)
        return self._first[key]

    @property
    def _search(self) -> Search:
        if self._searching is None:
            self._searching = Search(self.snapshot, self.read)
        return self._searching

    def only_looks_changed(self, path: str) -> bool:
        """Whether nothing but the mode or the line ends of a file of the change differs."""
        change = self.change()
        if isinstance(change, Silent) or path not in change.modified:
            return False
        if change.then[path].blob == change.now[path].blob:
            return True
        then, now = self.read_then(path), self.read(path)
        ends = (b"\r\n", b"\n")
        return then is not None and now is not None and then.replace(*ends) == now.replace(*ends)

    def paths(self, *, then: bool = False) -> PathList:
        """Give the paths as they lie there, with those of the base where `then` and where there is one."""
        change = self.change() if then else None
        gone = change.deleted if isinstance(change, Change) else frozenset()
        if bool(gone) not in self._paths:
            self._paths[bool(gone)] = PathList(self.files.keys() | gone if gone else self.files.keys())
        return self._paths[bool(gone)]

    @property
    def unsearched(self) -> str | None:
        """A file that holds, or leads to, what a search does not reach: packed ones, links, other repositories."""
        if self._unsearched is _NOT_LOOKED:
            self._unsearched = next(
                (
                    path
                    for path, entry in self.files.items()
                    if entry.mode in (LINK, SUBMODULE) or path.lower().endswith(_PACKED)
                ),
                None,
            )
        return self._unsearched

    def look_around(self) -> None:
        """Look at what each claim that nothing holds a name is held against: the names of files, and what no search reaches."""
        if self.unsearched is None:
            self.paths().holding("")

    def commits(self) -> int:
        """Give how many commits are between the base and HEAD."""
        change = self.change()
        if isinstance(change, Silent):
            return 0
        reply = run_git(self.snapshot.top, "rev-list", "--count", f"{change.base.commit}..HEAD")
        return int(reply.output) if not reply.status else 0

    def counts(self, path: str) -> bool:
        """Whether what stands in a file can refute that something stands nowhere: a scratch file beside the project cannot."""
        entry = self.files.get(path)
        return entry is not None and entry.tracked and path not in self.aside

    def ignored(self) -> Sequence[str]:
        """Give what git ignores: files, and folders that are ignored whole, which end with a slash.

        Raises:
            InvalidRequest: git does not say.
        """
        if self._ignored is None:
            options = ("--others", "--ignored", "--exclude-standard", "--directory", "-z")
            reply = run_git(self.snapshot.top, "ls-files", *options, indexed=True)
            if reply.status:
                raise InvalidRequest(
                    "git does not say what it ignores.", hint="Go on without settlers: --no-settle."
                )
            self._ignored = [os.fsdecode(name) for name in reply.output.split(b"\0") if name]
        return self._ignored

    def blind_at(self, paths: Sequence[str] | None = None) -> BlindSpot | None:
        """Give something that git does not show, of these paths; of the whole tree by default."""
        spots = self.snapshot.blind
        if paths is None:
            return spots[0] if spots else None
        return next((spot for spot in spots for path in paths if spot.touches(path)), None)

    def unseen(
        self, paths: Sequence[str] | None = None, *, but: Callable[[str], bool] = lambda _: False
    ) -> Silent | None:
        """Give silence where git does not show all of these paths, or of the tree without those that `but` takes."""
        for spot in self.snapshot.blind:
            if but(spot.path):
                continue
            if paths is None or any(spot.touches(path) for path in paths):
                return Silent(reason=f"Not all of it can be seen: {tell(spot)}.")
        return None
