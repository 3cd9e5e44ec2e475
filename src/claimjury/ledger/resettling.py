"""Settled claims of a receipt, settled once more where the same tree is at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Final

from claimjury.claims import Claim
from claimjury.errors import RequestError
from claimjury.ledger.check_steps import Step, guarded_step, make_step
from claimjury.ledger.receipt_form import SettledRow
from claimjury.settlers.outcome import Proof, Settlements, TreeRow
from claimjury.settlers.snapshot import Snapshot, take_snapshot, top_of

__all__ = ["At", "digest_now", "settled_step"]

_NAME: Final = "settled claims"
_BY_RUNS: Final = ("tests", "checkers")
"""Settlers that decide by a run of ours."""
_OF_A_MOMENT: Final = ("state",)
"""Settlers that say where HEAD was: the same tree may be looked at from another branch."""
_SAID: Final = "said"
_BASES: Final = ("where HEAD left ", "HEAD, which is ")
_SHORT: Final = 12


@dataclass(frozen=True, kw_only=True)
class At:
    """Where a receipt is checked.

    Attributes:
        folder: In the work tree as it was; None where it is not at hand.
        receipt: The receipt's own file, which is no part of the tree.
    """

    folder: Path | None
    receipt: Path | None = None

    @cached_property
    def snapshot(self) -> Snapshot | None:
        """The work tree.

        Raises:
            InvalidRequest: git refuses.
        """
        top = None if self.folder is None else top_of(self.folder)
        return None if top is None else take_snapshot(top)

    def aside(self, tree: TreeRow) -> list[Path]:
        """Give the files that are no part of what was claimed about."""
        top = Path() if self.snapshot is None else self.snapshot.top
        return [*(top / name for name in tree.aside or ()), *([self.receipt] if self.receipt else [])]


def digest_now(tree: TreeRow, at: At) -> str | None:
    """Give the hash of the tree at hand as that of a receipt was made; None where there is none.

    Raises:
        InvalidRequest: git refuses.
    """
    snapshot = _snapshot(tree, at)
    return None if snapshot is None else snapshot.digest


def _snapshot(tree: TreeRow, at: At) -> Snapshot | None:
    """Give the work tree at hand without what was left aside then, and the receipt's own file."""
    snapshot = at.snapshot
    if snapshot is None:
        return None
    return snapshot.without(snapshot.within(at.aside(tree)))


def settled_step(
    rows: Sequence[SettledRow], tree: TreeRow | None, at: At, *, made_by: str
) -> tuple[Step, bool]:
    """Settle what a receipt calls settled once more, and say what differs.

    Args:
        rows: The claims that no juror was asked about.
        tree: That was looked at.
        at: Where the receipt is checked.
        made_by: The version that made it: another one may word a proof in another way.

    Returns:
        The step, and whether a tree was at hand that is not the one that was looked at, so that nothing is shown.
    """
    decided = [row for row in rows if row.verdict is not None]
    faults = [*_form_faults(rows), *_tree_faults(tree, needed=bool(decided))]
    if faults or tree is None or not decided:
        return make_step(_NAME, faults), False
    if at.folder is None:
        why = "The tree is not at hand: --evidence DIR, with the work tree as it was."
        return make_step(_NAME, [], unchecked=why), False
    seen = [row for row in decided if row.settled_by not in (*_BY_RUNS, *_OF_A_MOMENT)]
    try:
        if (elsewhere := _elsewhere(tree, at)) is not None:
            return make_step(_NAME, [], unchecked=elsewhere), True
        found = _again(seen, tree, at)
    except RequestError as error:
        return make_step(_NAME, [], unchecked=f"They cannot be settled once more. {error.message}"), True
    step = guarded_step(
        _NAME, lambda: _differences(seen, found, tree, worded=made_by == version("claimjury"))
    )
    rest = len(decided) - len(seen)
    if step.state != "fits" or not rest:
        return step, False
    why = f"{rest} of {len(decided)} rest on runs of checks, which are not run again, or on where HEAD was."
    return make_step(_NAME, [], unchecked=why), False


def _form_faults(rows: Sequence[SettledRow]) -> Iterator[str]:
    for row in rows:
        if (row.verdict is None) != (row.settled_by is None) or (row.verdict is not None and not row.proof):
            yield f"The claim {row.id} has a verdict without a settler or a proof, or one of these without a verdict."
        runs = {proof.kind == "run" for proof in row.proof or ()}
        if row.verdict is not None and runs != {row.settled_by in _BY_RUNS}:
            yield f"The claim {row.id} rests on a run, and its settler runs nothing, or the other way about."


def _tree_faults(tree: TreeRow | None, *, needed: bool) -> Iterator[str]:
    if tree is None:
        if needed:
            yield "It has settled claims, and no tree that was looked at."
        return
    why = tree.base_why
    if (tree.base is None) != (why is None) or (why not in (None, _SAID) and not str(why).startswith(_BASES)):
        yield "How the base was found is nothing that this claimjury says."


def _elsewhere(tree: TreeRow, at: At) -> str | None:
    """Say why the tree at hand is not the one that was looked at, or None where it is."""
    snapshot = _snapshot(tree, at)
    if snapshot is None:
        return "There is no git work tree there."
    was = f" at {tree.head[:_SHORT]}" if tree.head else ""
    if snapshot.digest != tree.digest:
        return f"The work tree is not the one that was looked at{was}."
    if snapshot.head != tree.head:
        return f"The commit that is checked out is not the one that was looked at{was}."
    # `git add` alone makes another state of the same files.
    if snapshot.dirty != tree.dirty:
        return "What is committed of the work tree is not as it was."
    inner = (snapshot.top / (tree.directory or "")).resolve()
    if not inner.is_dir() or not inner.is_relative_to(snapshot.top):
        return "The directory that was looked from is not in the work tree."
    return None


def _again(rows: Sequence[SettledRow], tree: TreeRow, at: At) -> Settlements:
    from claimjury.settlers.settle import settle

    claims = [Claim(id=row.id, statement=row.statement) for row in rows]
    top = Path() if at.snapshot is None else at.snapshot.top
    return settle(
        claims,
        top / (tree.directory or ""),
        base=tree.base,
        no_base=None if tree.base else "There was none.",
        aside=at.aside(tree),
    )


def _differences(
    rows: Sequence[SettledRow], found: Settlements, tree: TreeRow, *, worded: bool
) -> Iterator[str]:
    for said, now in zip(rows, found.claims, strict=True):
        if (said.verdict, said.settled_by) != (now.verdict, now.settled_by):
            yield f"The claim {said.id} is {said.verdict} on record, and settled once more it is {now.verdict or 'not settled'}."
        elif worded and tuple(said.proof or ()) != tuple(_as_then(one, tree) for one in now.proof or ()):
            yield f"The proof of the claim {said.id} is not the one that comes of settling it once more."
        elif list(map(_place, said.proof or ())) != list(map(_place, now.proof or ())):
            yield f"The proof of the claim {said.id} names other places than settling it once more."


def _as_then(proof: Proof, tree: TreeRow) -> Proof:
    """Give a proof with the base as it was found then; here it is said."""
    if tree.base is None:
        return proof
    short = tree.base[:_SHORT]
    text = proof.text.replace(f"{short} ({_SAID})", f"{short} ({tree.base_why})")
    return proof.model_copy(update={"text": text})


def _place(proof: Proof) -> tuple[object, ...]:
    return proof.kind, proof.path, proof.line, proof.end_line, proof.excerpt, proof.exit_status
