"""Prose: what of a Markdown text may cite. Code blocks, comments and addresses are blanked; every place stays where it is."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["prose_of"]

_FENCE: Final = re.compile(r"^[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(`{3,}|~{3,})(.*)$")
_ADDRESS: Final = re.compile(
    r"\b[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s<>\"'`)\]]+|\bwww\.[^\s<>\"'`)\]]+|"
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){0,8}(?::[\w./-]+)?|\bnode:[\w/.-]+(?::\d+)*"
)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NOT_LINE_END: Final = re.compile(r"[^\n]")


def prose_of(text: str) -> str:
    """Give a text of the same length in which only prose and inline code are left."""
    text = _COMMENT.sub(_blank, text) if "<!--" in text else text
    if "```" in text or "~~~" in text:
        text = _without_fences(text)
    return _ADDRESS.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return _NOT_LINE_END.sub(" ", match[0])


def _without_fences(text: str) -> str:
    """Blank fenced blocks; one that is not closed goes on to the end, as Markdown has it."""
    lines = text.split("\n")
    fence = ""
    for index, line in enumerate(lines):
        match = _FENCE.match(line)
        if fence:
            lines[index] = " " * len(line)
            if match and match[1][0] == fence[0] and len(match[1]) >= len(fence) and not match[2].strip():
                fence = ""
        elif match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
            lines[index] = " " * len(line)
    return "\n".join(lines)
