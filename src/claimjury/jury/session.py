"""The part of a run that talks to the network: catalogue, seats, result. Imported only when a run begins."""

from __future__ import annotations

import logging
import math
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import anyio

from claimjury.jury.events import EgressAnnounced, Event, RunStarted, SeatEnded
from claimjury.jury.panel import cut_short, run_panel
from claimjury.jury.plan import Plan, juror_params, refuse_overflow
from claimjury.jury.request import SEAT_TIMEOUT_S
from claimjury.jury.result import JurorParams, SeatResult, VerifyResult
from claimjury.jury.seat import Juror, SeatRun
from claimjury.jury.verdicts import Heard, Outcome, conclude
from claimjury.models.calls import Lane
from claimjury.models.ollama.catalogue import Catalogue, fetch_catalogue, fetch_required_plans, fetch_traits
from claimjury.models.ollama.client import EgressMeter, open_client
from claimjury.models.ollama.model import OllamaModel, OllamaSettings
from claimjury.models.traits import Traits, traits_of
from claimjury.text import clean_line

if TYPE_CHECKING:
    import httpx2

    from claimjury.jury.verify import Listeners

__all__ = ["hold"]

_EGRESS: Final = logging.getLogger("claimjury.egress")
_LOG: Final = logging.getLogger("claimjury")
_PLAN_REASONS: Final = ("call_failed:PLAN_LOCKED", "call_failed:PAYMENT_REQUIRED")
_NAME_REASONS: Final = ("call_failed:OLLAMA_MODEL_MISSING", "call_failed:MODEL_RETIRED")


@dataclass(slots=True)
class _Audience:
    """Tells the listeners, and never lets one of them cost a vote."""

    listeners: Listeners
    failed: bool = False

    def emit(self, event: Event) -> None:
        try:
            if recorder := self.listeners.get("recorder"):
                recorder.record(event)
            if isinstance(event, SeatEnded) and (on_seat := self.listeners.get("on_seat")):
                on_seat(event.seat)
        except Exception:  # noqa: BLE001 - a listener is the caller's code; whatever it raises must not cost a vote.
            self.failed = True
            _LOG.exception("A listener failed on %s; the run goes on.", type(event).__name__)


async def hold(plan: Plan, listeners: Listeners, *, began: float) -> VerifyResult:
    """Ask the panel and conclude.

    Raises:
        EvidenceTooLarge: A window that only the catalogue knows is too small; no evidence was sent.
    """
    audience = _Audience(listeners)
    run_id = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
    deadline = anyio.current_time() + (plan.request.deadline_s or math.inf) - (time.monotonic() - began)
    meter = EgressMeter()
    _EGRESS.info(plan.egress_line)
    audience.emit(EgressAnnounced(host=plan.cloud.host, line=plan.egress_line))
    async with open_client(plan.cloud, meter) as client:
        stop = listeners.get("stop")
        catalogue, traits = None, {model: traits_of(model) for model in plan.request.panel}
        async with cut_short(deadline=deadline, stop=stop):
            catalogue = await fetch_catalogue(client)
            traits |= await _traits(plan, client, catalogue)
        refuse_overflow(plan, traits)
        params = {
            model: juror_params(model, traits[model], len(plan.request.claims))
            for model in plan.request.panel
        }
        audience.emit(RunStarted(run_id=run_id, panel=plan.request.panel, claims=len(plan.request.claims)))
        seats = _seats(plan, client, params, audience)
        status, results = await run_panel(seats, deadline=deadline, stop=stop)
        advice = await _advice(client, results, catalogue)
    outcome = Outcome(
        run_id=run_id,
        status=status,
        heard=[Heard(seat=seat, votes=run.votes) for seat, run in zip(results, seats, strict=True)],
        jurors=params,
        bytes_by_host=meter.bytes_by_host,
        scripted=any(run.scripted for run in seats),
        warnings=[*_warnings(traits, seats), *advice, *(["listener_failed"] if audience.failed else [])],
        elapsed_ms=round((time.monotonic() - began) * 1000),
    )
    return conclude(plan, outcome)


async def _traits(plan: Plan, client: httpx2.AsyncClient, catalogue: Catalogue | None) -> dict[str, Traits]:
    found: dict[str, Traits] = {}

    async def find(model: str) -> None:
        found[model] = await fetch_traits(client, model, catalogue)

    async with anyio.create_task_group() as group:
        for model in plan.request.panel:
            group.start_soon(find, model)
    return found


def _seats(
    plan: Plan, client: httpx2.AsyncClient, params: Mapping[str, JurorParams], audience: _Audience
) -> list[SeatRun]:
    lane = Lane()
    ids = [claim.id for claim in plan.request.claims]
    return [
        SeatRun(
            juror=Juror(
                model=model,
                client_model=OllamaModel(model, cloud=plan.cloud, client=client),
                settings=_settings(params[model]),
                host=plan.cloud.host,
            ),
            prompt=plan.prompt,
            ids=ids,
            lane=lane,
            emit=audience.emit,
            reask=plan.request.reask,
            timeout_s=SEAT_TIMEOUT_S,
        )
        for model in plan.request.panel
    ]


def _settings(params: JurorParams) -> OllamaSettings:
    settings = OllamaSettings(max_tokens=params.num_predict)
    if params.think is not None:
        settings["ollama_think"] = params.think
    if params.temperature is not None:
        settings["temperature"] = params.temperature
    return settings


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
