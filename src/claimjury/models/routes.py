"""Routes: where each model of a panel is asked, by which name, and of which family it is.

The first segment of an id decides: a provider's name or that of a server of the user's settings; anything else is
Ollama's, `hf.co/...` and `user/model` included, and `ollama/...` forces it. With a daemon, Ollama's are the daemon's.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from claimjury.models.daemon import Daemon
from claimjury.models.families import Lineage, lineage_of
from claimjury.models.hosts import Cloud, Host
from claimjury.models.names import named_by_host, sent_name
from claimjury.models.providers import DAEMON, OLLAMA, PROVIDERS, Provider, ProviderHost

__all__ = ["Access", "Backend", "Route", "provider_hosts"]

Backend = Literal["cloud", "local"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One model and the way to it.

    Attributes:
        model: The id as the panel names it.
        provider: `ollama`, `daemon`, or the first segment of the id.
        name: The id without its provider: what the host's answer must name.
        host: Where it is asked.
        lineage: Its families.
        own_family: Its family is the word of the user's settings.
        window: Its context window in tokens, by the user's settings.
    """

    model: str
    provider: str
    name: str
    host: Host
    lineage: Lineage
    own_family: bool = False
    window: int | None = None

    @property
    def sent_name(self) -> str:
        """The name as the host takes it: the cloud suffix is for daemons alone."""
        return sent_name(self.name) if self.provider == OLLAMA else self.name

    @property
    def backend(self) -> Backend:
        """`local` where the model runs on this machine; a daemon hands on what has the cloud suffix."""
        return "local" if self.provider == DAEMON and sent_name(self.name) == self.name else "cloud"

    @property
    def family(self) -> str:
        """The family that counts."""
        return self.lineage.family


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a run may reach, and how: all of it comes from the environment, the user's settings and flags.

    Attributes:
        cloud: Ollama's cloud.
        hosts: Providers and servers, by the first segment of their ids.
        daemon: The local daemon, where the user asked for it by name; then Ollama's ids are its.
        families: The user's own map of ids to families.
        windows: The user's own context windows by id, in tokens.
    """

    cloud: Cloud = field(default_factory=Cloud)
    hosts: Mapping[str, ProviderHost] = field(default_factory=dict)
    daemon: Daemon | None = None
    families: Mapping[str, str] = field(default_factory=dict)
    windows: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_env(
        cls,
        environ: Mapping[str, str] | None = None,
        *,
        trusted_hosts: tuple[str, ...] = (),
        servers: Mapping[str, Provider] | None = None,
        families: Mapping[str, str] | None = None,
        windows: Mapping[str, int] | None = None,
        local: bool = False,
    ) -> Access:
        """Read keys and hosts from the environment; this process's own by default.

        Raises:
            ConfigInvalid: A variable of a host or of Ollama's key cannot be used.
        """
        env = os.environ if environ is None else environ
        cloud = Cloud.from_env(env, trusted_hosts=trusted_hosts)
        return cls(
            cloud=cloud,
            hosts=provider_hosts(env, servers or {}, trusted_hosts=cloud.trusted_hosts),
            daemon=Daemon.from_env(env) if local else None,
            families=families or {},
            windows=windows or {},
        )

    def route(self, model: str) -> Route:
        """Give the way to a model; its id was checked.

        Raises:
            ConfigInvalid: The variable of its provider's key holds what no key can be.
        """
        provider, name = named_by_host(model, self.hosts)
        lineage = lineage_of(model, self.families)
        if provider != OLLAMA:
            host: Host = self.hosts[provider].checked()
        elif self.daemon is not None:
            provider, host = DAEMON, self.daemon
        else:
            host = self.cloud
        return Route(
            model=model,
            provider=provider,
            name=name,
            host=host,
            lineage=lineage,
            own_family=lineage != lineage_of(model),
            window=self.windows.get(model),
        )


def provider_hosts(
    environ: Mapping[str, str], servers: Mapping[str, Provider], *, trusted_hosts: tuple[str, ...] = ()
) -> dict[str, ProviderHost]:
    """Give the host of every provider and server, with its key of the environment."""
    rows = {**PROVIDERS, **servers}
    return {name: ProviderHost.of(row, environ, trusted_hosts=trusted_hosts) for name, row in rows.items()}
