"""Hosts: what each says at the end of a turn, and how each is answered. Thin, and of the standard library alone.

Claude Code and Codex: `Stop`, with `last_assistant_message` and `stop_hook_active`
(https://code.claude.com/docs/en/hooks; https://developers.openai.com/codex/hooks). Cursor: `stop`, with `loop_count` and a
transcript (https://cursor.com/docs/agent/hooks).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from claimjury.surfaces.hooks.turn import TurnEnd, TurnReply

__all__ = ["HOSTS", "answer_of", "host_of", "turn_of"]

HOSTS: Final = ("claude-code", "codex", "cursor")
_MESSAGES: Final = ("last_assistant_message", "last-assistant-message", "text", "message")


def host_of(given: Mapping[str, Any], named: str | None) -> str:
    """Give which host speaks: as the command line says, else by what it says."""
    if named in HOSTS:
        return str(named)
    if "conversation_id" in given or "loop_count" in given:
        return "cursor"
    return "codex" if "turn_id" in given or "thread_id" in given else "claude-code"


def turn_of(given: Mapping[str, Any], host: str) -> TurnEnd:
    """Give the end of a turn as a host tells it."""
    return TurnEnd(
        host=host,
        message=_message(given),
        folder=_folder(given),
        again=bool(given.get("stop_hook_active")) or _number(given.get("loop_count")) > 0,
    )


def answer_of(reply: TurnReply, host: str, *, block: bool) -> dict[str, Any]:
    """Give what a host is answered. Without `block` the turn ends all the same."""
    if not reply.note:
        return {}
    if host == "cursor":
        # The one thing that Cursor takes here begins another turn.
        return {"followup_message": reply.note} if block else {}
    if block:
        return {"decision": "block", "reason": reply.note}
    # `additionalContext` would have Claude Code go on with the turn, as `block` does.
    return {"systemMessage": reply.note}


def _message(given: Mapping[str, Any]) -> str:
    for name in _MESSAGES:
        value = given.get(name)
        if isinstance(value, str) and value.strip():
            return value
    transcript = given.get("transcript_path")
    return _last_of(Path(transcript)) if isinstance(transcript, str) and transcript else ""


def _last_of(transcript: Path) -> str:
    from claimjury.errors import ClaimjuryError
    from claimjury.surfaces.cli.transcript import last_message

    try:
        return last_message(transcript)
    except ClaimjuryError:
        return ""


def _folder(given: Mapping[str, Any]) -> str:
    roots = given.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else None
    return next((value for value in (given.get("cwd"), first) if isinstance(value, str) and value), ".")


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
