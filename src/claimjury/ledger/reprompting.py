"""Reprompting: the prompt of a receipt built once more, as far as its evidence is at hand, and compared by its hashes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from claimjury.claims import Claim
from claimjury.errors import RequestError, SourceNotFound
from claimjury.evidence.reference import Reference
from claimjury.evidence.sources import Source
from claimjury.jury.prompt import PROMPT_VERSION, Prompt, build_prompt
from claimjury.ledger.check_steps import Step, make_step
from claimjury.ledger.folder import find_reference, reload_source
from claimjury.ledger.receipt_form import EvidenceItem, Receipt, text_sha256

__all__ = ["prompt_step", "reference_at_hand", "sources_at_hand"]

_NAME: Final = "prompt"
_HINT: Final = "Name a folder that holds it."


def prompt_step(receipt: Receipt, folder: Path | None) -> Step:
    """Give whether the prompt is what claims, evidence and nonce give, as far as that can be told."""
    version = receipt.run.prompt_version
    if version != PROMPT_VERSION:
        return make_step(
            _NAME,
            [],
            unchecked=f"It is of version {version}, and this claimjury builds version {PROMPT_VERSION}.",
        )
    if text_sha256(_build(receipt, (), None).system) != receipt.prompt.system_sha256:
        return make_step(_NAME, ["`system_sha256` is not the hash of the rules that jurors are given."])
    try:
        sources = sources_at_hand(receipt.evidence, folder)
        reference = reference_at_hand(receipt.evidence, folder)
    except RequestError as error:
        return make_step(_NAME, [], unchecked=f"It cannot be built once more. {error.message}")
    return make_step(_NAME, _faults(_build(receipt, sources, reference), receipt))


def _build(receipt: Receipt, sources: tuple[Source, ...], reference: Reference | None) -> Prompt:
    claims = [Claim(id=row.id, statement=row.statement) for row in receipt.claims]
    return build_prompt(claims, sources, reference, nonce=receipt.run.nonce)


def _faults(prompt: Prompt, receipt: Receipt) -> Iterator[str]:
    said = receipt.prompt
    if (text_sha256(prompt.user), prompt.bytes) != (said.user_sha256, said.bytes):
        yield "The prompt that claims, evidence and nonce give is not the one on record."
    if prompt.sha256 != said.sha256:
        yield "`prompt.sha256` is not the hash of the prompt."


def sources_at_hand(evidence: Sequence[EvidenceItem], folder: Path | None) -> tuple[Source, ...]:
    """Give the sources as they were sent.

    Raises:
        RequestError: One is not at hand.
    """
    rows = [row for row in evidence if row.kind != "reference"]
    return tuple(_source(row, folder) for row in rows)


def _source(row: EvidenceItem, folder: Path | None) -> Source:
    if folder is None:
        raise SourceNotFound("Its evidence is not at hand.", hint=_HINT)
    if row.kind == "diff":
        raise SourceNotFound(f"A part of it, {row.name}, is not a file.", hint=_HINT)
    return reload_source(row, folder)


def reference_at_hand(evidence: Sequence[EvidenceItem], folder: Path | None) -> Reference | None:
    """Give the reference, or None where there was none.

    Raises:
        RequestError: It is not at hand.
    """
    row = next((row for row in evidence if row.kind == "reference"), None)
    if row is None:
        return None
    found = None if folder is None else find_reference(row, folder)
    if found is None:
        raise SourceNotFound("No file at hand is its reference.", hint=_HINT)
    return found
