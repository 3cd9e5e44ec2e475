"""The examples run, as a user would run them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from claimjury.testing import Script, ScriptedOllama
from jury.helpers import CLAIM, CONFIRM, REFUTE, TRIO, trio

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name: str, *args: str, scripts: dict[str, Script]) -> subprocess.CompletedProcess[str]:
    with ScriptedOllama(scripts) as server:
        environ = {**os.environ, "OLLAMA_CLOUD_HOST": server.url, "OLLAMA_API_KEY": "sk-canary-0123456789"}
        command = [sys.executable, str(EXAMPLES / name), *args]
        return subprocess.run(command, capture_output=True, text=True, env=environ, check=False)


def test_the_gate_exits_with_the_verdicts_status_and_with_that_of_an_error() -> None:
    Path("loop.py").write_text("pass\n", encoding="utf-8")
    refuted = run("gate.py", "loop.py", CLAIM, scripts=dict.fromkeys(TRIO, [REFUTE]))
    assert refuted.returncode == 10
    assert refuted.stdout == f"REFUTED (0 for, 3 against): {CLAIM}\n"
    missing = run("gate.py", "gone.py", CLAIM, scripts=trio(CONFIRM))
    assert missing.returncode == 2
    assert missing.stderr.startswith("SOURCE_PATH_NOT_FOUND")


def test_the_watcher_stops_once_two_jurors_have_voted() -> None:
    ran = run("watch_seats.py", CLAIM, scripts=dict.fromkeys(TRIO, [CONFIRM]))
    assert ran.returncode == 0
    assert ran.stdout.count(": counts\n") >= 2
    assert "1 confirmed" in ran.stdout


def test_every_example_is_run_here() -> None:
    tested = Path(__file__).read_text(encoding="utf-8")
    assert [path.name for path in EXAMPLES.glob("*.py") if f'"{path.name}"' not in tested] == []
