"""The HTTP client of Ollama's native API: no redirect, no key to loopback, and every byte sent is counted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from claimjury.models.clients import AGENT, TIMEOUT, EgressMeter, authorities, readable_client
from claimjury.models.hosts import Host

__all__ = ["open_client"]


@asynccontextmanager
async def open_client(host: Host, meter: EgressMeter) -> AsyncIterator[httpx2.AsyncClient]:
    """Open the client of one run at a host. Proxies of the environment are used, except to loopback.

    Raises:
        ConfigInvalid: A variable of the environment names a proxy or certificates that cannot be used.
    """
    async with readable_client(lambda: _client(host, meter)) as client:
        yield client


def _client(host: Host, meter: EgressMeter) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        base_url=host.host,
        headers={"User-Agent": AGENT, **host.headers()},
        timeout=TIMEOUT,
        follow_redirects=False,
        verify=authorities(host.host),
        trust_env=not host.loopback,
        event_hooks={"request": [meter.watch]},
    )
