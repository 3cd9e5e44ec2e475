"""Progress on standard error: a live line per juror in a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from claimjury.jury.events import (
    EgressAnnounced,
    Event,
    RunStarted,
    SeatAsked,
    SeatEnded,
    SeatQueued,
    SeatReasked,
    SeatRetried,
    SeatTakenOver,
)
from claimjury.jury.result import SeatResult
from claimjury.report.wording import explain_exclusion
from claimjury.surfaces.cli.streams import say
from claimjury.text import clean_line

__all__ = ["LiveProgress", "PlainProgress", "Progress", "QuietProgress", "progress_for"]


class QuietProgress:
    """Says what leaves the machine, and nothing else."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the display."""

    def record(self, event: Event, /) -> None:
        """Take one event."""
        if isinstance(event, EgressAnnounced):
            say(f"claimjury: sending {clean_line(event.line)}.")


class PlainProgress(QuietProgress):
    """One line an event."""

    def record(self, event: Event, /) -> None:
        """Take one event."""
        super().record(event)
        line = _line(event)
        if line is not None:
            say(f"claimjury: {line}")


class LiveProgress(QuietProgress):
    """One line a juror, kept up to date."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._rows: dict[str, tuple[float, Text | None]] = {}
        self._notes: dict[str, str] = {}
        self._live = Live(console=console, get_renderable=self._table, refresh_per_second=8, transient=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the display."""
        self._live.stop()

    def record(self, event: Event, /) -> None:
        """Take one event."""
        match event:
            case EgressAnnounced():
                self._console.print(Text(f"Sending {clean_line(event.line)}."))
            case RunStarted():
                self._rows = {model: (time.monotonic(), None) for model in event.panel}
            case SeatTakenOver():
                self._rows[event.model] = (time.monotonic(), None)
                self._notes[event.model] = _doing(event)
            case SeatEnded():
                began, _ = self._rows[event.seat.model]
                self._rows[event.seat.model] = (began, Text(_ended(event.seat)))
            case SeatAsked() | SeatQueued() | SeatRetried() | SeatReasked():
                self._notes[event.model] = _doing(event)
            case _:
                pass

    def _table(self) -> Table:
        table = Table.grid(padding=(0, 1))
        for model, (began, ended) in self._rows.items():
            if ended is None:
                waited = f"{self._notes.get(model, 'waiting')}, {time.monotonic() - began:.0f} s"
                table.add_row(Spinner("dots"), Text(model), Text(waited))
            else:
                table.add_row(Text("-"), Text(model), ended)
        return table


Progress = QuietProgress | PlainProgress | LiveProgress


def progress_for(*, quiet: bool) -> Progress:
    """Give the display that fits standard error."""
    if quiet:
        return QuietProgress()
    console = Console(file=sys.stderr)
    return LiveProgress(console) if console.is_terminal and not console.is_dumb_terminal else PlainProgress()


def _line(event: Event) -> str | None:
    match event:
        case SeatEnded():
            return f"{event.seat.model}: {_ended(event.seat)}"
        case SeatAsked() | SeatQueued() | SeatRetried() | SeatReasked() | SeatTakenOver():
            return f"{event.model}: {_doing(event)}"
        case _:
            return None


def _doing(event: SeatAsked | SeatQueued | SeatRetried | SeatReasked | SeatTakenOver) -> str:
    match event:
        case SeatAsked():
            return "asked"
        case SeatQueued():
            return "queued, the plan has no free slot"
        case SeatRetried():
            return f"trying again after {event.code}"
        case SeatReasked():
            return f"asked again for {', '.join(map(clean_line, event.ids))}"
        case SeatTakenOver():
            return f"stands in for {event.stands_in_for}"


def _ended(seat: SeatResult) -> str:
    if seat.included:
        return f"{seat.verdicts_returned} vote(s) in {seat.elapsed_ms / 1000:.1f} s"
    return f"excluded, {explain_exclusion(seat.exclude_reason or '')}"
