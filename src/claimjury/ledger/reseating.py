"""Reseating: who of a receipt's panel might sit, and who stood in for whom, decided once more from ids and families."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claimjury.jury.seating import barred_seats, takes_stand_in
from claimjury.ledger.receipt_form import Receipt, SeatRow
from claimjury.models.families import UNKNOWN, Lineage, lineage_of
from claimjury.models.names import named_by_host, sent_name
from claimjury.models.providers import DAEMON, OLLAMA, PROVIDERS
from claimjury.models.served import name_of

__all__ = ["BARRED", "expected_family", "seating_faults"]

BARRED = ("author_family", "duplicate_family")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    model: str
    lineage: Lineage


def expected_family(seat: SeatRow) -> str:
    """Give the family of a seat by the built-in map; the word of the user's settings is taken as it stands."""
    return seat.family if seat.family_source else lineage_of(seat.model).family


def seating_faults(receipt: Receipt) -> Iterator[str]:
    """Say who sits and should not, or the other way round, as sentences; nothing where all is right."""
    rules = receipt.rules
    panel = [seat for seat in receipt.seats if seat.stands_in_for is None]
    barred = barred_seats(
        [_candidate(seat) for seat in panel],
        author=frozenset(rules.author or ()),
        allow_same_family=bool(rules.allow_same_family),
    )
    for seat in panel:
        said = seat.exclude_reason if seat.exclude_reason in BARRED else None
        bar = barred.get(seat.model)
        if said != (bar.reason if bar else None):
            yield f"The seat of {seat.model} does not follow from the families of the panel and the author."
    yield from _stand_in_faults(receipt)
    yield from _crowd_faults(receipt)
    for seat in receipt.seats:
        yield from _name_faults(seat, receipt)


def _candidate(seat: SeatRow) -> _Candidate:
    if not seat.family_source:
        return _Candidate(model=seat.model, lineage=lineage_of(seat.model))
    kin = frozenset() if seat.family == UNKNOWN else frozenset({seat.family})
    return _Candidate(model=seat.model, lineage=Lineage(seat.family, kin))


def _stand_in_faults(receipt: Receipt) -> Iterator[str]:
    by_model = {seat.model: seat for seat in receipt.seats}
    filled: list[str] = []
    for seat in receipt.seats:
        if seat.stands_in_for is None:
            continue
        left = by_model.get(seat.stands_in_for)
        fits = left is not None and left.stands_in_for is None and takes_stand_in(left.exclude_reason)
        if not fits or seat.stands_in_for in filled or seat.model not in (receipt.rules.alternates or ()):
            yield f"{seat.model} stands in for a seat that it cannot have taken over."
        filled.append(seat.stands_in_for)


def _crowd_faults(receipt: Receipt) -> Iterator[str]:
    """Say which stand-ins share a family with somebody who sits, or with the author."""
    author = frozenset(receipt.rules.author or ())
    seated = [
        seat
        for seat in receipt.seats
        if seat.stands_in_for is not None or not takes_stand_in(seat.exclude_reason)
    ]
    for seat in receipt.seats:
        if seat.stands_in_for is None:
            continue
        lineage = _candidate(seat).lineage
        others = [_candidate(other).lineage for other in seated if other.model != seat.model]
        crowded = any(lineage.shares_with(other) for other in others) or lineage.kin & author
        if lineage.family == UNKNOWN or crowded:
            yield f"{seat.model} stands in, and its family may not."


def _name_faults(seat: SeatRow, receipt: Receipt) -> Iterator[str]:
    provider = named_by_host(seat.model, {*PROVIDERS, seat.provider} - {OLLAMA, DAEMON})[0]
    if provider != (OLLAMA if seat.provider == DAEMON else seat.provider):
        yield f"`provider` of the seat of {seat.model} does not follow from its id."
    name = name_of(seat.model, seat.provider)
    sent = sent_name(name) if seat.provider == OLLAMA else name
    if seat.params is not None and seat.params.sent_model != sent:
        yield f"{seat.model} was asked for by another name."
    backend = "local" if seat.provider == DAEMON and sent_name(name) == name else "cloud"
    if seat.backend != backend:
        yield f"`backend` of the seat of {seat.model} does not follow from its id."
    asked = seat.exclude_reason not in BARRED and seat.stands_in_for is None
    if asked and seat.host not in receipt.run.host.split(", "):
        yield f"{seat.model} was asked at another host than the run names."
    heard_now = bool(seat.replies) and not seat.replayed
    if heard_now and seat.host not in {row.host for row in receipt.egress}:
        yield f"{seat.model} answered from a host that nothing was sent to."
