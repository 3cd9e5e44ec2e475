"""Loading: environment over project over user over defaults, and the origin of every value. Flags come on top."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource

from claimjury.errors import ConfigInvalid
from claimjury.jury.verify import VerifyOptions
from claimjury.models.daemon import Daemon
from claimjury.models.hosts import Cloud
from claimjury.models.providers import make_server
from claimjury.models.routes import Access
from claimjury.settings.files import find_project_file, nearest, read_project, read_user, user_file
from claimjury.settings.model import ENV_PREFIX, LOWERED, PROJECT_RULES, USER_ONLY, Settings
from claimjury.settings.panels import checked_families
from claimjury.text import clean_line

__all__ = ["OWN_VARIABLES", "Loaded", "as_toml", "load_settings"]

OWN_VARIABLES = ("CLAIMJURY_TRACEBACK",)
"""Variables with the prefix that are no settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The settings and where each comes from.

    Attributes:
        settings: The values.
        origins: By name: a variable, a file, or `default`.
        access: Hosts, keys and families, trusted and extended as the user's settings say.
        project: The project's file, as it stands in `origins`; None where there is none.
    """

    settings: Settings
    origins: Mapping[str, str]
    access: Access
    project: str | None = None

    @property
    def cloud(self) -> Cloud:
        """Ollama's cloud."""
        return self.access.cloud

    def with_daemon(self, environ: Mapping[str, str]) -> Loaded:
        """Give the same with the local daemon, which Ollama's ids are then asked at.

        Raises:
            ConfigInvalid: `OLLAMA_HOST` is no host, or another machine.
        """
        return replace(self, access=replace(self.access, daemon=Daemon.from_env(environ)))

    @property
    def rules_from_project(self) -> tuple[str, ...]:
        """The settings that bear on a verdict and come from the project's file, whose author may be the judged."""
        return tuple(
            name
            for name in Settings.model_fields
            if name in PROJECT_RULES and self.project is not None and self.origins[name] == self.project
        )

    def options(self) -> VerifyOptions:
        """Give the options of a run that settings and flags say."""
        chosen = self.settings
        return VerifyOptions(
            source_paths=chosen.sources,
            settle=chosen.settle,
            panel=chosen.panel,
            author=chosen.author,
            alternates=chosen.alternates,
            allow_same_family=chosen.allow_same_family,
            max_cost_usd=chosen.max_cost,
            max_tokens=chosen.max_tokens,
            min_refute_votes=chosen.min_refute_votes,
            polarity=chosen.polarity,
            roots=chosen.roots or None,
            allow_secrets=chosen.allow_secrets,
            redact=chosen.redact,
            strip_comments=chosen.strip_comments,
            deadline_s=chosen.deadline,
            reask=chosen.reask,
            require_quotes=chosen.require_quotes,
            access=self.access,
            warnings=[f"rules_from_project:{', '.join(named)}"] if (named := self.rules_from_project) else [],
        )

    def with_flags(self, flags: Mapping[str, Any]) -> Loaded:
        """Give the settings with those of a command line on top; None is a flag that was not given.

        They are not checked here: the request that they go into checks them, and names them as the user did.
        """
        given = {name: value for name, value in flags.items() if value is not None}
        settings = self.settings.model_copy(update=given)
        return replace(self, settings=settings, origins={**self.origins, **dict.fromkeys(given, "flag")})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    origin: str
    values: Mapping[str, Any]


def load_settings(environ: Mapping[str, str], *, cwd: Path | None = None) -> Loaded:
    """Load the settings of this user in this folder.

    Raises:
        ConfigInvalid: A file or a variable says something that it may not, or that is no setting.
    """
    user = _Layer(origin=str(user_file()), values=read_user(user_file()))
    project = _from_project(_working_directory() if cwd is None else cwd, user)
    layers = [_from_env(environ), *project, user]
    settings = _build(layers)
    origins = {name: _origin(name, layers) for name in Settings.model_fields}
    return Loaded(
        settings=settings,
        origins=origins,
        access=_access(environ, settings),
        project=project[0].origin if project else None,
    )


def _access(environ: Mapping[str, str], settings: Settings) -> Access:
    servers = {
        name: make_server(name, server.base_url, server.key_variable)
        for name, server in settings.servers.items()
    }
    return Access.from_env(
        environ,
        trusted_hosts=settings.trusted_hosts,
        servers=servers,
        families=checked_families(settings.families),
        windows=settings.windows,
    )


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise ConfigInvalid(
            f"The working directory cannot be found: {error.strerror}.",
            hint="It may have been deleted. Change into one that exists.",
        ) from error


def _from_env(environ: Mapping[str, str]) -> _Layer:
    names = {f"{ENV_PREFIX}{name}".upper(): name for name in Settings.model_fields}
    given: dict[str, Any] = {}
    for variable, value in environ.items():
        if not variable.upper().startswith(ENV_PREFIX) or variable in OWN_VARIABLES or not value:
            continue
        name = names.get(variable.upper())
        if name is None:
            close = nearest(variable.upper().removeprefix(ENV_PREFIX), Settings.model_fields)
            raise ConfigInvalid(f"The variable {clean_line(variable)} is no setting.", hint=close)
        if name in USER_ONLY:
            raise ConfigInvalid(
                f"The variable {variable} sets `{name}`, which comes from your settings file or a flag alone.",
                hint=f"Put it into {user_file()}.",
            )
        given[name] = value
    return _Layer(origin="environment", values=given)


def _from_project(cwd: Path, user: _Layer) -> list[_Layer]:
    found = find_project_file(cwd)
    if found is None:
        return []
    path, table = found
    checked = _build([user])
    allowed = {name: getattr(checked, name) for name in ("roots", "project_providers", "servers", *LOWERED)}
    return [_Layer(origin=str(path), values=read_project(path, table, allowed=allowed))]


def _build(layers: list[_Layer]) -> Settings:
    """Let pydantic-settings merge and check the layers; the first that has a value wins."""

    class Layered(Settings):
        @classmethod
        def settings_customise_sources(
            cls, settings_cls: type[BaseSettings], *_theirs: Any, **_named: Any
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return tuple(InitSettingsSource(settings_cls, dict(layer.values)) for layer in layers)

    try:
        return Layered()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "?"
        origin = _origin(name, layers)
        # Neither TOML nor a shell has tuples.
        said = first["msg"].replace("valid tuple", "valid list")
        raise ConfigInvalid(
            f"The setting `{name}` of {origin} is wrong: {said}.",
            hint=f"Correct it there, to the form of {_form(name, origin)}.",
        ) from error


def as_toml(value: Any) -> str:
    """Write an example as TOML does: JSON, but for tables."""
    if isinstance(value, dict):
        rows = (f"{_toml_key(name)} = {as_toml(item)}" for name, item in value.items())
        return f"{{ {', '.join(rows)} }}"
    return json.dumps(value)


def _toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _form(name: str, origin: str) -> str:
    """Give an example of a setting, as it is written where it comes from."""
    example: Any = next(iter(Settings.model_fields[name].examples or ()), None)
    if not origin.startswith(ENV_PREFIX):
        return f"{name} = {as_toml(example)}"
    if isinstance(example, list):
        return f"{origin}={','.join(example)}"
    return f"{origin}={example if isinstance(example, str) else json.dumps(example)}"


def _origin(name: str, layers: list[_Layer]) -> str:
    for layer in layers:
        if name in layer.values:
            return f"{ENV_PREFIX}{name.upper()}" if layer.origin == "environment" else layer.origin
    return "default"
