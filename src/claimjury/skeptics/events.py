"""Events: what a run of skeptics says while it goes, for a ledger or a screen that listens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from claimjury.jury.budget import Spent
from claimjury.jury.prompt import Prompt
from claimjury.models.answers import Answer, ToolCall
from claimjury.skeptics.plan import RefutePlan
from claimjury.skeptics.result import RefuteResult, SkepticResult
from claimjury.skeptics.tools.replies import ToolReply

__all__ = [
    "RefuteEnded",
    "RefuteEvent",
    "RefutePlanned",
    "RefuteRecorder",
    "SkepticEnded",
    "SkepticOpened",
    "SkepticReplied",
    "ToolReturned",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefutePlanned:
    """All is decided and nothing was asked: what a ledger must have before the first paid answer."""

    run_id: str
    plan: RefutePlan


@dataclass(frozen=True, slots=True, kw_only=True)
class SkepticOpened:
    """A skeptic is about to be told this; a second time where its model takes no tools.

    Attributes:
        given: Files that are in the prompt.
    """

    place: int
    prompt: Prompt
    given: tuple[str, ...]
    tools: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SkepticReplied:
    """The last byte of a message was read; nothing was made of it yet.

    Attributes:
        turn: Counted from 0, over both openings.
        sent_bytes: Size of what it was told so far, as claimjury counts it; what it thought is left out.
    """

    place: int
    turn: int
    sent_bytes: int
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReturned:
    """A tool has answered, and its answer is about to leave.

    Attributes:
        turn: Of the message that asked.
        position: Among the calls of that message, counted from 0.
    """

    place: int
    turn: int
    position: int
    call: ToolCall
    reply: ToolReply


@dataclass(frozen=True, slots=True, kw_only=True)
class SkepticEnded:
    """The skeptic is settled."""

    skeptic: SkepticResult


@dataclass(frozen=True, slots=True, kw_only=True)
class RefuteEnded:
    """The verdict is in. `spent` counts what no host has reported as its worst case."""

    result: RefuteResult
    spent: Spent


RefuteEvent = RefutePlanned | SkepticOpened | SkepticReplied | ToolReturned | SkepticEnded | RefuteEnded


class RefuteRecorder(Protocol):
    """Whoever listens to a run. It must not block; what it raises is logged and costs no verdict."""

    def record(self, event: RefuteEvent, /) -> None:
        """Take one event."""
        ...
