"""What it costs to load 50 files of 1 MB: decoded, hashed, confined, over only reading their bytes."""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from claimjury.evidence.sources import load_sources

FILES = 50
ROUNDS = 7
LINE = "def function(argument):  # a line of code of about sixty characters\n"
BODIES = {"ascii": LINE, "utf-8": LINE.replace("about", "über")}


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def print_row(name: str, folder: Path) -> None:
    paths = [folder / f"{number}.py" for number in range(FILES)]
    loads: list[float] = []
    reads: list[float] = []
    hashes: list[float] = []
    for _ in range(ROUNDS + 1):
        reads.append(seconds(lambda: [path.read_bytes() for path in paths]))
        hashes.append(seconds(lambda: [hashlib.sha256(path.read_bytes()).digest() for path in paths]))
        loads.append(seconds(lambda: load_sources(paths, roots=[folder])))
    over_reads = median(loads[1:]) / median(reads[1:])
    over_hashes = median(loads[1:]) / median(hashes[1:])
    print(f"{name:<12}{over_reads:>16.2f}{over_hashes:>24.2f}")


def main() -> None:
    print(f"{'files':<12}{'load / read':>16}{'load / read and hash':>24}")
    for name, line in BODIES.items():
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place).resolve()
            for number in range(FILES):
                text = line * (1_000_000 // len(line.encode()))
                (folder / f"{number}.py").write_text(text, encoding="utf-8")
            print_row(name, folder)


if __name__ == "__main__":
    main()
