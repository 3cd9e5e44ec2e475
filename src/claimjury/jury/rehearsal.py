"""A rehearsal: the requests that vendors' SDKs would make, made and not sent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart

from claimjury.jury.connections import Connections
from claimjury.jury.plan import Plan, juror_params
from claimjury.models.providers import ProviderHost
from claimjury.models.routes import Route
from claimjury.models.traits import route_traits
from claimjury.models.vendors.witness import Captured

__all__ = ["rehearse"]


async def rehearse(plan: Plan, routes: Sequence[Route]) -> dict[str, dict[str, Any]]:
    """Give by model what its first request would be: `for`, `url` and `body`. Opens no connection."""
    made: dict[str, dict[str, Any]] = {}
    async with Connections(dry=True) as connections:
        for route in routes:
            if isinstance(route.host, ProviderHost):
                made[route.model] = await _rehearse(plan, route, route.host, connections)
    return made


async def _rehearse(plan: Plan, route: Route, host: ProviderHost, connections: Connections) -> dict[str, Any]:
    model = await connections.vendor(route, host)
    params = juror_params(route, model.traits(route_traits(route)), len(plan.request.claims))
    juror = await connections.juror(route, params)
    rules, case = SystemPromptPart(content=plan.prompt.system), UserPromptPart(content=plan.prompt.user)
    try:
        await model_request(model, [ModelRequest(parts=[rules, case])], model_settings=juror.settings)
    except Captured as made:
        return {"for": route.model, "url": made.url, "body": json.loads(made.body)}
    raise AssertionError("a dry client let a request through")
