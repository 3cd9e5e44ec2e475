"""The envelope: one JSON object for a run or a failure, complete by itself."""

from __future__ import annotations

from typing import Any, Literal

from claimjury.errors import ClaimjuryError, CloudNotConfigured, ErrorCode
from claimjury.jury.gate import ExitStatus, exit_status
from claimjury.jury.result import RunStatus, VerifyResult
from claimjury.settlers.outcome import Settlement
from claimjury.values import Value

__all__ = ["Envelope", "ErrorEnvelope", "Failure", "envelope", "error_envelope"]


class Envelope(Value):
    """A result and what a caller wants to know without reading it. A field that does not apply is absent."""

    result: VerifyResult
    run_id: str
    status: RunStatus
    backend: Literal["cloud", "local", "mixed"]
    degraded: bool
    degrade_reason: str | None = None
    warnings: tuple[str, ...]
    model: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    elapsed_ms: int
    exit_status: ExitStatus


class Failure(Value):
    """What went wrong, and what to do next."""

    code: ErrorCode
    message: str
    hint: str
    retryable: bool


class ErrorEnvelope(Value):
    """A failure before there was a result.

    Attributes:
        settled: What was settled without a model before it.
    """

    error: Failure
    settled: tuple[Settlement, ...] | None = None
    exit_status: int


def envelope(result: VerifyResult) -> dict[str, Any]:
    """Give a result in its envelope, JSON-ready."""
    excluded = sum(not seat.included for seat in result.panel)
    return Envelope(
        result=result,
        run_id=result.run_id,
        status=result.status,
        backend=_backend(result),
        degraded=excluded > 0,
        degrade_reason=f"jury_excluded:{excluded}/{len(result.panel)}" if excluded else None,
        warnings=result.warnings,
        model=",".join(seat.model for seat in result.panel),
        tokens_in=result.tokens_in,
        tokens_out=result.tokens_out,
        cost_usd=result.cost_usd,
        elapsed_ms=result.elapsed_ms,
        exit_status=exit_status(result),
    ).to_json()


def _backend(result: VerifyResult) -> Literal["cloud", "local", "mixed"]:
    """Say where the panel ran: that of all its seats, or `mixed`."""
    backends = {seat.backend for seat in result.panel}
    return next(iter(backends)) if len(backends) == 1 else "mixed"


def error_envelope(error: ClaimjuryError) -> dict[str, Any]:
    """Give a failure in its envelope, JSON-ready."""
    failure = Failure(code=error.code, message=error.message, hint=error.hint, retryable=error.retryable)
    rows = error.settled if isinstance(error, CloudNotConfigured) else ()
    return ErrorEnvelope(error=failure, settled=rows or None, exit_status=error.exit_status).to_json()
