"""What grep costs over `git grep -n -E`, in a checkout of 20,000 files, and which of its steps takes what share.

The shares are of seconds in which each step is timed by itself, over the same files and with grep's own functions.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from claimjury.evidence.decoding import decode
from claimjury.evidence.files import read_file
from claimjury.skeptics.tools.jail import FILE, Found, Jail, is_link
from claimjury.skeptics.tools.listing import list_files
from claimjury.skeptics.tools.patterns import LinePattern, compile_lines
from claimjury.skeptics.tools.toolbox import Toolbox

FILES = 20_000
FOLDERS = 400
ROUNDS = 3
RARE = "needle_in_a_haystack"
PATTERNS: Final = {"rare": "needle_in_[a-z]+", "common": "return [a-z]+", "none": "nowhere_to_be_[0-9]+"}
LINES = (
    "def function_{0}(argument, other):",
    "    value = argument + {0}",
    "    if value > other:  # a comment of the usual length, which says why",
    "    return value",
    "",
    '    raise ValueError("the text of an error, of the length that they have: {0}")',
)


def fill(folder: Path) -> None:
    """Write a checkout: most files are short, some are long, and each is tracked."""
    # What is random here only has to be the same each time.
    draw = random.Random(20)
    for number in range(FILES):
        count = min(5_000, int(draw.lognormvariate(4, 1.2)) + 1)
        lines = [draw.choice(LINES).format(draw.randrange(1_000_000)) for _ in range(count)]
        if number % 2_000 == 0:
            lines.append(f"    {RARE} = 1")
        place = folder / f"part{number % 20}" / f"package{number % FOLDERS}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"module{number}.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    git = ["git", "-C", str(folder), "-c", "gc.auto=0", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "All of it.")):
        subprocess.run([*git, *command], check=True)


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def ask_grep(toolbox: Toolbox, pattern: str) -> None:
    reply = toolbox.call("grep", {"pattern": pattern})
    # With a search that was given up, there would be nothing to compare.
    assert f"Searched: {FILES:,} files" in reply.text, reply.text[-500:]


def ask_git(folder: Path, pattern: str) -> None:
    done = subprocess.run(
        ["git", "-C", str(folder), "grep", "-n", "-E", pattern], capture_output=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr


def print_ratio(name: str, folder: Path, toolbox: Toolbox) -> None:
    pattern = PATTERNS[name]
    pairs = [
        (seconds(lambda: ask_grep(toolbox, pattern)), seconds(lambda: ask_git(folder, pattern)))
        for _ in range(ROUNDS + 1)
    ][1:]
    ours, theirs = (median(side) for side in zip(*pairs, strict=True))
    print(f"{name:<12}{ours / theirs:>24.1f}{ours:>12.2f}{theirs:>12.2f}")


def matches(pattern: LinePattern, text: bytes) -> int:
    """Count matching lines as grep goes through them."""
    found = position = 0
    while hit := pattern.search(text, position):
        found += 1
        end = text.find(b"\n", hit.start())
        if end < 0:
            break
        position = end + 1
    return found


def steps(folder: Path) -> dict[str, float]:
    """Time what grep does to every file, one step after another."""
    jail = Jail(folder)
    root = Found(path=folder, name=".", folder=True)
    names: list[str] = []
    found: list[Found] = []
    data: list[bytes] = []
    texts: list[bytes] = []
    taken = {
        "listing, by git": seconds(lambda: names.extend(list_files(jail, root, lambda _: True).names)),
        "whether it is a link": seconds(lambda: [is_link(folder / name) for name in names]),
        "confining: where it is, and whether denied": seconds(lambda: found.extend(map(jail.find, names))),
        "reading": seconds(lambda: data.extend(read_file(one.path, one.name, role=FILE) for one in found)),
        "decoding": seconds(
            lambda: texts.extend(decode(one, "it").text.replace("\r\n", "\n").encode() for one in data)
        ),
    }
    for name, pattern in PATTERNS.items():
        search = partial(matches, compile_lines(pattern, ignore_case=False))
        taken[f"matching, {name}"] = seconds(partial(lambda one: [one(text) for text in texts], search))
    return taken


def print_shares(folder: Path) -> None:
    rounds = [steps(folder) for _ in range(ROUNDS + 1)][1:]
    taken = {name: median(one[name] for one in rounds) for name in rounds[0]}
    total = sum(took for name, took in taken.items() if name not in ("matching, common", "matching, none"))
    for name, took in taken.items():
        print(f"{name:<44}{took / total:>8.1%}")


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        fill(folder)
        toolbox = Toolbox(folder)
        print(f"{'pattern':<12}{'grep / git grep':>24}{'grep, s':>12}{'git, s':>12}")
        for name in PATTERNS:
            print_ratio(name, folder, toolbox)
        print(f"\n{'share of a search for the rare pattern':<44}{'share':>8}")
        print_shares(folder)


if __name__ == "__main__":
    main()
