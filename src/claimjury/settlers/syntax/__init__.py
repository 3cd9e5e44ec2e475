"""What source files define and use, by their syntax: Python, JavaScript, TypeScript, Go, Rust and Java.

Nothing is resolved and nothing is run: a reader says what stands in one file, and what in it could hide more.
"""

from claimjury.settlers.syntax.options import options
from claimjury.settlers.syntax.outlines import outline
from claimjury.settlers.syntax.parsing import language_of
from claimjury.settlers.syntax.routes import routes
from claimjury.settlers.syntax.values import (
    Call,
    Constant,
    Definition,
    Export,
    Import,
    Kind,
    Language,
    Option,
    Outline,
    Parameters,
    Route,
    Unreadable,
    Value,
)

__all__ = [
    "Call",
    "Constant",
    "Definition",
    "Export",
    "Import",
    "Kind",
    "Language",
    "Option",
    "Outline",
    "Parameters",
    "Route",
    "Unreadable",
    "Value",
    "language_of",
    "options",
    "outline",
    "routes",
]
