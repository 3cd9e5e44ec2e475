"""The citation guard on a transcript of 1 MB with 2,000 citations in a checkout of 20,000 files; and the hook's start."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from claimjury.evidence.citing.checking import check_citations
from claimjury.evidence.citing.finding import find_citations

FILES = 20_000
CITATIONS = 2_000
SIZE = 1_000_000
ROUNDS = 5
STARTS = 21
WORDS = [
    "the",
    "cache",
    "keeps",
    "each",
    "entry",
    "until",
    "it",
    "has",
    "expired",
    "and",
    "then",
    "drops",
    "it",
    "on",
    "the",
    "next",
    "read",
    "of",
    "that",
    "key",
]


def make_checkout(root: Path) -> None:
    for number in range(FILES):
        file = root / f"pkg{number % 200:03}" / f"module_{number:05}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"def function_{number}():\n    return {number}\n" * 20, encoding="utf-8")
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", "-C", str(root), *command], check=True)


def transcript() -> str:
    chance = random.Random(7)
    parts, size, every = [], 0, SIZE // CITATIONS
    for _ in range(CITATIONS):
        number = chance.randrange(FILES)
        bare = chance.random() < 0.5
        path = f"module_{number:05}.py" if bare else f"pkg{number % 200:03}/module_{number:05}.py"
        said = f"`function_{number}` in {path}:{chance.randrange(1, 60)} "
        while size % every < every - 120:
            sentence = " ".join(chance.choices(WORDS, k=12)).capitalize() + ". "
            parts.append(sentence)
            size += len(sentence)
        parts.append(said + "does it. \n")
        size += len(said) + 10
        size += every - size % every
    return "".join(parts)


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def start(code: str, text: bytes, home: Path) -> float:
    environ = {"PATH": os.environ["PATH"], "HOME": str(home)}
    return timed(
        lambda: subprocess.run(
            [sys.executable, "-c", code], input=text, capture_output=True, env=environ, check=True
        )
    )


def print_row(name: str, ones: list[float], others: list[float], note: str = "") -> None:
    ratios = [one / other for one, other in zip(ones, others, strict=True)]
    print(
        f"{name:<60}{min(ratios):>8.2f}{median(ratios):>8.2f}{max(ratios):>8.2f}  {note}".rstrip(), flush=True
    )


def main() -> None:
    print(f"{'ratio':<60}{'min':>8}{'median':>8}{'max':>8}")
    hook = "from claimjury.surfaces.hooks.main import main; main()"
    with TemporaryDirectory() as name:
        place = Path(name)
        quiet = json.dumps(
            {"last_assistant_message": "All is well at 12:30 on localhost:8080, after 3 tests."}
        ).encode()
        pairs = [(start(hook, quiet, place), start("pass", b"", place)) for _ in range(STARTS)]
        print_row("hook, nothing cited / python -c pass", [a for a, _ in pairs], [b for _, b in pairs])
        root = place / "checkout"
        root.mkdir()
        make_checkout(root)
        text = transcript()
        listing = ["git", "-C", str(root), "ls-files", "-z"]
        listed = [
            timed(lambda: subprocess.run(listing, capture_output=True, check=True)) for _ in range(ROUNDS)
        ]
        found = [timed(lambda: find_citations(text)) for _ in range(ROUNDS)]
        checked = [timed(lambda: check_citations(text, root)) for _ in range(ROUNDS)]
        count = len(check_citations(text, root))
        print_row(f"checking {count:,} citations of {len(text):,} characters / git ls-files", checked, listed)
        print_row(
            "checking / finding alone", checked, found, f"{median(checked) / count * 1e6:.0f} us a citation"
        )


if __name__ == "__main__":
    main()
