"""Hosts: where the cloud is, and which host may see the key.

The key is bound to Ollama's own host and to those that the user trusts by name. Loopback does not get it
unless it is trusted so: any process of the machine may listen there. Plain http is for loopback alone.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar, cast
from urllib.parse import urlsplit

from claimjury.errors import ConfigInvalid
from claimjury.text import clean_line, clip
from claimjury.values import Value

V = TypeVar("V")

__all__ = ["DEFAULT_HOST", "HOST_VARIABLE", "KEY_PAGE", "KEY_VARIABLE", "Cloud", "is_loopback"]

DEFAULT_HOST: Final = "https://ollama.com"
KEY_VARIABLE: Final = "OLLAMA_API_KEY"
HOST_VARIABLE: Final = "OLLAMA_CLOUD_HOST"
MIN_KEY: Final = 8
"""Characters. Real keys have far more, and a stub would be found in every text that a host sends."""
KEY_PAGE: Final = "https://ollama.com/settings/keys"


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloud:
    """One Ollama cloud: its base URL and the key for it.

    Attributes:
        host: Scheme and authority, without a path, like `https://ollama.com`.
        api_key: The key, never shown by `repr`; None or empty means that there is none.
        trusted_hosts: Base URLs that the user trusts with the key and as a place of honest answers.
    """

    host: str = DEFAULT_HOST
    api_key: str | None = field(default=None, repr=False)
    trusted_hosts: tuple[str, ...] = ()

    @classmethod
    def from_env(cls, environ: Mapping[str, str], *, trusted_hosts: tuple[str, ...] = ()) -> Cloud:
        """Read the key and the host from the environment.

        Raises:
            ConfigInvalid: `OLLAMA_CLOUD_HOST` is no base URL, is plain http to another machine, or is
                neither the default, loopback, nor trusted.
        """
        trusted = tuple(_base_url(host, "The trusted host") for host in trusted_hosts)
        host = _base_url(environ.get(HOST_VARIABLE, "").strip() or DEFAULT_HOST, HOST_VARIABLE)
        if host not in (DEFAULT_HOST, *trusted) and not is_loopback(urlsplit(host).hostname or ""):
            raise ConfigInvalid(
                f"{HOST_VARIABLE} is {host}, which is not a trusted host.",
                hint=f"Unset it to use {DEFAULT_HOST}. Evidence and the key go to no host that you have not trusted.",
            )
        return cls(
            host=host, api_key=_checked_key(environ.get(KEY_VARIABLE, "").strip()), trusted_hosts=trusted
        )

    @property
    def trusted(self) -> bool:
        """Whether an answer from this host counts as verified."""
        return self.host in (DEFAULT_HOST, *self.trusted_hosts)

    @property
    def loopback(self) -> bool:
        """Whether the host is this machine."""
        return is_loopback(urlsplit(self.host).hostname or "")

    def headers(self) -> dict[str, str]:
        """Give the header that carries the key, or none where this host must not see it."""
        return {"Authorization": f"Bearer {self.api_key}"} if self.api_key and self.trusted else {}

    def scrub(self, value: V) -> V:
        """Give what a host said without the key, should it echo it: a string, or data made of them."""
        key = self.api_key
        if key is None or len(key) < MIN_KEY:
            return value
        if isinstance(value, Value):
            return type(value).model_validate(self.scrub(value.model_dump()))
        if isinstance(value, str):
            return cast("V", value.replace(key, "[key]"))
        if isinstance(value, dict):
            return cast("V", {name: self.scrub(item) for name, item in value.items()})
        if isinstance(value, (list, tuple)):
            return cast("V", type(value)(self.scrub(item) for item in value))
        return value


def _checked_key(key: str) -> str | None:
    """Give the key, or None for an empty one; one that no header can carry is refused without being shown."""
    if not key:
        return None
    if not all("!" <= char <= "~" for char in key):
        raise ConfigInvalid(
            f"{KEY_VARIABLE} holds characters that no key has: blanks, line ends or letters of other scripts.",
            hint=f"Copy it once more from {KEY_PAGE}.",
        )
    return key


def _base_url(url: str, what: str) -> str:
    shown = clip(clean_line(url.rpartition("@")[2]), 80)
    try:
        parts = urlsplit(url.rstrip("/"))
        port = parts.port
    except ValueError as error:
        raise ConfigInvalid(f"{what} {shown!r} is not a URL.", hint=_LIKE) from error
    if "@" in parts.netloc:
        raise ConfigInvalid(
            f"{what} {shown!r} holds a user or a password.",
            hint=f"Take them out; the key is read from {KEY_VARIABLE}.",
        )
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ConfigInvalid(f"{what} {shown!r} is not a base URL.", hint=_LIKE)
    if parts.path not in ("", "/api"):
        raise ConfigInvalid(f"{what} {shown!r} has a path.", hint=_LIKE)
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ConfigInvalid(
            f"{what} {shown!r} is plain http to another machine.",
            hint="Use https; http is for loopback.",
        )
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{name}{'' if port is None else f':{port}'}"


_LIKE: Final = f"It looks like {DEFAULT_HOST}."
