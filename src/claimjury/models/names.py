"""Names: the three spellings of one Ollama model (asked for, sent, served) and when they mean the same.

Suffix rules as in Ollama's `internal/modelref`: `x:cloud` and `x:tag:cloud` end in a tag `cloud`; `x:tag-cloud`
ends in `-cloud` after a colon; a name that merely ends in `-cloud` is not a cloud reference. `latest` is the
tag of a name that has none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from claimjury.errors import InvalidRequest
from claimjury.text import clean_line, clip

__all__ = ["MAX_MODEL_ID", "checked_panel", "same_model", "sent_name"]

MAX_MODEL_ID: Final = 200
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]*")
# As in pydantic-ai's and LiteLLM's ids. `hf.co/...` and `user/model` are Ollama's own.
_VENDORS: Final = frozenset(
    (
        "anthropic",
        "azure",
        "azure_ai",
        "bedrock",
        "cerebras",
        "cohere",
        "deepseek",
        "fireworks",
        "fireworks_ai",
        "gemini",
        "google",
        "google-gla",
        "google-vertex",
        "grok",
        "groq",
        "huggingface",
        "mistral",
        "moonshot",
        "moonshotai",
        "openai",
        "openai-chat",
        "openai-responses",
        "openrouter",
        "together",
        "together_ai",
        "vertex_ai",
        "xai",
        "x-ai",
    )
)
_CLOUD: Final = re.compile(r":cloud$|(?<=:)([^:]+)-cloud$", re.IGNORECASE)


def sent_name(model: str) -> str:
    """Give the name to send to the direct host: the cloud suffix is for daemons, so it is taken off."""
    return _CLOUD.sub(lambda match: match[1] or "", model.strip())


def same_model(left: str, right: str) -> bool:
    """Whether two spellings name one model: case folded, the cloud suffix and `:latest` taken off."""
    return _folded(left) == _folded(right)


def _folded(model: str) -> str:
    return sent_name(model).casefold().removesuffix(":latest")


def checked_panel(models: Sequence[object]) -> tuple[str, ...]:
    """Give the panel's ids, trimmed.

    Raises:
        InvalidRequest: An id is malformed, asks for a local model or another vendor's host, or names a model
            that is already seated.
    """
    seated: list[str] = []
    for model in map(_checked_id, models):
        shown = clip(clean_line(model), 60)
        if twin := next((other for other in seated if same_model(other, model)), None):
            raise InvalidRequest(
                f"The panel names one model twice: {twin!r} and {shown!r}.",
                hint="One model has one vote. Name models of different vendors.",
            )
        seated.append(model)
    return tuple(seated)


def _checked_id(given: object) -> str:
    if not isinstance(given, str):
        raise InvalidRequest(
            f"The panel holds a {type(given).__name__}, not a model id.", hint="Ids look like glm-5.2:cloud."
        )
    model = given.strip()
    shown = clip(clean_line(model), 60)
    if not _ID.fullmatch(model) or len(model) > MAX_MODEL_ID:
        raise InvalidRequest(f"{shown!r} is not a model id.", hint="Ids look like glm-5.2:cloud.")
    if model.casefold().endswith((":local", "-local")):
        raise InvalidRequest(
            f"{shown!r} asks for a local model; a local model never sits in a cloud seat.",
            hint="Name a cloud model, like glm-5.2:cloud.",
        )
    if _names_vendor(model):
        raise InvalidRequest(
            f"{shown!r} asks for a vendor's own host, which is not built yet: every seat is Ollama Cloud's.",
            hint="Ollama Cloud ids look like glm-5.2:cloud.",
        )
    return model


def _names_vendor(model: str) -> bool:
    """Whether an id begins as other tools write another host: it would be sent to Ollama under a wrong name."""
    head = re.match(r"([^/:]+)[/:]", model.casefold())
    # `mistral:7b` is a model of Ollama's.
    return head is not None and head[1] in _VENDORS and head[0] != "mistral:"
