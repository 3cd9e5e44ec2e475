"""Progress: a live line per juror in a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from claimjury.errors import InvalidRequest
from claimjury.jury.events import (
    EgressAnnounced,
    Event,
    RunStarted,
    SeatAsked,
    SeatEnded,
    SeatQueued,
    SeatReasked,
    SeatRetried,
)
from claimjury.jury.result import SeatResult
from claimjury.surfaces.cli.progress import LiveProgress, PlainProgress, QuietProgress, progress_for
from claimjury.testing import Reply
from jury.helpers import CONFIRM, FIRST, TRIO, ask, trio

EVIL = "\x1b[31m[red]\u202e"


def seat(**fields: Any) -> SeatResult:
    values: dict[str, Any] = {
        "model": FIRST,
        "family": "deepseek",
        "included": True,
        "verdicts_returned": 2,
        "elapsed_ms": 1_500,
        "attempts": 1,
        "backend": "cloud",
        "host": "https://ollama.com",
    }
    return SeatResult(**{**values, **fields})


def live() -> LiveProgress:
    console = Console(file=io.StringIO(), force_terminal=True, width=100, color_system=None)
    return LiveProgress(console)


def shown(progress: LiveProgress) -> list[str]:
    console = Console(file=io.StringIO(), width=100)
    with console.capture() as capture:
        console.print(progress._table())
    return [" ".join(line.split()) for line in capture.get().strip().split("\n")]


def test_the_live_display_keeps_one_line_a_juror_and_says_what_it_is_doing() -> None:
    progress = live()
    with progress:
        progress.record(EgressAnnounced(host="https://ollama.com", line="1 claim"))
        progress.record(RunStarted(run_id="r", panel=TRIO, claims=1))
        assert [line.split()[1] for line in shown(progress)] == list(TRIO)
        doings: list[tuple[Event, str]] = [
            (SeatAsked(model=FIRST), "asked"),
            (SeatQueued(model=FIRST), "queued, the plan has no free slot"),
            (SeatRetried(model=FIRST, code="SERVER_ERROR"), "trying again after SERVER_ERROR"),
            (SeatReasked(model=FIRST, ids=("c2",)), "asked again for c2"),
        ]
        for event, doing in doings:
            progress.record(event)
            assert doing in shown(progress)[0]
            assert "waiting" in shown(progress)[1]
        progress.record(SeatEnded(seat=seat()))
        assert shown(progress)[0] == f"- {FIRST} 2 vote(s) in 1.5 s"
        assert len(shown(progress)) == 3


def test_the_live_display_shows_why_a_seat_is_excluded() -> None:
    progress = live()
    progress.record(RunStarted(run_id="r", panel=(FIRST,), claims=1))
    progress.record(SeatEnded(seat=seat(included=False, exclude_reason="call_failed:TIMEOUT")))
    assert shown(progress) == [f"- {FIRST} excluded, the call failed (TIMEOUT)"]


def test_hostile_text_reaches_no_display_as_anything_but_text(capsys: pytest.CaptureFixture[str]) -> None:
    progress = live()
    progress.record(RunStarted(run_id="r", panel=(FIRST,), claims=1))
    progress.record(SeatReasked(model=FIRST, ids=(EVIL,)))
    PlainProgress().record(SeatReasked(model=FIRST, ids=(EVIL,)))
    PlainProgress().record(EgressAnnounced(host="x", line=EVIL))
    for text in (shown(progress)[0], capsys.readouterr().err):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "[red]" in text


def test_a_quiet_display_says_only_what_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    with QuietProgress() as progress:
        progress.record(RunStarted(run_id="r", panel=TRIO, claims=1))
        progress.record(SeatAsked(model=FIRST))
        progress.record(SeatEnded(seat=seat()))
        progress.record(EgressAnnounced(host="https://ollama.com", line="1 claim"))
    assert capsys.readouterr().err == "claimjury: sending 1 claim.\n"


def test_the_display_fits_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert isinstance(progress_for(quiet=False), LiveProgress)
    monkeypatch.setenv("TERM", "dumb")
    assert type(progress_for(quiet=False)) is PlainProgress
    assert type(progress_for(quiet=True)) is QuietProgress


async def test_a_live_display_follows_a_whole_run() -> None:
    progress = live()
    with progress:
        result = await ask(trio([Reply("?"), CONFIRM]), recorder=progress)
        assert shown(progress)[0].startswith(f"- {FIRST}")
    assert result.warnings == ()


def test_an_error_reads_as_message_and_hint() -> None:
    assert str(InvalidRequest("This is wrong.", hint="Do that.")) == "This is wrong. Do that."
