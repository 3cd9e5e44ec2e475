"""A process of its own that finds the comments of a text: standard input in, spans of characters out, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Literal, is_token_subtype

__all__ = ["comments"]


def comments(text: str, alias: str) -> list[tuple[int, int]] | None:
    """Give where comments stand, in order; None where the lexer changes the text."""
    spans: list[tuple[int, int]] = []
    at = 0
    for start, kind, value in get_lexer_by_name(alias).get_tokens_unprocessed(text):
        if start != at or not text.startswith(value, at):
            return None
        at += len(value)
        if value and _is_said(kind, value):
            # A comment may come in several tokens, and its directive may reach over them.
            if spans and spans[-1][1] == start:
                spans[-1] = (spans[-1][0], at)
            else:
                spans.append((start, at))
    return spans if at == len(text) else None


def _is_said(kind: Any, value: str) -> bool:
    """Whether a token is what an author says, not what the program does."""
    directives = (Comment.Preproc, Comment.PreprocFile, Comment.Hashbang)
    if is_token_subtype(kind, Comment):
        return not any(is_token_subtype(kind, one) for one in directives)
    # A string that documents is no comment of these languages.
    return bool(is_token_subtype(kind, Literal.String.Doc)) and not value.lstrip().startswith(
        ("'", '"', "<<")
    )


if __name__ == "__main__":
    given = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
    sys.stdout.write(json.dumps(comments(given, sys.argv[1])))
