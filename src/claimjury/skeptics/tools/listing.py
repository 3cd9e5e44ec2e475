"""Which files are there? Those that git tracks or would track; outside of git, all.

What is not listed is counted by its reason, since a claim that something is nowhere depends on it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from claimjury.errors import InvalidRequest
from claimjury.evidence.denylist import denied_by
from claimjury.evidence.git import run_git, tracked, work_tree
from claimjury.skeptics.tools.jail import Found, Jail, is_link
from claimjury.skeptics.tools.limits import MAX_FILES, MAX_SEARCHED_BYTES, SEARCH_S

__all__ = ["Listing", "Skip", "list_files", "tell_skipped"]

Skip = Literal[
    "denied",
    "binary",
    "large",
    "link",
    "irregular",
    "gone",
    "unreadable",
    "repository",
    "unnamed",
    "over",
    "late",
]
_REASONS: Final[Mapping[Skip, str]] = {
    "denied": "denied (named like secrets, git's own, or kept back by .claimjuryignore)",
    "binary": "binary or of no known encoding",
    "large": f"over {MAX_SEARCHED_BYTES:,} bytes",
    "link": "symbolic links (what they lead to counts under its own name)",
    "irregular": "not regular files",
    "gone": "in git's index but not on disk",
    "unreadable": "cannot be opened",
    "repository": "other repositories",
    "unnamed": "with a name that is not UTF-8, or no path below the root",
    "over": f"over the limit of {MAX_FILES:,} files",
    "late": f"left when {SEARCH_S:g} seconds were over",
}
_IN_GIT: Final = "that git tracks, or that are new and not ignored (ignored files are left out)"
_BY_WALK: Final = "on disk"
_SMALLER: Final = "Name a smaller folder with path."


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The files that are wanted.

    Attributes:
        names: Relative to the root, sorted; none of them is denied.
        denied: Names that are wanted and denied, sorted.
        skipped: Counts of what is wanted and not in `names`, by reason.
        scope: What was listed, as a phrase.
    """

    names: tuple[str, ...]
    denied: tuple[str, ...]
    skipped: Counter[Skip]
    scope: str


def list_files(jail: Jail, folder: Found, wanted: Callable[[str], bool]) -> Listing:
    """Give the files below a folder whose names, relative to the root, are wanted.

    Raises:
        InvalidRequest: git refuses to list a repository.
    """
    in_git = _is_work_tree(folder.path)
    entries = _in_git(folder.path) if in_git else _on_disk(folder.path)
    prefix = PurePosixPath(folder.name)
    names: list[str] = []
    denied: list[str] = []
    skipped: Counter[Skip] = Counter()
    for entry, skip in entries:
        name = (prefix / entry).as_posix()
        if skip:
            # A folder: what of its files is wanted is not known.
            skipped[skip] += 1
        elif not _is_usable(name):
            skipped["unnamed"] += 1
        elif not wanted(name):
            continue
        elif jail.denies(PurePosixPath(name)):
            denied.append(name)
        elif len(names) >= MAX_FILES:
            skipped["over"] += 1
        else:
            names.append(name)
    skipped["denied"] += len(denied)
    return Listing(
        names=tuple(sorted(names)),
        denied=tuple(sorted(denied)),
        skipped=skipped,
        scope=_IN_GIT if in_git else _BY_WALK,
    )


def tell_skipped(skipped: Mapping[Skip, int]) -> str:
    """Give the counts of what was left out as one phrase: `2 binary …, 1 denied …`; `nothing` for none."""
    told = [f"{skipped[kind]:,} {reason}" for kind, reason in _REASONS.items() if skipped.get(kind)]
    return ", ".join(told) or "nothing"


def _is_work_tree(folder: Path) -> bool:
    try:
        top = work_tree(folder)
    except InvalidRequest:
        # Without git, or where it refuses, the files can still be walked.
        return False
    # A repository's config can say that its work tree is elsewhere.
    return top is not None and folder.is_relative_to(top.resolve())


def _in_git(folder: Path) -> Iterator[tuple[str, Skip | None]]:
    try:
        entries = tracked(folder)
    except InvalidRequest as error:
        raise InvalidRequest(f"The files cannot be listed: {error.message}", hint=_SMALLER) from error
    for entry in entries:
        yield entry.path, "repository" if entry.submodule else None
    # The repository's config could name any file as one of patterns to ignore.
    arguments = ("-c", f"core.excludesFile={os.devnull}", "ls-files", "-z", "--others", "--exclude-standard")
    listing = run_git(folder, *arguments, indexed=True)
    if listing.status:
        raise InvalidRequest("The new files cannot be listed: git failed.", hint=_SMALLER)
    for name in map(os.fsdecode, filter(None, listing.output.split(b"\0"))):
        # Of another repository below this one, git gives the folder.
        yield name, "repository" if name.endswith("/") else None


def _on_disk(folder: Path) -> Iterator[tuple[str, Skip | None]]:
    unread: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=unread.append):
        below = Path(place).relative_to(folder)
        for name in sorted(folders):
            within = below / name
            if denied_by(within / "x"):
                folders.remove(name)
                yield within.as_posix(), "denied"
            elif is_link(Path(place) / name):
                yield within.as_posix(), "link"
        folders.sort()
        yield from (((below / name).as_posix(), None) for name in sorted(files))
    yield from (
        (Path(os.fsdecode(error.filename)).relative_to(folder).as_posix(), "unreadable") for error in unread
    )


def _is_usable(name: str) -> bool:
    # An index can be made to name what lies outside.
    if name.startswith("/") or ".." in name.split("/"):
        return False
    return not any("\ud800" <= char <= "\udfff" for char in name)
