"""Looking up: what the hosts say of the models of a run before they are asked, and after one was refused.

A catalogue proves no key and no plan, so nothing here excludes a seat or asks another model. It is sent names alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import anyio
import httpx2

from claimjury.errors import CloudNotConfigured, InvalidRequest
from claimjury.jury.connections import Connections
from claimjury.jury.plan import Plan
from claimjury.jury.result import SeatResult
from claimjury.models.daemon import Daemon
from claimjury.models.hosts import Host
from claimjury.models.ollama.catalogue import Catalogue, fetch_catalogue, fetch_required_plans, fetch_traits
from claimjury.models.providers import ProviderHost
from claimjury.models.routes import Route
from claimjury.models.traits import Traits, route_traits
from claimjury.text import clean_line

__all__ = ["Facts", "advice", "look_up", "refuse_stubs"]

_PLAN_REASONS: Final = ("call_failed:PLAN_LOCKED", "call_failed:PAYMENT_REQUIRED")
_NAME_REASONS: Final = ("call_failed:OLLAMA_MODEL_MISSING", "call_failed:MODEL_RETIRED")


@dataclass(slots=True, kw_only=True)
class Facts:
    """What is known of the models of a run.

    Attributes:
        traits: By model.
        digests: Of local models, by model.
        stubs: Local names behind which the daemon keeps a cloud model.
        looked_up: Local models that a daemon's list was searched for.
        catalogues: By host.
    """

    traits: dict[str, Traits] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    stubs: dict[str, str] = field(default_factory=dict)
    looked_up: set[str] = field(default_factory=set)
    catalogues: dict[str, Catalogue] = field(default_factory=dict)

    @classmethod
    def known(cls, plan: Plan) -> Facts:
        """Give what the tables know."""
        return cls(traits={model: route_traits(route) for model, route in plan.routes.items()})


async def look_up(plan: Plan, connections: Connections, facts: Facts) -> None:
    """Ask the hosts of the panel, all at once, and put what they say into `facts`."""
    hosts: dict[str, list[Route]] = {}
    for route in plan.routes.values():
        if route.model in plan.barred:
            continue
        if isinstance(route.host, ProviderHost):
            # pydantic-ai knows whether it thinks; nothing is asked.
            model = await connections.vendor(route, route.host)
            facts.traits[route.model] = model.traits(facts.traits[route.model])
        elif route.host.host in plan.hosts or route.backend == "local":
            hosts.setdefault(route.host.host, []).append(route)
    async with anyio.create_task_group() as group:
        for routes in hosts.values():
            group.start_soon(_ask_ollama, routes, await connections.ollama(routes[0].host), facts)


async def _ask_ollama(routes: Sequence[Route], client: httpx2.AsyncClient, facts: Facts) -> None:
    host = routes[0].host
    catalogue = await fetch_catalogue(client)
    if catalogue is not None:
        facts.catalogues[host.host] = catalogue

    async def find(route: Route) -> None:
        facts.traits[route.model] = await fetch_traits(client, route.name, catalogue)

    async with anyio.create_task_group() as group:
        for route in routes:
            group.start_soon(find, route)
    if isinstance(host, Daemon) and catalogue is not None:
        for route in filter(lambda route: route.backend == "local", routes):
            _note_installed(route, catalogue, facts)


def _note_installed(route: Route, catalogue: Catalogue, facts: Facts) -> None:
    facts.looked_up.add(route.model)
    installed = catalogue.find(route.name)
    if installed is None:
        return
    if installed.remote is not None:
        facts.stubs[route.model] = installed.remote
    if installed.digest is not None:
        facts.digests[route.model] = installed.digest


def refuse_stubs(plan: Plan, facts: Facts) -> None:
    """Refuse a local name behind which the daemon keeps a cloud model: what it is asked would leave this machine.

    Raises:
        InvalidRequest: There is one; no evidence was sent.
        CloudNotConfigured: The daemon does not say which models are here, so nothing shows that it keeps them here.
    """
    unsure = [
        route
        for model, route in plan.routes.items()
        if route.backend == "local" and model not in plan.barred and model not in facts.looked_up
    ]
    if unsure:
        raise CloudNotConfigured(
            f"{unsure[0].host.host} does not list its models, so nothing shows that {unsure[0].model} is here. Nothing was sent.",
            hint=unsure[0].host.network_hint,
        )
    for model, remote in facts.stubs.items():
        if model not in plan.barred:
            raise InvalidRequest(
                f"{model} is not installed here: the daemon hands it on to {clean_line(remote)}. Nothing was sent.",
                hint="Name a model that is (`ollama list`), or the cloud's own id with :cloud.",
            )


async def advice(
    connections: Connections, plan: Plan, seats: Sequence[SeatResult], facts: Facts
) -> list[str]:
    """Say what the live catalogue lists where a seat was refused by plan or by name. Nothing switches by itself."""
    said: list[str] = []
    for host, catalogue in facts.catalogues.items():
        asked = [seat for seat in seats if seat.host == host]
        route = next(route for route in plan.routes.values() if route.host.host == host)
        said += await _advice(connections, route.host, asked, catalogue)
        said = route.host.scrub(said)
    return said


async def _advice(
    connections: Connections, host: Host, seats: Sequence[SeatResult], catalogue: Catalogue
) -> list[str]:
    said: list[str] = []
    if any(seat.exclude_reason in _PLAN_REASONS for seat in seats):
        plans = await fetch_required_plans(await connections.ollama(host))
        listed = [f"{name} ({plans[name]})" if name in plans else name for name in catalogue.ids]
        said.append(f"catalogue:{', '.join(map(clean_line, listed))}")
    unnamed = [seat.model for seat in seats if seat.exclude_reason in _NAME_REASONS]
    close = {model: ", ".join(map(clean_line, catalogue.close_to(model))) for model in unnamed}
    return said + [f"close_ids:{model}: {names}" for model, names in close.items() if names]
