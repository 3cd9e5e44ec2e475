"""Counting: votes and what was sent come to a verdict on each claim. A run, a retally and a check all count here. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from claimjury.jury.named_files import names_unsent_file
from claimjury.jury.standing import AgentAction, Grounds, Standing, Why, action_of, standing_of, why_of
from claimjury.jury.tally import UNKNOWN_FAMILY, CastSeat, Confidence, Count, count_claim, run_is_weak
from claimjury.jury.votes import Verdict, Vote, VoteWord
from claimjury.values import Value

__all__ = ["ClaimVerdict", "Seated", "Sent", "count_claims", "seats_are_weak"]


class ClaimVerdict(Value):
    """What the votes on a claim come to. Fields are those of `ClaimResult`."""

    id: str
    verdict: Verdict
    confidence: Confidence
    refute_votes: int
    confirm_votes: int
    uncertain_votes: int
    missing_votes: int
    weak: bool
    contested: bool
    standing: Standing | None = None
    why: Why | None = None
    missing: tuple[str, ...] | None = None
    agent_action: AgentAction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """A seat as it is counted: its votes by claim id count only where it is included; `local` ran on this machine."""

    model: str
    family: str
    included: bool
    votes: Mapping[str, Vote]
    local: bool = False

    @property
    def cast(self) -> CastSeat:
        """The seat as the tally sees it."""
        words = {ident: vote.verdict for ident, vote in self.votes.items()}
        return CastSeat(family=self.family, included=self.included, votes=words)

    @property
    def left_out(self) -> Seated:
        """The same seat, excluded."""
        return replace(self, included=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What a run sent, as far as its verdicts stand on it.

    Attributes:
        sources: Count of sources.
        files: The paths that were shown: names of sources, and the files of diffs.
        reference: The origin of the reference, or None.
        unverified_host: The answers came from a host that is neither built in nor trusted.
        caller_set_rules: Whoever asked, and is not the operator, chose the panel or the threshold.
    """

    sources: int
    files: tuple[str, ...]
    reference: str | None
    unverified_host: bool
    caller_set_rules: bool = False

    def grounds(self, claims: Mapping[str, str]) -> Grounds:
        """Give the grounds of the verdicts on claims, statements by id."""
        unnamed = {ident for ident, text in claims.items() if names_unsent_file(text, self.files)}
        return Grounds(
            sources=self.sources,
            reference=self.reference,
            unnamed=frozenset(unnamed),
            unverified_host=self.unverified_host,
            caller_set_rules=self.caller_set_rules,
        )


def count_claims(
    claims: Mapping[str, str], seats: Sequence[Seated], sent: Sent, min_refute_votes: int
) -> tuple[ClaimVerdict, ...]:
    """Count the votes on each claim, statements by id, and give what they come to."""
    grounds = replace(sent.grounds(claims), local=_any_local(seats))
    return tuple(_verdict(ident, seats, grounds, min_refute_votes, claims=len(claims)) for ident in claims)


def seats_are_weak(seats: Sequence[Seated]) -> bool:
    """Whether fewer than 2 known families sat, or a local model did."""
    return run_is_weak([seat.cast for seat in seats]) or _any_local(seats)


def _any_local(seats: Sequence[Seated]) -> bool:
    return any(seat.local and seat.included for seat in seats)


def _count(claim_id: str, seats: Sequence[Seated], min_refute_votes: int) -> Count:
    """Count the votes on a claim, one for each family; seats that skipped it are counted each."""
    count = count_claim(claim_id, _blocs(seats), min_refute_votes)
    silent = sum(seat.included and claim_id not in seat.votes for seat in seats)
    count = replace(count, missing=silent)
    if not _any_local(seats):
        return count
    capped: Confidence = "medium" if count.confidence == "high" else count.confidence
    return replace(count, weak=True, confidence=capped)


def _blocs(seats: Sequence[Seated]) -> list[CastSeat]:
    """Give the seats as the tally sees them: included ones of one known family as one seat with their common votes."""
    blocs: dict[str, list[CastSeat]] = {}
    for place, seat in enumerate(seats):
        own = not seat.included or seat.family == UNKNOWN_FAMILY
        blocs.setdefault(f"#{place}" if own else seat.family, []).append(seat.cast)
    return [_common(bloc) for bloc in blocs.values()]


def _common(bloc: Sequence[CastSeat]) -> CastSeat:
    """Give the votes that the seats of one family cast together: UNCERTAIN where they differ."""
    votes: dict[str, VoteWord] = {}
    for seat in bloc:
        for ident, word in seat.votes.items():
            votes[ident] = word if votes.get(ident, word) == word else "UNCERTAIN"
    return replace(bloc[0], votes=votes)


def _verdict(
    claim_id: str, seats: Sequence[Seated], grounds: Grounds, min_refute_votes: int, *, claims: int
) -> ClaimVerdict:
    cast = [seat.cast for seat in seats]
    count = _count(claim_id, seats, min_refute_votes)
    undecided = count.verdict == "NEEDS_REVIEW"
    votes = [seat.votes[claim_id] for seat in seats if seat.included and claim_id in seat.votes]
    said = [vote.missing for vote in votes if vote.missing]
    return ClaimVerdict(
        id=claim_id,
        verdict=count.verdict,
        confidence=count.confidence,
        refute_votes=count.refute,
        confirm_votes=count.confirm,
        uncertain_votes=count.uncertain,
        missing_votes=count.missing,
        weak=count.weak,
        contested=count.contested,
        standing=standing_of(claim_id, count, cast, grounds, claims=claims),
        why=why_of(count) if undecided else None,
        missing=tuple(dict.fromkeys(said)) or None if undecided else None,
        agent_action=action_of(claim_id, count, grounds, said) if undecided else None,
    )
