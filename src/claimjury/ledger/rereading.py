"""Rereading: what a seat's raw replies say once more, by the functions that the jury reads them with. Pure.

It follows `SeatRun`: the first reply may exclude the seat; a second one counts only where something was missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from claimjury.errors import CallCode
from claimjury.evidence.quotes import QuoteBook
from claimjury.jury.ballot import Dropped, read_ballot
from claimjury.jury.quoting import QuoteCheck
from claimjury.jury.result import usage_of
from claimjury.jury.votes import Vote
from claimjury.ledger.receipt_form import BYTES_PER_TOKEN, MIN_SEEN_SHARE, Receipt, SeatRow
from claimjury.ledger.requoting import as_cast, unplaced, word_faults
from claimjury.ledger.reseating import BARRED, expected_family
from claimjury.models.answers import Answer
from claimjury.models.served import served_model_fault
from claimjury.text import clean_line

__all__ = ["Case", "case_of", "seat_faults"]

_VOTELESS: Final = ("no_valid_verdicts", "reply_truncated")
_CUTS: Final = {"partial": "deadline", "interrupted": "cancelled"}
_SAMPLE: Final = 200
_MAX_REPLIES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What every seat of a run was asked, as far as its replies are read by it.

    Attributes:
        ids: Of the claims, in order.
        nonce: That a ballot carries.
        prompt_bytes: Size of the prompt.
        reask: Whether a seat was asked once more.
        cut: How a seat ends that the end of the run cut off: `deadline`, `cancelled`, or empty where none was.
        limited: Whether the run had a budget, which may have ended a seat.
        required: Whether a decisive vote without a found quote counts as UNCERTAIN.
        quotes: What quotes are looked up in; None where the evidence is not at hand.
    """

    ids: tuple[str, ...]
    nonce: str
    prompt_bytes: int
    reask: bool
    cut: str
    limited: bool
    required: bool = False
    quotes: QuoteCheck | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    votes: dict[str, Vote]
    dropped: tuple[Dropped, ...]
    reasked: tuple[str, ...]
    reason: str | None


def case_of(receipt: Receipt, book: QuoteBook | None = None) -> Case:
    """Give what the seats of a receipt were asked; `book` is what was sent, where it is at hand."""
    statements = {claim.id: claim.statement for claim in receipt.claims}
    return Case(
        ids=tuple(claim.id for claim in receipt.claims),
        nonce=receipt.run.nonce,
        prompt_bytes=receipt.prompt.bytes,
        reask=receipt.rules.reask,
        cut=_CUTS.get(receipt.run.status, ""),
        limited=receipt.rules.max_tokens is not None or receipt.rules.max_cost_usd is not None,
        required=bool(receipt.rules.require_quotes),
        quotes=None if book is None else QuoteCheck(book=book, statements=statements),
    )


def seat_faults(seat: SeatRow, case: Case) -> Iterator[str]:
    """Say what of a seat does not follow from its replies, as sentences; nothing where all does."""
    answers = [reply.answer for reply in seat.replies]
    if len(answers) > _MAX_REPLIES:
        yield f"The seat of {seat.model} has {len(answers)} replies; a seat is asked at most twice."
        return
    reading = _read(seat, answers, case)
    if len(answers) == _MAX_REPLIES and not reading.reasked:
        yield f"The seat of {seat.model} has a second reply, and nothing was missing from its first."
    yield from _exclusion_faults(seat, answers, reading, case)
    said = {vote.id: vote for vote in (*seat.votes, *(seat.excluded_votes or ()))}
    yield from _vote_faults(seat.model, said, reading.votes, case)
    yield from _field_faults(seat, _expected(seat, answers, reading))


def _read(seat: SeatRow, answers: Sequence[Answer], case: Case) -> _Reading:
    if not answers:
        return _Reading(votes={}, dropped=(), reasked=(), reason=seat.exclude_reason)
    first, *rest = answers
    reason = _fault(seat, first, case)
    ballot = read_ballot(first.text, case.ids, case.nonce, case.quotes)
    missing = tuple(ident for ident in case.ids if ident not in ballot.votes)
    reasked = missing if missing and case.reask and reason is None else ()
    votes, dropped = dict(ballot.votes), list(ballot.dropped)
    for answer in rest if reasked else ():
        if _fault(seat, answer, case) is None:
            _add(votes, dropped, answer, reasked, case)
    if reason is None and not votes:
        reason = _voteless(seat, answers, case)
    ordered = {ident: votes[ident] for ident in case.ids if ident in votes}
    return _Reading(votes=ordered, dropped=tuple(dropped), reasked=reasked, reason=reason)


def _add(
    votes: dict[str, Vote], dropped: list[Dropped], answer: Answer, reasked: Sequence[str], case: Case
) -> None:
    """Take the votes of a second reply on what was asked again, and nothing else."""
    ballot = read_ballot(answer.text, case.ids, case.nonce, case.quotes)
    dropped += ballot.dropped
    for ident, vote in ballot.votes.items():
        if ident in reasked:
            votes[ident] = vote
        else:
            dropped.append(Dropped(id=ident, reason="not asked again; its first vote stands"))


def _fault(seat: SeatRow, answer: Answer, case: Case) -> str | None:
    fault = served_model_fault(seat.model, answer, provider=seat.provider)
    if fault is None and answer.prompt_tokens is not None:
        seen = answer.prompt_tokens >= MIN_SEEN_SHARE * case.prompt_bytes / BYTES_PER_TOKEN
        return None if seen else "evidence_not_seen"
    return fault


def _voteless(seat: SeatRow, answers: Sequence[Answer], case: Case) -> str:
    if seat.exclude_reason == case.cut and len(answers) == 1 and case.reask:
        return case.cut
    return "reply_truncated" if any(answer.truncated for answer in answers) else "no_valid_verdicts"


def _exclusion_faults(
    seat: SeatRow, answers: Sequence[Answer], reading: _Reading, case: Case
) -> Iterator[str]:
    if answers:
        if seat.exclude_reason != reading.reason:
            yield (
                f"The seat of {seat.model} is {_shown(seat.exclude_reason)}, "
                f"and by its replies it is {_shown(reading.reason)}."
            )
    elif seat.exclude_reason not in _silent_reasons(case):
        yield f"The seat of {seat.model} is {_shown(seat.exclude_reason)}, and no reply of it is there."


def _silent_reasons(case: Case) -> set[str]:
    """Give why a seat can be excluded without a reply."""
    budget = {"budget"} if case.limited else set()
    return {f"call_failed:{code}" for code in get_args(CallCode)} | ({case.cut} - {""}) | budget | set(BARRED)


def _shown(reason: str | None) -> str:
    return "included" if reason is None else f"excluded as {reason}"


def _vote_faults(model: str, said: dict[str, Vote], read: dict[str, Vote], case: Case) -> Iterator[str]:
    for ident in dict.fromkeys([*read, *said]):
        if ident not in read:
            yield f"The seat of {model} has a vote on {ident} that its replies do not hold."
        elif ident not in said:
            yield f"The vote of {model} on {ident} is in its replies and not on record."
        else:
            yield from word_faults(
                f"The vote of {model} on {ident}",
                said[ident],
                read[ident],
                looked_up=case.quotes is not None,
                required=case.required,
            )


def _expected(seat: SeatRow, answers: Sequence[Answer], reading: _Reading) -> dict[str, Any]:
    included = reading.reason is None
    votes = tuple(reading.votes.values())
    first = answers[0] if answers else None
    return {
        "family": expected_family(seat),
        "included": included,
        "verdicts_returned": len(votes) if included else 0,
        "votes": votes if included else (),
        "excluded_votes": None if included else votes or None,
        "served_model": first.served_model if first else None,
        "raw_sample": clean_line(first.text[:_SAMPLE]) if first and reading.reason in _VOTELESS else None,
        "dropped": reading.dropped or None,
        "reasked": reading.reasked or None,
        "truncated": any(answer.truncated for answer in answers) or None,
        "usage": usage_of(answers),
        "request_id": first.request_id if first else None,
        "fingerprint": first.fingerprint if first else None,
    }


def _field_faults(seat: SeatRow, expected: dict[str, Any]) -> Iterator[str]:
    for name, value in expected.items():
        if _comparable(getattr(seat, name)) != _comparable(value):
            yield f"`{name}` of the seat of {seat.model} does not follow from its replies."
    if not _cost_follows(seat):
        yield f"`cost_usd` of the seat of {seat.model} is not what its replies report."
    if any(reply.host != seat.host for reply in seat.replies):
        yield f"A reply of {seat.model} came from another host than the one that was asked."


def _comparable(value: Any) -> Any:
    """Give a field as a reply alone gives it: where quotes were found is checked vote by vote."""
    if isinstance(value, tuple) and value and isinstance(value[0], Vote):
        return tuple(unplaced(as_cast(vote)) for vote in value)
    return value


def _cost_follows(seat: SeatRow) -> bool:
    """Whether what hosts reported stands as it was reported. Replies of an earlier run come first, and are not billed twice."""
    costs = [reply.cost_usd for reply in seat.replies]
    known = [cost for cost in costs if cost is not None]
    billed = [sum(known[start:]) for start in range(len(known) if seat.replayed else 1)]
    if seat.cost_source == "reported":
        return bool(known) and len(known) == len(costs) and seat.cost_usd in billed
    free = seat.backend == "local" or bool(seat.replayed)
    return free or not known or len(known) < len(costs)
