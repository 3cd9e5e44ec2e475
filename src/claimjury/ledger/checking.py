"""Checking a receipt: everything in it that can be derived is derived once more. Offline, without a ledger.

Hashes first, then what follows from what: prompt from claims and evidence, votes from raw replies, exclusions from
what the host reported, verdicts from votes. The first thing that does not fit is named in one sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from claimjury.errors import InvalidRequest, RequestError
from claimjury.evidence.quotes import QuoteBook
from claimjury.jury.counting import Seated, Sent, count_claims, seats_are_weak
from claimjury.jury.quoting import quotable
from claimjury.ledger.check_steps import CheckReport, Outcome, Step, guarded, guarded_step, make_step
from claimjury.ledger.folder import Changed, changes, checked_folder, evidence_step
from claimjury.ledger.receipt_files import (
    MAX_RECEIPT,
    ReceiptFile,
    canonical_faults,
    hash_faults,
    misfit,
    no_receipt,
    parse_receipt,
)
from claimjury.ledger.receipt_form import (
    SCHEMA,
    THRESHOLDS,
    ClaimRow,
    Receipt,
    text_sha256,
)
from claimjury.ledger.refute_checking import check_refutation, read_refutation
from claimjury.ledger.refute_receipt_form import REFUTE_SCHEMA
from claimjury.ledger.reprompting import prompt_step, reference_at_hand, sources_at_hand
from claimjury.ledger.rereading import case_of, seat_faults
from claimjury.ledger.reseating import seating_faults
from claimjury.ledger.resettling import At, digest_now, settled_step
from claimjury.models.providers import is_built_in
from claimjury.text import clean_line
from claimjury.values import Value

__all__ = [
    "MAX_RECEIPT",
    "NOT_PROVEN",
    "PROVEN",
    "CheckReport",
    "Outcome",
    "check_receipt",
    "read_receipt",
    "stale_sources",
]

PROVEN: Final = (
    "What it shows: to whoever kept its hash elsewhere, that nothing in it was changed since. And that votes and "
    "findings follow from the raw replies, exclusions from what the host reported, and verdicts from votes or findings."
)
NOT_PROVEN: Final = (
    "What it does not show: that a model said this. Whoever holds a receipt can make another whole one; a signature "
    "says whose it is."
)


_TREE: Final = "the work tree that claims were settled on"


def check_receipt(data: bytes, *, evidence: Path | None = None, file_name: Path | None = None) -> CheckReport:
    """Check a receipt.

    Args:
        data: Its bytes.
        evidence: A folder in which the sources lie by their names; then they are hashed too, and the prompt is
            built from them once more.
        file_name: The receipt's own file, where it has one: it is no part of a work tree that it lies in.

    Raises:
        InvalidRequest: It is no receipt, or of a form that this version does not know.
        ConfigInvalid: The folder is none.
    """
    folder = None if evidence is None else checked_folder(evidence)
    file = parse_receipt(data)
    if file.form == REFUTE_SCHEMA:
        return check_refutation(file, folder)
    _refuse_newer(file)
    try:
        receipt = Receipt.model_validate_json(data)
    except ValidationError as error:
        return CheckReport(outcome="invalid", steps=(make_step("form", [misfit(error, SCHEMA)]),))
    resettled, elsewhere = _resettled(receipt, At(folder=folder, receipt=file_name))
    steps = [*_steps(file, receipt, folder), *resettled]
    return CheckReport(
        outcome=_outcome(receipt, steps, elsewhere=elsewhere),
        run_id=clean_line(receipt.run.run_id),
        host=clean_line(receipt.run.host),
        receipt_sha256=clean_line(receipt.receipt_sha256),
        steps=tuple(steps),
    )


def read_receipt(data: bytes) -> Receipt:
    """Give a receipt of a jury by its form alone, unchecked.

    Raises:
        InvalidRequest: It does not have it.
    """
    _refuse_newer(parse_receipt(data))
    try:
        return Receipt.model_validate_json(data)
    except ValidationError as error:
        raise no_receipt(misfit(error, SCHEMA)) from error


def _refuse_newer(file: ReceiptFile) -> None:
    if file.form != SCHEMA:
        raise InvalidRequest(
            f"The receipt is of the form {file.form}; this claimjury knows {SCHEMA} and {REFUTE_SCHEMA}.",
            hint="It was made by a newer claimjury: upgrade.",
        )


def stale_sources(data: bytes, folder: Path, *, file_name: Path | None = None) -> list[Changed]:
    """Give the files below `folder` that are not any more what was judged, and the tree that claims were settled on.

    It does not check the receipt.

    Raises:
        InvalidRequest: It is no receipt.
        ConfigInvalid: The folder is none.
    """
    file = parse_receipt(data)
    folder = checked_folder(folder)
    if file.form == REFUTE_SCHEMA:
        return list(changes(read_refutation(file).evidence, folder))
    receipt = read_receipt(data)
    return [
        *changes(receipt.evidence, folder),
        *_tree_changes(receipt, At(folder=folder, receipt=file_name)),
    ]


def _tree_changes(receipt: Receipt, at: At) -> Iterator[Changed]:
    """Give the work tree where it is not any more the one that claims were settled on."""
    tree = receipt.tree
    if tree is None or all(row.verdict is None for row in receipt.settled or ()):
        return
    try:
        now = digest_now(tree, at)
    except (OSError, ValueError):
        # A name in it is none.
        now = None
    if now is None:
        yield Changed(name=_TREE, state="missing")
    elif now != tree.digest:
        yield Changed(name=_TREE, state="changed", sha256=now)


def _outcome(receipt: Receipt, steps: Iterable[Step], *, elsewhere: bool) -> Outcome:
    if any(step.state == "does_not_fit" for step in steps):
        return "invalid"
    if receipt.scripted:
        return "scripted"
    if receipt.unverified_host:
        return "unverified_host"
    return "unchecked" if elsewhere else "valid"


def _steps(file: ReceiptFile, receipt: Receipt, folder: Path | None) -> Iterator[Step]:
    checks: dict[str, Callable[[], Iterable[str]]] = {
        "canonical JSON": lambda: canonical_faults(file, receipt),
        "manifest": lambda: hash_faults(file),
        "hashes of claims and replies": lambda: _text_faults(receipt),
        "rules": lambda: _rule_faults(receipt),
    }
    for name, check in checks.items():
        yield guarded_step(name, check)
    yield guarded("evidence", lambda: evidence_step(receipt.evidence, folder))
    yield guarded("prompt", lambda: prompt_step(receipt, folder))
    yield guarded_step("seats: votes from replies", lambda: _seat_faults(receipt, folder))
    yield guarded_step("verdicts from votes", lambda: _verdict_faults(receipt))
    yield guarded_step("flags", lambda: _flag_faults(receipt))


def _resettled(receipt: Receipt, at: At) -> tuple[list[Step], bool]:
    """Give the step of what was settled, and whether another tree was at hand; what cannot be computed with does not fit."""
    if receipt.settled is None:
        return [], False
    try:
        step, elsewhere = settled_step(
            receipt.settled, receipt.tree, at, made_by=receipt.run.claimjury_version
        )
    except (ArithmeticError, LookupError, OSError, RecursionError, ValueError) as error:
        return [make_step("settled claims", [f"They cannot be settled once more: {error}."])], False
    return [step], elsewhere


def _claims(receipt: Receipt) -> list[ClaimRow]:
    return [*receipt.claims, *(receipt.settled or ())]


def _text_faults(receipt: Receipt) -> Iterator[str]:
    for claim in _claims(receipt):
        if text_sha256(claim.statement) != claim.sha256:
            yield f"The hash of the claim {claim.id} is not that of its statement."
    for seat in receipt.seats:
        for number, reply in enumerate(seat.replies, start=1):
            if text_sha256(reply.raw) != reply.sha256:
                yield f"The hash of reply {number} of {seat.model} is not that of its text."


def _rule_faults(receipt: Receipt) -> Iterator[str]:
    ids = [claim.id for claim in _claims(receipt)]
    if not ids or len(set(ids)) != len(ids):
        yield "There are no claims, or two of one id."
    if receipt.run.claim_ids is None and receipt.settled is not None:
        yield "Some claims went to no juror, and which claims there were is not on record."
    if receipt.run.claim_ids is not None and sorted(receipt.run.claim_ids) != sorted(ids):
        yield "The claims that were judged or settled are not those of the run."
    if receipt.rules.thresholds != THRESHOLDS:
        yield "The thresholds are not those that this claimjury counts by."
    if list(receipt.rules.panel) != [seat.model for seat in receipt.seats if seat.stands_in_for is None]:
        yield "The seats are not those of the panel."
    if len({seat.model for seat in receipt.seats}) != len(receipt.seats):
        yield "The panel names one model twice."
    references = [row for row in receipt.evidence if row.kind == "reference"]
    if len(references) > 1 or any(row.file_sha256 != row.content_sha256 for row in references):
        yield "There are two references, or one of two hashes."


def _seat_faults(receipt: Receipt, folder: Path | None) -> Iterator[str]:
    case = case_of(receipt, _book(receipt, folder))
    yield from seating_faults(receipt)
    for seat in receipt.seats:
        yield from seat_faults(seat, case)


def _book(receipt: Receipt, folder: Path | None) -> QuoteBook | None:
    """Give what was sent, where all of it is at hand."""
    try:
        sources = sources_at_hand(receipt.evidence, folder)
        return quotable(sources, reference_at_hand(receipt.evidence, folder))
    except RequestError:
        return None


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
    if receipt.weak != (seats_are_weak(_seated(receipt)) and bool(receipt.claims)):
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
