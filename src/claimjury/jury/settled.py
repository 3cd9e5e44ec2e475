"""Settled claims in a result: firm, with their proof, in the order in which all claims were given. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from claimjury.jury.result import ClaimResult, PriorRun
from claimjury.jury.settling import Settling
from claimjury.jury.standing import AgentAction, Standing
from claimjury.settlers.outcome import Settlement

__all__ = ["with_settled", "with_verdicts_before"]

_VOTELESS: Final[dict[str, Any]] = {
    "confirm_votes": 0,
    "refute_votes": 0,
    "uncertain_votes": 0,
    "missing_votes": 0,
    "weak": False,
    "contested": False,
    "jurors": (),
}
_NOT_UNDERSTOOD: Final = "No settler"


def with_settled(settling: Settling | None, judged: Sequence[ClaimResult]) -> tuple[ClaimResult, ...]:
    """Give all claims of a run: settled ones with their proof, others as the jury counted them."""
    if settling is None:
        return tuple(judged)
    counted = {claim.id: claim for claim in judged}
    return tuple(
        _claim(settling, settling.rows[claim.id], counted.get(claim.id)) for claim in settling.claims
    )


def _claim(settling: Settling, row: Settlement, counted: ClaimResult | None) -> ClaimResult:
    if row.verdict is not None:
        return ClaimResult(
            id=row.id,
            statement=row.statement,
            verdict=row.verdict,
            confidence="high",
            standing=Standing(grade="firm"),
            settled_by=row.settled_by,
            proof=row.proof,
            **_VOTELESS,
        )
    if counted is None:
        return ClaimResult(
            id=row.id,
            statement=row.statement,
            verdict="NEEDS_REVIEW",
            confidence="low",
            why="not_settled",
            agent_action=_action(row),
            not_settled=row.silent,
            would_settle=row.would,
            **_VOTELESS,
        )
    # Of most claims no settler understands the words; to say that of each would tell a reader nothing.
    told = settling.only or not (row.silent or "").startswith(_NOT_UNDERSTOOD)
    return counted.model_copy(update={"not_settled": row.silent if told else None, "would_settle": row.would})


def _action(row: Settlement) -> AgentAction | None:
    if row.would:
        return "run_check"
    return None if row.of_place else "restate"


def with_verdicts_before(
    before: Mapping[str, PriorRun] | None, claims: Sequence[ClaimResult]
) -> tuple[ClaimResult, ...]:
    """Give claims with what the run said of them that this one follows."""
    if before is None:
        return tuple(claims)
    return tuple(claim.model_copy(update={"was": before.get(claim.id)}) for claim in claims)
