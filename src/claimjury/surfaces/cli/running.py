"""Running a jury from the command line: progress, Ctrl-C that keeps what has arrived, the report, the exit status."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import anyio

from claimjury.errors import InvalidRequest
from claimjury.jury.events import Earlier, Listeners
from claimjury.jury.gate import exit_status
from claimjury.jury.plan import Plan
from claimjury.jury.result import VerifyResult
from claimjury.jury.verify import VerifyOptions, plan_verify, run_plan
from claimjury.report.envelope import envelope
from claimjury.report.markdown import render_markdown
from claimjury.report.terminal import render_text
from claimjury.settings.load import Loaded, load_settings
from claimjury.surfaces.cli.display import Display
from claimjury.surfaces.cli.dry_run import show_plan
from claimjury.surfaces.cli.inputs import read_claim_items, read_reference, refuse_two_stdin
from claimjury.surfaces.cli.linting import show_lint
from claimjury.surfaces.cli.local import on_this_machine
from claimjury.surfaces.cli.outputs import check_writable, print_text, to_text, write_file
from claimjury.surfaces.cli.progress import progress_for
from claimjury.surfaces.cli.streams import emit, say
from claimjury.surfaces.keeping import NOT_KEPT, Keeper, keeping
from claimjury.tasks import work_beside
from claimjury.text import safe_json

__all__ = ["Inputs", "ask_the_jury", "judge", "judge_options", "show_result", "split_ids", "stop_on_signal"]

# SIGHUP: the terminal was closed; what was paid for may still go to a file.
_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


_FIXED_BY_RUN: Final = (
    "sources",
    "panel",
    "author",
    "alternates",
    "allow_same_family",
    "max_cost",
    "max_tokens",
    "min_refute_votes",
    "polarity",
    "roots",
    "allow_secrets",
    "redact",
    "strip_comments",
    "reask",
    "require_quotes",
    "settle",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What a command reads before it runs."""

    claims: str | None = None
    texts: Sequence[str] = ()
    reference: str | None = None
    diff: str | None = None
    base: str | None = None
    check: bool = False
    resume: str | None = None
    reuse: bool = False
    dry_run: bool = False
    lint: bool = False
    local: bool = False


def judge_options(given: Mapping[str, Any]) -> int:
    """Do what the options of `verify` say, by their names there.

    Raises:
        ClaimjuryError: As `judge`.
    """
    same_names = ("author", "min_refute_votes", "polarity", "deadline", "max_cost", "max_tokens", "ledger")
    flags = {
        **{name: given[name] for name in same_names},
        **{name: split_ids(given[name]) for name in ("panel", "alternates")},
        "sources": given["source"],
        "roots": given["root"],
        "allow_same_family": given["allow_same_family"] or None,
        "allow_secrets": given["allow_secrets"] or None,
        "redact": given["redact"] or None,
        "strip_comments": given["strip_comments"] or None,
        "settle": _settle(given),
        "reask": False if given["no_reask"] else None,
        "require_quotes": given["require_quotes"] or None,
        "save": False if given["no_save"] else None,
        "keep_content": False if given["no_content"] else None,
        "format": "json" if given["as_json"] else given["output_format"],
    }
    same = ("claims", "reference", "diff", "base", "check", "resume", "reuse", "dry_run", "lint", "local")
    inputs = Inputs(texts=given["claim"] or (), **{name: given[name] for name in same})
    return judge(
        inputs, Display(**{name: given[name] for name in ("output", "report", "quiet", "verbose")}), flags
    )


def _settle(given: Mapping[str, Any]) -> str | None:
    if given["settle_only"] and given["no_settle"]:
        raise InvalidRequest(
            "--settle-only and --no-settle ask for opposite things.", hint="Leave one of them out."
        )
    if given["settle_only"]:
        return "only"
    return "off" if given["no_settle"] else None


def display_of(given: Mapping[str, Any], loaded: Loaded) -> Display:
    """Give how to speak, by the options of a command and the settings.

    Raises:
        InvalidRequest: A file cannot be written.
    """
    names = ("output", "report", "quiet", "verbose")
    display = Display(**{name: given[name] for name in names}, output_format=loaded.settings.format)
    check_writable(display.output)
    check_writable(display.report)
    return display


def split_ids(given: str | None) -> list[str] | None:
    """Read `a,b` of a flag; None where it was not given."""
    return None if given is None else given.split(",")


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
    if inputs.local:
        loaded = on_this_machine(
            loaded,
            named=flags["panel"] is not None,
            alternates=flags["alternates"] is not None,
            dry_run=inputs.dry_run,
        )
    display = replace(display, output_format=loaded.settings.format)
    check_writable(display.output)
    check_writable(display.report)
    if inputs.lint:
        return show_lint(read_claim_items(inputs.claims, inputs.texts), display)
    with keeping(loaded.settings) as keeper:
        if inputs.resume is not None:
            run = _only_resume(inputs, flags)
            plan, earlier = keeper.resumed(run, loaded.access, deadline_s=flags["deadline"])
            return ask_the_jury(lambda: plan, display, keeper=keeper, earlier=earlier)
        make = _maker(inputs, loaded)
        if inputs.dry_run:
            return show_plan(make(), display)
        if inputs.reuse and (found := keeper.answered(plan := make())) is not None:
            say(f"claimjury: reused the answer of run {found.run_id}; nothing was sent.")
            return show_result(keeper.finish(plan, found), display, plan)
        return ask_the_jury(make, display, keeper=keeper)


def _only_resume(inputs: Inputs, flags: Mapping[str, Any]) -> str:
    """Give the run to go on with; what would change what was asked is refused, not ignored."""
    also = [
        name
        for name in ("claims", "texts", "reference", "diff", "base", "check", "reuse", "dry_run", "local")
        if getattr(inputs, name)
    ]
    also += [name for name in _FIXED_BY_RUN if flags[name] is not None]
    if also:
        raise InvalidRequest(
            f"--resume goes on with the claims, the evidence and the rules of its run; also given: {', '.join(also)}.",
            hint="Leave the others out, or ask anew.",
        )
    return inputs.resume or ""


def _maker(inputs: Inputs, loaded: Loaded) -> Callable[[], Plan]:
    """Read what the command names, and give what makes the plan."""
    refuse_two_stdin(inputs.claims, inputs.reference)
    items = read_claim_items(inputs.claims, inputs.texts)
    options = loaded.options()
    alone = loaded.settings.settle == "only"
    # Where no juror is asked it goes nowhere, so nothing in it is refused.
    reference = read_reference(inputs.reference, allow_secrets=alone or loaded.settings.allow_secrets)
    options["reference"] = None if alone else reference
    options["diff"], options["base"] = inputs.diff, inputs.base
    options["aside"] = [name for name in (inputs.claims, inputs.reference) if name and name != "-"]
    if inputs.check:
        options |= _checked(inputs, alone=alone)
    return lambda: plan_verify(items, **options)


def _checked(inputs: Inputs, *, alone: bool) -> VerifyOptions:
    """Run the declared checks: they settle claims about them, and are the reference of the others."""
    from claimjury.report.checks import a_line_each
    from claimjury.settlers.checks.reference import reference_of
    from claimjury.surfaces.cli.check import run_here

    if inputs.reference is not None:
        raise InvalidRequest(
            "--check makes the reference, and --reference names another.", hint="Leave one of them out."
        )
    result = run_here()
    for line in a_line_each(result):
        say(f"claimjury: {line}")
    if alone:
        if not result.checks:
            say(f"claimjury: --check found nothing to run. {result.detail or ''}".rstrip())
        return VerifyOptions(checks=result)
    if not result.checks:
        raise InvalidRequest(
            f"--check found nothing to run. {result.detail or ''}".rstrip(),
            hint="`claimjury check --help` says what counts as declared; leave --check out to go on without.",
        )
    return VerifyOptions(checks=result, reference=reference_of(result))


def ask_the_jury(
    make: Callable[[], Plan], display: Display, *, keeper: Keeper = NOT_KEPT, earlier: Earlier | None = None
) -> int:
    """Run a plan under a progress display, kept in the ledger; show the result and give the exit status.

    Raises:
        ClaimjuryError: As `verify_claims`.
    """
    stop = anyio.Event()
    plans: list[Plan] = []

    def remember() -> Plan:
        plans.append(make())
        return plans[0]

    with progress_for(quiet=display.quiet) as progress:
        listeners = Listeners(
            recorder=keeper.listen(progress), stop=stop, earlier=earlier, admit=keeper.admit
        )

        async def ask() -> VerifyResult:
            return await run_plan(remember, listeners)

        result = anyio.run(lambda: work_beside(ask, lambda: stop_on_signal(stop), wait=False))
    return show_result(keeper.finish(plans[0], result), display, plans[0])


def show_result(result: VerifyResult, display: Display, plan: Plan | None = None) -> int:
    """Print or write the reports and give the exit status; the plan has the evidence that an HTML report shows."""
    if display.report is not None:
        write_file(display.report, _as_html(result, plan))
    if display.output is not None:
        write_file(display.output, _as_text(result, display))
        return exit_status(result)
    if display.output_format == "text":
        print_text(render_text(result, verbose=display.verbose))
    else:
        emit(_as_text(result, display))
    return exit_status(result)


def _as_html(result: VerifyResult, plan: Plan | None) -> str:
    from claimjury.report.html import HtmlRun, render_html

    sources = {source.shown: source.text for source in plan.sources} if plan else {}
    reference = plan.request.reference.text if plan and plan.request.reference else None
    return render_html([HtmlRun(result=result, sources=sources, started_at=None, reference=reference)])


def _as_text(result: VerifyResult, display: Display) -> str:
    match display.output_format:
        case "json":
            return safe_json(envelope(result)) + "\n"
        case "markdown":
            return render_markdown(result)
        case "text":
            return to_text(render_text(result, verbose=display.verbose))


async def stop_on_signal(stop: anyio.Event) -> None:
    """Set `stop` at the first signal; a second one ends the program at once, as it always would."""
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(*_SIGNALS) as signals:
        async for _ in signals:
            say("claimjury: stopping; what has arrived is kept. Once more ends it at once.")
            stop.set()
            return
