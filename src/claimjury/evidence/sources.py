"""Sources: files, excerpts of files and diffs as loaded, hashed, their lines counted."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from claimjury.errors import InvalidRequest
from claimjury.evidence.decoding import Decoded, decode
from claimjury.evidence.files import MAX_SOURCE_BYTES, Identity, read_file
from claimjury.evidence.roots import resolve_roots
from claimjury.evidence.selection import MAX_SOURCES, Selection, checked_paths, select
from claimjury.evidence.stripping import stripped
from claimjury.text import clean_line

__all__ = ["MAX_SOURCES", "MAX_SOURCE_BYTES", "DiffRange", "Source", "count_lines", "load_sources"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRange:
    """Where a diff comes from.

    Attributes:
        old: Full id of the commit that it starts from.
        new: Full id of the commit that it leads to.
        files: The paths that it shows, relative to the top of the work tree; of a renamed file both.
    """

    old: str
    new: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    r"""A file as loaded, lines of one, or a diff.

    Attributes:
        path: Its name in the prompt and the result: relative to its root, with forward slashes.
        text: What is sent of it, line ends as they are: the whole, unless `excerpt` says otherwise.
        sha256: Of the bytes of the whole file, hexadecimal.
        bytes: Size of the whole file.
        lines: Count of lines of the whole file; a line ends at \n or \r\n only.
        encoding: The encoding that the text was read by.
        replaced: Characters of the whole file that stand for bytes which could not be decoded.
        guessed: Whether the encoding was guessed.
        excerpt: The first and the last line that are sent, counted from 1; None where all are.
        diff: Where a diff comes from; None for a file.
        stripped: Lines that lost a comment or a docstring; None where none was taken out.
        redacted: Secrets that were taken out of what is sent: the line of each, and its form.
        whole: Of an excerpt the text of the whole file, in which secrets are looked for; it is not sent.
    """

    path: str
    text: str
    sha256: str
    bytes: int
    lines: int
    encoding: str
    replaced: int = 0
    guessed: bool = False
    excerpt: tuple[int, int] | None = None
    diff: DiffRange | None = None
    stripped: int | None = None
    redacted: tuple[tuple[int, str], ...] = ()
    whole: str | None = field(default=None, repr=False, compare=False)

    @property
    def kind(self) -> Literal["SOURCE", "DIFF"]:
        """What its fence calls it."""
        return "SOURCE" if self.diff is None else "DIFF"

    @property
    def first_line(self) -> int:
        """The number of the first line that is sent."""
        return 1 if self.excerpt is None else self.excerpt[0]

    @property
    def sent_bytes(self) -> int:
        """Size of what is sent of it, as it was in the file; of an excerpt, in UTF-8."""
        return self.bytes if self.excerpt is None else len(self.text.encode())

    @property
    def shown(self) -> str:
        """Its name for people, cleaned, with the lines of an excerpt: `src/a.py:10-80`."""
        name = clean_line(self.path)
        if self.excerpt is None:
            return name
        first, last = self.excerpt
        return f"{name}:{first}" if first == last else f"{name}:{first}-{last}"

    @property
    def note(self) -> str:
        """What its fence says beside its name; empty for a whole file that was decoded without loss."""
        notes: list[str] = []
        if self.excerpt is not None:
            first, last = self.excerpt
            notes.append(f"{f'line {first}' if first == last else f'lines {first}-{last}'} of {self.lines}")
        if self.diff is not None:
            notes.append(f"from commit {self.diff.old} to commit {self.diff.new}")
        if self.stripped is not None:
            notes.append("without comments and docstrings")
        if self.redacted:
            notes.append(f"{len(self.redacted)} secret(s) taken out")
        if self.replaced:
            notes.append(f"{self.replaced} undecodable, shown as U+FFFD")
        return "; ".join(notes)


def load_sources(
    paths: Sequence[str | os.PathLike[str]],
    *,
    roots: Sequence[Path] | None = None,
    allow_secrets: bool = False,
    strip_comments: bool = False,
    ignored: list[str] | None = None,
) -> tuple[Source, ...]:
    """Load what every path names below the roots, in the order given; the same thing twice is loaded once.

    A path is a file, `file:10-80` or `file:10` for lines of one, or, in a git work tree, a directory or a
    pattern (`src/**/*.py`), which stand for the tracked files there.

    Args:
        paths: The paths.
        roots: Where they may lie; the working directory by default.
        allow_secrets: Whether files that are named like secrets are read.
        strip_comments: Whether comments and docstrings are taken out, where a lexer knows the file.
        ignored: Gets the names that a directory or a pattern holds and `.claimjuryignore` keeps back.

    Raises:
        InvalidRequest: It is no list of paths, there are more than 50 sources, a range is none, or a name is not
            UTF-8.
        EvidenceError: One of the files cannot be used; nothing is loaded by halves.
        ConfigInvalid: A root is not allowed.
    """
    given = checked_paths(paths)
    if not given:
        return ()
    chosen = select(
        given, resolve_roots(roots), allow_secrets=allow_secrets, ignored=[] if ignored is None else ignored
    )
    names = _names({selection.path: selection.root for selection in chosen})
    for name in names.values():
        _refuse_surrogates(name)
    files: dict[Identity, _File] = {}
    for selection in chosen:
        if selection.identity not in files:
            files[selection.identity] = _read(selection, strip_comments=strip_comments)
    return tuple(_source(selection, names[selection.path], files[selection.identity]) for selection in chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """A file as read, once, so that all excerpts of it are of the same state."""

    decoded: Decoded
    sha256: str
    bytes: int
    stripped: int | None = None


def _read(selection: Selection, *, strip_comments: bool) -> _File:
    data = read_file(selection.path, selection.shown)
    decoded = decode(data, selection.shown)
    bare = stripped(decoded.text, selection.path.name) if strip_comments else None
    return _File(
        decoded=decoded if bare is None else replace(decoded, text=bare[0]),
        sha256=hashlib.sha256(data).hexdigest(),
        bytes=len(data),
        stripped=None if bare is None else bare[1],
    )


def _source(selection: Selection, name: str, file: _File) -> Source:
    text = file.decoded.text
    lines = count_lines(text)
    if selection.lines is not None:
        text = _cut(text, selection.lines, lines, selection.shown)
    return Source(
        path=name,
        text=text,
        sha256=file.sha256,
        bytes=file.bytes,
        lines=lines,
        encoding=file.decoded.encoding,
        replaced=file.decoded.replaced,
        guessed=file.decoded.guessed,
        excerpt=selection.lines,
        stripped=file.stripped,
        whole=None if selection.lines is None else file.decoded.text,
    )


def _cut(text: str, wanted: tuple[int, int], lines: int, shown: str) -> str:
    first, last = wanted
    if last > lines:
        raise InvalidRequest(
            f"The source {shown} has {lines:,} line{'' if lines == 1 else 's'}, so there is no line {last:,}.",
            hint="Name lines that it has, or send it whole.",
        )
    cut = "\n".join(text.split("\n")[first - 1 : last])
    # Only the last line of a file can lack its end.
    return f"{cut}\n" if last < lines or text.endswith("\n") else cut


def count_lines(text: str) -> int:
    r"""Count the lines of `text`: they end at \n (so at \r\n too) and nowhere else."""
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _names(roots: Mapping[Path, Path]) -> dict[Path, str]:
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
