"""The part of a run that talks to the network: catalogue, seats, result. Imported only when a run begins."""

from __future__ import annotations

import logging
import math
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

import anyio
import anyio.to_thread

from claimjury.jury.aimed import aimed_at_jurors
from claimjury.jury.budget import Purse, call_worst, refuse_over_budget, run_worst
from claimjury.jury.connections import Connections
from claimjury.jury.events import (
    EgressAnnounced,
    Event,
    Listeners,
    RunEnded,
    RunPlanned,
    RunStarted,
    SeatEnded,
    SeatTakenOver,
)
from claimjury.jury.lookup import Facts, advice, look_up, refuse_stubs
from claimjury.jury.panel import cut_short, run_panel
from claimjury.jury.plan import Plan, refuse_overflow, seat_params
from claimjury.jury.quoting import QuoteCheck, quotable
from claimjury.jury.request import SEAT_TIMEOUT_S
from claimjury.jury.result import InjectionRow, JurorParams, RunStatus, SeatResult, VerifyResult
from claimjury.jury.seat import SeatRun
from claimjury.jury.seating import Bar, Bench
from claimjury.jury.telemetry import Telemetry
from claimjury.jury.verdicts import Heard, Outcome, conclude
from claimjury.models.routes import Route
from claimjury.models.traits import Traits
from claimjury.tasks import work_beside

__all__ = ["hold"]

_EGRESS: Final = logging.getLogger("claimjury.egress")
_LOG: Final = logging.getLogger("claimjury")


@dataclass(slots=True)
class _Audience:
    """Tells the listeners, and never lets one of them cost a vote."""

    listeners: Listeners
    telemetry: Telemetry = field(default_factory=Telemetry)
    warnings: list[str] = field(default_factory=list)

    def emit(self, event: Event) -> None:
        # The recorder is told first, and each by itself: one that fails costs neither a vote nor what another keeps.
        recorder, on_seat = self.listeners.get("recorder"), self.listeners.get("on_seat")
        if recorder is not None:
            self._tell(recorder.record, event)
        if isinstance(event, SeatEnded) and on_seat is not None:
            self._tell(on_seat, event.seat)
        self._tell(self.telemetry.record, event)

    def _tell(self, listener: Callable[[Any], None], news: Any) -> None:
        try:
            listener(news)
        except Exception:  # noqa: BLE001 - a listener is the caller's code, whatever it raises.
            self.warnings = ["listener_failed"]
            _LOG.exception("A listener failed on %s; the run goes on.", type(news).__name__)


async def hold(plan: Plan, listeners: Listeners, *, began: float) -> VerifyResult:
    """Ask the panel and conclude.

    Raises:
        EvidenceTooLarge: A window that only the catalogue knows is too small; no evidence was sent.
        BudgetExceeded: The worst case is over a limit; no evidence was sent.
        ConfigInvalid: A variable of the environment names a proxy or certificates that cannot be used.
    """
    async with Connections() as connections:
        session = _Session(plan, listeners, began, connections)
        try:
            # The jurors think for seconds; the evidence is looked through meanwhile.
            outcome = await work_beside(session.ask, session.look_through, wait=True)
            result = conclude(plan, replace(outcome, aimed=session.aimed))
            session.audience.emit(RunEnded(result=result, spent=session.purse.spent))
        finally:
            session.audience.telemetry.close()
    return result


class _Session:
    """One run while it talks to the network."""

    def __init__(self, plan: Plan, listeners: Listeners, began: float, connections: Connections) -> None:
        self.audience = _Audience(listeners)
        self.purse = Purse(plan.request.max_tokens, plan.request.max_cost_usd)
        self._plan = plan
        self._connections = connections
        self._run_id = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
        self._began = began
        self._deadline = anyio.current_time() + (plan.request.deadline_s or math.inf) - self._elapsed_s
        self._stop = listeners.get("stop")
        self._admit = listeners.get("admit")
        self._earlier = listeners.get("earlier")
        self._announced: set[str] = set()
        self.aimed: list[InjectionRow] = []
        self._facts = Facts()
        self._params: dict[str, JurorParams] = {}
        self._quotes = QuoteCheck(
            book=quotable(plan.sources, plan.request.reference),
            statements={claim.id: claim.statement for claim in plan.request.claims},
            required=plan.request.require_quotes,
        )
        alternates = [plan.routes[model] for model in plan.request.alternates]
        self._bench = Bench(
            alternates,
            plan.sitting,
            author=frozenset(plan.request.author),
            stand_ins=self._earlier.stand_ins if self._earlier else None,
        )

    async def look_through(self) -> None:
        """Look for what of the evidence is aimed at the jurors."""
        self.aimed = await anyio.to_thread.run_sync(aimed_at_jurors, self._plan)

    @property
    def _elapsed_s(self) -> float:
        return time.monotonic() - self._began

    async def ask(self) -> Outcome:
        """Look the models up, say what leaves, ask every seat, and give what came of it."""
        plan, emit = self._plan, self.audience.emit
        if not self._stopped:
            self._announce([route.model for route in plan.sitting])
        await self._look_up()
        self._admit_worst()
        emit(RunPlanned(run_id=self._run_id, plan=plan, params=self._params, resumed_from=self._resumed_from))
        emit(RunStarted(run_id=self._run_id, panel=plan.request.panel, claims=len(plan.request.claims)))
        seats = [await self._seat(route) for route in plan.sitting]
        vacant = {model: _vacant(plan.routes[model], bar) for model, bar in plan.barred.items()}
        for seat in vacant.values():
            emit(SeatEnded(seat=seat))
        status, runs = await run_panel(
            seats, vacant=list(vacant), stand_in=self._stand_in, deadline=self._deadline, stop=self._stop
        )
        said = await advice(self._connections, plan, [run.settle() for run in runs], self._facts)
        return self._outcome(status, runs, vacant, said)

    def _admit_worst(self) -> None:
        """Refuse a run that may take more than it is allowed to, by its own limits or those of whoever listens."""
        worst = run_worst(self._plan, self._params)
        refuse_over_budget(self._plan, worst)
        if self._admit is not None:
            self._admit(worst)

    def _outcome(
        self,
        status: RunStatus,
        runs: Sequence[SeatRun],
        vacant: Mapping[str, SeatResult],
        said: Sequence[str],
    ) -> Outcome:
        heard = {run.model: Heard(seat=run.settle(), votes=run.votes) for run in runs}
        heard |= {model: Heard(seat=seat, votes={}) for model, seat in vacant.items()}
        panel = self._plan.request.panel
        stand_ins = [row for model, row in heard.items() if model not in panel]
        return Outcome(
            run_id=self._run_id,
            status=status,
            heard=[*(heard[model] for model in panel), *stand_ins],
            jurors={run.model: self._params[run.model] for run in runs},
            bytes_by_host=self._connections.meter.bytes_by_host,
            evidence_hosts=frozenset(self._connections.meter.evidence_hosts),
            scripted=any(run.scripted for run in runs),
            resumed_from=self._resumed_from,
            warnings=[*_warnings(self._facts.traits, runs), *said, *self.audience.warnings],
            elapsed_ms=round(self._elapsed_s * 1000),
        )

    @property
    def _stopped(self) -> bool:
        return self._stop is not None and self._stop.is_set()

    @property
    def _resumed_from(self) -> str | None:
        return None if self._earlier is None else self._earlier.run_id

    def _announce(self, models: Sequence[str]) -> None:
        """Say what leaves for each host before the first request there."""
        finished = self._earlier.finished if self._earlier else ()
        asked = [model for model in models if model not in finished]
        for row in self._plan.egress_lines(asked):
            _EGRESS.info(row.line)
            self.audience.emit(EgressAnnounced(host=row.host, line=row.line))

    async def _look_up(self) -> None:
        """Ask the catalogues; what they do not say in time is what the tables know."""
        plan = self._plan
        self._facts = Facts.known(plan)
        await self._connections.open(
            route for model, route in plan.routes.items() if model not in plan.barred
        )
        if not self._stopped:
            async with cut_short(deadline=self._deadline, stop=self._stop):
                await look_up(plan, self._connections, self._facts)
        refuse_stubs(plan, self._facts)
        refuse_overflow(plan, self._facts.traits)
        self._params = {
            model: seat_params(plan, plan.routes[model], traits)
            for model, traits in self._facts.traits.items()
            if model not in plan.barred
        }

    async def _stand_in(self, model: str) -> SeatRun | None:
        """Give the seat of the next alternate of an unused family, which takes a model's seat over."""
        route = self._bench.replace(model)
        if route is None:
            return None
        self.audience.emit(SeatTakenOver(model=route.model, stands_in_for=model))
        self._announce([route.model])
        return await self._seat(route, stands_in_for=model)

    async def _seat(self, route: Route, *, stands_in_for: str | None = None) -> SeatRun:
        params, earlier = self._params[route.model], self._earlier
        return SeatRun(
            juror=await self._connections.juror(route, params),
            prompt=self._plan.prompt,
            ids=[claim.id for claim in self._plan.request.claims],
            lane=self._connections.lane(route),
            emit=self.audience.emit,
            reask=self._plan.request.reask,
            timeout_s=SEAT_TIMEOUT_S,
            purse=self.purse,
            worst=call_worst(route, self._plan.prompt.bytes, params),
            quotes=self._quotes,
            stands_in_for=stands_in_for,
            digest=self._facts.digests.get(route.model),
            earlier=list(earlier.replies.get(route.model, ())) if earlier else [],
            fallen=earlier.fallen.get(route.model) if earlier else None,
        )


def _vacant(route: Route, bar: Bar) -> SeatResult:
    return SeatResult(
        model=route.model,
        family=route.family,
        included=False,
        exclude_reason=bar.reason,
        detail=bar.detail,
        verdicts_returned=0,
        elapsed_ms=0,
        attempts=0,
        backend=route.backend,
        provider=route.provider,
        host=route.host.host,
        family_source="settings" if route.own_family else None,
    )


def _warnings(traits: Mapping[str, Traits], seats: Sequence[SeatRun]) -> list[str]:
    asked = [run.model for run in seats]
    windows = [f"window_unknown:{model}" for model in asked if traits[model].window is None]
    uncounted = [run.model for run in seats if any(answer.prompt_tokens is None for answer in run.answers)]
    unthinking = [f"thinking_refused:{run.model}" for run in seats if run.thinking_refused]
    counts = (f"prompt_tokens_unknown:{model}" for model in uncounted)
    return [*windows, *counts, *unthinking, *_twins(seats)]


def _twins(seats: Sequence[SeatRun]) -> list[str]:
    """Say which seats of different families gave the same bytes: one backend may stand behind two names.

    Scripted seats are left out: one script stands behind all of them, and its mark says so.
    """
    first: dict[str, SeatRun] = {}
    found: list[str] = []
    for seat in seats:
        text = seat.answers[0].text if seat.answers and not seat.scripted else ""
        twin = first.setdefault(text, seat)
        if text.strip() and twin is not seat and twin.juror.route.family != seat.juror.route.family:
            found.append(f"identical_ballots:{twin.model}, {seat.model}")
    return found
