"""The envelope: one JSON object for a run or a failure, complete by itself."""

from __future__ import annotations

from typing import Any

from claimjury.errors import ClaimjuryError
from claimjury.jury.gate import exit_status
from claimjury.jury.result import VerifyResult

__all__ = ["envelope", "error_envelope"]


def envelope(result: VerifyResult) -> dict[str, Any]:
    """Give a result in its envelope, JSON-ready. A field that does not apply is absent."""
    excluded = sum(not seat.included for seat in result.panel)
    fields = {
        "result": result.to_json(),
        "run_id": result.run_id,
        "status": result.status,
        "backend": "cloud",
        "degraded": excluded > 0,
        "degrade_reason": f"jury_excluded:{excluded}/{len(result.panel)}" if excluded else None,
        "warnings": list(result.warnings),
        "model": ",".join(seat.model for seat in result.panel),
        "tokens_in": result.tokens_in,
        "tokens_out": result.tokens_out,
        "elapsed_ms": result.elapsed_ms,
        "exit_status": exit_status(result),
    }
    return {name: value for name, value in fields.items() if value is not None}


def error_envelope(error: ClaimjuryError) -> dict[str, Any]:
    """Give a failure in its envelope, JSON-ready."""
    return {
        "error": {
            "code": error.code,
            "message": error.message,
            "hint": error.hint,
            "retryable": error.retryable,
        },
        "exit_status": error.exit_status,
    }
