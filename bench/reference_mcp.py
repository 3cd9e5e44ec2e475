"""claimjury's MCP server beside the reference tool, npm `ollama-intern-mcp` 2.10.0: same client, same host, by turns.

Needs Node 20 or newer. `python bench/reference_mcp.py FOLDER` takes the package from FOLDER/node_modules; without a
folder it is installed by npm for the time of the script.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from many_runs import KEY
from mcp_server import SERVER, Client, print_row, started

PACKAGE = "ollama-intern-mcp"
VERSION = "2.10.0"
STARTS = 9
CALLS = 20
SLOW_CALLS = 4


@contextmanager
def host(think_s: float) -> Iterator[str]:
    command = [sys.executable, str(Path(__file__).with_name("both_hosts.py")), str(think_s)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


@contextmanager
def theirs(node: str, script: Path, place: Path, url: str) -> Iterator[Client]:
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(place),
        "OLLAMA_API_KEY": KEY,
        "OLLAMA_CLOUD_HOST": url,
        "OLLAMA_CLOUD_PRIMARY": "1",
    }
    with subprocess.Popen(
        [node, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=place,
        env=environ,
        text=True,
    ) as process:
        yield Client(process)
        process.kill()
        process.communicate()


def call_s(client: Client, number: int) -> float:
    """Give the seconds of one call, which all three jurors of the panel answered."""
    claims = [{"id": "c1", "statement": f"The cache drops entry {number}."}]
    began = time.perf_counter()
    answer = client.ask("tools/call", {"name": "ollama_verify_claims", "arguments": {"claims": claims}})
    took = time.perf_counter() - began
    result: Mapping[str, Any] = json.loads(answer["content"][0]["text"])["result"]
    assert [seat["included"] for seat in result["panel"]] == [True] * 3, result
    assert result["claims"][0]["verdict"] == "CONFIRMED", result
    return took


def first_answer_s(client: Client, began: float) -> float:
    client.greet()
    assert client.ask("tools/list", {})["tools"]
    return time.perf_counter() - began


def calls(node: str, script: Path, place: Path, *, think_s: float, count: int) -> list[tuple[float, float]]:
    """Give pairs of seconds, ours and theirs, after one call of each that only warms up."""
    with (
        host(think_s) as url,
        started(SERVER, place, OLLAMA_CLOUD_HOST=url) as ours,
        theirs(node, script, place, url) as other,
    ):
        ours.greet()
        other.greet()
        return [(call_s(ours, number), call_s(other, number)) for number in range(count + 1)][1:]


def starts(node: str, script: Path, place: Path) -> list[tuple[float, float]]:
    pairs = []
    with host(0.0) as url:
        for _ in range(STARTS + 1):
            began = time.perf_counter()
            with started(SERVER, place, OLLAMA_CLOUD_HOST=url) as client:
                ours = first_answer_s(client, began)
            began = time.perf_counter()
            with theirs(node, script, place, url) as client:
                pairs.append((ours, first_answer_s(client, began)))
    return pairs[1:]


def main(arguments: Sequence[str]) -> None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or (npm is None and not arguments):
        sys.exit("reference_mcp.py needs node, and npm where no folder with the package is named.")
    with TemporaryDirectory() as name:
        place = Path(name)
        folder = Path(arguments[0]) if arguments else place / "npm"
        if npm is not None and not arguments:
            flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
            subprocess.run(
                [npm, "install", *flags, "--prefix", str(folder), f"{PACKAGE}@{VERSION}"], check=True
            )
        script = folder.resolve() / "node_modules" / PACKAGE / "dist" / "index.js"
        print(f"{'ratio':<48}{'min':>8}{'medians':>8}{'max':>8}")
        print_row("first answer, ours / the reference tool's", starts(node, script, place))
        print_row("call of instant jurors", calls(node, script, place, think_s=0.0, count=CALLS))
        print_row("call of jurors of 1 s", calls(node, script, place, think_s=1.0, count=SLOW_CALLS))


if __name__ == "__main__":
    main(sys.argv[1:])
