"""Which files does a user name? Paths, excerpts (`a.py:10-80`), directories and patterns, each file by its name.

A directory or a pattern stands for the files that git tracks there: what nobody committed (build output, local
settings, secrets) is never swept up. Nothing that is matched is left out: what cannot be sent is an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from claimjury.errors import InvalidRequest, SourceDenied, SourceNotFound, SourceNotText
from claimjury.evidence.denylist import refuse_secrets
from claimjury.evidence.files import Identity, identify
from claimjury.evidence.git import Tracked, tracked, work_tree
from claimjury.evidence.ignoring import IGNORE_FILE, is_kept_back
from claimjury.evidence.roots import confine
from claimjury.text import clean_line

__all__ = ["MAX_SOURCES", "Selection", "checked_paths", "select"]

MAX_SOURCES: Final = 50
# One letter before the colon is a Windows drive.
_RANGE: Final = re.compile(
    r"(?P<path>.{2,}|[^A-Za-z]):(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?", re.DOTALL
)
_MAGIC: Final = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A file, or lines of one, that is to be loaded.

    Attributes:
        shown: The name by which the user gave it, cleaned, for messages.
        path: Where it is, links followed.
        root: The allowed root that it lies below.
        identity: Which file it is, by whatever name.
        lines: The first and the last line of an excerpt, counted from 1; None for the whole file.
    """

    shown: str
    path: Path
    root: Path
    identity: Identity
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scope:
    roots: Sequence[Path]
    allow_secrets: bool
    ignored: list[str]


def checked_paths(paths: object) -> list[str]:
    """Give what a caller handed over as paths, each as text.

    Raises:
        InvalidRequest: It is no list, as where one path is given by itself, or an item is no path.
    """
    if isinstance(paths, (str, bytes, bytearray, os.PathLike)) or not isinstance(paths, Sequence):
        raise InvalidRequest(
            f"The sources are a {type(paths).__name__}, not a list.",
            hint='Give a list of paths: ["src/dates.py"].',
        )
    names: list[str] = []
    for position, path in enumerate(paths, start=1):
        name = os.fspath(path) if isinstance(path, os.PathLike) else path
        if not isinstance(name, str):
            raise InvalidRequest(
                f"Source {position} is a {type(path).__name__}, not a path.",
                hint='Give a list of paths: ["src/dates.py"].',
            )
        names.append(name)
    return names


def select(
    paths: Sequence[str], roots: Sequence[Path], *, allow_secrets: bool, ignored: list[str]
) -> list[Selection]:
    """Give what `paths` name, in their order, a directory's and a pattern's files sorted, the same thing once.

    What a directory or a pattern holds and `.claimjuryignore` keeps back is left out and named in `ignored`; named by itself
    it is refused.

    Raises:
        InvalidRequest: It is more than 50 sources, a range is none, or git refuses.
        EvidenceError: Something that is named cannot be used.
    """
    if len(paths) > MAX_SOURCES:
        raise _too_many(f"There are {len(paths)} sources")
    scope = _Scope(roots=roots, allow_secrets=allow_secrets, ignored=ignored)
    chosen: dict[tuple[Identity, tuple[int, int] | None], Selection] = {}
    expanded: list[str] = []
    for given in paths:
        found = _choose(given, scope)
        expanded += [f"{clean_line(given)} stands for {len(found)}"] if len(found) > 1 else []
        for selection in found:
            chosen.setdefault((selection.identity, selection.lines), selection)
    if len(chosen) > MAX_SOURCES:
        named = f" ({', '.join(expanded)})" if expanded else ""
        raise _too_many(f"There are {len(chosen)} sources{named}")
    return list(chosen.values())


def _too_many(what: str) -> InvalidRequest:
    return InvalidRequest(
        f"{what}; a run takes at most {MAX_SOURCES}.",
        hint="Send the files that the claims are about: none is dropped for you.",
    )


def _choose(given: str, scope: _Scope) -> list[Selection]:
    """Give what one path names. A file that is literally called so wins over every other reading."""
    if not given:
        raise SourceNotFound("A source path is empty.", hint="Check the variable that it came from.")
    path = Path(given)
    if not os.path.lexists(path):
        if ranged := _RANGE.fullmatch(given):
            return [_excerpt(ranged, scope)]
        base, rest = _existing(path)
        if _MAGIC.search(rest):
            return _matching(given, base, rest, scope)
    selection = _confined(path, scope)
    return _below(selection, path, scope) if selection.path.is_dir() else [selection]


def _confined(path: Path, scope: _Scope, lines: tuple[int, int] | None = None) -> Selection:
    resolved, root = confine(path, scope.roots)
    if not scope.allow_secrets:
        refuse_secrets(path, resolved)
    shown = clean_line(str(path))
    if is_kept_back(path, resolved, scope.roots):
        raise SourceDenied(
            f"The source {shown} is kept back by {IGNORE_FILE}.",
            hint="Take it out of that file, or leave it out.",
        )
    return Selection(shown=shown, path=resolved, root=root, identity=identify(resolved, shown), lines=lines)


def _excerpt(ranged: re.Match[str], scope: _Scope) -> Selection:
    path = Path(ranged["path"])
    first = int(ranged["first"])
    last = int(ranged["last"] or first)
    shown = clean_line(ranged[0])
    if not 1 <= first <= last:
        raise InvalidRequest(
            f"The source {shown} names no lines: they count from 1, and the first comes first.",
            hint="Write it like src/a.py:10-80, or src/a.py:10 for one line.",
        )
    if path.is_dir() or (_MAGIC.search(ranged["path"]) and not os.path.lexists(path)):
        raise InvalidRequest(
            f"The source {shown} names lines of more than one file.", hint="Name each file with its lines."
        )
    return _confined(path, scope, (first, last))


def _existing(path: Path) -> tuple[Path, str]:
    """Split `path` into the part that exists, in which `[id]` is a name, and the rest, in which it is a pattern."""
    base = Path(path.anchor)
    parts = path.parts[1:] if path.anchor else path.parts
    for number, part in enumerate(parts):
        if not os.path.lexists(base / part):
            return base, "/".join(parts[number:])
        base /= part
    return base, ""


def _matching(given: str, base: Path, pattern: str, scope: _Scope) -> list[Selection]:
    shown = clean_line(given)
    folder = _confined(base, scope).path
    if ".." in pattern.split("/"):
        raise InvalidRequest(
            f"The pattern {shown} goes up after a wildcard.", hint="Put `..` before the first wildcard."
        )
    if not folder.is_dir() or work_tree(folder) is None:
        raise SourceNotFound(
            f"The pattern {shown} lies in no git work tree, and only tracked files are matched.",
            hint="Name the files.",
        )
    return _expanded(f"The pattern {shown} matches", base, tracked(folder, pattern), scope)


def _below(folder: Selection, path: Path, scope: _Scope) -> list[Selection]:
    if work_tree(folder.path) is None:
        raise SourceNotText(
            f"The source {folder.shown} is a directory, and lies in no git work tree: only tracked files are"
            " sent of one.",
            hint="Name the files.",
        )
    return _expanded(f"The directory {folder.shown} holds", path, tracked(folder.path), scope)


def _is_kept_back(path: Path, scope: _Scope) -> bool:
    """Whether an ignore file names one of the files of a directory or a pattern; then it is noted."""
    resolved, root = confine(path, scope.roots)
    if not is_kept_back(path, resolved, scope.roots):
        return False
    scope.ignored.append(clean_line(resolved.relative_to(root).as_posix()))
    return True


def _expanded(what: str, base: Path, entries: Sequence[Tracked], scope: _Scope) -> list[Selection]:
    if not entries:
        raise SourceNotFound(
            f"{what} no tracked file.", hint="Name the files; `git ls-files` lists what is tracked."
        )
    kept = [entry for entry in entries if not _is_kept_back(base / entry.path, scope)]
    if not kept:
        raise SourceNotFound(f"{what} nothing but what {IGNORE_FILE} keeps back.", hint="Name other files.")
    entries = kept
    if len(entries) > MAX_SOURCES:
        raise _too_many(f"{what} {len(entries):,} tracked files")
    for entry in entries:
        if entry.submodule:
            raise SourceNotText(
                f"{what} {clean_line(entry.path)}, a submodule and no file.", hint="Name the files."
            )
    return [_confined(base / entry.path, scope) for entry in entries]
