"""What is known of a cloud model before it is asked: context window, output limit, how it thinks.

Source: Ollama's catalogue and models.dev as of September 2026. A row matches the whole name before
the tag. A model without a row has no traits; the catalogue may know more (`fetch_traits`), else the window is
`DEFAULT_WINDOW`, with a warning.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from claimjury.models.names import sent_name
from claimjury.models.prices import listed_window
from claimjury.models.providers import DAEMON, OLLAMA
from claimjury.models.routes import Route

__all__ = ["DEFAULT_WINDOW", "Think", "Traits", "route_traits", "traits_of"]

Think = Literal["low", "high"] | bool
DEFAULT_WINDOW: Final = 32_768
"""Tokens; prompt and answer together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """Facts of one model.

    Attributes:
        window: Tokens of prompt and answer together, or None where unknown.
        output_limit: Tokens of one answer, thinking included, or None where unknown.
        think: What to ask for: the lowest named level, True where it only switches, False where the model
            cannot think, None where that is unknown.
    """

    window: int | None = None
    output_limit: int | None = None
    think: Think | None = None


_ROWS: Final[dict[str, Traits]] = {
    "deepseek-v4-pro": Traits(window=1_048_576, output_limit=65_536, think="high"),
    "deepseek-v4-flash": Traits(window=1_048_576, think=True),
    "deepseek-v4.1-flash": Traits(window=1_048_576, think="low"),
    "kimi-k3": Traits(window=1_048_576, think="low"),
    "kimi-k2.7-code": Traits(window=262_144, think=True),
    "kimi-k2.6": Traits(window=262_144, think=True),
    "glm-5.3": Traits(window=1_048_576, think="low"),
    "glm-5.3-flash": Traits(think="low"),
    "glm-5.2": Traits(window=976_000, output_limit=131_072, think="high"),
    "glm-5.1": Traits(window=202_752, output_limit=131_072, think=True),
    "qwen3.5": Traits(window=262_144, output_limit=65_536, think=True),
    "gpt-oss": Traits(window=131_072, output_limit=32_768, think="low"),
    "minimax-m3": Traits(window=512_000, think="low"),
    "minimax-m2.7": Traits(window=196_608, think=True),
    "mistral-large-3": Traits(window=262_144, think=False),
    "gemma4": Traits(window=262_144, think=True),
    "nemotron-3-nano": Traits(window=1_048_576, think=True),
    "nemotron-3-super": Traits(window=262_144, think=True),
    "nemotron-3-ultra": Traits(window=262_144, think=True),
}


def traits_of(model: str) -> Traits:
    """Give what is known of `model`; all of it unknown where no row matches its name (its tag is not looked at)."""
    return _ROWS.get(sent_name(model).casefold().partition(":")[0], Traits())


# The vendors' own model pages, November 2026: ids that answer less than the 34,000 tokens that a jury asks for. An output
# limit that is too high is refused with a 400; pydantic-ai caps Claude's by itself.
_SHORT_ANSWERS: Final[dict[tuple[str, str], int]] = {
    ("openai", "gpt-3.5"): 4_096,
    ("openai", "gpt-4-turbo"): 4_096,
    ("openai", "gpt-4o"): 16_384,
    ("openai", "gpt-4.1"): 32_768,
    ("openai", "gpt-4"): 4_096,
    ("google", "gemini-2.0"): 8_192,
    ("google", "gemini-1.5"): 8_192,
    ("groq", "llama-3.1-8b-instant"): 8_192,
}


def route_traits(route: Route) -> Traits:
    """Give what is known of a model where it is asked.

    A window is the one of the user's settings, else that of the table, for a vendor's model that of the price list.
    """
    if route.provider in (OLLAMA, DAEMON):
        known = traits_of(route.name)
        return replace(known, window=route.window or known.window)
    name = route.name.casefold()
    limit = next(
        (size for (host, start), size in _SHORT_ANSWERS.items() if _begins(route, name, host, start)), None
    )
    return Traits(window=route.window or listed_window(route.provider, route.name), output_limit=limit)


def _begins(route: Route, name: str, host: str, start: str) -> bool:
    return route.provider == host and name.startswith(start)
