"""What a program's end means: its own exit statuses first, and no pass where it looked at nothing or contradicts itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from claimjury.settlers.checks.outcome import CheckName, Outcome, Suite
from claimjury.settlers.checks.suite import NARROWED_TO_NOTHING

__all__ = ["Judged", "judge", "judge_suite"]

_MYPY_SETTINGS: Final = re.compile(
    r"^\S*(?:\.toml|\.ini|\.cfg|mypy/config): (?!note:|\[.*\]: note:)", re.MULTILINE
)
_TS_DIAGNOSTIC: Final = re.compile(r"error TS(\d+):")
# Of options, of the project's file, and "No inputs were found": nothing that a source says.
_TS_SETTINGS: Final = re.compile(r"5\d\d\d|6\d\d\d|1800[0-9]")
_RUST_DIAGNOSTIC: Final = re.compile(r"^error(?:\[E\d+\]|: could not compile)", re.MULTILINE)
_GO_DIAGNOSTIC: Final = re.compile(r"^(?:vet: )?\S+\.go:\d+", re.MULTILINE)
_LOOKED_AT_NOTHING: Final[dict[CheckName, str]] = {
    "ruff": "No Python files found",
    "pyright": "No source files found",
    "go-vet": "matched no packages",
}


_OF_THE_MACHINE: Final[dict[CheckName, re.Pattern[str]]] = {
    "mypy": re.compile(
        r"\[import(?:-not-found|-untyped)?\]$|Cannot find implementation or library stub|^\S+ error: Library stubs not installed"
        r"|missing library stubs or py\.typed marker",
        re.MULTILINE,
    ),
    "pyright": re.compile(r"\(?reportMissing(?:Imports|TypeStubs)\b"),
    "tsc": re.compile(r"error TS(?:2307|2688|2792|7016):[^\n]*'[^.'/]"),
    "eslint": re.compile(r"\bno-(?:unresolved|missing-import|missing-require)\b"),
    "go-vet": re.compile(r"no required module provides package|cannot find (?:package|module)"),
}
"""What says that something is not installed here, so that the rest of a failure may come of that."""


_Word = Literal["pass", "fail", "error"]
_BY_STATUS: Final[dict[int, _Word]] = {0: "pass", 1: "fail"}


def _names_typescript(output: str) -> bool:
    return any(_TS_SETTINGS.fullmatch(code) is None for code in _TS_DIAGNOSTIC.findall(output))


# What of a program's output is about the sources, where its exit status alone does not tell.
_FOUND: Final[dict[CheckName, Callable[[str], bool]]] = {
    "tsc": _names_typescript,
    "cargo-check": lambda output: _RUST_DIAGNOSTIC.search(output) is not None,
    "go-vet": lambda output: _GO_DIAGNOSTIC.search(output) is not None,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An outcome, and why where it decides nothing."""

    outcome: Outcome
    detail: str | None = None


def judge(name: CheckName, status: int, output: str) -> Judged:
    """Judge the end of a check that is not a suite of tests."""
    nothing = _LOOKED_AT_NOTHING.get(name)
    if nothing is not None and nothing in output:
        return Judged(outcome="error", detail=f"It looked at nothing: {nothing}.")
    word = _word(name, status, output)
    if word == "error":
        return Judged(outcome="error", detail=f"It broke down, or its settings are wrong {_ended(status)}.")
    missing = _OF_THE_MACHINE.get(name)
    if word == "fail" and missing is not None and missing.search(output):
        return Judged(
            outcome="error",
            detail=f"It does not find what the sources import {_ended(status)}. That may be this machine's fault.",
        )
    return Judged(outcome=word)


def _word(name: CheckName, status: int, output: str) -> _Word:
    if name == "mypy" and _MYPY_SETTINGS.search(output):
        # It goes on without a setting that it cannot read.
        return "error"
    found = _FOUND.get(name)
    if found is None:
        return _BY_STATUS.get(status, "error")
    return _agreed(status, found=found(output))


def _agreed(status: int, *, found: bool) -> _Word:
    """A failure that names nothing in the sources is no failure of theirs."""
    if status == 0:
        return "error" if found else "pass"
    return "fail" if found and status > 0 else "error"


def judge_suite(status: int, suite: Suite | None, narrowed: tuple[str, ...]) -> Judged:
    """Judge a run of pytest: a pass needs its exit status and its counts to say so, and a test that ran."""
    if suite is None:
        return Judged(
            outcome="error", detail=f"pytest ended without a record of what it ran {_ended(status)}."
        )
    if status == 1 and suite.failed:
        return Judged(outcome="fail")
    why = _no_pass(suite, narrowed) if status == 0 else _broke_down(status, suite)
    return Judged(outcome="pass" if why is None else "error", detail=why)


def _no_pass(suite: Suite, narrowed: tuple[str, ...]) -> str | None:
    """Say why a run that exits with 0 is no pass."""
    if broken := suite.failed + suite.errors:
        return f"pytest exits with 0 though {broken:,} failed or were in error."
    if any(option in NARROWED_TO_NOTHING for option in narrowed):
        return f"The settings have pytest run no test: {', '.join(narrowed)}."
    if suite.passed + suite.xfailed + suite.xpassed == 0:
        return f"No test ran to its end: {suite.skipped:,} skipped. That is not a pass."
    return f"pytest exits with 0 though {suite.not_run:,} were not run." if suite.not_run else None


def _broke_down(status: int, suite: Suite) -> str:
    if status == 5:
        return "No test was run (exit status 5), which is not a pass."
    if suite.errors:
        return (
            f"{suite.errors:,} could not be collected, set up or torn down, and {suite.failed:,} failed {_ended(status)}. "
            "That may be this machine's fault."
        )
    if status == 1:
        return "pytest exits with 1 though no test failed."
    return f"pytest was interrupted or broke down {_ended(status)}."


def _ended(status: int) -> str:
    return f"(signal {-status})" if status < 0 else f"(exit status {status})"
