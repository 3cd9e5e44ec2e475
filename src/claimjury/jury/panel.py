"""The panel: all seats asked at the same time, none waiting for another, none taking another down."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import anyio

from claimjury.jury.result import RunStatus, SeatResult
from claimjury.jury.seat import SeatRun

__all__ = ["cut_short", "run_panel"]


async def run_panel(
    seats: Sequence[SeatRun], *, deadline: float = math.inf, stop: anyio.Event | None = None
) -> tuple[RunStatus, tuple[SeatResult, ...]]:
    """Run every seat to its end, the deadline (on anyio's clock) or the stop, whichever is first.

    A reply that has arrived is kept: only what is still outstanding is excluded as `deadline` or `cancelled`.
    """
    if stop is None or not stop.is_set():
        async with cut_short(deadline=deadline, stop=stop), anyio.create_task_group() as group:
            for seat in seats:
                group.start_soon(seat.run)
    if all(seat.result is not None for seat in seats):
        return "complete", tuple(seat.settle() for seat in seats)
    interrupted = stop is not None and stop.is_set()
    reason = "cancelled" if interrupted else "deadline"
    return "interrupted" if interrupted else "partial", tuple(seat.settle(reason) for seat in seats)


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
