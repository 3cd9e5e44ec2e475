"""`claimjury settle RUN -- COMMAND`: run what would decide a claim, and ask anew what a run left undecided."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from claimjury.surfaces.cli import options as opt

__all__ = ["settle"]

_ALL_STAND, _REFUTED, _UNDECIDED = 0, 10, 20
RunId = Annotated[str, typer.Argument(metavar="RUN", help="The run, or the beginning of its id; `last`.")]
Command = Annotated[
    list[str],
    typer.Argument(metavar="COMMAND...", help="What to run, behind `--`, without a shell."),
]
Timeout = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", help="For the command; then all of it is killed.")
]
_OPTIONS: Final[tuple[tuple[str, object, object], ...]] = (
    ("output_format", opt.Format, None),
    ("as_json", opt.Json, False),
    ("output", opt.OutputFile, None),
    ("report", opt.ReportFile, None),
    ("ledger", opt.LedgerFile, None),
    ("dry_run", opt.DryRun, False),
    ("quiet", opt.Quiet, False),
    ("verbose", opt.Verbose, False),
)


@opt.with_options(
    ("run", RunId, opt.REQUIRED), ("command", Command, opt.REQUIRED), ("timeout", Timeout, 300.0), *_OPTIONS
)
def settle(**given: Any) -> int:
    """Run a command that would decide what a run left undecided, and settle those claims or ask again.

    This runs the command as you, without keys in its environment. The old run stays as it is, and each claim names it.
    What it had decided is told, and one claim that it refuted gives exit status 10.
    """
    from claimjury.ledger.following import decided, plan_after, undecided
    from claimjury.settings.load import load_settings
    from claimjury.surfaces.cli.running import ask_the_jury, display_of
    from claimjury.surfaces.keeping import keeping

    flags = {"ledger": given["ledger"], "format": "json" if given["as_json"] else given["output_format"]}
    loaded = load_settings(os.environ).with_flags(flags)
    display = display_of(given, loaded)
    with keeping(loaded.settings) as keeper:
        stored = keeper.stored(given["run"])
        # Nothing is run for a run that has nothing to decide.
        undecided(stored)
        reference, checks = _outcome(given["command"], given["timeout"])
        plan = plan_after(stored, loaded.access, reference, checks)
        if given["dry_run"]:
            from claimjury.surfaces.cli.dry_run import show_plan

            return show_plan(plan, display)
        return _with_decided(
            ask_the_jury(lambda: plan, display, keeper=keeper), given["run"], decided(stored)
        )


def _with_decided(status: int, run: str, before: Mapping[str, str]) -> int:
    """Say what the run had decided before, and let one that is refuted there count in the exit status."""
    from claimjury.surfaces.cli.streams import say
    from claimjury.text import clean_line

    refuted = "REFUTED" in before.values() and status in (_ALL_STAND, _UNDECIDED)
    if before:
        told = ", ".join(f"{clean_line(claim)} {verdict}" for claim, verdict in before.items())
        counts = f" For what it refuted, the exit status is {_REFUTED}." if refuted else ""
        say(f"claimjury: run {clean_line(run)} had decided before, and this stands: {told}.{counts}")
    return _REFUTED if refuted else status


def _outcome(command: list[str], timeout_s: float) -> tuple[Any, Any]:
    """Run the command: as the check that it is, where it is one as a project declares it, else as it stands."""
    from claimjury.settlers.checks.command import run_command
    from claimjury.settlers.checks.outcome import CHECKS
    from claimjury.settlers.checks.reference import reference_of
    from claimjury.surfaces.cli.check import run_here, stopped_by_signals

    if len(command) == 1 and command[0] in CHECKS:
        result = run_here(only=command, timeout_s=timeout_s)
        return reference_of(result), result
    with stopped_by_signals() as stop:
        return run_command(command, Path(), timeout_s=timeout_s, stop=stop), None
