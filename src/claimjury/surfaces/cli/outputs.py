"""Where a report goes: standard output or a file, checked before the run, so that no paid answer is lost."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType

from claimjury.errors import InvalidRequest
from claimjury.surfaces.cli.streams import emit, say
from claimjury.text import safe_json

__all__ = ["check_writable", "print_json", "print_text", "to_text", "write_file"]

_FILE_WIDTH = 100
_NEW_MODE = 0o666


def print_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object that cannot act on a terminal."""
    emit(safe_json(value) + "\n")


def print_text(report: RenderableType) -> None:
    """Print a report, in colour where the terminal has it; to a pipe in 100 columns, without."""
    terminal = Console()
    if not terminal.is_terminal:
        emit(to_text(report))
        return
    with terminal.capture() as capture:
        terminal.print(report)
    emit(capture.get())


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
    special = path.exists() and not path.is_file() and not path.is_dir()
    target = path if special else path.resolve().parent
    if path.is_dir() or not target.exists() or not os.access(target, os.W_OK):
        raise InvalidRequest(
            f"The output file {path} cannot be written.",
            hint="Name a file in a folder that exists and is writable.",
        )


def write_file(path: Path, text: str) -> None:
    """Write the whole report or nothing; where that fails, print it instead and say so.

    A link is followed. A device or a FIFO is written, never replaced.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
        else:
            _replace(path.resolve(), text)
    except OSError as error:
        say(
            f"claimjury: {path} could not be written ({error.strerror}); the report is on standard output instead."
        )
        emit(text)
        return
    say(f"claimjury: the report is in {path}.")


def _replace(path: Path, text: str) -> None:
    """Put a new file in the place of `path` in one step, with the mode of the old one, or the usual one."""
    mode = path.stat().st_mode & 0o7777 if path.exists() else _NEW_MODE & ~_umask()
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as file:
        made = Path(file.name)
        try:
            file.write(text)
            file.flush()
            made.chmod(mode)
            made.replace(path)
        except OSError:
            with suppress(OSError):
                made.unlink()
            raise


def _umask() -> int:
    """Give the process's mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
