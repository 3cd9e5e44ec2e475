"""What the tools answer: the envelope of a finished run, or what is known of one that is still going."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import TypeAdapter

from claimjury.jury.result import SeatResult
from claimjury.jury.votes import Verdict
from claimjury.report.envelope import Envelope
from claimjury.report.schema import open_schema
from claimjury.values import Value

__all__ = ["EgressNotice", "RunningClaim", "RunningRun", "answer_schema"]


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


def answer_schema() -> dict[str, Any]:
    """Give the JSON Schema of what both tools answer; its root is an object, as protocols up to 2025-11-25 ask."""
    adapter: TypeAdapter[Any] = TypeAdapter(Envelope | RunningRun)
    schema = open_schema(adapter.json_schema(mode="validation"))
    return {"type": "object", **schema}
