"""Outlines: what a file defines and uses, by the reader of its language."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from claimjury.settlers.syntax.go import GoReader
from claimjury.settlers.syntax.java import JavaReader
from claimjury.settlers.syntax.javascript import JavaScriptReader
from claimjury.settlers.syntax.parsing import parse
from claimjury.settlers.syntax.python import PythonReader
from claimjury.settlers.syntax.reading import Reader
from claimjury.settlers.syntax.rust import RustReader
from claimjury.settlers.syntax.values import Language, Outline, Unreadable

__all__ = ["outline"]

_READERS: Final[dict[Language, type[Reader]]] = {
    "python": PythonReader,
    "javascript": JavaScriptReader,
    "typescript": JavaScriptReader,
    "tsx": JavaScriptReader,
    "go": GoReader,
    "rust": RustReader,
    "java": JavaReader,
}


# Each claim of a run asks for the same files again.
@lru_cache(maxsize=512)
def outline(path: str, data: bytes) -> Outline | Unreadable:
    """Give what a file defines and uses.

    Args:
        path: Its name, whose ending says the language.
        data: Its bytes.
    """
    parsed = parse(path, data)
    if isinstance(parsed, Unreadable):
        return parsed
    return _READERS[parsed.language](parsed).outline()
