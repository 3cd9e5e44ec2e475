"""A kept result as it is counted once more: its seats with their votes, and what its run sent. Pure."""

from __future__ import annotations

from claimjury.jury.counting import Seated, Sent
from claimjury.jury.result import VerifyResult
from claimjury.jury.votes import Vote
from claimjury.models.providers import is_built_in

__all__ = ["is_unverified", "seated", "sent_of"]


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
                quotes=juror.quotes,
                said=juror.said,
            )
    for seat in result.panel:
        votes[seat.model] |= {vote.id: vote for vote in seat.excluded_votes or ()}
    return tuple(
        Seated(
            model=seat.model,
            family=seat.family,
            included=seat.included,
            votes=votes[seat.model],
            local=seat.backend == "local",
        )
        for seat in result.panel
    )


def sent_of(result: VerifyResult) -> Sent:
    """Give what the run of a result sent."""
    return Sent(
        sources=len(result.evidence),
        files=tuple(path for row in result.evidence for path in row.files or (row.path,)),
        reference=result.reference.origin if result.reference else None,
        unverified_host=is_unverified(result),
        caller_set_rules=bool(result.params.caller_set_rules),
    )


def is_unverified(result: VerifyResult) -> bool:
    """Whether a host is not verified. Which hosts were trusted is not kept, but each standing says it.

    Where no claim has a standing, another host than the built-in one counts as not verified.
    """
    included = [seat for seat in result.panel if seat.included]
    standings = [claim.standing for claim in result.claims if claim.standing is not None]
    if included and standings:
        return any("unverified_host" in (standing.reasons or ()) for standing in standings)
    return any(not is_built_in(seat.provider, seat.host) for seat in included)
