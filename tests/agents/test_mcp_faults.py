"""Faults on the way: a client that dies, a line that is no message, calls at once, bodies without end, a hundred callers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client.client import Client

from agents.helpers import CLAIMS, VERIFY, answer_of, environ, process_client
from agents.test_mcp_process import SLOW, call, opening, receive, send, served, started
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import CONFIRM, TRIO, trio

pytestmark = pytest.mark.timeout(120)

# A client that starts the server, calls it, tells its process id, and is killed by its parent.
_DOOMED = """
import json, subprocess, sys
server = subprocess.Popen([sys.executable, "-m", "claimjury", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for message in json.loads(sys.argv[1]):
    server.stdin.write(json.dumps(message).encode() + b"\\n")
server.stdin.flush()
print(server.pid, flush=True)
sys.stdin.read()
"""


def slow(gate: threading.Event) -> dict[str, Any]:
    return {**trio(CONFIRM), SLOW: [Reply(content=ballot({"c1": "CONFIRMED"}), gate=gate), CONFIRM]}


@pytest.mark.skipif(sys.platform == "win32", reason="There are no such signals")
def test_a_client_that_is_killed_in_the_middle_of_a_call_leaves_no_server_behind() -> None:
    gate = threading.Event()
    asked = threading.Event()

    def script(_asked: Any) -> Reply:
        asked.set()
        return Reply(content=ballot({"c1": "CONFIRMED"}), gate=gate)

    with ScriptedOllama({**trio(CONFIRM), SLOW: script}) as server:
        with subprocess.Popen(
            [sys.executable, "-c", _DOOMED, json.dumps([*opening(), call(2)])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environ(server),
        ) as client:
            assert client.stdout is not None
            pid = int(client.stdout.readline())
            assert asked.wait(60)
            client.send_signal(signal.SIGKILL)
        # The end of its input is all that the server sees; it is nobody's child now, so its end is looked up.
        ended = threading.Event()

        def watch() -> None:
            while Path(f"/proc/{pid}").exists() or _alive(pid):
                if ended.wait(0.02):
                    return
            ended.set()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        watcher.join(30)
        assert ended.is_set()
        gate.set()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_line_that_is_no_message_does_not_end_the_server() -> None:
    with ScriptedOllama(trio(CONFIRM)) as server, started(server) as process:
        send(process, *opening())
        receive(process, 1)
        assert process.stdin is not None
        process.stdin.write(
            b'not json\n\n{"jsonrpc": "2.0"\n[1, 2]\n\xff\xfe\n{"jsonrpc":"2.0","id":9,"method":"no/such"}\n'
        )
        send(process, call(2))
        answer = receive(process, 2)["result"]
    assert answer["isError"] is False


def test_calls_at_once_are_answered_each_by_its_own_id() -> None:
    with ScriptedOllama(trio(CONFIRM)) as server, started(server) as process:
        texts = {ident: f"The loop of part {ident} ends." for ident in range(2, 8)}
        send(process, *opening())
        receive(process, 1)
        send(
            process, *(call(ident, claims=[{"id": "c1", "statement": text}]) for ident, text in texts.items())
        )
        got: dict[int, str] = {}
        assert process.stdout is not None
        while len(got) < len(texts):
            message = json.loads(process.stdout.readline())
            if message.get("id") in texts:
                got[message["id"]] = message["result"]["structuredContent"]["result"]["claims"][0][
                    "statement"
                ]
    assert got == texts


async def test_after_a_call_that_was_given_up_the_next_one_is_answered() -> None:
    gate = threading.Event()
    with ScriptedOllama(slow(gate)) as server:
        async with process_client(server) as client:
            with anyio.move_on_after(0.5) as scope:
                await client.call_tool(VERIFY, {"claims": CLAIMS})
            assert scope.cancelled_caught
            gate.set()
            answer = answer_of(await client.call_tool(VERIFY, {"claims": CLAIMS}))
    assert answer["result"]["claims"][0]["verdict"] == "CONFIRMED"


def test_a_body_over_the_limit_is_refused_and_the_server_goes_on() -> None:
    with ScriptedOllama(trio(CONFIRM)) as server, served(server) as url:
        headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        large = json.dumps(call(2, reference="y" * 6_000_000))
        reply = httpx2.post(url, content=large, headers=headers, trust_env=False)
        again = httpx2.post(url, json=opening()[0], headers=headers, trust_env=False)
    assert reply.status_code == 413
    assert again.status_code == 200


async def test_a_hundred_callers_at_once_are_all_answered_and_memory_stays_flat() -> None:
    answers: list[dict[str, Any]] = []
    with ScriptedOllama(trio(CONFIRM)) as server, started(server, "--http", "--port", "0") as process:
        assert process.stderr is not None
        url = process.stderr.readline().decode().split()[-1].rstrip(".")
        async with Client(url) as client:

            async def ask(number: int) -> None:
                claims = [{"id": "c1", "statement": f"The loop of part {number} ends."}]
                answers.append(answer_of(await client.call_tool(VERIFY, {"claims": claims})))

            async def round_of(count: int) -> int:
                async with anyio.create_task_group() as group:
                    for number in range(count):
                        group.start_soon(ask, number)
                return _resident_kb(process.pid)

            await round_of(20)
            first = await round_of(40)
            second = await round_of(40)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
    assert len(answers) == 100
    assert {answer["result"]["claims"][0]["verdict"] for answer in answers} == {"CONFIRMED"}
    assert len({answer["run_id"] for answer in answers}) == 100
    assert len(server.asked) == 100 * len(TRIO)
    # As many calls again take no tenth more, where memory can be read.
    assert second <= first * 1.1


def _resident_kb(pid: int) -> int:
    """Give the memory of a process; 0 where the system does not say it."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0
    return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmRSS"))
