"""`--local`: the settings of a run on this machine's own models, named or picked from what is installed."""

from __future__ import annotations

import os

import anyio

from claimjury.errors import InvalidRequest
from claimjury.models.families import author_family
from claimjury.settings.load import Loaded
from claimjury.surfaces.cli.streams import say

__all__ = ["on_this_machine"]


def on_this_machine(loaded: Loaded, *, named: bool, alternates: bool, dry_run: bool) -> Loaded:
    """Give the settings with the local daemon, and with a panel of installed models where none was named.

    Args:
        loaded: The settings.
        named: Whether --panel names who sits; the panel of the settings is the cloud's, and is not taken.
        alternates: The same of --alternates: what was asked to stay here must not leave by a setting.
        dry_run: Whether nothing may be asked.

    Raises:
        InvalidRequest: A dry run would have to ask the daemon what it has.
        ClaimjuryError: The daemon does not answer, or has nobody who may sit.
    """
    local = loaded.with_daemon(os.environ)
    if not alternates:
        local = local.with_flags({"alternates": ()})
    if named:
        return local
    if dry_run:
        raise InvalidRequest(
            "--dry-run opens no connection, so it cannot ask the daemon which models are installed.",
            hint="Name them: --local --panel llama3.2,qwen3.",
        )
    from claimjury.models.installed_models import pick_installed

    daemon, families = local.access.daemon, local.access.families
    author = author_family(local.settings.author, families) if local.settings.author else None
    kept = frozenset() if author is None else frozenset({author})
    if daemon is None:
        return local
    picked = anyio.run(lambda: pick_installed(daemon, families, author=kept))
    say(f"claimjury: the local panel is {', '.join(picked)}, picked from what {daemon.host} has.")
    return local.with_flags({"panel": picked})
