"""Checks that a caller asked for, run in threads, and ended where the call or the server ends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread

__all__ = ["Progress", "RunningChecks"]

Progress = Callable[[int, int, str], Awaitable[None]]
"""Told how many have ended, of how many, and what just happened."""


class RunningChecks:
    """The runs of checks of a server: each has an event that stops it, and one that says that nothing of it is left."""

    def __init__(self) -> None:
        """Begin with none."""
        self._runs: dict[Event, Event] = {}

    async def run(
        self,
        directory: Path,
        *,
        paths: Sequence[Path],
        only: Sequence[str],
        roots: Sequence[Path],
        caps: Sequence[Path],
        total_s: float,
        progress: Progress,
    ) -> dict[str, Any]:
        """Run checks and give the answer.

        Raises:
            ClaimjuryError: A check is unknown, or a path lies outside of the roots.
        """
        from claimjury.settlers.checks.run import run_checks

        stop, ended = Event(), Event()
        work = partial(
            run_checks,
            directory,
            paths=paths,
            only=only,
            allow_roots=roots,
            caps=caps,
            timeout_s=total_s,
            total_s=total_s,
            stop=stop,
            told=partial(_tell, progress),
        )
        self._runs[stop] = ended
        return await self._followed(work, stop, ended)

    async def _followed(self, work: Callable[[], Any], stop: Event, ended: Event) -> dict[str, Any]:
        from claimjury.report.checks import in_brief

        def worked() -> Any:
            try:
                return work()
            finally:
                ended.set()
                self._runs.pop(stop, None)

        try:
            return in_brief(await anyio.to_thread.run_sync(worked, abandon_on_cancel=True))
        finally:
            # After the end it stops nothing; before it, the thread kills what it started.
            stop.set()

    async def stop(self, seconds: float) -> None:
        """Stop every run, and wait until nothing of them is left, up to so many seconds."""
        runs = dict(self._runs)
        for one in runs:
            one.set()
        with anyio.move_on_after(seconds):
            for ended in runs.values():
                await anyio.to_thread.run_sync(partial(ended.wait, seconds), abandon_on_cancel=True)


def _tell(progress: Progress, ended: int, of: int, name: str, project: str) -> None:
    async def tell() -> None:
        await progress(ended, of, f"{name} in {project}")

    anyio.from_thread.run(tell)
