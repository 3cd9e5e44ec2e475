"""What looking evidence through costs, per MB, over reading and decoding it: secrets, injections, comments."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from claimjury.evidence.decoding import decode
from claimjury.evidence.injection import find_injections
from claimjury.evidence.secrets import find_secrets
from claimjury.evidence.stripping import stripped

ROUNDS = 5
ROOT = Path(__file__).parents[1] / "src" / "claimjury"


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    files = [file.read_bytes() for file in sorted(ROOT.rglob("*.py"))]
    texts = [data.decode() for data in files]
    size = sum(map(len, files)) / 1e6
    find_secrets("warm")
    reading = median(timed(lambda: [decode(data, "a.py") for data in files]) for _ in range(ROUNDS))
    print(f"{'over decoding the same ' + f'{size:.2f} MB':<40}{'ratio':>10}{'s per MB':>10}")
    for name, work in (
        ("secrets", lambda: [find_secrets(text) for text in texts]),
        ("injections", lambda: [find_injections(text) for text in texts]),
        ("comments and docstrings", lambda: [stripped(text, "a.py") for text in texts]),
    ):
        took = median(timed(work) for _ in range(ROUNDS))
        print(f"{name:<40}{took / reading:>10.1f}{took / size:>10.2f}", flush=True)


if __name__ == "__main__":
    main()
