"""What was settled before a run was refused."""

from __future__ import annotations

from collections.abc import Sequence

from claimjury.report.wording import settlement_lines
from claimjury.settlers.outcome import Settlement
from claimjury.surfaces.cli.streams import emit

__all__ = ["print_settled"]


def print_settled(rows: Sequence[Settlement]) -> None:
    """Print settled claims with their proof."""
    for row in rows:
        emit("".join(f"{line}\n" for line in settlement_lines(row)))
