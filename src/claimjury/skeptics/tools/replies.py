"""What a tool answers, and the frame around what it shows.

Each line from a file stands behind a gutter with its number. A line without a gutter is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from claimjury.skeptics.tools.limits import MAX_LINE, MAX_NAMED, MAX_REPLY_BYTES
from claimjury.text import is_harmful, safe_json

__all__ = ["Looked", "Rows", "Shown", "ToolReply", "named", "plural", "reply", "shown_name"]

_RESERVED: Final = 20_000
"""Bytes of a reply that are kept for its heading and notes."""
_MAX_NOTE: Final = 2_500
"""Bytes of each of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What a call read, for the record.

    Attributes:
        tool: The tool's name.
        path: The file or folder, relative to the root; None for all of it.
        start: The first line that was shown, counted from 1; None where no lines of a file were.
        end: The last one.
        detail: The pattern or the range.
        files: Files of which a search or a diff showed lines.
    """

    tool: str
    path: str | None
    start: int | None
    end: int | None
    detail: str | None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Lines that a reply shows, without its frame.

    Attributes:
        name: The file, or the commit.
        line: The number of the first one.
        text: The lines.
    """

    name: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReply:
    """What the model gets.

    Attributes:
        text: The answer, or what was wrong with the call and what to do instead.
        failed: Whether nothing was read.
        looked: What was read.
        shown: The lines that it shows.
        secrets: How many were taken out of them.
    """

    text: str
    failed: bool
    looked: tuple[Looked, ...]
    shown: tuple[Shown, ...] = ()
    secrets: int = 0


@dataclass(slots=True)
class Rows:
    """Rows that fill up to the size of a reply.

    Attributes:
        shown: The rows so far.
        left: Bytes that are still free.
    """

    shown: list[str] = field(default_factory=list)
    left: int = MAX_REPLY_BYTES - _RESERVED

    def add(self, row: str) -> bool:
        """Take a row, and say whether it fitted. After one that did not, none does."""
        size = len(row.encode("utf-8", "replace")) + 1
        if size > self.left:
            self.left = 0
            return False
        self.left -= size
        self.shown.append(row)
        return True

    def add_line(self, number: int, line: str, width: int) -> bool:
        """Take a line of a file with its gutter. That it is clipped stands in the gutter."""
        text = line.removesuffix("\r")
        clipped = len(text) > MAX_LINE
        note = f" (the first {MAX_LINE:,} of {len(text):,} characters)" if clipped else ""
        return self.add(f"{number:>{width}}{note}| {text[:MAX_LINE]}")


def reply(
    head: str,
    rows: Sequence[str],
    notes: Iterable[str],
    looked: Looked,
    *,
    shown: Sequence[Shown] = (),
    secrets: int = 0,
) -> ToolReply:
    """Give a reply of a heading, rows and notes."""
    text = "\n".join([_short(head), *rows, *map(_short, filter(None, notes))])
    return ToolReply(text=text, failed=False, looked=(looked,), shown=tuple(shown), secrets=secrets)


def _short(note: str) -> str:
    data = note.encode()
    return note if len(data) <= _MAX_NOTE else f"{data[:_MAX_NOTE].decode('utf-8', 'ignore')} [cut]"


def shown_name(name: str) -> str:
    """Give a file's name as it is, or as a JSON string where it could be taken for something else."""
    odd = name != name.strip() or any(is_harmful(char) or char in '\n\t"\\|' for char in name)
    return safe_json(name, indent=None) if odd or not name else name


def named(names: Sequence[str]) -> str:
    """Give the first names of a list, and how many are left out."""
    shown = ", ".join(shown_name(name) for name in names[:MAX_NAMED])
    more = len(names) - MAX_NAMED
    return f"{shown} and {more:,} more" if more > 0 else shown


def plural(count: int, noun: str) -> str:
    """Give a count with its noun: `1 file`, `2 files`, `3 matches`."""
    ending = "" if count == 1 else "es" if noun.endswith("ch") else "s"
    return f"{count:,} {noun}{ending}"
