"""Replay: the votes of a run counted by other rules. No call is made, nothing is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from claimjury.errors import InvalidRequest
from claimjury.jury.counting import ClaimVerdict, count_claims, seats_are_weak
from claimjury.jury.request import MAX_REFUTE_VOTES
from claimjury.jury.result import VerifyResult
from claimjury.jury.standing import Standing
from claimjury.jury.tally import MIN_CONFIRM_VOTES
from claimjury.jury.votes import Verdict
from claimjury.ledger.reading import StoredRun
from claimjury.ledger.receipts import whole_result
from claimjury.ledger.recounting import seated, sent_of
from claimjury.models.names import same_model
from claimjury.text import clean_line
from claimjury.values import Value

__all__ = ["Recounted", "Retally", "retally"]


class Recounted(Value):
    """One claim, before and after.

    Attributes:
        old: The verdict of the run.
        new: The verdict by the other rules.
        flips: Whether they differ.
        why: The new count against the new rules, in one sentence.
        old_standing: Absent for NEEDS_REVIEW, as `new_standing`.
    """

    id: str
    statement: str
    old: Verdict
    new: Verdict
    flips: bool
    why: str
    confirm_votes: int
    refute_votes: int
    uncertain_votes: int
    missing_votes: int
    old_standing: Standing | None = None
    new_standing: Standing | None = None


class Retally(Value):
    """What a run would have come to by other rules, with the votes that it has.

    Attributes:
        min_refute_votes: By which it is counted now.
        was: The run's own.
        dropped_seats: Seats whose votes are left out, as if they had been excluded.
        weak: Fewer than 2 known families are left.
        flips: How many claims change their verdict.
        scripted: The votes are a script's.
    """

    run_id: str
    min_refute_votes: int
    was: int
    dropped_seats: tuple[str, ...]
    weak: bool
    flips: int
    claims: tuple[Recounted, ...]
    scripted: Literal[True] | None = None


def retally(
    stored: StoredRun, *, min_refute_votes: int | None = None, drop_seats: Sequence[str] = ()
) -> Retally:
    """Count a run's votes once more.

    Args:
        stored: The run.
        min_refute_votes: How many refutes it takes; as in the run by default.
        drop_seats: Models of the panel whose votes are left out. Their seats count as excluded, so that leaving a
            dissenter out makes no verdict firm.

    Raises:
        InvalidRequest: The run did not end or was kept without content, the number is out of range, or no such
            model sat.
    """
    result = whole_result(stored)
    needed = _checked(result.min_refute_votes if min_refute_votes is None else min_refute_votes)
    dropped = [_seat_named(name, result) for name in drop_seats]
    seats = [seat.left_out if seat.model in dropped else seat for seat in seated(result)]
    claims = {claim.id: claim.statement for claim in result.judged}
    rows = count_claims(claims, seats, sent_of(result), needed)
    recounted = tuple(_recounted(result, position, row, needed) for position, row in enumerate(rows))
    return Retally(
        run_id=result.run_id,
        min_refute_votes=needed,
        was=result.min_refute_votes,
        dropped_seats=tuple(dict.fromkeys(dropped)),
        weak=seats_are_weak(seats),
        flips=sum(claim.flips for claim in recounted),
        claims=recounted,
        scripted=result.scripted,
    )


def _checked(needed: int) -> int:
    if not 1 <= needed <= MAX_REFUTE_VOTES:
        raise InvalidRequest(
            f"min_refute_votes is {needed}; a whole number from 1 to {MAX_REFUTE_VOTES} is allowed.",
            hint="2 is the default of a run: a lone dissent never decides.",
        )
    return needed


def _seat_named(name: str, result: VerifyResult) -> str:
    panel = [seat.model for seat in result.panel]
    found = next((model for model in panel if same_model(model, name)), None)
    if found is None:
        raise InvalidRequest(
            f"No {clean_line(name)!r} sat on the panel of {result.run_id}.",
            hint=f"Its seats are {', '.join(panel)}.",
        )
    return found


def _recounted(result: VerifyResult, position: int, row: ClaimVerdict, needed: int) -> Recounted:
    claim = result.judged[position]
    return Recounted(
        id=claim.id,
        statement=claim.statement,
        old=claim.verdict,
        new=row.verdict,
        flips=claim.verdict != row.verdict,
        why=_why(row, needed),
        confirm_votes=row.confirm_votes,
        refute_votes=row.refute_votes,
        uncertain_votes=row.uncertain_votes,
        missing_votes=row.missing_votes,
        old_standing=claim.standing,
        new_standing=row.standing,
    )


def _why(row: ClaimVerdict, needed: int) -> str:
    """Say the count against the rule, in one sentence."""
    refutes, confirms = _count(row.refute_votes, "refute"), _count(row.confirm_votes, "confirm")
    if row.verdict == "REFUTED":
        return f"{refutes} of {needed} needed, against {confirms}."
    if row.verdict == "CONFIRMED":
        return f"{confirms} of {MIN_CONFIRM_VOTES} needed, against {refutes}, fewer than the {needed} that refute."
    counts = f"{confirms} of {MIN_CONFIRM_VOTES} needed and {refutes} of {needed} needed"
    return (
        f"{counts}: each side blocks the other." if row.contested else f"{counts}: neither side has enough."
    )


def _count(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
