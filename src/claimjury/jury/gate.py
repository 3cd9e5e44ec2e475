"""The gate: verdicts turned into an exit status. Pure; the numbers are frozen.

0 every claim CONFIRMED and firm · 10 refuted · 20 undecided, contested, weak or thin · 4 no juror could be
reached · 5 deadline left a claim undecided · 130 interrupted. (2, 3 and 70 belong to errors: `ClaimjuryError`.)
1 is never used on purpose, so a crash of the interpreter never reads as a verdict.
"""

from __future__ import annotations

from typing import Final, Literal

from claimjury.jury.result import VerifyResult

__all__ = ["ExitStatus", "exit_status"]

ExitStatus = Literal[0, 10, 20, 2, 3, 4, 5, 70, 130]
_NOT_ASKED: Final = ("author_family", "duplicate_family")
_CUT_SHORT: Final = ("deadline", "budget")


def exit_status(result: VerifyResult) -> ExitStatus:
    """Give the exit status of a run: the first that applies of 130, 4, 5, 20 (weak run), 10, 20, 0.

    With the polarity `findings`, CONFIRMED counts as the bad news (10) and REFUTED as the good.
    """
    if result.status == "interrupted":
        return 130
    reasons = [seat.exclude_reason or "" for seat in result.panel]
    asked = [reason for reason in reasons if reason not in _NOT_ASKED]
    if asked and all(reason.startswith("call_failed:") for reason in asked):
        return 4
    verdicts = [claim.verdict for claim in result.claims]
    if "NEEDS_REVIEW" in verdicts and any(reason in _CUT_SHORT for reason in reasons):
        return 5
    if result.weak:
        return 20
    good, bad = (
        ("CONFIRMED", "REFUTED") if result.params.polarity == "assertions" else ("REFUTED", "CONFIRMED")
    )
    if bad in verdicts:
        return 10
    firm = all(claim.standing is not None and claim.standing.grade == "firm" for claim in result.claims)
    return 0 if firm and all(verdict == good for verdict in verdicts) else 20
