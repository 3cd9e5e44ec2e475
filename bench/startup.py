"""What it costs to start: `claimjury --help` over importing typer, `import claimjury` over a bare interpreter."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from statistics import median

PAIRS = 21
HELP = ("-c", "from claimjury.surfaces.cli.main import main; main()", "--help")


def seconds(args: Sequence[str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *args], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def print_row(name: str, measured: Sequence[str], base: Sequence[str], goal: str = "") -> None:
    """Time both by turns, after one round that only fills the caches."""
    pairs = [(seconds(measured), seconds(base)) for _ in range(PAIRS + 1)][1:]
    ratios = [one / other for one, other in pairs]
    middle = median(one for one, _ in pairs) / median(other for _, other in pairs)
    print(f"{name:<44}{min(ratios):>8.2f}{middle:>8.2f}{max(ratios):>8.2f}  {goal}".rstrip())


def main() -> None:
    print(f"{'ratio':<44}{'min':>8}{'medians':>8}{'max':>8}  goal")
    print_row("claimjury --help / import typer", HELP, ("-c", "import typer"), "< 3")
    print_row("import claimjury / bare interpreter", ("-c", "import claimjury"), ("-c", "pass"))


if __name__ == "__main__":
    main()
