"""A ballot: the votes that a reply holds, read strictly. Nothing is imputed, nothing is thrown away unseen."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from claimjury.jury.extraction import MAX_REPLY, ZERO_WIDTH, candidates
from claimjury.jury.loose_json import CONFLICT
from claimjury.jury.quoting import QuoteCheck, held_to_quotes, read_quotes
from claimjury.jury.votes import SEVERITIES, VOTES, Severity, Vote, VoteWord
from claimjury.text import clean_line, clip
from claimjury.values import Value

__all__ = ["MAX_RATIONALE", "Ballot", "Dropped", "read_ballot"]

MAX_RATIONALE: Final = 1_000
"""Characters."""
_SHOWN: Final = 80
_MAX_DROPPED: Final = 100
"""Entries; of more, only the number is listed."""


class Dropped(Value):
    """An entry of a reply that is no vote, and why.

    Attributes:
        id: The id that the entry gave, cleaned; absent where it gave none.
        reason: What was wrong.
    """

    id: str | None = None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """What was read of one reply.

    Attributes:
        votes: The valid votes by claim id, in the order of the claims.
        dropped: The entries that are none.
        found: Whether the reply held a `verdicts` list at all.
    """

    votes: Mapping[str, Vote]
    dropped: tuple[Dropped, ...]
    found: bool


def read_ballot(reply: str, ids: Sequence[str], nonce: str, check: QuoteCheck | None = None) -> Ballot:
    """Read the votes on `ids` from a reply of any shape.

    Per entry: an unknown id, a verdict outside the three (case and blanks folded) or an empty rationale drops
    it; a bad severity becomes `medium`; a second valid vote for an id is listed, the first stands; what is no
    object is skipped. A malformed quote is listed, the vote stays.

    Args:
        reply: The whole reply.
        ids: Of the claims, in order.
        nonce: Of the run.
        check: What quotes are looked up in; without it they are read alone.
    """
    found = candidates(reply, nonce)
    votes: dict[str, Vote] = {}
    dropped: list[Dropped] = []
    if len(reply) > MAX_REPLY:
        dropped.append(Dropped(reason=f"of {len(reply):,} characters only the last {MAX_REPLY:,} were read"))
    for entry in found[0].entries if found else ():
        if not isinstance(entry, dict):
            continue
        vote = _read_entry(entry, ids)
        if isinstance(vote, Dropped):
            dropped.append(vote)
        elif vote.id in votes:
            dropped.append(Dropped(id=vote.id, reason=f"second vote ({vote.verdict}); the first stands"))
        else:
            quotes, faults = read_quotes(entry.get("quotes"), vote.id, check)
            dropped += [Dropped(id=vote.id, reason=f"{fault}; the vote stays") for fault in faults]
            vote = vote.model_copy(update={"quotes": quotes}) if quotes else vote
            votes[vote.id] = held_to_quotes(vote) if check is not None and check.required else vote
    ordered = {ident: votes[ident] for ident in ids if ident in votes}
    if len(dropped) > _MAX_DROPPED:
        dropped[_MAX_DROPPED:] = [
            Dropped(reason=f"{len(dropped) - _MAX_DROPPED:,} more entries were dropped")
        ]
    return Ballot(votes=ordered, dropped=tuple(dropped), found=bool(found))


def _read_entry(entry: Mapping[str, Any], ids: Iterable[str]) -> Vote | Dropped:
    ident = entry.get("id")
    shown = clip(clean_line(ident), _SHOWN) if isinstance(ident, str) else None
    if CONFLICT in entry:
        return Dropped(id=shown, reason="a key has two values")
    if not isinstance(ident, str):
        return Dropped(reason=f"no id: {_shown(ident)}")
    known = ident if ident in ids else _bare(ident)
    if known not in ids:
        return Dropped(id=shown, reason="unknown id")
    verdict = _verdict(entry.get("verdict"))
    if verdict is None:
        return Dropped(id=shown, reason=f"verdict outside the three: {_shown(entry.get('verdict'))}")
    rationale = entry.get("rationale")
    words = clean_line(rationale) if isinstance(rationale, str) else ""
    if not words:
        return Dropped(id=shown, reason="empty rationale")
    return Vote(
        id=known,
        verdict=verdict,
        severity=_severity(entry.get("severity")),
        rationale=clip(words, MAX_RATIONALE),
        missing=_missing(entry.get("missing"), verdict),
    )


def _bare(value: str) -> str:
    return value.translate(ZERO_WIDTH).strip()


def _verdict(value: object) -> VoteWord | None:
    bare = _bare(value) if isinstance(value, str) else ""
    # Letters of other scripts fold to ours, and are not ours.
    return next((word for word in VOTES if bare.isascii() and word == bare.upper()), None)


def _severity(value: object) -> Severity:
    folded = value.strip().lower() if isinstance(value, str) else None
    return next((word for word in SEVERITIES if word == folded), "medium")


def _missing(value: object, verdict: VoteWord) -> str | None:
    words = clean_line(value) if isinstance(value, str) and verdict == "UNCERTAIN" else ""
    return clip(words, MAX_RATIONALE) or None


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else reprlib.repr(value)
    return "absent" if value is None else repr(clip(clean_line(text), _SHOWN))
