"""Where a report goes: standard output or a file, checked before the run, so that no paid answer is lost."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console, RenderableType

from claimjury.errors import InvalidRequest
from claimjury.text import safe_json

__all__ = ["check_writable", "print_json", "print_text", "reader_may_leave", "say", "to_text", "write_file"]

_FILE_WIDTH = 100


def say(line: str) -> None:
    """Print one line of narration to standard error."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - this is where the command line speaks.


def print_json(value: Mapping[str, Any], file: TextIO | None = None) -> None:
    """Print one JSON object that cannot act on a terminal."""
    stream = file or sys.stdout
    stream.write(safe_json(value) + "\n")
    stream.flush()


def print_text(report: RenderableType) -> None:
    """Print a report, in colour where the terminal has it; to a pipe in 100 columns, without."""
    terminal = Console()
    if terminal.is_terminal:
        terminal.print(report)
    else:
        sys.stdout.write(to_text(report))


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Take a closed pipe (`| head`) for what it is: the reader had enough. The verdict's exit status stands."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes standard output at exit, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def to_text(report: RenderableType) -> str:
    """Give a report as plain text in 100 columns."""
    console = Console(width=_FILE_WIDTH, no_color=True, force_terminal=False)
    with console.capture() as capture:
        console.print(report)
    return "\n".join(line.rstrip() for line in capture.get().split("\n"))


def check_writable(path: Path | None) -> None:
    """Refuse an output file that could not be written, before anything is paid for.

    Raises:
        InvalidRequest: Its folder is missing or not writable, or it is a folder itself.
    """
    if path is None:
        return
    folder = path.parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InvalidRequest(
            f"The output file {path} cannot be written.",
            hint="Name a file in a folder that exists and is writable.",
        )


def write_file(path: Path, text: str) -> bool:
    """Write the whole report or nothing; where that fails, print it instead and say so."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            file.write(text)
        Path(file.name).replace(path)
    except OSError as error:
        say(
            f"claimjury: {path} could not be written ({error.strerror}); the report is on standard output instead."
        )
        sys.stdout.write(text)
        return False
    say(f"claimjury: the report is in {path}.")
    return True
