"""`claimjury check`: what the project declares as checks, run here and now. Nothing is sent."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from claimjury.surfaces.cli import options as opt

if TYPE_CHECKING:
    from claimjury.settlers.checks.outcome import ChecksResult

__all__ = ["check", "run_here", "stopped_by_signals"]

Paths = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATHS",
        show_default=False,
        help="Files or directories, relative to --cwd; each says only which project is meant. Default: --cwd itself.",
    ),
]
Only = Annotated[
    str | None,
    typer.Option(
        "--only",
        metavar="NAME,NAME,...",
        help="ruff, mypy, pyright, pytest, tsc, eslint, cargo-check, go-vet. Default: all that are declared.",
    ),
]
Cwd = Annotated[
    Path | None,
    typer.Option("--cwd", metavar="DIR", help="Where to look. Default: the working directory."),
]
AllowRoots = Annotated[
    list[Path] | None,
    typer.Option("--allow-root", metavar="DIR", help="Where else projects may lie. May be given again."),
]
Timeout = Annotated[
    float,
    typer.Option("--timeout", metavar="SECONDS", help="For each check; then all that it started is killed."),
]
Format = Annotated[Literal["text", "json"], typer.Option("--format", help="What to print.")]


def check(
    paths: Paths = None,
    only: Only = None,
    cwd: Cwd = None,
    allow_root: AllowRoots = None,
    timeout: Timeout = 300.0,
    output_format: Format = "text",
    as_json: opt.Json = False,
    output: opt.OutputFile = None,
) -> int:
    """Run the checks that a project declares: lint, types, compilation, tests. This runs the project's own code.

    Exit status: 0 all ran and passed; 10 one failed; 20 one timed out, is missing or broke down, or none is declared; 2 usage; 130 interrupted, and what had ended is shown.
    """
    from claimjury.surfaces.cli.outputs import check_writable

    check_writable(output)
    show = partial(_show, output=output, in_json=as_json or output_format == "json")
    result = run_here(
        cwd, paths=paths, only=_names(only), allow_roots=allow_root, timeout_s=timeout, interrupted=show
    )
    show(result)
    return result.exit_status


def _show(result: ChecksResult, output: Path | None, *, in_json: bool) -> None:
    from claimjury.report.checks import checks_as_text
    from claimjury.surfaces.cli.outputs import write_file
    from claimjury.surfaces.cli.streams import emit
    from claimjury.text import safe_json

    text = safe_json(result.to_json()) + "\n" if in_json else checks_as_text(result)
    if output is None:
        emit(text)
    else:
        write_file(output, text)


def _tell_ended(result: ChecksResult) -> None:
    from claimjury.report.checks import checks_as_text
    from claimjury.surfaces.cli.streams import say

    say(f"claimjury: interrupted.\n{checks_as_text(result)}".rstrip())


def run_here(
    cwd: Path | None = None,
    *,
    paths: Sequence[Path] | None = None,
    only: Sequence[str] = (),
    allow_roots: Sequence[Path] | None = None,
    timeout_s: float = 300.0,
    interrupted: Callable[[ChecksResult], None] = _tell_ended,
) -> ChecksResult:
    """Run declared checks within what the user's settings allow, and say which one runs.

    Args:
        cwd: As `run_checks`, where all but the last stand.
        paths: Likewise.
        only: Likewise.
        allow_roots: Likewise.
        timeout_s: Likewise.
        interrupted: Shows what had ended where a signal ends the run.

    Raises:
        RequestError: As `run_checks`.
        KeyboardInterrupt: At the end, where there was a signal.
    """
    from claimjury.settlers.checks.run import run_checks

    with stopped_by_signals() as stop:
        result = run_checks(
            cwd or Path(),
            paths=paths or (),
            only=only,
            allow_roots=allow_roots or (),
            caps=_caps(),
            timeout_s=timeout_s,
            told=_tell,
            stop=stop,
        )
        if stop.is_set():
            interrupted(result)
    return result


@contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
    """Turn the signals that end this process into an event, so that what it started ends with it; then interrupt.

    An exception that a handler raises can strike while `subprocess` holds its lock, which is then never given back.

    Raises:
        KeyboardInterrupt: At the end, where there was a signal.
    """
    stop = threading.Event()
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        names = []
    before = {name: signal.signal(getattr(signal, name), lambda *_: stop.set()) for name in names}
    try:
        yield stop
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
        if stop.is_set():
            raise KeyboardInterrupt


def _names(only: str | None) -> list[str]:
    """Give the names of --only.

    Raises:
        InvalidRequest: It names none.
    """
    from claimjury.errors import InvalidRequest

    if only is None:
        return []
    names = [name.strip() for name in only.split(",") if name.strip()]
    if not names:
        raise InvalidRequest("--only names no check.", hint="Leave it out for all that are declared.")
    return names


def _caps() -> tuple[Path, ...]:
    """Give what the user's own settings allow at most."""
    import os

    from claimjury.settings.load import load_settings

    return load_settings(os.environ).settings.check_roots


def _tell(ended: int, of: int, name: str, project: str) -> None:
    from claimjury.surfaces.cli.streams import say

    say(f"claimjury: {name} in {project} ({ended + 1} of {of}) ...")
