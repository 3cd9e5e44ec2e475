"""Looking at a panel before it is used: families, twins, windows, prices, keys, SDKs, and whether the hosts answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import anyio

from claimjury.jury.request import Seating, checked_seating
from claimjury.jury.seating import barred_seats
from claimjury.models.clients import EgressMeter
from claimjury.models.families import UNKNOWN
from claimjury.models.installed import is_installed
from claimjury.models.ollama.client import open_client
from claimjury.models.ollama.health import Health, examine
from claimjury.models.prices import list_cost
from claimjury.models.providers import ProviderHost
from claimjury.models.routes import Access, Route
from claimjury.models.traits import route_traits
from claimjury.models.vendors.probe import VendorHealth, probe_vendor

__all__ = ["Checked", "check_panel", "panel_status"]

_THOUSAND: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One model of a panel, looked at.

    Attributes:
        seat: `panel` or `alternate`.
        excluded: Why it would not be asked, or None.
        key: What became of the key: `accepted`, `refused`, `missing`, `not_needed`, `not_sent`, `unknown`.
        install: The line that installs what is missing, or None.
        reachable: Whether its host answered.
        listed: Whether its host lists it; None where it lists nothing.
        usd_in: Dollars per million tokens of prompt by the price list, or None where unknown.
        usd_out: The same of the answer.
    """

    model: str
    seat: str
    family: str
    family_source: str | None
    excluded: str | None
    host: str
    vendor: str
    key_variable: str | None
    key: str
    install: str | None
    reachable: bool
    trouble: str
    listed: bool | None
    window: int | None
    usd_in: float | None
    usd_out: float | None


def check_panel(access: Access, seating: Seating) -> list[Checked]:
    """Look at every model of a panel and its alternates. Sends names and keys, no evidence; spends no tokens.

    Raises:
        InvalidRequest: An id cannot sit.
    """
    panel, alternates, author = checked_seating(seating, access)
    routes = [access.route(model) for model in (*panel, *alternates)]
    barred = barred_seats(
        routes[: len(panel)], author=frozenset(author), allow_same_family=seating.allow_same_family
    )
    seen = anyio.run(_look, routes)
    return [
        _checked(
            route,
            seen[route.host.host],
            seat="alternate" if route.model in alternates else "panel",
            excluded=barred[route.model].detail if route.model in barred else None,
        )
        for route in routes
    ]


async def _look(routes: Sequence[Route]) -> dict[str, Health | VendorHealth]:
    """Ask every host once, one after another: they are few, and each answers within seconds."""
    seen: dict[str, Health | VendorHealth] = {}
    for name in dict.fromkeys(route.host.host for route in routes):
        here = [route for route in routes if route.host.host == name]
        host = here[0].host
        if isinstance(host, ProviderHost):
            seen[name] = await probe_vendor(host)
        else:
            async with open_client(host, EgressMeter()) as client:
                seen[name] = await examine(client, host, [route.name for route in here])
    return seen


def _checked(route: Route, health: Health | VendorHealth, *, seat: str, excluded: str | None) -> Checked:
    vendor = route.host.provider if isinstance(route.host, ProviderHost) else None
    listed, window = _listed(route, health), route_traits(route).window
    if isinstance(health, Health):
        window = next((row.traits.window for row in health.models if row.model == route.name), window)
    return Checked(
        model=route.model,
        seat=seat,
        family=route.family,
        family_source="settings" if route.own_family else None,
        excluded=excluded,
        host=route.host.host,
        vendor=route.host.vendor,
        key_variable=route.host.key_variable,
        key=health.key,
        install=vendor.install_line if vendor and not is_installed(vendor.module) else None,
        reachable=health.reachable,
        trouble=health.trouble,
        listed=listed,
        window=window,
        usd_in=_per_million(route, 1, 0),
        usd_out=_per_million(route, 0, 1),
    )


def _per_million(route: Route, prompt: int, answer: int) -> float | None:
    """Give a price per million tokens; it is asked for a thousand, since prices rise with the size of a prompt."""
    cost = list_cost(route.provider, route.name, prompt * _THOUSAND, answer * _THOUSAND)
    return None if cost is None else round(cost * _THOUSAND, 6)


def _listed(route: Route, health: Health | VendorHealth) -> bool | None:
    if isinstance(health, VendorHealth):
        return health.lists(route.name)
    return next((row.listed for row in health.models if row.model == route.name), None)


def panel_status(rows: Sequence[Checked]) -> int:
    """Give the exit status: 2 an id would not be asked, 3 a key or an SDK is missing or refused, 4 no answer, else 0."""
    if any(row.excluded for row in rows):
        return 2
    if any(row.install or row.key in ("missing", "refused") for row in rows):
        return 3
    return 4 if any(not row.reachable or row.listed is False for row in rows) else 0


def families_line(rows: Sequence[Mapping[str, Any]]) -> str:
    """Say how many known families would sit, where that is fewer than two."""
    known = {row["family"] for row in rows if not row.get("excluded")} - {UNKNOWN}
    return "" if len(known) >= 2 else "Fewer than 2 known vendor families: every verdict will be weak."
