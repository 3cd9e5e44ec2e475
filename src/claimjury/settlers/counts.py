"""Counts that git or the disk gives: the lines of a change, by every way to count them, and the files of a folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from claimjury.evidence.git import run_git
from claimjury.settlers.evidence import Change, Evidence
from claimjury.settlers.outcome import Decision, Proof, Silent, confirmed, refuted
from claimjury.settlers.snapshot import is_committed

__all__ = ["Stat", "counted_by_git", "files_on_disk"]

_WAYS: Final = tuple(
    f"--diff-algorithm={algorithm} {renames}"
    for algorithm in ("myers", "minimal", "patience", "histogram")
    for renames in ("--no-renames", "--find-renames")
)


class Stat(NamedTuple):
    """What git counts of a change."""

    files: int
    added: int
    removed: int


def counted_by_git(evidence: Evidence, fits: Callable[[Stat], bool]) -> Decision:
    """Confirm where git counts so by every algorithm, with and without renames; refute where by none."""
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    head = evidence.snapshot.head
    if head is None or not is_committed(evidence.snapshot):
        return Silent(
            reason="The tree has edits that are not committed, and lines are counted between commits only."
        )
    if (silence := evidence.unseen()) is not None:
        return silence
    ways = {_numstat(change, evidence, head, option) for option in _WAYS}
    stats = [one for one in ways if one is not None]
    if len(stats) < len(ways):
        return Silent(reason="A file of the change is binary, or has no lines to count.")
    shown = " or ".join(f"{one.files} files, +{one.added}/-{one.removed}" for one in sorted(stats))
    proof = Proof(kind="change", text=f"git counts {shown} since {change.short}.")
    if all(map(fits, stats)):
        return confirmed(proof)
    return (
        Silent(reason=f"{proof.text} It depends on how it counts.")
        if any(map(fits, stats))
        else refuted(proof)
    )


def _numstat(change: Change, evidence: Evidence, head: str, option: str) -> Stat | None:
    options = ("-r", "--numstat", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
    command = ("diff-tree", *options, *option.split(), change.base.commit, head)
    reply = run_git(evidence.snapshot.top, *command)
    rows = [row.split(b"\t") for row in reply.output.split(b"\n") if row]
    if reply.status or any(not row[0].isdigit() for row in rows):
        return None
    return Stat(len(rows), sum(int(row[0]) for row in rows), sum(int(row[1]) for row in rows))


def files_on_disk(folder: Path, most: int) -> list[str]:
    """Give the files that lie in a folder and below, those too that git ignores, relative to it; no more than so many."""
    found: list[str] = []
    for at, folders, names in os.walk(folder):
        here = Path(at)
        folders[:] = [name for name in folders if name != ".git"]
        links = [name for name in folders if (here / name).is_symlink()]
        place = here.relative_to(folder)
        found += [(place / name).as_posix() for name in (*names, *links)]
        if len(found) >= most:
            break
    return found[:most]
