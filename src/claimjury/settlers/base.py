"""The base: the commit that "this change" is measured from. Said, or where the branch left the main one, or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from claimjury.errors import InvalidRequest
from claimjury.evidence.git import commit_id, merge_base
from claimjury.settlers.outcome import Silent
from claimjury.settlers.snapshot import Snapshot, tree_at
from claimjury.text import clean_line

__all__ = ["Base", "find_base"]

_MAIN: Final = (
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
)
_SAY: Final = "Say where the change begins with --base REVISION."


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """Where the change begins.

    Attributes:
        commit: Its full id.
        why: How it was found, as words.
    """

    commit: str
    why: str


def find_base(snapshot: Snapshot, asked: str | None) -> Base | Silent:
    """Give the base of the change, up to the files as they lie there.

    Raises:
        InvalidRequest: `asked` names no commit.
    """
    top = snapshot.top
    if asked is not None:
        commit = commit_id(top, asked)
        if commit is None:
            raise InvalidRequest(
                f"--base {clean_line(asked)} names no commit.",
                hint="`git log` lists commits; in a shallow clone, fetch more of the history first.",
            )
        return Base(commit=commit, why="said")
    if snapshot.head is None:
        return Silent(reason="Nothing is committed yet, so there is no base of the change.")
    return _left_main(snapshot, snapshot.head)


def _left_main(snapshot: Snapshot, head: str) -> Base | Silent:
    for name in _MAIN:
        main = commit_id(snapshot.top, name)
        if main is None:
            continue
        commit = merge_base(snapshot.top, main, head)
        short = name.removeprefix("refs/").removeprefix("heads/").removeprefix("remotes/")
        if commit is None:
            return Silent(reason=f"HEAD and {short} have no common commit here. {_SAY}")
        if commit == head and not _is_dirty(snapshot):
            return Silent(reason=f"Nothing differs from {short}, so there is no change to look at. {_SAY}")
        return Base(commit=commit, why=f"where HEAD left {short}")
    return Silent(reason=f"There is no main branch to measure the change from. {_SAY}")


def _is_dirty(snapshot: Snapshot) -> bool:
    return (
        bool(snapshot.differing)
        or any(not entry.tracked for entry in snapshot.files.values())
        or _staged_differs(snapshot)
    )


def _staged_differs(snapshot: Snapshot) -> bool:
    return snapshot.head is not None and tree_at(snapshot.top, snapshot.head) != dict(snapshot.staged)
