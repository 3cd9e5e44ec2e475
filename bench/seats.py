"""What a run costs over its slowest juror: three jurors of 1 s each, in process and from a cold command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import anyio

from claimjury import Cloud, verify_claims

REPETITIONS = 7
THINK_S = 1.0
CLAIM = "The cache drops the oldest entry."
KEY = "no-key-but-a-script"
COMMAND = ("-c", "from claimjury.surfaces.cli.main import main; main()", "verify", "--claim", CLAIM, "--json")


@contextmanager
def scripted_host(think_s: float) -> Iterator[str]:
    command = [sys.executable, str(Path(__file__).with_name("host.py")), str(think_s)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


async def in_process(url: str) -> tuple[float, float]:
    """Give the seconds of one run and those of its slowest seat."""
    began = time.perf_counter()
    result = await verify_claims([CLAIM], cloud=Cloud(host=url, api_key=KEY))
    took = time.perf_counter() - began
    assert all(seat.included for seat in result.panel)
    return took, max(seat.elapsed_ms for seat in result.panel) / 1000


async def warm_runs(url: str) -> list[tuple[float, float]]:
    await in_process(url)  # The first run of a process pays for its imports.
    return [await in_process(url) for _ in range(REPETITIONS)]


def cold_command(url: str) -> float:
    """Give the seconds of one `claimjury verify`, interpreter and imports included."""
    environ = {**os.environ, "OLLAMA_CLOUD_HOST": url, "OLLAMA_API_KEY": KEY}
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *COMMAND], env=environ, capture_output=True, text=True, check=False
    )
    took = time.perf_counter() - began
    assert all(seat["included"] for seat in json.loads(done.stdout)["result"]["panel"]), done.stderr
    return took


def print_row(name: str, ratios: Sequence[float], goal: str = "") -> None:
    print(f"{name:<44}{min(ratios):>8.3f}{median(ratios):>8.3f}{max(ratios):>8.3f}  {goal}".rstrip())


def main() -> None:
    with scripted_host(THINK_S) as url:
        warm = anyio.run(warm_runs, url)
        cold = [cold_command(url) for _ in range(REPETITIONS)]
    print(f"{'ratio':<44}{'min':>8}{'median':>8}{'max':>8}  goal")
    print_row("run in process / its slowest seat", [run / seat for run, seat in warm], "<= 1.05")
    print_row("run in process / a juror's thinking time", [run / THINK_S for run, _ in warm], "<= 1.05")
    print_row("cold command line / a juror's thinking time", [run / THINK_S for run in cold])


if __name__ == "__main__":
    main()
