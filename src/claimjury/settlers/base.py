"""The base: the commit that "this change" is measured from. Said, or where the branch left the main one, or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from claimjury.errors import InvalidRequest
from claimjury.evidence.git import commit_id, merge_base, run_git
from claimjury.settlers.outcome import Silent
from claimjury.settlers.snapshot import Snapshot, is_committed
from claimjury.text import clean_line

__all__ = ["Base", "find_base"]

_MAIN: Final = (
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
)
_ONE_PARENT: Final = 2
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
        return _said(snapshot, commit, asked)
    if snapshot.head is None:
        return Silent(reason="Nothing is committed yet, so there is no base of the change.")
    return _left_main(snapshot, snapshot.head)


def _said(snapshot: Snapshot, commit: str, asked: str) -> Base | Silent:
    """Give what was said; where HEAD does not come from it, the commit that both come from: what the other has since is no change of ours."""
    if snapshot.head is None:
        return Silent(reason="Nothing is committed yet, so there is no base of the change.")
    common = merge_base(snapshot.top, commit, snapshot.head)
    if common is None:
        return Silent(reason=f"HEAD and {clean_line(asked)} have no common commit here.")
    return Base(commit=common, why="said" if common == commit else f"where HEAD left {clean_line(asked)}")


def _left_main(snapshot: Snapshot, head: str) -> Base | Silent:
    found = _main(snapshot, head)
    if isinstance(found, Silent):
        return found
    first, commit = found
    short = _short(first)
    if commit != head:
        return _straight(snapshot, commit, head, first) or Base(commit=commit, why=f"where HEAD left {short}")
    if is_committed(snapshot):
        return Silent(
            reason=f"Nothing differs from {short}, so there is no change to look at. {_SAY}", unchanged=True
        )
    if not first.startswith("refs/remotes/"):
        return Silent(
            reason=f"HEAD is {short} itself, so whether its last commits are of the change is not known. {_SAY}"
        )
    return Base(commit=commit, why=f"HEAD, which is {short}")


def _main(snapshot: Snapshot, head: str) -> tuple[str, str] | Silent:
    """Give the main branch, and where HEAD left it."""
    mains = {name: commit for name in _MAIN if (commit := commit_id(snapshot.top, name))}
    if not mains:
        return Silent(reason=f"There is no main branch to measure the change from. {_SAY}")
    lefts = {name: merge_base(snapshot.top, commit, head) for name, commit in mains.items()}
    first = next(iter(mains))
    short, commit = _short(first), lefts[first]
    if commit is None:
        return Silent(reason=f"HEAD and {short} have no common commit here. {_SAY}")
    other = next((name for name, left in lefts.items() if left != commit), None)
    if other is not None:
        return Silent(reason=f"HEAD left {short} and {_short(other)} at different commits. {_SAY}")
    return first, commit


def _short(name: str) -> str:
    return name.removeprefix("refs/").removeprefix("heads/").removeprefix("remotes/").removeprefix("tags/")


def _straight(snapshot: Snapshot, commit: str, head: str, main: str) -> Silent | None:
    """Silence where the way from the base to HEAD holds a merge, or another branch that HEAD may have left later."""
    listing = run_git(snapshot.top, "rev-list", "--parents", "--reverse", f"{commit}..{head}")
    rows = [row.split() for row in listing.output.decode("ascii", "replace").splitlines()]
    if listing.status or not rows or any(len(row) != _ONE_PARENT for row in rows):
        return Silent(reason=f"There is a merge between {_short(main)} and HEAD. {_SAY}")
    other = _other_branch(snapshot, rows[0][0], head)
    if other is not None:
        return Silent(reason=f"{clean_line(other)} holds commits of the change too. {_SAY}")
    return None


def _other_branch(snapshot: Snapshot, first: str, head: str) -> str | None:
    """Give a branch other than the one that is checked out, here or at a remote, that holds a commit."""
    own = run_git(snapshot.top, "symbolic-ref", "--quiet", "HEAD").output.decode("utf-8", "replace").strip()
    how = ("--format=%(objectname) %(refname)", f"--contains={first}")
    listing = run_git(snapshot.top, "for-each-ref", *how, "refs/heads", "refs/remotes", "refs/tags")
    for row in listing.output.decode("utf-8", "replace").splitlines():
        tip, _, name = row.partition(" ")
        twin = bool(own) and name.split("/", 3 if name.startswith("refs/remotes/") else 2)[-1] == (
            own.removeprefix("refs/heads/")
        )
        if not twin and (own or tip != head):
            return _short(name)
    return None
