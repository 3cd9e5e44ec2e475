"""The body of a chat request, made in one place: for the wire, and for a dry run that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["chat_body"]


def chat_body(
    model: str,
    messages: Sequence[tuple[str, str]],
    *,
    num_predict: int | None,
    temperature: float | None,
    think: bool | str | None,
    num_ctx: int | None = None,
) -> dict[str, Any]:
    """Give the body of `/api/chat`. No `format`: the cloud does not enforce it (ollama/ollama#12362).

    Args:
        model: The name as sent.
        messages: Role and content of each.
        num_predict: Tokens of the answer, thinking included, at most.
        temperature: None leaves it to the model.
        think: None leaves the field out.
        num_ctx: Tokens of context; a daemon loads a model with 4,096 where none is said, and cuts what is longer.
    """
    options = {"temperature": temperature, "num_predict": num_predict, "num_ctx": num_ctx}
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": role, "content": content} for role, content in messages],
        "stream": True,
        "options": {name: value for name, value in options.items() if value is not None},
    }
    return body if think is None else {**body, "think": think}
