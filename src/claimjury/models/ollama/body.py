"""The body of a chat request, made in one place: for the wire, and for a dry run that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["chat_body"]


def chat_body(
    model: str,
    messages: Sequence[Mapping[str, Any]],
    *,
    num_predict: int | None,
    temperature: float | None,
    think: bool | str | None,
    num_ctx: int | None = None,
    tools: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Give the body of `/api/chat`. No `format`: the cloud does not enforce it (ollama/ollama#12362).

    Args:
        model: The name as sent.
        messages: Role and content of each, as the wire has them.
        num_predict: Tokens of the answer, thinking included, at most.
        temperature: None leaves it to the model.
        think: None leaves the field out.
        num_ctx: Tokens of context; a daemon loads a model with 4,096 where none is said, and cuts what is longer.
        tools: Definitions of functions; absent where there are none.
    """
    options = {"temperature": temperature, "num_predict": num_predict, "num_ctx": num_ctx}
    body: dict[str, Any] = {
        "model": model,
        "messages": [dict(message) for message in messages],
        "stream": True,
        "options": {name: value for name, value in options.items() if value is not None},
    }
    asked = {} if think is None else {"think": think}
    return {**body, **asked, **({"tools": [dict(tool) for tool in tools]} if tools else {})}
