"""HTTP clients: what all of them share. No redirect, certificates of the system, and every byte sent is counted."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import httpx2

from claimjury.errors import CallError, ConfigInvalid
from claimjury.text import clean_line, clip

__all__ = ["AGENT", "TIMEOUT", "EgressMeter", "authorities", "read_whole", "readable_client"]

# A model may think for minutes before its first byte; the seat's own time limit covers reading.
TIMEOUT: Final = httpx2.Timeout(connect=20.0, read=None, write=120.0, pool=None)
AGENT: Final = "claimjury (+https://pypi.org/project/claimjury)"
_CERTIFICATES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR")
Client = TypeVar("Client", bound=httpx2.AsyncClient)


class EgressMeter:
    """Counts the bytes of request bodies that were handed to a connection, by host. Headers are not counted.

    Attributes:
        bytes_by_host: Of all requests. A request that found no connection sent nothing.
        evidence_hosts: Hosts that were handed a prompt.
    """

    def __init__(self) -> None:
        self.bytes_by_host: dict[str, int] = {}
        self.evidence_hosts: set[str] = set()

    async def watch(self, request: httpx2.Request) -> None:
        """Have the transport say when it begins to send the body of `request`; a chat carries evidence."""
        self._watch(request, evidence=request.url.path.endswith("/chat"))

    async def watch_evidence(self, request: httpx2.Request) -> None:
        """Do the same for a client that sends nothing but prompts."""
        self._watch(request, evidence=True)

    def _watch(self, request: httpx2.Request, *, evidence: bool) -> None:
        host = f"{request.url.scheme}://{request.url.netloc.decode('ascii')}"

        async def trace(event: str, _info: Mapping[str, Any]) -> None:
            if event.endswith("send_request_body.started"):
                self.bytes_by_host[host] = self.bytes_by_host.get(host, 0) + len(request.content)
                if evidence:
                    self.evidence_hosts.add(host)

        request.extensions = {**request.extensions, "trace": trace}


def authorities(host: str) -> ssl.SSLContext | bool:
    """Give the system's certificate authorities, or none for plain http: loading them takes 20 ms a run."""
    return True if host.startswith("https://") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def readable_client(make: Callable[[], Client]) -> Client:
    """Give the client that `make` makes, what is wrong with the environment said so that it can be mended.

    Raises:
        ConfigInvalid: A variable of the environment names a proxy or certificates that cannot be used.
    """
    try:
        return make()
    except (OSError, ssl.SSLError) as error:
        named = next((name for name in _CERTIFICATES if os.environ.get(name)), "SSL_CERT_FILE")
        raise ConfigInvalid(
            f"The certificates that {named} names cannot be used: {error.strerror or error}.",
            hint=f"Point {named} at a file of certificates in PEM form, or unset it.",
        ) from error
    except (ValueError, httpx2.InvalidURL) as error:
        raise ConfigInvalid(
            f"A proxy of the environment cannot be used: {clip(clean_line(str(error)), 120)}.",
            hint="HTTPS_PROXY looks like http://proxy.example:3128.",
        ) from error


async def read_whole(response: httpx2.Response, host: str, *, limit: int) -> bytes:
    """Give the body of a response of `host`, of at most `limit` bytes once unpacked.

    Raises:
        CallError: RESPONSE_TOO_LARGE; the rest was not read.
    """
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > limit:
            raise CallError(
                "RESPONSE_TOO_LARGE", f"The reply of {host} is over {limit:,} bytes; the rest was not read."
            )
        chunks.append(chunk)
    return b"".join(chunks)
