"""MCP clients that are not the SDK's, as `scripts/setup-node-clients` installs them, against `claimjury mcp`.

MCP Inspector 2.12.0 speaks the protocol of 2026-07-28 ("modern") and the handshake before it ("legacy"); 0.15.0 speaks
the handshake alone. The conformance suite is the protocol's own.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any, Final, TypeVar

import pytest

from claimjury.testing import ScriptedOllama

_CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "claimjury-tests"
_SCOPE: Final = "node_modules/@modelcontextprotocol"
_OLD: Final = _CACHE / f"inspector-cli-0.15.0/{_SCOPE}/inspector-cli/build/index.js"
_INSPECTOR: Final = _CACHE / f"inspector-2.12.0/{_SCOPE}/inspector/clients/cli/build/index.js"
_CONFORMANCE: Final = _CACHE / f"conformance-0.2.0-alpha.12/{_SCOPE}/conformance/dist/index.js"
OLD: Final = "0.15.0"
ERAS: Final = ("modern", "legacy")
MODES: Final = (*ERAS, OLD)
IS_ERROR: Final = 5
"""How Inspector 2.12.0 exits where a tool answers with an error."""
_LIMIT_S: Final = 90.0
Answer = TypeVar("Answer")


def _node() -> str:
    """Give Node 22 as installed, else one on the path that is no older; empty where there is none."""
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    name = f"node-linux-{machine}"
    own = _CACHE / f"{name}-22.23.5/node_modules/{name}/bin/node"
    if own.exists():
        return str(own)
    other = shutil.which("node")
    if other is None:
        return ""
    said = subprocess.run([other, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)", said)
    return other if found and int(found[1]) >= 22 else ""


_NODE: Final = _node()
needs_node_clients: Final = pytest.mark.skipif(
    not (_NODE and all(file.exists() for file in (_OLD, _INSPECTOR, _CONFORMANCE))),
    reason="The MCP clients for Node are missing: run scripts/setup-node-clients",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """Whoever runs the server: a project, a home, and a cloud that is a script.

    Attributes:
        folder: Where the home and the project are.
        server: The cloud.
        url: Of the server over HTTP; empty where it is to be started over standard input and output.
    """

    folder: Path
    server: ScriptedOllama
    url: str = ""

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.folder / "home"),
            "PATH": os.environ["PATH"],
            "OLLAMA_CLOUD_HOST": self.server.url,
            "OLLAMA_API_KEY": "sk-canary-0123456789",
        }

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-m", "claimjury", "mcp", "--root", str(self.folder / "project")]


def operator_of(server: ScriptedOllama, folder: Path) -> Operator:
    """Give an operator with one file in the project, whose server has yet to be started."""
    for name in ("home", "project"):
        (folder / name).mkdir(parents=True)
    (folder / "project" / "loop.py").write_text("for attempt in range(7): pass\n", encoding="utf-8")
    return Operator(folder=folder, server=server)


@contextmanager
def over_http(operator: Operator) -> Iterator[Operator]:
    """Serve over HTTP, and check at the end that the server had no fault to report."""
    with subprocess.Popen(
        [*operator.command, "--http", "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=operator.environment,
        cwd=operator.folder,
    ) as process:
        assert process.stderr is not None
        lines: list[str] = []
        try:
            found = re.search(r"http://127\.0\.0\.1:\d+/mcp", process.stderr.readline())
            assert found
            # Whoever does not read it stops a server that writes much.
            reader = Thread(target=lines.extend, args=(process.stderr,), daemon=True)
            reader.start()
            yield Operator(folder=operator.folder, server=operator.server, url=found[0])
            process.terminate()
            assert process.wait(timeout=30) == 130
            reader.join(timeout=30)
        finally:
            process.kill()
            sys.stderr.writelines(lines)
    assert "Traceback" not in "".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What Inspector showed.

    Attributes:
        status: How it exited.
        result: The result of the method; empty where it showed none.
        said: What it wrote to standard error.
    """

    status: int
    result: dict[str, Any] = field(default_factory=dict)
    said: str = ""

    @property
    def text(self) -> str:
        """The one text block of a tool's answer."""
        (block,) = self.result["content"]
        return str(block["text"])

    @property
    def answer(self) -> dict[str, Any]:
        """The structured answer, having checked that the text says the same and that it is none of an error."""
        assert not self.result.get("isError"), self.text
        assert self.status == 0, self.said
        assert json.loads(self.text) == self.result["structuredContent"]
        return dict(self.result["structuredContent"])

    @property
    def refusal(self) -> tuple[str, str]:
        """The two lines of a refusal: code and message, and what to do."""
        assert self.result["isError"] is True
        assert "structuredContent" not in self.result
        first, hint = self.text.split("\n")
        return first, hint


def at_once(function: Callable[[str], Answer], names: Iterable[str]) -> dict[str, Answer]:
    """Give what a function gives for each name. Starting Node and Python takes a second, so they start side by side."""
    listed = list(names)
    with ThreadPoolExecutor() as pool:
        return dict(zip(listed, pool.map(function, listed), strict=True))


def inspect(operator: Operator, mode: str, method: str, *options: str, scratch: Path) -> Seen:
    """Run one method through Inspector, over HTTP where the operator serves it."""
    old = mode == OLD
    start, *rest = operator.command
    target = [operator.url] if operator.url else [start, "--", *rest]
    given = {} if operator.url else operator.environment
    line = [*options, *(("--transport", "http") if operator.url else ())]
    if not old:
        line += ["--format", "json", "--protocol-era", mode]
        line += [part for name, value in given.items() for part in ("-e", f"{name}={value}")]
    # The method stands right before the target, since an option that takes several words takes all up to the next option.
    done = _run(_OLD if old else _INSPECTOR, [*line, "--method", method, *target], given, scratch)
    shown = json.loads(done.stdout) if done.stdout.strip() else {}
    return Seen(status=done.returncode, result=shown if old else shown.get("result", {}), said=done.stderr)


def call(operator: Operator, mode: str, tool: str, arguments: Mapping[str, Any], *, scratch: Path) -> Seen:
    """Call a tool through Inspector."""
    if mode == OLD:
        words = [
            f"{name}={value if isinstance(value, str) else json.dumps(value)}"
            for name, value in arguments.items()
        ]
        options = [part for word in words for part in ("--tool-arg", word)]
    else:
        options = ["--tool-args-json", json.dumps(arguments)]
    return inspect(operator, mode, "tools/call", "--tool-name", tool, *options, scratch=scratch)


def _run(
    program: Path, argv: list[str], given: Mapping[str, str], scratch: Path
) -> subprocess.CompletedProcess[str]:
    """Run a program of Node's with arguments from a file, since one of a command may have 128 KiB at most."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    words, preloaded = folder / "argv.json", folder / "argv.cjs"
    words.write_text(json.dumps(argv), encoding="utf-8")
    preloaded.write_text(
        'process.argv.push(...JSON.parse(require("node:fs").readFileSync(process.env.ARGV_FILE, "utf8")));\n',
        encoding="utf-8",
    )
    return subprocess.run(
        [_NODE, "--require", str(preloaded), str(program)],
        env={
            **os.environ,
            **given,
            "ARGV_FILE": str(words),
            "MCP_STORAGE_DIR": str(folder / "storage"),
            "NO_COLOR": "1",
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
        check=False,
    )


def conformance(url: str, revision: str, *, scratch: Path) -> dict[str, tuple[str, str]]:
    """Give the worst status and its message of each `scenario:check` that a revision of the protocol requires."""
    folder = scratch / revision
    subprocess.run(
        [
            *(_NODE, str(_CONFORMANCE), "server", "--url", url, "--requirements", revision),
            *("--output-dir", str(folder)),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_LIMIT_S,
        check=False,
    )
    worst = ("FAILURE", "WARNING", "SKIPPED", "INFO", "SUCCESS")
    found: dict[str, tuple[str, str]] = {}
    for file in sorted(folder.glob("server-*/checks.json")):
        scenario = re.sub(r"^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$", r"\1", file.parent.name)
        for check in json.loads(file.read_text(encoding="utf-8")):
            key, status = f"{scenario}:{check['id']}", check["status"]
            if key not in found or worst.index(status) < worst.index(found[key][0]):
                found[key] = (status, check.get("errorMessage") or "")
    return found
