"""Events: what a run says while it goes. Engines emit them to a `Recorder`; a ledger or a screen listens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypedDict

import anyio

from claimjury.jury.budget import Spent
from claimjury.jury.plan import Plan
from claimjury.jury.result import JurorParams, SeatResult, VerifyResult
from claimjury.jury.votes import Vote
from claimjury.models.answers import Answer

__all__ = [
    "Earlier",
    "EgressAnnounced",
    "Event",
    "Listeners",
    "Recorder",
    "ReplyArrived",
    "RunEnded",
    "RunPlanned",
    "RunStarted",
    "SeatAsked",
    "SeatEnded",
    "SeatQueued",
    "SeatReasked",
    "SeatRetried",
    "SeatTakenOver",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlanned:
    """All is decided and nothing was asked: what a ledger must have before the first paid answer."""

    run_id: str
    plan: Plan
    params: Mapping[str, JurorParams]
    resumed_from: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """The panel is about to be asked."""

    run_id: str
    panel: tuple[str, ...]
    claims: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressAnnounced:
    """The next request goes to this host for the first time; `line` says what leaves."""

    host: str
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAsked:
    """A seat's first request goes out."""

    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatQueued:
    """The seat waits for a free slot of the plan."""

    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRetried:
    """An attempt failed and another follows."""

    model: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReasked:
    """The reply lacked valid votes for these ids; they are asked for once more."""

    model: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyArrived:
    """The last byte of a reply was read; nothing was made of it yet. `turn` is 0, or 1 for the re-ask."""

    model: str
    turn: int
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatEnded:
    """The seat is settled, included or not. `votes` are what it cast; they count only where it is included."""

    seat: SeatResult
    votes: tuple[Vote, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTakenOver:
    """A seat fell out, and an alternate is asked in its place."""

    model: str
    stands_in_for: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded:
    """The verdicts are in. `spent` counts what no host has reported as its worst case."""

    result: VerifyResult
    spent: Spent


Event = (
    RunPlanned
    | ReplyArrived
    | RunEnded
    | RunStarted
    | EgressAnnounced
    | SeatAsked
    | SeatQueued
    | SeatRetried
    | SeatReasked
    | SeatTakenOver
    | SeatEnded
)


class Recorder(Protocol):
    """Whoever listens to a run. It must not block; what it raises is logged and costs no vote."""

    def record(self, event: Event, /) -> None:
        """Take one event."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What an earlier run of the same prompt had heard.

    Attributes:
        run_id: That run.
        replies: By model, in the order of their turns.
        finished: Models that will not be asked again: nothing of the run leaves for them.
        fallen: How the seats ended that a stand-in has; they stay fallen.
        stand_ins: Who has those seats, by the model that fell out.
    """

    run_id: str
    replies: Mapping[str, tuple[Answer, ...]]
    finished: frozenset[str] = frozenset()
    fallen: Mapping[str, SeatResult] = field(default_factory=dict)
    stand_ins: Mapping[str, str] = field(default_factory=dict)


class Listeners(TypedDict, total=False):
    """Who hears of a run while it goes, and who may end it.

    Attributes:
        on_seat: Called with each seat as it ends.
        recorder: Gets every event.
        stop: Set it to end the run: what has arrived is kept, the rest is excluded as `cancelled`.
        earlier: Replies of an earlier run of the same prompt, which are read and not asked for again.
        admit: Called once with what the run may take at most, before any evidence is sent; what it raises ends the run.
    """

    on_seat: Callable[[SeatResult], None] | None
    recorder: Recorder | None
    stop: anyio.Event | None
    earlier: Earlier | None
    admit: Callable[[Spent], None] | None
