"""Paths that are asked for by a part of them, without going through all of them for each question."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from claimjury.settlers.search import folded

__all__ = ["PathList", "folders_of"]


class PathList:
    """Some paths, relative to the top of a tree."""

    def __init__(self, names: Collection[str]) -> None:
        """Take them."""
        self.names = names

    def __contains__(self, path: str) -> bool:
        """Whether a path is one of them."""
        return path in self.names

    @cached_property
    def folders(self) -> PathList:
        """Every folder above them."""
        return PathList(folders_of(self.names))

    def ending(self, end: str) -> list[str]:
        """Give, sorted, those whose last parts are these."""
        sought, found, at = f"/{end}\0", [], -1
        while (at := self._joined.find(sought, at + 1)) >= 0:
            begin = self._joined.rindex("\0", 0, at) + 1
            found.append(self._joined[begin : at + len(sought) - 1])
        return sorted(found)

    def begins(self, start: str) -> bool:
        """Whether any of them begins so."""
        return f"\0{start}" in self._joined

    def alike(self, path: str) -> str | None:
        """Give one that is the same but for case or for the ways to write a letter."""
        wanted = folded(path)
        if f"\0{wanted}\0" not in self._folded:
            return None
        return next((name for name in self.names if folded(name) == wanted), None)

    def holding(self, text: str) -> str | None:
        """Give one that holds a text, in any case."""
        wanted = folded(text)
        if wanted not in self._folded:
            return None
        return next((name for name in self.names if wanted in folded(name)), text)

    @cached_property
    def _joined(self) -> str:
        # No path has a zero in it; one may have a line break.
        return "\0".join(["", *self.names, ""])

    @cached_property
    def _folded(self) -> str:
        return folded(self._joined)


def folders_of(paths: Iterable[str]) -> set[str]:
    """Give every folder above some paths."""
    found: set[str] = set()
    for path in paths:
        parent = path.rpartition("/")[0]
        while parent and parent not in found:
            found.add(parent)
            parent = parent.rpartition("/")[0]
    return found
