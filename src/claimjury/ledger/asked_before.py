"""Asked before: verdicts do flip between identical runs, so asking until it passes must be visible."""

from __future__ import annotations

from claimjury.jury.plan import Plan
from claimjury.jury.result import PriorRun, VerifyResult
from claimjury.ledger.questions import claim_questions, run_question
from claimjury.ledger.reading import PriorVerdict, load_run, prior_verdicts
from claimjury.ledger.store import Ledger

__all__ = ["earlier_result", "with_prior_runs"]


def with_prior_runs(ledger: Ledger, plan: Plan, result: VerifyResult) -> VerifyResult:
    """Give the result with what earlier runs said of each claim."""
    questions = claim_questions(plan)
    found = prior_verdicts(ledger, list(questions.values()), before=result.run_id)
    priors = dict(zip(questions, found, strict=True))
    claims = [
        claim.model_copy(update={"prior_runs": tuple(map(_as_prior, priors[claim.id])) or None})
        if claim.id in priors
        else claim
        for claim in result.claims
    ]
    return result.model_copy(update={"claims": tuple(claims)})


def earlier_result(ledger: Ledger, plan: Plan) -> VerifyResult | None:
    """Give the newest complete result to the very same question, or None."""
    row = ledger.connection.execute(
        """
        SELECT run_id FROM runs JOIN results USING (run_id)
        WHERE question = ? AND status = 'complete' AND result IS NOT NULL ORDER BY ended_at DESC LIMIT 1
        """,
        (run_question(plan),),
    ).fetchone()
    stored = None if row is None else load_run(ledger, row["run_id"])
    if stored is None or stored.result is None:
        return None
    return stored.result.model_copy(update={"reused_from": stored.result.run_id})


def _as_prior(prior: PriorVerdict) -> PriorRun:
    return PriorRun.model_validate(
        {
            "run_id": prior.run_id,
            "ended_at": prior.ended_at,
            "verdict": prior.verdict,
            "scripted": True if prior.scripted else None,
        }
    )
