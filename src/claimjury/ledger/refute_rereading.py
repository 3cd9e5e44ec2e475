"""Rereading skeptics: what raw messages say once more, by the functions that a pass reads them with. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, get_args

from claimjury.errors import CallCode
from claimjury.jury.result import usage_of
from claimjury.ledger.refute_looking import by_its_calls, looked_by
from claimjury.ledger.refute_receipt_form import RefuteReceipt, SkepticRow
from claimjury.ledger.refute_talk import Talk, talk_of
from claimjury.models.providers import DAEMON
from claimjury.skeptics.concluding import read_rows
from claimjury.skeptics.grounds import after_reading
from claimjury.skeptics.retold import CUT_SHORT
from claimjury.skeptics.tally import Finding
from claimjury.skeptics.tools.replies import Looked
from claimjury.text import clean_line

__all__ = ["given_to", "skeptic_faults"]

_SILENT: Final = re.compile(
    r"its context of [\d,]+ tokens has no room for another answer"
    r"|its model takes no tools, and the files that the claim names take [\d,]+ tokens"
    r"|there was no verdict within [\d.]+ s"
    r"|a fault of claimjury itself: \w+"
    rf"|the call failed \((?:{'|'.join(get_args(CallCode))})\): .*",
    re.DOTALL,
)
"""Why a skeptic can break down without a message that says so: what only its run knew."""
_NO_BUDGET: Final = "budget: there was no room for another call"


def given_to(row: SkepticRow, receipt: RefuteReceipt) -> tuple[str, ...]:
    """Give the files that a skeptic had without asking; one that never began would have had the sources."""
    if row.openings:
        return row.openings[-1].given
    return tuple(item.name or "" for item in receipt.evidence if item.kind != "reference")


def skeptic_faults(row: SkepticRow, receipt: RefuteReceipt, *, at_hand: bool) -> Iterator[str]:
    """Say what of a skeptic does not follow from its messages, as sentences; nothing where all does.

    Args:
        row: The skeptic.
        receipt: The whole.
        at_hand: Whether each call of a tool is made again, so that what it read is known.
    """
    said, who = row.result, f"skeptic {row.result.place}"
    talk = talk_of(row, receipt.run.nonce)
    yield from talk.odd
    looked, given = looked_by(row.turns), given_to(row, receipt)
    found = _finding(talk, receipt, looked, given)
    if found is None:
        yield from _fault_faults(row, receipt, talk)
    elif (said.refuted, said.grounds, said.reason) != (found.refutes, found.counted, found.reason):
        yield f"The finding of {who} is not the one that its messages and its reading give."
    elif not at_hand and found != _finding(talk, receipt, by_its_calls(row.turns), given):
        yield f"The finding of {who} hangs on a file by another name than the one that it asked for."
    if said.read != read_rows(given, looked):
        yield f"What {who} read is not what its tools showed."
    cited = () if talk.verdict is None else talk.verdict.citations
    if [(one.path, one.line) for one in said.citations or ()] != [
        (clean_line(path), line) for path, line in cited
    ]:
        yield f"The citations of {who} are not those of its verdict."
    yield from _count_faults(row, talk, who)


def _finding(
    talk: Talk, receipt: RefuteReceipt, looked: Sequence[Looked], given: Sequence[str]
) -> Finding | None:
    if talk.verdict is None:
        return None
    return after_reading(talk.verdict.finding, receipt.claim.statement, looked, given)


def _fault_faults(row: SkepticRow, receipt: RefuteReceipt, talk: Talk) -> Iterator[str]:
    """Say what is wrong with a skeptic whose messages hold no verdict: it broke down, which counts as refuting."""
    said, who = row.result, f"skeptic {row.result.place}"
    if said.grounds != "fault":
        yield f"The messages of {who} hold no verdict, and the result has one."
    elif not said.refuted:
        yield f"Skeptic {said.place} broke down, and does not count as refuting."
    elif said.reason != talk.fault if talk.fault else not _can_break_down(said.reason, receipt):
        yield f"Why {who} broke down does not follow from its messages."
    elif not row.openings and said.reason not in CUT_SHORT.values():
        yield f"Skeptic {said.place} was told nothing, and nothing cut it off."


def _can_break_down(reason: str, receipt: RefuteReceipt) -> bool:
    if reason == _NO_BUDGET:
        return receipt.rules.max_tokens is not None or receipt.rules.max_cost_usd is not None
    return reason == CUT_SHORT.get(receipt.run.status) or _SILENT.fullmatch(reason) is not None


def _count_faults(row: SkepticRow, talk: Talk, who: str) -> Iterator[str]:
    said, answers = row.result, [turn.answer for turn in row.turns]
    tools = [answer for turn in row.turns for answer in turn.answers]
    counts = {
        "usage": usage_of(answers),
        "failed_calls": sum(answer.failed for answer in tools),
        "served_model": answers[0].served_model if answers else None,
        "tools": row.openings[-1].tools if row.openings else True,
    }
    for name, value in counts.items():
        if getattr(said, name) != value:
            yield f"`{name}` of {who} does not follow from its messages."
    if said.rounds not in (talk.rounds, talk.rounds + talk.doubtful_round):
        yield f"`rounds` of {who} does not follow from its messages."
    if said.attempts < len(answers):
        yield f"`attempts` of {who} is less than its messages."
    if any(answer.host != said.host for answer in answers):
        yield f"A message of {who} came from another host than the one that was asked."
    if not _cost_follows(row):
        yield f"`cost_usd` of {who} is not what its messages report."


def _cost_follows(row: SkepticRow) -> bool:
    """Whether what hosts reported stands as it was reported; what runs on this machine is not billed."""
    said = row.result
    costs = [turn.reply.cost_usd for turn in row.turns]
    known = [cost for cost in costs if cost is not None]
    whole = bool(known) and len(known) == len(costs)
    if said.cost_source == "reported":
        return whole and said.cost_usd == sum(known)
    return not whole or said.provider == DAEMON
