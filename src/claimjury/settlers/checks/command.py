"""A command of the user's, run by us, as a reference: what was run, how it ended, on which files, and what it said."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Final

from claimjury.errors import InvalidRequest
from claimjury.evidence.reference import MAX_REFERENCE, Reference
from claimjury.settlers.checks.running import Ran, bounded, run_program
from claimjury.settlers.checks.tree import tree_hash
from claimjury.text import clean_line

__all__ = ["run_command"]

_ROOM: Final = MAX_REFERENCE - 2_000


def run_command(
    command: Sequence[str], directory: Path, *, timeout_s: float, stop: Event | None = None
) -> Reference:
    """Run a command as it is given, without a shell and without keys in its environment, and give its outcome.

    Args:
        command: Its arguments.
        directory: Where it runs.
        timeout_s: After which it is killed.
        stop: Set it to end the command.

    Raises:
        InvalidRequest: There is none, it cannot be started, or it did not end in time.
    """
    if not command:
        raise InvalidRequest(
            "There is no command.", hint="Write it behind `--`: claimjury settle RUN -- pytest -q"
        )
    shown = clean_line(shlex.join(command))
    before = tree_hash(directory)
    ran = run_program(command, directory=directory, environ=os.environ, timeout_s=timeout_s, stop=stop)
    if ran.fault is not None:
        raise InvalidRequest(
            f"`{shown}` could not be started: {ran.fault}.", hint="Check the name and the working directory."
        )
    if ran.exit_status is None:
        raise InvalidRequest(
            f"`{shown}` did not end within {timeout_s:g} s, and all that it had started was killed.",
            hint="Give it more with --timeout, or a smaller command.",
        )
    return Reference(text=_told(shown, ran, before, tree_hash(directory), directory), origin="ran")


def _told(shown: str, ran: Ran, before: str, after: str, directory: Path) -> str:
    changed = "CHANGED BY THE RUN to" if before != after else "and after"
    said = bounded(ran.output.replace(str(directory.resolve()), "."), _ROOM).strip("\n")
    head = f"$ {shown}\nexit status {ran.exit_status}, {ran.elapsed_ms:,} ms\nfiles before {before}, {changed} {after}\n"
    return f"{head}output, {ran.output_bytes:,} bytes in all:\n{said}\n" if said else f"{head}no output\n"
