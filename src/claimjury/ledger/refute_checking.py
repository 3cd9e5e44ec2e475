"""Checking a receipt of skeptics: everything in it that can be derived is derived once more, offline.

Hashes first, then what follows from what: prompts from claim and evidence, findings from raw messages and from what was
read, the verdict from the findings. With the repository at hand each tool call is made again and its answer compared.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from claimjury.errors import InvalidRequest, RequestError
from claimjury.ledger.check_steps import CheckReport, Outcome, Step, guarded_step, make_step
from claimjury.ledger.folder import evidence_step
from claimjury.ledger.receipt_files import ReceiptFile, canonical_faults, hash_faults, misfit, no_receipt
from claimjury.ledger.receipt_form import text_sha256
from claimjury.ledger.refute_receipt_form import REFUTE_SCHEMA, RefuteReceipt, TurnRow, VerdictRow
from claimjury.ledger.refute_rereading import skeptic_faults
from claimjury.ledger.reprompting import reference_at_hand, sources_at_hand
from claimjury.models.providers import is_built_in
from claimjury.skeptics.angles import angle_of
from claimjury.skeptics.block import THRESHOLD, render_block
from claimjury.skeptics.concluding import block_of, warnings_of
from claimjury.skeptics.limits import MAX_ROUNDS
from claimjury.skeptics.prompts import PROMPT_VERSION, skeptic_prompt
from claimjury.skeptics.tools.toolbox import TOOLS, Toolbox
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
    checks: dict[str, Callable[[], Iterable[str]]] = {
        "canonical JSON": lambda: canonical_faults(file, receipt),
        "manifest": lambda: hash_faults(file),
        "hashes of claim and messages": lambda: _text_faults(receipt),
        "rules": lambda: _rule_faults(receipt),
    }
    for name, check in checks.items():
        yield guarded_step(name, check)
    yield evidence_step(receipt.evidence, folder)
    yield _prompt_step(receipt, folder)
    yield _tools_step(receipt, folder)
    yield guarded_step("findings from messages", lambda: _finding_faults(receipt))
    yield guarded_step("verdict from findings", lambda: _verdict_faults(receipt))
    yield guarded_step("flags", lambda: _flag_faults(receipt))


def _text_faults(receipt: RefuteReceipt) -> Iterator[str]:
    if text_sha256(receipt.claim.statement) != receipt.claim.sha256:
        yield "The hash of the claim is not that of its statement."
    for row in receipt.skeptics:
        for number, turn in enumerate(row.turns, start=1):
            if text_sha256(turn.reply.raw) != turn.reply.sha256:
                yield f"The hash of message {number} of skeptic {row.result.place} is not that of its text."


def _rule_faults(receipt: RefuteReceipt) -> Iterator[str]:
    results = [row.result for row in receipt.skeptics]
    if receipt.rules.threshold != THRESHOLD:
        yield "The threshold is not the one that this claimjury counts by."
    if [one.place for one in results] != list(range(1, receipt.rules.n + 1)):
        yield f"There are not {receipt.rules.n} skeptics, numbered from 1 on."
    if [one.model for one in results] != list(receipt.rules.models):
        yield "The skeptics are not the models that were asked."
    for one in results:
        if one.angle != angle_of(one.place).name:
            yield f"The angle of skeptic {one.place} is not the one of its place."


def _prompt_step(receipt: RefuteReceipt, folder: Path | None) -> Step:
    name = "prompts"
    version = receipt.run.prompt_version
    if version != PROMPT_VERSION:
        why = f"They are of version {version}, and this claimjury builds version {PROMPT_VERSION}."
        return make_step(name, [], unchecked=why)
    try:
        return make_step(name, _prompt_faults(receipt, folder))
    except (RequestError, InvalidRequest) as error:
        return make_step(name, [], unchecked=f"They cannot be built once more. {error.message}")


def _prompt_faults(receipt: RefuteReceipt, folder: Path | None) -> list[str]:
    sources = sources_at_hand(receipt.evidence, folder)
    reference = reference_at_hand(receipt.evidence, folder)
    faults = []
    for row in receipt.skeptics:
        for opening in row.openings:
            built = skeptic_prompt(
                receipt.claim.statement,
                angle_of(row.result.place),
                nonce=receipt.run.nonce,
                sources=sources,
                reference=reference,
                tools=[spec.name for spec in TOOLS] if opening.tools else (),
                steps=MAX_ROUNDS,
            )
            # Without tools, files that the claim names are in the prompt, which are not among the evidence.
            whole = list(opening.given) == [source.path for source in sources]
            hashes = (opening.system_sha256, opening.user_sha256 if whole else "")
            if hashes != (text_sha256(built.system), text_sha256(built.user) if whole else ""):
                faults.append(
                    f"The prompt of skeptic {row.result.place} is not the one that its angle gives."
                )
    return faults


def _tools_step(receipt: RefuteReceipt, folder: Path | None) -> Step:
    name = "what tools showed"
    if folder is None:
        answers = any(turn.answers for row in receipt.skeptics for turn in row.turns)
        return make_step(
            name, [], unchecked="Without the repository it is known by its hashes alone." if answers else ""
        )
    toolbox = Toolbox(folder)
    shown = [fault for row in receipt.skeptics for fault in _shown_faults(toolbox, row.turns)]
    return make_step(name, [*shown, *_cited_faults(toolbox, receipt)])


def _cited_faults(toolbox: Toolbox, receipt: RefuteReceipt) -> Iterator[str]:
    for row in receipt.skeptics:
        for cited in row.result.citations or ():
            if cited.exists != (1 <= cited.line <= toolbox.lines_of(cited.path)):
                word = "a line" if cited.exists else "no line"
                yield f"{cited.path}:{cited.line} was {word} then, and is not so in the folder now."


def _shown_faults(toolbox: Toolbox, turns: Iterable[TurnRow]) -> Iterator[str]:
    for turn in turns:
        for said in turn.answers:
            call = turn.calls[said.position]
            # What a call was refused for (the window, the time) was known to that run alone.
            if said.failed:
                continue
            shown = toolbox.call(call.name, json.loads(call.arguments))
            if text_sha256(shown.text) != said.text_sha256:
                yield f"{call.name}({call.arguments}) shows something else in the folder now."


def _finding_faults(receipt: RefuteReceipt) -> Iterator[str]:
    for row in receipt.skeptics:
        yield from skeptic_faults(row, receipt.claim.statement, receipt.run.nonce)


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


def _flag_faults(receipt: RefuteReceipt) -> Iterator[str]:
    results = [row.result for row in receipt.skeptics]
    replies = [turn.reply for row in receipt.skeptics for turn in row.turns]
    if receipt.scripted != any(reply.scripted for reply in replies):
        yield "`scripted` does not follow from the messages."
    missing = set(warnings_of(results)) - set(receipt.warnings)
    if missing:
        yield f"The warning {min(missing)} follows from what the skeptics say, and is not there."
    doubtful = any(
        row.turns and not is_built_in(row.result.provider, row.result.host) for row in receipt.skeptics
    )
    if "unverified_host" in receipt.warnings and not doubtful:
        yield "`unverified_host` does not follow from the hosts."
    if any(row.host not in {one.host for one in results} for row in receipt.egress):
        yield "Something went to a host that no skeptic was asked at."
