"""A thousand runs in one process against jurors that answer at once: CPU time of a run, and whether memory stays.

`--sync` calls `verify_claims_sync`, with an event loop for each run. `--trace` prints which lines hold more memory
after the last run than after the first mark, and no ratios: tracing costs time and memory of its own.
"""

from __future__ import annotations

import gc
import json
import resource
import ssl
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import httpx2

from claimjury import DEFAULT_PANEL, Cloud, plan_verify, verify_claims, verify_claims_sync

MARKS = (100, 300, 1000)
BARE_ROUNDS = 200
CLAIM = "The cache drops the oldest entry."
KEY = "no-key-but-a-script"


@contextmanager
def scripted_host(think_s: float) -> Iterator[str]:
    command = [sys.executable, str(Path(__file__).with_name("host.py")), str(think_s)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


def resident_kb() -> int:
    """Give the memory in use now; where the system does not say it, the most that was ever in use."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))


async def run_once(url: str) -> None:
    result = await verify_claims([CLAIM], cloud=Cloud(host=url, api_key=KEY))
    assert all(seat.included for seat in result.panel)


def run_once_sync(url: str) -> None:
    result = verify_claims_sync([CLAIM], cloud=Cloud(host=url, api_key=KEY))
    assert all(seat.included for seat in result.panel)


async def bare_round(url: str, context: ssl.SSLContext) -> None:
    """Send what a run sends with nothing around it: a new client, the catalogue, three chats at once."""
    prompt = plan_verify([CLAIM], cloud=Cloud(host=url, api_key=KEY)).prompt.user

    async def chat(model: str) -> None:
        body = {"model": model.removesuffix(":cloud"), "messages": [{"role": "user", "content": prompt}]}
        reply = await client.post("/api/chat", json=body)
        assert [json.loads(line) for line in reply.text.splitlines()][-1]["done"]

    async with httpx2.AsyncClient(base_url=url, verify=context, trust_env=False) as client:
        (await client.get("/api/tags")).raise_for_status()
        async with anyio.create_task_group() as group:
            for model in DEFAULT_PANEL:
                group.start_soon(chat, model)


async def bare_cpu_s(url: str) -> float:
    """Give the CPU seconds of one bare round."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    await bare_round(url, context)
    began = time.process_time()
    for _ in range(BARE_ROUNDS):
        await bare_round(url, context)
    return (time.process_time() - began) / BARE_ROUNDS


class Meter:
    """Memory after each mark, and the CPU time from the first mark to the last."""

    def __init__(self, *, trace: bool) -> None:
        self.resident: dict[int, int] = {}
        self._cpu: list[float] = []
        self._heap: list[tracemalloc.Snapshot] = []
        self._trace = trace

    def note(self, runs: int) -> None:
        if runs in MARKS:
            self._cpu.append(time.process_time())
            self.resident[runs] = resident_kb()
            if self._trace:
                gc.collect()
                self._heap.append(tracemalloc.take_snapshot())

    def print_ratios(self, bare_cpu_s: float) -> None:
        cpu_s = (self._cpu[-1] - self._cpu[0]) / (MARKS[-1] - MARKS[0])
        print(f"{'ratio':<56}{'':>8}  goal")
        print(f"{'CPU of a run / of the same requests by bare httpx2':<56}{cpu_s / bare_cpu_s:>8.2f}")
        for runs in MARKS[1:]:
            name = f"memory after {runs} runs / after {MARKS[0]}"
            print(f"{name:<56}{self.resident[runs] / self.resident[MARKS[0]]:>8.3f}  about 1.0")

    def print_growth(self) -> None:
        ours = (tracemalloc.Filter(inclusive=False, filename_pattern=tracemalloc.__file__),)
        first, last = (heap.filter_traces(ours) for heap in (self._heap[0], self._heap[-1]))
        for row in last.compare_to(first, "lineno")[:10]:
            where = "/".join(Path(row.traceback[0].filename).parts[-3:])
            print(f"{row.size_diff / 1024:>9.1f} KiB {row.count_diff:>+7} {where}:{row.traceback[0].lineno}")


async def runs_in_one_loop(url: str, meter: Meter) -> None:
    for number in range(1, MARKS[-1] + 1):
        await run_once(url)
        meter.note(number)


def measure(url: str, meter: Meter, *, sync: bool) -> float:
    """Fill the meter and give the CPU seconds of one bare round, taken half before and half after."""
    bare: Callable[[str], Awaitable[float]] = bare_cpu_s
    before = anyio.run(bare, url)
    if sync:
        for number in range(1, MARKS[-1] + 1):
            run_once_sync(url)
            meter.note(number)
    else:
        anyio.run(runs_in_one_loop, url, meter)
    return (before + anyio.run(bare, url)) / 2


def main(*, sync: bool, trace: bool) -> None:
    meter = Meter(trace=trace)
    if trace:
        tracemalloc.start()
    with scripted_host(0.0) as url:
        bare = measure(url, meter, sync=sync)
    if trace:
        meter.print_growth()
    else:
        meter.print_ratios(bare)


if __name__ == "__main__":
    main(sync="--sync" in sys.argv, trace="--trace" in sys.argv)
