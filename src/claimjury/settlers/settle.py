"""Settle claims: read each, take one snapshot, search once, and decide what can be decided."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, cast

from claimjury.claims import Claim
from claimjury.errors import InvalidRequest
from claimjury.settlers.bare import bare, bare_text
from claimjury.settlers.blind import tell
from claimjury.settlers.checks.outcome import ChecksResult
from claimjury.settlers.evidence import Evidence, Unread
from claimjury.settlers.grammar import Grammar, Shapes
from claimjury.settlers.outcome import (
    Decision,
    Form,
    Reading,
    Settlement,
    Settlements,
    Silent,
    TreeRow,
)
from claimjury.settlers.registry import form_named, make_grammar
from claimjury.settlers.search import Holding, files_holding
from claimjury.settlers.snapshot import Snapshot, is_committed, take_snapshot, top_of
from claimjury.settlers.turned import by_time
from claimjury.text import clean_line

__all__ = ["read_statement", "settle"]

_LOG: Final = logging.getLogger("claimjury")
_Read = tuple[Claim, Reading | Silent]


@lru_cache(maxsize=1)
def _grammar() -> Grammar:
    return make_grammar()


def read_statement(statement: str, shapes: Shapes | None = None) -> Reading | Silent:
    """Give the one complete reading of a statement, or why there is none; statements of one run share their shapes."""
    return _grammar().read(statement, shapes)


def settle(
    claims: Sequence[Claim],
    directory: Path,
    *,
    base: str | None = None,
    no_base: str | None = None,
    within: Sequence[Path] | None = None,
    checks: ChecksResult | None = None,
    aside: Sequence[Path] = (),
) -> Settlements:
    """Settle claims about the work tree that a directory lies in.

    Args:
        claims: Any number.
        directory: Where a path that is said may begin, beside the top of the tree.
        base: The revision that the change is measured from; by default where HEAD left the main branch.
        no_base: Why there is no change to look at, where there is none.
        checks: Checks that were run by us just before.
        aside: Files that the claims, or a reference, stand in: what they say shows nothing of the tree.
        within: Directories that files may be read below; the whole work tree by default.

    Raises:
        InvalidRequest: git refuses, or `base` names no commit.
    """
    about = partial(Evidence, asked_base=base, no_base=no_base, checks=checks, directory=directory)
    # Git lists and searches on the other cores while statements are read and claims that need no search are decided.
    with ThreadPoolExecutor() as side:
        read, begun = _read_all(claims, lambda: _begin(directory, within, side))
        if not isinstance(begun, _Begun):
            return _unsettled(read, begun)
        names, holding = _search(read, begun.top, side)
        snapshot = _taken(begun)
        if isinstance(snapshot, Silent):
            return _unsettled(read, snapshot)
        left = snapshot.within(aside)
        seen = snapshot.without(left)
        return _all_settled(read, about(snapshot=seen, aside=left, names=names, holding=holding))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Begun:
    """A work tree of which a snapshot is being taken."""

    top: Path
    snapshot: Future[Snapshot]


def _read_all(
    claims: Sequence[Claim], begin: Callable[[], _Begun | Silent]
) -> tuple[list[_Read], _Begun | Silent | None]:
    """Read the claims, and have the tree looked at from the first on that is understood."""
    read: list[_Read] = []
    begun = None
    shapes: Shapes = {}
    for claim in claims:
        reading = read_statement(claim.statement, shapes)
        if begun is None and isinstance(reading, Reading):
            begun = begin()
        read.append((claim, reading))
    return read, begun


def _search(
    read: Sequence[_Read], top: Path, side: ThreadPoolExecutor
) -> tuple[frozenset[str], Holding | None]:
    """Give what is to be searched for, and the search of git for it; other letters than ASCII are looked for by us in every file."""
    names = frozenset(_names(read))
    by_git = bool(names) and all(name.isascii() for name in names)
    return names, side.submit(files_holding, top, names) if by_git else None


def _unsettled(read: Sequence[_Read], place: Silent | None) -> Settlements:
    """Give silence of the place, or where there is none of each claim's own words."""
    return Settlements(claims=tuple(_silent(claim, place or cast("Silent", one)) for claim, one in read))


def _all_settled(read: Sequence[_Read], evidence: Evidence) -> Settlements:
    if evidence.asked_base is not None:
        # One that is said wrongly is the caller's mistake, whatever the claims speak of.
        evidence.base()
    plain = [at for at, row in enumerate(read) if not _names([row])]
    rows = {at: _settled(*read[at], evidence) for at in plain}
    # What needs no search is looked at while git still searches.
    digest = evidence.snapshot.digest
    if evidence.holding is not None:
        evidence.look_around()
    rows |= {at: _settled(*row, evidence) for at, row in enumerate(read) if at not in rows}
    return Settlements(claims=tuple(rows[at] for at in range(len(read))), tree=_tree(digest, evidence))


def _begin(directory: Path, within: Sequence[Path] | None, side: ThreadPoolExecutor) -> _Begun | Silent:
    try:
        top = top_of(directory) if directory.is_dir() else None
    except InvalidRequest as error:
        return _unseen(error)
    if top is None:
        return Silent(reason="There is no git work tree here.", of_place=True)
    if within is not None and not any(top.is_relative_to(root) for root in within):
        return Silent(reason="The work tree is not wholly below an allowed root.", of_place=True)
    return _Begun(top=top, snapshot=side.submit(take_snapshot, top))


def _taken(begun: _Begun) -> Snapshot | Silent:
    try:
        return begun.snapshot.result()
    except InvalidRequest as error:
        return _unseen(error)


def _unseen(error: InvalidRequest) -> Silent:
    return Silent(reason=f"The work tree cannot be looked at: {clean_line(error.message)}", of_place=True)


def _names(read: Sequence[_Read]) -> list[str]:
    readings = [reading for _, reading in read if isinstance(reading, Reading)]
    return [name for reading in readings for name in form_named(reading.form)[1].names(reading)]


def _settled(claim: Claim, reading: Reading | Silent, evidence: Evidence) -> Settlement:
    if isinstance(reading, Silent):
        return _silent(claim, reading)
    settler, form = form_named(reading.form)
    decision = _allowed(form, _decided(form, reading, evidence))
    if isinstance(decision, Silent):
        return _silent(claim, replace(decision, reason=bare_text(decision.reason, reading, evidence)))
    return Settlement(
        id=claim.id,
        statement=claim.statement,
        verdict=decision.verdict,
        settled_by=settler.name,
        proof=tuple(bare(one, evidence) for one in decision.proof),
    )


def _decided(form: Form, reading: Reading, evidence: Evidence) -> Decision:
    """Decide, and be silent where that fails: one claim never ends the run of the others."""
    try:
        return _meant(reading, evidence) or by_time(form, reading, form.decide(reading, evidence), evidence)
    except Unread as error:
        return Silent(reason=f"{clean_line(str(error))} cannot be read at the base.")
    except InvalidRequest as error:
        return Silent(reason=f"git could not tell: {clean_line(error.message)}", of_place=True)
    except Exception as error:  # noqa: BLE001 - a repository holds what nobody has thought of.
        _LOG.exception("A settler failed.")
        return Silent(reason=f"The settler failed ({type(error).__name__}), which is a fault of claimjury.")


def _meant(reading: Reading, evidence: Evidence) -> Silent | None:
    """Silence where a commit, or what is published, is spoken of, and the change that is looked at is not that alone."""
    if not (reading.maybe("one_commit") or reading.maybe("published")):
        return None
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    if not is_committed(evidence.snapshot):
        return Silent(reason="There are edits that are not committed, and it speaks of what is.")
    if reading.maybe("one_commit") and evidence.commits() != 1:
        return Silent(
            reason=f"{evidence.commits()} commits are between the base and HEAD; say `this change`."
        )
    return None


def _allowed(form: Form, decision: Decision) -> Decision:
    if isinstance(decision, Silent):
        return decision
    if decision.verdict == "CONFIRMED" and not form.confirms:
        return Silent(reason="A claim of this form is never confirmed without a model.")
    if decision.verdict == "REFUTED" and not form.refutes:
        return Silent(reason="A claim of this form is never refuted without a model.")
    return decision


def _silent(claim: Claim, silence: Silent) -> Settlement:
    return Settlement(
        id=claim.id,
        statement=claim.statement,
        silent=silence.reason,
        would=silence.would,
        of_place=silence.of_place or None,
    )


def _below(directory: Path, top: Path) -> str | None:
    inner = directory.relative_to(top).as_posix() if directory.is_relative_to(top) else "."
    return None if inner == "." else inner


def _tree(digest: str, evidence: Evidence) -> TreeRow:
    change, snapshot = evidence.known_change, evidence.snapshot
    return TreeRow(
        head=snapshot.head,
        digest=digest,
        dirty=snapshot.dirty,
        base=change.base.commit if change else None,
        base_why=change.base.why if change else None,
        unseen=tuple(tell(spot) for spot in snapshot.blind[:20]) or None,
        directory=_below(evidence.directory.resolve(), snapshot.top),
        aside=tuple(sorted(evidence.aside)) or None,
    )
