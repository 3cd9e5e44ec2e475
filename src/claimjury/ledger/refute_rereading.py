"""Rereading skeptics: what raw messages say once more, by the functions that a pass reads them with. Pure.

It follows `Pass`: a message that asks for tools is no verdict; the first that gives one ends it, unless the answer was
not of the model that was asked, or its host had cut what was sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from claimjury.jury.result import usage_of
from claimjury.ledger.receipt_form import BYTES_PER_TOKEN, MIN_SEEN_SHARE
from claimjury.ledger.refute_receipt_form import SkepticRow, TurnRow
from claimjury.models.served import served_model_fault
from claimjury.skeptics.concluding import read_rows
from claimjury.skeptics.grounds import after_reading
from claimjury.skeptics.verdict import SaidVerdict, read_verdict

__all__ = ["skeptic_faults"]


def skeptic_faults(row: SkepticRow, claim: str, nonce: str) -> Iterator[str]:
    """Say what of a skeptic does not follow from its messages, as sentences; nothing where all does."""
    said, who = row.result, f"skeptic {row.result.place}"
    looked = [one for turn in row.turns for answer in turn.answers for one in answer.reads]
    verdict = _verdict(row, nonce)
    found = None if verdict is None else after_reading(verdict.finding, claim, looked, _given(row))
    if found is None and said.grounds != "fault":
        yield f"The messages of {who} hold no verdict, and the result has one."
    elif found is not None and (said.refuted, said.grounds, said.reason) != (
        found.refutes,
        found.counted,
        found.reason,
    ):
        yield f"The finding of {who} is not the one that its messages and its reading give."
    if said.read != read_rows(_given(row), looked):
        yield f"What {who} read is not what its tools showed."
    cited = () if verdict is None else verdict.citations
    if tuple((one.path, one.line) for one in said.citations or ()) != cited:
        yield f"The citations of {who} are not those of its verdict."
    yield from _count_faults(row, who)


def _given(row: SkepticRow) -> tuple[str, ...]:
    return row.openings[-1].given if row.openings else ()


def _verdict(row: SkepticRow, nonce: str) -> SaidVerdict | None:
    """Give the verdict that the messages end in, or None where there is none that counts."""
    for turn in row.turns:
        if not _counts(turn, row):
            return None
        if turn.answers:
            continue
        answer = turn.answer
        said = None if answer.tool_calls or answer.truncated else read_verdict(answer.text, nonce)
        if said is not None:
            return said
    return None


def _counts(turn: TurnRow, row: SkepticRow) -> bool:
    """Whether the answer is of the model that was asked, and its host had all that was sent."""
    answer = turn.answer
    if served_model_fault(row.result.model, answer, provider=row.result.provider) is not None:
        return False
    seen = answer.prompt_tokens
    return seen is None or seen >= MIN_SEEN_SHARE * turn.sent_bytes / BYTES_PER_TOKEN


def _count_faults(row: SkepticRow, who: str) -> Iterator[str]:
    said, answers = row.result, [turn.answer for turn in row.turns]
    tools = [answer for turn in row.turns for answer in turn.answers]
    counts = {
        "usage": usage_of(answers),
        "rounds": sum(bool(turn.answers) for turn in row.turns),
        "failed_calls": sum(answer.failed for answer in tools),
        "served_model": answers[0].served_model if answers else None,
        "tools": row.openings[-1].tools if row.openings else said.tools,
    }
    for name, value in counts.items():
        if getattr(said, name) != value:
            yield f"`{name}` of {who} does not follow from its messages."
    if any(answer.host != said.host for answer in answers):
        yield f"A message of {who} came from another host than the one that was asked."
    if said.cost_source == "reported" and said.cost_usd != sum(answer.cost_usd or 0.0 for answer in answers):
        yield f"`cost_usd` of {who} is not what its messages report."
