"""What is said in a Python file, by Python's own parser: comments, docstrings and strings that stand for nothing."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from typing import Final

__all__ = ["said_in_python"]

_CODES: Final = r"(?::\s?[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?"
_DIRECTIVE: Final = re.compile(
    rf"#\s*(?:noqa{_CODES}|ruff:\s?noqa{_CODES}|flake8:\s?noqa{_CODES}|nosec\b(?:\s[A-Z][0-9]+)*|pragma:\s?no \w+|fmt:\s?(?:on|off|skip)|"
    r"isort:\s?\w+|pylint:\s?[\w-]+=[\w, -]+|pyright:\s?[\w-]+(?:\[[\w, -]*\])?|mypy:\s?[\w=, -]+|cython:\s?\w+=\w+|type:\s?ignore(?:\[[\w, -]*\])?)"
)
_TYPE: Final = re.compile(r"#\s*type:\s*(?P<type>[^#\n]+)")
_CODING: Final = re.compile(r"#.*?coding[:=][ \t]*[-\w.]+(?:\s*-\*-)?")


def said_in_python(text: str) -> list[tuple[int, int]] | None:
    """Give where it stands, in order; None where this is no Python that the parser reads."""
    if "\r" in text.replace("\r\n", "\n"):
        return None
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    code = text.replace("\r\n", "\n")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
        comments = list(_comments(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return None
    spans = [(starts[row] + first, starts[row] + last) for row, first, last in comments]
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
            begin = starts[first] + _characters(lines[first], node.col_offset)
            spans.append((begin, starts[last] + _characters(lines[last], node.end_col_offset or 0)))
    return _apart(spans)


def _apart(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Give them in order; a comment between the parts of one string is within it."""
    apart: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def _comments(code: str) -> Iterator[tuple[int, int, int]]:
    """Give the row, counted from 0, and the columns of each comment; of one with a directive what follows it."""
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type != tokenize.COMMENT:
            continue
        row, column = token.start
        kept = _kept(token.string, row)
        yield row - 1, column + kept, column + len(token.string)


def _kept(comment: str, row: int) -> int:
    """Give how many characters of a comment are a directive."""
    if row == 1 and comment.startswith("#!"):
        return len(comment)
    if row <= 2 and (coding := _CODING.match(comment)):
        return coding.end()
    if directive := _DIRECTIVE.match(comment):
        return directive.end()
    said = _TYPE.match(comment)
    return said.end() if said and _is_type(said["type"].strip()) else 0


def _is_type(said: str) -> bool:
    """Whether a comment that begins as a type's does is one, and no sentence."""
    for mode in ("eval", "func_type"):
        try:
            ast.parse(said, mode=mode)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return True
    return False


def _characters(line: str, offset: int) -> int:
    """Give the column in characters of one in bytes."""
    return (
        offset
        if line.isascii()
        else len(line.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))
    )
