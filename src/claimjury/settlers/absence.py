"""When it is sure that a symbol is defined nowhere: of few kinds only, and where nothing can define it unseen."""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import Final

from claimjury.evidence.git import run_git
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
    generating = [path] if path else evidence.files
    one = next((path for path in generating if language_of(path) in _GENERATING), None)
    if one is not None:
        return Silent(reason=f"{clean_line(one)} may define more than stands in it.")
    return None if path else _ignored_source(evidence)


def _ignored_source(evidence: Evidence) -> Silent | None:
    """Silence where git ignores sources: they are of the project as often as not."""
    options = ("--others", "--ignored", "--exclude-standard", "--directory", "-z")
    reply = run_git(evidence.snapshot.top, "ls-files", *options, indexed=True)
    if reply.status:
        return Silent(reason="git does not say what it ignores.")
    for raw in filter(None, reply.output.split(b"\0")):
        path = os.fsdecode(raw)
        if _may_hold_source(path):
            return Silent(reason=f"git ignores {clean_line(path)}, which may define it.")
    return None


def _may_hold_source(path: str) -> bool:
    parts = PurePosixPath(path).parts
    if any(part in _USUAL or part.endswith((".egg-info", "_cache")) for part in parts):
        return False
    if path.endswith("/"):
        return not parts[-1].startswith(".")
    return language_of(path) is not None
