"""Settling comes before the jury: what a tool decides goes to no juror, and no vote moves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from claimjury.claims import Claim
from claimjury.evidence.git import commit_id
from claimjury.evidence.roots import resolve_roots
from claimjury.evidence.sources import Source
from claimjury.settlers.checks.outcome import ChecksResult
from claimjury.settlers.outcome import Settlement, TreeRow
from claimjury.text import clean_line

__all__ = ["SettleMode", "Settling", "settle_claims"]

SettleMode = Literal["first", "only", "off"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """What came of settling a run's claims.

    Attributes:
        claims: All claims of the run, in their order.
        rows: What came of each, by its id.
        tree: What was looked at.
        only: No juror is asked.
    """

    claims: tuple[Claim, ...]
    rows: Mapping[str, Settlement]
    tree: TreeRow | None = None
    only: bool = False

    @property
    def left(self) -> tuple[Claim, ...]:
        """The claims that no settler decided."""
        return tuple(claim for claim in self.claims if not self.is_settled(claim.id))

    @property
    def settled(self) -> tuple[Settlement, ...]:
        """What was settled, in the order of the claims."""
        return tuple(self.rows[claim.id] for claim in self.claims if self.is_settled(claim.id))

    def is_settled(self, claim_id: str) -> bool:
        """Whether a claim was decided."""
        row = self.rows.get(claim_id)
        return row is not None and row.verdict is not None


def settle_claims(
    claims: Sequence[Claim],
    sources: Sequence[Source],
    *,
    roots: Sequence[str] | None,
    base: str | None,
    only: bool,
    checks: ChecksResult | None = None,
    aside: Sequence[str] = (),
) -> Settling:
    """Settle what a tool can decide of some claims.

    Args:
        claims: The claims.
        sources: The evidence; a diff among it says where the change begins, where `base` does not.
        roots: Directories that files may be read below; None for the work tree of the working directory.
        base: The revision that the change is measured from.
        only: No juror will be asked.
        checks: Checks that were run by us just before.
        aside: Files that the claims or the reference stand in.

    Raises:
        InvalidRequest: `base` names no commit, or git refuses.
        ConfigInvalid: A root is not allowed.
    """
    from claimjury.settlers.settle import settle

    directory = _directory(roots)
    begins, why = _begins(base, sources, directory)
    found = settle(
        claims,
        directory,
        base=begins,
        no_base=why,
        within=_within(roots),
        checks=checks,
        aside=tuple(map(Path, aside)),
    )
    rows = {row.id: row for row in found.claims}
    return Settling(claims=tuple(claims), rows=rows, tree=found.tree, only=only)


def _within(roots: Sequence[str] | None) -> tuple[Path, ...] | None:
    return None if roots is None else tuple(resolve_roots([Path(root) for root in roots]))


def _directory(roots: Sequence[str] | None) -> Path:
    """Give the directory that settlers look from: the working directory, or the first root where that is outside."""
    here = Path.cwd().resolve()
    allowed = _within(roots)
    if allowed is None or any(here.is_relative_to(root) for root in allowed):
        return here
    return allowed[0]


def _begins(base: str | None, sources: Sequence[Source], directory: Path) -> tuple[str | None, str | None]:
    """Give the base, or why there is none: a diff that does not end at what is checked out is another change."""
    diff = next((source.diff for source in sources if source.diff is not None), None)
    if base is not None or diff is None:
        return base, None
    if commit_id(directory, "HEAD") != diff.new:
        return None, f"The diff that was given ends at {clean_line(diff.new)[:12]}, which is not checked out."
    return diff.old, None
