r"""Extraction: every object in a reply that could be the ballot, best first. Tolerant here, strict in `ballot`.

Jurors fence their JSON, wrap it in prose, think aloud before it, nest or stringify it, comment it, break lines
inside its strings, and leave it unclosed. An object is looked for around each `"verdicts"` key, which skips every
decoy (amiable-dev/llm-council#561: the first nested object was taken for the ballot). Nothing is made up: an entry
that is not closed is not read. Work is bounded, since a reply is text from a stranger.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from claimjury.jury.loose_json import closing, read_json, read_loose_json

__all__ = ["MAX_REPLY", "Candidate", "candidates"]

MAX_REPLY: Final = 400_000
"""Characters that are looked at; of a longer reply, the last ones."""
_KEY: Final = re.compile(r"""\\*"verdicts\\*"\s*:""")
_MAX_KEYS: Final = 100
_MAX_TRIES: Final = 64
_MAX_DEPTH: Final = 6
_MAX_WORK: Final = 20
"""Failed tries may read the reply this many times over in all."""
_ZERO_WIDTH: Final = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u2060"))
_FENCE: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})", re.MULTILINE)
_THINK: Final = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_ENTRY: Final = re.compile(r"(?:\s|,|//[^\n]*(?:\n|$))*\{")
_NONCE: Final = re.compile(r'"nonce"\s*:\s*"([^"]*)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An object that has a `verdicts` list.

    Attributes:
        entries: The list's items, of any type.
        nonced: The object, or one around it, carries the run's nonce.
        thought: It stands inside `<think>`.
        fenced: It stands inside a code fence.
        position: Where it begins, in characters.
    """

    entries: tuple[Any, ...]
    nonced: bool
    thought: bool
    fenced: bool
    position: int

    @property
    def rank(self) -> tuple[bool, bool, bool, int]:
        """The nonce wins; then what stands outside `<think>`, fenced before bare, the last of equals."""
        return self.nonced, not self.thought, self.fenced, self.position


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    start: int
    end: int
    value: Any


def candidates(reply: str, nonce: str) -> list[Candidate]:
    """Give the objects of `reply` that could be the ballot, best first.

    What stands inside `<think>` is a draft: it is no candidate unless it carries the nonce.
    """
    text = reply[-MAX_REPLY:]
    found = _ranked(text, nonce)
    if not found and (bare := text.translate(_ZERO_WIDTH)) != text:
        found = _ranked(bare, nonce)
    return found


def _ranked(text: str, nonce: str) -> list[Candidate]:
    found = list(_objects(text))
    thoughts = _thoughts(text, found)
    fences = [mark.start() for mark in _FENCE.finditer(text)]
    all_of_them = [
        Candidate(
            entries=tuple(entries),
            nonced=nonced,
            thought=any(begin <= item.start < end for begin, end in thoughts),
            fenced=bisect_right(fences, item.start) % 2 == 1,
            position=item.start,
        )
        for item in found
        for entries, nonced in _lists(item.value, nonce)
    ]
    kept = [candidate for candidate in all_of_them if candidate.nonced or not candidate.thought]
    return sorted(kept, key=lambda candidate: candidate.rank, reverse=True)


def _objects(text: str) -> Iterator[_Found]:
    """Give the outermost readable object around each `"verdicts"` key, or what can be salvaged of it."""
    work = [_MAX_WORK * len(text)]
    read_to = 0
    for key in list(_KEY.finditer(text))[-_MAX_KEYS:]:
        if key.start() < read_to or work[0] <= 0:
            continue
        found = _around(text, key, work) or _salvage(text, key)
        if found is not None:
            yield found
            read_to = found.end


def _around(text: str, key: re.Match[str], work: list[int]) -> _Found | None:
    for start in islice(_braces_before(text, key.start()), _MAX_TRIES):
        for read in (read_json, read_loose_json):
            value, end = read(text, start)
            if end > key.start():
                return _Found(start=start, end=end, value=value)
            work[0] -= (end if end >= 0 else len(text)) - start
        if work[0] <= 0:
            return None
    return None


def _braces_before(text: str, position: int) -> Iterator[int]:
    while (position := text.rfind("{", 0, position)) >= 0:
        yield position


def _salvage(text: str, key: re.Match[str]) -> _Found | None:
    """Read the entries of a list that is cut or never closed: each closed object; None where there is none."""
    opening = text.find("[", key.end())
    if opening < 0 or text[key.end() : opening].strip():
        return None
    entries: list[Any] = []
    position = opening + 1
    while (entry := _ENTRY.match(text, position)) is not None:
        start = entry.end() - 1
        end = closing(text, start)
        if end < 0:
            break
        value, read = read_json(text, start)
        entries.append(value if read >= 0 else read_loose_json(text, start)[0])
        position = end
    start = max(text.rfind("{", 0, key.start()), 0)
    nonce = _NONCE.search(text, start, len(text))
    value = {"verdicts": entries, "nonce": nonce[1] if nonce else None}
    return _Found(start=start, end=position, value=value) if entries else None


def _thoughts(text: str, found: Sequence[_Found]) -> list[tuple[int, int]]:
    """Give where the reply thinks aloud.

    A closing tag without an opening one ends a thought that began with the reply: chat templates swallow the
    first tag. A tag inside an object is text of the ballot (ollama/ollama#17617), not a tag.
    """
    thoughts: list[tuple[int, int]] = []
    opened: int | None = None
    for tag in _THINK.finditer(text):
        if any(item.start < tag.start() < item.end for item in found):
            continue
        if not tag[1]:
            opened = tag.start() if opened is None else opened
        elif opened is not None or not thoughts:
            thoughts.append((opened or 0, tag.end()))
            opened = None
    if opened is not None:
        thoughts.append((opened, len(text)))
    return thoughts


def _lists(
    value: Any, nonce: str, *, nonced: bool = False, depth: int = 0
) -> Iterator[tuple[list[Any], bool]]:
    """Give the `verdicts` lists in `value`, however nested or stringified, and whether the nonce is on them."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, str) and _KEY.search(value):
        value, _ = read_json(value.strip(), 0)
    if isinstance(value, list):
        for item in value:
            yield from _lists(item, nonce, nonced=nonced, depth=depth + 1)
    elif isinstance(value, dict):
        nonced = nonced or value.get("nonce") == nonce
        listed = value.get("verdicts")
        if isinstance(listed, str):
            listed, _ = read_json(listed.strip(), 0)
        if isinstance(listed, list):
            yield listed, nonced
        for name, item in value.items():
            if name != "verdicts":
                yield from _lists(item, nonce, nonced=nonced, depth=depth + 1)
