"""What came of the checks, as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal, get_args

from claimjury.values import Value

__all__ = [
    "CHECKS",
    "NOTE",
    "CaseOutcome",
    "CheckName",
    "CheckOutcome",
    "ChecksResult",
    "ExitStatus",
    "Outcome",
    "Suite",
    "SuiteCase",
    "exit_status_of",
]

CheckName = Literal["ruff", "mypy", "pyright", "pytest", "tsc", "eslint", "cargo-check", "go-vet"]
CHECKS: Final[tuple[CheckName, ...]] = get_args(CheckName)
Outcome = Literal["pass", "fail", "timeout", "missing", "error"]
CaseOutcome = Literal["passed", "failed", "error", "skipped", "xfailed", "xpassed"]
ExitStatus = Literal[0, 10, 20]
NOTE: Final = (
    "Each check was run once, as the project declares it, on the tree whose hash is given; it says nothing of "
    "another tree, another machine or what no check looks at."
)


class SuiteCase(Value):
    """One test, by pytest's own id; a module that could not be collected, or was skipped whole, by its path."""

    id: str
    outcome: CaseOutcome


class Suite(Value):
    """The tests of a run of ours. Each counts once, by its worst phase.

    Attributes:
        collected: What pytest found, those that were deselected too.
        not_run: Selected tests that nothing came of.
        reruns: Failed attempts that another attempt took the place of.
        marked_flaky: Selected tests that carry a `flaky` mark.
        subtests: Parts of tests that were reported by themselves; pytest counts them too.
        unexpected: Tests that failed because they passed, though that was expected of none of them.
    """

    collected: int
    passed: int
    failed: int
    errors: int
    skipped: int
    xfailed: int
    xpassed: int
    deselected: int
    not_run: int
    reruns: int
    marked_flaky: int
    subtests: int = 0
    unexpected: int = 0
    cases: tuple[SuiteCase, ...]


class CheckOutcome(Value):
    """A check and what came of it.

    Attributes:
        project: The directory that it ran in, relative to the working directory where it lies below.
        outcome: `pass` and `fail` are the program's own word; `timeout`, `missing` (not declared, or no such program) and `error`
            (it broke down, or contradicts itself) decide nothing.
        detail: Why it decides nothing, or what else is to be known.
        declared_in: The file, and the line where there is one; absent where it is declared nowhere.
        command: The arguments as they were given to the system.
        from_project: The program is the project's own (`.venv`, `node_modules`), not one of PATH.
        output: Both streams, cleaned and without what has the form of a secret; of more than 20,000 characters the beginning and the end.
        output_bytes: All that was written.
        withheld: Names of variables of the environment that it was not given: keys, and what would steer it.
        narrowed: How the project's settings have pytest run less than what it would collect.
        tree_before: Hash of the files below the project, as `tree_after` is.
        changed_tree: The run changed them.
    """

    name: CheckName
    project: str
    outcome: Outcome
    detail: str | None = None
    declared_in: str | None = None
    command: tuple[str, ...] = ()
    from_project: bool | None = None
    exit_status: int | None = None
    elapsed_ms: int = 0
    output: str = ""
    output_bytes: int = 0
    tests: Suite | None = None
    withheld: tuple[str, ...] = ()
    narrowed: tuple[str, ...] = ()
    tree_before: str | None = None
    tree_after: str | None = None
    changed_tree: bool = False


class ChecksResult(Value):
    """All checks of a run.

    Attributes:
        directory: The working directory, links followed.
        exit_status: 0 all passed, 10 one failed, 20 something is undecided or nothing was declared.
        detail: Why there is no check, where there is none.
    """

    directory: str
    checks: tuple[CheckOutcome, ...]
    counts: dict[Outcome, int]
    exit_status: ExitStatus
    detail: str | None = None
    note: str = NOTE

    @classmethod
    def of(cls, directory: str, checks: Sequence[CheckOutcome], *, detail: str | None = None) -> ChecksResult:
        """Give the result of these checks."""
        return cls(
            directory=directory,
            checks=tuple(checks),
            counts=dict(Counter(check.outcome for check in checks)),
            exit_status=exit_status_of(checks),
            detail=detail,
        )


def exit_status_of(checks: Sequence[CheckOutcome]) -> ExitStatus:
    """Give the exit status: a failure is known whatever else is undecided."""
    if any(check.outcome == "fail" for check in checks):
        return 10
    return 0 if checks and all(check.outcome == "pass" for check in checks) else 20
