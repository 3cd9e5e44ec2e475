"""Installed models: what the local daemon has, and which of them make a panel of disjoint families."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import httpx2

from claimjury.errors import CloudNotConfigured
from claimjury.models.clients import EgressMeter
from claimjury.models.daemon import Daemon
from claimjury.models.failures import transport_failure
from claimjury.models.families import UNKNOWN, lineage_of
from claimjury.models.ollama.catalogue import Catalogue, Installed, fetch_catalogue
from claimjury.models.ollama.client import open_client

__all__ = ["PICKED", "pick_installed"]

PICKED: Final = 3


async def pick_installed(
    daemon: Daemon, families: Mapping[str, str], *, author: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Give up to three installed models of disjoint known families, the largest of each first.

    Args:
        daemon: Asked for its list (`/api/tags`), and for nothing else.
        families: The user's own map.
        author: Families that must not sit.

    Raises:
        CloudNotConfigured: The daemon does not answer, or has no model of a known family.
    """
    catalogue = await _list(daemon)
    picked: list[Installed] = []
    for row in sorted(catalogue.installed, key=lambda row: (-row.size, row.name)):
        lineage = lineage_of(row.name, families)
        used = any(lineage.shares_with(lineage_of(other.name, families)) for other in picked)
        if not used and lineage.family != UNKNOWN and not lineage.kin & author and _answers(row, catalogue):
            picked.append(row)
    if not picked:
        raise CloudNotConfigured(
            f"The daemon at {daemon.host} has no model of a known family that may sit, so nothing was asked.",
            hint="`ollama pull` installs one; --panel names installed ones, whatever their family.",
        )
    return tuple(row.name for row in picked[:PICKED])


async def _list(daemon: Daemon) -> Catalogue:
    async with open_client(daemon, EgressMeter()) as client:
        catalogue = await fetch_catalogue(client)
        if catalogue is not None:
            return catalogue
        try:
            await client.get("/api/version", timeout=5.0)
            trouble, hint = "it does not list its models", daemon.network_hint
        except httpx2.TransportError as error:
            failure = transport_failure(error, host=daemon)
            trouble, hint = failure.message, failure.hint
    raise CloudNotConfigured(f"No local panel can be made: {trouble.rstrip('.')}.", hint=hint)


def _answers(row: Installed, catalogue: Catalogue) -> bool:
    """Whether a model is here and writes text: not a stub of the cloud's, and not one for embeddings alone."""
    capabilities = catalogue.capabilities.get(row.name)
    return row.remote is None and (capabilities is None or "completion" in capabilities)
