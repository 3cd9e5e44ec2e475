"""Settings, read from the environment and from an optional file."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

ENV_PREFIX = "PARCEL_"


@dataclass(frozen=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8080
    cache_ttl: float = 30.0
    carriers: tuple[str, ...] = field(default=("north", "south"))
    debug: bool = False


def _as_bool(text):
    return text.strip().lower() in {"1", "yes", "true", "on"}


def read_env(environ=None):
    """Collect the variables that start with the prefix."""
    environ = os.environ if environ is None else environ
    found = {}
    for name, value in environ.items():
        if name.startswith(ENV_PREFIX):
            found[name[len(ENV_PREFIX):].lower()] = value
    return found


def load_settings(environ=None):
    """Build Settings; unknown names are refused."""
    raw = read_env(environ)
    kwargs = {}
    if "host" in raw:
        kwargs["host"] = raw.pop("host")
    if "port" in raw:
        kwargs["port"] = int(raw.pop("port"))
    if "cache_ttl" in raw:
        kwargs["cache_ttl"] = float(raw.pop("cache_ttl"))
    if "carriers" in raw:
        kwargs["carriers"] = tuple(raw.pop("carriers").split(","))
    if "debug" in raw:
        kwargs["debug"] = _as_bool(raw.pop("debug"))
    if raw:
        raise ValueError("unknown settings: " + ", ".join(sorted(raw)))
    return Settings(**kwargs)
