"""Health: does the host answer, does it take the key, does it list the models? Spends no tokens.

The catalogue is public, so it proves no key (heypinchy/pinchy#154): the key is checked with an empty chat request,
which the host refuses as malformed (400) when it knows the key and as unauthorized (401) when it does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, Literal

import httpx2

from claimjury.models.failures import transport_failure
from claimjury.models.hosts import Host
from claimjury.models.names import same_model
from claimjury.models.ollama.catalogue import Catalogue, fetch_catalogue, fetch_traits
from claimjury.models.traits import Traits

__all__ = ["PLAN_SLOTS", "Health", "KeyState", "ModelHealth", "examine"]

KeyState = Literal["accepted", "refused", "missing", "not_needed", "not_sent", "unknown"]
PLAN_SLOTS: Final[Mapping[str, int]] = {"free": 1, "pro": 3, "max": 10}
"""Calls that each plan lets run at once, as of November 2026."""
_PROBE_TIMEOUT: Final = httpx2.Timeout(10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelHealth:
    """One id of the panel against the live catalogue.

    Attributes:
        listed: Whether the host lists it; None where it lists nothing.
        close: Listed ids that look like it, where it is not listed.
        traits: What is known of it.
    """

    model: str
    listed: bool | None
    close: tuple[str, ...]
    traits: Traits


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What a host is like, as seen from here.

    Attributes:
        reachable: Whether it answered at all; `trouble` says why not.
        key: `not_sent` is a key that this host must not see.
        clock_skew_s: Seconds that this machine's clock is ahead of the host's, or None where it does not say.
        plan: The plan's name, where the host says it.
        slots: Calls that may run at once on that plan, or None where unknown.
        models: The panel, in its order.
    """

    host: str
    reachable: bool
    trouble: str = ""
    key: KeyState
    clock_skew_s: float | None = None
    plan: str | None = None
    slots: int | None = None
    models: tuple[ModelHealth, ...] = ()


async def examine(client: httpx2.AsyncClient, host: Host, panel: Sequence[str]) -> Health:
    """Look at a host without sending it anything but model names and, where it may see it, the key."""
    try:
        response = await client.get("/api/tags", timeout=_PROBE_TIMEOUT)
    except httpx2.TransportError as error:
        failure = transport_failure(error, host=host)
        trouble = f"{failure.message} {failure.hint}".strip()
        return Health(host=host.host, reachable=False, trouble=trouble, key=_unasked(host))
    skew = _skew(response.headers.get("date"))
    key = await _key_state(client, host)
    plan = host.scrub(await _plan(client)) if key == "accepted" else None
    catalogue = await fetch_catalogue(client)
    return Health(
        host=host.host,
        reachable=True,
        key=key,
        clock_skew_s=skew,
        plan=plan,
        slots=PLAN_SLOTS.get(plan.casefold()) if plan else None,
        models=tuple([await _model(client, model, catalogue, host) for model in panel]),
    )


def _unasked(host: Host) -> KeyState:
    if host.key_variable is None:
        return "not_needed"
    if not host.api_key:
        return "missing"
    return "unknown" if host.trusted else "not_sent"


async def _key_state(client: httpx2.AsyncClient, host: Host) -> KeyState:
    state = _unasked(host)
    if state != "unknown":
        return state
    try:
        response = await client.post("/v1/chat/completions", json={}, timeout=_PROBE_TIMEOUT)
    except httpx2.HTTPError:
        return "unknown"
    states: dict[int, KeyState] = {400: "accepted", 401: "refused"}
    return states.get(response.status_code, "unknown")


async def _plan(client: httpx2.AsyncClient) -> str | None:
    try:
        response = await client.post("/api/me", timeout=_PROBE_TIMEOUT)
        value: Any = response.json() if response.status_code == 200 else None
    except (httpx2.HTTPError, ValueError):
        return None
    plan = (
        next((item for name, item in value.items() if name.casefold() == "plan"), None)
        if _is_dict(value)
        else None
    )
    return plan if isinstance(plan, str) and plan else None


def _is_dict(value: Any) -> bool:
    return isinstance(value, dict)


async def _model(
    client: httpx2.AsyncClient, model: str, catalogue: Catalogue | None, host: Host
) -> ModelHealth:
    listed = None if catalogue is None else any(same_model(model, name) for name in catalogue.ids)
    close = catalogue.close_to(model) if catalogue is not None and not listed else []
    traits = await fetch_traits(client, model, catalogue)
    return ModelHealth(model=model, listed=listed, close=host.scrub(tuple(close)), traits=traits)


def _skew(date: str | None) -> float | None:
    try:
        theirs = parsedate_to_datetime(date or "")
    except ValueError:
        return None
    return (datetime.now(UTC) - theirs.replace(tzinfo=theirs.tzinfo or UTC)).total_seconds()
