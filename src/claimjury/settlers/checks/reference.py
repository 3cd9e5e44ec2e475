"""Checks as the reference of a jury: what was run, how it ended, on which files, and what it said."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

from claimjury.evidence.reference import MAX_REFERENCE, Reference
from claimjury.settlers.checks.outcome import CheckOutcome, ChecksResult, Suite
from claimjury.settlers.checks.running import bounded

__all__ = ["as_reference", "reference_of", "shown_command", "suite_line"]

# Our folder for caches, which is gone by now.
_SCRATCH: Final = re.compile(r"(?<![^\s=])[^\s=]*[/\\]claimjury-[a-z0-9_]{8}(?![a-z0-9_])")
_GAP: Final = 100
"""Characters that `bounded` may add, and the line ends."""


def reference_of(result: ChecksResult) -> Reference:
    """Give the checks as a reference whose origin is that we ran them.

    Raises:
        InvalidRequest: There are so many that they do not fit, or none.
    """
    return Reference(text=as_reference(result), origin="ran")


def as_reference(result: ChecksResult) -> str:
    """Give the checks as text; outputs share the room that a reference has, each with its beginning and its end.

    The machine's own folders are left out: they say who the user is.
    """
    heads = [_head(check) for check in result.checks]
    room = max(0, MAX_REFERENCE - sum(map(len, heads))) // max(1, len(heads)) - _GAP
    parts = [
        f"{head}{_output(check, result.directory, room)}"
        for head, check in zip(heads, result.checks, strict=True)
    ]
    return "\n".join(parts)


def _head(check: CheckOutcome) -> str:
    if not check.command:
        return f"{check.name} in {_place(check)}: {check.outcome}. {check.detail or ''}\n"
    ended = "was killed" if check.exit_status is None else f"exit status {check.exit_status}"
    rows = [
        f"$ {shown_command(check)}",
        f"in {_place(check)}, declared in {check.declared_in}: {check.outcome}, {ended}, {check.elapsed_ms:,} ms",
        f"files before {check.tree_before}, {'CHANGED BY THE RUN to' if check.changed_tree else 'and after'} {check.tree_after}",
        check.detail,
        None if check.tests is None else f"tests: {suite_line(check.tests)}",
        f"narrowed by the project's settings: {'; '.join(check.narrowed)}" if check.narrowed else None,
    ]
    return "".join(f"{row}\n" for row in rows if row)


def _place(check: CheckOutcome) -> str:
    return PurePath(check.project).name if PurePath(check.project).is_absolute() else check.project


def _output(check: CheckOutcome, directory: str, room: int) -> str:
    said = _SCRATCH.sub("SCRATCH", check.output.replace(directory, ".")).strip("\n")
    return f"output, {check.output_bytes:,} bytes in all:\n{bounded(said, max(0, room))}\n" if said else ""


def shown_command(check: CheckOutcome) -> str:
    """Give a command as a reader would write it: without the folders of this machine."""
    if not check.command:
        return ""
    program, *rest = check.command
    return " ".join([PurePath(program).name, *(_SCRATCH.sub("SCRATCH", argument) for argument in rest)])


def suite_line(suite: Suite) -> str:
    """Say what came of the tests, as pytest does; a count of zero is left out."""
    counted = (
        ("passed", suite.passed),
        ("failed", suite.failed),
        ("in error", suite.errors),
        ("skipped", suite.skipped),
        ("xfailed", suite.xfailed),
        ("xpassed", suite.xpassed),
        ("deselected", suite.deselected),
        ("not run", suite.not_run),
        ("rerun", suite.reruns),
        ("marked flaky", suite.marked_flaky),
    )
    told = ", ".join(f"{count:,} {word}" for word, count in counted if count)
    return f"{told or 'none'} of {suite.collected:,} collected"
