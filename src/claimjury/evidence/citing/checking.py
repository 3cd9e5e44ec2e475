"""Checking: each citation held against the files that it names. Nothing is changed, nothing is sent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Final, Literal
from urllib.parse import unquote

from claimjury.errors import ClaimjuryError
from claimjury.evidence.citing.beside import Beside
from claimjury.evidence.citing.finding import Citation, could_be_host, find_citations, is_placeholder
from claimjury.evidence.citing.tree import Tree
from claimjury.evidence.decoding import decode
from claimjury.evidence.files import read_file
from claimjury.evidence.tokens import Tokens, tokens_of

__all__ = ["BROKEN", "Checked", "Status", "check_citations"]

Status = Literal[
    "ok",
    "missing_file",
    "missing_line",
    "gone",
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
_MAX_MATCHES: Final = 2_000
_MAX_CHANGES: Final = 8
_COMMENT_MARKS: Final = re.compile(r"(?m)^[ \t]*(?:#+|/{2,}|/\*+|\*+|-{2,}|;+)[ \t]?")


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


def check_citations(text: str, root: Path, folders: Sequence[Path] = ()) -> list[Checked]:
    """Find the citations of a text and check each against the files below `root`.

    Args:
        text: The text.
        root: The repository.
        folders: Folders of it that a path may be relative to, tried before the root: where one works, where the text lies.
    """
    citations = find_citations(text)
    if not citations:
        return []
    tree = Tree(root, folders)
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

    @cached_property
    def tokens(self) -> Tokens:
        return tokens_of(self.text)

    def lines_with(self, beside: Beside) -> list[tuple[int, int]]:
        """Give the lines, first and last, where it stands."""
        if beside.kind == "symbol":
            return [(line, line) for line in self._symbol_lines(beside.wanted)]
        words = tokens_of(beside.wanted).words
        return [
            (tokens.line(start), tokens.line(start + len(words) - 1))
            for tokens in (self.tokens, self._unmarked)
            for start in islice(tokens.matches(words), _MAX_MATCHES)
        ]

    @cached_property
    def _unmarked(self) -> Tokens:
        """The tokens without the marks of comments, since a comment is quoted without them."""
        return tokens_of(_COMMENT_MARKS.sub("", self.text))

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
    one = _named(one, tree)
    path = unquote(one.path) if one.form == "link" else one.path
    found = tree.resolve(path, framed=one.form == "frame")
    if found.why == "file" and found.file is not None:
        return _unless_another(_read_at(one, found.file, files), path, tree, files)
    if one.form == "link" and one.line is None and tree.has_folder(path):
        return Checked(citation=one, status="ok", file=path)
    if found.why in ("missing_file", "outside") and not _is_meant(one, tree):
        return None
    status: Status = "missing_file" if found.why == "file" else found.why
    if status == "missing_file" and one.gone:
        status = "gone"
    return Checked(citation=one, status=status, file=found.file, others=found.others)


def _named(one: Citation, tree: Tree) -> Citation:
    """Give a citation by the name that a file has: a longer one before the one that was found, else the end of it.

    Scripts that set no blanks run into the name: there it begins where the script changes.
    """
    for name in (one.spaced, one.whole):
        if name is not None and tree.resolve(name).why == "file":
            return one.called(name)
    if one.form == "link" or tree.resolve(one.path).why not in ("missing_file", "outside"):
        return one
    path = one.path
    changes = (at for at in range(1, len(path)) if path[at].isascii() and not path[at - 1].isascii())
    for at in islice(changes, _MAX_CHANGES):
        if tree.resolve(path[at:]).why not in ("missing_file", "outside"):
            return one.called(path[at:])
    return one


def _is_meant(one: Citation, tree: Tree) -> bool:
    """Whether what is not there was meant as a file at all."""
    if could_be_host(one) or is_placeholder(one.path):
        return False
    return one.sure or tree.has_part_of(one.path)


def _unless_another(checked: Checked, path: str, tree: Tree, files: _Files) -> Checked:
    """Give what came of a citation; where it is sound in another file of that name, that one may be meant."""
    if not checked.broken:
        return checked
    others = [file for file in tree.namesakes(path) if file != checked.file]
    if any(_read_at(checked.citation, file, files).status == "ok" for file in others):
        named = (checked.file or "", *others)
        return Checked(citation=checked.citation, status="ambiguous", others=named[:5])
    return checked


def _read_at(one: Citation, name: str, files: _Files) -> Checked:
    """Say whether a file has the lines that are cited, and what stands beside the citation."""
    file = files.get(name)
    if file is None:
        return Checked(citation=one, status="unreadable", file=name)
    # Tools say line 0 of a whole file, and line 1 of an empty one.
    whole = one.line in (None, 0) or (file.count == 0 and one.text.endswith(":1:1"))
    if whole or one.line is None:
        return Checked(citation=one, status="ok", file=name, lines=file.count)
    if not 1 <= one.line <= (one.end or one.line) <= file.count:
        status: Status = "gone" if one.gone else "missing_line"
        return Checked(citation=one, status=status, file=name, lines=file.count)
    return _placed(one, name, file)


def _placed(one: Citation, name: str, file: _File) -> Checked:
    """Say whether what stands beside a citation stands at its lines too."""
    first, last = (one.line or 1) - NEAR, (one.end or one.line or 1) + NEAR
    for beside in one.beside:
        places = file.lines_with(beside)
        if any(start <= last and end >= first for start, end in places):
            continue
        if beside.elsewhere and not places:
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
