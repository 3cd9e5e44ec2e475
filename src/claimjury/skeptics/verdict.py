"""Reading: the verdict in a skeptic's last message. Tolerant of wrapping, strict about what it says; no guess is made."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from claimjury.jury.loose_json import BLANK, CONFLICT, Reader
from claimjury.skeptics.tally import Finding
from claimjury.text import clean_line

__all__ = ["SaidVerdict", "read_verdict"]

MAX_REPLY: Final = 400_000
"""Characters that are looked at; of a longer reply, the last ones."""
MAX_CITATIONS: Final = 50
_OPEN: Final = re.compile(rf'\{{(?=[{BLANK}]*+")')
_CITED: Final = re.compile(r"^(?P<path>.{1,400}?):(?P<line>\d{1,9})(?:-\d{1,9})?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidVerdict:
    """What a skeptic said.

    Attributes:
        finding: What it counts as, before its reading is looked at.
        citations: The places that it names, as path and line.
    """

    finding: Finding
    citations: tuple[tuple[str, int], ...]


def read_verdict(text: str, nonce: str) -> SaidVerdict | None:
    """Give the verdict that a message ends in, or None where it has none.

    An object without the run's nonce is nobody's verdict: a file may hold what looks like one. Two that say different
    things, or a text of which not all could be read, are garbled, and count as not verified.
    """
    reader = Reader(text[-MAX_REPLY:])
    chosen = [item for item in _objects(reader) if "refuted" in item and item.get("nonce") == nonce]
    if not chosen:
        return None
    said = {json.dumps([item.get("refuted"), item.get("basis")], default=str).casefold() for item in chosen}
    if any(CONFLICT in item for item in chosen) or len(said) > 1 or reader.short or len(text) > MAX_REPLY:
        return SaidVerdict(finding=_default("it gave two verdicts, or one that is garbled"), citations=())
    last = chosen[-1]
    return SaidVerdict(
        finding=_finding(last), citations=tuple(dict.fromkeys(_citations(last.get("citations"))))
    )


def _objects(reader: Reader) -> Iterator[dict[str, Any]]:
    position = 0
    for match in _OPEN.finditer(reader.text):
        if match.start() < position:
            continue
        value, end = reader.read(match.start())
        if isinstance(value, dict):
            yield value
            position = end


def _finding(said: dict[str, Any]) -> Finding:
    reason = clean_line(said["reason"]) if isinstance(said.get("reason"), str) else ""
    refuted = _bool(said["refuted"])
    if refuted is None:
        return _default(f"it hedged: {reason}" if reason else "it hedged")
    if not refuted and "basis" not in said:
        return _default(
            f"it does not say on what it rests: {reason}" if reason else "it does not say on what it rests"
        )
    if str(said.get("basis", "evidence")).casefold() != "evidence":
        return _default(f"it cannot verify: {reason}" if reason else "it cannot verify")
    if not reason.strip():
        return _default("it gave no reason") if refuted else _default("it gave no reason for holding")
    return Finding(refuted=refuted, grounds="evidence", reason=reason)


def _default(reason: str) -> Finding:
    return Finding(refuted=True, grounds="default", reason=reason)


def _bool(value: object) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().casefold())
    return value if isinstance(value, bool) else None


def _citations(given: object) -> Iterator[tuple[str, int]]:
    for item in given[:MAX_CITATIONS] if isinstance(given, list) else []:
        match = _CITED.match(item.strip()) if isinstance(item, str) else None
        if match is not None and clean_line(match["path"]):
            yield match["path"].removeprefix("./"), int(match["line"])
