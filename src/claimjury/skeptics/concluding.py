"""Concluding: what skeptics came to, as one block and its warnings. Pure: a receipt's check uses it too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimjury.skeptics.block import Block, Skeptic
from claimjury.skeptics.result import LookedRow, SkepticResult
from claimjury.skeptics.tally import Finding
from claimjury.skeptics.tools.replies import Looked, plural
from claimjury.text import clean_line

__all__ = ["block_of", "read_rows", "shown_files", "warnings_of"]


def read_rows(given: Sequence[str], looked: Sequence[Looked]) -> tuple[LookedRow, ...]:
    """Give what a skeptic read, as the result has it: the files of its prompt, then what its tools showed."""
    return (
        *(LookedRow(tool="given", path=clean_line(path), start=1) for path in given),
        *map(_looked, looked),
    )


def _looked(row: Looked) -> LookedRow:
    return LookedRow(
        tool=row.tool,
        path=None if row.path is None else clean_line(row.path),
        start=row.start,
        end=row.end,
        detail=None if row.detail is None else clean_line(row.detail),
        files=tuple(map(clean_line, row.files)) or None,
    )


def shown_files(one: SkepticResult) -> Iterator[str]:
    """Give the files of which a skeptic was shown lines, each as often as it was."""
    for row in one.read:
        if row.path and row.start:
            yield row.path
        yield from row.files or ()


def block_of(claim: str, skeptics: Sequence[SkepticResult], *, scripted: bool) -> Block:
    """Give the block of a run."""
    lines = (
        Skeptic(
            angle=one.angle,
            finding=Finding(refuted=one.refuted, grounds=one.grounds, reason=one.reason or "no reason"),
        )
        for one in skeptics
    )
    return Block(claim=claim, skeptics=tuple(lines), basis=_basis(skeptics, scripted=scripted))


def _basis(skeptics: Sequence[SkepticResult], *, scripted: bool) -> str:
    files = {name for one in skeptics for name in shown_files(one)}
    calls = sum(len(one.read) for one in skeptics)
    sound = sum(one.grounds != "fault" for one in skeptics)
    checked = (
        f"{sound} of {len(skeptics)} skeptics finished; {plural(calls, 'call')} of tools, {plural(len(files), 'file')} read"
        if sound
        else "nothing could be checked: every skeptic broke down"
    )
    mark = "SCRIPTED, no model was asked: " if scripted else ""
    return f"{mark}{checked}. Supporting evidence, never proof."


def warnings_of(skeptics: Sequence[SkepticResult]) -> tuple[str, ...]:
    """Give what a reader must know of the skeptics: citations that lead nowhere, models without tools."""
    missing = [
        f"citation_missing:{one.place}:{row.path}:{row.line}"
        for one in skeptics
        for row in one.citations or ()
        if not row.exists
    ]
    toolless = dict.fromkeys(f"no_tools:{one.model}" for one in skeptics if not one.tools)
    return (*missing, *toolless)
