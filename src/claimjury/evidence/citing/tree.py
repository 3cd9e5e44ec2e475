"""The tree: which files a repository has, by their paths and by their names. Looked up on the disk first, listed only if need be."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from claimjury.errors import InvalidRequest
from claimjury.evidence.denylist import denied_by
from claimjury.evidence.git import run_git

__all__ = ["Resolved", "Tree"]

_MAX_LISTED: Final = 400_000
_PASSED_OVER: Final = frozenset(
    {".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache", "target"}
)
Why = Literal["file", "missing_file", "ambiguous", "outside", "submodule", "denied"]


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

    def __init__(self, root: Path) -> None:
        """Take the root, links followed."""
        self.root = root.resolve()

    def resolve(self, path: str, *, framed: bool = False) -> Resolved:
        """Give the file that a path names: as it stands below the root, else by its only tail.

        Args:
            path: As it was written; backslashes are slashes.
            framed: Whether it stands in a stack trace, which names files of libraries too.
        """
        name = self._relative(path)
        if name is None or name == "":
            return Resolved(why="outside" if name is None else "missing_file")
        if self._in_submodule(name):
            return Resolved(why="submodule", file=name)
        return self._on_disk(name) or self._by_tail(name, foreign=framed and not self.has_part_of(path))

    def _by_tail(self, name: str, *, foreign: bool) -> Resolved:
        files = self._tails(name)
        if len(files) == 1:
            return self._on_disk(files[0]) or Resolved(why="missing_file")
        if files:
            return Resolved(why="ambiguous", others=tuple(files[:5]))
        return Resolved(why="outside" if foreign else "missing_file", others=tuple(self._named(name)[:5]))

    def has_part_of(self, path: str) -> bool:
        """Whether the folder that a path names is there: then it speaks of this repository."""
        name = self._relative(path)
        folder = PurePosixPath(name or "").parent
        return str(folder) not in (".", "") and (self.root / folder).is_dir()

    def _relative(self, path: str) -> str | None:
        """Give a path relative to the root; None where it leads elsewhere."""
        path = path.strip().strip("`'\"").replace("\\", "/")
        if re.match(r"[A-Za-z]:/|~", path):
            return None
        if path.startswith("/"):
            root = f"{self.root.as_posix()}/"
            return _folded(path[len(root) :]) if path.startswith(root) else None
        return _folded(path)

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

    def _tails(self, name: str) -> list[str]:
        parts = tuple(name.split("/"))
        found = self._by_name.get(parts[-1], [])
        return [file for file in found if tuple(file.split("/"))[-len(parts) :] == parts]

    def _named(self, name: str) -> list[str]:
        return self._by_name.get(name.rpartition("/")[2], [])

    def _in_submodule(self, name: str) -> bool:
        return any(name == path or name.startswith(f"{path}/") for path in self._submodules)

    @cached_property
    def _submodules(self) -> tuple[str, ...]:
        try:
            text = (self.root / ".gitmodules").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ()
        return tuple(
            match[1].strip().strip('"').rstrip("/")
            for match in re.finditer(r"(?m)^\s*path\s*=\s*(.+)$", text)
        )

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {}
        for count, file in enumerate(self._listed()):
            if count >= _MAX_LISTED:
                break
            index.setdefault(file.rpartition("/")[2], []).append(file)
        return index

    def _listed(self) -> Iterator[str]:
        """Give the files that git tracks or would, else those that lie there."""
        asked = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        try:
            reply = run_git(self.root, *asked, indexed=True)
        except InvalidRequest:
            reply = None
        if reply is not None and reply.status == 0:
            yield from dict.fromkeys(map(os.fsdecode, filter(None, reply.output.split(b"\0"))))
            return
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(set(folders) - _PASSED_OVER)
            below = Path(folder).relative_to(self.root).as_posix()
            yield from (file if below == "." else f"{below}/{file}" for file in sorted(files))


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
