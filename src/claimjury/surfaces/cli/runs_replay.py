"""`claimjury runs export` and `claimjury runs retally`: a kept run, made checkable, and counted by other rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimjury.surfaces.cli import options as opt
from claimjury.surfaces.cli.kept_runs import any_runs, stored_runs

if TYPE_CHECKING:
    from claimjury.ledger.replay import Recounted, Retally

__all__ = ["export_run", "retally_run"]

RunId = Annotated[str, typer.Argument(metavar="ID", help="A run's id, its beginning, or `last`.")]
ReceiptFile = Annotated[Path, typer.Option("--receipt", metavar="FILE", help="Where to write the receipt.")]
DropSeats = Annotated[
    list[str] | None,
    typer.Option("--drop-seat", metavar="MODEL", help="Leave a juror's votes out. May be given again."),
]


def export_run(run_id: RunId, receipt: ReceiptFile, ledger: opt.LedgerFile = None) -> int:
    """Write a run as a receipt: one canonical JSON file that others can check with `claimjury receipt verify`.

    It holds the claims and the raw replies whole, sources and what tools showed by their hashes alone, and no key.
    Exit status: 0 it is written; 2 there is no such run, it did not end, its content was not kept, or the file cannot be written.
    """
    from claimjury.ledger.reading import StoredRun
    from claimjury.ledger.receipts import export_receipt
    from claimjury.ledger.refute_receipts import export_refutation
    from claimjury.surfaces.cli.outputs import check_writable
    from claimjury.surfaces.cli.streams import say
    from claimjury.text import clean_line

    check_writable(receipt)
    [stored] = any_runs(ledger, run_id)
    data = export_receipt(stored) if isinstance(stored, StoredRun) else export_refutation(stored)
    _write(receipt, data)
    who = "jurors" if isinstance(stored, StoredRun) else "skeptics"
    scripted = f" Its {who} are scripts, and it says so." if stored.result and stored.result.scripted else ""
    say(f"claimjury: the receipt of {stored.row['run_id']} is in {clean_line(str(receipt))}.{scripted}")
    return 0


def retally_run(
    run_id: RunId,
    min_refute_votes: opt.MinRefuteVotes = None,
    drop_seat: DropSeats = None,
    ledger: opt.LedgerFile = None,
    as_json: opt.Json = False,
) -> int:
    """Count a run's votes by other rules: no call is made, and nothing is recorded.

    Exit status: 0, whatever flips; 2 there is no such run or seat, or its votes were not kept.
    """
    from claimjury.ledger.replay import retally
    from claimjury.surfaces.cli.outputs import print_json, print_text

    [stored] = stored_runs(ledger, run_id)
    counted = retally(stored, min_refute_votes=min_refute_votes, drop_seats=drop_seat or ())
    if as_json:
        print_json({"retally": counted.to_json(), "exit_status": 0})
    else:
        print_text(_as_text(counted))
    return 0


def _write(path: Path, data: bytes) -> None:
    from claimjury.errors import InvalidRequest
    from claimjury.text import clean_line

    try:
        path.write_bytes(data)
    except OSError as error:
        raise InvalidRequest(
            f"The receipt {clean_line(str(path))} cannot be written: {error.strerror}.",
            hint="Name a file where there is room for it.",
        ) from error


def _as_text(counted: Retally) -> Any:
    from rich.console import Group
    from rich.text import Text

    from claimjury.report.wording import SCRIPTED

    lines = [SCRIPTED] if counted.scripted else []
    return Group(*map(Text, [*lines, _headline(counted), "", *map(_line, counted.claims)]))


def _headline(counted: Retally) -> str:
    rule = f"min_refute_votes {counted.min_refute_votes} (the run had {counted.was})"
    without = f", without {', '.join(counted.dropped_seats)}" if counted.dropped_seats else ""
    flips = f"{counted.flips} of {len(counted.claims)} claim(s) flip"
    weak = " WEAK: fewer than 2 known families are left." if counted.weak else ""
    return f"{counted.run_id} by {rule}{without}: {flips}. No call was made.{weak}"


def _line(claim: Recounted) -> str:
    from claimjury.text import clean_line

    change = f"FLIPS {claim.old} -> {claim.new}" if claim.flips else f"stays {claim.new}"
    return f"{clean_line(claim.id)}: {change}. {claim.why} {clean_line(claim.statement)}"
