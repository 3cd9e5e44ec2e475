"""The prompts of skeptics, built once more as far as what is in them is at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from claimjury.errors import InvalidRequest, RequestError, SourceNotFound
from claimjury.evidence.reference import Reference
from claimjury.evidence.sources import Source, load_sources
from claimjury.jury.named_files import named_files
from claimjury.jury.prompt import Prompt
from claimjury.ledger.check_steps import Step, make_step
from claimjury.ledger.receipt_form import text_sha256
from claimjury.ledger.refute_receipt_form import OpeningRow, RefuteReceipt, SkepticRow
from claimjury.ledger.reprompting import reference_at_hand, sources_at_hand
from claimjury.skeptics.angles import angle_of
from claimjury.skeptics.limits import MAX_ROUNDS
from claimjury.skeptics.prompts import PROMPT_VERSION, skeptic_prompt
from claimjury.skeptics.tools.toolbox import TOOLS

__all__ = ["prompts_step"]

_NAME: Final = "prompts"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hand:
    """What the prompts are built from: the evidence, and the repository where it is at hand."""

    sources: tuple[Source, ...]
    reference: Reference | None
    folder: Path | None


def prompts_step(receipt: RefuteReceipt, folder: Path | None) -> Step:
    """Give whether each skeptic was told what claim, angle and evidence give, as far as that can be told."""
    named = [fault for row in receipt.skeptics for fault in _opening_faults(row, receipt)]
    version = receipt.run.prompt_version
    if version != PROMPT_VERSION:
        why = f"They are of version {version}, and this claimjury builds version {PROMPT_VERSION}."
        return make_step(_NAME, named, unchecked=why)
    faults = [*named, *_system_faults(receipt)]
    try:
        hand = _Hand(
            sources=sources_at_hand(receipt.evidence, folder),
            reference=reference_at_hand(receipt.evidence, folder),
            folder=folder,
        )
        faults += _prompt_faults(receipt, hand)
    except (RequestError, InvalidRequest) as error:
        return make_step(_NAME, faults, unchecked=f"They cannot be built once more. {error.message}")
    return make_step(_NAME, faults)


def _opening_faults(row: SkepticRow, receipt: RefuteReceipt) -> Iterator[str]:
    """Say what is wrong with the rounds of openings: one with tools, then one without where its model takes none."""
    who = f"skeptic {row.result.place}"
    if [opening.tools for opening in row.openings] not in ([], [True], [True, False]):
        yield f"The openings of {who} are not one with tools, and then one without."
    if row.turns and not row.openings:
        yield f"What {who} was told is not on record, and it has answered."
    sources = [item.name or "" for item in receipt.evidence if item.kind != "reference"]
    for opening in row.openings:
        given = list(opening.given)
        most = 0 if opening.tools else len(named_files(receipt.claim.statement))
        if given[: len(sources)] != sources or len(given) - len(sources) > most:
            yield f"The files that {who} was given are not those of the evidence and of the claim."


def _system_faults(receipt: RefuteReceipt) -> Iterator[str]:
    """Say whose rules are not those of this version: no evidence is in them."""
    for row in receipt.skeptics:
        for opening in row.openings:
            if opening.system_sha256 != text_sha256(_built(row, opening, receipt, (), None).system):
                yield _misbuilt(row)


def _prompt_faults(receipt: RefuteReceipt, hand: _Hand) -> Iterator[str]:
    for row in receipt.skeptics:
        for opening in row.openings:
            named = _named(opening.given[len(hand.sources) :], hand.folder)
            built = _built(row, opening, receipt, (*hand.sources, *named), hand.reference)
            if (opening.user_sha256, opening.bytes) != (text_sha256(built.user), built.bytes):
                yield _misbuilt(row)


def _misbuilt(row: SkepticRow) -> str:
    return f"The prompt of skeptic {row.result.place} is not the one that its angle gives."


def _named(names: Sequence[str], folder: Path | None) -> list[Source]:
    """Give the files that the claim names, which are in a prompt without tools and not among the evidence.

    Raises:
        RequestError: One is not at hand.
    """
    if names and folder is None:
        raise SourceNotFound(
            "The files that the claim names are not at hand.", hint="Name a folder that holds them."
        )
    return [source for name in names for source in load_sources([folder / name], roots=[folder])]  # type: ignore[operator, list-item]


def _built(
    row: SkepticRow,
    opening: OpeningRow,
    receipt: RefuteReceipt,
    sources: Sequence[Source],
    reference: Reference | None,
) -> Prompt:
    return skeptic_prompt(
        receipt.claim.statement,
        angle_of(row.result.place),
        nonce=receipt.run.nonce,
        sources=sources,
        reference=reference,
        tools=[spec.name for spec in TOOLS] if opening.tools else (),
        steps=MAX_ROUNDS,
    )
