"""The HTTP client of a run: no redirect, no key to loopback, a bounded body, and every byte sent is counted."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import urlsplit

import httpx2

from claimjury.models.hosts import Cloud, is_loopback

__all__ = ["EgressMeter", "open_client"]

# A model may think for minutes before its first byte; the seat's own time limit covers reading.
_TIMEOUT: Final = httpx2.Timeout(connect=20.0, read=None, write=120.0, pool=None)
_AGENT: Final = "claimjury (+https://pypi.org/project/claimjury)"


class EgressMeter:
    """Counts the bytes of request bodies handed to the network, by host."""

    def __init__(self) -> None:
        self.bytes_by_host: dict[str, int] = {}

    async def count(self, request: httpx2.Request) -> None:
        """Add the body of one request. Headers are not counted."""
        host = f"{request.url.scheme}://{request.url.netloc.decode('ascii')}"
        self.bytes_by_host[host] = self.bytes_by_host.get(host, 0) + len(request.content)


def _authorities(host: str) -> ssl.SSLContext | bool:
    """Give the system's certificate authorities, or none for plain http: loading them takes 20 ms a run."""
    return True if host.startswith("https://") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@asynccontextmanager
async def open_client(cloud: Cloud, meter: EgressMeter) -> AsyncIterator[httpx2.AsyncClient]:
    """Open the client of one run. Proxies of the environment are used, except to loopback."""
    async with httpx2.AsyncClient(
        base_url=cloud.host,
        headers={"User-Agent": _AGENT, **cloud.headers()},
        timeout=_TIMEOUT,
        follow_redirects=False,
        verify=_authorities(cloud.host),
        trust_env=not is_loopback(urlsplit(cloud.host).hostname or ""),
        event_hooks={"request": [meter.count]},
    ) as client:
        yield client
