"""Requoting: a vote on record held against the one in its raw reply, its quotes included. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from claimjury.jury.quoting import held_to_quotes
from claimjury.jury.votes import Quote, Vote

__all__ = ["as_cast", "unplaced", "word_faults"]


def word_faults(what: str, said: Vote, read: Vote, *, looked_up: bool, required: bool) -> Iterator[str]:
    """Say how a vote on record differs from the one that its reply holds.

    Args:
        what: The vote, in words.
        said: On record.
        read: In its reply.
        looked_up: Whether the quotes of `read` were looked up in the evidence.
        required: Whether a decisive vote without a found quote counts as UNCERTAIN.
    """
    cast = as_cast(said)
    if cast.verdict != read.verdict:
        yield f"{what} is {cast.verdict} on record, and {read.verdict} in its reply."
    elif unplaced(cast) != unplaced(read):
        yield f"{what} has other words on record than in its reply."
    elif looked_up and cast.quotes != read.quotes:
        yield f"{what} has quotes that were found elsewhere than the evidence has them."
    elif said != (held_to_quotes(cast) if required else cast):
        yield f"{what} does not count as its quotes have it."


def as_cast(vote: Vote) -> Vote:
    """Give a vote as the juror cast it, whatever it counts as."""
    if vote.said is None:
        return vote
    return vote.model_copy(update={"verdict": vote.said, "said": None, "missing": None})


def unplaced(vote: Vote) -> Vote:
    """Give a vote without where its quotes were found, which its reply does not say."""
    bare = tuple(
        Quote(source=row.source, start_line=row.start_line, end_line=row.end_line, text=row.text)
        for row in vote.quotes or ()
    )
    return vote.model_copy(update={"quotes": bare or None})
