"""Checking a receipt: everything in it that can be derived is derived once more. Offline, without a ledger.

Hashes first, then what follows from what: prompt from claims and evidence, votes from raw replies, exclusions from
what the host reported, verdicts from votes. The first thing that does not fit is named in one sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import ValidationError

from claimjury.errors import InvalidRequest
from claimjury.jury.counting import Seated, Sent, count_claims, seats_are_weak
from claimjury.ledger.check_steps import Step, guarded_step, make_step
from claimjury.ledger.folder import Changed, changes, checked_folder, find_reference, source_faults
from claimjury.ledger.receipt_form import (
    SCHEMA,
    THRESHOLDS,
    Receipt,
    canonical,
    manifest_of,
    text_sha256,
    whole_sha256,
)
from claimjury.ledger.reprompting import prompt_step
from claimjury.ledger.rereading import case_of, seat_faults
from claimjury.ledger.reseating import seating_faults
from claimjury.models.providers import is_built_in
from claimjury.text import clean_line
from claimjury.values import Value

__all__ = ["NOT_PROVEN", "PROVEN", "CheckReport", "Outcome", "check_receipt", "read_receipt", "stale_sources"]

Outcome = Literal["valid", "scripted", "unverified_host", "invalid"]
PROVEN: Final = (
    "What it shows: to whoever kept its hash elsewhere, that nothing in it was changed since. And that the votes "
    "follow from the raw replies, the exclusions from what the host reported, and the verdicts from the votes."
)
NOT_PROVEN: Final = (
    "What it does not show: that a model said this. Whoever holds a receipt can make another whole one; a signature "
    "says whose it is."
)
MAX_RECEIPT: Final = 64_000_000
"""Bytes."""
_FORM: Final = re.compile(r"claimjury-receipt/v[0-9]{1,9}")


class CheckReport(Value):
    """What a check of a receipt came to.

    Attributes:
        outcome: `valid`; `scripted` or `unverified_host` (it fits, and is no record of verified models); `invalid`.
        run_id: Of the run, as the receipt says; absent where it does not have the form of one.
        host: That was asked, likewise.
        receipt_sha256: The hash to compare with one that was kept elsewhere.
        steps: What was checked, in order.
    """

    outcome: Outcome
    run_id: str | None = None
    host: str | None = None
    receipt_sha256: str | None = None
    steps: tuple[Step, ...]

    @property
    def first_fault(self) -> str:
        """The first thing that does not fit, as a sentence; empty where everything does."""
        faults = (step.detail or step.name for step in self.steps if step.state == "does_not_fit")
        return next(faults, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A receipt as it was read: its bytes, and its JSON."""

    data: bytes
    parts: dict[str, Any]


def check_receipt(data: bytes, *, evidence: Path | None = None) -> CheckReport:
    """Check a receipt.

    Args:
        data: Its bytes.
        evidence: A folder in which the sources lie by their names; then they are hashed too, and the prompt is
            built from them once more.

    Raises:
        InvalidRequest: It is no receipt, or of a form that this version does not know.
        ConfigInvalid: The folder is none.
    """
    folder = None if evidence is None else checked_folder(evidence)
    parts = _parsed(data)
    try:
        receipt = Receipt.model_validate_json(data)
    except ValidationError as error:
        return CheckReport(outcome="invalid", steps=(make_step("form", [_misfit(error)]),))
    steps = tuple(_steps(_Read(data=data, parts=parts), receipt, folder))
    return CheckReport(
        outcome=_outcome(receipt, steps),
        run_id=clean_line(receipt.run.run_id),
        host=clean_line(receipt.run.host),
        receipt_sha256=clean_line(receipt.receipt_sha256),
        steps=steps,
    )


def read_receipt(data: bytes) -> Receipt:
    """Give a receipt by its form alone, unchecked.

    Raises:
        InvalidRequest: It does not have it.
    """
    _parsed(data)
    try:
        return Receipt.model_validate_json(data)
    except ValidationError as error:
        raise _no_receipt(_misfit(error)) from error


def stale_sources(data: bytes, folder: Path) -> list[Changed]:
    """Give the files below `folder` that are not any more what was judged. It does not check the receipt.

    Raises:
        InvalidRequest: It is no receipt.
        ConfigInvalid: The folder is none.
    """
    return list(changes(read_receipt(data).evidence, checked_folder(folder)))


def _parsed(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_RECEIPT:
        raise _no_receipt(f"It has {len(data):,} bytes, and none is so large.")
    try:
        parts = json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise _no_receipt("It is not JSON.") from error
    form = parts.get("schema") if isinstance(parts, dict) else None
    if not isinstance(form, str) or not _FORM.fullmatch(form):
        raise _no_receipt("It does not say that it is one.")
    if form != SCHEMA:
        raise InvalidRequest(
            f"The receipt is of the form {form}; this claimjury knows {SCHEMA}.",
            hint="It was made by a newer claimjury: upgrade.",
        )
    return dict(parts)


def _no_receipt(why: str) -> InvalidRequest:
    return InvalidRequest(
        f"This is no receipt. {why}", hint="`claimjury runs export ID --receipt FILE` makes one."
    )


def _misfit(error: ValidationError) -> str:
    place = ".".join(map(str, error.errors(include_input=False, include_url=False)[0]["loc"]))
    return f"`{place}` does not have the form of {SCHEMA}."


def _outcome(receipt: Receipt, steps: Iterable[Step]) -> Outcome:
    if any(step.state == "does_not_fit" for step in steps):
        return "invalid"
    if receipt.scripted:
        return "scripted"
    return "unverified_host" if receipt.unverified_host else "valid"


def _steps(read: _Read, receipt: Receipt, folder: Path | None) -> Iterator[Step]:
    checks: dict[str, Callable[[], Iterable[str]]] = {
        "canonical JSON": lambda: _canonical_faults(read, receipt),
        "manifest": lambda: _manifest_faults(read),
        "hashes of claims and replies": lambda: _text_faults(receipt),
        "rules": lambda: _rule_faults(receipt),
    }
    for name, check in checks.items():
        yield guarded_step(name, check)
    yield _evidence_step(receipt, folder)
    yield prompt_step(receipt, folder)
    yield guarded_step("seats: votes from replies", lambda: _seat_faults(receipt))
    yield guarded_step("verdicts from votes", lambda: _verdict_faults(receipt))
    yield guarded_step("flags", lambda: _flag_faults(receipt))


def _canonical_faults(read: _Read, receipt: Receipt) -> Iterator[str]:
    if canonical(receipt.to_json()) != read.data:
        yield "The file is not the canonical JSON (RFC 8785) of what it says."


def _manifest_faults(read: _Read) -> Iterator[str]:
    expected, said = manifest_of(read.parts), read.parts["manifest"]
    for name in dict.fromkeys([*expected, *said]):
        if expected.get(name) != said.get(name):
            yield f"The hash of `{name}` is not the one in the manifest."
    if whole_sha256(read.parts) != read.parts["receipt_sha256"]:
        yield "`receipt_sha256` is not the hash of the receipt."


def _text_faults(receipt: Receipt) -> Iterator[str]:
    for claim in receipt.claims:
        if text_sha256(claim.statement) != claim.sha256:
            yield f"The hash of the claim {claim.id} is not that of its statement."
    for seat in receipt.seats:
        for number, reply in enumerate(seat.replies, start=1):
            if text_sha256(reply.raw) != reply.sha256:
                yield f"The hash of reply {number} of {seat.model} is not that of its text."


def _rule_faults(receipt: Receipt) -> Iterator[str]:
    ids = [claim.id for claim in receipt.claims]
    if not ids or len(set(ids)) != len(ids):
        yield "There are no claims, or two of one id."
    if receipt.rules.thresholds != THRESHOLDS:
        yield "The thresholds are not those that this claimjury counts by."
    if list(receipt.rules.panel) != [seat.model for seat in receipt.seats if seat.stands_in_for is None]:
        yield "The seats are not those of the panel."
    if len({seat.model for seat in receipt.seats}) != len(receipt.seats):
        yield "The panel names one model twice."
    references = [row for row in receipt.evidence if row.kind == "reference"]
    if len(references) > 1 or any(row.file_sha256 != row.content_sha256 for row in references):
        yield "There are two references, or one of two hashes."


def _evidence_step(receipt: Receipt, folder: Path | None) -> Step:
    name = "evidence"
    if folder is None:
        unchecked = "Without a folder the evidence is known by its hashes alone." if receipt.evidence else ""
        return make_step(name, [], unchecked=unchecked)
    others = list(_unlooked(receipt, folder))
    unchecked = f"Only files are looked up in a folder; not checked there: {', '.join(others)}."
    return make_step(name, source_faults(receipt, folder), unchecked=unchecked if others else "")


def _unlooked(receipt: Receipt, folder: Path) -> Iterator[str]:
    """Give the evidence that is no file of the folder; the reference may be one, under any name."""
    for row in receipt.evidence:
        if row.kind == "diff":
            yield row.name or "a diff"
        elif row.kind == "reference" and find_reference(row, folder) is None:
            yield "the reference"


def _seat_faults(receipt: Receipt) -> Iterator[str]:
    case = case_of(receipt)
    yield from seating_faults(receipt)
    for seat in receipt.seats:
        yield from seat_faults(seat, case)


def _verdict_faults(receipt: Receipt) -> Iterator[str]:
    seats = _seated(receipt)
    claims = {claim.id: claim.statement for claim in receipt.claims}
    expected = count_claims(claims, seats, _sent(receipt), receipt.rules.min_refute_votes)
    if [row.id for row in receipt.verdicts] != [row.id for row in expected]:
        yield "The verdicts are not on the claims, one each, in their order."
        return
    for said, counted in zip(receipt.verdicts, expected, strict=True):
        for name in type(said).model_fields:
            if getattr(said, name) != getattr(counted, name):
                yield (
                    f"`{name}` of the claim {said.id} is {_word(getattr(said, name))}, and by the votes it is "
                    f"{_word(getattr(counted, name))}."
                )


def _word(value: object) -> str:
    if isinstance(value, Value):
        return json.dumps(value.to_json(), ensure_ascii=False)
    return "absent" if value is None else str(value)


def _flag_faults(receipt: Receipt) -> Iterator[str]:
    run = receipt.run
    if receipt.weak != seats_are_weak(_seated(receipt)):
        yield "`weak` does not follow from the seats."
    if receipt.scripted != any(reply.scripted for seat in receipt.seats for reply in seat.replies):
        yield "`scripted` does not follow from the replies."
    doubtful = any(seat.included and not is_built_in(seat.provider, seat.host) for seat in receipt.seats)
    if receipt.unverified_host and not doubtful:
        yield "`unverified_host` does not follow from the host."
    if run.status == "complete" and any(
        seat.exclude_reason in ("deadline", "cancelled") for seat in receipt.seats
    ):
        yield "The run is complete on record, and a seat of it was cut off."
    names = [row.name for row in receipt.evidence if row.kind != "reference"]
    for row in receipt.egress:
        if row.host not in {seat.host for seat in receipt.seats} or not (set(row.files) <= set(names)):
            yield "What left the machine is not the evidence, or went to another host."


def _seated(receipt: Receipt) -> tuple[Seated, ...]:
    return tuple(
        Seated(
            model=seat.model,
            family=seat.family,
            included=seat.included,
            votes={vote.id: vote for vote in (seat.votes if seat.included else seat.excluded_votes or ())},
            local=seat.backend == "local",
        )
        for seat in receipt.seats
    )


def _sent(receipt: Receipt) -> Sent:
    sources = [row for row in receipt.evidence if row.kind != "reference"]
    origins = [row.origin for row in receipt.evidence if row.kind == "reference"]
    return Sent(
        sources=len(sources),
        files=tuple(path for row in sources for path in row.files or (row.name or "",)),
        reference=origins[0] if origins else None,
        unverified_host=receipt.unverified_host,
        caller_set_rules=bool(receipt.rules.caller_set_rules),
    )
