"""The live catalogue: which ids the host lists, and what it says of them. It proves no key and no plan.

`/api/tags` and `/api/show` answer without a key, and list ids that a plan cannot run; so nothing here is ever
a reason to exclude a seat or to ask another model.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import anyio
import httpx2

from claimjury.models.names import same_model, sent_name
from claimjury.models.traits import Traits, traits_of

__all__ = ["Catalogue", "Installed", "fetch_catalogue", "fetch_required_plans", "fetch_traits"]

_TIMEOUT_S: Final = 5.0
_MAX_BYTES: Final = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """One row of a daemon's list.

    Attributes:
        size: Bytes on disk, or 0 where not said.
        digest: Of the weights, where said.
        remote: The host and model that the daemon hands it on to, or None for a model that is here.
    """

    name: str
    size: int = 0
    digest: str | None = None
    remote: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """What `/api/tags` listed.

    Attributes:
        ids: The listed names, in the host's order.
        installed: The same as rows.
        capabilities: By name, where the host says them.
        windows: Tokens by name, where the host says them.
    """

    ids: tuple[str, ...] = ()
    capabilities: Mapping[str, frozenset[str]] = field(default_factory=dict)
    windows: Mapping[str, int] = field(default_factory=dict)
    installed: tuple[Installed, ...] = ()

    def find(self, model: str) -> Installed | None:
        """Give the row of a model, by its whole name; `:latest` stands for no tag."""
        wanted = model.strip().casefold().removesuffix(":latest")
        rows = ((row.name.casefold().removesuffix(":latest"), row) for row in self.installed)
        return next((row for name, row in rows if name == wanted), None)

    def close_to(self, model: str) -> list[str]:
        """Give up to three listed names that look like `model`."""
        return difflib.get_close_matches(sent_name(model), self.ids, n=3, cutoff=0.6)


async def fetch_catalogue(client: httpx2.AsyncClient) -> Catalogue | None:
    """Ask which ids the host lists; None where it does not say within 5 seconds."""
    reply = await _ask(client, "GET", "/api/tags")
    rows = reply.get("models")
    if not isinstance(rows, list):
        return None
    ids: list[str] = []
    capabilities: dict[str, frozenset[str]] = {}
    windows: dict[str, int] = {}
    installed: list[Installed] = []
    for row in rows:
        name = row.get("model") or row.get("name") if isinstance(row, dict) else None
        if not isinstance(name, str):
            continue
        ids.append(name)
        installed.append(_installed(name, row))
        if isinstance(listed := row.get("capabilities"), list):
            capabilities[name] = frozenset(map(str, listed))
        details = row.get("details")
        if isinstance(details, dict) and (window := _positive(details.get("context_length"))):
            windows[name] = window
    return Catalogue(ids=tuple(ids), capabilities=capabilities, windows=windows, installed=tuple(installed))


def _installed(name: str, row: Mapping[str, Any]) -> Installed:
    words = [str(row[key]) for key in ("remote_host", "remote_model") if row.get(key)]
    digest = row.get("digest")
    return Installed(
        name=name,
        size=_positive(row.get("size")) or 0,
        digest=digest if isinstance(digest, str) and digest else None,
        remote=" ".join(words) or None,
    )


async def fetch_traits(client: httpx2.AsyncClient, model: str, catalogue: Catalogue | None) -> Traits:
    """Give what is known of `model`: thinking from the catalogue, else the table; the window the other way round.

    A model that is in neither is asked for by name (`/api/show`, which is sent the name and nothing else).
    """
    traits = traits_of(model)
    if catalogue is not None:
        for name in filter(lambda listed: same_model(listed, model), catalogue.ids):
            traits = _merged(traits, catalogue.capabilities.get(name), catalogue.windows.get(name))
    if traits.think is None or traits.window is None:
        shown = await _ask(client, "POST", "/api/show", json={"model": sent_name(model)})
        traits = _merged(traits, _capabilities(shown), _window(shown))
    return traits


async def fetch_required_plans(client: httpx2.AsyncClient) -> dict[str, str]:
    """Give, by id, the plan that a model needs, where the host says it. An experimental route; often empty."""
    reply = await _ask(client, "GET", "/api/experimental/model-recommendations")
    rows = reply.get("recommendations") or reply.get("models")
    plans: dict[str, str] = {}
    for row in rows if isinstance(rows, list) else ():
        if (
            isinstance(row, dict)
            and isinstance(row.get("model"), str)
            and isinstance(row.get("required_plan"), str)
        ):
            plans[sent_name(row["model"])] = row["required_plan"]
    return plans


def _merged(traits: Traits, capabilities: frozenset[str] | None, window: int | None) -> Traits:
    think = traits.think
    if capabilities is not None:
        think = (think or True) if "thinking" in capabilities else False
    return replace(traits, think=think, window=traits.window or window)


def _capabilities(shown: Mapping[str, Any]) -> frozenset[str] | None:
    listed = shown.get("capabilities")
    return frozenset(map(str, listed)) if isinstance(listed, list) else None


def _window(shown: Mapping[str, Any]) -> int | None:
    info = shown.get("model_info")
    if not isinstance(info, dict):
        return None
    found = (_positive(value) for key, value in info.items() if str(key).endswith(".context_length"))
    return next((window for window in found if window), None)


def _positive(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


async def _ask(client: httpx2.AsyncClient, method: str, path: str, **content: Any) -> dict[str, Any]:
    """Give the object that the host answers, or an empty one: a catalogue that fails costs no seat."""
    with anyio.move_on_after(_TIMEOUT_S):
        try:
            async with client.stream(method, path, **content) as response:
                body = b""
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > _MAX_BYTES:
                        return {}
                value = httpx2.Response(response.status_code, content=body).json()
                return value if response.status_code == 200 and isinstance(value, dict) else {}
        except (httpx2.HTTPError, ValueError, RecursionError):
            return {}
    return {}
