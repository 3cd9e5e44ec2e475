"""What looking quotes up costs: per vote, over reading its ballot; and indexing a large source, over reading it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from claimjury.evidence.quotes import Evidence, QuoteBook
from claimjury.jury.ballot import read_ballot
from claimjury.jury.quoting import QuoteCheck

ROUNDS = 15
CLAIMS = 20
NONCE = "0123456789abcdef"
ROOT = Path(__file__).parents[1] / "src" / "claimjury"


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def print_row(name: str, pairs: list[tuple[float, float]], note: str = "") -> None:
    ratios = [one / other for one, other in pairs]
    print(f"{name:<56}{min(ratios):>8.2f}{median(ratios):>8.2f}{max(ratios):>8.2f}  {note}".rstrip())


def main() -> None:
    files = sorted(ROOT.rglob("*.py"))
    texts = [
        Evidence(name=str(file.relative_to(ROOT)), text=file.read_text(encoding="utf-8")) for file in files
    ]
    chosen = [text for text in texts if len(text.text) > 6_000][:CLAIMS]
    entries = []
    for number, text in enumerate(chosen, start=1):
        lines = text.text.split("\n")
        quotes = [
            {
                "source": text.name,
                "start_line": line,
                "end_line": line + 1,
                "text": "\n".join(lines[line - 1 : line + 1]),
            }
            for line in (40, 80, 120)
        ]
        entries.append(
            {"id": f"c{number}", "quotes": quotes, "rationale": "It does.", "verdict": "CONFIRMED"}
        )
    reply = json.dumps({"nonce": NONCE, "verdicts": entries})
    ids = [f"c{number}" for number in range(1, len(chosen) + 1)]
    warm = QuoteCheck(book=QuoteBook(chosen))
    read_ballot(reply, ids, NONCE, warm)

    bare = [timed(lambda: read_ballot(reply, ids, NONCE)) for _ in range(ROUNDS)]
    again = [timed(lambda: read_ballot(reply, ids, NONCE, warm)) for _ in range(ROUNDS)]
    first = [
        timed(lambda: read_ballot(reply, ids, NONCE, QuoteCheck(book=QuoteBook(chosen))))
        for _ in range(ROUNDS)
    ]
    print(f"{'ratio':<56}{'min':>8}{'median':>8}{'max':>8}")
    per_vote = (median(again) - median(bare)) / len(ids) * 1e6
    print_row(
        "ballot with quotes, sources indexed / without looking up",
        list(zip(again, bare, strict=True)),
        f"{per_vote:.0f} us a vote of 3 quotes",
    )
    print_row(
        "the first ballot of a run, indexing 20 sources / the same", list(zip(first, bare, strict=True))
    )
    whole = "".join(text.text for text in texts)
    book = [
        timed(lambda: QuoteBook([Evidence(name="a", text=whole)]).place("x" * 20, "a", (1, 1), ""))
        for _ in range(5)
    ]
    split = [timed(whole.split) for _ in range(5)]
    print_row(f"indexing {len(whole):,} characters / splitting them", list(zip(book, split, strict=True)))


if __name__ == "__main__":
    main()
