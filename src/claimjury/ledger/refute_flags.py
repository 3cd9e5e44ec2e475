"""The flags of a run of skeptics: which of its warnings follow from what is on record, and which cannot have been given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from claimjury.errors import RequestError
from claimjury.evidence.window import LONG_CONTEXT_TOKENS, estimate_tokens
from claimjury.jury.aimed import rows_of
from claimjury.jury.result import InjectionRow
from claimjury.ledger.refute_looking import shown_again
from claimjury.ledger.refute_receipt_form import RefuteReceipt
from claimjury.ledger.refute_seating import egress_faults, status_faults
from claimjury.ledger.reprompting import reference_at_hand, sources_at_hand
from claimjury.lint import lint
from claimjury.models.families import UNKNOWN
from claimjury.models.providers import is_built_in
from claimjury.skeptics.aimed import aimed_in_reply
from claimjury.skeptics.concluding import warnings_of
from claimjury.skeptics.tools.toolbox import Toolbox
from claimjury.text import clean_line

__all__ = ["flag_faults"]

_OF_THE_RUN: Final = ("caller_set_rules", "listener_failed", "ledger_failed", "unverified_host")
"""What only the run knew, or whoever started it."""
_CLAIM: Final = "c1"


def flag_faults(receipt: RefuteReceipt, toolbox: Toolbox | None, folder: Path | None) -> Iterator[str]:
    """Say which mark of the whole run does not follow from its skeptics."""
    replies = [turn.reply for row in receipt.skeptics for turn in row.turns]
    if receipt.scripted != any(reply.scripted for reply in replies):
        yield "`scripted` does not follow from the messages."
    yield from _warning_faults(receipt)
    yield from _injection_faults(receipt, toolbox, folder)
    doubtful = any(
        row.turns and not is_built_in(row.result.provider, row.result.host) for row in receipt.skeptics
    )
    if "unverified_host" in receipt.warnings and not doubtful:
        yield "`unverified_host` does not follow from the hosts."
    yield from status_faults(receipt)
    yield from egress_faults(receipt)


def _warning_faults(receipt: RefuteReceipt) -> Iterator[str]:
    said = [code for code in receipt.warnings if not code.startswith("injection:")]
    expected = dict.fromkeys(_derived(receipt))
    for code in expected:
        if code not in said:
            yield f"The warning {code} follows from what is on record, and is not there."
    for code in said:
        if code not in expected and code not in _OF_THE_RUN and not _of_a_source(code, receipt):
            yield f"The warning {code} does not follow from what is on record."
    if len(set(said)) < len(said):
        yield "A warning is there twice."


def _derived(receipt: RefuteReceipt) -> Iterator[str]:
    results = [row.result for row in receipt.skeptics]
    for one in results:
        if one.family == UNKNOWN:
            yield f"family_unknown:{clean_line(one.model)}"
        elif one.family_source:
            yield f"family_from_settings:{clean_line(one.model)}={one.family}"
    if rules := [found.rule for found in lint(receipt.claim.statement)]:
        yield f"lint:{_CLAIM}:{','.join(rules)}"
    openings = receipt.skeptics[0].openings
    if openings and estimate_tokens(openings[0].bytes) > LONG_CONTEXT_TOKENS:
        yield "long_context"
    yield from warnings_of(results)


def _of_a_source(code: str, receipt: RefuteReceipt) -> bool:
    """Whether a warning says how a source was decoded; a prompt that nobody was told may have been long, too."""
    if code == "long_context":
        return not receipt.skeptics[0].openings
    for row in receipt.evidence:
        name = clean_line(row.name or "")
        if code == f"encoding_guessed:{name}:{row.encoding}":
            return True
        count = code.removeprefix(f"characters_replaced:{name}:")
        if count != code and count.isdecimal():
            return True
    return False


def _injection_faults(receipt: RefuteReceipt, toolbox: Toolbox | None, folder: Path | None) -> Iterator[str]:
    said = [code for code in receipt.warnings if code.startswith("injection:")]
    rows = dict.fromkeys(rows_of(f"claim {_CLAIM}", receipt.claim.statement))
    answers = any(turn.answers for row in receipt.skeptics for turn in row.turns)
    if toolbox is None and (answers or receipt.evidence):
        counts = [code.removeprefix("injection:") for code in said]
        possible = len(said) <= 1 and all(_at_least(count, max(1, len(rows))) for count in counts)
        if not possible or (rows and not said):
            yield "The warning of what is aimed at the skeptics does not follow from the claim."
        return
    try:
        rows |= dict.fromkeys(_aimed(receipt, toolbox, folder))
    except RequestError:
        return
    if said != ([f"injection:{len(rows)}"] if rows else []):
        yield "The warning of what is aimed at the skeptics does not follow from what they were shown."


def _at_least(count: str, least: int) -> bool:
    return count.isdecimal() and len(count) <= 9 and int(count) >= least and str(int(count)) == count


def _aimed(receipt: RefuteReceipt, toolbox: Toolbox | None, folder: Path | None) -> Iterator[InjectionRow]:
    """Give what of the evidence and of what tools showed is aimed at a judge.

    Raises:
        RequestError: The evidence is not at hand.
    """
    for source in sources_at_hand(receipt.evidence, folder):
        yield from rows_of(source.path, source.text, source.first_line)
    if reference := reference_at_hand(receipt.evidence, folder):
        yield from rows_of("reference", reference.text)
    turns = [turn for row in receipt.skeptics for turn in row.turns] if toolbox else []
    for turn in turns:
        for said, _, now in shown_again(toolbox, turn):  # type: ignore[arg-type]
            if not said.failed:
                yield from aimed_in_reply(now)
