"""`claimjury runs`: the runs that were kept."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimjury.surfaces.cli import options as opt
from claimjury.surfaces.cli.kept_runs import any_runs, opened_ledger, stored_runs
from claimjury.surfaces.cli.runs_replay import export_run, retally_run

if TYPE_CHECKING:
    from claimjury.ledger.comparing import Comparison
    from claimjury.ledger.reading import RunLine, StoredRun

__all__ = ["runs"]

runs = typer.Typer(name="runs", help="The runs that were kept: list, show, search, compare, forget.")
RunId = Annotated[str, typer.Argument(metavar="ID", help="A run's id, the beginning of one, or `last`.")]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, help="At most so many.")]


runs.command("export")(export_run)
runs.command("retally")(retally_run)


@runs.callback(invoke_without_command=True)
def _default(context: typer.Context) -> int:
    """List the last runs, or do what the command says."""
    return 0 if context.invoked_subcommand else list_()


@runs.command("list")
def list_(ledger: opt.LedgerFile = None, limit: Limit = 20, as_json: opt.Json = False) -> int:
    """List the last runs, the newest first."""
    from claimjury.ledger.reading import list_runs

    with opened_ledger(ledger) as opened:
        return _show_lines(list_runs(opened, limit=limit), as_json=as_json)


@runs.command()
def search(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="Words that stand in a claim, a rationale or a reason.")
    ],
    ledger: opt.LedgerFile = None,
    limit: Limit = 20,
    as_json: opt.Json = False,
) -> int:
    """List the runs in whose claims, rationales or skeptics' reasons all these words stand."""
    from claimjury.ledger.reading import search_runs

    with opened_ledger(ledger) as opened:
        return _show_lines(search_runs(opened, text, limit=limit), as_json=as_json)


@runs.command()
def show(
    run: RunId,
    ledger: opt.LedgerFile = None,
    output_format: opt.Format = None,
    as_json: opt.Json = False,
    output: opt.OutputFile = None,
) -> int:
    """Show a run as `verify` or `refute` showed it. Exit status: 0, whatever its verdicts; 2 where there is no such run."""
    from claimjury.ledger.reading import StoredRun
    from claimjury.surfaces.cli.display import Display
    from claimjury.surfaces.cli.outputs import check_writable
    from claimjury.surfaces.cli.refutations import show_refutation
    from claimjury.surfaces.cli.running import show_result

    check_writable(output)
    [stored] = any_runs(ledger, run)
    if not isinstance(stored, StoredRun):
        return show_refutation(stored, output, "json" if as_json else output_format or "text")
    if stored.result is None:
        return _show_unfinished(stored, as_json=as_json)
    show_result(
        stored.result, Display(output_format="json" if as_json else output_format or "text", output=output)
    )
    return 0


@runs.command()
def diff(before: RunId, after: RunId, ledger: opt.LedgerFile = None, as_json: opt.Json = False) -> int:
    """Compare two runs. Exit status: 0 no verdict differs; 10 one does; 2 where there is no such run."""
    from claimjury.ledger.comparing import compare_runs
    from claimjury.surfaces.cli.outputs import print_json

    first, second = stored_runs(ledger, before, after)
    comparison = compare_runs(first, second)
    if as_json:
        print_json(asdict(comparison))
    else:
        _print_comparison(comparison)
    return 10 if any(claim.changed for claim in comparison.claims) else 0


@runs.command()
def forget(run: RunId, ledger: opt.LedgerFile = None) -> int:
    """Delete a run for good. A tombstone with its hashes stays, so that the gap is seen."""
    from claimjury.ledger.forgetting import forget_run
    from claimjury.ledger.reading import find_run
    from claimjury.surfaces.cli.streams import say

    with opened_ledger(ledger) as opened:
        run_id = find_run(opened, run)
        overwritten = forget_run(opened, run_id)
    say(f"claimjury: forgot {run_id}; its hashes stay on a tombstone.")
    _say_whether_overwritten(overwritten)
    return 0


@runs.command()
def prune(
    older_than: Annotated[
        float,
        typer.Option("--older-than", metavar="DAYS", min=0, help="Forget what started before so many days."),
    ],
    ledger: opt.LedgerFile = None,
) -> int:
    """Delete old runs for good. Each leaves a tombstone with its hashes."""
    from claimjury.ledger.forgetting import prune_runs
    from claimjury.surfaces.cli.streams import emit, say

    with opened_ledger(ledger) as opened:
        gone, overwritten = prune_runs(opened, older_than_days=older_than)
    emit("".join(f"{run_id}\n" for run_id in gone))
    say(f"claimjury: forgot {len(gone)} run(s).")
    _say_whether_overwritten(overwritten)
    return 0


def _say_whether_overwritten(overwritten: bool) -> None:
    from claimjury.surfaces.cli.streams import say

    if not overwritten:
        say("claimjury: another program reads the ledger, so the deleted bytes are not overwritten yet.")
        say("  The next `runs forget` or `runs prune` after it has closed overwrites them.")


def _show_lines(lines: list[RunLine], *, as_json: bool) -> int:
    from rich.table import Table
    from rich.text import Text

    from claimjury.surfaces.cli.outputs import print_json, print_text

    if as_json:
        rows = [{name: value for name, value in asdict(line).items() if value is not None} for line in lines]
        print_json({"runs": rows})
        return 0
    if not lines:
        print_text(Text("No runs."))
        return 0
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for title in ("run", "engine", "status", "exit", "what it came to"):
        table.add_column(title)
    for line in lines:
        summary = f"{'SCRIPTED: ' if line.scripted else ''}{line.summary or f'{line.claims} claim(s)'}"
        exit_status = "" if line.exit_status is None else str(line.exit_status)
        table.add_row(*map(Text, (line.run_id, line.kind, line.status, exit_status, summary)))
    print_text(table)
    return 0


def _show_unfinished(stored: StoredRun, *, as_json: bool) -> int:
    from rich.text import Text

    from claimjury.surfaces.cli.outputs import print_json, print_text

    run_id, panel = stored.row["run_id"], stored.request["panel"]
    if stored.ended is not None:
        kept = {name: stored.ended[name] for name in ("status", "exit_status", "summary")}
        text = f"{run_id}: {kept['summary']}. Only its hashes, counts and votes were kept."
        value = {"run_id": run_id, "panel": panel, "content_kept": False, **kept}
    else:
        answered = list(stored.replies)
        text = (
            f"{run_id}: no result, since it did not end; {len(answered)} of {len(panel)} jurors had answered. "
            f"`claimjury verify --resume {run_id}` asks the rest."
        )
        value = {"run_id": run_id, "panel": panel, "status": "unfinished", "answered": answered}
    if as_json:
        print_json(value)
    else:
        print_text(Text(text))
    return 0


def _print_comparison(comparison: Comparison) -> None:
    from rich.console import Group
    from rich.text import Text

    from claimjury.surfaces.cli.outputs import print_text
    from claimjury.text import clean_line

    def line(claim: Any) -> str:
        mark = "CHANGED" if claim.changed else "same"
        return f"{mark}: {claim.before or 'not asked'} -> {claim.after or 'not asked'}: {clean_line(claim.statement)}"

    lines = [line(claim) for claim in sorted(comparison.claims, key=lambda claim: not claim.changed)]
    if comparison.evidence:
        lines.append(f"The evidence differs: {', '.join(map(clean_line, comparison.evidence))}.")
    if not comparison.panel:
        lines.append("Other models were asked.")
    if not comparison.rules:
        lines.append("Another min_refute_votes was in force.")
    print_text(Group(*map(Text, lines)))
