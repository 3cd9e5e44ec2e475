"""Comparing: what two runs said of the same claims."""

from __future__ import annotations

from dataclasses import dataclass

from claimjury.errors import InvalidRequest
from claimjury.jury.result import VerifyResult
from claimjury.ledger.reading import StoredRun

__all__ = ["ClaimChange", "Comparison", "compare_runs", "result_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimChange:
    """One claim in two runs; a verdict is None where a run did not have the claim."""

    statement: str
    before: str | None
    after: str | None

    @property
    def changed(self) -> bool:
        """Whether the two runs differ on it."""
        return self.before != self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two runs side by side.

    Attributes:
        claims: Every claim of either, matched by its statement.
        evidence: Names of sources that differ, are gone or are new.
        panel: Whether the same models were asked.
        rules: Whether the thresholds were the same.
    """

    claims: tuple[ClaimChange, ...]
    evidence: tuple[str, ...]
    panel: bool
    rules: bool


def compare_runs(before: StoredRun, after: StoredRun) -> Comparison:
    """Compare two runs.

    Raises:
        InvalidRequest: One of them did not end, or was kept without content.
    """
    first, second = result_of(before), result_of(after)
    old = {claim.statement: claim.verdict for claim in first.claims}
    new = {claim.statement: claim.verdict for claim in second.claims}
    hashes = [{row.path: row.sha256 for row in result.evidence} for result in (first, second)]
    names = dict.fromkeys((*hashes[0], *hashes[1]))
    return Comparison(
        claims=tuple(
            ClaimChange(statement=text, before=old.get(text), after=new.get(text))
            for text in dict.fromkeys((*old, *new))
        ),
        evidence=tuple(name for name in names if hashes[0].get(name) != hashes[1].get(name)),
        panel=[seat.model for seat in first.panel] == [seat.model for seat in second.panel],
        rules=first.min_refute_votes == second.min_refute_votes,
    )


def result_of(stored: StoredRun) -> VerifyResult:
    """Give the result of a kept run.

    Raises:
        InvalidRequest: It did not end, or was kept without content.
    """
    if stored.result is None:
        raise InvalidRequest(
            f"The run {stored.row['run_id']} has no result to show.",
            hint="It did not end (`claimjury verify --resume`), or was kept without content.",
        )
    return stored.result
