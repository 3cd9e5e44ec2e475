"""Snapshots: which served names a vendor documents as the model that an alias stands for.

Each form is the vendor's own: an alias is answered with the dated build that it points at. Anything else than these
forms, or the name itself, is another model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["is_snapshot"]

_DASHED: Final = r"-20\d\d-[01]\d-[0-3]\d"
_PLAIN: Final = r"-20\d\d[01]\d[0-3]\d"
_YEAR_MONTH: Final = r"-2\d[01]\d"
_NUMBERED: Final = r"-00\d"
# What may follow the alias in the served name, by provider.
_FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    # gpt-4o -> gpt-4o-2024-08-06 (developers.openai.com/api/docs/models).
    "openai": (_DASHED,),
    # claude-sonnet-4-5 -> claude-sonnet-4-5-20250929 (platform.claude.com, model-ids-and-versions).
    "anthropic": (_PLAIN,),
    # gemini-2.0-flash -> gemini-2.0-flash-001 (cloud.google.com, generative-ai/docs/learn/model-versioning).
    "google": (_NUMBERED,),
    # mistral-large-latest -> mistral-large-2512 (docs.mistral.ai, models).
    "mistral": (_YEAR_MONTH,),
    # openai/gpt-5-mini -> openai/gpt-5-mini-2025-08-07: the vendor's own date (openrouter.ai, `canonical_slug`).
    "openrouter": (_DASHED, _PLAIN),
}
_LATEST: Final = "-latest"
_PREFIX: Final = "models/"
# gpt-4 -> gpt-4-0613, of before dates had a year (developers.openai.com/api/docs/models/gpt-4).
_OLD_GPT: Final = re.compile(r"(gpt-4|gpt-3\.5-turbo)-(?:0\d|1[0-2])[0-3]\d")
# claude-sonnet-4-0 -> claude-sonnet-4-20250514: `-0` stands for the first build.
_FIRST_CLAUDE: Final = re.compile(r"(claude-[a-z]+-\d+)-0")
# anthropic/claude-sonnet-4.5 -> anthropic/claude-4.5-sonnet-20250929: OpenRouter's slug turns tier and version round.
_ROUTED_CLAUDE: Final = re.compile(r"(anthropic/claude)-([a-z]+)-([\d.]+)")


def is_snapshot(provider: str, requested: str, served: str) -> bool:
    """Whether the served name is the one asked for, or a dated build of it as the provider documents them.

    Args:
        provider: The first segment of the panel's id.
        requested: The name that was asked for, without its provider.
        served: The name that the host gave.
    """
    asked, got = _folded(requested), _folded(served)
    if asked == got:
        return True
    if provider == "openai" and (old := _OLD_GPT.fullmatch(got)):
        return old[1] == asked
    return any(
        re.fullmatch(re.escape(alias) + form, got)
        for alias in _aliases(provider, asked)
        for form in _FORMS.get(provider, ())
    )


def _aliases(provider: str, asked: str) -> list[str]:
    """Give the names that dates are put behind: the one asked for, and what it is known to stand for."""
    names = [asked.removesuffix(_LATEST)]
    if provider == "anthropic" and (first := _FIRST_CLAUDE.fullmatch(asked)):
        names.append(first[1])
    if provider == "openrouter" and (turned := _ROUTED_CLAUDE.fullmatch(asked)):
        names.append(f"{turned[1]}-{turned[3]}-{turned[2]}")
    return names


def _folded(name: str) -> str:
    return name.strip().casefold().removeprefix(_PREFIX)
