"""Families: the vendor lineage that trained a model, read from its id.

Source of the map: the vendors' names of Ollama's cloud catalogue. The catalogue itself does not name a vendor
(its `details` are blank), so the id is all there is. An id that no row matches is `unknown`, which counts as
no family at all: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

__all__ = ["UNKNOWN", "family_of", "known_families"]

UNKNOWN: Final = "unknown"

# Whole words only: `gpt-oss` is OpenAI's, `gpt4all-j` is not.
_FAMILIES: Final[dict[str, str]] = {
    "deepseek": r"deepseek-",
    # Cogito 671b has the size of DeepSeek-V3 and is likely derived from it; a lineage that may be shared is
    # never counted as two.
    "deepseek-derived": r"cogito-",
    "moonshot": r"kimi-",
    "zai": r"glm-",
    "alibaba": r"qwen(?=[\d:.-]|$)",
    "openai": r"gpt-oss(?=[:-]|$)",
    "minimax": r"minimax-",
    "mistral": r"(?:mistral|ministral|devstral|magistral|codestral)(?=[:.-]|$)",
    "google": r"(?:gemma(?=[\d:-]|$)|gemini-)",
    "nvidia": r"nemotron-",
}
_PATTERNS: Final = [(name.removesuffix("-derived"), re.compile(row)) for name, row in _FAMILIES.items()]


def family_of(model: str) -> str:
    """Give the family of a model id, or `unknown`. A namespaced id (`user/model`) is unknown: anyone can name one."""
    name = model.strip().casefold()
    if "/" in name:
        return UNKNOWN
    return next((family for family, pattern in _PATTERNS if pattern.match(name)), UNKNOWN)


def known_families(models: Iterable[str]) -> list[str]:
    """Give the families among `models`; each once, by name; an unknown family adds none."""
    return sorted({family_of(model) for model in models} - {UNKNOWN})
