"""What settling costs: 20 claims in a checkout of 20,000 files over one `git grep`, and 20 that no settler understands over none.

`python bench/settle.py`
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final

from grep import fill

from claimjury.claims import Claim
from claimjury.settlers.settle import settle

ROUNDS: Final = 7
NAMES: Final = ("needle_in_a_haystack", *(f"nowhere_{number}" for number in range(7)))
STATEMENTS: Final = (
    *(f"Nothing mentions `{name}`." for name in NAMES),
    *(f"The class `Nowhere{number}` does not exist in `part0/package0/module0.py`." for number in range(3)),
    "`part0/package0/module0.py` exists.",
    "`part0/package0/module1.py` exists.",
    "`part0/package0/module0.py` was changed.",
    "Only `part0/package0/module0.py` was changed.",
    "No new files were added.",
    "Nothing calls `nowhere_to_be_found`.",
    "`part1/package1/module1.py` does not contain `nowhere_at_all`.",
    "Everything is committed.",
    "`LIMIT_OF_THIS` is 3.",
)
CODE: Final = """
import sys
from pathlib import Path
from claimjury.claims import Claim
if sys.argv[1] == "settle":
    from claimjury.settlers.settle import settle
    settle([Claim(id=str(n), statement=f"The cache {n} gives every key back in time.") for n in range(20)], Path.cwd())
else:
    import claimjury.jury.settling
"""


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def settled(folder: Path) -> None:
    claims = [Claim(id=str(number), statement=text) for number, text in enumerate(STATEMENTS)]
    rows = settle(claims, folder, base="HEAD~1").claims
    silent = [(row.statement, row.silent) for row in rows if row.verdict is None]
    # With claims that were not looked at, there would be nothing to compare.
    assert not silent, silent


def git_grep(folder: Path) -> None:
    command = ["git", "-C", str(folder), "grep", "-n", "-F", "-e", NAMES[0]]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def python(how: str) -> None:
    subprocess.run([sys.executable, "-c", CODE, how], check=True)


def print_row(name: str, measured: Callable[[], object], base: Callable[[], object], goal: str = "") -> None:
    """Time both by turns, after one round that only fills the caches."""
    pairs = [(seconds(measured), seconds(base)) for _ in range(ROUNDS + 1)][1:]
    ratios = sorted(one / other for one, other in pairs)
    middle = median(one for one, _ in pairs) / median(other for _, other in pairs)
    print(f"{name:<56}{ratios[0]:>8.2f}{middle:>8.2f}{ratios[-1]:>8.2f}  {goal}".rstrip())


def main() -> None:
    print(f"{'ratio':<56}{'min':>8}{'medians':>8}{'max':>8}  goal")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder)
        changed = folder / "part0" / "package0" / "module0.py"
        changed.write_text("LIMIT_OF_THIS = 42\n", encoding="utf-8")
        git = ["git", "-C", name, "-c", "gc.auto=0", "-c", "user.name=a", "-c", "user.email=a@b.c"]
        subprocess.run([*git, "commit", "-q", "-a", "-m", "One file."], check=True)
        print_row(
            "20 claims settled / one git grep", lambda: settled(folder), lambda: git_grep(folder), "<= 2"
        )
    print_row(
        "20 claims that none understands / imports alone", lambda: python("settle"), lambda: python("import")
    )


if __name__ == "__main__":
    main()
