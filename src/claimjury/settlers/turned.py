"""What is said to be so now, no longer or still: the same is asked of the base."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import Decision, Form, Reading, Settled, Silent

__all__ = ["by_time"]

_TURNED: Final = ("turned", "longer", "any_more", "gone", "left_over")
"""Parts of the grammar: "now", "no longer", "any more", "gone", "left" and "remain"."""


def by_time(form: Form, reading: Reading, decision: Decision, evidence: Evidence) -> Decision:
    """Confirm what is now so, or no longer, only where it was otherwise at the base, and what is still so where it was so too."""
    still = reading.maybe("still") is not None
    turned = any(reading.maybe(part) is not None for part in _TURNED)
    if isinstance(decision, Silent) or decision.verdict != "CONFIRMED" or not (still or turned):
        return decision
    if form.of_moment:
        return Silent(reason="It is so now; whether it was before is not looked at.") if still else decision
    past = evidence.past()
    if isinstance(past, Silent):
        return replace(past, reason=f"It is so now; what was so before is not known. {past.reason}")
    return _with_past(form.decide(reading, past), decision, still=still)


def _with_past(then: Decision, now: Settled, *, still: bool) -> Decision:
    if isinstance(then, Silent):
        return replace(then, reason=f"It is so now; whether it was so at the base is not sure. {then.reason}")
    if (then.verdict == "CONFIRMED") is not still:
        words = "it was not so at the base" if still else "it was so at the base already"
        return Silent(reason=f"It is so now, and {words}.")
    # A line of the base is no line of the file as it lies there, which a proof's excerpt is taken from.
    left_out = dict.fromkeys(("line", "end_line", "excerpt"))
    before = [
        proof.model_copy(update={"text": f"At the base: {proof.text}", **left_out}) for proof in then.proof
    ]
    return replace(now, proof=(*now.proof, *before))
