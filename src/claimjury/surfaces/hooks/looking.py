"""Looking: the part of the hook that reads files, imported once a message may cite one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimjury.errors import ClaimjuryError
from claimjury.surfaces.hooks.turn import TurnEnd, TurnReply, judge_turn

if TYPE_CHECKING:
    from claimjury.surfaces.hooks.wishes import Wishes

__all__ = ["fails_closed", "look"]


def look(end: TurnEnd) -> tuple[dict[str, Any], Callable[[], None] | None]:
    """Give the answer to a host, and what keeps that it was said; an empty one where there is nothing to say."""
    reply = _judged(end)
    if not reply.note:
        return {}, None
    import platformdirs

    from claimjury.surfaces.hooks.hosts import answer_of
    from claimjury.surfaces.hooks.memory import mark_of, remember, was_said

    wishes = _wishes()
    mark = mark_of(reply.note, end.message)
    folder = platformdirs.user_state_path("claimjury", appauthor=False) / "hook-said"
    if wishes.mode == "off" or was_said(mark, folder):
        return {}, None
    said = TurnReply(note="\n".join([reply.note, *wishes.faults]))
    return answer_of(said, end.host, block=wishes.mode == "block"), partial(remember, mark, folder)


def _judged(end: TurnEnd) -> TurnReply:
    from claimjury.evidence.citing.checking import check_citations

    root, here = _root(Path(end.folder)), [Path(end.folder)]
    if root is None:
        return TurnReply()
    return judge_turn(end, root, lambda text, root: check_citations(text, root, here))


def fails_closed() -> bool:
    """Whether the user holds a turn up where the hook itself fails."""
    wishes = _wishes()
    for fault in wishes.faults if sys.stderr is not None else ():
        sys.stderr.write(f"claimjury-hook: {fault}\n")
    return wishes.closed and wishes.mode != "off"


def _root(folder: Path) -> Path | None:
    """Give the repository around the folder; None where there is nothing that may be read."""
    from claimjury.evidence.git import work_tree
    from claimjury.evidence.roots import resolve_roots

    try:
        [root] = resolve_roots([folder])
        return resolve_roots([work_tree(root) or root])[0]
    except ClaimjuryError:
        return None


def _wishes() -> Wishes:
    import platformdirs

    from claimjury.surfaces.hooks.wishes import read_wishes

    # As in settings/files.py, which would import all that settings need.
    file = platformdirs.user_config_path("claimjury", appauthor=False) / "config.toml"
    return read_wishes(os.environ, file)
