"""The echo: what a vendor's reply says of itself, read from its bytes and not from what an SDK made of them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from claimjury.models.vendors.witness import Exchange

__all__ = ["Echo", "read_echo"]

_ID_HEADERS: Final = ("x-request-id", "request-id", "x-correlation-id", "mistral-correlation-id")
_ENDS: Final = ("[DONE]", "message_stop", "response.completed", "response.incomplete", "finishReason")


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """What a reply says of itself; what it does not say is None.

    Attributes:
        served_model: The model that it names; names that differ within one reply are all given, and equal no id.
        request_id: Of the headers, else the reply's own id.
        fingerprint: `system_fingerprint`.
        cost_usd: What OpenRouter reports as `usage.cost`.
        counted: Whether it counts the tokens of the prompt and those of the answer.
        cut: Whether it is a stream without its end.
    """

    served_model: str | None
    request_id: str | None
    fingerprint: str | None
    cost_usd: float | None
    counted: bool
    cut: bool


def read_echo(exchange: Exchange) -> Echo:
    """Read a reply of any of the vendors: one JSON object, or the events of a stream."""
    text = exchange.body.decode("utf-8", errors="replace")
    objects, streamed = _objects(text)
    inner = [*objects, *_nested(objects)]
    ids = (_word(exchange.headers.get(name)) for name in _ID_HEADERS)
    return Echo(
        served_model=" and ".join(dict.fromkeys(_words(inner, ("model", "modelVersion")))) or None,
        request_id=next((ident for ident in ids if ident), None) or _first(inner, ("id", "responseId")),
        fingerprint=_first(inner, ("system_fingerprint",)),
        cost_usd=next((cost for item in inner if (cost := _cost(item.get("usage"))) is not None), None),
        counted=_counts(inner),
        cut=streamed and not any(end in text for end in _ENDS),
    )


def _objects(text: str) -> tuple[list[dict[str, Any]], bool]:
    whole = _json(text)
    if isinstance(whole, dict):
        return [whole], False
    if isinstance(whole, list):
        return [item for item in whole if isinstance(item, dict)], False
    lines = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")]
    return [item for line in lines if isinstance(item := _json(line), dict)], bool(lines)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _nested(objects: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Give the objects in which a stream's events carry the message (Anthropic) or the response (OpenAI)."""
    for item in objects:
        for name in ("message", "response"):
            if isinstance(inner := item.get(name), dict):
                yield inner


def _words(objects: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Iterator[str]:
    for item in objects:
        for name in names:
            if word := _word(item.get(name)):
                yield word


def _first(objects: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str | None:
    return next(_words(objects, names), None)


def _word(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


# A count that is missing must not be read as none: each vendor's own names of prompt and answer.
_PROMPT_COUNTS: Final = ("prompt_tokens", "input_tokens", "promptTokenCount")
_ANSWER_COUNTS: Final = ("completion_tokens", "output_tokens", "candidatesTokenCount", "thoughtsTokenCount")


def _counts(objects: Sequence[Mapping[str, Any]]) -> bool:
    """Whether prompt and answer are both counted; a stream counts them in different events."""
    usages = [
        item[name]
        for item in objects
        for name in ("usage", "usageMetadata")
        if isinstance(item.get(name), dict)
    ]
    said = {name for usage in usages for name, count in usage.items() if isinstance(count, int)}
    return bool(said.intersection(_PROMPT_COUNTS)) and bool(said.intersection(_ANSWER_COUNTS))


def _cost(usage: object) -> float | None:
    cost = usage.get("cost") if isinstance(usage, dict) else None
    if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not math.isfinite(cost) or cost < 0:
        return None
    return float(cost)
