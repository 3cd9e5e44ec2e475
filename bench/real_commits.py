"""What settlers say of 200 claims about 20 real commits of 9 public repositories, against their labels, and of 60 sentences that claim nothing.

`python bench/real_commits.py CLONES` takes a folder with clones (`click`, `httpx`, ...), makes a work tree of each commit beside them, and
prints a table. `-v` prints each claim that was not decided, too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimjury.claims import Claim
from claimjury.settlers.outcome import Reading
from claimjury.settlers.registry import SETTLERS, form_named
from claimjury.settlers.settle import read_statement, settle

DATA = Path(__file__).parents[1] / "tests" / "data" / "settle"
Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def work_tree(clones: Path, repo: str, commit: str) -> Path:
    """Give a checkout of a commit, made where there is none."""
    name = repo.partition("/")[2]
    tree = clones / "_trees" / f"{name}-{commit[:8]}"
    if not tree.exists():
        tree.parent.mkdir(exist_ok=True)
        made = ["git", "clone", "-q", "--shared", "--no-checkout", str(clones / name), str(tree)]
        subprocess.run(made, check=True)
        subprocess.run(["git", "-C", str(tree), "checkout", "-q", "--detach", commit], check=True)
    return tree


def settled(clones: Path, asked: list[Row]) -> Iterator[tuple[Row, Any]]:
    by: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in asked:
        by[row["repo"], row["commit"], row["base"]].append(row)
    for (repo, commit, base), some in by.items():
        claims = [Claim(id=row["id"], statement=row["statement"]) for row in some]
        tree = work_tree(clones, repo, commit)
        yield from zip(some, settle(claims, tree, base=base).claims, strict=True)


def read_by(statement: str) -> str:
    reading = read_statement(statement)
    return form_named(reading.form)[0].name if isinstance(reading, Reading) else "none"


def result_of(row: Row, verdict: str | None) -> str:
    if verdict is None:
        return "silent"
    right = "CONFIRMED" if row["truth"] else "REFUTED"
    return f"{verdict.casefold()} {'right' if verdict == right else 'WRONG'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", type=Path)
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for row, said in settled(options.clones.resolve(), rows("real_claims.jsonl")):
        result = result_of(row, said.verdict)
        table[read_by(row["statement"])][result] += 1
        if result.endswith("WRONG") or (options.v and result == "silent"):
            print(result, row["id"], row["statement"], said.silent or said.proof)
    columns = ("confirmed right", "confirmed WRONG", "refuted right", "refuted WRONG", "silent")
    print(f"| settler | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for name in [*(settler.name for settler in SETTLERS), "none"]:
        if name in table:
            print(f"| {name} | {' | '.join(str(table[name][column]) for column in columns)} |")
    total = sum(table.values(), Counter())
    print(f"| all | {' | '.join(str(total[column]) for column in columns)} |")
    nothing = [said.verdict for _, said in settled(options.clones.resolve(), rows("not_a_claim.jsonl"))]
    print(
        f"\nOf {len(nothing)} sentences that claim nothing decidable: {len(nothing) - nothing.count(None)} settled."
    )


if __name__ == "__main__":
    main()
