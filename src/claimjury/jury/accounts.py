"""Accounts: what the calls of one seat or skeptic take, set aside before and settled after; and its clock."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import anyio

from claimjury.errors import CallError
from claimjury.jury.budget import Purse, Spent, answer_cost
from claimjury.jury.result import CostSource
from claimjury.models.answers import Answer
from claimjury.models.routes import Route

__all__ = ["Account", "cost_of", "paused"]


@dataclass(slots=True)
class Account:
    """The calls of one model, paid from the purse of a run."""

    purse: Purse
    route: Route
    _held: list[Spent] = field(default_factory=list)

    def hold(self, worst: Spent) -> bool:
        """Set the worst case of a call aside, unless it does not fit any more; then give False."""
        if not self.purse.hold(worst):
            return False
        self._held.append(worst)
        return True

    def took(self, outcome: Answer | CallError) -> None:
        """Put what a call took in the place of its worst case. A refusal is not billed; a broken answer may be."""
        held = self._held[-1]
        if isinstance(outcome, CallError):
            # A gateway may cut an answer that the host has made, and bills.
            if outcome.status is not None and outcome.status < 500:
                self.purse.settle(held, Spent(tokens=0, cost_usd=0.0))
            return
        counts = (outcome.prompt_tokens, outcome.output_tokens)
        tokens = held.tokens if None in counts else sum(count or 0 for count in counts)
        self.purse.settle(held, Spent(tokens=tokens, cost_usd=answer_cost(self.route, outcome)[0]))


@contextmanager
def paused(scope: anyio.CancelScope) -> Iterator[None]:
    """Stop the clock of a scope: time in a host's queue is not the caller's."""
    left = scope.deadline - anyio.current_time()
    scope.deadline = math.inf
    try:
        yield
    finally:
        scope.deadline = anyio.current_time() + left


def cost_of(route: Route, answers: Sequence[Answer]) -> tuple[float | None, CostSource | None]:
    """Add up what answers cost; a sum with an unknown part is unknown. What runs here is not billed."""
    if route.backend == "local" or not answers:
        return None, None
    costs = [answer_cost(route, answer) for answer in answers]
    amounts = [cost for cost, _ in costs if cost is not None]
    if len(amounts) < len(costs):
        return None, "unknown"
    return sum(amounts), "reported" if {source for _, source in costs} == {"reported"} else "price_list"
