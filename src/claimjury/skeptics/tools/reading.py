"""`read`: lines of one file with their numbers."""

from __future__ import annotations

from claimjury.errors import InvalidRequest
from claimjury.evidence.decoding import Decoded
from claimjury.evidence.secrets import without_secrets
from claimjury.evidence.sources import count_lines
from claimjury.skeptics.tools.arguments import ReadArguments
from claimjury.skeptics.tools.jail import Jail
from claimjury.skeptics.tools.limits import MAX_LINE
from claimjury.skeptics.tools.replies import Looked, Rows, Shown, ToolReply, plural, reply, shown_name

__all__ = ["read"]


def read(jail: Jail, wanted: ReadArguments) -> ToolReply:
    """Give the wanted lines of a file, or as many as fit.

    Raises:
        RequestError: The file may not or cannot be read, or has no such lines.
    """
    found, decoded = jail.read(wanted.path)
    shown = shown_name(found.name)
    total = count_lines(decoded.text)
    looked = Looked(tool="read", path=found.name, start=None, end=None, detail=None)
    if not total:
        return reply(f"{shown} is empty: it has no lines.", [], [], looked)
    last = min(wanted.end or total, total)
    _refuse_none(shown, wanted, total)
    bare = without_secrets(decoded.text)
    rows = _rows(bare.text, wanted.start, last)
    end = wanted.start + len(rows) - 1
    looked = Looked(tool="read", path=found.name, start=wanted.start, end=end, detail=None)
    more = f"There are more lines: go on with start={end + 1}." if end < total else ""
    head = f"{shown}, lines {wanted.start}-{end} of {total}{_told(decoded)}:"
    text = "\n".join(line[:MAX_LINE] for line in bare.text.split("\n")[wanted.start - 1 : end])
    lines = Shown(name=found.name, line=wanted.start, text=text)
    return reply(head, rows, [more], looked, shown=[lines], secrets=bare.count(wanted.start, end))


def _refuse_none(shown: str, wanted: ReadArguments, total: int) -> None:
    if wanted.start > total:
        raise InvalidRequest(
            f"{shown} has {plural(total, 'line')}, so there is no line {wanted.start:,}.",
            hint=f"Read it from a line up to {total:,} on.",
        )
    if wanted.end is not None and wanted.end < wanted.start:
        raise InvalidRequest(
            f"end={wanted.end} comes before start={wanted.start}.",
            hint="Lines count from 1, and end is the last one.",
        )


def _rows(text: str, start: int, last: int) -> list[str]:
    rows = Rows()
    for number, line in enumerate(text.split("\n")[start - 1 : last], start=start):
        if not rows.add_line(number, line, len(str(last))):
            break
    return rows.shown


def _told(decoded: Decoded) -> str:
    """Say what the lines by themselves do not show: the encoding, the line ends, what was lost."""
    told = [
        f"read as {decoded.encoding}{', a guess' if decoded.guessed else ''}"
        if decoded.encoding != "utf-8" or decoded.guessed
        else "",
        f"{decoded.replaced} undecodable, shown as U+FFFD" if decoded.replaced else "",
        r"lines end in \r\n" if "\r\n" in decoded.text else "",
        "no newline at the end" if not decoded.text.endswith("\n") else "",
    ]
    notes = "; ".join(filter(None, told))
    return f" ({notes})" if notes else ""
