"""What reports and receipts cost: an HTML report of 2,000 claims over its JSON, a receipt check per 1,000 votes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TypeVar

import anyio

from claimjury import VerifyResult, verify_claims
from claimjury.ledger.checking import check_receipt
from claimjury.ledger.reading import load_run
from claimjury.ledger.receipts import export_receipt
from claimjury.ledger.recorder import LedgerRecorder
from claimjury.ledger.store import open_ledger
from claimjury.report.html import HtmlRun, render_html
from claimjury.testing import Reply, ScriptedOllama, ballot

T = TypeVar("T")
CLAIMS = 20
RUNS = 100
ROUNDS = 7
PANEL = (
    "deepseek-v4-pro:cloud",
    "kimi-k2.7-code:cloud",
    "glm-5.2:cloud",
    "minimax-m3:cloud",
    "gpt-oss:120b-cloud",
)


async def one_run(path: Path) -> tuple[VerifyResult, bytes]:
    """Give a run of 20 claims by 5 jurors, and its receipt."""
    votes = {f"c{number}": "CONFIRMED" for number in range(1, CLAIMS + 1)}
    with (
        ScriptedOllama({model: [Reply(ballot(votes))] for model in PANEL}) as server,
        open_ledger(path) as ledger,
    ):
        claims = [f"The loop number {number} ends after 7 attempts." for number in range(CLAIMS)]
        result = await verify_claims(claims, panel=PANEL, cloud=server.cloud, recorder=LedgerRecorder(ledger))
        return result, export_receipt(load_run(ledger, result.run_id))


def timed(work: Callable[[], T]) -> tuple[float, T]:
    spent: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        made = work()
        spent.append(time.perf_counter() - began)
    return median(spent), made


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        result, receipt = anyio.run(one_run, Path(place) / "ledger.sqlite3")
    runs = [
        HtmlRun(result=result.model_copy(update={"run_id": f"run-{number}"}), sources={})
        for number in range(RUNS)
    ]
    html_s, html = timed(lambda: render_html(runs))
    json_s, dumped = timed(lambda: [run.result.model_dump_json() for run in runs])
    size = sum(map(len, dumped))
    print(
        f"HTML of {RUNS * CLAIMS:,} claims / their JSON: time {html_s / json_s:.1f}, size {len(html.encode()) / size:.2f}"
    )
    print(f"  ({html_s:.2f} s, {len(html.encode()) / 1e6:.1f} MB)")
    check_s, _ = timed(lambda: check_receipt(receipt, evidence=None))
    per_thousand = check_s * 1000 / (CLAIMS * len(PANEL))
    parse_s, _ = timed(lambda: VerifyResult.model_validate_json(dumped[0]))
    print(
        f"receipt check / parsing its result: {check_s / parse_s:.1f} ({per_thousand:.2f} s per 1,000 votes)"
    )


if __name__ == "__main__":
    main()
