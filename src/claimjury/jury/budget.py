"""The budget: what a run may take at most, refused up front by its worst case and watched on the way.

A call's worst case is its prompt, estimated at 3 bytes a token, and its whole output limit. A run's is that of every
attempt and of the re-ask. What a host does not report counts as the worst case, so that a limit is never passed unseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from claimjury.errors import BudgetExceeded, InvalidRequest
from claimjury.evidence.window import estimate_tokens
from claimjury.jury.plan import Plan
from claimjury.jury.result import CostSource, JurorParams
from claimjury.models.answers import Answer
from claimjury.models.limits import MAX_ATTEMPTS
from claimjury.models.prices import list_cost
from claimjury.models.routes import Route

__all__ = ["Purse", "Spent", "answer_cost", "call_worst", "refuse_over_budget", "run_worst"]

_CORRECTION_TOKENS = 2_000
"""Room for the words of a re-ask, which names at most 20 ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Tokens, prompts and answers together, and US dollars; None where a price is not known."""

    tokens: int
    cost_usd: float | None

    def __add__(self, other: Spent) -> Spent:
        """Add; a sum with an unknown part is unknown."""
        known = self.cost_usd is not None and other.cost_usd is not None
        cost = (self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None
        return Spent(tokens=self.tokens + other.tokens, cost_usd=cost)

    def times(self, count: int) -> Spent:
        """Give the same so often."""
        cost = None if self.cost_usd is None else self.cost_usd * count
        return Spent(tokens=self.tokens * count, cost_usd=cost)


NOTHING = Spent(tokens=0, cost_usd=0.0)


def call_worst(route: Route, prompt_bytes: int, params: JurorParams, *, extra_tokens: int = 0) -> Spent:
    """Give what one call may take at most: `extra_tokens` are those of a prompt that is longer than the run's."""
    tokens_in = estimate_tokens(prompt_bytes) + extra_tokens
    cost = _cost(route, tokens_in, params.num_predict)
    return Spent(tokens=tokens_in + params.num_predict, cost_usd=cost)


def seat_worst(route: Route, prompt_bytes: int, params: JurorParams, *, reask: bool) -> Spent:
    """Give what one seat may take at most: all attempts of its call, and of the re-ask."""
    worst = call_worst(route, prompt_bytes, params).times(MAX_ATTEMPTS)
    if not reask:
        return worst
    extra = params.num_predict + _CORRECTION_TOKENS
    return worst + call_worst(route, prompt_bytes, params, extra_tokens=extra).times(MAX_ATTEMPTS)


def run_worst(plan: Plan, params: Mapping[str, JurorParams]) -> Spent:
    """Give what a run may take at most; each alternate may be asked beside the panel."""
    asked = [*plan.sitting, *(plan.routes[model] for model in plan.request.alternates)]
    seats = (
        seat_worst(route, plan.prompt.bytes, params[route.model], reask=plan.request.reask)
        for route in asked
        if route.model in params
    )
    return sum(seats, start=NOTHING)


def refuse_over_budget(plan: Plan, worst: Spent) -> None:
    """Refuse a run whose worst case is over its limits; no evidence was sent.

    Raises:
        BudgetExceeded: It is, with the numbers.
    """
    limits = plan.request
    if limits.max_tokens is not None and worst.tokens > limits.max_tokens:
        raise BudgetExceeded(
            f"The run may take {worst.tokens:,} tokens at worst, and {limits.max_tokens:,} are allowed. {_terms(plan)}",
            hint=_LESS,
        )
    if limits.max_cost_usd is None:
        return
    refuse_unpriced(plan)
    if worst.cost_usd is not None and worst.cost_usd > limits.max_cost_usd:
        raise BudgetExceeded(
            f"The run may cost ${worst.cost_usd:,.2f} at worst, and ${limits.max_cost_usd:,.2f} are allowed. {_terms(plan)}",
            hint=_LESS,
        )


_LESS = (
    "Raise the limit, send less evidence, ask fewer models, or use --no-reask, which halves the worst case."
)


def refuse_unpriced(plan: Plan) -> None:
    """Refuse a limit in dollars where a price is not known.

    Raises:
        InvalidRequest: It is not; with the models, and the limit that works without.
    """
    unpriced = list(unpriced_models(plan))
    if unpriced and plan.request.max_cost_usd is not None:
        raise InvalidRequest(
            f"What {', '.join(unpriced)} costs is not known, so a limit in dollars cannot hold.",
            hint="Limit the tokens instead: --max-tokens N. Ollama Cloud's plans have no price per token in the price list.",
        )


def unpriced_models(plan: Plan) -> Iterable[str]:
    """Give who may be asked and has no known price."""
    asked = [*plan.sitting, *(plan.routes[model] for model in plan.request.alternates)]
    return (route.model for route in asked if _cost(route, 1, 1) is None)


def _terms(plan: Plan) -> str:
    seats = len(plan.sitting) + len(plan.request.alternates)
    reask = ", and one re-ask of as many" if plan.request.reask else ""
    return (
        f"That is {seats} model(s), each with up to {MAX_ATTEMPTS} attempts of about "
        f"{estimate_tokens(plan.prompt.bytes):,} prompt tokens and the whole output limit{reask}."
    )


def _cost(route: Route, tokens_in: int, tokens_out: int) -> float | None:
    """Give the list price; a model of this machine costs nothing."""
    if route.backend == "local":
        return 0.0
    return list_cost(route.provider, route.name, tokens_in, tokens_out)


def answer_cost(route: Route, answer: Answer) -> tuple[float | None, CostSource]:
    """Give what an answer cost, in US dollars, and how that is known."""
    if answer.cost_usd is not None:
        return answer.cost_usd, "reported"
    if answer.prompt_tokens is None or answer.output_tokens is None:
        return None, "unknown"
    cost = list_cost(route.provider, route.name, answer.prompt_tokens, answer.output_tokens)
    return cost, "unknown" if cost is None else "price_list"


class Purse:
    """What a run has taken and what its running calls may take, against its limits."""

    def __init__(self, max_tokens: int | None = None, max_cost_usd: float | None = None) -> None:
        """Begin with nothing taken; None is no limit."""
        self._max_tokens = max_tokens
        self._max_cost = max_cost_usd
        self.spent = NOTHING

    def hold(self, worst: Spent) -> bool:
        """Set a call's worst case aside, unless it does not fit any more; then give False."""
        after = self.spent + worst
        if self._max_tokens is not None and after.tokens > self._max_tokens:
            return False
        if self._max_cost is not None and (after.cost_usd is None or after.cost_usd > self._max_cost):
            return False
        self.spent = after
        return True

    def settle(self, held: Spent, actual: Spent) -> None:
        """Put what a call took in the place of what was set aside for it; what is not known stays set aside."""
        tokens = self.spent.tokens - held.tokens + actual.tokens
        both = self.spent.cost_usd is not None and held.cost_usd is not None
        left = (self.spent.cost_usd or 0.0) - (held.cost_usd or 0.0) if both else None
        cost = (
            None
            if left is None
            else left + (actual.cost_usd if actual.cost_usd is not None else held.cost_usd or 0.0)
        )
        self.spent = Spent(tokens=tokens, cost_usd=cost)
