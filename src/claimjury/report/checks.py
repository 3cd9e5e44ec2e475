"""Checks that were run, shown: as text for people, as JSON for programs."""

from __future__ import annotations

from typing import Any, Final

from claimjury.settlers.checks.outcome import CheckOutcome, ChecksResult, Outcome
from claimjury.settlers.checks.reference import shown_command, suite_line
from claimjury.settlers.checks.running import bounded
from claimjury.text import clean, clean_line

__all__ = ["MAX_BRIEF_CASES", "a_line_each", "checks_as_text", "in_brief"]

MAX_BRIEF_CASES: Final = 100
_MAX_BRIEF_OUTPUT: Final = 4_000
_MAX_SHOWN: Final = 4_000
_WORDS: Final[dict[Outcome, str]] = {
    "pass": "PASS",
    "fail": "FAIL",
    "timeout": "TIMEOUT",
    "missing": "MISSING",
    "error": "ERROR",
}


def checks_as_text(result: ChecksResult) -> str:
    """Give each check with what it says, what did not pass with its output, and the summary last."""
    parts = ["".join(f"{line}\n" for line in _lines(check)) for check in result.checks]
    total = ", ".join(f"{result.counts[word]} {word}" for word in _WORDS if word in result.counts)
    closing = f"{len(result.checks)} checks: {total}." if result.checks else f"{result.detail}"
    return "".join([*parts, f"{closing}\n{result.note}\n"])


def a_line_each(result: ChecksResult) -> list[str]:
    """Give how each check ended, with the counts of its tests, on one line."""
    told = ((_lines(check)[0], check.tests) for check in result.checks)
    return [line if tests is None else f"{line}; tests: {suite_line(tests)}" for line, tests in told]


def in_brief(result: ChecksResult) -> dict[str, Any]:
    """Give the result as JSON-ready data for an agent: outputs shorter, and of the tests those that did not pass."""
    return result.model_copy(update={"checks": tuple(map(_brief, result.checks))}).to_json()


def _brief(check: CheckOutcome) -> CheckOutcome:
    update: dict[str, Any] = {"output": bounded(check.output, _MAX_BRIEF_OUTPUT)}
    if check.tests is not None:
        cases = [case for case in check.tests.cases if case.outcome != "passed"]
        update["tests"] = check.tests.model_copy(update={"cases": tuple(cases[:MAX_BRIEF_CASES])})
    return check.model_copy(update=update)


def _lines(check: CheckOutcome) -> list[str]:
    ended = "" if check.exit_status is None else f", exit status {check.exit_status}"
    timed = f"{ended}, {check.elapsed_ms / 1000:.1f} s" if check.command else ""
    lines = [f"{_WORDS[check.outcome]} {check.name} in {clean_line(check.project)}{timed}"]
    if check.command:
        own = "the project's own" if check.from_project else "of PATH"
        lines.append(
            f"  $ {clean_line(shown_command(check))}  ({own}; declared in {clean_line(check.declared_in or '')})"
        )
    if check.detail:
        lines.append(f"  {clean_line(check.detail)}")
    if check.tests is not None:
        lines.append(f"  tests: {suite_line(check.tests)}")
    if check.narrowed:
        lines.append(f"  The project's settings narrow the run: {clean_line('; '.join(check.narrowed))}.")
    if check.changed_tree:
        lines.append("  The run changed the project's files: what was checked is not what is there now.")
    if check.outcome != "pass":
        lines += [f"  | {line}" for line in clean(bounded(check.output, _MAX_SHOWN)).splitlines()]
    return lines
