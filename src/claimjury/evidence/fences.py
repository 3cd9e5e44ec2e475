"""Fences: evidence between markers that no evidence can forge, its lines numbered, its bytes unchanged.

The markers carry a nonce that is drawn anew until nothing that is fenced contains it. So an evidence file
that holds the text of a marker (amiable-dev/llm-council#625) stays inside its own fence.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable

__all__ = ["draw_nonce", "fence", "number_lines"]


def draw_nonce(texts: Iterable[str], draw: Callable[[], str] = lambda: secrets.token_hex(8)) -> str:
    """Give a nonce (64 random bits, hexadecimal) that none of `texts` contains."""
    held = tuple(texts)
    while True:
        nonce = draw()
        if not any(nonce in text for text in held):
            return nonce


def fence(kind: str, body: str, *, nonce: str, name: str | None = None, note: str = "") -> str:
    """Give `body` between a marker that opens and one that closes.

    Where `body` does not end its last line, the opening marker says `no newline at end`, so that the bytes
    between the fences, gutters taken off, are those of the body.
    """
    label = "" if name is None else f" {json.dumps(name)}"
    unended = bool(body) and not body.endswith("\n")
    notes = "; ".join(filter(None, [note, "no newline at end" if unended else ""]))
    opening = f"<<<{kind} {nonce}{label}{f' ({notes})' if notes else ''}>>>"
    end = "\n" if unended else ""
    return f"{opening}\n{body}{end}<<<END {kind} {nonce}>>>\n"


def number_lines(text: str, first: int = 1) -> str:
    r"""Give `text` with a gutter before each line, like `  12| code`, from `first` on. Lines end at \n or \r\n only."""
    lines = text.split("\n")
    ended = lines[-1] == ""
    if ended:
        lines.pop()
    width = len(str(first + len(lines) - 1))
    body = "\n".join(f"{number:>{width}}| {line}" for number, line in enumerate(lines, start=first))
    return body + ("\n" if ended and lines else "")
