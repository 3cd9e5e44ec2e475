"""Running skeptics from the command line: what leaves is said, Ctrl-C keeps what has arrived, the block is printed."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio

from claimjury.errors import InvalidRequest
from claimjury.report.refute_markdown import refute_envelope, render_refute_markdown
from claimjury.report.wording import explain_warning
from claimjury.settings.load import Loaded, load_settings
from claimjury.skeptics.angles import angle_of
from claimjury.skeptics.plan import RefuteOptions, RefutePlan, plan_refute
from claimjury.skeptics.refute import RefuteListeners, run_refute
from claimjury.skeptics.result import RefuteResult, SkepticResult
from claimjury.skeptics.tools.replies import plural
from claimjury.surfaces.cli.inputs import read_reference
from claimjury.surfaces.cli.outputs import check_writable, write_file
from claimjury.surfaces.cli.running import split_ids, stop_on_signal
from claimjury.surfaces.cli.streams import emit, say
from claimjury.surfaces.cli.transcript import last_message
from claimjury.surfaces.keeping import keeping
from claimjury.surfaces.keeping_skeptics import SkepticKeeper, keep_skeptics
from claimjury.tasks import work_beside
from claimjury.text import clean_line, clip, safe_json, show_harmful

__all__ = ["refute_options", "show_refute"]

_MAX_SHOWN = 200


def refute_options(given: Mapping[str, Any]) -> int:
    """Do what the options of `refute` say, by their names there.

    Raises:
        ClaimjuryError: Something cannot be used, or there is no key.
    """
    loaded = load_settings(os.environ).with_flags(
        {
            **{name: given[name] for name in ("author", "deadline", "max_cost", "max_tokens", "ledger")},
            "save": False if given["no_save"] else None,
            "keep_content": False if given["no_content"] else None,
            "sources": given["source"],
            "roots": given["root"],
            "allow_secrets": given["allow_secrets"] or None,
            "redact": given["redact"] or None,
            "strip_comments": given["strip_comments"] or None,
            "format": "json" if given["as_json"] else given["output_format"],
        }
    )
    check_writable(given["output"])
    options = _options(loaded, given)
    claim = _claim(given)
    if given["dry_run"]:
        return _show_plan(plan_refute(claim, **options), given["output"], loaded.settings.format)
    with keeping(loaded.settings) as keeper:
        plan = plan_refute(claim, **options)
        kept = keep_skeptics(keeper, loaded.settings)
        result = kept.finish(_ask(plan, kept, quiet=given["quiet"]))
    show_refute(result, given["output"], loaded.settings.format)
    return result.exit_status


def _claim(given: Mapping[str, Any]) -> str:
    claim, transcript = given["claim"], given["transcript"]
    if claim is not None and transcript is not None:
        raise InvalidRequest(
            "The claim and a transcript are both given.",
            hint="Give one; the claim of a transcript is its last message.",
        )
    if transcript is not None:
        return last_message(transcript)
    if claim != "-":
        return claim or ""
    if given["reference"] == "-":
        raise InvalidRequest(
            "Standard input is read once: the claim and --reference both name it.",
            hint="Write one of them to a file.",
        )
    return "" if sys.stdin is None else sys.stdin.buffer.read().decode("utf-8", errors="replace")


def _options(loaded: Loaded, given: Mapping[str, Any]) -> RefuteOptions:
    chosen = loaded.settings
    return RefuteOptions(
        n=given["n"],
        model=given["model"],
        across=split_ids(given["across"]) or (),
        panel=chosen.panel,
        repo=given["repo"],
        source_paths=chosen.sources,
        diff=given["diff"],
        reference=read_reference(given["reference"], allow_secrets=chosen.allow_secrets),
        author=chosen.author,
        deadline_s=chosen.deadline,
        max_cost_usd=chosen.max_cost,
        max_tokens=chosen.max_tokens,
        roots=chosen.roots or None,
        allow_secrets=chosen.allow_secrets,
        redact=chosen.redact,
        strip_comments=chosen.strip_comments,
        anyway=given["anyway"],
        access=loaded.access,
    )


def _ask(plan: RefutePlan, kept: SkepticKeeper, *, quiet: bool) -> RefuteResult:
    stop = anyio.Event()
    listeners = RefuteListeners(
        announce=lambda line: say(f"claimjury: sending {clean_line(line)}."),
        on_skeptic=None if quiet else _tell,
        stop=stop,
        admit=kept.keeper.admit,
        recorder=kept,
    )

    async def ask() -> RefuteResult:
        return await run_refute(plan, listeners)

    return anyio.run(lambda: work_beside(ask, lambda: stop_on_signal(stop), wait=False))


def _tell(one: SkepticResult) -> None:
    word = "refutes" if one.refuted else "does not break it"
    how = "" if one.grounds == "evidence" else f" ({one.grounds})"
    say(
        f"claimjury: {one.place}. {one.angle} {word}{how} after {plural(one.rounds, 'round')} of tool calls, "
        f"{one.elapsed_ms / 1000:.1f} s: {clip(clean_line(one.reason), _MAX_SHOWN)}"
    )


def show_refute(result: RefuteResult, output: Path | None, output_format: str) -> None:
    """Print a result, or write it."""
    match output_format:
        case "json":
            text = safe_json(refute_envelope(result)) + "\n"
        case "markdown":
            text = render_refute_markdown(result)
        case _:
            text = result.text
    for warning in result.warnings:
        say(f"claimjury: {clean_line(explain_warning(warning))}")
    if output is not None:
        write_file(output, text)
    else:
        emit(text)


def _show_plan(plan: RefutePlan, output: Path | None, output_format: str) -> int:
    """Print what each skeptic would be told first. What it would read is its own choice."""
    openings = [
        {
            "place": place,
            "angle": angle_of(place).name,
            "for": plan.route(place).model,
            "host": plan.route(place).host.host,
            "system": plan.opening(place).system,
            "user": plan.opening(place).user,
        }
        for place in range(1, plan.n + 1)
    ]
    if output_format == "json":
        text = safe_json({"dry_run": True, "sends": list(plan.lines), "openings": openings}) + "\n"
    else:
        text = "\n".join(
            [
                "Dry run: nothing was sent. What a skeptic reads with its tools is sent too, and is its own choice.",
                "",
                *(f"Would send {line}." for line in plan.lines),
                *(
                    f"\n--- {row['place']}. {row['angle']}, to {row['for']} ---\n{row['system']}\n{row['user']}"
                    for row in openings
                ),
            ]
        )
    if output is not None:
        write_file(output, text)
    elif output_format != "json" and sys.stdout is not None and sys.stdout.isatty():
        # Evidence may hold what would act on a terminal.
        emit(show_harmful(text))
    else:
        emit(text)
    return 0
