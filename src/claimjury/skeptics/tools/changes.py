"""The lines of a diff under the numbers that they have in their files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from claimjury.skeptics.tools.limits import MAX_LINE
from claimjury.skeptics.tools.replies import Shown

__all__ = ["changed_lines"]

_HUNK: Final = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def changed_lines(diff: Sequence[str]) -> Iterator[Shown]:
    """Give what each hunk shows: its lines as they are now, and then those that it takes out, in runs."""
    names = ["", ""]
    place = 0
    while place < len(diff):
        line = diff[place]
        hunk = _HUNK.match(line)
        place += 1
        if hunk is None:
            if line.startswith(("--- ", "+++ ")):
                names[line.startswith("+++ ")] = _name(line)
            continue
        size = _size(diff, place, int(hunk[2] or 1), int(hunk[4] or 1))
        old, new = names
        yield from _runs(diff[place : place + size], "+ ", new or old, int(hunk[3]))
        yield from _runs(diff[place : place + size], "-", old or new, int(hunk[1]))
        place += size


def _name(line: str) -> str:
    name = line[4:].rstrip("\t").strip('"')
    return "" if name == "/dev/null" else name[2:]


def _size(diff: Sequence[str], start: int, old: int, new: int) -> int:
    """Give how many lines a hunk has: content may look like the head of a file."""
    size = 0
    while (old > 0 or new > 0) and start + size < len(diff):
        sign = diff[start + size][:1]
        old -= sign in ("-", " ", "")
        new -= sign in ("+", " ", "")
        size += 1
    return size


def _runs(hunk: Sequence[str], signs: str, name: str, first: int) -> Iterator[Shown]:
    """Give the lines of one side, of which those that are the same on both count for both."""
    run: list[str] = []
    number = first
    for line in [*hunk, ""]:
        sign = line[:1]
        if sign and sign in signs:
            run.append(line[1 : MAX_LINE + 1])
            number += 1
            continue
        counted = sign == " "
        if run and (sign in (" ", "") or signs == "-"):
            yield Shown(name=name, line=number - len(run), text="\n".join(run))
            run = []
        number += counted
