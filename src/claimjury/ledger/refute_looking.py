"""What tools showed: held against the calls that asked for it, and with the repository at hand against what they show."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic import BaseModel

from claimjury.ledger.check_steps import Step, make_step
from claimjury.ledger.receipt_form import text_sha256
from claimjury.ledger.refute_receipt_form import CallRow, RefuteReceipt, ToolAnswer, TurnRow
from claimjury.ledger.refute_talk import talk_of
from claimjury.skeptics.limits import MAX_PARALLEL
from claimjury.skeptics.tools.arguments import (
    DiffArguments,
    GlobArguments,
    GrepArguments,
    LogArguments,
    ReadArguments,
)
from claimjury.skeptics.tools.limits import MAX_REPLY_BYTES
from claimjury.skeptics.tools.replies import Looked
from claimjury.skeptics.tools.toolbox import Toolbox
from claimjury.text import clean_line

__all__ = ["NAME", "by_its_calls", "looked_by", "looking_step", "shown_again"]

NAME: Final = "what tools showed"
_ARGUMENTS: Final[Mapping[str, type[BaseModel]]] = {
    "read": ReadArguments,
    "grep": GrepArguments,
    "glob": GlobArguments,
    "git_diff": DiffArguments,
    "git_log": LogArguments,
}
_BY_HASH: Final = "Without the repository it is known by its hashes alone."
_NOT_LOOKED_UP: Final = "Without the repository the places that are cited are not looked up."
_REFUSAL: Final = 2_000
"""Bytes of what a refused call is told, beside what it quotes of the call."""
_ESCAPE: Final = 6
"""Bytes of a character of the call in what it is told."""


def looked_by(turns: Iterable[TurnRow]) -> list[Looked]:
    """Give what was read, in its order. A call that failed read nothing."""
    return [row for turn in turns for said in turn.answers if not said.failed for row in said.reads]


def by_its_calls(turns: Iterable[TurnRow]) -> list[Looked]:
    """Give the same by the names that were asked for: where a link led is known to the repository alone."""
    return [
        replace(row, path=_asked_path(turn.calls[said.position]) if row.path is not None else None)
        for turn in turns
        for said in turn.answers
        if not said.failed
        for row in said.reads
    ]


def _asked_path(call: CallRow) -> str | None:
    path = _arguments(call).get("path")
    return posixpath.normpath(path) if isinstance(path, str) else None


def _arguments(call: CallRow) -> dict[str, Any]:
    """Give the arguments of a call with what it leaves out.

    Raises:
        ValueError: No tool takes them.
        RecursionError: They are nested too deeply.
        LookupError: There is no such tool.
    """
    return _ARGUMENTS[call.name].model_validate(json.loads(call.arguments)).model_dump()


def looking_step(receipt: RefuteReceipt, toolbox: Toolbox | None) -> Step:
    """Give whether what was shown is what the calls give, as far as that can be told."""
    turns = [turn for row in receipt.skeptics for turn in row.turns]
    called = (fault for turn in turns for fault in _turn_faults(turn))
    if toolbox is not None:
        shown = (fault for turn in turns for fault in _shown_faults(toolbox, turn))
        return make_step(NAME, _chained(called, shown, _cited_faults(toolbox, receipt)))
    cited = any(row.result.citations for row in receipt.skeptics)
    unchecked = _BY_HASH if any(turn.answers for turn in turns) else _NOT_LOOKED_UP if cited else ""
    return make_step(NAME, called, unchecked=unchecked)


def _chained(*parts: Iterable[str]) -> Iterator[str]:
    for part in parts:
        yield from part


def _turn_faults(turn: TurnRow) -> Iterator[str]:
    """Say which answers no call can have got."""
    for said in turn.answers:
        if not 0 <= said.position < len(turn.calls):
            yield f"An answer of a tool is to call {said.position}, and there is none."
            return
        call = turn.calls[said.position]
        shown = f"{clean_line(call.name)}({clean_line(call.arguments)})"
        if said.failed:
            if said.looked:
                yield f"{shown} failed, and has read something."
            if said.bytes > _REFUSAL + _ESCAPE * len(call.name + call.arguments):
                yield f"{shown} failed, and was told more than a refusal has."
        elif said.position >= MAX_PARALLEL or said.bytes > 2 * MAX_REPLY_BYTES:
            yield f"{shown} gave more than a tool gives."
        elif not _can_give(call, said.reads):
            yield f"{shown} cannot have read what it has on record."


def _can_give(call: CallRow, looked: Sequence[Looked]) -> bool:
    """Whether a call can have read this, by its name and arguments."""
    try:
        asked = _arguments(call)
    except (LookupError, RecursionError, ValueError):
        return False
    if len(looked) != 1 or looked[0].tool != call.name:
        return False
    row = looked[0]
    if (row.path is None) != (not asked.get("path")):
        return False
    return _FITS[call.name](row, asked)


def _read_fits(row: Looked, asked: dict[str, Any]) -> bool:
    if row.detail is not None or row.files:
        return False
    if row.start is None or row.end is None:
        return _no_lines(row)
    return row.start == asked["start"] and row.start <= row.end <= (asked["end"] or row.end)


def _grep_fits(row: Looked, asked: dict[str, Any]) -> bool:
    detail = f"{asked['pattern']} in {asked['glob']}" if asked["glob"] else asked["pattern"]
    # The files of a search lie where it searched.
    below = row.path in (None, ".") or all(
        name == row.path or name.startswith(f"{row.path}/") for name in row.files
    )
    return _no_lines(row) and row.detail == detail and below


def _glob_fits(row: Looked, asked: dict[str, Any]) -> bool:
    return _no_lines(row) and row.detail == asked["pattern"] and not row.files


def _diff_fits(row: Looked, asked: dict[str, Any]) -> bool:
    return _no_lines(row) and (row.path is None or row.path == posixpath.normpath(asked["path"]))


def _log_fits(row: Looked, asked: dict[str, Any]) -> bool:
    return _diff_fits(row, asked) and not row.files


_FITS: Final[Mapping[str, Callable[[Looked, dict[str, Any]], bool]]] = {
    "read": _read_fits,
    "grep": _grep_fits,
    "glob": _glob_fits,
    "git_diff": _diff_fits,
    "git_log": _log_fits,
}


def _no_lines(row: Looked) -> bool:
    return row.start is None and row.end is None


def shown_again(toolbox: Toolbox, turn: TurnRow) -> Iterator[tuple[ToolAnswer, CallRow, Any]]:
    """Make the calls of a message again that were run; give each with its answer then and now."""
    for said in turn.answers:
        call = turn.calls[said.position]
        try:
            arguments = json.loads(call.arguments)
        except (RecursionError, ValueError):
            # It was refused, and would be again.
            continue
        yield said, call, toolbox.call(call.name, arguments)


def _shown_faults(toolbox: Toolbox, turn: TurnRow) -> Iterator[str]:
    for said, call, now in shown_again(toolbox, turn):
        same = text_sha256(now.text) == said.text_sha256
        # What a call was refused for (the window, the time) was known to that run alone.
        if said.failed and (not same or now.failed):
            continue
        then = (said.failed, said.reads, said.bytes)
        if not same or then != (now.failed, now.looked, len(now.text.encode("utf-8", "surrogatepass"))):
            yield f"{call.name}({call.arguments}) shows something else in the folder now."


def _cited_faults(toolbox: Toolbox, receipt: RefuteReceipt) -> Iterator[str]:
    for row in receipt.skeptics:
        verdict = talk_of(row, receipt.run.nonce).verdict
        cited = () if verdict is None else verdict.citations
        # Looked up is the name as it was cited, which the result shows cleaned.
        for said, (path, line) in zip(row.result.citations or (), cited, strict=False):
            if said.exists != (1 <= line <= toolbox.lines_of(path)):
                word = "a line" if said.exists else "no line"
                yield f"{said.path}:{said.line} was {word} then, and is not so in the folder now."
