"""The server: the tools and the prompt in the official SDK's terms, for both eras of the protocol.

The SDK's low-level server is used because it leaves schemas, text and errors to us: the text block is the structured
answer's own JSON (hosts show one or the other), and a refusal keeps its code, its message and its hint.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptMessage,
    TextContent,
    Tool,
    ToolAnnotations,
)

from claimjury.errors import ClaimjuryError, CloudNotConfigured, InternalError
from claimjury.report.wording import proof_line, settlement_line
from claimjury.surfaces.mcp.schemas import ToolSchemas, tool_schemas
from claimjury.surfaces.mcp.tools import Progress, Tools
from claimjury.surfaces.mcp.words import (
    CHECK,
    CITE,
    GET_RUN,
    PROMPT,
    PROMPT_NAME,
    REFUTE,
    VERIFY,
    instructions,
)
from claimjury.text import clean_line, safe_json

__all__ = ["make_server"]

_LOG: Final = logging.getLogger("claimjury.mcp")
_NAME: Final = "claimjury"
_ASKS_HOSTS: Final = ("ollama_verify_claims", "claim_verifier", "get_run")
_RUNS_CODE: Final = "batch_proof_check"
Context = ServerRequestContext[Any, Any]
Call = Callable[[Mapping[str, Any], Context], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offer:
    """A tool as it is listed and called."""

    tool: Tool
    call: Call


def make_server(tools: Tools) -> Server[Any]:
    """Give the server of these tools."""
    offers = {offer.tool.name: offer for offer in _offers(tools)}

    async def list_tools(_context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[offer.tool for offer in offers.values()])

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        offer = offers.get(params.name)
        if offer is None:
            raise MCPError(code=INVALID_PARAMS, message=f"There is no tool {clean_line(params.name)!r}.")
        return await _answered(offer.call, params.arguments or {}, context)

    return Server(
        _NAME,
        version=version("claimjury"),
        title="claimjury",
        instructions=instructions(tools.floor.loaded),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
        get_tool_input_schema=lambda name: offers[name].tool.input_schema if name in offers else None,
    )


def _offers(tools: Tools) -> list[_Offer]:
    async def verify(given: Mapping[str, Any], context: Context) -> dict[str, Any]:
        return await tools.verify_claims(given, progress=_progress(context), client=_client(context))

    async def refute(given: Mapping[str, Any], context: Context) -> dict[str, Any]:
        return await tools.refute_claim(given, progress=_progress(context), client=_client(context))

    async def get_run(given: Mapping[str, Any], _context: Context) -> dict[str, Any]:
        return await tools.get_run(given)

    async def cite(given: Mapping[str, Any], _context: Context) -> dict[str, Any]:
        return await tools.check_citations(given)

    async def check(given: Mapping[str, Any], context: Context) -> dict[str, Any]:
        return await tools.batch_proof_check(given, progress=_progress(context), client=_client(context))

    named = {
        "ollama_verify_claims": ("Verify claims with a jury of other vendors' models", VERIFY, verify),
        "claim_verifier": ("Have skeptics try to break one claim about the repository", REFUTE, refute),
        "check_citations": ("Check the places that a text cites", CITE, cite),
        "get_run": ("Get a run", GET_RUN, get_run),
    }
    if tools.floor.loaded.settings.mcp_checks:
        named[_RUNS_CODE] = ("Run the checks that the project declares", CHECK, check)
    schemas = tool_schemas()
    return [
        _Offer(
            call=call,
            tool=_tool(name, title, description, schemas[name]),
        )
        for name, (title, description, call) in named.items()
    ]


def _tool(name: str, title: str, description: str, schemas: ToolSchemas) -> Tool:
    """Give a tool. All but one change nothing; that one runs the project's code, which may do anything."""
    runs_code = name == _RUNS_CODE
    return Tool(
        name=name,
        title=title,
        description=description,
        input_schema=schemas.takes,
        output_schema=schemas.answers,
        annotations=ToolAnnotations(
            read_only_hint=not runs_code,
            open_world_hint=runs_code or name in _ASKS_HOSTS,
            destructive_hint=runs_code,
        ),
    )


def _client(context: Context) -> str | None:
    """Give the name that a client gives itself."""
    params = context.session.client_params
    return params.client_info.name if params else None


def _progress(context: Context) -> Progress:
    async def tell(ended: int, of: int, message: str) -> None:
        await context.session.report_progress(ended, of, message)

    return tell


async def _answered(call: Call, given: Mapping[str, Any], context: Context) -> CallToolResult:
    """Give the answer as one text and the same as structure; a refusal as a tool error that says what to do next."""
    try:
        answer = await call(given, context)
    except ClaimjuryError as error:
        return _refusal(error)
    except Exception as error:  # noqa: BLE001 - the edge of a tool: the SDK would hide what to do next.
        _LOG.exception("A tool failed by a fault of claimjury.")
        return _refusal(
            InternalError(f"A fault of claimjury itself: {type(error).__name__}.", hint="Please report it.")
        )
    return CallToolResult(
        content=[TextContent(type="text", text=safe_json(answer))], structured_content=answer
    )


def _refusal(error: ClaimjuryError) -> CallToolResult:
    text = f"{error.code}: {clean_line(error.message)}\n{clean_line(error.hint)}"
    # What was decided before the refusal is not lost with it.
    for row in error.settled if isinstance(error, CloudNotConfigured) else ():
        text += f"\n{settlement_line(row)} ({'; '.join(map(proof_line, row.proof or ()))})"
    return CallToolResult(content=[TextContent(type="text", text=text.rstrip())], is_error=True)


async def _list_prompts(_context: Context, _params: PaginatedRequestParams | None) -> ListPromptsResult:
    prompt = Prompt(
        name=PROMPT_NAME,
        title="Verify my last answer",
        description="State what the last answer claims so that it could be false, and have a jury check it.",
    )
    return ListPromptsResult(prompts=[prompt])


async def _get_prompt(_context: Context, params: GetPromptRequestParams) -> GetPromptResult:
    if params.name != PROMPT_NAME:
        raise MCPError(code=INVALID_PARAMS, message=f"There is no prompt {clean_line(params.name)!r}.")
    message = PromptMessage(role="user", content=TextContent(type="text", text=PROMPT))
    return GetPromptResult(description="Verify my last answer", messages=[message])
