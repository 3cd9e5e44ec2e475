"""What settings say of panels: which providers a project may name, and which families a user's map may."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from claimjury.errors import ConfigInvalid
from claimjury.models.families import UNKNOWN, family_names
from claimjury.models.names import named_by_host
from claimjury.models.providers import PROVIDERS
from claimjury.text import clean_line, clip

__all__ = ["PANELS", "checked_families", "refuse_providers"]

PANELS: Final = ("panel", "alternates")


def _listed(value: Any) -> list[str]:
    """Read a list as the settings will: of ids, or of one string with commas. Anything else they refuse themselves."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return [model for model in value if isinstance(model, str)] if isinstance(value, list) else []


def checked_families(families: Mapping[str, str]) -> dict[str, str]:
    """Give the user's map, families in small letters.

    Raises:
        ConfigInvalid: A family is none that is known and not written as one, or is `unknown`.
    """
    return {model: _checked_family(model, family) for model, family in families.items()}


def _checked_family(model: str, family: str) -> str:
    name = family.strip().casefold()
    if name == UNKNOWN or not name.replace("-", "").replace("_", "").isalnum():
        raise ConfigInvalid(
            f"[families] maps {clip(clean_line(model), 60)!r} to {clip(clean_line(family), 60)!r}, which is no family.",
            hint=f"Families are {', '.join(sorted(family_names()))}, or a word of your own.",
        )
    return name


def refuse_providers(
    values: Mapping[str, Any], shown: str, *, allowed: Collection[str], servers: Collection[str], where: str
) -> None:
    """Refuse a project's panel that would send evidence to a provider that the user does not let projects name.

    Raises:
        ConfigInvalid: With the provider, and what would allow it.
    """
    hosts = (*PROVIDERS, *servers)
    for name in PANELS:
        for model in _listed(values.get(name)):
            provider = named_by_host(model, hosts)[0]
            if provider and provider not in allowed:
                raise ConfigInvalid(
                    f"{shown} puts {clip(clean_line(model), 60)!r} on its `{name}`, and you let projects name "
                    f"{', '.join(allowed) or 'no provider'} alone: evidence would go to {provider}.",
                    hint=f"Name it yourself (--{name}), or add {provider} to project_providers in {where}.",
                )
