"""What the tools answer: the envelope of a finished run, or what is known of one that is still going."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import TypeAdapter

from claimjury.jury.result import SeatResult
from claimjury.jury.votes import Verdict
from claimjury.report.envelope import Envelope
from claimjury.report.schema import open_schema
from claimjury.skeptics.result import RefuteResult, SkepticResult
from claimjury.values import Value

__all__ = [
    "EgressNotice",
    "RunningClaim",
    "RunningRefute",
    "RunningRun",
    "jury_schema",
    "run_schema",
    "skeptics_schema",
]


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


class RunningRefute(Value):
    """A run of skeptics that goes on: it has no verdict yet, for each one that is outstanding may change it.

    Attributes:
        n: How many there are.
        skeptics: Those that ended.
        outstanding: The places of the others, counted from 1.
        sends: What was said to leave. How many bytes left is in the result of the finished run.
        next: What to do now.
    """

    run_id: str
    status: Literal["running"]
    claim: str
    n: int
    skeptics: tuple[SkepticResult, ...]
    outstanding: tuple[int, ...]
    sends: tuple[str, ...]
    warnings: tuple[str, ...]
    elapsed_ms: int
    next: str


def jury_schema() -> dict[str, Any]:
    """Give the JSON Schema of what `ollama_verify_claims` answers."""
    return _schema(Envelope | RunningRun)


def skeptics_schema() -> dict[str, Any]:
    """Give the JSON Schema of what `claim_verifier` answers."""
    return _schema(RefuteResult | RunningRefute)


def run_schema() -> dict[str, Any]:
    """Give the JSON Schema of what `get_run` answers: a run of either kind."""
    return _schema(Envelope | RunningRun | RefuteResult | RunningRefute)


def _schema(kind: Any) -> dict[str, Any]:
    """Give a schema whose root is an object, as protocols up to 2025-11-25 ask."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    return {"type": "object", **open_schema(adapter.json_schema(mode="validation"))}
