"""Providers: the hosts that a panel can name, each with its vendor, its key's variable and the SDK that speaks to it.

Base URLs and variables are those of the vendors' own SDKs. A user's settings may add servers that speak OpenAI's chat
completions. A key is bound to its host: it goes nowhere else, whatever a variable of an SDK says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import urlsplit

from claimjury.errors import ConfigInvalid
from claimjury.models.hosts import DEFAULT_HOST, KEY_VARIABLE, Host, base_url, checked_key
from claimjury.text import clean_line, clip

__all__ = [
    "DAEMON",
    "OLLAMA",
    "PROVIDERS",
    "Adapter",
    "Provider",
    "ProviderHost",
    "is_built_in",
    "make_server",
]

Adapter = Literal["openai", "anthropic", "google", "mistral", "openrouter", "compatible"]
DAEMON: Final = "daemon"
"""The provider of a seat that the local daemon was asked for."""
OLLAMA: Final = "ollama"
"""The first segment that forces Ollama, for a name whose own first segment is a provider's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One row of the table.

    Attributes:
        name: The first segment of its model ids.
        vendor: Who runs it.
        url: Its base URL, path included.
        keys: The variables that may hold its key, the first that is set wins; empty where it needs none.
        key_page: Where a key is made.
        adapter: Which of pydantic-ai's models speaks to it.
        module: What must be importable for that.
        extra: The extra of claimjury that installs it.
    """

    name: str
    vendor: str
    url: str
    keys: tuple[str, ...]
    key_page: str | None = None
    adapter: Adapter
    module: str
    extra: str

    @property
    def install_line(self) -> str:
        """The command that installs what it needs."""
        return f"pip install 'claimjury[{self.extra}]'"


# Groq is spoken to by OpenAI's SDK: Groq's own still needs the older HTTP library, which our client is not.
_ROWS: Final = (
    Provider(
        name="openai",
        vendor="OpenAI",
        url="https://api.openai.com/v1",
        keys=("OPENAI_API_KEY",),
        key_page="https://platform.openai.com/api-keys",
        adapter="openai",
        module="openai",
        extra="openai",
    ),
    Provider(
        name="anthropic",
        vendor="Anthropic",
        url="https://api.anthropic.com",
        keys=("ANTHROPIC_API_KEY",),
        key_page="https://console.anthropic.com/settings/keys",
        adapter="anthropic",
        module="anthropic",
        extra="anthropic",
    ),
    Provider(
        name="google",
        vendor="Google",
        url="https://generativelanguage.googleapis.com",
        keys=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        key_page="https://aistudio.google.com/apikey",
        adapter="google",
        module="google.genai",
        extra="google",
    ),
    Provider(
        name="mistral",
        vendor="Mistral AI",
        url="https://api.mistral.ai",
        keys=("MISTRAL_API_KEY",),
        key_page="https://console.mistral.ai/api-keys",
        adapter="mistral",
        module="mistralai",
        extra="mistral",
    ),
    Provider(
        name="groq",
        vendor="Groq",
        url="https://api.groq.com/openai/v1",
        keys=("GROQ_API_KEY",),
        key_page="https://console.groq.com/keys",
        adapter="compatible",
        module="openai",
        extra="openai",
    ),
    Provider(
        name="openrouter",
        vendor="OpenRouter",
        url="https://openrouter.ai/api/v1",
        keys=("OPENROUTER_API_KEY",),
        key_page="https://openrouter.ai/settings/keys",
        adapter="openrouter",
        module="openai",
        extra="openai",
    ),
)
PROVIDERS: Final[Mapping[str, Provider]] = {row.name: row for row in _ROWS}
_VENDOR_KEYS: Final = frozenset((KEY_VARIABLE, *(key for row in _ROWS for key in row.keys)))
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}")
_TAKEN: Final = (OLLAMA, DAEMON, "local", "hf.co", "huggingface.co", *PROVIDERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderHost(Host):
    """A provider as this run reaches it.

    Attributes:
        provider: Its row of the table.
        url: The base URL that its SDK is given; `host` is its scheme and authority.
        fault: Why its variable holds no key. It costs only those who ask for a model of this provider.
    """

    provider: Provider
    url: str
    fault: ConfigInvalid | None = field(default=None, compare=False)

    @classmethod
    def of(
        cls, provider: Provider, environ: Mapping[str, str], *, trusted_hosts: tuple[str, ...] = ()
    ) -> ProviderHost:
        """Give the host of a provider with the key of the environment."""
        variable = next((name for name in provider.keys if environ.get(name, "").strip()), None)
        given = "" if variable is None else environ[variable].strip()
        key, fault = None, None
        try:
            key = checked_key(given, variable or "", provider.key_page)
        except ConfigInvalid as error:
            fault = error
        return cls(
            provider=provider,
            url=provider.url,
            host=_authority(provider.url),
            api_key=key,
            trusted_hosts=trusted_hosts,
            fault=fault,
        )

    def checked(self) -> ProviderHost:
        """Give the same.

        Raises:
            ConfigInvalid: The variable of its key holds what no key can be.
        """
        if self.fault is not None:
            raise self.fault
        return self

    @property
    def trusted(self) -> bool:
        """Whether an answer from this host counts as verified: a vendor's own, or one that the user trusts by name."""
        built_in = PROVIDERS.get(self.provider.name)
        return (built_in is not None and built_in.url == self.url) or self.host in self.trusted_hosts

    @property
    def vendor(self) -> str:
        """Who runs the host."""
        return self.provider.vendor

    @property
    def key_variable(self) -> str | None:
        """The variable that holds its key."""
        return next(iter(self.provider.keys), None)

    @property
    def key_page(self) -> str | None:
        """Where a key is made."""
        return self.provider.key_page


def is_built_in(provider: str, host: str) -> bool:
    """Whether a host is a provider's own, as the table has it."""
    if provider == OLLAMA:
        return host == DEFAULT_HOST
    row = PROVIDERS.get(provider)
    return row is not None and _authority(row.url) == host


def _authority(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def make_server(name: str, url: str, key_variable: str | None = None) -> Provider:
    """Give the row of an OpenAI-compatible server of the user's own.

    Raises:
        ConfigInvalid: Its name is taken or odd, its URL cannot be used, or its key is bound to another host.
    """
    shown = clip(clean_line(name), 60)
    if not _NAME.fullmatch(name) or name in _TAKEN:
        raise ConfigInvalid(
            f"[servers.{shown}]: the name {'is taken' if name in _TAKEN else 'cannot be one'}.",
            hint="Use small letters, digits, - and _; it becomes the first segment of its model ids.",
        )
    address = base_url(url, f"The base_url of [servers.{shown}]", paths=None)
    if key_variable is not None and not _VARIABLE.fullmatch(key_variable):
        raise ConfigInvalid(
            f"[servers.{shown}]: key_variable is not the name of a variable.",
            hint="Write the variable's name there, never the key.",
        )
    if key_variable in _VENDOR_KEYS:
        raise ConfigInvalid(
            f"[servers.{shown}]: {key_variable} is bound to its vendor's own host and goes nowhere else.",
            hint="Give the server's key a variable of its own, and name that one.",
        )
    return Provider(
        name=name,
        vendor=f"your server {name}",
        url=address,
        keys=() if key_variable is None else (key_variable,),
        adapter="compatible",
        module="openai",
        extra="openai",
    )
