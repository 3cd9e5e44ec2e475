"""The panel: all seats asked at the same time, none waiting for another, none taking another down."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import anyio

from claimjury.jury.result import RunStatus
from claimjury.jury.seat import SeatRun
from claimjury.jury.seating import takes_stand_in

__all__ = ["StandIn", "cut_short", "run_panel"]

StandIn = Callable[[str], Awaitable[SeatRun | None]]
"""Gives who takes the seat of a model over, or None."""


async def _nobody(_model: str) -> SeatRun | None:
    return None


async def run_panel(
    seats: Sequence[SeatRun],
    *,
    vacant: Sequence[str] = (),
    stand_in: StandIn = _nobody,
    deadline: float = math.inf,
    stop: anyio.Event | None = None,
) -> tuple[RunStatus, tuple[SeatRun, ...]]:
    """Run every seat to its end, the deadline (on anyio's clock) or the stop, whichever is first.

    A reply that has arrived is kept: only what is still outstanding is excluded as `deadline` or `cancelled`.
    `vacant` are models that must not sit; `stand_in` says who takes a vacated seat over, each once.

    Returns:
        How it ended, and the seats, those of stand-ins last.
    """
    taken: list[SeatRun] = []

    async def fill(model: str) -> None:
        seat = await stand_in(model)
        if seat is not None:
            taken.append(seat)
            await seat.run()

    async def sit(seat: SeatRun) -> None:
        await seat.run()
        if takes_stand_in(seat.settle().exclude_reason):
            await fill(seat.model)

    if stop is None or not stop.is_set():
        async with cut_short(deadline=deadline, stop=stop), anyio.create_task_group() as group:
            for seat in seats:
                group.start_soon(sit, seat)
            for model in vacant:
                group.start_soon(fill, model)
    asked = (*seats, *taken)
    return _settled(asked, interrupted=stop is not None and stop.is_set()), asked


def _settled(seats: Sequence[SeatRun], *, interrupted: bool) -> RunStatus:
    """Settle what is still outstanding, and say how the run ended."""
    if all(seat.result is not None for seat in seats):
        return "complete"
    for seat in seats:
        seat.settle("cancelled" if interrupted else "deadline")
    return "interrupted" if interrupted else "partial"


@asynccontextmanager
async def cut_short(*, deadline: float, stop: anyio.Event | None) -> AsyncIterator[None]:
    """End what is inside at the deadline (on anyio's clock) or at the stop; it must not raise."""
    with anyio.CancelScope(deadline=deadline) as scope:
        async with anyio.create_task_group() as group:
            if stop is not None:
                group.start_soon(_cancel_on, stop, scope)
            yield
            group.cancel_scope.cancel()


async def _cancel_on(stop: anyio.Event, scope: anyio.CancelScope) -> None:
    await stop.wait()
    scope.cancel()
