"""Stripping: a source without its comments and docstrings, which are what its author says of it. Line numbers stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from claimjury.text import clean_line

if TYPE_CHECKING:
    from pygments.lexer import Lexer

__all__ = ["stripped"]

_MAX_CHARACTERS: Final = 5_000_000


def stripped(text: str, name: str) -> tuple[str, int] | None:
    """Give a text without comments and docstrings, and how many lines lost something; None where no lexer knows the file.

    Every line keeps its number, and what is left keeps its column. Directives (`#include`, `#!`) stay.
    """
    lexer = _lexer(name)
    if lexer is None or len(text) > _MAX_CHARACTERS:
        return None
    kept: list[str] = []
    taken: set[int] = set()
    line = 1
    for _, kind, value in lexer.get_tokens_unprocessed(text):
        said = _is_said(kind)
        kept.append("".join(char if char in "\r\n" else " " for char in value) if said else value)
        if said and value.strip():
            taken.update(line + offset for offset, part in enumerate(value.split("\n")) if part.strip())
        line += value.count("\n")
    lines = "".join(kept).split("\n")
    for number in taken:
        lines[number - 1] = _trimmed(lines[number - 1])
    return "\n".join(lines), len(taken)


def _is_said(kind: Any) -> bool:
    """Whether a token is what an author says, not what the program does."""
    from pygments.token import Comment, Literal, is_token_subtype

    directives = (Comment.Preproc, Comment.PreprocFile, Comment.Hashbang)
    if is_token_subtype(kind, Comment):
        return not any(is_token_subtype(kind, one) for one in directives)
    return bool(is_token_subtype(kind, Literal.String.Doc))


def _trimmed(line: str) -> str:
    """Take the blanks off the end that comments leave; a carriage return stays."""
    return f"{line[:-1].rstrip()}\r" if line.endswith("\r") else line.rstrip()


def _lexer(name: str) -> Lexer | None:
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        lexer: Lexer = get_lexer_for_filename(clean_line(name).rpartition("/")[2])
    except ClassNotFound:
        return None
    # Prose has no comments, and what looks like one there is what it says.
    return None if lexer.name in ("Text only", "Markdown", "reStructuredText") else lexer
