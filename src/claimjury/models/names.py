"""Names: the three spellings of one Ollama model (asked for, sent, served) and when they mean the same.

Suffix rules as in Ollama's `internal/modelref`: `x:cloud` and `x:tag:cloud` end in a tag `cloud`; `x:tag-cloud`
ends in `-cloud` after a colon; a name that merely ends in `-cloud` is not a cloud reference. `latest` is the
tag of a name that has none.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Final

from claimjury.errors import InvalidRequest
from claimjury.models.families import is_router
from claimjury.models.providers import OLLAMA, PROVIDERS
from claimjury.text import clean_line, clip

__all__ = ["MAX_MODEL_ID", "checked_panel", "named_by_host", "same_model", "sent_name"]

MAX_MODEL_ID: Final = 200
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]*")
# Hosts of other tools' ids (pydantic-ai's, LiteLLM's) that are no provider of ours: an id that begins so would be sent
# to Ollama under a wrong name. `hf.co/...` and `user/model` are Ollama's own.
_ELSEWHERE: Final = frozenset(
    (
        "azure",
        "azure_ai",
        "bedrock",
        "cerebras",
        "cohere",
        "deepseek",
        "fireworks",
        "fireworks_ai",
        "gateway",
        "gemini",
        "google-cloud",
        "google-gla",
        "google-vertex",
        "grok",
        "huggingface",
        "litellm",
        "moonshot",
        "moonshotai",
        "openai-chat",
        "openai-responses",
        "together",
        "together_ai",
        "vertex_ai",
        "xai",
        "x-ai",
    )
)
_NAMES_TOO: Final = ("mistral", "deepseek")
_CLOUD: Final = re.compile(r":cloud$|(?<=:)([^:]+)-cloud$", re.IGNORECASE)


def sent_name(model: str) -> str:
    """Give the name to send to the direct host: the cloud suffix is for daemons, so it is taken off."""
    return _CLOUD.sub(lambda match: match[1] or "", model.strip())


def named_by_host(model: str, hosts: Container[str]) -> tuple[str, str]:
    """Give an id's provider and the rest: `openai/gpt-5.2` is `openai` and `gpt-5.2`; anything else is Ollama's."""
    head, slash, rest = model.strip().partition("/")
    head = head.casefold()
    if slash and rest and (head == OLLAMA or head in hosts):
        return head, rest
    return OLLAMA, model.strip()


def same_model(left: str, right: str) -> bool:
    """Whether two spellings name one model: case folded, the cloud suffix and `:latest` taken off."""
    return _folded(left) == _folded(right)


def _folded(model: str) -> str:
    return sent_name(model).casefold().removeprefix(f"{OLLAMA}/").removesuffix(":latest")


def checked_panel(models: Sequence[object], hosts: Container[str] = PROVIDERS) -> tuple[str, ...]:
    """Give the panel's ids, trimmed.

    Args:
        models: As named.
        hosts: The first segments that are a provider's or a server's.

    Raises:
        InvalidRequest: An id is malformed, asks for a local model or a host that is not known, does not say which
            model answers, or names a model that is already seated.
    """
    seated: list[str] = []
    for model in (_checked_id(given, hosts) for given in models):
        shown = clip(clean_line(model), 60)
        if twin := next((other for other in seated if same_model(other, model)), None):
            raise InvalidRequest(
                f"The panel names one model twice: {twin!r} and {shown!r}.",
                hint="One model has one vote. Name models of different vendors.",
            )
        seated.append(model)
    return tuple(seated)


def _checked_id(given: object, hosts: Container[str]) -> str:
    if not isinstance(given, str):
        raise InvalidRequest(
            f"The panel holds a {type(given).__name__}, not a model id.", hint="Ids look like glm-5.2:cloud."
        )
    model = given.strip()
    shown = clip(clean_line(model), 60)
    if not _ID.fullmatch(model) or len(model) > MAX_MODEL_ID:
        raise InvalidRequest(f"{shown!r} is not a model id.", hint="Ids look like glm-5.2:cloud.")
    if is_router(model):
        raise InvalidRequest(
            f"{shown!r} lets the host choose the model, and who votes must be known.",
            hint="Name the model itself.",
        )
    provider, name = named_by_host(model, hosts)
    if model.endswith("/") or (model.casefold() in hosts and model.casefold() not in _NAMES_TOO):
        raise InvalidRequest(
            f"{shown!r} names a provider and no model.", hint="Ids look like openai/gpt-5.2."
        )
    if provider == "openrouter" and "/" not in name:
        raise InvalidRequest(
            f"{shown!r} is not an id of OpenRouter's.",
            hint="They look like openrouter/x-ai/grok-4: vendor and model.",
        )
    if model.casefold().endswith((":local", "-local")):
        raise InvalidRequest(
            f"{shown!r} asks for a local model; a local model never sits in a cloud seat.",
            hint="Name a cloud model, like glm-5.2:cloud, or use --local for a panel of this machine's models.",
        )
    _refuse_elsewhere(model, shown, hosts)
    return model


def _refuse_elsewhere(model: str, shown: str, hosts: Container[str]) -> None:
    """Refuse an id that begins as other tools write another host: it would be sent to Ollama under a wrong name."""
    head = re.match(r"([^/:]+)([/:])(.*)", model)
    if head is None:
        return
    name, mark, rest = head[1].casefold(), head[2], head[3]
    known = name in hosts or name in _ELSEWHERE
    # `mistral:7b` and `deepseek:...` are models of Ollama's.
    if mark == ":" and known and name not in _NAMES_TOO:
        raise InvalidRequest(
            f"{shown!r} is written as other tools write it.", hint=f"Here it is {name}/{clip(rest, 60)}."
        )
    if mark == "/" and name not in hosts and name in _ELSEWHERE:
        raise InvalidRequest(
            f"{shown!r} begins with {name}, which is no host that claimjury knows.",
            hint=f"Add it to your settings as a server ([servers.NAME]), or write ollama/{clip(model, 60)} "
            "if it is a model of Ollama's.",
        )
