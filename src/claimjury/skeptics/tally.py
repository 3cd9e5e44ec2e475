"""The tally of skeptics: findings to one verdict. Pure; its rules are fixed.

With N skeptics, of whom r refute: HOLDS iff r * 2 <= N, else REFUTED. Fail-closed: a skeptic who could not verify,
or who broke down, refutes and is never dropped; but those are counted apart, so that an outage never reads as a
refutation. What a gate sees of it is the exit status.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from claimjury.errors import InvalidRequest

__all__ = ["Finding", "Grounds", "RefuteStatus", "RefuteTally", "RefuteVerdict", "tally"]

Grounds = Literal["evidence", "default", "fault"]
RefuteVerdict = Literal["HOLDS", "REFUTED"]
RefuteStatus = Literal[0, 4, 10, 20]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one skeptic came to.

    Attributes:
        refuted: Whether the skeptic says that the claim is refuted.
        grounds: `evidence`: it looked, and says so. `default`: it could not verify, hedged, or read nothing.
            `fault`: it gave no verdict that can be read: the provider failed, time ran out, another model answered.
        reason: One sentence.
    """

    refuted: bool
    grounds: Grounds
    reason: str

    @property
    def refutes(self) -> bool:
        """Whether it counts as a refutation. A default or a fault does, whatever was said."""
        return self.refuted or self.grounds != "evidence"

    @property
    def counted(self) -> Grounds:
        """The grounds that it counts on: a refutation that gives no reason is none on evidence."""
        return self.grounds if self.reason.strip() or self.grounds != "evidence" else "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefuteTally:
    """What the findings come to.

    Attributes:
        verdict: HOLDS unless more than half of the skeptics refute.
        n: How many skeptics there were.
        refuted: How many count as refuting, on whatever grounds.
        refuted_on_evidence: Those that looked and refuted, with a reason.
        refuted_by_default: Those that could not verify.
        faulted: Those that broke down.
        tie: Exactly half refute; the verdict is HOLDS, and the exit status is not that of one.
        exit_status: 0 HOLDS without a tie; 10 REFUTED on evidence; 20 a tie, or REFUTED only by default or fault;
            4 all broke down.
    """

    verdict: RefuteVerdict
    n: int
    refuted: int
    refuted_on_evidence: int
    refuted_by_default: int
    faulted: int
    tie: bool
    exit_status: RefuteStatus


def tally(findings: Sequence[Finding]) -> RefuteTally:
    """Count the findings of one panel of skeptics. Their order changes nothing.

    Raises:
        InvalidRequest: There is none. Nobody refuting because nobody looked is not a claim that holds.
    """
    if not findings:
        raise InvalidRequest("There is no skeptic to count.", hint="Ask at least one; three is the default.")
    n, refuted = len(findings), sum(finding.refutes for finding in findings)
    grounds = [finding.counted for finding in findings if finding.refutes]
    on_evidence, faulted = grounds.count("evidence"), grounds.count("fault")
    return RefuteTally(
        verdict="REFUTED" if refuted * 2 > n else "HOLDS",
        n=n,
        refuted=refuted,
        refuted_on_evidence=on_evidence,
        refuted_by_default=grounds.count("default"),
        faulted=faulted,
        tie=refuted * 2 == n,
        exit_status=_status(n, refuted, on_evidence, faulted),
    )


def _status(n: int, refuted: int, on_evidence: int, faulted: int) -> RefuteStatus:
    if faulted == n:
        return 4
    if on_evidence * 2 > n:
        return 10
    return 0 if refuted * 2 < n else 20
