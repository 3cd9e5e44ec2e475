"""Prices: what tokens cost by the vendors' own price lists, as `genai-prices` keeps them. Nothing is ever guessed.

A list knows no discount of an account, so what a host reports itself comes before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation

__all__ = ["list_cost", "listed_window"]

_LISTS: Final[Mapping[str, str]] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "google",
    "mistral": "mistral",
    "groq": "groq",
    "openrouter": "openrouter",
}
"""Our providers by the names of the list. Ollama Cloud's plans have no price per token there."""


def list_cost(provider: str, name: str, tokens_in: int, tokens_out: int) -> float | None:
    """Give what so many tokens cost, in US dollars, or None where the list does not know the model.

    Args:
        provider: The first segment of the panel's id.
        name: The model as the host takes it.
        tokens_in: Of the prompt, cached ones included: a cache may make it cheaper.
        tokens_out: Of the answer, thinking included.
    """
    found = _calculated(provider, name, tokens_in, tokens_out)
    return None if found is None else float(found.total_price)


@cache
def listed_window(provider: str, name: str) -> int | None:
    """Give a model's context window in tokens, or None where the list does not say it."""
    found = _calculated(provider, name, 0, 0)
    return None if found is None else found.model.context_window


def _calculated(provider: str, name: str, tokens_in: int, tokens_out: int) -> PriceCalculation | None:
    listed = _LISTS.get(provider)
    if listed is None:
        return None
    # Its data takes 0.1 s to import, and Ollama's models have no row in it.
    from genai_prices import Usage, calc_price

    usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
    try:
        return calc_price(usage, model_ref=name, provider_id=listed)
    except (LookupError, ValueError):
        return None
