"""The local daemon: Ollama on this machine, asked only where a user says so.

`OLLAMA_HOST` as Ollama's own clients read it (`envconfig.Host`): a host, a port, both, or a URL; the port is 11434
where none is said, and an address that means every interface is asked on loopback.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from claimjury.errors import ConfigInvalid
from claimjury.models.hosts import Host, base_url, is_loopback

__all__ = ["DAEMON_VARIABLE", "Daemon"]

DAEMON_VARIABLE: Final = "OLLAMA_HOST"
_PORT: Final = 11434
_ANY: Final = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - read, never bound to.


@dataclass(frozen=True, slots=True, kw_only=True)
class Daemon(Host):
    """The daemon of this machine. It takes no key."""

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Daemon:
        """Read where it listens.

        Raises:
            ConfigInvalid: `OLLAMA_HOST` is no host, or is another machine.
        """
        given = environ.get(DAEMON_VARIABLE, "").strip().strip("\"'")
        host = base_url(_as_url(given), DAEMON_VARIABLE, paths=("", "/", "/api"))
        if not is_loopback(urlsplit(host).hostname or ""):
            raise ConfigInvalid(
                f"{DAEMON_VARIABLE} is {host}, which is another machine; local means this one.",
                hint="Unset it, or name that machine as a server in your settings ([servers.NAME], base_url ending in /v1).",
            )
        return cls(host=host)

    @property
    def vendor(self) -> str:
        """Who runs the host."""
        return "the Ollama daemon of this machine"

    @property
    def network_hint(self) -> str:
        """What to look at where the connection fails."""
        return f"Start it (`ollama serve`), or point {DAEMON_VARIABLE} at it."


def _as_url(given: str) -> str:
    scheme, found, rest = given.partition("://")
    if not found:
        scheme, rest = "http", given
    authority, slash, path = rest.partition("/")
    try:
        parts = urlsplit(f"{scheme}://{authority}")
        name, port = parts.hostname or "", parts.port
    except ValueError:
        return f"{scheme}://{rest}"  # What is wrong with it is said by whoever checks it.
    name = _ANY.get(name, name)
    shown = f"[{name}]" if ":" in name else name
    default = {"http": _PORT if not found else 80, "https": 443}.get(scheme, _PORT)
    return f"{scheme}://{shown}:{port or default}{slash}{path}"
