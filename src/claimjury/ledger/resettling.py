"""Settled claims of a receipt, settled once more where the same tree is at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from claimjury.claims import Claim
from claimjury.errors import RequestError
from claimjury.ledger.check_steps import Step, guarded_step, make_step
from claimjury.ledger.receipt_form import SettledRow
from claimjury.settlers.outcome import Settlements, TreeRow

__all__ = ["settled_step"]

_NAME: Final = "settled claims"
_BY_RUNS: Final = ("tests", "checkers")
"""Settlers that decide by a run of ours."""


def settled_step(rows: Sequence[SettledRow], tree: TreeRow | None, folder: Path | None) -> Step:
    """Settle what a receipt calls settled once more, and say what differs."""
    decided = [row for row in rows if row.verdict is not None]
    faults = list(_form_faults(rows))
    if decided and tree is None:
        faults.append("It has settled claims, and no tree that was looked at.")
    if faults or tree is None:
        return make_step(_NAME, faults)
    seen = [row for row in decided if row.settled_by not in _BY_RUNS]
    by_runs = f"{len(decided) - len(seen)} of {len(decided)} rest on runs of checks, which are not run again."
    if not seen:
        return make_step(_NAME, [], unchecked=by_runs if decided else "")
    if folder is None:
        return make_step(
            _NAME, [], unchecked="The tree is not at hand: --evidence DIR, with the work tree as it was."
        )
    try:
        found = _again(seen, tree, folder)
    except RequestError as error:
        return make_step(_NAME, [], unchecked=f"They cannot be settled once more. {error.message}")
    if found.tree is None or found.tree.digest != tree.digest:
        at = f" at {tree.head[:12]}" if tree.head else ""
        return make_step(_NAME, [], unchecked=f"The work tree is not the one that was looked at{at}.")
    step = guarded_step(_NAME, lambda: _differences(seen, found))
    return (
        make_step(_NAME, [], unchecked=by_runs) if step.state == "fits" and len(seen) < len(decided) else step
    )


def _form_faults(rows: Sequence[SettledRow]) -> Iterator[str]:
    for row in rows:
        if (row.verdict is None) != (row.settled_by is None) or (row.verdict is not None and not row.proof):
            yield f"The claim {row.id} has a verdict without a settler or a proof, or one of these without a verdict."

        runs = {proof.kind == "run" for proof in row.proof or ()}
        if row.verdict is not None and runs != {row.settled_by in _BY_RUNS}:
            yield f"The claim {row.id} rests on a run, and its settler runs nothing, or the other way about."


def _again(rows: Sequence[SettledRow], tree: TreeRow, folder: Path) -> Settlements:
    from claimjury.settlers.settle import settle

    claims = [Claim(id=row.id, statement=row.statement) for row in rows]
    return settle(
        claims,
        folder,
        base=tree.base,
        no_base=None if tree.base else "There was none.",
        aside=[folder / name for name in tree.aside or ()],
    )


def _differences(rows: Sequence[SettledRow], found: Settlements) -> Iterator[str]:
    for said, now in zip(rows, found.claims, strict=True):
        if (said.verdict, said.settled_by) != (now.verdict, now.settled_by):
            yield f"The claim {said.id} is {said.verdict} on record, and settled once more it is {now.verdict or 'not settled'}."
