"""Tool calls through every adapter: what a model asks for, and what it is given back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart, UserPromptPart
from pydantic_ai.tools import ToolDefinition

from claimjury.jury.connections import Connections
from claimjury.models.calls import Lane, Request, Turn, converse
from claimjury.models.providers import ProviderHost
from claimjury.models.routes import Access
from claimjury.testing import Asked, Reply, ScriptedOllama
from vendors.test_vendor_seats import EVERY, named
from vendors.vendor_host import Say, VendorHost

READ = ToolDefinition(
    name="read",
    description="Read a file.",
    parameters_json_schema={
        "type": "object",
        "properties": {"path": {"type": "string"}},
        "required": ["path"],
    },
)
GLM = "glm-5.2:cloud"


async def talk(access: Access, model: str, messages: list[ModelMessage]) -> Turn:
    from claimjury.jury.plan import juror_params
    from claimjury.models.traits import route_traits

    route = access.route(model)
    async with Connections() as connections:
        traits = route_traits(route)
        if isinstance(route.host, ProviderHost):
            traits = (await connections.vendor(route, route.host)).traits(traits)
        juror = await connections.juror(route, juror_params(route, traits, 1))
        request = Request(model=juror.client_model, messages=messages, settings=juror.settings, tools=[READ])
        turn = await converse(request, lane=Lane())
    assert isinstance(turn, Turn), turn
    return turn


def opening() -> list[ModelMessage]:
    return [ModelRequest(parts=[UserPromptPart(content="Look.")])]


def given(turn: Turn, text: str) -> list[ModelMessage]:
    parts = [
        ToolReturnPart(tool_name=call.name, content=text, tool_call_id=call.id)
        for call in turn.answer.tool_calls
    ]
    return [turn.response, ModelRequest(parts=parts)]


async def test_ollamas_model_asks_for_tools_and_is_given_what_they_say() -> None:
    def script(asked: Asked) -> Reply:
        if asked.turn == 0:
            return Reply(thinking="First a look.", calls=[("read", {"path": "a.py"}), ("read", "{not json")])
        return Reply(content=" and ".join(asked.tool_replies))

    with ScriptedOllama({GLM: script}) as server:
        access = Access(cloud=server.cloud)
        first = await talk(access, GLM, opening())
        calls = first.answer.tool_calls
        assert [(call.name, call.arguments) for call in calls] == [
            ("read", '{"path": "a.py"}'),
            ("read", "{not json"),
        ]
        last = await talk(access, GLM, [*opening(), *given(first, "1: x")])
        second = server.asked[1].body
    assert last.answer.text == "1: x and 1: x"
    assert last.answer.tool_calls == ()
    assert server.asked[0].offered == ["read"]
    reply, *tools = second["messages"][1:]
    assert (reply["thinking"], len(reply["tool_calls"])) == ("First a look.", 2)
    assert reply["tool_calls"][0]["function"] == {"name": "read", "arguments": {"path": "a.py"}}
    assert [tool["tool_call_id"] for tool in tools] == [call["id"] for call in reply["tool_calls"]]


OPENAI_CALL = {
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "read", "arguments": '{"path":"a.py"}'},
                    }
                ],
            },
        }
    ]
}
CALLS: dict[str, dict[str, Any]] = {
    "anthropic": {
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "sig-1"},
            {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.py"}},
        ],
        "stop_reason": "tool_use",
    },
    "google": {
        "candidates": [
            {
                "index": 0,
                "finishReason": "STOP",
                "content": {
                    "role": "model",
                    "parts": [
                        {
                            "functionCall": {"name": "read", "args": {"path": "a.py"}},
                            "thoughtSignature": "c2ln",
                        }
                    ],
                },
            }
        ]
    },
}


@pytest.mark.parametrize("provider", EVERY)
async def test_every_vendors_model_asks_for_tools_and_is_given_what_they_say(provider: str) -> None:
    model = EVERY[provider]
    script = [Say(fields=CALLS.get(provider, OPENAI_CALL)), Say(text="It was read.")]
    with VendorHost({named(model): script}) as host:
        first = await talk(host.access(), model, opening())
        [call] = first.answer.tool_calls
        assert (call.name, json.loads(call.arguments)) == ("read", {"path": "a.py"})
        last = await talk(host.access(), model, [*opening(), *given(first, "line-of-the-file")])
        sent = host.heard[1].raw.decode()
    assert last.answer.text == "It was read."
    assert "line-of-the-file" in sent
    if provider == "anthropic":
        assert "sig-1" in sent
