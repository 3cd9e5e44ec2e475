"""What an earlier run left undecided, taken up with something more to go by."""

from __future__ import annotations

import json
from dataclasses import replace

from claimjury.claims import Claim
from claimjury.errors import InvalidRequest
from claimjury.evidence.reference import MAX_REFERENCE, Reference
from claimjury.jury.plan import Plan, make_plan
from claimjury.jury.result import PriorRun
from claimjury.jury.verify import prepare
from claimjury.ledger.reading import StoredRun
from claimjury.ledger.receipts import whole_result
from claimjury.ledger.resuming import access_then, asked_then, request_then
from claimjury.models.routes import Access
from claimjury.settlers.checks.outcome import ChecksResult

__all__ = ["decided", "plan_after", "undecided"]


def undecided(stored: StoredRun) -> list[Claim]:
    """Give the claims that a run left undecided.

    Raises:
        InvalidRequest: There is none, the run did not end, or it was kept without content.
    """
    result = whole_result(stored)
    left = [
        Claim(id=one.id, statement=one.statement) for one in result.claims if one.verdict == "NEEDS_REVIEW"
    ]
    if not left:
        raise InvalidRequest(
            f"The run {result.run_id} left no claim undecided.", hint="What was decided is not asked again."
        )
    return left


def decided(stored: StoredRun) -> dict[str, str]:
    """Give the verdicts of the claims that a run decided, by their ids: they are not asked again, and they stand."""
    claims = whole_result(stored).claims
    return {one.id: one.verdict for one in claims if one.verdict != "NEEDS_REVIEW"}


def plan_after(
    stored: StoredRun, access: Access, reference: Reference, checks: ChecksResult | None = None
) -> Plan:
    """Give the plan that asks anew what a run left undecided: its evidence as it is now, its rules, and more reference.

    Raises:
        InvalidRequest: Nothing was left undecided, it did not end, or both references do not fit.
        EvidenceError: A source cannot be read any more.
    """
    result = whole_result(stored)
    left = undecided(stored)
    ended_at = stored.ended["ended_at"] if stored.ended else ""
    was = PriorRun(run_id=result.run_id, ended_at=ended_at, verdict="NEEDS_REVIEW", scripted=result.scripted)
    asked = asked_then(json.loads(stored.row["asked"]))
    then = request_then(stored, None)
    request = replace(
        then,
        claims=tuple(left),
        reference=_both(reference, then.reference),
    )
    request, sources, settling = prepare(request, asked, checks)
    plan = make_plan(request, sources, access_then(stored, access), asked, settling=settling)
    return replace(plan, follows={claim.id: was for claim in left})


def _both(new: Reference, old: Reference | None) -> Reference:
    """Give one reference of two; what the caller handed over then makes it the caller's."""
    if old is None:
        return new
    text = f"{new.text.rstrip()}\n\nThe reference of the run before ({old.origin}):\n{old.text}"
    if len(text) > MAX_REFERENCE:
        raise InvalidRequest(
            f"The outcome of the command and the run's own reference have {len(text):,} characters together;"
            f" {MAX_REFERENCE:,} fit.",
            hint="Ask anew with `claimjury verify`, with the reference that matters.",
        )
    return Reference(text=text, origin=old.origin)
