"""Aimed: what of the files that a skeptic was shown is aimed at whoever judges them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from claimjury.jury.aimed import rows_of
from claimjury.jury.result import InjectionRow
from claimjury.skeptics.tools.replies import ToolReply

__all__ = ["aimed_in_reply"]

_LINE: Final = re.compile(r"^\s*(\d+)(?: \([^|\n]*\))?\| ?(.*)$")


def aimed_in_reply(reply: ToolReply) -> list[InjectionRow]:
    """Give what of the lines that a tool shows is aimed at a judge, by file and line."""
    if reply.failed:
        return []
    return [row for name, first, text in _blocks(reply) for row in rows_of(name, text, first)]


def _blocks(reply: ToolReply) -> Iterator[tuple[str, int, str]]:
    """Give the runs of numbered lines of a reply, each with its file and the number of its first line."""
    files = {name for row in reply.looked for name in (*row.files, *([row.path] if row.path else []))}
    name = next((row.path for row in reply.looked if row.path), "") or "a file"
    first, last, lines = 0, 0, list[str]()
    for line in reply.text.split("\n"):
        match = _LINE.match(line)
        if match and lines and int(match[1]) == last + 1:
            lines.append(match[2])
            last += 1
            continue
        if lines:
            yield name, first, "\n".join(lines)
            lines = []
        if match:
            first = last = int(match[1])
            lines = [match[2]]
        elif line.strip() in files:
            name = line.strip()
    if lines:
        yield name, first, "\n".join(lines)
