"""The panel: all seats asked at the same time, none waiting for another, none taking another down."""

from __future__ import annotations

import math
from collections.abc import Sequence

import anyio

from claimjury.jury.result import RunStatus, SeatResult
from claimjury.jury.seat import SeatRun

__all__ = ["run_panel"]


async def run_panel(
    seats: Sequence[SeatRun], *, deadline: float = math.inf, stop: anyio.Event | None = None
) -> tuple[RunStatus, tuple[SeatResult, ...]]:
    """Run every seat to its end, the deadline (on anyio's clock) or the stop, whichever is first.

    A reply that has arrived is kept: only what is still outstanding is excluded as `deadline` or `cancelled`.
    """
    with anyio.CancelScope(deadline=deadline) as scope:
        async with anyio.create_task_group() as outer:
            if stop is not None:
                outer.start_soon(_cancel_on, stop, outer.cancel_scope)
            async with anyio.create_task_group() as group:
                for seat in seats:
                    group.start_soon(seat.run)
            outer.cancel_scope.cancel()
    if any(seat.result is None for seat in seats):
        status: RunStatus = "partial" if scope.cancelled_caught else "interrupted"
        reason = "deadline" if status == "partial" else "cancelled"
        return status, tuple(seat.settle(reason) for seat in seats)
    return "complete", tuple(seat.settle() for seat in seats)


async def _cancel_on(stop: anyio.Event, scope: anyio.CancelScope) -> None:
    await stop.wait()
    scope.cancel()
