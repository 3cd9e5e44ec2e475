"""The part of a run that talks to the network: catalogue, seats, result. Imported only when a run begins."""

from __future__ import annotations

import logging
import math
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import anyio

from claimjury.jury.events import (
    Earlier,
    EgressAnnounced,
    Event,
    Listeners,
    RunEnded,
    RunPlanned,
    RunStarted,
    SeatEnded,
)
from claimjury.jury.panel import cut_short, run_panel
from claimjury.jury.plan import Plan, juror_params, refuse_overflow
from claimjury.jury.request import SEAT_TIMEOUT_S
from claimjury.jury.result import UNTHINKING_TEMPERATURE, JurorParams, SeatResult, VerifyResult
from claimjury.jury.seat import Juror, SeatRun
from claimjury.jury.verdicts import Heard, Outcome, conclude
from claimjury.models.calls import Lane
from claimjury.models.ollama.catalogue import Catalogue, fetch_catalogue, fetch_required_plans, fetch_traits
from claimjury.models.ollama.client import EgressMeter, open_client
from claimjury.models.ollama.model import OllamaModel, OllamaSettings, ollama_settings
from claimjury.models.traits import Traits, traits_of
from claimjury.text import clean_line

if TYPE_CHECKING:
    import httpx2

__all__ = ["hold"]

_EGRESS: Final = logging.getLogger("claimjury.egress")
_LOG: Final = logging.getLogger("claimjury")
_PLAN_REASONS: Final = ("call_failed:PLAN_LOCKED", "call_failed:PAYMENT_REQUIRED")
_NAME_REASONS: Final = ("call_failed:OLLAMA_MODEL_MISSING", "call_failed:MODEL_RETIRED")


@dataclass(slots=True)
class _Audience:
    """Tells the listeners, and never lets one of them cost a vote."""

    listeners: Listeners
    warnings: list[str] = field(default_factory=list)

    def emit(self, event: Event) -> None:
        try:
            if recorder := self.listeners.get("recorder"):
                recorder.record(event)
            if isinstance(event, SeatEnded) and (on_seat := self.listeners.get("on_seat")):
                on_seat(event.seat)
        except Exception:  # noqa: BLE001 - a listener is the caller's code; whatever it raises must not cost a vote.
            self.warnings = ["listener_failed"]
            _LOG.exception("A listener failed on %s; the run goes on.", type(event).__name__)


async def hold(plan: Plan, listeners: Listeners, *, began: float) -> VerifyResult:
    """Ask the panel and conclude.

    Raises:
        EvidenceTooLarge: A window that only the catalogue knows is too small; no evidence was sent.
        ConfigInvalid: A variable of the environment names a proxy or certificates that cannot be used.
    """
    session = _Session(plan, listeners, began)
    async with open_client(plan.cloud, session.meter) as client:
        outcome = await session.ask(client)
    result = conclude(plan, outcome)
    session.audience.emit(RunEnded(result=result))
    return result


class _Session:
    """One run while it talks to the network."""

    def __init__(self, plan: Plan, listeners: Listeners, began: float) -> None:
        self.meter = EgressMeter()
        self.audience = _Audience(listeners)
        self._plan = plan
        self._run_id = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
        self._began = began
        self._deadline = anyio.current_time() + (plan.request.deadline_s or math.inf) - self._elapsed_s
        self._stop = listeners.get("stop")
        self._earlier = listeners.get("earlier")

    @property
    def _elapsed_s(self) -> float:
        return time.monotonic() - self._began

    async def ask(self, client: httpx2.AsyncClient) -> Outcome:
        """Look the models up, say what leaves, ask every seat, and give what came of it."""
        plan, emit = self._plan, self.audience.emit
        if not self._stopped:
            self._announce()
        catalogue, traits = await self._look_up(client)
        refuse_overflow(plan, traits)
        claims = len(plan.request.claims)
        params = {model: juror_params(model, traits[model], claims) for model in plan.request.panel}
        emit(RunPlanned(run_id=self._run_id, plan=plan, params=params, resumed_from=self._resumed_from))
        emit(RunStarted(run_id=self._run_id, panel=plan.request.panel, claims=claims))
        seats = _seats(plan, client, params, self.audience, self._earlier)
        status, results = await run_panel(seats, deadline=self._deadline, stop=self._stop)
        advice = plan.cloud.scrub(await _advice(client, results, catalogue))
        return Outcome(
            run_id=self._run_id,
            status=status,
            heard=[Heard(seat=seat, votes=run.votes) for seat, run in zip(results, seats, strict=True)],
            jurors=params,
            bytes_by_host=self.meter.bytes_by_host,
            evidence_hosts=frozenset(self.meter.evidence_hosts),
            scripted=any(run.scripted for run in seats),
            resumed_from=self._resumed_from,
            warnings=[*_warnings(traits, seats), *advice, *self.audience.warnings],
            elapsed_ms=round(self._elapsed_s * 1000),
        )

    @property
    def _stopped(self) -> bool:
        return self._stop is not None and self._stop.is_set()

    @property
    def _resumed_from(self) -> str | None:
        return None if self._earlier is None else self._earlier.run_id

    def _announce(self) -> None:
        heard = self._earlier.replies if self._earlier else {}
        line = self._plan.egress_to([model for model in self._plan.request.panel if model not in heard])
        _EGRESS.info(line)
        self.audience.emit(EgressAnnounced(host=self._plan.cloud.host, line=line))

    async def _look_up(self, client: httpx2.AsyncClient) -> tuple[Catalogue | None, dict[str, Traits]]:
        """Ask the catalogue; what it does not say in time is what the tables know."""
        catalogue, traits = None, {model: traits_of(model) for model in self._plan.request.panel}
        if not self._stopped:
            async with cut_short(deadline=self._deadline, stop=self._stop):
                catalogue = await fetch_catalogue(client)
                traits |= await _traits(self._plan, client, catalogue)
        return catalogue, traits


async def _traits(plan: Plan, client: httpx2.AsyncClient, catalogue: Catalogue | None) -> dict[str, Traits]:
    found: dict[str, Traits] = {}

    async def find(model: str) -> None:
        found[model] = await fetch_traits(client, model, catalogue)

    async with anyio.create_task_group() as group:
        for model in plan.request.panel:
            group.start_soon(find, model)
    return found


def _seats(
    plan: Plan,
    client: httpx2.AsyncClient,
    params: Mapping[str, JurorParams],
    audience: _Audience,
    earlier: Earlier | None,
) -> list[SeatRun]:
    lane = Lane()
    ids = [claim.id for claim in plan.request.claims]
    return [
        SeatRun(
            juror=Juror(
                model=model,
                client_model=OllamaModel(model, cloud=plan.cloud, client=client),
                settings=_settings(params[model], thinks=True),
                unthinking=_settings(params[model], thinks=False),
                cloud=plan.cloud,
            ),
            prompt=plan.prompt,
            ids=ids,
            lane=lane,
            emit=audience.emit,
            reask=plan.request.reask,
            timeout_s=SEAT_TIMEOUT_S,
            earlier=list(earlier.replies.get(model, ())) if earlier else [],
        )
        for model in plan.request.panel
    ]


def _settings(params: JurorParams, *, thinks: bool) -> OllamaSettings:
    if thinks:
        return ollama_settings(
            num_predict=params.num_predict, think=params.think, temperature=params.temperature
        )
    return ollama_settings(num_predict=params.num_predict, think=None, temperature=UNTHINKING_TEMPERATURE)


def _warnings(traits: Mapping[str, Traits], seats: Sequence[SeatRun]) -> list[str]:
    windows = [f"window_unknown:{model}" for model, known in traits.items() if known.window is None]
    uncounted = [
        run.juror.model for run in seats if any(answer.prompt_tokens is None for answer in run.answers)
    ]
    unthinking = [f"thinking_refused:{run.juror.model}" for run in seats if run.thinking_refused]
    return [*windows, *(f"prompt_tokens_unknown:{model}" for model in uncounted), *unthinking]


async def _advice(
    client: httpx2.AsyncClient, results: Sequence[SeatResult], catalogue: Catalogue | None
) -> list[str]:
    """Say what the live catalogue lists where a seat was refused by plan or by name. Nothing switches by itself."""
    if catalogue is None:
        return []
    advice: list[str] = []
    if any(seat.exclude_reason in _PLAN_REASONS for seat in results):
        plans = await fetch_required_plans(client)
        listed = [f"{name} ({plans[name]})" if name in plans else name for name in catalogue.ids]
        advice.append(f"catalogue:{', '.join(map(clean_line, listed))}")
    unnamed = [seat.model for seat in results if seat.exclude_reason in _NAME_REASONS]
    close = {model: ", ".join(map(clean_line, catalogue.close_to(model))) for model in unnamed}
    return advice + [f"close_ids:{model}: {names}" for model, names in close.items() if names]
