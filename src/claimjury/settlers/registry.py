"""Every settler."""

from __future__ import annotations

from typing import Final

from claimjury.settlers.change_scope import CHANGE_SCOPE
from claimjury.settlers.checkers import CHECKERS
from claimjury.settlers.dependencies import DEPENDENCIES
from claimjury.settlers.files import FILES
from claimjury.settlers.grammar import Grammar
from claimjury.settlers.keys import KEYS
from claimjury.settlers.lines import LINES
from claimjury.settlers.mentions import MENTIONS
from claimjury.settlers.outcome import Form, Settler
from claimjury.settlers.state import STATE
from claimjury.settlers.surface import SURFACE
from claimjury.settlers.symbols import SYMBOLS
from claimjury.settlers.tests import TESTS
from claimjury.settlers.values import VALUES

__all__ = ["SETTLERS", "form_named", "make_grammar"]

SETTLERS: Final[tuple[Settler, ...]] = (
    FILES,
    CHANGE_SCOPE,
    LINES,
    MENTIONS,
    SYMBOLS,
    SURFACE,
    VALUES,
    KEYS,
    DEPENDENCIES,
    TESTS,
    CHECKERS,
    STATE,
)


def make_grammar() -> Grammar:
    """Give the grammar of all settlers."""
    return Grammar([(settler.grammar, tuple(settler.forms)) for settler in SETTLERS])


def form_named(name: str) -> tuple[Settler, Form]:
    """Give a form with its settler."""
    return next((settler, settler.forms[name]) for settler in SETTLERS if name in settler.forms)
