"""The seam: what every adapter shares, so that the jury knows no vendor's classes.

An adapter is a `pydantic_ai.models.Model` whose responses carry an `Answer` and whose failures are `FailedCall`.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, Final

from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.messages import FinishReason, ModelResponse, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.usage import RequestUsage

from claimjury.errors import CallError
from claimjury.models.answers import Answer, ToolCall

__all__ = ["FailedCall", "answer_of", "as_response", "carrying"]

_DETAIL: Final = "answer"
_FINISH: Final[dict[str, FinishReason]] = {"stop": "stop", "length": "length"}


class FailedCall(ModelAPIError):
    """A failed call, as pydantic-ai's own agents and fallbacks know it; `failure` says it in our codes."""

    def __init__(self, failure: CallError, model_name: str) -> None:
        super().__init__(model_name, failure.message, retry_after=failure.retry_after_s)
        self.failure = failure


def as_response(answer: Answer, *, provider: str) -> ModelResponse:
    """Give an answer as a response that carries it whole."""
    thinking = [ThinkingPart(content=answer.thinking)] if answer.thinking else []
    text = [TextPart(content=answer.text)] if answer.text else []
    calls = [
        ToolCallPart(tool_name=call.name, args=call.arguments, tool_call_id=call.id)
        for call in answer.tool_calls
    ]
    return ModelResponse(
        parts=[*thinking, *text, *calls],
        usage=RequestUsage(input_tokens=answer.prompt_tokens or 0, output_tokens=answer.output_tokens or 0),
        model_name=answer.served_model,
        provider_name=provider,
        provider_url=answer.host,
        provider_details={_DETAIL: asdict(answer)},
        finish_reason=_FINISH.get(answer.done_reason or ""),
    )


def carrying(response: ModelResponse, answer: Answer) -> ModelResponse:
    """Give a response of an SDK with the answer in it; what the SDK needs of it in a longer talk (signatures) stays."""
    details = {**(response.provider_details or {}), _DETAIL: asdict(answer)}
    return replace(response, provider_details=details)


def answer_of(response: ModelResponse) -> Answer:
    """Give the answer, with its provenance, that a response of one of our adapters carries."""
    details: dict[str, Any] = response.provider_details or {}
    fields = dict(details[_DETAIL])
    calls = tuple(ToolCall(**call) for call in fields.pop("tool_calls"))
    return Answer(**fields, tool_calls=calls)
