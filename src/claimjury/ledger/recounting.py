"""Recounting: verdicts from votes once more, by the very functions that a run counts with. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from claimjury.jury.named_files import names_unsent_file
from claimjury.jury.result import VerifyResult
from claimjury.jury.standing import Grounds, action_of, standing_of, why_of
from claimjury.jury.tally import CastSeat, count_claim, run_is_weak
from claimjury.jury.votes import Vote
from claimjury.ledger.receipt_form import VerdictRow
from claimjury.models.hosts import DEFAULT_HOST

__all__ = ["Seated", "Sent", "is_unverified", "recount", "recounted_weak", "seated", "sent_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """A seat as it is counted: its votes by claim id count only where it is included."""

    model: str
    family: str
    included: bool
    votes: Mapping[str, Vote]

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
    """

    sources: int
    files: tuple[str, ...]
    reference: str | None
    unverified_host: bool

    def grounds(self, claims: Mapping[str, str]) -> Grounds:
        """Give the grounds of the verdicts on claims, statements by id."""
        unnamed = {ident for ident, text in claims.items() if names_unsent_file(text, self.files)}
        return Grounds(
            sources=self.sources,
            reference=self.reference,
            unnamed=frozenset(unnamed),
            unverified_host=self.unverified_host,
        )


def recount(
    claims: Mapping[str, str], seats: Sequence[Seated], sent: Sent, min_refute_votes: int
) -> tuple[VerdictRow, ...]:
    """Count the votes on each claim, statements by id, and give what they come to."""
    grounds = sent.grounds(claims)
    return tuple(_verdict(ident, seats, grounds, min_refute_votes, claims=len(claims)) for ident in claims)


def recounted_weak(seats: Sequence[Seated]) -> bool:
    """Whether fewer than 2 known families sat."""
    return run_is_weak([seat.cast for seat in seats])


def _verdict(
    claim_id: str, seats: Sequence[Seated], grounds: Grounds, min_refute_votes: int, *, claims: int
) -> VerdictRow:
    cast = [seat.cast for seat in seats]
    count = count_claim(claim_id, cast, min_refute_votes)
    undecided = count.verdict == "NEEDS_REVIEW"
    votes = [seat.votes[claim_id] for seat in seats if seat.included and claim_id in seat.votes]
    said = [vote.missing for vote in votes if vote.missing]
    return VerdictRow(
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


def seated(result: VerifyResult) -> tuple[Seated, ...]:
    """Give the seats of a result with the votes that they cast, counted or not."""
    votes: dict[str, dict[str, Vote]] = {seat.model: {} for seat in result.panel}
    for claim in result.claims:
        for juror in claim.jurors:
            votes[juror.model][claim.id] = Vote(
                id=claim.id,
                verdict=juror.verdict,
                severity=juror.severity,
                rationale=juror.rationale,
                missing=juror.missing,
            )
    for seat in result.panel:
        votes[seat.model] |= {vote.id: vote for vote in seat.excluded_votes or ()}
    return tuple(
        Seated(model=seat.model, family=seat.family, included=seat.included, votes=votes[seat.model])
        for seat in result.panel
    )


def sent_of(result: VerifyResult, host: str) -> Sent:
    """Give what the run of a result sent."""
    return Sent(
        sources=len(result.evidence),
        files=tuple(path for row in result.evidence for path in row.files or (row.path,)),
        reference=result.reference.origin if result.reference else None,
        unverified_host=is_unverified(result, host),
    )


def is_unverified(result: VerifyResult, host: str) -> bool:
    """Whether the host is not verified. Which hosts were trusted is not kept, but each standing says it.

    Where no claim has a standing, another host than the built-in one counts as not verified.
    """
    if not any(seat.included for seat in result.panel):
        return False
    standings = [claim.standing for claim in result.claims if claim.standing is not None]
    if standings:
        return any("unverified_host" in (standing.reasons or ()) for standing in standings)
    return host != DEFAULT_HOST
