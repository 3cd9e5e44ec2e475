"""The diff between two commits as a source: what changed, with the whole of each function that it touches."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path, PurePosixPath
from typing import Final

from claimjury.errors import InvalidRequest, SourceDenied, SourceNotFound
from claimjury.evidence.decoding import decode
from claimjury.evidence.denylist import denied_by
from claimjury.evidence.files import MAX_SOURCE_BYTES, too_large
from claimjury.evidence.git import changed_paths, commit_id, merge_base, unified_diff, work_tree
from claimjury.evidence.ignoring import IGNORE_FILE, is_kept_back
from claimjury.evidence.roots import resolve_roots
from claimjury.evidence.sources import DiffRange, Source, count_lines
from claimjury.text import clean_line

__all__ = ["load_diff", "parted"]

_SHORT: Final = 7
_MAX_SEPARATE: Final = 1_000
"""Files that git is asked for one by one, where others of the same diff are kept back."""
_FETCH: Final = "`git log` lists commits; in a shallow clone, fetch more of the history first."


def load_diff(
    wanted: str,
    *,
    roots: Sequence[Path] | None = None,
    allow_secrets: bool = False,
    ignored: list[str] | None = None,
) -> Source:
    """Give the diff of committed files below the roots: `A..B`, `A...B` (from where B left A), or `A` (to HEAD).

    What is not committed is not in it, nor what `.claimjuryignore` keeps back, whose names `ignored` gets.

    Raises:
        InvalidRequest: A revision names no commit, nothing differs, or git refuses.
        SourceNotFound: There is no git work tree.
        SourceDenied: It touches a file whose name says that it holds secrets.
        SourceTooLarge: It is over 50 MB.
        SourceNotText: It holds what is no text.
        ConfigInvalid: A root is not allowed.
    """
    allowed = resolve_roots(roots)
    top = _top(allowed)
    below = _below(top, allowed)
    old, new = _commits(top, wanted)
    name = f"diff {old[:_SHORT]}..{new[:_SHORT]}"
    files = changed_paths(top, old, new, below)
    if not files:
        raise InvalidRequest(
            f"The diff {clean_line(wanted)} is empty: no file below the allowed roots differs"
            f" between {old[:_SHORT]} and {new[:_SHORT]}.",
            hint="Commit what the claims are about; what is not committed is in no diff.",
        )
    files, kept_back = _sent_of(wanted, top, files, allowed)
    if kept_back:
        below = _separate(files)
        (ignored if ignored is not None else []).extend(map(clean_line, kept_back))
    if not allow_secrets:
        _refuse_secrets(name, files)
    data = unified_diff(top, old, new, below, limit=MAX_SOURCE_BYTES)
    return _source(name, data, DiffRange(old=old, new=new, files=tuple(files)))


def parted(files: Sequence[str], hidden: AbstractSet[str]) -> tuple[list[str], list[str]]:
    """Part the files of a diff that may be shown from those that are hidden, or that git could not show without them."""
    # A file that became a folder: to git its name stands for what lies in the folder too.
    folders = {parent.as_posix() for file in hidden for parent in PurePosixPath(file).parents}
    left_out = hidden | (folders & set(files))
    return [file for file in files if file not in left_out], sorted(left_out)


def _sent_of(
    wanted: str, top: Path, files: Sequence[str], roots: Sequence[Path]
) -> tuple[list[str], list[str]]:
    """Give the files that are sent, and those that the ignore file of a root keeps back."""
    sent, kept_back = parted(files, {file for file in files if is_kept_back(top / file, top / file, roots)})
    if not sent:
        raise InvalidRequest(
            f"The diff {clean_line(wanted)} holds nothing but what {IGNORE_FILE} keeps back.",
            hint="Name another range.",
        )
    return sent, kept_back


def _separate(files: list[str]) -> list[str]:
    if len(files) > _MAX_SEPARATE:
        raise InvalidRequest(
            f"The diff touches files that {IGNORE_FILE} keeps back and {len(files):,} others, too many to be shown without them.",
            hint="Narrow it with --root DIR or another range.",
        )
    return files


def _top(roots: Sequence[Path]) -> Path:
    """Give the top of the work tree that is meant: that of the working directory, or else of the first root."""
    here = Path.cwd().resolve()
    directory = here if any(here.is_relative_to(root) for root in roots) else roots[0]
    top = work_tree(directory)
    # A repository's config can say that its work tree is elsewhere.
    if top is None or not directory.is_relative_to(top.resolve()):
        raise SourceNotFound(
            f"There is no git work tree at {clean_line(str(directory))}, so there is no diff.",
            hint="Run inside the repository, or send the files.",
        )
    return top.resolve()


def _below(top: Path, roots: Sequence[Path]) -> list[str]:
    """Give the parts of the work tree that lie below a root; an empty list for all of it."""
    if any(top.is_relative_to(root) for root in roots):
        return []
    return [root.relative_to(top).as_posix() for root in roots if root.is_relative_to(top)]


def _commits(top: Path, wanted: str) -> tuple[str, str]:
    forked = "..." in wanted
    left, _, right = wanted.partition("..." if forked else "..")
    # As git has it, an end that is left out is HEAD; but an empty range is a slip.
    if not left and not right:
        raise InvalidRequest("The range of the diff is empty.", hint="Write it like main...HEAD, or HEAD~1.")
    old = _commit(top, left or "HEAD")
    new = _commit(top, right or "HEAD")
    if not forked:
        return old, new
    base = merge_base(top, old, new)
    if base is None:
        raise InvalidRequest(f"The commits of {clean_line(wanted)} have no common ancestor.", hint=_FETCH)
    return base, new


def _commit(top: Path, revision: str) -> str:
    found = commit_id(top, revision)
    if found is None:
        raise InvalidRequest(f"The revision {clean_line(revision)} names no commit.", hint=_FETCH)
    return found


def _refuse_secrets(name: str, files: Sequence[str]) -> None:
    for file in files:
        pattern = denied_by(PurePosixPath(file))
        if pattern is not None:
            raise SourceDenied(
                f"The {name} touches {clean_line(file)}, which is denied: `{pattern}` names files that hold"
                " secrets.",
                hint="Narrow it with --root DIR or another range; or allow it on purpose with --allow-secrets.",
            )


def _source(name: str, data: bytes, origin: DiffRange) -> Source:
    if len(data) > MAX_SOURCE_BYTES:
        raise too_large(name, len(data))
    decoded = decode(data, name)
    return Source(
        path=name,
        text=decoded.text,
        sha256=hashlib.sha256(data).hexdigest(),
        bytes=len(data),
        lines=count_lines(decoded.text),
        encoding=decoded.encoding,
        replaced=decoded.replaced,
        guessed=decoded.guessed,
        diff=origin,
    )
