"""Aimed: what of a run's evidence is aimed at whoever judges it, as rows of its result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from claimjury.evidence.injection import find_injections
from claimjury.jury.plan import Plan
from claimjury.jury.result import InjectionRow
from claimjury.text import clean_line, clip

__all__ = ["MAX_ROWS", "aimed_at_jurors", "aimed_warnings", "rows_of"]

MAX_ROWS: Final = 100
"""Of one run; more are counted in its warnings."""


def aimed_at_jurors(plan: Plan) -> list[InjectionRow]:
    """Give every place of sources, reference and claims that is aimed at a judge."""
    return [row for name, text, first in _texts(plan) for row in rows_of(name, text, first)]


def rows_of(name: str, text: str, first_line: int = 1) -> Iterator[InjectionRow]:
    """Give those of one text."""
    for found in find_injections(text, first_line):
        yield InjectionRow(
            source=clip(clean_line(name), 400), line=found.line, rule=found.rule, excerpt=found.excerpt
        )


def aimed_warnings(rows: Sequence[InjectionRow]) -> list[str]:
    """Give the warning that counts them, where there are any."""
    return [f"injection:{len(rows)}"] if rows else []


def _texts(plan: Plan) -> Iterator[tuple[str, str, int]]:
    for source in plan.sources:
        yield source.path, source.text, source.first_line
    if plan.request.reference is not None:
        yield "reference", plan.request.reference.text, 1
    for claim in plan.request.claims:
        yield f"claim {claim.id}", claim.statement, 1
