"""Decided early: a verdict that no outstanding vote can change any more. Pure."""

from __future__ import annotations

from claimjury.jury.tally import verdict_of
from claimjury.jury.votes import Verdict

__all__ = ["decided_early"]


def decided_early(confirm: int, refute: int, outstanding: int, min_refute_votes: int) -> Verdict | None:
    """Give the verdict that a claim will have whatever the outstanding seats vote, or None where it is open.

    Its standing is still open: a dissent or a seat that falls out makes it thin.

    Args:
        confirm: Votes CONFIRMED so far.
        refute: Votes REFUTED so far.
        outstanding: Seats that may still vote; each votes once or not at all.
        min_refute_votes: By which it is counted.
    """
    ends = {
        verdict_of(confirm + more, refute + against, min_refute_votes)
        for more in range(outstanding + 1)
        for against in range(outstanding + 1 - more)
    }
    return ends.pop() if len(ends) == 1 else None
