"""A probe of a vendor's host: does it answer, does it take the key, does it list the model? Spends no tokens.

Each vendor's own list of models is asked, which is sent the key and nothing else; OpenRouter's list is public, so its page
for the key is asked too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import httpx2

from claimjury.models.clients import AGENT, EgressMeter, authorities, readable_client
from claimjury.models.failures import transport_failure
from claimjury.models.providers import ProviderHost

__all__ = ["VendorHealth", "probe_vendor"]

KeyState = Literal["accepted", "refused", "missing", "not_needed", "unknown"]
_TIMEOUT: Final = httpx2.Timeout(10.0)
_VERSION: Final = {"anthropic-version": "2023-06-01"}
_REFUSED: Final = (401, 403)


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorHealth:
    """What a vendor's host is like, as seen from here.

    Attributes:
        reachable: Whether it answered at all; `trouble` says why not.
        models: The ids that it lists, or None where it lists none.
    """

    reachable: bool
    key: KeyState
    trouble: str = ""
    models: frozenset[str] | None = None

    def lists(self, name: str) -> bool | None:
        """Whether it lists a model; None where it lists nothing."""
        return None if self.models is None else name.casefold() in self.models


async def probe_vendor(host: ProviderHost) -> VendorHealth:
    """Look at a vendor's host.

    Raises:
        ConfigInvalid: A variable of the environment names a proxy or certificates that cannot be used.
    """
    client = readable_client(
        lambda: httpx2.AsyncClient(
            headers={"User-Agent": AGENT},
            timeout=_TIMEOUT,
            follow_redirects=False,
            verify=authorities(host.host),
            trust_env=not host.loopback,
            event_hooks={"request": [EgressMeter().watch]},
        )
    )
    async with client:
        return await _look(client, host)


async def _look(client: httpx2.AsyncClient, host: ProviderHost) -> VendorHealth:
    before: KeyState = "unknown" if host.api_key else "missing" if host.provider.keys else "not_needed"
    try:
        reply = await client.get(_models_url(host), headers=_headers(host))
        key = reply.status_code
        if host.provider.adapter == "openrouter" and host.api_key:
            key = (await client.get(f"{host.url}/key", headers=_headers(host))).status_code
    except httpx2.HTTPError as error:
        said = transport_failure(error, host=host) if isinstance(error, httpx2.TransportError) else error
        return VendorHealth(reachable=False, key=before, trouble=host.scrub(str(said)))
    return VendorHealth(reachable=True, key=_state(before, key), models=_ids(reply))


def _state(before: KeyState, status: int) -> KeyState:
    """Give what a status says of a key that was sent; Google refuses a bad one with a 400."""
    if before != "unknown":
        return before
    if status == 200:
        return "accepted"
    return "refused" if status in (*_REFUSED, 400) else "unknown"


def _models_url(host: ProviderHost) -> str:
    match host.provider.adapter:
        case "google":
            return f"{host.url}/v1beta/models?pageSize=1000"
        case "anthropic":
            return f"{host.url}/v1/models?limit=1000"
        case "mistral":
            return f"{host.url}/v1/models"
        case _:
            return f"{host.url}/models"


def _headers(host: ProviderHost) -> dict[str, str]:
    if host.api_key is None:
        return {}
    match host.provider.adapter:
        case "google":
            return {"x-goog-api-key": host.api_key}
        case "anthropic":
            return {"x-api-key": host.api_key, **_VERSION}
        case _:
            return {"Authorization": f"Bearer {host.api_key}"}


def _ids(reply: httpx2.Response) -> frozenset[str] | None:
    """Give the listed ids, small letters: `data[].id` or, at Google, `models[].name`."""
    try:
        value: Any = reply.json() if reply.status_code == 200 else None
    except ValueError:
        return None
    rows = (value.get("data") or value.get("models")) if isinstance(value, dict) else None
    if not isinstance(rows, list):
        return None
    names = (_name(row) for row in rows if isinstance(row, Mapping))
    return frozenset(name.removeprefix("models/").casefold() for name in names if name)


def _name(row: Mapping[str, Any]) -> str:
    value = row.get("id") or row.get("name")
    return value if isinstance(value, str) else ""
