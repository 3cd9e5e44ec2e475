"""Running a jury from the command line: progress, Ctrl-C that keeps what has arrived, the report, the exit status."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import anyio

from claimjury.jury.gate import exit_status
from claimjury.jury.result import VerifyResult
from claimjury.jury.verify import Claims, VerifyOptions, verify_claims
from claimjury.report.envelope import envelope
from claimjury.report.terminal import render_text
from claimjury.surfaces.cli.outputs import print_json, print_text, reader_may_leave, say, to_text, write_file
from claimjury.surfaces.cli.progress import progress_for
from claimjury.tasks import work_beside
from claimjury.text import safe_json

__all__ = ["Display", "ask_the_jury", "show_result"]

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """How a command speaks."""

    as_json: bool = False
    output: Path | None = None
    quiet: bool = False
    verbose: bool = False


def ask_the_jury(claims: Claims, options: VerifyOptions, display: Display) -> VerifyResult:
    """Run `verify_claims` under a progress display.

    Raises:
        ClaimjuryError: As `verify_claims`.
    """
    stop = anyio.Event()
    with progress_for(quiet=display.quiet) as progress:

        async def ask() -> VerifyResult:
            return await verify_claims(claims, **options, recorder=progress, stop=stop)

        return anyio.run(lambda: work_beside(ask, lambda: _stop_on_signal(stop), wait=False))


def show_result(result: VerifyResult, display: Display) -> int:
    """Print or write the report and give the exit status."""
    report = render_text(result, verbose=display.verbose)
    if display.output is not None:
        write_file(display.output, safe_json(envelope(result)) + "\n" if display.as_json else to_text(report))
        return exit_status(result)
    with reader_may_leave():
        if display.as_json:
            print_json(envelope(result))
        else:
            print_text(report)
    return exit_status(result)


async def _stop_on_signal(stop: anyio.Event) -> None:
    """Set `stop` at the first signal; a second one ends the program at once, as it always would."""
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(*_SIGNALS) as signals:
        async for _ in signals:
            say("claimjury: stopping; what has arrived is kept. Once more ends it at once.")
            stop.set()
            return
