"""How a command speaks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from claimjury.settings.model import OutputFormat

__all__ = ["Display"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """How a command speaks.

    Attributes:
        output_format: What is printed or written.
        output: The file that the report goes to; None for standard output.
        report: Where an HTML report goes, too.
        quiet: Whether progress is left out.
        verbose: Whether more of the run is shown.
    """

    output_format: OutputFormat = "text"
    output: Path | None = None
    report: Path | None = None
    quiet: bool = False
    verbose: bool = False
