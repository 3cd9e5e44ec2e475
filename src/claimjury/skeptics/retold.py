"""What is told again when a talk goes on, in bytes, and why a message ends it. Pure: a receipt's check uses it too."""

from __future__ import annotations

from typing import Final

from claimjury.models.answers import Answer

__all__ = ["CUT_CONTEXT", "CUT_SHORT", "NO_VERDICT", "other_model", "told_again", "told_for_verdict"]

CUT_CONTEXT: Final = "the host counted far fewer tokens than were sent: it cut the context"
NO_VERDICT: Final = "it gave no verdict that can be read"
CUT_SHORT: Final = {
    "interrupted": "it was interrupted",
    "partial": "the deadline of the run came first",
}
"""Why a skeptic that was still at work broke down, by how the run ended."""


def other_model(fault: str) -> str:
    """Say that another model answered."""
    return f"the answer was not of the model that was asked ({fault})"


def told_again(answer: Answer) -> int:
    """Give the bytes that a message with calls takes when the talk goes on, what was thought left out."""
    parts = (part for call in answer.tool_calls for part in (call.id, call.name, call.arguments))
    return sum(map(_size, (answer.text, *parts)))


def told_for_verdict(answer: Answer, request: str) -> int:
    """Give the bytes that a message without a verdict takes, and the request for one."""
    return _size(answer.text) + _size(request)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
