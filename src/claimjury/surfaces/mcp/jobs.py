"""Jobs: runs that go on beside the calls that ask for them, each with what is known of it so far."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

import anyio
import anyio.abc

from claimjury.errors import ClaimjuryError, InternalError
from claimjury.jury.early import decided_early
from claimjury.jury.events import (
    EgressAnnounced,
    Event,
    Listeners,
    RunPlanned,
    SeatEnded,
    SeatTakenOver,
)
from claimjury.jury.plan import Plan
from claimjury.jury.result import SeatResult, VerifyResult
from claimjury.jury.verify import VerifyOptions, plan_verify, run_plan
from claimjury.jury.votes import Vote
from claimjury.report.envelope import envelope
from claimjury.settings.load import Loaded
from claimjury.surfaces.keeping import keeping
from claimjury.surfaces.mcp.forms import EgressNotice, RunningClaim, RunningRun

__all__ = ["SAVE_S", "Job", "Jobs"]

SAVE_S: Final = 5.0
"""Seconds for runs to save what has arrived once the server ends."""
_KEPT: Final = 50
"""Finished jobs that are remembered; older runs are in the ledger."""


@dataclass(slots=True)
class Job:
    """One run: what it has said so far, and its end."""

    settings: Loaded
    claims: Sequence[Mapping[str, Any]]
    options: VerifyOptions
    stop: anyio.Event = field(default_factory=anyio.Event)
    run_id: str = ""
    plan: Plan | None = None
    result: VerifyResult | None = None
    error: ClaimjuryError | None = None
    seats: list[SeatResult] = field(default_factory=list)
    votes: dict[str, list[Vote]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    egress: list[EgressNotice] = field(default_factory=list)
    changes: int = 0
    _began: float = field(default_factory=time.monotonic)
    _changed: anyio.Event = field(default_factory=anyio.Event)

    @property
    def done(self) -> bool:
        """Whether it has ended, one way or the other."""
        return self.result is not None or self.error is not None

    async def run(self) -> None:
        """Run to the end. Whatever goes wrong becomes `error`."""
        try:
            with keeping(self.settings.settings) as keeper:
                listeners = Listeners(recorder=keeper.listen(self), stop=self.stop, admit=keeper.admit)
                result = await run_plan(self._make, listeners)
                self.result = result if self.plan is None else keeper.finish(self.plan, result)
        except ClaimjuryError as error:
            self.error = error
        except Exception as error:  # noqa: BLE001 - the edge of a job: a fault of ours must not end the server.
            self.error = InternalError(
                f"A fault of claimjury itself: {type(error).__name__}.", hint="Please report it."
            )
        finally:
            self._tell()

    def _make(self) -> Plan:
        self.plan = plan_verify(self.claims, **self.options)
        return self.plan

    def record(self, event: Event, /) -> None:
        """Take one event of the run."""
        match event:
            case RunPlanned():
                self.run_id = event.run_id
                self.asked = [route.model for route in event.plan.sitting]
            case EgressAnnounced():
                self.egress.append(EgressNotice(host=event.host, line=event.line))
            case SeatTakenOver():
                self.asked.append(event.model)
            case SeatEnded():
                self.seats.append(event.seat)
                self.votes[event.seat.model] = list(event.votes) if event.seat.included else []
            case _:
                return
        self._tell()

    def _tell(self) -> None:
        self.changes += 1
        self._changed.set()
        self._changed = anyio.Event()

    async def wait(self, seconds: float, *, seen: int) -> bool:
        """Wait until something is new since `seen` changes, or for so many seconds; say whether it is."""
        with anyio.move_on_after(seconds):
            while self.changes == seen and not self.done:
                await self._changed.wait()
        return self.changes != seen

    def answer(self) -> dict[str, Any]:
        """Give the envelope of a run that ended, or what is known of one that goes on.

        Raises:
            ClaimjuryError: It ended in an error.
        """
        if self.error is not None:
            raise self.error
        return self._so_far().to_json() if self.result is None else envelope(self.result)

    def _so_far(self) -> RunningRun:
        ended = {seat.model for seat in self.seats}
        outstanding = tuple(model for model in self.asked if model not in ended)
        return RunningRun(
            run_id=self.run_id,
            status="running",
            claims=tuple(self._claim(ident, text, len(outstanding)) for ident, text in self._statements()),
            seats=tuple(self.seats),
            outstanding=outstanding,
            egress=tuple(self.egress),
            warnings=self.plan.warnings if self.plan else (),
            elapsed_ms=round((time.monotonic() - self._began) * 1000),
            next=f'Call get_run with run_id "{self.run_id}". No verdict is final before its status is not running.',
        )

    def _statements(self) -> list[tuple[str, str]]:
        claims = self.plan.request.claims if self.plan else ()
        return [(claim.id, claim.statement) for claim in claims]

    def _claim(self, ident: str, statement: str, outstanding: int) -> RunningClaim:
        words = [vote.verdict for votes in self.votes.values() for vote in votes if vote.id == ident]
        confirm, refute = words.count("CONFIRMED"), words.count("REFUTED")
        verdict = self._decided(confirm, refute, outstanding)
        return RunningClaim(
            id=ident,
            statement=statement,
            confirm_votes=confirm,
            refute_votes=refute,
            uncertain_votes=words.count("UNCERTAIN"),
            decided_early=True if verdict else None,
            verdict=verdict,
        )

    def _decided(self, confirm: int, refute: int, outstanding: int) -> Any:
        """Give the verdict that nothing can change: not the seats that are out, nor any alternate."""
        request = self.plan.request if self.plan else None
        # A family that shares a vote can take back what it has cast.
        if request is None or request.allow_same_family:
            return None
        stand_ins = [model for model in request.alternates if model not in self.asked]
        return decided_early(confirm, refute, outstanding + len(stand_ins), request.min_refute_votes)


class Jobs:
    """All jobs of a server. Leave it, and running ones save what has arrived, within 5 seconds."""

    def __init__(self, settings: Loaded) -> None:
        """Begin with none."""
        self._settings = settings
        self._group: anyio.abc.TaskGroup | None = None
        self._jobs: list[Job] = []

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
        with anyio.move_on_after(SAVE_S):
            for job in running:
                while not job.done:
                    await job.wait(SAVE_S, seen=job.changes)

    def start(self, claims: Sequence[Mapping[str, Any]], options: VerifyOptions) -> Job:
        """Start a run."""
        if self._group is None:
            raise RuntimeError("jobs are started inside `async with Jobs(...)`")
        job = Job(settings=self._settings, claims=claims, options=options)
        finished = [other for other in self._jobs if other.done]
        for old in finished[: max(0, len(finished) - _KEPT)]:
            self._jobs.remove(old)
        self._jobs.append(job)
        self._group.start_soon(job.run)
        return job

    def find(self, run_id: str) -> Job | None:
        """Give the job of a run of this server, by its whole id, or None."""
        return next((job for job in self._jobs if job.run_id and job.run_id == run_id), None)
