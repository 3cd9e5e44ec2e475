"""The server as a process: both transports, both eras, large arguments, a clean wire, and an end without orphans."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client.client import Client

from agents.helpers import CLAIMS, ERAS, VERIFY, answer_of, environ, process_client, refusal_of
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import CONFIRM, TRIO, trio

SLOW = "glm-5.2:cloud"
pytestmark = pytest.mark.timeout(120)


def opening(version: str = "2025-06-18") -> list[dict[str, Any]]:
    hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "a-test", "version": "1"}}
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]


def tool_call(ident: int, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": ident,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }


def call(ident: int, **arguments: Any) -> dict[str, Any]:
    return tool_call(ident, VERIFY, {"claims": CLAIMS, **arguments})


@contextmanager
def started(server: ScriptedOllama, *args: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "claimjury", "mcp", *args]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ(server)
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def send(process: subprocess.Popen[bytes], *messages: dict[str, Any]) -> None:
    assert process.stdin is not None
    for message in messages:
        process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def receive(process: subprocess.Popen[bytes], ident: int) -> dict[str, Any]:
    assert process.stdout is not None
    while True:
        message = json.loads(process.stdout.readline())
        assert isinstance(message, dict)
        if message.get("id") == ident:
            return message


def await_outstanding(process: subprocess.Popen[bytes], run_id: str, models: list[str]) -> None:
    for ident in itertools.count(100):
        send(process, tool_call(ident, "get_run", {"run_id": run_id, "wait_s": 1}))
        if receive(process, ident)["result"]["structuredContent"]["outstanding"] == models:
            return


def repository(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    subprocess.run(["git", "init", "-q", str(path)], check=True)
    (path / "loop.py").write_text("for attempt in range(7): pass\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("era", ERAS)
async def test_the_sdks_client_of_either_era_works_over_standard_input_and_output(era: str) -> None:
    repository(Path.cwd())
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with process_client(server, era) as client:
            answer = answer_of(
                await client.call_tool(VERIFY, {"claims": CLAIMS, "source_paths": ["loop.py"]})
            )
    assert answer["result"]["evidence"][0]["path"] == "loop.py"


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_each_handshake_revision_is_spoken(version: str) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server, started(server) as process:
        send(process, *opening(version))
        said = receive(process, 1)["result"]
        send(process, call(2))
        answer = receive(process, 2)["result"]
    assert said["protocolVersion"] == version
    assert said["serverInfo"]["name"] == "claimjury"
    assert json.loads(answer["content"][0]["text"]) == answer["structuredContent"]


@pytest.mark.parametrize("era", ERAS)
async def test_arguments_of_two_megabytes_come_through_and_are_refused_in_words(era: str) -> None:
    with ScriptedOllama({}) as server:
        async with process_client(server, era) as client:
            text = refusal_of(
                await client.call_tool(VERIFY, {"claims": CLAIMS, "reference": "y" * 2_000_000})
            )
    assert "`reference` is wrong: String should have at most 20000 characters" in text


async def test_fifteen_kilobytes_of_claims_and_reference_are_judged() -> None:
    claims = [{"id": f"c{number}", "statement": f"{number} " + "x" * 3_000} for number in range(1, 6)]
    votes = {f"c{number}": "CONFIRMED" for number in range(1, 6)}
    with ScriptedOllama(trio(Reply(content=ballot(votes)))) as server:
        async with process_client(server) as client:
            answer = answer_of(await client.call_tool(VERIFY, {"claims": claims, "reference": "y" * 15_000}))
    assert len(answer["result"]["claims"]) == 5


def test_whatever_prints_goes_to_standard_error_and_the_wire_stays_clean(tmp_path: Path) -> None:
    noisy = tmp_path / "sitecustomize.py"
    noisy.write_text(
        "import os, threading\n"
        "import claimjury.jury.session as session\n"
        "real = session.hold\n"
        "async def hold(*args, **named):\n"
        "    print('a library prints'); os.write(1, b'and writes to the descriptor\\n')\n"
        "    return await real(*args, **named)\n"
        "session.hold = hold\n",
        encoding="utf-8",
    )
    with ScriptedOllama(trio(CONFIRM)) as server:
        environment = {**environ(server), "PYTHONPATH": str(tmp_path)}
        lines = b"".join(json.dumps(message).encode() + b"\n" for message in [*opening(), call(2)])
        with subprocess.Popen(
            [sys.executable, "-m", "claimjury", "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        ) as process:
            assert process.stdin is not None
            process.stdin.write(lines)
            process.stdin.flush()
            assert receive(process, 2)["result"]["isError"] is False
            out, err = process.communicate(timeout=30)
    assert b"a library prints" in err
    assert b"writes to the descriptor" in err
    for line in out.splitlines():
        assert json.loads(line)["jsonrpc"] == "2.0"


def test_the_end_of_input_ends_the_server() -> None:
    with ScriptedOllama(trio(CONFIRM)) as server, started(server) as process:
        send(process, *opening())
        receive(process, 1)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=30) == 0


@pytest.mark.parametrize("how", ["end of input", "SIGTERM", "SIGINT"])
def test_an_end_in_the_middle_of_a_run_saves_what_has_arrived_and_resume_asks_the_rest(how: str) -> None:
    gate = threading.Event()
    scripts = {**trio(CONFIRM), SLOW: [Reply(content=ballot({"c1": "CONFIRMED"}), gate=gate), CONFIRM]}
    with ScriptedOllama(scripts) as server:
        with started(server) as process:
            send(process, *opening(), call(2, answer_within_s=0.5))
            run_id = receive(process, 2)["result"]["structuredContent"]["run_id"]
            await_outstanding(process, run_id, [SLOW])
            assert process.stdin is not None
            if how == "end of input":
                process.stdin.close()
            else:
                process.send_signal(getattr(signal, how))
            status = process.wait(timeout=30)
        gate.set()
        asked = len(server.asked)
        resumed = subprocess.run(
            [sys.executable, "-m", "claimjury", "verify", "--resume", run_id, "--json"],
            capture_output=True,
            env=environ(server),
            check=False,
        )
        assert len(server.asked) == asked + 1
    assert status == (0 if how == "end of input" else 130)
    answer = json.loads(resumed.stdout)
    assert answer["result"]["claims"][0]["confirm_votes"] == 3


def test_a_setting_that_cannot_be_used_is_told_and_nothing_is_served() -> None:
    Path("claimjury.toml").write_text("allow_secrets = true\n", encoding="utf-8")
    with ScriptedOllama({}) as server, started(server) as process:
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (2, b"")
    assert b"CONFIG_INVALID" in err


def test_the_project_is_the_git_work_tree_of_the_working_directory_wherever_in_it_the_server_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inner = repository(Path.cwd()) / "deep" / "inside"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    with ScriptedOllama(trio(CONFIRM)) as server, started(server) as process:
        send(process, *opening(), call(2, source_paths=["loop.py"]))
        answer = receive(process, 2)["result"]
    assert answer["structuredContent"]["result"]["evidence"][0]["path"] == "loop.py"


@pytest.mark.parametrize("place", ["home", "no repository", "a cache"])
def test_a_place_that_is_no_project_is_not_read_and_the_line_to_add_is_told(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Path(os.environ["HOME"])
    folder = {"home": home, "no repository": Path.cwd() / "x", "a cache": home / ".cache" / "runner"}[place]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "loop.py").write_text("pass\n", encoding="utf-8")
    if place != "no repository":
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
    monkeypatch.chdir(folder)
    with ScriptedOllama(trio(CONFIRM)) as server, started(server) as process:
        send(process, *opening(), call(2, source_paths=["loop.py"]))
        answer = receive(process, 2)["result"]
        assert server.asked == []
    assert answer["isError"] is True
    assert '"--root"' in answer["content"][0]["text"]


def test_a_root_that_is_named_is_the_project(tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    with ScriptedOllama(trio(CONFIRM)) as server, started(server, "--root", str(project)) as process:
        send(process, *opening(), call(2, source_paths=["loop.py"]))
        answer = receive(process, 2)["result"]
    assert answer["structuredContent"]["result"]["evidence"][0]["path"] == "loop.py"


@contextmanager
def served(server: ScriptedOllama) -> Iterator[str]:
    with started(server, "--http", "--port", "0") as process:
        assert process.stderr is not None
        line = process.stderr.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:\d+/mcp", line)
        assert found, line
        yield found[0]
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 130


async def test_a_signal_over_http_saves_what_has_arrived_too() -> None:
    gate = threading.Event()
    scripts = {**trio(CONFIRM), SLOW: [Reply(content=ballot({"c1": "CONFIRMED"}), gate=gate)]}
    with ScriptedOllama(scripts) as server:
        with served(server) as url:
            async with Client(url) as client:
                first = answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS, "answer_within_s": 0.5}))
        gate.set()
    assert first["status"] == "running"
    shown = await anyio.run_process(
        [sys.executable, "-m", "claimjury", "runs", "show", first["run_id"], "--format", "json"]
    )
    assert json.loads(shown.stdout)["status"] == "interrupted"


@pytest.mark.parametrize("era", ERAS)
async def test_the_sdks_client_of_either_era_works_over_http(era: str) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server, served(server) as url:
        async with Client(url, mode=era) as client:
            answer = answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS}))
    assert answer["result"]["claims"][0]["confirm_votes"] == len(TRIO)


def test_a_page_of_another_origin_and_another_host_name_are_refused() -> None:
    with ScriptedOllama({}) as server, served(server) as url:
        for headers in ({"host": "evil.example"}, {"origin": "https://evil.example"}):
            reply = httpx2.post(
                url,
                json=opening()[0],
                headers={"accept": "application/json, text/event-stream", **headers},
                trust_env=False,
            )
            assert reply.status_code in (403, 421), headers


def test_leaving_loopback_is_refused() -> None:
    with ScriptedOllama({}) as server, started(server, "--http", "--host", "0.0.0.0") as process:
        _, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert b"0.0.0.0 is not loopback" in err
