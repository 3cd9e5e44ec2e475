"""Seating: who may sit. One family has one seat, and the author's has none; a seat that falls out has one stand-in.

Models over-rate what their own family wrote (arXiv 2404.13076, 2410.21819), and two models of one lineage are not two
opinions. Families are those of the weights: a fine-tune or a distillation shares its base's (`models/families.toml`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from claimjury.models.families import UNKNOWN, Lineage
from claimjury.models.routes import Route

__all__ = ["Bar", "Bench", "Candidate", "barred_seats", "sitting_routes", "takes_stand_in"]

_CUT: Final = ("deadline", "cancelled", "budget")


class Candidate(Protocol):
    """Who may sit, as far as families decide it: a `Route` is one."""

    @property
    def model(self) -> str:
        """The id as the panel names it."""
        ...

    @property
    def lineage(self) -> Lineage:
        """Its families."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """Why a model is not asked at all.

    Attributes:
        reason: `author_family` or `duplicate_family`.
        detail: The same as a sentence.
    """

    reason: str
    detail: str


def barred_seats(
    routes: Sequence[Candidate], *, author: frozenset[str], allow_same_family: bool
) -> dict[str, Bar]:
    """Give who of a panel must not sit, and why, by model.

    Args:
        routes: The panel in its order; the first of a family sits.
        author: The families that wrote the claims.
        allow_same_family: Let later seats of the very same family sit too; then it has one common vote. A model of
            two lineages still cannot sit beside one of the other: their votes would count twice.
    """
    barred: dict[str, Bar] = {}
    sitting: list[Candidate] = []
    for route in routes:
        bar = _author_bar(route, author)
        if bar is None:
            bar = _twin_bar(route, sitting, allow_same_family=allow_same_family)
        if bar is None:
            sitting.append(route)
        else:
            barred[route.model] = bar
    return barred


def _author_bar(route: Candidate, author: frozenset[str]) -> Bar | None:
    shared = route.lineage.kin & author
    if not shared:
        return None
    named = ", ".join(sorted(shared))
    return Bar(
        reason="author_family", detail=f"The author of the claims is of the family {named}, and so is it."
    )


def _twin_bar(route: Candidate, sitting: Iterable[Candidate], *, allow_same_family: bool) -> Bar | None:
    twins = (other for other in sitting if other.lineage.shares_with(route.lineage))
    twin = next(
        (
            other
            for other in twins
            if not (allow_same_family and other.lineage.family == route.lineage.family)
        ),
        None,
    )
    if twin is None:
        return None
    named = ", ".join(sorted(twin.lineage.kin & route.lineage.kin))
    return Bar(reason="duplicate_family", detail=f"{twin.model} sits for the family {named} already.")


def takes_stand_in(exclude_reason: str | None) -> bool:
    """Whether an alternate takes a seat over: it fell out, and not because the run was cut short."""
    return exclude_reason is not None and exclude_reason not in _CUT


class Bench:
    """The alternates of a run, and which families sit by now."""

    def __init__(
        self,
        alternates: Sequence[Route],
        sitting: Iterable[Route],
        *,
        author: frozenset[str],
        stand_ins: Mapping[str, str] | None = None,
    ) -> None:
        """Begin with everybody who sits; the author's family never does, and who had a seat before has it again."""
        self._kept = dict(stand_ins or {})
        self._alternates = list(alternates)
        self._sitting: dict[str, Route] = {route.model: route for route in sitting}
        self._author = author

    def replace(self, model: str) -> Route | None:
        """Take a model off its seat and give the next alternate of a family that no other seat has, or None."""
        self._sitting.pop(model, None)
        kept = self._kept.get(model)
        for route in self._alternates:
            if route.model == kept or (kept is None and self._fits(route)):
                self._alternates.remove(route)
                self._sitting[route.model] = route
                return route
        return None

    def _fits(self, route: Route) -> bool:
        if route.family == UNKNOWN or route.lineage.kin & self._author:
            return False
        if route.model in self._kept.values():
            return False
        return not any(other.lineage.shares_with(route.lineage) for other in self._sitting.values())


def sitting_routes(routes: Sequence[Route], barred: Mapping[str, Bar]) -> list[Route]:
    """Give who of a panel is asked."""
    return [route for route in routes if route.model not in barred]
