"""Looking: the part of the hook that reads files, imported once a message may cite one."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimjury.errors import ClaimjuryError
from claimjury.surfaces.hooks.turn import TurnEnd, TurnReply, judge_turn

if TYPE_CHECKING:
    from claimjury.settings.model import Settings

__all__ = ["fails_closed", "look"]


def look(end: TurnEnd) -> dict[str, Any]:
    """Give the answer to a host: what is broken, once; an empty one where there is nothing to say."""
    from claimjury.evidence.citing.checking import check_citations

    root = _root(Path(end.folder))
    reply = TurnReply() if root is None else judge_turn(end, root, check_citations)
    if not reply.note:
        return {}
    settings = _settings()
    mode = settings.hook if settings is not None else "note"
    if mode == "off" or _said_before(reply, end):
        return {}
    from claimjury.surfaces.hooks.hosts import answer_of

    return answer_of(reply, end.host, block=mode == "block")


def fails_closed() -> bool:
    """Whether the user's own settings hold a turn up where the hook itself fails."""
    settings = _settings()
    return settings is not None and settings.hook_fail == "closed"


def _root(folder: Path) -> Path | None:
    """Give the repository around the folder; None where there is nothing that may be read."""
    from claimjury.evidence.git import work_tree
    from claimjury.evidence.roots import resolve_roots

    try:
        [root] = resolve_roots([folder])
        return resolve_roots([work_tree(root) or root])[0]
    except ClaimjuryError:
        return None


def _settings() -> Settings | None:
    from claimjury.settings.load import load_settings

    with suppress(ClaimjuryError):
        return load_settings(os.environ).settings
    return None


def _said_before(reply: TurnReply, end: TurnEnd) -> bool:
    import platformdirs

    from claimjury.surfaces.hooks.memory import said_before

    file = platformdirs.user_state_path("claimjury", appauthor=False) / "hook-said.txt"
    return said_before(reply.note, end.message, file)
