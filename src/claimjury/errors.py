"""Everything that can go wrong, as one tree.

ClaimjuryError
├── RequestError            the caller's input cannot be used; nothing was sent
│   ├── InvalidRequest      INVALID_REQUEST
│   ├── ConfigInvalid       CONFIG_INVALID
│   ├── UnknownRun          UNKNOWN_RUN
│   └── EvidenceError       a source or the evidence as a whole
│       ├── SourceNotFound      SOURCE_PATH_NOT_FOUND
│       ├── SourceTooLarge      SOURCE_FILE_TOO_LARGE
│       ├── SourceOutsideRoots  SOURCE_OUTSIDE_ROOTS
│       ├── SourceNotText       SOURCE_NOT_TEXT
│       ├── SourceDenied        SOURCE_DENIED
│       └── EvidenceTooLarge    EVIDENCE_TOO_LARGE
├── CloudNotConfigured      CLOUD_NOT_CONFIGURED: no key, so nothing was sent
├── BudgetExceeded          BUDGET_EXCEEDED: the worst case is over a limit; no evidence was sent
├── InternalError           INTERNAL: our own fault
└── CallError               one call to one model failed; becomes a seat's exclude_reason, never a crash

Every error carries `code`, `message` (what was wrong, and where), `hint` (what to do next) and
`retryable` (whether the same input may work later). The codes are closed: `RequestCode` and `CallCode`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal

__all__ = [
    "BudgetExceeded",
    "CallCode",
    "CallError",
    "ClaimjuryError",
    "CloudNotConfigured",
    "ConfigInvalid",
    "ErrorCode",
    "EvidenceError",
    "EvidenceTooLarge",
    "InternalError",
    "InvalidRequest",
    "RequestCode",
    "RequestError",
    "SourceDenied",
    "SourceNotFound",
    "SourceNotText",
    "SourceOutsideRoots",
    "SourceTooLarge",
    "UnknownRun",
]

RequestCode = Literal[
    "CLOUD_NOT_CONFIGURED",
    "INVALID_REQUEST",
    "SOURCE_PATH_NOT_FOUND",
    "SOURCE_FILE_TOO_LARGE",
    "SOURCE_OUTSIDE_ROOTS",
    "SOURCE_NOT_TEXT",
    "SOURCE_DENIED",
    "EVIDENCE_TOO_LARGE",
    "CONFIG_INVALID",
    "UNKNOWN_RUN",
    "BUDGET_EXCEEDED",
    "INTERNAL",
]
CallCode = Literal[
    "OLLAMA_MODEL_MISSING",
    "MODEL_RETIRED",
    "AUTH_FAILED",
    "PLAN_LOCKED",
    "PAYMENT_REQUIRED",
    "RATE_LIMITED",
    "QUOTA_EXHAUSTED",
    "TIMEOUT",
    "UNREACHABLE",
    "SERVER_ERROR",
    "BAD_RESPONSE",
    "RESPONSE_TOO_LARGE",
]
ErrorCode = RequestCode | CallCode


class ClaimjuryError(Exception):
    """The root: catch this to catch all that claimjury raises on purpose.

    Attributes:
        code: One of the closed set of `ErrorCode`.
        message: What was wrong, and where.
        hint: What to do next.
        retryable: Whether the same input may work later.
    """

    code: ErrorCode
    exit_status: ClassVar[int] = 70

    def __init__(self, message: str, *, hint: str, retryable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.retryable = retryable

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class RequestError(ClaimjuryError):
    """The caller's input cannot be used. Nothing was sent."""

    exit_status = 2


class InvalidRequest(RequestError):
    """A claim, a limit or an option is not as the contract asks."""

    code = "INVALID_REQUEST"


class ConfigInvalid(RequestError):
    """A setting (an environment variable, a host) cannot be used."""

    code = "CONFIG_INVALID"


class UnknownRun(RequestError):
    """The ledger has no such run, or several."""

    code = "UNKNOWN_RUN"


class EvidenceError(RequestError):
    """A source, or the evidence as a whole, cannot be used."""


class SourceNotFound(EvidenceError):
    """The path names nothing that can be read."""

    code = "SOURCE_PATH_NOT_FOUND"


class SourceTooLarge(EvidenceError):
    """One file is over the limit of bytes."""

    code = "SOURCE_FILE_TOO_LARGE"


class SourceOutsideRoots(EvidenceError):
    """The path, with its links followed, lies below none of the allowed roots."""

    code = "SOURCE_OUTSIDE_ROOTS"


class SourceNotText(EvidenceError):
    """The file is not a regular file of text."""

    code = "SOURCE_NOT_TEXT"


class SourceDenied(EvidenceError):
    """The file's name says that it holds secrets."""

    code = "SOURCE_DENIED"


class EvidenceTooLarge(EvidenceError):
    """The prompt does not fit the smallest context window of the panel."""

    code = "EVIDENCE_TOO_LARGE"


class CloudNotConfigured(ClaimjuryError):
    """There is no key for a host that the panel needs. Nothing was sent.

    Attributes:
        settled: What was settled without a model before, as `Settlement` values.
    """

    code = "CLOUD_NOT_CONFIGURED"
    exit_status = 3

    def __init__(
        self,
        message: str,
        *,
        hint: str,
        retryable: bool = False,
        settled: tuple[Any, ...] = (),
    ) -> None:
        super().__init__(message, hint=hint, retryable=retryable)
        self.settled = settled


class BudgetExceeded(ClaimjuryError):
    """What a run may take at worst is over a limit. No evidence was sent."""

    code = "BUDGET_EXCEEDED"
    exit_status = 5


class InternalError(ClaimjuryError):
    """Our own fault."""

    code = "INTERNAL"
    exit_status = 70


class CallError(ClaimjuryError):
    """One call to one model failed.

    Attributes:
        status: The HTTP status, where there was one.
        retry_after_s: Seconds that the host asked us to wait, where it did.
        queued: The host refused because too many calls of this account run at once.
    """

    exit_status = 4

    def __init__(
        self,
        code: CallCode,
        message: str,
        *,
        hint: str = "",
        retryable: bool = False,
        status: int | None = None,
        retry_after_s: float | None = None,
        queued: bool = False,
    ) -> None:
        super().__init__(message, hint=hint, retryable=retryable)
        self.code: CallCode = code
        self.status = status
        self.retry_after_s = retry_after_s
        self.queued = queued

    def reworded(self, change: Callable[[str], str]) -> CallError:
        """Give the same failure with its words changed, as by taking a secret out of them."""
        return CallError(
            self.code,
            change(self.message),
            hint=self.hint,
            retryable=self.retryable,
            status=self.status,
            retry_after_s=self.retry_after_s,
            queued=self.queued,
        )
