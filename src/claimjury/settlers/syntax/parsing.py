"""Parsing: a file's language by its name, and its tree. A grammar is loaded when the first file of it is parsed."""

from __future__ import annotations

import posixpath
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from claimjury.settlers.syntax.values import Language, Unreadable

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

__all__ = ["MAX_BYTES", "Parsed", "language_of", "parse"]

MAX_BYTES: Final = 2_000_000
_ENDINGS: Final[dict[str, Language]] = {
    ".py": "python",
    ".pyi": "python",
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
}
_GRAMMARS: Final[dict[Language, tuple[str, str]]] = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"),
}


class Parsed:
    """A file's tree, with its bytes; nodes are valid while it lives."""

    def __init__(self, path: str, language: Language, data: bytes, tree: Tree) -> None:
        self.path = path
        self.language = language
        self.data = data
        self.root: Node = tree.root_node
        self.broken: bool = tree.root_node.has_error


def language_of(path: str) -> Language | None:
    """Give the language of a file by the ending of its name; none where it is not one of ours."""
    return _ENDINGS.get(posixpath.splitext(path)[1])


def parse(path: str, data: bytes) -> Parsed | Unreadable:
    """Give the tree of a file, or why there is none."""
    language = language_of(path)
    if language is None:
        return Unreadable(reason="its language is not known")
    if len(data) > MAX_BYTES:
        return Unreadable(reason=f"it has over {MAX_BYTES:,} bytes")
    # The scanners take a NUL for the end of the file, and what follows it would be missed.
    if b"\0" in data:
        return Unreadable(reason="it is binary")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return Unreadable(reason="it is not UTF-8")
    return Parsed(path, language, data, _parser(language).parse(data))


@cache
def _parser(language: Language) -> Parser:
    from tree_sitter import Language as Grammar
    from tree_sitter import Parser

    module, function = _GRAMMARS[language]
    return Parser(Grammar(cast("object", getattr(import_module(module), function)())))
