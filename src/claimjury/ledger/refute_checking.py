"""Checking a receipt of skeptics: everything in it that can be derived is derived once more, offline.

Hashes first, then what follows from what: prompts from claim and evidence, findings from raw messages and from what was
read, the verdict from the findings. With the repository at hand each tool call is made again and its answer compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from claimjury.ledger.check_steps import CheckReport, Outcome, Step, guarded, guarded_step, make_step
from claimjury.ledger.folder import evidence_step
from claimjury.ledger.receipt_files import ReceiptFile, canonical_faults, hash_faults, misfit, no_receipt
from claimjury.ledger.receipt_form import text_sha256
from claimjury.ledger.refute_flags import flag_faults
from claimjury.ledger.refute_looking import NAME, looking_step
from claimjury.ledger.refute_prompting import prompts_step
from claimjury.ledger.refute_receipt_form import REFUTE_SCHEMA, RefuteReceipt, VerdictRow
from claimjury.ledger.refute_rereading import skeptic_faults
from claimjury.ledger.refute_seating import rule_faults
from claimjury.skeptics.block import render_block
from claimjury.skeptics.concluding import block_of
from claimjury.skeptics.tools.toolbox import Toolbox
from claimjury.text import clean_line

__all__ = ["check_refutation", "read_refutation"]


def check_refutation(file: ReceiptFile, folder: Path | None) -> CheckReport:
    """Check a receipt of skeptics; with the folder of its repository, what the tools showed too.

    Raises:
        ConfigInvalid: The folder may not be read by the tools.
    """
    try:
        receipt = RefuteReceipt.model_validate_json(file.data)
    except ValidationError as error:
        return CheckReport(outcome="invalid", steps=(make_step("form", [misfit(error, REFUTE_SCHEMA)]),))
    steps = tuple(_steps(file, receipt, folder))
    return CheckReport(
        outcome=_outcome(receipt, steps),
        run_id=clean_line(receipt.run.run_id),
        host=clean_line(receipt.run.host),
        receipt_sha256=clean_line(receipt.receipt_sha256),
        steps=steps,
    )


def read_refutation(file: ReceiptFile) -> RefuteReceipt:
    """Give a receipt of skeptics by its form alone, unchecked.

    Raises:
        InvalidRequest: It does not have it.
    """
    try:
        return RefuteReceipt.model_validate_json(file.data)
    except ValidationError as error:
        raise no_receipt(misfit(error, REFUTE_SCHEMA)) from error


def _outcome(receipt: RefuteReceipt, steps: Iterable[Step]) -> Outcome:
    if any(step.state == "does_not_fit" for step in steps):
        return "invalid"
    if receipt.scripted:
        return "scripted"
    return "unverified_host" if "unverified_host" in receipt.warnings else "valid"


def _steps(file: ReceiptFile, receipt: RefuteReceipt, folder: Path | None) -> Iterator[Step]:
    toolbox = None if folder is None else Toolbox(folder)
    checks: dict[str, Callable[[], Iterable[str]]] = {
        "canonical JSON": lambda: canonical_faults(file, receipt),
        "manifest": lambda: hash_faults(file),
        "hashes of claim and messages": lambda: _text_faults(receipt),
        "rules": lambda: rule_faults(receipt),
    }
    for name, check in checks.items():
        yield guarded_step(name, check)
    yield guarded("evidence", lambda: evidence_step(receipt.evidence, folder))
    yield guarded("prompts", lambda: prompts_step(receipt, folder))
    yield guarded(NAME, lambda: looking_step(receipt, toolbox))
    yield guarded_step("findings from messages", lambda: _finding_faults(receipt, folder))
    yield guarded_step("verdict from findings", lambda: _verdict_faults(receipt))
    yield guarded_step("flags", lambda: flag_faults(receipt, toolbox, folder))


def _text_faults(receipt: RefuteReceipt) -> Iterator[str]:
    if text_sha256(receipt.claim.statement) != receipt.claim.sha256:
        yield "The hash of the claim is not that of its statement."
    for row in receipt.skeptics:
        for number, turn in enumerate(row.turns, start=1):
            if text_sha256(turn.reply.raw) != turn.reply.sha256:
                yield f"The hash of message {number} of skeptic {row.result.place} is not that of its text."


def _finding_faults(receipt: RefuteReceipt, folder: Path | None) -> Iterator[str]:
    for row in receipt.skeptics:
        yield from skeptic_faults(row, receipt, at_hand=folder is not None)


def _verdict_faults(receipt: RefuteReceipt) -> Iterator[str]:
    block = block_of(
        receipt.claim.statement, [row.result for row in receipt.skeptics], scripted=receipt.scripted
    )
    counted, said = block.tally, receipt.verdict
    expected = VerdictRow(
        verdict=counted.verdict,
        refuted=counted.refuted,
        refuted_on_evidence=counted.refuted_on_evidence,
        refuted_by_default=counted.refuted_by_default,
        faulted=counted.faulted,
        tie=counted.tie,
        exit_status=130 if receipt.run.status == "interrupted" else counted.exit_status,
        basis=block.basis,
        text=render_block(block),
    )
    for name in VerdictRow.model_fields:
        if getattr(said, name) != getattr(expected, name):
            yield f"`{name}` is not what the findings of the skeptics give."
