"""Hosts: where the cloud is, and which host may see the key.

The key is bound to Ollama's own host and to those that the user trusts by name. Loopback does not get it
unless it is trusted so: any process of the machine may listen there. Plain http is for loopback alone.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar, cast
from urllib.parse import urlsplit

from claimjury.errors import ConfigInvalid
from claimjury.text import clean_line, clip
from claimjury.values import Value

V = TypeVar("V")

__all__ = [
    "DEFAULT_HOST",
    "HOST_VARIABLE",
    "KEY_PAGE",
    "KEY_VARIABLE",
    "Cloud",
    "Host",
    "base_url",
    "checked_key",
    "is_loopback",
]

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
class Host:
    """A host that jurors are asked at, and the key for it.

    Attributes:
        host: Scheme and authority, without a path, like `https://ollama.com`.
        api_key: The key, never shown by `repr`; None or empty means that there is none.
        trusted_hosts: Base URLs that the user trusts as a place of honest answers.
    """

    host: str
    api_key: str | None = field(default=None, repr=False)
    trusted_hosts: tuple[str, ...] = ()

    @property
    def trusted(self) -> bool:
        """Whether an answer from this host counts as verified."""
        return self.host in self.trusted_hosts

    @property
    def loopback(self) -> bool:
        """Whether the host is this machine."""
        return is_loopback(urlsplit(self.host).hostname or "")

    @property
    def vendor(self) -> str:
        """Who runs the host."""
        return _whose(self)

    @property
    def key_variable(self) -> str | None:
        """The variable that holds its key; None where it needs none."""
        return None

    @property
    def key_page(self) -> str | None:
        """Where a key is made."""
        return None

    @property
    def network_hint(self) -> str:
        """What to look at where the connection fails."""
        return "Check the network and HTTPS_PROXY."

    def headers(self) -> dict[str, str]:
        """Give the headers that carry the key; none where this host must not see it."""
        return {}

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloud(Host):
    """One Ollama cloud: its base URL and the key for it.

    Attributes:
        trusted_hosts: Base URLs that the user trusts with the key and as a place of honest answers.
    """

    host: str = DEFAULT_HOST

    @classmethod
    def from_env(cls, environ: Mapping[str, str], *, trusted_hosts: tuple[str, ...] = ()) -> Cloud:
        """Read the key and the host from the environment.

        Raises:
            ConfigInvalid: `OLLAMA_CLOUD_HOST` is no base URL, is plain http to another machine, or is
                neither the default, loopback, nor trusted.
        """
        trusted = tuple(base_url(host, "The trusted host") for host in trusted_hosts)
        host = base_url(environ.get(HOST_VARIABLE, "").strip() or DEFAULT_HOST, HOST_VARIABLE)
        if host not in (DEFAULT_HOST, *trusted) and not is_loopback(urlsplit(host).hostname or ""):
            raise ConfigInvalid(
                f"{HOST_VARIABLE} is {host}, which is not a trusted host.",
                hint=f"Unset it to use {DEFAULT_HOST}. Evidence and the key go to no host that you have not trusted.",
            )
        key = checked_key(environ.get(KEY_VARIABLE, "").strip(), KEY_VARIABLE, KEY_PAGE)
        return cls(host=host, api_key=key, trusted_hosts=trusted)

    @property
    def trusted(self) -> bool:
        """Whether an answer from this host counts as verified."""
        return self.host in (DEFAULT_HOST, *self.trusted_hosts)

    @property
    def vendor(self) -> str:
        """Who runs the host."""
        return "Ollama Cloud" if self.host == DEFAULT_HOST else _whose(self)

    @property
    def key_variable(self) -> str | None:
        """The variable that holds its key."""
        return KEY_VARIABLE

    @property
    def key_page(self) -> str | None:
        """Where a key is made."""
        return KEY_PAGE

    @property
    def network_hint(self) -> str:
        """What to look at where the connection fails."""
        return f"Check the network, HTTPS_PROXY, and {HOST_VARIABLE}."

    def headers(self) -> dict[str, str]:
        """Give the header that carries the key, or none where this host must not see it."""
        return {"Authorization": f"Bearer {self.api_key}"} if self.api_key and self.trusted else {}


def _whose(host: Host) -> str:
    return "this machine" if host.loopback else "a host of your own configuration"


def checked_key(key: str, variable: str, page: str | None = None) -> str | None:
    """Give the key, or None for an empty one; one that no header can carry is refused without being shown.

    Raises:
        ConfigInvalid: It holds such a character.
    """
    if not key:
        return None
    if not all("!" <= char <= "~" for char in key):
        raise ConfigInvalid(
            f"{variable} holds characters that no key has: blanks, line ends or letters of other scripts.",
            hint=f"Copy it once more{f' from {page}' if page else ''}.",
        )
    return key


def base_url(url: str, what: str, *, paths: Collection[str] | None = ("", "/api")) -> str:
    """Give scheme and authority of a base URL, checked.

    Args:
        url: As given.
        what: Its name in messages.
        paths: The paths that it may have, which are taken off; None allows any and keeps it.

    Raises:
        ConfigInvalid: It is none, holds a password, or is plain http to another machine.
    """
    shown = clip(clean_line(url.rpartition("@")[2]), 80)
    try:
        parts = urlsplit(url.rstrip("/"))
        port = parts.port
    except ValueError as error:
        raise ConfigInvalid(f"{what} {shown!r} is not a URL.", hint=_LIKE) from error
    if "@" in parts.netloc:
        raise ConfigInvalid(
            f"{what} {shown!r} holds a user or a password.",
            hint="Take them out; keys are read from the environment.",
        )
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ConfigInvalid(f"{what} {shown!r} is not a base URL.", hint=_LIKE)
    if paths is not None and parts.path not in paths:
        raise ConfigInvalid(f"{what} {shown!r} has a path.", hint=_LIKE)
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ConfigInvalid(
            f"{what} {shown!r} is plain http to another machine.",
            hint="Use https; http is for loopback.",
        )
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    # httpx leaves a scheme's own port out of what it says it asked.
    port = None if port == {"http": 80, "https": 443}[parts.scheme] else port
    path = parts.path if paths is None else ""
    return f"{parts.scheme}://{name}{'' if port is None else f':{port}'}{path}"


_LIKE: Final = f"It looks like {DEFAULT_HOST}."
