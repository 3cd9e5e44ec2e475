"""The one run of ours of a check that says anything about this tree."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from claimjury.settlers.checks.outcome import CheckName, CheckOutcome, ChecksResult
from claimjury.settlers.checks.reference import shown_command
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import Proof, Silent
from claimjury.text import clean_line

__all__ = ["missed", "our_run", "run_proof"]

_WOULD: Final = "claimjury verify --check"
_OF_HOSTS: Final = ".github/"
"""What a host runs: a name in its files is no name that the sources ask for."""


def our_run(name: CheckName, evidence: Evidence) -> CheckOutcome | Silent:
    """Give the one run of ours of a check that says anything about this tree."""
    ran = [one for one in (evidence.checks.checks if evidence.checks else ()) if one.name == name]
    if not ran:
        return Silent(
            reason=f"Only a run of {name} by us, as the project declares it, settles it, and none was made "
            f"(`claimjury settle RUN -- {name}` makes one).",
            would=_WOULD,
        )
    if len(ran) > 1:
        return Silent(reason=f"{name} was run in {len(ran)} projects; say of which this is.")
    (one,) = ran
    return _silence(one, evidence) or one


def _silence(one: CheckOutcome, evidence: Evidence) -> Silent | None:
    """Silence where a run is of another tree than this one, or decides nothing."""
    if evidence.checks is None or _place(evidence.checks, one) != evidence.snapshot.top:
        return Silent(reason=f"{one.name} was not run at the top of the tree{_below(one, evidence)}.")
    if one.outcome not in ("pass", "fail"):
        return Silent(
            reason=f"Our run of {one.name} decides nothing ({one.outcome}): {clean_line(one.detail or '')}",
            of_place=True,
            # What is declared nowhere is not run by asking again.
            would=None if one.outcome == "missing" else _WOULD,
        )
    if one.changed_tree:
        return Silent(
            reason=f"Our run of {one.name} changed the tree, so it is of another one.", of_place=True
        )
    missing = missed(one, evidence) if one.outcome == "fail" else None
    if missing is not None:
        return Silent(
            reason=f"Our run of {one.name} failed without `{clean_line(missing)}`, which the tree names and a check is not given.",
            of_place=True,
        )
    return None


def missed(one: CheckOutcome, evidence: Evidence) -> str | None:
    """Give the name of a variable that the tree asks for and our run did not get: what came of it may come of that."""
    return next((name for name in one.withheld if _names(name, evidence)), None)


def _names(name: str, evidence: Evidence) -> bool:
    """Whether the tree holds a name, in any case, or the beginning by which settings are read (`FOO_` of `FOO_API_KEY`)."""
    found = evidence.found(name)
    first, bar, _ = name.partition("_")
    begun = evidence.found(f"{first}_").hits if bar and first else ()
    hits = (*found.hits, *found.near, *begun)
    return bool(found.binary) or any(not hit.path.startswith(_OF_HOSTS) for hit in hits)


def _below(one: CheckOutcome, evidence: Evidence) -> str:
    if evidence.checks is None:
        return ""
    place = _place(evidence.checks, one)
    top = evidence.snapshot.top
    return f", but in {clean_line(str(place.relative_to(top)))}" if place.is_relative_to(top) else ""


def _place(checks: ChecksResult, one: CheckOutcome) -> Path:
    return (Path(checks.directory) / one.project).resolve()


def run_proof(one: CheckOutcome, text: str) -> Proof:
    """Give a run as proof: the command as a reader would write it, and its exit status."""
    return Proof(
        kind="run", text=text, command=tuple(shown_command(one).split()), exit_status=one.exit_status
    )
