"""When it is sure that a symbol is defined nowhere: of few kinds only, and where nothing can define it unseen."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import Silent
from claimjury.settlers.syntax import language_of
from claimjury.text import clean_line

__all__ = ["absence_doubt"]

_OPEN: Final = ("function", "class", "test")
"""Kinds that are defined by a statement of their own: a method is inherited, a variable bound in many ways."""
_GENERATING: Final = ("rust", "java")
"""Languages in which macros, derives and annotations define what no text does."""
_USUAL: Final = frozenset(
    [
        ".venv",
        "venv",
        "env",
        "node_modules",
        "__pycache__",
        "build",
        "dist",
        "target",
        "site-packages",
        "htmlcov",
        "coverage",
    ]
)
"""Folders that are ignored everywhere and hold no source of the project."""


def absence_doubt(name: str, kind: str | None, path: str | None, evidence: Evidence) -> Silent | None:
    """Give why it is not sure that nothing defines a name, where no definition was found; None where it is."""
    if kind not in _OPEN:
        what = f"A {kind}" if kind else "What is named without its kind"
        return Silent(reason=f"{what} may stand where no definition is seen.")
    if any(mark in name for mark in (".", "::", "#")):
        return Silent(reason=f"{clean_line(name)} may be inherited.")
    one = next((path for path in [path] if path and language_of(path) in _GENERATING), None)
    one = one or (None if path else evidence.first_of(_GENERATING))
    if one is not None:
        return Silent(reason=f"{clean_line(one)} may define more than stands in it.")
    return None if path else _ignored_source(evidence)


def _ignored_source(evidence: Evidence) -> Silent | None:
    """Silence where git ignores sources: they are of the project as often as not."""
    path = next(filter(_may_hold_source, evidence.ignored()), None)
    return None if path is None else Silent(reason=f"git ignores {clean_line(path)}, which may define it.")


def _may_hold_source(path: str) -> bool:
    parts = PurePosixPath(path).parts
    if any(part in _USUAL or part.endswith((".egg-info", "_cache")) for part in parts):
        return False
    if path.endswith("/"):
        return not parts[-1].startswith(".")
    return language_of(path) is not None
