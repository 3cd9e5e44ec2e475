"""Events: what a run says while it goes. Engines emit them to a `Recorder`; a ledger or a screen listens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypedDict

import anyio

from claimjury.jury.result import SeatResult

__all__ = [
    "EgressAnnounced",
    "Event",
    "Listeners",
    "Recorder",
    "RunStarted",
    "SeatAsked",
    "SeatEnded",
    "SeatQueued",
    "SeatReasked",
    "SeatRetried",
]


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
class SeatEnded:
    """The seat is settled, included or not."""

    seat: SeatResult


Event = RunStarted | EgressAnnounced | SeatAsked | SeatQueued | SeatRetried | SeatReasked | SeatEnded


class Recorder(Protocol):
    """Whoever listens to a run. It must not block; what it raises is logged and costs no vote."""

    def record(self, event: Event, /) -> None:
        """Take one event."""
        ...


class Listeners(TypedDict, total=False):
    """Who hears of a run while it goes, and who may end it.

    Attributes:
        on_seat: Called with each seat as it ends.
        recorder: Gets every event.
        stop: Set it to end the run: what has arrived is kept, the rest is excluded as `cancelled`.
    """

    on_seat: Callable[[SeatResult], None] | None
    recorder: Recorder | None
    stop: anyio.Event | None
