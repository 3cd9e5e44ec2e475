"""What was settled before a run was refused."""

from __future__ import annotations

from collections.abc import Sequence

from claimjury.report.wording import proof_line
from claimjury.settlers.outcome import Settlement
from claimjury.surfaces.cli.streams import emit
from claimjury.text import clean_line

__all__ = ["print_settled"]


def print_settled(rows: Sequence[Settlement]) -> None:
    """Print settled claims with their proof."""
    for row in rows:
        emit(
            f"{row.verdict}, settled by {row.settled_by}: {clean_line(row.id)}: {clean_line(row.statement)}\n"
        )
        for proof in row.proof or ():
            emit(f"  Proof: {proof_line(proof)}\n")
