"""Standing: what a verdict rests on. `firm`, or `thin` with the reasons; and for NEEDS_REVIEW why, and what to do.

Pure. Removing a seat or a vote never makes a verdict firm that was not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from claimjury.jury.tally import CastSeat, Count
from claimjury.values import Value

__all__ = ["AgentAction", "Grounds", "Standing", "ThinReason", "Why", "action_of", "standing_of", "why_of"]

ThinReason = Literal[
    "split",
    "seat_missing",
    "weak",
    "no_evidence",
    "caller_reference_only",
    "named_file_not_sent",
    "constant_voter",
    "unverified_host",
    "local",
    "caller_set_rules",
]
Why = Literal["contested", "split", "uncertain", "too_few_votes", "not_settled"]
AgentAction = Literal["run_check", "add_source", "restate", "ask_human", "stop"]
RESTATE: Final = "restate:"
CONSTANT_VOTER_CLAIMS: Final = 8
"""From so many claims on, one verdict for all of them says more of the juror than of the claims."""


class Standing(Value):
    """What a verdict rests on.

    Attributes:
        grade: `firm`, or `thin` where there is any reason to lean on it less.
        reasons: Why it is thin, in the order of the closed set; absent where it is firm.
    """

    grade: Literal["firm", "thin"]
    reasons: tuple[ThinReason, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What a run's verdicts stand on, apart from the votes.

    Attributes:
        sources: Count of sources sent.
        reference: The origin of the reference, or None where there is none.
        unnamed: Ids of claims that name a file which was not sent.
        unverified_host: An answer came from a host that is neither built in nor trusted.
        local: A local model sat.
        caller_set_rules: The party that asks chose the panel or the thresholds, and is not the operator.
    """

    sources: int = 0
    reference: str | None = None
    unnamed: frozenset[str] = frozenset()
    unverified_host: bool = False
    local: bool = False
    caller_set_rules: bool = False

    @property
    def no_evidence(self) -> bool:
        """No source, and no reference but the caller's."""
        return self.sources == 0 and self.reference in (None, "caller")


def standing_of(
    claim_id: str, count: Count, seats: Sequence[CastSeat], grounds: Grounds, *, claims: int
) -> Standing | None:
    """Give the standing of a verdict, or None for NEEDS_REVIEW. `claims` is how many the run had."""
    if count.verdict == "NEEDS_REVIEW":
        return None
    holds: dict[ThinReason, bool] = {
        "split": min(count.confirm, count.refute) > 0,
        "seat_missing": count.missing > 0 or count.excluded > 0,
        "weak": count.weak,
        "no_evidence": grounds.no_evidence,
        "caller_reference_only": grounds.sources == 0 and grounds.reference == "caller",
        "named_file_not_sent": claim_id in grounds.unnamed,
        "constant_voter": claims >= CONSTANT_VOTER_CLAIMS and any(map(_is_constant, seats)),
        "unverified_host": grounds.unverified_host,
        "local": grounds.local,
        "caller_set_rules": grounds.caller_set_rules,
    }
    reasons = tuple(reason for reason, held in holds.items() if held)
    return Standing(grade="thin", reasons=reasons) if reasons else Standing(grade="firm")


def _is_constant(seat: CastSeat) -> bool:
    """Whether an included juror gave one verdict to all that it voted on, of 8 or more claims asked."""
    return seat.included and len(set(seat.votes.values())) == 1


def why_of(count: Count) -> Why:
    """Give why a claim NEEDS_REVIEW."""
    if count.contested:
        return "contested"
    if count.confirm and count.refute:
        return "split"
    if count.uncertain >= max(1, count.confirm, count.refute):
        return "uncertain"
    return "too_few_votes"


def action_of(claim_id: str, count: Count, grounds: Grounds, missing: Sequence[str]) -> AgentAction:
    """Give what an agent should do about a claim that NEEDS_REVIEW.

    `stop` where too few voted: nothing that the agent adds mends a panel. `ask_human` where the jurors
    disagree. Where they are uncertain: send what the claim names; restate it, where most of what the jurors say is
    missing is another wording; else run what would decide it, where a juror named that or nothing was run yet.

    Args:
        claim_id: The claim.
        count: Its votes.
        grounds: What the run stands on.
        missing: What each UNCERTAIN vote said would decide it; a wording begins with `restate:`, as the prompt asks.
    """
    wordings = sum(text.casefold().startswith(RESTATE) for text in missing)
    match why_of(count):
        case "contested" | "split":
            return "ask_human"
        case "too_few_votes" | "not_settled":
            return "stop"
        case "uncertain":
            if claim_id in grounds.unnamed or (grounds.sources == 0 and not wordings):
                return "add_source"
            if wordings * 2 > len(missing) or not (missing or grounds.reference is None):
                return "restate"
            return "run_check"
