"""A unified diff that shows a change and nothing around it.

It has no lines of context, and of a long line only what changes: the entries of other servers, which may hold their
keys, stand right beside ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, Final

from claimjury.text import show_harmful

__all__ = ["unified_diff"]

_LONG: Final = 200
_HIDDEN: Final = "(hidden)"


def unified_diff(before: str | None, after: str, path: str, *, hidden: Sequence[str] = ()) -> list[str]:
    """Give the lines of a diff.

    Args:
        before: What the file holds; None where there is none.
        after: What it would hold.
        path: Its path.
        hidden: What is not to be shown.
    """
    shown = show_harmful(path)
    head = [f"--- {'/dev/null' if before is None else shown}", f"+++ {shown}"]
    return [*head, *(_without(line, hidden) for line in _hunks(_lines(before or ""), _lines(after)))]


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    # A file of megabytes is compared only where it differs.
    start, end = _alike(old, new)
    mine, theirs = old[start : len(old) - end], new[start : len(new) - end]
    for tag, a, b, c, d in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if tag != "equal":
            yield f"@@ -{_range(start + a, b - a)} +{_range(start + c, d - c)} @@"
            removed, added = _shortened(mine[a:b], theirs[c:d])
            yield from (f"-{show_harmful(line)}" for line in removed)
            yield from (f"+{show_harmful(line)}" for line in added)


def _alike(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """Give how much two begin with in common, and how much of the rest they end with."""
    start = _common(old, new)
    return start, _common(old[start:][::-1], new[start:][::-1])


def _common(old: Sequence[Any], new: Sequence[Any]) -> int:
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(old), len(new)))


def _range(start: int, count: int) -> str:
    if count == 1:
        return str(start + 1)
    return f"{start + 1 if count else start},{count}"


def _shortened(removed: list[str], added: list[str]) -> tuple[list[str], list[str]]:
    """Leave out what a long line has in common with the one that takes its place."""
    if not removed or not added or len(removed[0]) <= _LONG:
        return removed, added
    old, new = removed[0], added[0]
    start, end = _alike(old, new)
    return (
        [f"…{old[start : len(old) - end]}…", *removed[1:]],
        [f"…{new[start : len(new) - end]}…", *added[1:]],
    )


def _without(line: str, hidden: Iterable[str]) -> str:
    for text in hidden:
        line = line.replace(text, _HIDDEN)
    return line
