"""Checking: each citation held against the files that it names. Nothing is changed, nothing is sent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal
from urllib.parse import unquote

from claimjury.errors import ClaimjuryError
from claimjury.evidence.citing.beside import Beside
from claimjury.evidence.citing.finding import Citation, find_citations
from claimjury.evidence.citing.tree import Resolved, Tree
from claimjury.evidence.decoding import decode
from claimjury.evidence.files import read_file
from claimjury.evidence.tokens import Tokens, tokens_of

__all__ = ["BROKEN", "Checked", "Status", "check_citations"]

Status = Literal[
    "ok",
    "missing_file",
    "missing_line",
    "moved",
    "not_there",
    "ambiguous",
    "outside",
    "submodule",
    "denied",
    "unreadable",
]
BROKEN: Final = frozenset({"missing_file", "missing_line", "moved", "not_there"})
"""A reader who follows one of these finds something else than the text says. The others are not looked into."""
NEAR: Final = 3
"""Lines around those that are cited, in which what stands beside the citation may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A citation and what came of it.

    Attributes:
        file: Relative to the root, where one was found.
        lines: How many it has.
        beside: What should stand there and does not.
        moved_to: The nearest line where it does stand.
        others: Where else files of that name are.
    """

    citation: Citation
    status: Status
    file: str | None = None
    lines: int | None = None
    beside: Beside | None = None
    moved_to: int | None = None
    others: tuple[str, ...] = ()

    @property
    def broken(self) -> bool:
        """Whether a reader who follows it finds something else."""
        return self.status in BROKEN


def check_citations(text: str, root: Path) -> list[Checked]:
    """Find the citations of a text and check each against the files below `root`."""
    citations = find_citations(text)
    if not citations:
        return []
    tree = Tree(root)
    files = _Files(tree.root)
    return [checked for one in citations if (checked := _checked(one, tree, files)) is not None]


class _Files:
    """The files that were read, each once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._read: dict[str, _File | None] = {}

    def get(self, file: str) -> _File | None:
        if file not in self._read:
            self._read[file] = _read(self._root / file)
        return self._read[file]


class _File:
    def __init__(self, text: str) -> None:
        self.text = text
        self.count = text.count("\n") + (0 if text.endswith("\n") or not text else 1)
        self._tokens: Tokens | None = None

    @property
    def tokens(self) -> Tokens:
        if self._tokens is None:
            self._tokens = tokens_of(self.text)
        return self._tokens

    def lines_with(self, beside: Beside) -> list[tuple[int, int]]:
        """Give the lines, first and last, where it stands."""
        if beside.kind == "symbol":
            return [(line, line) for line in self._symbol_lines(beside.wanted)]
        words = tokens_of(beside.wanted).words
        return [
            (self.tokens.line(start), self.tokens.line(start + len(words) - 1))
            for start in self.tokens.matches(words)
        ]

    def _symbol_lines(self, name: str) -> Iterator[int]:
        at = 0
        line = 1
        for match in _symbol(name).finditer(self.text):
            line += self.text.count("\n", at, match.start())
            at = match.start()
            yield line


@lru_cache(maxsize=512)
def _symbol(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")


def _read(path: Path) -> _File | None:
    try:
        return _File(decode(read_file(path, path.name), path.name).text)
    except (ClaimjuryError, OSError):
        return None


def _checked(one: Citation, tree: Tree, files: _Files) -> Checked | None:
    """Give what came of a citation; None where it names no file of anybody's."""
    if one.spaced is not None and tree.resolve(one.spaced).why == "file":
        one = replace(one, path=one.spaced, text=one.spaced + one.text[len(one.path) :], sure=True)
    path = unquote(one.path) if one.form == "link" else one.path
    found = tree.resolve(path, framed=one.form == "frame")
    if not one.sure and found.why in ("missing_file", "outside") and not tree.has_part_of(one.path):
        return None
    if found.why != "file" or found.file is None:
        return _unresolved(one, found)
    file = files.get(found.file)
    if file is None:
        return Checked(citation=one, status="unreadable", file=found.file)
    if one.line is None:
        return Checked(citation=one, status="ok", file=found.file, lines=file.count)
    last = one.end or one.line
    if not 1 <= one.line <= last <= file.count:
        return Checked(citation=one, status="missing_line", file=found.file, lines=file.count)
    return _placed(one, found.file, file)


def _unresolved(one: Citation, found: Resolved) -> Checked:
    status: Status = "missing_file" if found.why == "file" else found.why
    return Checked(citation=one, status=status, file=found.file, others=found.others)


def _placed(one: Citation, name: str, file: _File) -> Checked:
    """Say whether what stands beside a citation stands at its lines too."""
    first, last = (one.line or 1) - NEAR, (one.end or one.line or 1) + NEAR
    for beside in one.beside:
        places = file.lines_with(beside)
        if any(start <= last and end >= first for start, end in places):
            continue
        nearest = _nearest(places, one.line or 1)
        return Checked(
            citation=one,
            status="not_there" if nearest is None else "moved",
            file=name,
            lines=file.count,
            beside=beside,
            moved_to=nearest,
        )
    return Checked(citation=one, status="ok", file=name, lines=file.count)


def _nearest(places: Sequence[tuple[int, int]], line: int) -> int | None:
    return min((start for start, _ in places), key=lambda start: abs(start - line), default=None)
