"""Splices: the only way in which a host's file is changed, so that every byte outside of them stays as it was."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Splice", "newline_of", "spliced"]


@dataclass(frozen=True, slots=True)
class Splice:
    """A stretch of a text and what takes its place.

    Attributes:
        start: Where it begins.
        end: Where it ends; the same place where something is only put in.
        new: What takes its place.
    """

    start: int
    end: int
    new: str = ""


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """Give `text` with the splices made. They may touch, and those of one place come in the order given."""
    pieces, at = [], 0
    for splice in sorted(splices, key=lambda splice: splice.start):
        pieces += [text[at : splice.start], splice.new]
        at = splice.end
    return "".join([*pieces, text[at:]])


def newline_of(text: str) -> str:
    r"""Give how the first line of `text` ends, which is how new ones are to end; `\n` where there is only one."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"
