r"""Extraction: every object in a reply that could be the ballot, best first. Tolerant here, strict in `ballot`.

Jurors fence their JSON, wrap it in prose, think aloud before it, nest or stringify it, comment it, break lines
inside its strings, and leave it unclosed. An object is looked for around each `"verdicts"` key, which skips every
decoy (amiable-dev/llm-council#561: the first nested object was taken for the ballot). Nothing is made up: an entry
that is not closed is not read. Work is bounded, since a reply is text from a stranger.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from claimjury.jury.loose_json import BLANK, Reader, read_json

__all__ = ["MAX_REPLY", "ZERO_WIDTH", "Candidate", "candidates"]

MAX_REPLY: Final = 400_000
"""Characters that are looked at; of a longer reply, the last ones."""
ZERO_WIDTH: Final = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u2060"))
"""For `str.translate`: takes them out."""
_KEY: Final = re.compile(r'"verdicts\\*+"\s*+:')
_BRACE: Final = re.compile(rf'\{{(?=[{BLANK}]*+["/])')
_ANY_BRACE: Final = re.compile(r"[{}]")
_LIST: Final = re.compile(rf"[{BLANK}]*+\[")
_NONCE: Final = re.compile(r'"nonce"\s*+:\s*+"([^"]*+)"')
_FENCE: Final = re.compile(r"(?:^[ \t]*+|(?<!`)(?=`++\w*+[ \t]*+$))(`{3,}+|~{3,}+)(?=(.*+))", re.MULTILINE)
_THINK: Final = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_MAX_DEPTH: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An object that has a `verdicts` list.

    Attributes:
        entries: The list's items, of any type.
        nonced: The object, or one around it, carries the run's nonce.
        thought: It stands inside `<think>`.
        fenced: It stands inside a code fence.
        position: Where it, or the object around it, begins, in characters.
        depth: How many objects, lists and strings are around it.
    """

    entries: tuple[Any, ...]
    nonced: bool
    thought: bool
    fenced: bool
    position: int
    depth: int

    @property
    def rank(self) -> tuple[bool, bool, bool, int, int]:
        """The nonce wins; then what stands outside `<think>`, fenced before bare, the last, the outermost."""
        return self.nonced, not self.thought, self.fenced, self.position, -self.depth


@dataclass(frozen=True, slots=True, kw_only=True)
class _List:
    entries: list[Any]
    nonced: bool
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    start: int
    end: int
    lists: list[_List]


def candidates(reply: str, nonce: str) -> list[Candidate]:
    """Give the objects of `reply` that could be the ballot, best first.

    What stands inside `<think>` is a draft: it is no candidate unless it carries the nonce.
    """
    text = reply[-MAX_REPLY:]
    found = _ranked(text, nonce)
    if not found and (bare := text.translate(ZERO_WIDTH)) != text:
        found = _ranked(bare, nonce)
    return found


def _ranked(text: str, nonce: str) -> list[Candidate]:
    text = _unwrapped(text)
    found = list(_objects(text, nonce))
    objects = [(item.start, item.end) for item in found]
    thoughts, fences = _thoughts(text, objects), _fences(text, objects)
    all_of_them = [
        Candidate(
            entries=tuple(listed.entries),
            nonced=listed.nonced,
            thought=thought,
            fenced=fenced,
            position=item.start,
            depth=listed.depth,
        )
        for item in found
        for thought, fenced in [(_within(thoughts, item.start), _within(fences, item.start))]
        for listed in item.lists
    ]
    kept = [candidate for candidate in all_of_them if candidate.nonced or not candidate.thought]
    return sorted(kept, key=lambda candidate: candidate.rank)[::-1]


def _unwrapped(text: str) -> str:
    """Give the text of a reply that is one JSON string, fenced or not; any other reply as it is."""
    bare = text.strip().strip("`~").removeprefix("json").strip()
    value = read_json(bare) if bare[:1] == '"' else None
    return value if isinstance(value, str) else text


def _objects(text: str, nonce: str) -> Iterator[_Found]:
    """Give the outermost readable object around each `"verdicts"` key, or what can be salvaged of it.

    Each brace is tried once, from left to right.
    """
    reader = Reader(text)
    braces = [brace.start() for brace in _BRACE.finditer(text)]
    read_to = tried = 0
    for key in _KEY.finditer(text):
        if key.start() < read_to:
            continue
        first, tried = max(tried, bisect_left(braces, read_to)), bisect_left(braces, key.start())
        found = _around(reader, key, braces[first:tried], nonce) or _salvage(reader, key, read_to, nonce)
        if found is not None:
            yield found
            read_to = found.end


def _around(reader: Reader, key: re.Match[str], braces: Sequence[int], nonce: str) -> _Found | None:
    """Read at the braces before `key`, skipping what closes before it; once work runs short, at the nearest only."""
    past = 0
    for start in braces:
        if start < past or (reader.short and start != braces[-1]):
            continue
        value, end = reader.read(start)
        if end <= key.start():
            past = max(past, end)
        elif lists := list(_lists(value, nonce)):
            return _Found(start=start, end=end, lists=lists)
    return None


def _salvage(reader: Reader, key: re.Match[str], after: int, nonce: str) -> _Found | None:
    """Read the entries of a list that is cut or never closed: each readable object; None where there is none.

    What closes and cannot be read is passed over. What holds a list itself is no entry.
    """
    text = reader.text
    opening = _LIST.match(text, key.end())
    if opening is None or "\\" in key[0]:
        return None
    entries: list[Any] = []
    end = opening.end()
    while text.startswith("{", start := reader.skip(end)):
        value, closed = reader.read(start)
        if closed < 0:
            closed = reader.closing(start, lax=True)
        if closed < 0 or (_KEY.search(text, start, closed) if value is None else "verdicts" in value):
            break
        entries += [] if value is None else [value]
        end = closed
    if not entries:
        return None
    start = max(text.rfind("{", after, key.start()), after)
    nonces = *_NONCE.findall(text, start, key.start()), *_NONCE.findall(text, end, _flat(text, end))
    return _Found(start=start, end=end, lists=[_List(entries=entries, nonced=nonce in nonces, depth=0)])


def _flat(text: str, start: int) -> int:
    """Give where the next brace stands: up to there, what follows a list belongs to the same object."""
    brace = _ANY_BRACE.search(text, start)
    return len(text) if brace is None else brace.start()


def _within(spans: Sequence[tuple[int, int]], position: int) -> bool:
    index = bisect_right(spans, position, key=lambda span: span[0])
    return index > 0 and position < spans[index - 1][1]


def _fences(text: str, objects: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Give what stands in code fences. A fence is closed by its own kind; what an object holds is no fence."""
    fences: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for mark in _FENCE.finditer(text):
        if _within(objects, mark.start()):
            continue
        if opened is None:
            opened = mark
        elif mark[1][:3] == opened[1][:3] and not mark[2].strip():
            fences.append((opened.start(), mark.end()))
            opened = None
    return [*fences, (opened.start(), len(text))] if opened else fences


def _thoughts(text: str, objects: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Give where the reply thinks aloud.

    A closing tag without an opening one ends a thought that began with the reply: chat templates swallow the
    first tag. A tag inside an object is text of the ballot (ollama/ollama#17617), not a tag.
    """
    thoughts: list[tuple[int, int]] = []
    opened: int | None = None
    for tag in _THINK.finditer(text):
        if _within(objects, tag.start()):
            continue
        if not tag[1]:
            opened = tag.start() if opened is None else opened
        elif opened is not None or not thoughts:
            thoughts.append((opened or 0, tag.end()))
            opened = None
    return thoughts if opened is None else [*thoughts, (opened, len(text))]


def _lists(value: Any, nonce: str, *, nonced: bool = False, depth: int = 0) -> Iterator[_List]:
    """Give the `verdicts` lists in `value`, however nested or stringified, and whether the nonce is on them."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, str) and _KEY.search(value):
        value, depth = read_json(value), depth + 1
    if isinstance(value, list):
        for item in value:
            yield from _lists(item, nonce, nonced=nonced, depth=depth + 1)
    elif isinstance(value, dict):
        nonced = nonced or value.get("nonce") == nonce
        listed = value.get("verdicts")
        if isinstance(listed, str):
            listed = read_json(listed)
        if isinstance(listed, list):
            yield _List(entries=listed, nonced=nonced, depth=depth)
            inner = [item for item in listed if isinstance(item, dict) and "verdicts" in item]
        else:
            inner = [listed] if isinstance(listed, dict) else []
        inner += [item for name, item in value.items() if name != "verdicts"]
        yield from _lists(inner, nonce, nonced=nonced, depth=depth)
