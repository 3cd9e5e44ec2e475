"""The tree: which files a repository has, by their paths and by their names. Looked up on the disk first, listed only if need be."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from claimjury.errors import ClaimjuryError, InvalidRequest
from claimjury.evidence.denylist import denied_by
from claimjury.evidence.files import read_file
from claimjury.evidence.git import MAX_LISTING, run_git

__all__ = ["Resolved", "Tree"]

_MAX_LISTED: Final = 400_000
_PASSED_OVER: Final = frozenset(
    {".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache", "target"}
)
_MAX_NAMESAKES: Final = 20
_SUBMODULE: Final = re.compile(r"[ \t]*path[ \t]*=[ \t]*(\S.*)")
_VARIABLE: Final = re.compile(r"\$\w+|\$?\{[\w.:]+\}|%\w+%")
Why = Literal["file", "missing_file", "ambiguous", "outside", "submodule", "denied", "unreadable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What a path names.

    Attributes:
        why: `file`, or why there is none.
        file: Relative to the root, with slashes.
        others: Where else a file of that name is.
    """

    why: Why
    file: str | None = None
    others: tuple[str, ...] = ()


class Tree:
    """The files below one root."""

    def __init__(self, root: Path, folders: Sequence[Path] = ()) -> None:
        """Take the root, links followed, and folders below it that paths may be relative to, before the root."""
        self.root = root.resolve()
        resolved = [folder.resolve() for folder in folders]
        below = [
            folder.relative_to(self.root).parts for folder in resolved if folder.is_relative_to(self.root)
        ]
        self._folders = tuple("/".join(parts) for parts in dict.fromkeys([*below, ()]))
        self._resolved: dict[tuple[str, bool], Resolved] = {}

    def resolve(self, path: str, *, framed: bool = False) -> Resolved:
        """Give the file that a path names: as it stands below a folder, else by its only tail.

        Args:
            path: As it was written; backslashes are slashes.
            framed: Whether it stands in a stack trace, which names files of libraries too.
        """
        if (path, framed) not in self._resolved:
            try:
                found = self._resolve(path, framed=framed)
            except (OSError, ValueError):
                # A name that is too long, a folder that may not be entered: of that one citation alone.
                found = Resolved(why="unreadable")
            self._resolved[path, framed] = found
        return self._resolved[path, framed]

    def _resolve(self, path: str, *, framed: bool) -> Resolved:
        names = self._relative(path)
        if not names:
            return Resolved(why="outside")
        for name in filter(None, names):
            if self._in_submodule(name):
                return Resolved(why="submodule", file=name)
            if found := self._on_disk(name):
                return found
        name = names[-1]
        if not name:
            return Resolved(why="missing_file")
        return self._by_tail(name, foreign=framed and not self.has_part_of(path))

    def _by_tail(self, name: str, *, foreign: bool) -> Resolved:
        files = self._tails(name, self._by_name)
        rest = _unabbreviated(name, self.root.name)
        if not files and rest:
            if found := self._on_disk(rest):
                return found
            files = self._tails(rest, self._by_name)
        if len(files) == 1:
            return self._on_disk(files[0]) or Resolved(why="missing_file")
        if files:
            return Resolved(why="ambiguous", others=tuple(files[:5]))
        if (rest and name.startswith(("$", "{", "%"))) or foreign or self._is_foreign(name):
            return Resolved(why="outside")
        return Resolved(why="missing_file", others=tuple(self._named(name)[:5]))

    def _is_foreign(self, name: str) -> bool:
        """Whether a name that no file here has may be one of a library, or lies among what git ignores."""
        if self._tails(name, self._ignored):
            return True
        folder, slash, last = name.rpartition("/")
        if not slash or last in self._by_name or (self.root / folder.partition("/")[0]).is_dir():
            return False
        ends = self._folder_ends.get(folder.rpartition("/")[2], ())
        return not any(f"/{one}".endswith(f"/{folder}") for one in ends)

    def has_part_of(self, path: str) -> bool:
        """Whether the folder that a path names is there: then it speaks of this repository."""
        return any(
            "/" in name and self._is_folder(str(PurePosixPath(name).parent)) for name in self._relative(path)
        )

    def has_folder(self, path: str) -> bool:
        """Whether it names a folder."""
        return any(self._is_folder(name) for name in self._relative(path))

    def _is_folder(self, name: str) -> bool:
        try:
            return (self.root / name).is_dir()
        except (OSError, ValueError):
            return False

    def namesakes(self, path: str) -> list[str]:
        """Give all files that a path may name, by their tails."""
        names = self._relative(path)
        return self._tails(names[-1], self._by_name)[:_MAX_NAMESAKES] if names else []

    def _relative(self, path: str) -> list[str]:
        """Give a path relative to the root, as it is below each folder; none where it leads elsewhere."""
        path = path.strip().strip("`'\"").replace("\\", "/")
        if re.match(r"[A-Za-z]:/|~", path):
            return []
        if path.startswith("/"):
            root = f"{self.root.as_posix()}/"
            names = [_folded(path[len(root) :])] if path.startswith(root) else []
        else:
            names = [_folded(f"{folder}/{path}") for folder in self._folders]
        return list(dict.fromkeys(name for name in names if name is not None))

    def _on_disk(self, name: str) -> Resolved | None:
        path = self.root / name
        if not path.is_file():
            return None
        resolved = path.resolve()
        if not resolved.is_relative_to(self.root):
            return Resolved(why="outside", file=name)
        if denied_by(PurePosixPath(name)) or denied_by(resolved.relative_to(self.root)):
            return Resolved(why="denied", file=name)
        return Resolved(why="file", file=name) if self._spelled(name) else None

    def _spelled(self, name: str) -> bool:
        """Whether a name is spelled as the disk has it, where the disk folds case; elsewhere it was found as it is."""
        folder = self.root
        if not (folder / name.swapcase()).exists():
            return True
        for part in name.split("/"):
            if part not in {entry.name for entry in folder.iterdir()}:
                return False
            folder /= part
        return True

    def _tails(self, name: str, index: Mapping[str, list[str]]) -> list[str]:
        parts = tuple(name.split("/"))
        found = index.get(parts[-1], [])
        return [file for file in found if tuple(file.split("/"))[-len(parts) :] == parts]

    def _named(self, name: str) -> list[str]:
        return self._by_name.get(name.rpartition("/")[2], [])

    def _in_submodule(self, name: str) -> bool:
        return any(name == path or name.startswith(f"{path}/") for path in self._submodules)

    @cached_property
    def _submodules(self) -> tuple[str, ...]:
        try:
            data = read_file(self.root / ".gitmodules", ".gitmodules")
        except ClaimjuryError:
            return ()
        lines = data.decode("utf-8", "replace").splitlines()
        matches = filter(None, map(_SUBMODULE.match, lines))
        return tuple(match[1].strip().strip('"').rstrip("/") for match in matches)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        return _by_last(self._listed())

    @cached_property
    def _folder_ends(self) -> dict[str, list[str]]:
        """The folders, by their last names."""
        files = (file for named in self._by_name.values() for file in named)
        return _by_last(dict.fromkeys(above for file in files for above in _above(file)))

    @cached_property
    def _ignored(self) -> dict[str, list[str]]:
        """What git ignores, as far as its names are read: it is looked for by name and never read for that."""
        listed = self._git_files("--others", "--ignored", "--exclude-standard")
        return _by_last(listed or ())

    def _listed(self) -> Iterator[str]:
        """Give the files that git tracks or would, else those that lie there."""
        listed = self._git_files("--cached", "--others", "--exclude-standard")
        if listed is not None:
            yield from listed
            return
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(set(folders) - _PASSED_OVER)
            below = Path(folder).relative_to(self.root).as_posix()
            yield from (file if below == "." else f"{below}/{file}" for file in sorted(files))

    def _git_files(self, *which: str) -> Iterable[str] | None:
        """Give the files that git lists; None where it does not, or says more than is read."""
        try:
            reply = run_git(self.root, "ls-files", "-z", *which, indexed=True)
        except InvalidRequest:
            return None
        if reply.status != 0 and len(reply.output) <= MAX_LISTING:
            return None
        return dict.fromkeys(map(os.fsdecode, filter(None, reply.output.split(b"\0"))))


def _by_last(paths: Iterable[str]) -> dict[str, list[str]]:
    index: dict[str, list[str]] = {}
    for path in islice(paths, _MAX_LISTED):
        index.setdefault(path.rpartition("/")[2], []).append(path)
    return index


def _above(file: str) -> Iterator[str]:
    folder = file.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _unabbreviated(name: str, root: str) -> str | None:
    """Give a name without what stands before it for the repository: `.../`, `b/` of a diff, `$PWD/`, its own name."""
    first, _, rest = name.partition("/")
    return rest if rest and (first in ("...", "a", "b", root) or _VARIABLE.fullmatch(first)) else None


def _folded(path: str) -> str | None:
    """Give a path without `.` and `..`; None where it leaves the root."""
    parts: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                return None
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
