"""`claimjury receipt`: checking an exported run, offline, by whoever was handed the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from claimjury.surfaces.cli import options as opt

if TYPE_CHECKING:
    from claimjury.ledger.checking import CheckReport
    from claimjury.ledger.folder import Changed

__all__ = ["receipt"]

receipt = typer.Typer(
    name="receipt",
    help="Check a run that somebody exported: offline, without a key, a ledger or trust in us.",
    no_args_is_help=True,
)

ReceiptFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A receipt, as `claimjury runs export` makes it.")
]
Evidence = Annotated[
    Path | None,
    typer.Option(
        "--evidence",
        metavar="DIR",
        help="Hash the sources too: the directory that their names are relative to.",
    ),
]
Root = Annotated[
    Path,
    typer.Option(
        "--root",
        metavar="DIR",
        help="The directory that the sources' names are relative to. Default: the working directory.",
    ),
]
_STATUS: Final = {"valid": 0, "invalid": 10, "scripted": 20, "unverified_host": 20, "unchecked": 20}
_MARKS: Final = {"fits": "fits", "does_not_fit": "DOES NOT FIT", "not_checked": "not checked"}


@receipt.command()
def verify(file: ReceiptFile, evidence: Evidence = None, as_json: opt.Json = False) -> int:
    """Compute hashes, votes, exclusions and verdicts once more, and name the first thing that does not fit.

    Exit status: 0 valid; 10 something does not fit; 20 it fits, but its jurors are scripts, its host is not verified, or its settled claims
    are of another tree than that of --evidence; 2 it is no receipt.
    """
    from claimjury.ledger.checking import check_receipt
    from claimjury.surfaces.cli.outputs import print_json, print_text

    report = check_receipt(_read(file), evidence=evidence, file_name=file)
    status = _STATUS[report.outcome]
    if as_json:
        print_json({"check": _as_json(report), "exit_status": status})
    else:
        print_text(_as_text(report))
    return status


@receipt.command()
def stale(file: ReceiptFile, root: Root = Path(), as_json: opt.Json = False) -> int:
    """Say which sources, or the tree that claims were settled on, have changed since. It does not check the receipt itself.

    Exit status: 0 none has changed; 10 one has, or is missing; 2 it is no receipt.
    """
    from claimjury.ledger.checking import stale_sources
    from claimjury.surfaces.cli.outputs import print_json
    from claimjury.surfaces.cli.streams import emit

    changed = stale_sources(_read(file), root, file_name=file)
    status = 10 if changed else 0
    if as_json:
        print_json({"stale": [row.to_json() for row in changed], "exit_status": status})
    else:
        emit("".join(f"{line}\n" for line in _stale_lines(changed)))
    return status


def _read(file: Path) -> bytes:
    from claimjury.errors import InvalidRequest
    from claimjury.ledger.checking import MAX_RECEIPT
    from claimjury.text import clean_line

    try:
        with file.open("rb") as handle:
            return handle.read(MAX_RECEIPT + 1)
    except OSError as error:
        raise InvalidRequest(
            f"The receipt {clean_line(str(file))} cannot be read: {error.strerror}.", hint="Check the path."
        ) from error


def _as_json(report: CheckReport) -> dict[str, Any]:
    from claimjury.ledger.checking import NOT_PROVEN, PROVEN

    fault = {"first_fault": report.first_fault} if report.first_fault else {}
    proven = {} if report.first_fault else {"proven": PROVEN, "not_proven": NOT_PROVEN}
    return {**report.to_json(), **fault, **proven}


def _as_text(report: CheckReport) -> Any:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for step in report.steps:
        table.add_row(_MARKS[step.state], step.name, Text(step.detail or ""))
    return Group(Text(_headline(report)), Text(), table, *map(Text, _closing(report)))


def _headline(report: CheckReport) -> str:
    run = f"The receipt of run {report.run_id}" if report.run_id else "The receipt"
    match report.outcome:
        case "valid":
            asked = f"The host was {report.host}." if report.host else "No host was asked."
            return f"VALID: {run} fits. {asked}"
        case "scripted":
            return f"SCRIPTED: {run} fits, but whoever answered is a script: no model was asked."
        case "unverified_host":
            return f"UNVERIFIED HOST: {run} fits, but nothing says that {report.host} serves the models that it names."
        case "unchecked":
            return f"UNCHECKED: {run} fits, but what was settled could not be settled again: the tree is another one."
        case "invalid":
            return f"INVALID: {report.first_fault}"


def _closing(report: CheckReport) -> list[str]:
    from claimjury.ledger.checking import NOT_PROVEN, PROVEN

    if report.first_fault:
        return []
    return ["", f"receipt_sha256: {report.receipt_sha256}", PROVEN, NOT_PROVEN]


def _stale_lines(changed: list[Changed]) -> list[str]:
    from claimjury.text import clean_line

    if not changed:
        return ["No source has changed since it was judged."]
    return [
        f"{row.state}: {clean_line(row.name)}{f' (sha256 {row.sha256})' if row.sha256 else ''}"
        for row in changed
    ]
