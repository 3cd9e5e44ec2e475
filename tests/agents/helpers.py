"""MCP clients of the official SDK against our server, in memory or in a process of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent

from claimjury.settings.load import load_settings
from claimjury.surfaces.mcp.floor import Floor
from claimjury.surfaces.mcp.jobs import Jobs
from claimjury.surfaces.mcp.server import make_server
from claimjury.surfaces.mcp.tools import Tools
from claimjury.testing import ScriptedOllama

VERIFY: Final = "ollama_verify_claims"
ERAS: Final = ("auto", "legacy")
CLAIMS: Final = [{"id": "c1", "statement": "The loop ends after 7 attempts."}]


def environ(server: ScriptedOllama) -> dict[str, str]:
    """Give the environment of an operator whose cloud is a script."""
    return {**os.environ, "OLLAMA_CLOUD_HOST": server.url, "OLLAMA_API_KEY": "sk-canary-0123456789"}


@asynccontextmanager
async def tools_of(server: ScriptedOllama, *, roots: tuple[Path, ...] | None = None) -> AsyncIterator[Tools]:
    """Give the tools of a server that runs in the working directory."""
    loaded = load_settings(environ(server))
    allowed = (Path.cwd(),) if roots is None else roots
    async with Jobs(loaded) as jobs:
        yield Tools(floor=Floor(loaded=loaded, roots=allowed, no_root="There is no project."), jobs=jobs)


@asynccontextmanager
async def client_of(server: ScriptedOllama, era: str = "auto", **rest: Any) -> AsyncIterator[Client]:
    """Give a client that is connected to our server in memory."""
    async with tools_of(server, **rest) as tools, Client(make_server(tools), mode=era) as client:
        yield client


@asynccontextmanager
async def process_client(server: ScriptedOllama, era: str = "auto", *args: str) -> AsyncIterator[Client]:
    """Give a client that is connected to `claimjury mcp` over standard input and output."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "claimjury", "mcp", *args],
        env=environ(server),
        cwd=Path.cwd(),
    )
    async with Client(stdio_client(parameters), mode=era) as client:
        yield client


def answer_of(result: CallToolResult) -> dict[str, Any]:
    """Give the structured answer, having checked that the text says the same."""
    assert not result.is_error, refusal_of(result)
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert isinstance(result.structured_content, Mapping)
    assert json.loads(block.text) == result.structured_content
    return dict(result.structured_content)


def refusal_of(result: CallToolResult) -> str:
    """Give the text of a refusal."""
    assert result.is_error
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text
