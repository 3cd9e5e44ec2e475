"""What is known of a run of a jury that is still going; of a finished one there is its envelope."""

from __future__ import annotations

from typing import Literal

from claimjury.evidence.citing.checking import Status
from claimjury.jury.result import SeatResult
from claimjury.jury.votes import Verdict
from claimjury.values import Value

__all__ = ["CitedPlace", "CitedPlaces", "EgressNotice", "RunningClaim", "RunningRun"]


class CitedPlace(Value):
    """A citation and what came of it.

    Attributes:
        text: As it stands in the text.
        at_line: The line of the text.
        status: `ok`; broken are `missing_file`, `missing_line`, `moved` (what stands beside it is at `moved_to`) and `not_there`;
            the others were not looked into.
        beside: What the text names there.
    """

    text: str
    at_line: int
    path: str
    line: int | None = None
    end_line: int | None = None
    status: Status
    broken: bool
    file: str | None = None
    lines_in_file: int | None = None
    beside: str | None = None
    moved_to: int | None = None
    message: str | None = None


class CitedPlaces(Value):
    """The citations of a text, in their order."""

    citations: tuple[CitedPlace, ...]
    counts: dict[str, int]
    broken: int
    note: str


class EgressNotice(Value):
    """What was announced to leave for a host. How many bytes left is in the result of the finished run."""

    host: str
    line: str


class RunningClaim(Value):
    """A claim while its run goes on.

    Attributes:
        decided_early: No outstanding vote can change the verdict; its standing is still open.
        verdict: Present only where it is decided early.
    """

    id: str
    statement: str
    confirm_votes: int
    refute_votes: int
    uncertain_votes: int
    decided_early: Literal[True] | None = None
    verdict: Verdict | None = None


class RunningRun(Value):
    """A run that goes on: no verdict of it is final but those that are decided early.

    Attributes:
        claims: What is counted so far, over seats that ended and count.
        seats: Those that ended, included or not.
        outstanding: Models that have not ended.
        egress: What was said to leave.
        next: What to do now.
    """

    run_id: str
    status: Literal["running"]
    claims: tuple[RunningClaim, ...]
    seats: tuple[SeatResult, ...]
    outstanding: tuple[str, ...]
    egress: tuple[EgressNotice, ...]
    warnings: tuple[str, ...]
    elapsed_ms: int
    next: str
