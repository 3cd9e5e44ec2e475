"""Questions: what was asked, as a hash. Two runs with one question asked the same of the same panel.

A claim's question is its statement with the evidence, the panel and the rules, without its id: so it is known again in
another list. Verdicts do flip between identical runs; a question that was asked before must be visible.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from claimjury.jury.plan import Plan
from claimjury.jury.prompt import PROMPT_VERSION

__all__ = ["claim_questions", "digest", "run_question"]


def digest(value: Any) -> str:
    """Give the SHA-256 of a value's JSON: sorted keys, no blanks."""
    return sha256(
        json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
    ).hexdigest()


def claim_questions(plan: Plan) -> dict[str, str]:
    """Give the question of each claim that jurors are asked about, by its id, in order."""
    rules = _rules(plan)
    return {claim.id: digest([claim.statement, rules]) for claim in plan.request.claims}


def run_question(plan: Plan) -> str:
    """Give the question of a run: the same claims under the same ids, evidence, panel and rules."""
    claims = [[claim.id, claim.statement] for claim in plan.request.claims]
    return digest([claims, _rules(plan)])


def _rules(plan: Plan) -> Sequence[Any]:
    request = plan.request
    sources = [
        [source.path, source.sha256, sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()]
        for source in plan.sources
    ]
    reference = None if request.reference is None else [request.reference.origin, request.reference.text]
    own = {route.model: route.family for route in plan.sitting if route.own_family}
    # Who of a family sits is decided by the panel's order, which says nothing otherwise.
    sitting = sorted(route.model for route in plan.sitting) if plan.barred else None
    seating = {
        "families": own,
        "sitting": sitting,
        "hosts": {route.model: route.host.host for route in plan.sitting} if len(plan.hosts) > 1 else None,
        "author": list(request.author),
        "alternates": list(request.alternates),
        "allow_same_family": request.allow_same_family,
        "caller_set_rules": request.caller_set_rules,
        "require_quotes": request.require_quotes,
    }
    said = {name: value for name, value in seating.items() if value}
    return [
        ", ".join(plan.hosts),
        sources,
        reference,
        sorted(request.panel),
        request.min_refute_votes,
        request.polarity,
        request.reask,
        PROMPT_VERSION,
        *([said] if said else []),
    ]
