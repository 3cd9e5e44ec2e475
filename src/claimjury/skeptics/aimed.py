"""Aimed: what of the files and messages that a skeptic was shown is aimed at whoever judges them."""

from __future__ import annotations

from collections.abc import Iterable

from claimjury.evidence.sources import Source
from claimjury.jury.aimed import rows_of
from claimjury.jury.result import InjectionRow
from claimjury.skeptics.tools.replies import ToolReply

__all__ = ["aimed_in_reply", "aimed_in_sources"]


def aimed_in_reply(reply: ToolReply) -> list[InjectionRow]:
    """Give what of the lines that a tool shows is aimed at a judge, by file and line, or by commit and line of its message."""
    if reply.failed:
        return []
    return [row for one in reply.shown for row in rows_of(one.name, one.text, one.line)]


def aimed_in_sources(sources: Iterable[Source]) -> list[InjectionRow]:
    """Give what of the files in a prompt is aimed at a judge."""
    return [row for one in sources for row in rows_of(one.path, one.text, one.first_line)]
