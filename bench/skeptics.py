"""What a panel of skeptics costs over one of them: each calls tools in two rounds and then decides, 1 s an answer.

`python bench/skeptics.py serve` is the scripted host, in a process of its own, as in host.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import anyio

from claimjury.models.hosts import Cloud
from claimjury.skeptics.refute import refute_claim
from claimjury.testing import Asked, Reply, ScriptedOllama

REPETITIONS = 7
PANELS = (3, 5)
THINK_S = 1.0
ROUNDS = 2
MODEL = "deepseek-v4-pro:cloud"
CLAIM = "In cache.py the function get returns None for a key that has expired."
CODE = "def get(key):\n    value, until = items.get(key, (None, 0))\n    return value if until > now() else None\n"


def turn(asked: Asked) -> Reply:
    """Read, then search, then hold the claim; told by what the tools have said so far."""
    calls = ([("read", {"path": "cache.py"})], [("grep", {"pattern": r"\.get\("})])
    said = len(asked.tool_replies)
    if said < ROUNDS:
        return Reply(calls=calls[said], delay_s=THINK_S)
    body = {"nonce": asked.nonce, "reason": "cache.py:3 holds.", "basis": "evidence", "refuted": False}
    return Reply(content=json.dumps(body), delay_s=THINK_S)


def serve() -> None:
    with ScriptedOllama({MODEL: turn}) as server:
        sys.stdout.write(server.url + "\n")
        sys.stdout.flush()
        sys.stdin.read()


@contextmanager
def scripted_host() -> Iterator[str]:
    command = [sys.executable, __file__, "serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


@contextmanager
def repository() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "cache.py").write_text(CODE, encoding="utf-8")
        for command in (("init", "-q"), ("add", "-A")):
            subprocess.run(["git", "-C", place, *command], check=True)
        yield Path(place)


async def attack(url: str, repo: Path, n: int) -> tuple[float, float]:
    """Give the seconds of one run and those of its slowest skeptic."""
    cloud = Cloud(host=url, api_key="no-key-but-a-script")
    began = time.perf_counter()
    result = await refute_claim(CLAIM, n=n, model=MODEL, repo=repo, cloud=cloud)
    took = time.perf_counter() - began
    assert [(one.rounds, len(one.read)) for one in result.skeptics] == [(ROUNDS, ROUNDS)] * n, result
    assert all(one.grounds == "evidence" and not one.failed_calls for one in result.skeptics), result
    return took, max(one.elapsed_ms for one in result.skeptics) / 1000


async def measure(url: str, repo: Path) -> dict[int, list[tuple[float, float]]]:
    await attack(url, repo, 1)  # The first run of a process pays for its imports.
    runs: dict[int, list[tuple[float, float]]] = {n: [] for n in (1, *PANELS)}
    for _ in range(REPETITIONS):
        for n, taken in runs.items():
            taken.append(await attack(url, repo, n))
    return runs


def print_row(name: str, ratios: Sequence[float], goal: str = "") -> None:
    print(f"{name:<44}{min(ratios):>8.3f}{median(ratios):>8.3f}{max(ratios):>8.3f}  {goal}".rstrip())


def main() -> None:
    with scripted_host() as url, repository() as repo:
        runs = anyio.run(measure, url, repo)
    alone = [took for took, _ in runs[1]]
    print(f"{'ratio':<44}{'min':>8}{'median':>8}{'max':>8}  goal")
    for n in PANELS:
        ratios = [took / one for (took, _), one in zip(runs[n], alone, strict=True)]
        print_row(f"run of {n} / run of one alone", ratios, "<= 1.1")
        print_row(f"run of {n} / its slowest skeptic", [took / own for took, own in runs[n]], "<= 1.1")
    for n in (1, *PANELS):
        thinking = THINK_S * (ROUNDS + 1)
        print_row(f"run of {n} / a skeptic's thinking time", [took / thinking for took, _ in runs[n]])


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main()
