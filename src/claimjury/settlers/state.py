"""Everything is committed, or the branch that is checked out has a name."""

from __future__ import annotations

import os
from typing import Final

from claimjury.evidence.git import run_git
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import (
    Decision,
    Form,
    Proof,
    Reading,
    Settler,
    Silent,
    confirmed,
    refuted,
    show,
)
from claimjury.text import clean_line

__all__ = ["STATE"]

_GRAMMAR: Final = r"""
!branch: NAME | TEXT | PATH
_edits: "everything" | ("all" | "all" "the")? ("changes" | "edits" | "modifications")
everything_committed: _edits (_is | "are" | _be) "committed" | _there_is "no" "uncommitted" ("changes" | "edits") | _the? ("working" | "work") "tree" _is "clean" | "nothing" _is ("left" "uncommitted" | "uncommitted")
on_branch: "head" _is "on" _the? "branch"? branch | _the ("current" | "checked-out") "branch" _is branch
"""


def _committed(_: Reading, evidence: Evidence) -> Decision:
    snapshot = evidence.snapshot
    if (silence := evidence.unseen()) is not None:
        return silence
    if snapshot.head is None:
        return Silent(reason="Nothing is committed yet.")
    differing = sorted(snapshot.differing | snapshot.unlike_head.keys())
    if differing:
        return refuted(
            Proof(
                kind="tree",
                text=f"It is not as {snapshot.head[:12]} has it. It is one of {len(differing)}.",
                path=differing[0],
            )
        )
    loose = sorted(snapshot.untracked)
    if loose:
        return Silent(
            reason=f"Every tracked file is committed, and {show(loose[0])} is not tracked ({len(loose)} such files)."
        )
    return confirmed(
        Proof(
            kind="tree",
            text=f"Every file is as {snapshot.head[:12]} has it, and none is not tracked; what git ignores was not looked at.",
        )
    )


def _on_branch(reading: Reading, evidence: Evidence) -> Decision:
    reply = run_git(evidence.snapshot.top, "symbolic-ref", "--quiet", "HEAD")
    if reply.status:
        return Silent(reason="HEAD is on no branch.")
    name = os.fsdecode(reply.output.strip()).removeprefix("refs/heads/")
    proof = Proof(kind="tree", text=f"HEAD is on the branch {show(name)}.")
    said = reading.one("branch")
    if said == name:
        return confirmed(proof)
    known = run_git(evidence.snapshot.top, "rev-parse", "--verify", "--quiet", f"refs/heads/{said}")
    return (
        Silent(reason=f"{proof.text} There is no branch {clean_line(said)}.")
        if known.status
        else refuted(proof)
    )


STATE: Final = Settler(
    name="state",
    does="Everything is committed, or HEAD is on a branch.",
    refuses="What was pushed: a copy of the remote's branch is a memory of it.",
    grammar=_GRAMMAR,
    forms={
        "everything_committed": Form(decide=_committed, of_moment=True),
        "on_branch": Form(decide=_on_branch, of_moment=True),
    },
)
