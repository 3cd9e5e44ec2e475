"""What the MCP server costs over stdio: its first answer, a call of instant jurors, and a call of jurors of 1 s each."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import anyio
from many_runs import KEY, scripted_host

from claimjury import Cloud, verify_claims
from claimjury.ledger.recorder import LedgerRecorder
from claimjury.ledger.store import Ledger, open_ledger

STARTS = 21
CALLS = 60
SERVERS = 7
THINK_S = 1.0
PROTOCOL = "2025-11-25"
SERVER = ("-m", "claimjury", "mcp")
# The least that the SDK can serve, by the same low-level class that claimjury uses.
BARE = """
import anyio
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool


async def list_tools(_context, _params):
    return ListToolsResult(tools=[Tool(name="echo", description="Say it.", input_schema={"type": "object"})])


async def call_tool(_context, _params):
    return CallToolResult(content=[TextContent(type="text", text="it")])


async def main():
    server = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


anyio.run(main)
"""


class Client:
    """The least client: one line out, and lines in until the answer to it. It costs less than the SDK's."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._asked = 0

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        assert self._process.stdout is not None
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": params})
        for line in self._process.stdout:
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self._asked:
                result: dict[str, Any] = answer["result"]
                return result
        raise RuntimeError("the server ended before it answered")

    def greet(self) -> None:
        me = {"name": "bench", "version": "1"}
        self.ask("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": me})
        self._send({"method": "notifications/initialized"})

    def verify(self, claim: str) -> float:
        """Give the seconds of one call."""
        return self.verify_seats(claim)[0]

    def verify_seats(self, claim: str) -> tuple[float, float]:
        """Give the seconds of one call and those of its slowest seat."""
        arguments = {"claims": [{"id": "c1", "statement": claim}]}
        began = time.perf_counter()
        answer = self.ask("tools/call", {"name": "ollama_verify_claims", "arguments": arguments})
        took = time.perf_counter() - began
        panel = answer["structuredContent"]["result"]["panel"]
        assert all(seat["included"] for seat in panel), answer
        return took, max(seat["elapsed_ms"] for seat in panel) / 1000


@contextmanager
def started(args: Sequence[str], place: Path, **variables: str) -> Iterator[Client]:
    """Start a server in an empty home, so that no settings and no ledger of a user count."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("CLAIMJURY_", "OLLAMA_"))
    }
    environ = {
        **kept,
        "HOME": str(place),
        "XDG_CONFIG_HOME": str(place / "config"),
        "XDG_DATA_HOME": str(place / "data"),
        "OLLAMA_API_KEY": KEY,
        **variables,
    }
    with subprocess.Popen(
        [sys.executable, *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=place,
        env=environ,
        text=True,
    ) as process:
        yield Client(process)
        process.communicate()


def children_s() -> float:
    """Give the CPU time of the processes that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def first_answer(args: Sequence[str], place: Path) -> tuple[float, float]:
    """Give the seconds from the start of a process to its list of tools, and the CPU time of its whole life."""
    before = children_s()
    began = time.perf_counter()
    with started(args, place) as client:
        client.greet()
        tools = client.ask("tools/list", {})["tools"]
        took = time.perf_counter() - began
    assert tools
    return took, children_s() - before


def print_starts(place: Path) -> None:
    """Time both by turns, after one round that only fills the caches."""
    bare = place / "bare.py"
    bare.write_text(BARE, encoding="utf-8")
    rounds = [(first_answer(SERVER, place), first_answer([str(bare)], place)) for _ in range(STARTS + 1)][1:]
    whole = [(ours[0], theirs[0]) for ours, theirs in rounds]
    print_row("first answer / a bare server's of the SDK", whole, "<= 1.3")
    print_row("the same, CPU time", [(ours[1], theirs[1]) for ours, theirs in rounds])


async def library_call(url: str, claim: str, ledger: Ledger | None) -> float:
    recorder = None if ledger is None else LedgerRecorder(ledger)
    began = time.perf_counter()
    result = await verify_claims([claim], cloud=Cloud(host=url, api_key=KEY), recorder=recorder)
    took = time.perf_counter() - began
    assert all(seat.included for seat in result.panel)
    return took


async def instant_calls(url: str, place: Path, ledger: Ledger | None) -> list[tuple[float, float]]:
    """Call the tool and the library by turns, with one loop for all calls of the library."""
    save = "false" if ledger is None else "true"
    pairs: list[tuple[float, float]] = []
    with started(SERVER, place, OLLAMA_CLOUD_HOST=url, CLAIMJURY_SAVE=save) as client:
        client.greet()
        for number in range(CALLS + 5):
            claim = f"The cache drops entry {number}."  # Never one that the ledger has.
            tool = client.verify(claim)
            pairs.append((tool, await library_call(url, claim, ledger)))
    return pairs[5:]


def slow_calls(url: str, place: Path) -> tuple[list[tuple[float, float]], ...]:
    """Give the seconds of calls and of their slowest seats: the first calls of servers, and their second ones."""
    calls: tuple[list[tuple[float, float]], ...] = ([], [])
    for number in range(SERVERS):
        with started(SERVER, place, OLLAMA_CLOUD_HOST=url) as client:
            client.greet()
            for which in calls:
                which.append(client.verify_seats(f"The cache drops entry {number}."))
    return calls


def print_row(name: str, pairs: Sequence[tuple[float, float]], goal: str = "") -> None:
    ratios = [one / other for one, other in pairs]
    middle = median(one for one, _ in pairs) / median(other for _, other in pairs)
    print(f"{name:<48}{min(ratios):>8.3f}{middle:>8.3f}{max(ratios):>8.3f}  {goal}".rstrip(), flush=True)


def main() -> None:
    print(f"{'ratio':<48}{'min':>8}{'medians':>8}{'max':>8}  goal")
    with TemporaryDirectory() as name:
        place = Path(name)
        print_starts(place)
        with scripted_host(0.0) as url:
            print_row("tool call / library call, neither kept", anyio.run(instant_calls, url, place, None))
            with open_ledger(place / "library.sqlite3") as ledger:
                print_row("tool call / library call, both kept", anyio.run(instant_calls, url, place, ledger))
        with scripted_host(THINK_S) as url:
            first, second = slow_calls(url, place)
        print_row("second call of a server / its slowest seat", second, "<= 1.05")
        print_row("first call of a server / its slowest seat", first)


if __name__ == "__main__":
    main()
