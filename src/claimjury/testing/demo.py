"""The script of `claimjury demo`: four jurors on a small program with a real bug, each with a habit of real ones.

- `deepseek-v4-pro` answers plainly, and dissents alone on one claim, which does not decide it.
- `kimi-k2.7-code` leaves a claim out and gives it when it is asked again.
- `glm-5.2` wraps its ballot in prose and a fence.
- `mistral-large-3` is asked for, and another model is served in its place, so its seat does not count.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from claimjury.errors import InvalidRequest
from claimjury.evidence.git import run_git
from claimjury.testing.scripts import Reply, Script, ballot

__all__ = ["DEMO_PANEL", "EXAMPLE", "demo_scripts", "make_work_tree"]

EXAMPLE: Final = Path(__file__).parent / "example"
"""The example that ships with claimjury: `ttl_cache.py`, its test, the test's output, six claims for jurors, and four for settlers."""
_SOURCES: Final = ("ttl_cache.py", "test_ttl_cache.py")
_AUTHOR: Final = (
    "-c",
    "user.name=claimjury",
    "-c",
    "user.email=demo@claimjury.invalid",
    "-c",
    "commit.gpgSign=false",
)
DEMO_PANEL: Final = (
    "deepseek-v4-pro:cloud",
    "kimi-k2.7-code:cloud",
    "glm-5.2:cloud",
    "mistral-large-3:675b-cloud",
)


def _vote(
    verdict: str, severity: str, rationale: str, missing: str | None = None, *quotes: dict[str, Any]
) -> dict[str, Any]:
    vote = {"quotes": list(quotes), "verdict": verdict, "severity": severity, "rationale": rationale}
    return vote if missing is None else {**vote, "missing": missing}


def _quote(line: int, text: str, source: str = "ttl_cache.py") -> dict[str, Any]:
    return {"source": source, "start_line": line, "end_line": line, "text": text}


_DEEPSEEK: Final = {
    "expiry": _vote(
        "REFUTED",
        "medium",
        "At the very moment of expiry line 32 of ttl_cache.py compares with `>`, so the entry is still given.",
        None,
        _quote(32, "if self._clock() > expires:"),
    ),
    "eviction": _vote(
        "REFUTED",
        "high",
        "`_evict` picks `max` of the expiry times (ttl_cache.py, line 39): the entry that is furthest from expiring. "
        "The failed test in the reference shows it.",
        None,
        _quote(39, "oldest = max(self._entries, key=lambda key: self._entries[key][1])"),
    ),
    "tests": _vote("CONFIRMED", "low", "The last line of the reference reads `1 failed, 4 passed`."),
    "overwrite": _vote(
        "REFUTED",
        "high",
        "`set` evicts whenever the cache is full (line 22), without asking whether the key is new.",
        None,
        # One line off, as jurors often are.
        _quote(21, "if len(self._entries) >= self.maxsize:"),
    ),
    "vague": _vote(
        "UNCERTAIN", "medium", "No lock is seen, but `gracefully` says nothing that could be false."
    ),
    "speed": _vote(
        "UNCERTAIN",
        "low",
        "Neither the code nor the test output holds a measured time.",
        "A timing of `get` on the production machines, for example the output of `python -m timeit`.",
    ),
}
_KIMI: Final = {
    "expiry": _vote(
        "CONFIRMED",
        "medium",
        "Lines 32 to 34 delete the entry and give the default once `expires` has passed.",
    ),
    "eviction": _vote(
        "REFUTED", "critical", "Line 39 uses `max` where the docstring asks for the smallest expiry."
    ),
    "tests": _vote("CONFIRMED", "low", "Reference, last line: 1 failed, 4 passed."),
    "overwrite": _vote(
        "REFUTED", "high", "Line 22 checks only the count, so an overwrite evicts another entry."
    ),
    "vague": _vote(
        "UNCERTAIN",
        "medium",
        "The claim names no operation and no outcome.",
        "restate: `get` and `set` called from two threads at once never raise and never lose an entry.",
    ),
    "speed": _vote("UNCERTAIN", "low", "No measurement is part of the evidence.", "A benchmark of `get`."),
}
_GLM: Final = {
    "expiry": _vote(
        "CONFIRMED", "medium", "`get` compares the clock with `expires` and drops the entry (line 32)."
    ),
    "eviction": _vote(
        "REFUTED", "high", "The failing test drops `young` and keeps `old`; line 39 explains why."
    ),
    "tests": _vote("CONFIRMED", "low", "The summary line of the run says so."),
    "overwrite": _vote(
        "REFUTED",
        "medium",
        "Nothing in `set` looks at whether the key exists before it evicts.",
        None,
        # Made up, as jurors sometimes do.
        _quote(22, "if key not in self._entries: self._evict()"),
    ),
    "vague": _vote("UNCERTAIN", "low", "It cannot be checked as it is worded."),
    "speed": _vote("UNCERTAIN", "low", "Speed depends on the machine; none is measured here."),
}
_PROSE: Final = "I compared each claim with the code and the log.\n\n```json\n{}\n```\n"


def make_work_tree(folder: Path) -> Path:
    """Make a repository whose branch `cache` adds the example's two files; without git, a folder with them. Gives the folder."""
    (folder / "README.md").write_text("# cache\n", encoding="utf-8")
    try:
        run_git(folder, "init", "-q", "-b", "main")
        _commit(folder, "Begin")
        run_git(folder, "checkout", "-q", "-b", "cache", indexed=True)
    except InvalidRequest:
        pass
    for name in _SOURCES:
        (folder / name).write_bytes((EXAMPLE / name).read_bytes())
    with suppress(InvalidRequest):
        _commit(folder, "Add a cache whose entries expire")
    return folder


def _commit(folder: Path, title: str) -> None:
    run_git(folder, "add", "-A", indexed=True)
    run_git(folder, *_AUTHOR, "commit", "-q", "-m", title, indexed=True)


def demo_scripts() -> dict[str, Script]:
    """Give the four jurors."""
    first = {ident: vote for ident, vote in _KIMI.items() if ident != "speed"}
    all_confirmed = {ident: _vote("CONFIRMED", "low", "It looks right to me.") for ident in _KIMI}
    deepseek, kimi, glm, mistral = DEMO_PANEL
    return {
        deepseek: [Reply(content=ballot(_DEEPSEEK), thinking="The eviction uses max, which looks wrong.")],
        kimi: [Reply(content=ballot(first)), Reply(content=ballot({"speed": _KIMI["speed"]}))],
        glm: [Reply(content=ballot(_GLM, wrap=_PROSE))],
        mistral: [Reply(content=ballot(all_confirmed), served="ministral-3:8b")],
    }
