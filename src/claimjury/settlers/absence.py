"""When it is sure that a file defines no such symbol: of few kinds only, and where nothing in it can define one unseen.

Nothing is ever said to be defined nowhere: a name may be put together, made by a generator, or written otherwise in another language.
"""

from __future__ import annotations

import builtins
import re
from typing import Final

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import Silent
from claimjury.settlers.search import folded
from claimjury.settlers.sources import Source, hidden_by, read_source
from claimjury.settlers.symbol_places import Meant, Place
from claimjury.text import clean_line

__all__ = ["absence_doubt"]

_OPEN: Final = ("function", "class", "test")
"""Kinds that are defined by a statement of their own: a method is inherited, a variable bound in many ways."""
_GIVES_UNSEEN: Final = re.compile(r"\bsys\.modules\[|__getattr__|\battach(?:_stub)?\(")
_GENERATING: Final = ("rust", "java")
"""Languages in which macros, derives and annotations define what no text does."""
_NAMING: Final = ("escaped_name", "eval", "export_star")
"""What may give a name that the text does not hold."""


def absence_doubt(meant: Meant, place: Place, evidence: Evidence) -> Silent | None:
    """Give why it is not sure that a file does not define a name, where no definition was found; None where it is."""
    why = _of_what_is_said(meant)
    path = place.proof.path
    if why is None and path in evidence.files:
        why = _of_file(meant, path or "", evidence)
    return None if why is None else Silent(reason=why)


def _of_what_is_said(meant: Meant) -> str | None:
    if meant.path is None:
        return f"{clean_line(meant.name)} may be defined where nobody sees it; name a file."
    if meant.kind not in _OPEN:
        what = f"A {meant.kind}" if meant.kind else "What is named without its kind"
        return f"{what} may stand where no definition is seen."
    if meant.last != meant.name or hasattr(builtins, meant.name):
        return f"{clean_line(meant.name)} may be inherited, or defined by the language."
    return None


def _of_file(meant: Meant, path: str, evidence: Evidence) -> str | None:
    name = meant.last
    source = read_source(path, evidence)
    if source is None:
        return f"{clean_line(path)} cannot be parsed whole, or is of no language that is."
    if source.outline.language in _GENERATING or _gives_unseen(source, evidence.text(path)):
        return f"{clean_line(path)} may define more than stands in it."
    if meant.kind == "test" and any(one.bases for one in source.outline.definitions):
        return f"A class of {clean_line(path)} may inherit it."
    if folded(name) in folded(evidence.text(path)):
        return f"{clean_line(path)} holds {clean_line(name)}, or something like it."
    return None


def _gives_unseen(source: Source, text: str) -> bool:
    outline = source.outline
    if outline.language == "python" and _GIVES_UNSEEN.search(text):
        return True
    # `module.exports = require("./b")` gives whatever that gives.
    whole = any(one.name == "default" and one.local is None for one in outline.exports)
    return whole or hidden_by(outline) is not None or any(kind in _NAMING for kind, _ in outline.dynamic)
