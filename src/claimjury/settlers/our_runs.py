"""The one run of ours of a check that says anything about this tree."""

from __future__ import annotations

from pathlib import Path

from claimjury.settlers.checks.outcome import CheckName, CheckOutcome, ChecksResult
from claimjury.settlers.checks.reference import shown_command
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import Proof, Silent
from claimjury.text import clean_line

__all__ = ["our_run", "run_proof"]


def would_run(name: str) -> str:
    return f"claimjury verify --check, or claimjury check --only {name}"


def our_run(name: CheckName, evidence: Evidence) -> CheckOutcome | Silent:
    """Give the one run of ours of a check that says anything about this tree."""
    ran = [one for one in (evidence.checks.checks if evidence.checks else ()) if one.name == name]
    if not ran:
        return Silent(
            reason=f"Only a run of {name} by us settles it, and none was made.", would=would_run(name)
        )
    if len(ran) > 1:
        return Silent(reason=f"{name} was run in {len(ran)} projects; say of which this is.")
    (one,) = ran
    if evidence.checks is None or _place(evidence.checks, one) != evidence.snapshot.top:
        return Silent(reason=f"{name} was run below the top of the tree, in {clean_line(one.project)}.")
    if one.outcome not in ("pass", "fail"):
        return Silent(
            reason=f"Our run of {name} decides nothing ({one.outcome}): {clean_line(one.detail or '')}",
            would=would_run(name),
        )
    if one.changed_tree:
        return Silent(reason=f"Our run of {name} changed the tree, so it is of another one.")
    return one


def _place(checks: ChecksResult, one: CheckOutcome) -> Path:
    return (Path(checks.directory) / one.project).resolve()


def run_proof(one: CheckOutcome, text: str) -> Proof:
    """Give a run as proof: the command as a reader would write it, and its exit status."""
    return Proof(
        kind="run", text=text, command=tuple(shown_command(one).split()), exit_status=one.exit_status
    )
