"""What the ledger costs: a run with it over one without, and listing and searching 20,000 runs over bare SQLite."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import anyio
from many_runs import CLAIM, KEY, scripted_host

from claimjury import Cloud, VerifyResult, verify_claims
from claimjury.ledger.reading import list_runs, search_runs
from claimjury.ledger.recorder import LedgerRecorder
from claimjury.ledger.store import Ledger, open_ledger

PAIRS = 60
RUNS = 20_000
ROUNDS = 15


async def run(url: str, ledger: Ledger | None) -> VerifyResult:
    recorder = None if ledger is None else LedgerRecorder(ledger)
    return await verify_claims([CLAIM], cloud=Cloud(host=url, api_key=KEY), recorder=recorder)


async def run_pairs(url: str, ledger: Ledger) -> None:
    ratios: list[float] = []
    for _ in range(PAIRS + 5):
        spent: list[float] = []
        for target in (ledger, None):
            began = time.perf_counter()
            await run(url, target)
            spent.append(time.perf_counter() - began)
        ratios.append(spent[0] / spent[1])
    print(f"{'run kept / run not kept (instant jurors)':<48}{median(ratios[5:]):>8.2f}")


def fill(ledger: Ledger) -> None:
    """Copy the first run until there are many, each with words of its own."""
    rows = ledger.connection
    first = rows.execute("SELECT run_id FROM runs LIMIT 1").fetchone()[0]
    with ledger.commit():
        for number in range(RUNS):
            run_id = f"copy-{number:05d}"
            for table in ("runs", "results", "claims", "verdicts"):
                names = [row["name"] for row in rows.execute(f"PRAGMA table_info({table})")]
                rest = ", ".join(name for name in names if name != "run_id")
                copy = f"INSERT INTO {table} (run_id, {rest}) SELECT ?, {rest} FROM {table} WHERE run_id = ?"
                rows.execute(copy, (run_id, first))
            rows.execute(
                "INSERT INTO search VALUES (?, ?)", (run_id, f"the lock number {number} is released")
            )


def seconds(work: Callable[[], object]) -> float:
    spent = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return median(spent)


def read(ledger: Ledger) -> None:
    rows = ledger.connection
    bare_list = "SELECT run_id FROM runs ORDER BY started_at DESC LIMIT 20"
    bare_search = 'SELECT run_id FROM search WHERE search MATCH \'"lock" "777"\''
    listing = seconds(lambda: list_runs(ledger)) / seconds(lambda: rows.execute(bare_list).fetchall())
    searching = seconds(lambda: search_runs(ledger, "lock 777")) / seconds(
        lambda: rows.execute(bare_search).fetchall()
    )
    whole = seconds(lambda: list_runs(ledger)), seconds(lambda: search_runs(ledger, "lock 777"))
    print(f"{'list of 20,000 runs / bare query':<48}{listing:>8.2f}   ({whole[0] * 1000:.1f} ms)")
    print(f"{'search in 20,000 runs / bare query':<48}{searching:>8.2f}   ({whole[1] * 1000:.1f} ms)")


def main() -> None:
    with tempfile.TemporaryDirectory() as place, open_ledger(Path(place) / "ledger.sqlite3") as ledger:
        with scripted_host(0.0) as url:
            anyio.run(run_pairs, url, ledger)
        fill(ledger)
        read(ledger)


if __name__ == "__main__":
    main()
