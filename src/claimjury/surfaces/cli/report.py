"""`claimjury report`: kept runs as text, Markdown, JSON or one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from claimjury.surfaces.cli import options as opt

if TYPE_CHECKING:
    from claimjury.ledger.reading import EvidenceRecord, StoredRun
    from claimjury.ledger.refutations import StoredRefutation
    from claimjury.skeptics.result import RefuteResult

    Stored = StoredRun | StoredRefutation

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
    from claimjury.surfaces.cli.kept_runs import any_runs
    from claimjury.surfaces.cli.outputs import check_writable, write_file
    from claimjury.surfaces.cli.streams import emit

    check_writable(output)
    found = any_runs(ledger, *runs)
    text = _render(found, output_format or _by_ending(output))
    if output is None:
        emit(text)
    else:
        write_file(output, text)
    return 0


def _by_ending(output: Path | None) -> Format:
    endings: dict[str, Format] = {".html": "html", ".htm": "html", ".md": "markdown", ".json": "json"}
    return endings.get(output.suffix.lower(), "text") if output else "text"


def _render(found: list[Stored], output_format: Format) -> str:
    from claimjury.text import safe_json

    match output_format:
        case "json":
            envelopes = [_as_json(stored) for stored in found]
            return safe_json(envelopes[0] if len(envelopes) == 1 else {"runs": envelopes}) + "\n"
        case "markdown":
            return "\n".join(map(_as_markdown, found))
        case "html":
            return stored_html(found)
        case "text":
            return "\n".join(map(_as_text, found))


def _as_json(stored: Stored) -> dict[str, Any]:
    from claimjury.ledger.comparing import result_of
    from claimjury.ledger.reading import StoredRun
    from claimjury.report.envelope import envelope
    from claimjury.report.refute_markdown import refute_envelope

    if isinstance(stored, StoredRun):
        return envelope(result_of(stored))
    return refute_envelope(_refutation(stored))


def _as_markdown(stored: Stored) -> str:
    from claimjury.ledger.comparing import result_of
    from claimjury.ledger.reading import StoredRun
    from claimjury.report.markdown import render_markdown
    from claimjury.report.refute_markdown import render_refute_markdown

    if isinstance(stored, StoredRun):
        return render_markdown(result_of(stored))
    return render_refute_markdown(_refutation(stored))


def _as_text(stored: Stored) -> str:
    from claimjury.ledger.comparing import result_of
    from claimjury.ledger.reading import StoredRun
    from claimjury.report.terminal import render_text
    from claimjury.surfaces.cli.outputs import to_text

    if isinstance(stored, StoredRun):
        result = result_of(stored)
        return f"Run {result.run_id}\n{to_text(render_text(result))}"
    found = _refutation(stored)
    return f"Run {found.run_id}\n{found.text}"


def _refutation(stored: StoredRefutation) -> RefuteResult:
    from claimjury.ledger.refute_receipts import whole_refutation

    return whole_refutation(stored)


def stored_html(found: Sequence[Stored]) -> str:
    """Give kept runs as one HTML file, with the evidence as it was sent."""
    from claimjury.ledger.comparing import result_of
    from claimjury.ledger.reading import StoredRun
    from claimjury.report.html import HtmlRun, render_html
    from claimjury.report.refute_html import HtmlRefutation

    return render_html(
        [
            HtmlRun(
                result=result_of(stored),
                sources=_sources(stored.evidence),
                started_at=stored.row["started_at"],
                reference=_reference(stored.evidence),
            )
            for stored in found
            if isinstance(stored, StoredRun)
        ],
        [
            HtmlRefutation(result=_refutation(stored), started_at=stored.row["started_at"])
            for stored in found
            if not isinstance(stored, StoredRun)
        ],
    )


def _sources(evidence: Sequence[EvidenceRecord]) -> dict[str, str]:
    return {row.name: row.text for row in evidence if row.name and row.text is not None}


def _reference(evidence: Sequence[EvidenceRecord]) -> str | None:
    return next((row.text for row in evidence if row.kind == "reference"), None)
