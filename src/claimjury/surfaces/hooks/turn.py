"""The end of a turn, judged: are the citations of the last message sound? Pure but for the files that it looks at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from claimjury.evidence.citing.checking import Checked

__all__ = ["OFF_SWITCH", "TurnEnd", "TurnReply", "judge_turn"]

OFF_SWITCH: Final = "CLAIMJURY_HOOK=off turns this off."
_MAX_NAMED: Final = 5
Check = Callable[[str, Path], "Sequence[Checked]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """What a host says at the end of a turn.

    Attributes:
        host: `claude-code`, `codex` or `cursor`.
        message: The last message of the agent; empty where the host gave none.
        folder: Where the agent works.
        again: The turn goes on because a hook had said something: nothing is said twice.
    """

    host: str
    message: str
    folder: str
    again: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReply:
    """What is said; empty where there is nothing to say."""

    note: str = ""


def judge_turn(end: TurnEnd, root: Path, check: Check) -> TurnReply:
    """Give what to say of a turn: which citations of its message are broken, and where what they name is."""
    from claimjury.report.citations import what_is_wrong
    from claimjury.text import clean_line, clip

    if end.again or not end.message.strip():
        return TurnReply()
    broken = [one for one in check(end.message, root) if one.broken]
    if not broken:
        return TurnReply()
    named = [
        f"{clip(clean_line(one.citation.text), 120)}: {clip(what_is_wrong(one), 240)}"
        for one in broken[:_MAX_NAMED]
    ]
    more = [f"and {len(broken) - _MAX_NAMED} more"] if len(broken) > _MAX_NAMED else []
    head = (
        "1 citation of the last message is broken"
        if len(broken) == 1
        else f"{len(broken)} citations of the last message are broken"
    )
    return TurnReply(
        note="\n".join([f"claimjury: {head}.", *(f"- {line}" for line in [*named, *more]), OFF_SWITCH])
    )
