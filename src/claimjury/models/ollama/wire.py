"""The wire form of `/api/chat`: messages as it takes them, one reply from a stream of objects.

The stream is asked for because a reply that comes at once stays silent while the model thinks, and gateways
cut silence. An answer counts only when its last object says `done: true`: a daemon that loses its upstream
ends the body without an error (ollama/ollama server/routes.go).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.tools import ToolDefinition

from claimjury.errors import CallError
from claimjury.models.answers import Answer, ToolCall
from claimjury.models.failures import error_text, said
from claimjury.models.hosts import Host
from claimjury.models.marks import SCRIPTED_FIELD
from claimjury.text import clean_line, clip

__all__ = ["read_reply", "wire_messages", "wire_tool"]


_DECODER: Final = json.JSONDecoder()
_BLANK: Final = " \t\r\n"


def wire_messages(messages: Sequence[ModelMessage]) -> list[dict[str, Any]]:
    """Give each message as the wire has it: text, tool calls and what tools gave."""
    return [wired for message in messages for wired in _wire(message)]


def wire_tool(tool: ToolDefinition) -> dict[str, Any]:
    """Give the definition of a tool as the wire has it."""
    function = {
        "name": tool.name,
        "description": tool.description or "",
        "parameters": tool.parameters_json_schema,
    }
    return {"type": "function", "function": function}


def _wire(message: ModelMessage) -> Iterator[dict[str, Any]]:
    if isinstance(message, ModelResponse):
        yield from _wire_reply(message)
        return
    if message.instructions:
        yield {"role": "system", "content": message.instructions}
    for part in message.parts:
        match part:
            case SystemPromptPart():
                yield {"role": "system", "content": part.content}
            case UserPromptPart(content=str() as text):
                yield {"role": "user", "content": text}
            case ToolReturnPart(content=str() as text):
                named = {"tool_name": part.tool_name, "tool_call_id": part.tool_call_id}
                yield {"role": "tool", "content": text, **named}
            case _:
                raise _unsendable(part)


def _wire_reply(message: ModelResponse) -> Iterator[dict[str, Any]]:
    for part in message.parts:
        if not isinstance(part, (TextPart, ThinkingPart, ToolCallPart)):
            raise _unsendable(part)
    text = "".join(part.content for part in message.parts if isinstance(part, TextPart))
    calls = [_wire_call(part) for part in message.parts if isinstance(part, ToolCallPart)]
    if calls:
        # Models that think between calls lose the thread without it (Ollama's documentation of tool calling).
        thought = "".join(part.content for part in message.parts if isinstance(part, ThinkingPart))
        yield {"role": "assistant", "content": text, "thinking": thought, "tool_calls": calls}
    elif text:
        yield {"role": "assistant", "content": text}


def _wire_call(part: ToolCallPart) -> dict[str, Any]:
    arguments = _loads(part.args) if isinstance(part.args, str) else part.args
    given = arguments if isinstance(arguments, dict) else {}
    return {"id": part.tool_call_id, "function": {"name": part.tool_name, "arguments": given}}


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _unsendable(part: object) -> NotImplementedError:
    return NotImplementedError(f"{type(part).__name__} cannot be sent to Ollama by this adapter")


def read_reply(body: bytes, *, host: Host, content_type: str) -> Answer:
    """Give the one answer that a whole body holds. The key, should the host echo it, is taken out of every string.

    Raises:
        CallError: BAD_RESPONSE where the body is not a chat reply or ends early (then it may be tried again),
            SERVER_ERROR where it carries an error under status 200.
    """
    objects = host.scrub(_objects(body, host=host, content_type=content_type))
    for item in objects:
        if item.get("error"):
            raise CallError(
                "SERVER_ERROR",
                f"{host.host} broke off under status 200{said(error_text(item))}.",
                retryable=True,
            )
    last = objects[-1] if objects else {}
    if last.get("done") is not True:
        raise CallError(
            "BAD_RESPONSE",
            f"The reply of {host.host} ended early: {len(body):,} bytes and no `done: true`.",
            retryable=True,
        )
    return Answer(
        # Once more: a stream may have cut the key in two.
        text=host.scrub("".join(_spoken(item, "content") for item in objects)),
        thinking=host.scrub("".join(_spoken(item, "thinking") for item in objects)),
        served_model=_one_name(objects, "model"),
        remote_model=_one_name(objects, "remote_model"),
        remote_host=_one_name(objects, "remote_host"),
        host=host.host,
        done_reason=_word(last.get("done_reason")),
        prompt_tokens=_count(last.get("prompt_eval_count")),
        output_tokens=_count(last.get("eval_count")),
        scripted=any(item.get(SCRIPTED_FIELD) is True for item in objects),
        tool_calls=tuple(call for item in objects for call in _calls(item)),
    )


def _calls(item: Mapping[str, Any]) -> Iterator[ToolCall]:
    """Give the calls of one object. A call whose form is none is kept as it came: the model is told what is wrong."""
    message = item.get("message")
    calls = message.get("tool_calls") if isinstance(message, dict) else None
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        said = function if isinstance(function, dict) else {}
        name, arguments = _word(said.get("name")) or "", said.get("arguments")
        yield ToolCall(
            id=_word(call.get("id") if isinstance(call, dict) else None) or f"call_{uuid4().hex[:12]}",
            name=name,
            arguments=arguments if isinstance(arguments, str) else json.dumps(arguments),
        )


def _objects(body: bytes, *, host: Host, content_type: str) -> list[dict[str, Any]]:
    """Read JSON objects one after another: lines of a stream, one object, or an error glued to a cut stream."""
    text = body.decode("utf-8", errors="replace").removeprefix("\ufeff")
    objects: list[dict[str, Any]] = []
    position = 0
    while position < len(text):
        if text[position] in _BLANK:
            position += 1
            continue
        try:
            item, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            if objects:  # A stream that broke in the middle of an object.
                return objects
            raise _not_a_reply(
                host.scrub(text), host=host.host, content_type=host.scrub(content_type)
            ) from error
        if not isinstance(item, dict):
            raise _not_a_reply(host.scrub(text), host=host.host, content_type=host.scrub(content_type))
        objects.append(item)
    return objects


def _not_a_reply(text: str, *, host: str, content_type: str) -> CallError:
    sample = clip(clean_line(text[:400]), 120)
    return CallError(
        "BAD_RESPONSE",
        f"{host} answered {clean_line(content_type) or 'without a content type'}, not a chat reply: {sample!r}.",
        hint="A proxy or a captive portal may stand in between.",
    )


def _spoken(item: Mapping[str, Any], field: str) -> str:
    message = item.get("message")
    value = message.get(field) if isinstance(message, dict) else None
    return value if isinstance(value, str) else ""


def _one_name(objects: Sequence[Mapping[str, Any]], field: str) -> str | None:
    """Give the name that all objects agree on; where they do not, all of them, which then equals no id."""
    names = {name: None for item in objects if (name := _word(item.get(field)))}
    return " and ".join(names) or None


def _word(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
