"""Faults: killed at every commit, a full disk, a read-only file. No answer is lost, no verdict is either."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from claimjury import verify_claims
from claimjury.ledger.reading import find_run, load_run
from claimjury.ledger.recorder import LedgerRecorder
from claimjury.ledger.store import open_ledger
from claimjury.testing import ScriptedOllama
from jury.helpers import CLAIM, CONFIRM, TRIO, trio
from ledger.helpers import FILE

FIVE = [*TRIO, "minimax-m3:cloud", "gpt-oss:120b-cloud"]
COMMITS = 2 + len(FIVE) + len(FIVE) + 1
"""The plan, each reply, each seat, the end."""
KILLED_AFTER = """
import os, signal, sys
from contextlib import contextmanager
from claimjury.ledger.store import Ledger
left, real = [int(sys.argv.pop(1))], Ledger.commit
@contextmanager
def commit(self):
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    with real(self) as rows:
        yield rows
    left[0] -= 1
Ledger.commit = commit
from claimjury.surfaces.cli.main import main
main()
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")


def environ(server: ScriptedOllama) -> dict[str, str]:
    return {**os.environ, "OLLAMA_CLOUD_HOST": server.url, "OLLAMA_API_KEY": "sk-canary-0123456789"}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("commits", range(COMMITS))
def test_a_run_killed_between_any_two_commits_goes_on_and_asks_nobody_twice(commits: int) -> None:
    with ScriptedOllama(dict.fromkeys(FIVE, [CONFIRM])) as server:
        args = ["verify", "--claim", CLAIM, "--panel", ",".join(FIVE), "--ledger", str(FILE), "-q", "--json"]
        killed = subprocess.run(
            [sys.executable, "-c", KILLED_AFTER, str(commits), *args],
            capture_output=True,
            env=environ(server),
            check=False,
        )
        assert killed.returncode == -9
        if commits < 2:  # The first sets the worst case aside, which counts against the caps of the day.
            with open_ledger(FILE) as ledger:
                assert ledger.connection.execute("SELECT count(*) FROM runs").fetchone()[0] == 0
            return
        with open_ledger(FILE) as ledger:
            stored = load_run(ledger, find_run(ledger, "last"))
        heard = len(stored.replies)
        assert len(stored.seats) <= heard
        asked = len(server.asked)
        resumed = subprocess.run(
            [sys.executable, "-m", "claimjury", "verify", "--resume", "last", "--ledger", str(FILE), "-q"],
            capture_output=True,
            env=environ(server),
            check=False,
        )
        assert resumed.returncode == 20, resumed.stderr
        assert len(server.asked) - asked == len(FIVE) - heard
    with open_ledger(FILE) as ledger:
        result = load_run(ledger, find_run(ledger, "last")).result
    assert result is not None
    assert result.claims[0].confirm_votes == len(FIVE)
    assert result.resumed_from == stored.row["run_id"]
    assert sum(bool(seat.replayed) for seat in result.panel) == heard


async def test_a_full_disk_costs_the_ledger_and_not_the_verdict() -> None:
    with ScriptedOllama(trio(CONFIRM)) as server, open_ledger(FILE) as ledger:
        pages = ledger.connection.execute("PRAGMA page_count").fetchone()[0]
        ledger.connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        recorder = LedgerRecorder(ledger)
        Path("big.py").write_text("x = 1\n" * 10_000, encoding="utf-8")
        result = await verify_claims([CLAIM], source_paths=["big.py"], cloud=server.cloud, recorder=recorder)
    assert result.claims[0].confirm_votes == 3
    assert recorder.trouble == "database or disk is full"


async def test_a_read_only_ledger_costs_no_verdict() -> None:
    import sqlite3

    from claimjury.ledger.store import Ledger

    with open_ledger(FILE):
        pass
    connection = sqlite3.connect(f"file:{FILE}?mode=ro", uri=True, isolation_level=None)
    connection.row_factory = sqlite3.Row
    recorder = LedgerRecorder(Ledger(FILE, connection))
    with ScriptedOllama(trio(CONFIRM)) as server:
        result = await verify_claims([CLAIM], cloud=server.cloud, recorder=recorder)
    connection.close()
    assert result.claims[0].confirm_votes == 3
    assert recorder.trouble == "attempt to write a readonly database"
