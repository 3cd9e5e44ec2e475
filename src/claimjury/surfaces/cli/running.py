"""Running a jury from the command line: progress, Ctrl-C that keeps what has arrived, the report, the exit status."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import anyio

from claimjury.jury.gate import exit_status
from claimjury.jury.result import VerifyResult
from claimjury.jury.verify import Claims, VerifyOptions, plan_verify, verify_claims
from claimjury.report.envelope import envelope
from claimjury.report.markdown import render_markdown
from claimjury.report.terminal import render_text
from claimjury.settings.load import Loaded, load_settings
from claimjury.surfaces.cli.display import Display
from claimjury.surfaces.cli.dry_run import show_plan
from claimjury.surfaces.cli.inputs import read_claim_items, read_reference, refuse_two_stdin
from claimjury.surfaces.cli.outputs import check_writable, print_text, to_text, write_file
from claimjury.surfaces.cli.progress import progress_for
from claimjury.surfaces.cli.streams import emit, say
from claimjury.tasks import work_beside
from claimjury.text import safe_json

__all__ = ["Inputs", "ask_the_jury", "judge", "options_of", "show_result"]

# SIGHUP: the terminal was closed; what was paid for may still go to a file.
_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What a command reads before it runs."""

    claims: str | None = None
    texts: Sequence[str] = ()
    reference: str | None = None
    diff: str | None = None
    dry_run: bool = False


def judge(inputs: Inputs, display: Display, flags: Mapping[str, Any]) -> int:
    """Read settings and inputs, run the jury or show what it would be sent, and give the exit status.

    Args:
        inputs: What is read.
        display: How to speak; its format is that of settings and flags.
        flags: Settings that the command line names; None where it does not.

    Raises:
        ClaimjuryError: Something cannot be used, or there is no key.
    """
    loaded = load_settings(os.environ).with_flags(flags)
    display = replace(display, output_format=loaded.settings.format)
    refuse_two_stdin(inputs.claims, inputs.reference)
    check_writable(display.output)
    items = read_claim_items(inputs.claims, inputs.texts)
    options = options_of(loaded)
    options["reference"] = read_reference(inputs.reference, allow_secrets=loaded.settings.allow_secrets)
    options["diff"] = inputs.diff
    if inputs.dry_run:
        return show_plan(plan_verify(items, **options), display)
    return show_result(ask_the_jury(items, options, display), display)


def options_of(loaded: Loaded) -> VerifyOptions:
    """Give the options of a run that settings and flags say."""
    chosen = loaded.settings
    return VerifyOptions(
        source_paths=chosen.sources,
        panel=chosen.panel,
        min_refute_votes=chosen.min_refute_votes,
        polarity=chosen.polarity,
        roots=chosen.roots or None,
        allow_secrets=chosen.allow_secrets,
        deadline_s=chosen.deadline,
        reask=chosen.reask,
        cloud=loaded.cloud,
        warnings=[f"rules_from_project:{', '.join(named)}"] if (named := loaded.rules_from_project) else [],
    )


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
    if display.output is not None:
        write_file(display.output, _as_text(result, display))
        return exit_status(result)
    if display.output_format == "text":
        print_text(render_text(result, verbose=display.verbose))
    else:
        emit(_as_text(result, display))
    return exit_status(result)


def _as_text(result: VerifyResult, display: Display) -> str:
    match display.output_format:
        case "json":
            return safe_json(envelope(result)) + "\n"
        case "markdown":
            return render_markdown(result)
        case "text":
            return to_text(render_text(result, verbose=display.verbose))


async def _stop_on_signal(stop: anyio.Event) -> None:
    """Set `stop` at the first signal; a second one ends the program at once, as it always would."""
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(*_SIGNALS) as signals:
        async for _ in signals:
            say("claimjury: stopping; what has arrived is kept. Once more ends it at once.")
            stop.set()
            return
