"""The command line as a process: signals, pipes, the installed entry."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from claimjury.testing import Reply, ScriptedOllama
from jury.helpers import CLAIM, CONFIRM, FIRST, TRIO, trio

ENTRY = [sys.executable, "-m", "claimjury"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and pipes")


def start(server: ScriptedOllama, *args: str) -> subprocess.Popen[str]:
    environ = {**os.environ, "OLLAMA_CLOUD_HOST": server.url, "OLLAMA_API_KEY": "sk-canary-0123456789"}
    return subprocess.Popen(
        [*ENTRY, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ,
        start_new_session=True,
    )


def read_until(process: subprocess.Popen[str], part: str) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if part in line:
            return line
    raise AssertionError(f"{part!r} was never said")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupted_run_shows_what_was_answered_and_exits_with_130(name: str) -> None:
    never = threading.Event()
    slow = [Reply(gate=never)]
    with ScriptedOllama({FIRST: [CONFIRM], TRIO[1]: slow, TRIO[2]: slow}) as server:
        process = start(server, "verify", "--claim", CLAIM, "--json")
        read_until(process, f"{FIRST}: 1 vote(s)")
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=30)
        never.set()
    envelope = json.loads(out)
    assert process.returncode == envelope["exit_status"] == 130
    assert envelope["status"] == "interrupted"
    assert [seat.get("exclude_reason") for seat in envelope["result"]["panel"]] == [
        None,
        "cancelled",
        "cancelled",
    ]
    assert envelope["result"]["claims"][0]["confirm_votes"] == 1
    assert "what has arrived is kept" in err


def test_a_second_interrupt_ends_it_at_once(tmp_path: Path) -> None:
    never = threading.Event()
    with ScriptedOllama(dict.fromkeys(TRIO, [Reply(gate=never)])) as server:
        process = start(server, "verify", "--claim", CLAIM)
        read_until(process, "asked")
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        never.set()
    assert process.returncode == 130


def test_a_reader_that_leaves_changes_neither_status_nor_standard_error() -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        process = start(server, "verify", "--claim", CLAIM, "-q")
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        with process.stderr:
            err = process.stderr.read()
        process.wait(timeout=30)
    assert process.returncode == 20
    assert err.count("\n") == 1


def test_a_claim_that_is_not_utf8_is_an_error_and_no_crash() -> None:
    ran = subprocess.run(
        [*map(os.fsencode, ENTRY), b"verify", b"--claim", b"caf\xe9", b"--json"],
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 2
    assert json.loads(ran.stdout)["error"]["code"] == "INVALID_REQUEST"


def test_the_installed_command_and_the_module_are_the_same() -> None:
    command = Path(sys.executable).with_name("claimjury")
    module = subprocess.run([*ENTRY, "--version"], capture_output=True, text=True, check=True)
    script = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert module.stdout == script.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("claimjury ver", "verify"),
        ("claimjury doctor --pa", "--panel"),
        ("claimjury verify --no", "--no-reask"),
    ],
)
def test_the_shell_completes_commands_and_options(words: str, offered: str) -> None:
    command = Path(sys.executable).with_name("claimjury")
    environ = {
        **os.environ,
        "_CLAIMJURY_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    ran = subprocess.run([command], capture_output=True, text=True, env=environ, check=False)
    assert offered in ran.stdout.split()


def test_a_run_of_ollamas_models_imports_no_sdk_of_a_vendor() -> None:
    code = (
        "import sys, claimjury\n"
        "from claimjury.testing import Reply, ScriptedOllama, ballot\n"
        "reply = Reply(content=ballot({'c1': 'CONFIRMED'}))\n"
        "with ScriptedOllama(dict.fromkeys(claimjury.DEFAULT_PANEL, [reply])) as server:\n"
        "    result = claimjury.verify_claims_sync(['It ends.'], cloud=server.cloud)\n"
        "assert result.claims[0].confirm_votes == 3\n"
        "print(*sorted(name.partition('.')[0] for name in sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "pydantic_ai" in loaded
    assert not loaded & {"openai", "anthropic", "google", "mistralai", "groq"}


def test_importing_claimjury_pulls_in_no_provider_no_http_client_and_no_mcp() -> None:
    code = "import claimjury, sys; print(*sorted(name.partition('.')[0] for name in sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert not loaded & {
        "pydantic_ai",
        "pydantic",
        "httpx2",
        "httpcore2",
        "anyio",
        "mcp",
        "openai",
        "anthropic",
        "rich",
        "typer",
    }


def test_the_demo_runs_without_a_key_and_never_reads_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "sk-canary-0123456789")
    monkeypatch.setenv("OLLAMA_CLOUD_HOST", "https://nobody.example")
    ran = subprocess.run([*ENTRY, "demo", "--json"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0
    assert "canary" not in ran.stdout + ran.stderr
    assert "no model is called" in ran.stderr.split("\n")[0]
    result = json.loads(ran.stdout)["result"]
    assert result["scripted"] is True
    claims = {claim["id"]: claim for claim in result["claims"]}
    assert {
        name: (claim["verdict"], claim.get("settled_by"))
        for name, claim in claims.items()
        if "settled_by" in claim
    } == {
        "parameter": ("CONFIRMED", "symbols"),
        "added": ("CONFIRMED", "files"),
        "only": ("REFUTED", "scope"),
        "threads": ("CONFIRMED", "mentions"),
    }
    assert {name: claim["verdict"] for name, claim in claims.items() if "settled_by" not in claim} == {
        "expiry": "CONFIRMED",
        "eviction": "REFUTED",
        "tests": "CONFIRMED",
        "overwrite": "REFUTED",
        "vague": "NEEDS_REVIEW",
        "speed": "NEEDS_REVIEW",
    }
    assert "split" in claims["expiry"]["standing"]["reasons"]
    assert result["panel"][1]["reasked"] == ["speed"]
    assert result["panel"][3]["exclude_reason"] == "served_model_mismatch:ministral-3:8b"
    assert claims["speed"]["missing"]
    assert [claims[name].get("agent_action") for name in ("vague", "speed")] == ["restate", "run_check"]
