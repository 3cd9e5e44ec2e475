"""`claimjury report`: kept runs as text, Markdown, JSON or one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from claimjury.surfaces.cli import options as opt

if TYPE_CHECKING:
    from claimjury.ledger.reading import StoredRun

__all__ = ["report", "stored_html"]

Format = Literal["text", "markdown", "json", "html"]


def report(
    runs: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Runs: ids, beginnings of ids, or `last`.")
    ],
    output_format: Annotated[
        Format | None, typer.Option("--format", help="Default: by the ending of --output, else text.")
    ] = None,
    output: opt.OutputFile = None,
    ledger: opt.LedgerFile = None,
) -> int:
    """Report one kept run, or several in one report. Exit status: 0, whatever the verdicts; 2 where there is no such run."""
    from claimjury.surfaces.cli.kept_runs import stored_runs
    from claimjury.surfaces.cli.outputs import check_writable, write_file
    from claimjury.surfaces.cli.streams import emit

    check_writable(output)
    found = stored_runs(ledger, *runs)
    text = _render(found, output_format or _by_ending(output))
    if output is None:
        emit(text)
    else:
        write_file(output, text)
    return 0


def _by_ending(output: Path | None) -> Format:
    endings: dict[str, Format] = {".html": "html", ".htm": "html", ".md": "markdown", ".json": "json"}
    return endings.get(output.suffix.lower(), "text") if output else "text"


def _render(found: list[StoredRun], output_format: Format) -> str:
    from claimjury.ledger.comparing import result_of
    from claimjury.report.envelope import envelope
    from claimjury.report.markdown import render_markdown
    from claimjury.report.terminal import render_text
    from claimjury.surfaces.cli.outputs import to_text
    from claimjury.text import safe_json

    results = [result_of(stored) for stored in found]
    match output_format:
        case "json":
            envelopes = [envelope(result) for result in results]
            return safe_json(envelopes[0] if len(envelopes) == 1 else {"runs": envelopes}) + "\n"
        case "markdown":
            return "\n".join(map(render_markdown, results))
        case "html":
            return stored_html(found)
        case "text":
            return "\n".join(f"Run {result.run_id}\n{to_text(render_text(result))}" for result in results)


def stored_html(found: list[StoredRun]) -> str:
    """Give kept runs as one HTML file, with the evidence as it was sent."""
    from claimjury.ledger.comparing import result_of
    from claimjury.report.html import HtmlRun, render_html

    return render_html(
        [
            HtmlRun(
                result=result_of(stored),
                sources={row.name: row.text for row in stored.evidence if row.name and row.text is not None},
                started_at=stored.row["started_at"],
                reference=next((row.text for row in stored.evidence if row.kind == "reference"), None),
            )
            for stored in found
        ]
    )
