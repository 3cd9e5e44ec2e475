"""Jobs: runs that go on beside the calls that ask for them, of juries and of skeptics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

import anyio
import anyio.abc

from claimjury.jury.verify import VerifyOptions
from claimjury.settings.load import Loaded
from claimjury.surfaces.mcp.checking import RunningChecks
from claimjury.surfaces.mcp.job import Job
from claimjury.surfaces.mcp.jury_job import JuryJob

if TYPE_CHECKING:
    from claimjury.skeptics.plan import RefuteOptions

__all__ = ["SAVE_S", "Jobs"]

SAVE_S: Final = 5.0
"""Seconds for runs to save what has arrived once the server ends."""
_KEPT: Final = 50
"""Finished jobs that are remembered; older runs of juries are in the ledger."""


class Jobs:
    """All jobs of a server. Leave it, and running ones save what has arrived, within 5 seconds."""

    def __init__(self, settings: Loaded) -> None:
        """Begin with none."""
        self._settings = settings
        self._group: anyio.abc.TaskGroup | None = None
        self._jobs: list[Job] = []
        self.checks = RunningChecks()

    async def __aenter__(self) -> Self:
        self._group = anyio.create_task_group()
        await self._group.__aenter__()
        return self

    async def __aexit__(self, *trouble: object) -> None:
        if self._group is None:
            return
        with anyio.CancelScope(shield=True):
            await self.save()
        self._group.cancel_scope.cancel()
        await self._group.__aexit__(None, None, None)

    async def save(self) -> None:
        """Stop every job, and wait up to 5 seconds for what has arrived to be kept."""
        running = [job for job in self._jobs if not job.done]
        for job in running:
            job.stop.set()
        await self.checks.stop(SAVE_S)
        with anyio.move_on_after(SAVE_S):
            for job in running:
                while not job.done:
                    await job.wait(SAVE_S, seen=job.changes)

    def start(self, claims: Sequence[Mapping[str, Any]], options: VerifyOptions) -> Job:
        """Start a run of a jury."""
        return self._started(JuryJob(settings=self._settings, claims=claims, options=options))

    def attack(self, claim: str, options: RefuteOptions) -> Job:
        """Start a run of skeptics."""
        from claimjury.surfaces.mcp.skeptic_job import SkepticJob

        return self._started(SkepticJob(settings=self._settings, claim=claim, options=options))

    def _started(self, job: Job) -> Job:
        if self._group is None:
            raise RuntimeError("jobs are started inside `async with Jobs(...)`")
        finished = [other for other in self._jobs if other.done]
        for old in finished[: max(0, len(finished) - _KEPT)]:
            self._jobs.remove(old)
        self._jobs.append(job)
        self._group.start_soon(job.run)
        return job

    def find(self, run_id: str) -> Job | None:
        """Give the job of a run of this server, by its whole id, or None."""
        return next((job for job in self._jobs if job.run_id and job.run_id == run_id), None)
