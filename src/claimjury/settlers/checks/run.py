"""Running the checks, one after another, each bound to the files that it saw."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Final

from claimjury.errors import InvalidRequest
from claimjury.evidence.secrets import find_secrets, redact
from claimjury.settlers.checks.commands import arguments_of, plugin_folder
from claimjury.settlers.checks.declared import Declaration, looked_for, tsconfig_has_references
from claimjury.settlers.checks.judging import Judged, judge, judge_suite
from claimjury.settlers.checks.outcome import CheckName, CheckOutcome, ChecksResult, Suite
from claimjury.settlers.checks.programs import Program, find_program, program_of
from claimjury.settlers.checks.running import Ran, run_program
from claimjury.settlers.checks.scope import Scope, Wanted, read_names, scope_of, wanted_checks
from claimjury.settlers.checks.suite import read_record, suite_of
from claimjury.settlers.checks.surroundings import withheld
from claimjury.settlers.checks.tree import tree_hash
from claimjury.text import clean_line, clip

__all__ = ["MAX_TIMEOUT_S", "TIMEOUT_S", "run_checks"]

TIMEOUT_S: Final = 300.0
MAX_TIMEOUT_S: Final = 86_400.0
_MAX_NARROWED: Final = 300
Told = Callable[[int, int, CheckName, str], None]
"""Told how many ended, of how many, and the check that begins with its project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What all checks of a run share.

    Attributes:
        until: The monotonic time at which the whole run ends.
    """

    scope: Scope
    timeout_s: float
    until: float
    stop: Event | None

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.until or (self.stop is not None and self.stop.is_set())

    def shown(self, project: Path) -> str:
        return (
            str(project.relative_to(self.scope.directory))
            if project.is_relative_to(self.scope.directory)
            else str(project)
        )


def run_checks(
    directory: Path,
    *,
    paths: Sequence[Path] = (),
    only: Sequence[str] = (),
    allow_roots: Sequence[Path] = (),
    caps: Sequence[Path] = (),
    timeout_s: float = TIMEOUT_S,
    total_s: float = MAX_TIMEOUT_S,
    stop: Event | None = None,
    told: Told | None = None,
) -> ChecksResult:
    """Run the checks that the projects of `paths` declare. This runs the projects' own code, as the user who calls.

    Args:
        directory: The working directory; paths are relative to it, and lie below it or below `allow_roots`.
        paths: Files or directories; each says only which project is meant. The directory by default.
        only: The checks to run; all that are declared by default. One that is not declared is `missing`.
        allow_roots: Where else projects may lie.
        caps: What the operator allows at most; empty for no cap.
        timeout_s: For each check.
        total_s: For all of them.
        stop: Set it from another thread to end the run; what was running is `timeout`.
        told: Called before each check.

    Raises:
        InvalidRequest: A check is unknown, or a time is none.
        ConfigInvalid: A root is no directory, or is too wide.
        EvidenceError: A path is missing, or lies outside of the roots.
    """
    for seconds in (timeout_s, total_s):
        _check_seconds(seconds)
    scope = scope_of(directory, allow_roots, caps)
    wanted = wanted_checks(scope, paths, read_names(only))
    run = _Run(scope=scope, timeout_s=timeout_s, until=time.monotonic() + total_s, stop=stop)
    none = None if wanted else "No check is declared there, nor in a directory above within the roots."
    return ChecksResult.of(clean_line(str(scope.directory)), _outcomes(run, wanted, told), detail=none)


def _check_seconds(seconds: float) -> None:
    if not 0 < seconds <= MAX_TIMEOUT_S:
        raise InvalidRequest(
            f"A timeout of {seconds:g} seconds cannot be used.",
            hint=f"Give more than 0, up to {MAX_TIMEOUT_S:,.0f}.",
        )


def _outcomes(run: _Run, wanted: Sequence[Wanted], told: Told | None) -> list[CheckOutcome]:
    outcomes: list[CheckOutcome] = []
    trees: dict[Path, str] = {}
    for ended, one in enumerate(wanted):
        if told is not None:
            told(ended, len(wanted), one.name, clean_line(run.shown(one.project)))
        outcome = _outcome(run, one, trees.get(one.project))
        # What one check changes, the next of another project may see too.
        trees = {one.project: outcome.tree_after} if outcome.tree_after else {}
        outcomes.append(outcome)
    return outcomes


def _outcome(run: _Run, wanted: Wanted, tree: str | None) -> CheckOutcome:
    project = clean_line(run.shown(wanted.project))
    declaration = wanted.declaration
    if declaration is None:
        return CheckOutcome(
            name=wanted.name,
            project=project,
            outcome="missing",
            detail=f"It is not declared: there is no {looked_for(wanted.name)}, here or above within the roots.",
        )
    program = find_program(wanted.name, wanted.project, run.scope.roots)
    if program is None:
        return CheckOutcome(
            name=wanted.name,
            project=project,
            outcome="missing",
            declared_in=declaration.place,
            detail=f"There is no program {program_of(wanted.name)}, neither the project's own (.venv, venv, node_modules) nor on PATH.",
        )
    if run.is_over:
        return CheckOutcome(
            name=wanted.name,
            project=project,
            outcome="timeout",
            declared_in=declaration.place,
            detail="It was not begun: the time of the whole run was over, or the run was stopped.",
        )
    before = tree or tree_hash(wanted.project)
    with tempfile.TemporaryDirectory(prefix="claimjury-", ignore_cleanup_errors=True) as scratch:
        done = _done(run, wanted.project, declaration, program, Path(scratch))
    after = tree_hash(wanted.project)
    trees = {"tree_before": before, "tree_after": after, "changed_tree": before != after}
    return done.model_copy(update={"project": project, **trees})


def _done(
    run: _Run, project: Path, declaration: Declaration, program: Program, scratch: Path
) -> CheckOutcome:
    """Run one check and judge how it ended."""
    environ: Mapping[str, str] = os.environ
    witness = plugin_folder(scratch) if declaration.name == "pytest" else None
    if witness is not None:
        searched = [str(witness), *filter(None, [environ.get("PYTHONPATH")])]
        environ = {**environ, "PYTHONPATH": os.pathsep.join(searched)}
    command = (program.path, *arguments_of(declaration, project, scratch))
    seconds = min(run.timeout_s, max(0.0, run.until - time.monotonic()))
    plain = witness is None
    ran = run_program(
        command, directory=project, environ=environ, timeout_s=seconds, stop=run.stop, plain=plain
    )
    suite, narrowed = _told_by(witness)
    judged = _judged(declaration.name, ran, suite, narrowed, seconds)
    if judged.outcome == "pass" and declaration.name == "tsc" and tsconfig_has_references(project):
        judged = Judged(
            outcome="error", detail="tsconfig.json has references, of which `tsc -p` checks nothing."
        )
    return CheckOutcome(
        name=declaration.name,
        project=".",
        outcome=judged.outcome,
        detail=judged.detail,
        declared_in=declaration.place,
        command=command,
        from_project=program.from_project,
        exit_status=ran.exit_status,
        elapsed_ms=ran.elapsed_ms,
        # It goes to a terminal, to jurors and to the model that asked; it is judged as it came.
        output=redact(ran.output, find_secrets(ran.output)),
        output_bytes=ran.output_bytes,
        tests=suite,
        withheld=tuple(clean_line(name) for name in withheld(os.environ)),
        narrowed=narrowed,
    )


def _told_by(witness: Path | None) -> tuple[Suite | None, tuple[str, ...]]:
    """Give what the witness wrote down: the tests, and what narrowed the run."""
    record = None if witness is None else read_record(witness)
    if record is None:
        return None, ()
    suite = suite_of(record)
    narrowed = tuple(clip(clean_line(said), _MAX_NARROWED) for said in record.narrowed)
    return suite, (*narrowed, f"{suite.deselected:,} deselected") if suite.deselected else narrowed


def _judged(
    name: CheckName, ran: Ran, suite: Suite | None, narrowed: tuple[str, ...], seconds: float
) -> Judged:
    if ran.fault is not None:
        return Judged(outcome="error", detail=f"It could not be started: {ran.fault}.")
    if ran.ended == "timeout":
        return Judged(
            outcome="timeout",
            detail=f"It did not end within {seconds:.4g} s, and all that it had started was killed.",
        )
    if ran.exit_status is None:
        return Judged(
            outcome="timeout", detail="The run was stopped, and all that it had started was killed."
        )
    if name == "pytest":
        return judge_suite(ran.exit_status, suite, narrowed)
    return judge(name, ran.exit_status, ran.output)
