"""The HTTP client that vendors' SDKs are given: it sees every byte, so that provenance is what the host wrote.

An SDK may fill a name in that the host left out, retry, follow a redirect or add headers of its own. This client lets a
request go to its one host only, with that host's key and no other, and keeps the reply as it came.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx2

from claimjury.errors import CallError
from claimjury.models.clients import AGENT, TIMEOUT, EgressMeter, authorities, read_whole, readable_client
from claimjury.models.hosts import Host

__all__ = ["MAX_REPLY_BYTES", "Captured", "Exchange", "WitnessClient", "open_witness"]

MAX_REPLY_BYTES: Final = 50_000_000
_KEYS: Final = ("authorization", "x-api-key", "x-goog-api-key", "api-key")
_KEPT: Final = (
    *_KEYS,
    "accept",
    "accept-encoding",
    "anthropic-beta",
    "anthropic-version",
    "connection",
    "content-length",
    "content-type",
    "host",
    "transfer-encoding",
)


class Captured(Exception):
    """A dry run ends here: the request was made and not sent."""

    def __init__(self, url: str, body: bytes) -> None:
        super().__init__(url)
        self.url = url
        self.body = body


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and what came back.

    Attributes:
        status: The HTTP status.
        headers: Of the reply, names in lower case.
        body: Of the reply, decoded.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class WitnessClient(httpx2.AsyncClient):
    """A client for one seat.

    Attributes:
        last: The last exchange of this seat; None until a reply is whole. A request begins by clearing it.
    """

    def __init__(self, host: Host, *, dry: bool = False, **options: Any) -> None:
        """Make the client of a host; a dry one captures the request and sends nothing."""
        super().__init__(**options)
        self.last: Exchange | None = None
        self._host = host
        self._dry = dry

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send, read the whole reply, and give it as one that was read.

        Raises:
            CallError: The request would go to another host, or the reply is too large.
            Captured: The client is dry.
        """
        self.last = None
        self._confine(request)
        if self._dry:
            raise Captured(str(request.url), request.content)
        response = await super().send(request, **{**options, "stream": True, "follow_redirects": False})
        try:
            body = await read_whole(response, self._host.host, limit=MAX_REPLY_BYTES)
        finally:
            await response.aclose()
        headers = {name.lower(): value for name, value in response.headers.items()}
        self.last = Exchange(
            status=response.status_code,
            headers=headers,
            body=body,
        )
        plain = {
            name: value
            for name, value in headers.items()
            if name not in ("content-encoding", "content-length", "transfer-encoding")
        }
        return httpx2.Response(response.status_code, headers=plain, content=_readable(body), request=request)

    def _confine(self, request: httpx2.Request) -> None:
        """Let a request go to its own host alone, with its own key and no header that says more of this machine."""
        host = f"{request.url.scheme}://{request.url.netloc.decode('ascii')}"
        if host != self._host.host:
            raise CallError(
                "BAD_RESPONSE", f"A request to {host} was refused: this seat is {self._host.host}'s."
            )
        key = self._host.api_key
        for name in list(request.headers):
            foreign = name in _KEYS and (key is None or key not in request.headers[name])
            if foreign or name not in _KEPT:
                del request.headers[name]
        request.headers["user-agent"] = AGENT


def _readable(body: bytes) -> bytes:
    """Give a reply as an SDK can read it: they refuse one whole that names no model, so it gets an empty name.

    The echo is read from the bytes as they came, so the seat is excluded all the same, with the right reason.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return body
    reply = isinstance(value, dict) and ("choices" in value or value.get("type") == "message")
    if reply and not isinstance(value.get("model"), str):
        return json.dumps({**value, "model": ""}).encode()
    return body


def open_witness(host: Host, meter: EgressMeter, *, dry: bool = False) -> WitnessClient:
    """Give the client of one seat at a vendor's host. Proxies of the environment are used, except to loopback.

    Raises:
        ConfigInvalid: A variable of the environment names a proxy or certificates that cannot be used.
    """
    return readable_client(
        lambda: WitnessClient(
            host,
            dry=dry,
            timeout=TIMEOUT,
            trust_env=not host.loopback,
            verify=authorities(host.host),
            event_hooks={"request": [meter.watch_evidence]},
        )
    )
