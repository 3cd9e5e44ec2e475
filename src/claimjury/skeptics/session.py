"""The part of a run of skeptics that talks to the network. Imported only when a run begins."""

from __future__ import annotations

import logging
import math
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import anyio
import anyio.to_thread
from pydantic_ai.tools import ToolDefinition

from claimjury.jury.accounts import cost_of
from claimjury.jury.aimed import MAX_ROWS, aimed_at_jurors, aimed_warnings
from claimjury.jury.budget import Purse
from claimjury.jury.connections import Connections
from claimjury.jury.lookup import Facts, look_up, refuse_stubs
from claimjury.jury.panel import cut_short
from claimjury.jury.plan import refuse_overflow, seat_params
from claimjury.jury.result import EgressRow, InjectionRow, RunStatus, usage_of
from claimjury.jury.verdicts import evidence_rows, reference_row
from claimjury.models.traits import DEFAULT_WINDOW
from claimjury.skeptics.angles import angle_of
from claimjury.skeptics.block import THRESHOLD, render_block
from claimjury.skeptics.concluding import block_of, read_rows, shown_files, warnings_of
from claimjury.skeptics.events import RefuteEnded, RefuteEvent, RefutePlanned, SkepticEnded
from claimjury.skeptics.passes import Pass
from claimjury.skeptics.plan import RefutePlan
from claimjury.skeptics.refute import RefuteListeners
from claimjury.skeptics.result import RefuteResult, SkepticResult
from claimjury.skeptics.retold import CUT_SHORT
from claimjury.skeptics.tally import Finding
from claimjury.skeptics.tools.toolbox import TOOLS, Toolbox

__all__ = ["hold"]

_LOG: Final = logging.getLogger("claimjury")
_TOOLS: Final = tuple(
    ToolDefinition(name=spec.name, description=spec.description, parameters_json_schema=dict(spec.parameters))
    for spec in TOOLS
)


async def hold(plan: RefutePlan, listeners: RefuteListeners) -> RefuteResult:
    """Ask every skeptic at the same time, and conclude."""
    async with Connections() as connections:
        session = _Session(plan, listeners, connections)
        status = await session.ask()
        return session.conclude(status)


class _Audience:
    """Tells the listeners, and never lets one of them cost a verdict."""

    def __init__(self, listeners: RefuteListeners) -> None:
        self._listeners = listeners
        self.warnings: tuple[str, ...] = ()

    def tell(self, event: RefuteEvent) -> None:
        if recorder := self._listeners.get("recorder"):
            self._tell(recorder.record, event)
        if (on_skeptic := self._listeners.get("on_skeptic")) and isinstance(event, SkepticEnded):
            self._tell(on_skeptic, event.skeptic)

    def _tell(self, listener: Callable[[Any], None], news: Any) -> None:
        try:
            listener(news)
        except Exception:  # noqa: BLE001 - a listener is the caller's code, whatever it raises.
            self.warnings = ("listener_failed",)
            _LOG.exception("A listener failed on %s; the run goes on.", type(news).__name__)


class _Session:
    def __init__(self, plan: RefutePlan, listeners: RefuteListeners, connections: Connections) -> None:
        self._plan = plan
        self._listeners = listeners
        self._audience = _Audience(listeners)
        self._connections = connections
        self._began = time.monotonic()
        self._run_id = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
        self._purse = Purse(plan.jury.request.max_tokens, plan.jury.request.max_cost_usd)
        self._toolbox = Toolbox(plan.repo)
        self._deadline = anyio.current_time() + (plan.jury.request.deadline_s or math.inf)
        self._stop = listeners.get("stop")
        self._facts = Facts.known(plan.jury)
        self._passes: list[Pass] = []
        self._aimed: list[InjectionRow] = []
        self._results: dict[int, SkepticResult] = {}

    async def ask(self) -> RunStatus:
        announce = self._listeners.get("announce")
        for line in self._plan.lines if announce else ():
            announce(line)  # type: ignore[misc]
        await self._look_up()
        self._aimed = await anyio.to_thread.run_sync(aimed_at_jurors, self._plan.jury)
        if admit := self._listeners.get("admit"):
            admit(self._plan.worst)
        self._audience.tell(RefutePlanned(run_id=self._run_id, plan=self._plan))
        self._passes = [await self._pass(place) for place in range(1, self._plan.n + 1)]
        if not self._stopped:
            async with (
                cut_short(deadline=self._deadline, stop=self._stop),
                anyio.create_task_group() as group,
            ):
                for one in self._passes:
                    group.start_soon(self._run, one)
        return self._settle_rest()

    @property
    def _stopped(self) -> bool:
        return self._stop is not None and self._stop.is_set()

    async def _look_up(self) -> None:
        jury = self._plan.jury
        await self._connections.open(
            route for model, route in jury.routes.items() if model not in jury.barred
        )
        if not self._stopped:
            async with cut_short(deadline=self._deadline, stop=self._stop):
                await look_up(jury, self._connections, self._facts)
        refuse_stubs(jury, self._facts)
        refuse_overflow(jury, self._facts.traits)

    async def _pass(self, place: int) -> Pass:
        plan = self._plan
        route = plan.route(place)
        traits = self._facts.traits[route.model]
        params = seat_params(plan.jury, route, traits)
        return Pass(
            place=place,
            claim=plan.claim,
            juror=await self._connections.juror(route, params),
            params=params,
            toolbox=self._toolbox,
            tools=_TOOLS,
            opening=plan.opening(place),
            bare=lambda: plan.bare(place),
            given=tuple(source.path for source in plan.jury.sources),
            lane=self._connections.lane(route),
            purse=self._purse,
            window=traits.window or DEFAULT_WINDOW,
            allowance=plan.allowance,
            tell=self._audience.tell,
        )

    async def _run(self, one: Pass) -> None:
        await one.run()
        self._end(one)

    def _settle_rest(self) -> RunStatus:
        """Settle who is still at work, and say how the run ended."""
        late = [one for one in self._passes if one.place not in self._results]
        cut: RunStatus = "interrupted" if self._stopped else "partial"
        for one in late:
            one.settle(Finding(refuted=True, grounds="fault", reason=CUT_SHORT[cut]))
            self._end(one)
        return cut if late else "complete"

    def _end(self, one: Pass) -> None:
        result = self._as_result(one)
        self._results[one.place] = result
        self._audience.tell(SkepticEnded(skeptic=result))

    def _as_result(self, one: Pass) -> SkepticResult:
        route, finding = one.juror.route, one.finding or Finding(refuted=True, grounds="fault", reason="")
        cost_usd, cost_source = cost_of(route, one.answers)
        return SkepticResult(
            place=one.place,
            angle=angle_of(one.place).name,
            model=route.model,
            family=route.family,
            family_source="settings" if route.own_family else None,
            provider=route.provider,
            host=route.host.host,
            served_model=one.answers[0].served_model if one.answers else None,
            refuted=finding.refutes,
            grounds=finding.counted,
            reason=finding.reason,
            read=read_rows(one.given, one.looked),
            failed_calls=one.failed_calls,
            citations=one.citations or None,
            tools=bool(one.tools),
            rounds=one.rounds,
            attempts=one.attempts,
            usage=usage_of(one.answers),
            cost_usd=cost_usd,
            cost_source=cost_source,
            elapsed_ms=round(((one.ended or time.monotonic()) - one.began) * 1000),
        )

    def conclude(self, status: RunStatus) -> RefuteResult:
        """Tally the findings and put the result together."""
        skeptics = tuple(self._results[one.place] for one in self._passes)
        scripted = any(answer.scripted for one in self._passes for answer in one.answers)
        aimed = [*dict.fromkeys([*self._aimed, *(row for one in self._passes for row in one.aimed)])]
        block = block_of(self._plan.claim, skeptics, scripted=scripted)
        counted = block.tally
        result = RefuteResult(
            run_id=self._run_id,
            claim=self._plan.claim,
            verdict=counted.verdict,
            n=counted.n,
            refuted=counted.refuted,
            refuted_on_evidence=counted.refuted_on_evidence,
            refuted_by_default=counted.refuted_by_default,
            faulted=counted.faulted,
            tie=counted.tie,
            threshold=THRESHOLD,
            skeptics=skeptics,
            evidence=tuple(evidence_rows(self._plan.jury)),
            reference=reference_row(self._plan.jury),
            injections=tuple(aimed[:MAX_ROWS]) or None,
            basis=block.basis,
            text=render_block(block),
            status=status,
            exit_status=130 if status == "interrupted" else counted.exit_status,
            egress=self._egress(skeptics),
            scripted=True if scripted else None,
            warnings=(
                *self._plan.warnings,
                *self._doubts(),
                *warnings_of(skeptics),
                *aimed_warnings(aimed),
                *self._audience.warnings,
            ),
            elapsed_ms=round((time.monotonic() - self._began) * 1000),
        )
        self._audience.tell(RefuteEnded(result=result, spent=self._purse.spent))
        return result

    def _doubts(self) -> tuple[str, ...]:
        """Say where nothing vouches for the host that answered."""
        doubtful = any(one.answers and not one.juror.route.host.trusted for one in self._passes)
        return ("unverified_host",) if doubtful else ()

    def _egress(self, skeptics: Sequence[SkepticResult]) -> tuple[EgressRow, ...]:
        given = [source.path for source in self._plan.jury.sources]
        rows = []
        for host, size in self._connections.meter.bytes_by_host.items():
            read = [name for one in skeptics if one.host == host for name in shown_files(one)]
            rows.append(
                EgressRow(
                    host=host,
                    vendor=self._plan.jury.vendor_of(host),
                    files=tuple(dict.fromkeys([*given, *sorted(set(read))])),
                    bytes=size,
                )
            )
        return tuple(rows)
