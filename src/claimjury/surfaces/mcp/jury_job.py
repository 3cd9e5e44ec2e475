"""A run of a jury as a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
from claimjury.report.wording import explain_exclusion
from claimjury.surfaces.keeping import keeping
from claimjury.surfaces.mcp.forms import EgressNotice, RunningClaim, RunningRun
from claimjury.surfaces.mcp.job import Job

__all__ = ["JuryJob"]


@dataclass(slots=True, kw_only=True)
class JuryJob(Job):
    """A run of a jury."""

    claims: Sequence[Mapping[str, Any]]
    options: VerifyOptions
    plan: Plan | None = None
    result: VerifyResult | None = None
    seats: list[SeatResult] = field(default_factory=list)
    votes: dict[str, list[Vote]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    egress: list[EgressNotice] = field(default_factory=list)

    @property
    def done(self) -> bool:
        """Whether it has ended, one way or the other."""
        return self.result is not None or self.error is not None

    @property
    def total(self) -> int:
        """How many models are asked."""
        return len(self.asked)

    @property
    def told(self) -> Sequence[str]:
        """What to say of each seat that has ended."""
        return [f"{seat.model}: {_came(seat)}" for seat in self.seats]

    async def work(self) -> None:
        """Do the run, and keep it."""
        with keeping(self.settings.settings) as keeper:
            listeners = Listeners(recorder=keeper.listen(self), stop=self.stop, admit=keeper.admit)
            result = await run_plan(self._make, listeners)
            self.result = result if self.plan is None else keeper.finish(self.plan, result)

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
        self.tell()

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
            elapsed_ms=self.elapsed_ms,
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


def _came(seat: SeatResult) -> str:
    return (
        f"{seat.verdicts_returned} vote(s)" if seat.included else explain_exclusion(seat.exclude_reason or "")
    )
