"""Runs of skeptics in the HTML report. The template escapes and cleans; here is what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimjury.skeptics.concluding import shown_files
from claimjury.skeptics.result import LookedRow, RefuteResult, SkepticResult

__all__ = ["HtmlRefutation", "ShownRefutation", "shown_refutations"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlRefutation:
    """A run of skeptics for the report."""

    result: RefuteResult
    started_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRefutation:
    """A run of skeptics in this file.

    Attributes:
        prefix: Of its ids.
        grade: Of the verdict: `bad`, `undecided` or `firm`.
    """

    html: HtmlRefutation
    prefix: str
    grade: str

    @property
    def result(self) -> RefuteResult:
        """What it came to."""
        return self.html.result

    @property
    def summary(self) -> str:
        """The verdict with its count."""
        said = self.result
        tie = ", a tie" if said.tie else ""
        return f"{said.verdict}: {said.refuted} of {said.n} skeptics refute{tie}"

    @staticmethod
    def files(one: SkepticResult) -> list[str]:
        """Give the files of which a skeptic was shown lines, each once."""
        return list(dict.fromkeys(shown_files(one)))

    @staticmethod
    def call(row: LookedRow) -> str:
        """Say what a tool read, in one line."""
        lines = "" if row.start is None or row.end is None else f" lines {row.start}-{row.end}"
        where = f" {row.path}" if row.path else ""
        detail = f" {row.detail}" if row.detail else ""
        files = f" ({len(row.files):,} file(s) shown)" if row.files else ""
        return f"{row.tool}{where}{lines}{detail}{files}"


def shown_refutations(reports: Sequence[HtmlRefutation], *, single: bool) -> list[ShownRefutation]:
    """Give the runs with ids of their own."""
    return [
        ShownRefutation(html=html, prefix="" if single else f"refute-{number}-", grade=_grade(html.result))
        for number, html in enumerate(reports, start=1)
    ]


def _grade(result: RefuteResult) -> str:
    if result.exit_status == 0:
        return "firm"
    return "bad" if result.exit_status == 10 else "undecided"
