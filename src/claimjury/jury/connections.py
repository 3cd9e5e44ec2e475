"""Connections: the open clients of one run, one per host, and the jurors that are asked through them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from claimjury.jury.result import UNTHINKING_TEMPERATURE, JurorParams
from claimjury.models.calls import Lane
from claimjury.models.clients import EgressMeter
from claimjury.models.hosts import Host
from claimjury.models.ollama.client import open_client
from claimjury.models.ollama.model import OllamaModel, ollama_settings
from claimjury.models.providers import ProviderHost
from claimjury.models.routes import Route

if TYPE_CHECKING:
    import httpx2

    from claimjury.models.vendors.model import VendorModel

__all__ = ["Connections", "Juror"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Juror:
    """Who sits, and how it is asked.

    Attributes:
        settings: Of a request.
        unthinking: The same without thinking, once the host has refused it.
    """

    route: Route
    client_model: Model[Any]
    settings: ModelSettings
    unthinking: ModelSettings

    @property
    def model(self) -> str:
        """The id as the panel names it."""
        return self.route.model


class Connections:
    """The clients of a run. Leave it, and they are closed.

    Attributes:
        meter: Counts what is sent through any of them.
    """

    def __init__(self, *, dry: bool = False) -> None:
        """Begin with none open; dry ones of vendors capture what they are given and send nothing."""
        self.meter = EgressMeter()
        self._dry = dry
        self._stack = AsyncExitStack()
        self._clients: dict[str, httpx2.AsyncClient] = {}
        self._lanes: dict[str, Lane] = {}
        self._vendors: dict[str, VendorModel] = {}

    async def __aenter__(self) -> Self:
        await self._stack.__aenter__()
        return self

    async def __aexit__(self, *trouble: object) -> None:
        await self._stack.aclose()

    async def open(self, routes: Iterable[Route]) -> None:
        """Open the client of every route, before anything runs at once: what is wrong must not leave a group of tasks.

        Raises:
            ConfigInvalid: A variable of the environment names a proxy or certificates that cannot be used.
        """
        for route in routes:
            if isinstance(route.host, ProviderHost):
                await self.vendor(route, route.host)
            else:
                await self.ollama(route.host)

    async def ollama(self, host: Host) -> httpx2.AsyncClient:
        """Give the client of Ollama's native API at a host.

        Raises:
            ConfigInvalid: A variable of the environment names a proxy or certificates that cannot be used.
        """
        if host.host not in self._clients:
            self._clients[host.host] = await self._stack.enter_async_context(open_client(host, self.meter))
        return self._clients[host.host]

    async def vendor(self, route: Route, host: ProviderHost) -> VendorModel:
        """Give the model of a vendor, with a client of its own.

        Raises:
            ConfigInvalid: As `ollama`.
        """
        from claimjury.models.vendors.model import VendorModel
        from claimjury.models.vendors.witness import open_witness

        if route.model not in self._vendors:
            client = await self._stack.enter_async_context(open_witness(host, self.meter, dry=self._dry))
            self._vendors[route.model] = VendorModel(route.sent_name, host=host, client=client)
        return self._vendors[route.model]

    def lane(self, route: Route) -> Lane:
        """Give the queue of a route's host."""
        return self._lanes.setdefault(route.host.host, Lane())

    async def juror(self, route: Route, params: JurorParams) -> Juror:
        """Give a juror, ready to be asked.

        Raises:
            ConfigInvalid: As `ollama`.
        """
        if isinstance(route.host, ProviderHost):
            from claimjury.models.vendors.model import vendor_settings

            return Juror(
                route=route,
                client_model=await self.vendor(route, route.host),
                settings=vendor_settings(
                    max_tokens=params.num_predict,
                    think=None if params.think is None else str(params.think),
                    temperature=params.temperature,
                ),
                unthinking=vendor_settings(
                    max_tokens=params.num_predict, think=None, temperature=UNTHINKING_TEMPERATURE
                ),
            )
        client = await self.ollama(route.host)
        return Juror(
            route=route,
            client_model=OllamaModel(params.sent_model, host=route.host, client=client),
            settings=ollama_settings(
                num_predict=params.num_predict,
                think=params.think,
                temperature=params.temperature,
                num_ctx=params.num_ctx,
            ),
            unthinking=ollama_settings(
                num_predict=params.num_predict,
                think=None,
                temperature=UNTHINKING_TEMPERATURE,
                num_ctx=params.num_ctx,
            ),
        )
