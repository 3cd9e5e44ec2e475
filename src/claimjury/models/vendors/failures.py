"""Failures of a vendor's SDK as our codes: the HTTP facts decide, and the vendor's own code where it says more.

pydantic-ai knows each vendor's error codes (its `_model_errors`, with links to their pages) and raises a class for each
kind; that class tells a quota that is used up from a limit that passes, and a bad key behind a status 400.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import httpx2
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelNotFoundError,
    ModelQuotaExceededError,
)

from claimjury.errors import CallCode, CallError
from claimjury.models.failures import status_failure, transport_failure
from claimjury.models.hosts import Host
from claimjury.models.vendors.witness import Exchange
from claimjury.text import clean_line, clip

__all__ = ["vendor_failure"]

# What a status means together with pydantic-ai's class and the vendor's own words; the first row that fits. Words are
# those of the vendors' error bodies (tests/vendors/vendor_errors.json names the source of each), and are read only where one
# status has several meanings, never in a reply that succeeded.
_Meaning = tuple[tuple[int, ...], type[ModelAPIError], tuple[str, ...], CallCode]
_MEANINGS: Final[tuple[_Meaning, ...]] = (
    (
        (400, 403),
        ModelAPIError,
        ("credit balance", "insufficient funds", "insufficient credits"),
        "PAYMENT_REQUIRED",
    ),
    ((400, 429), ModelAPIError, ("spend_limit_reached", "api usage limits"), "QUOTA_EXHAUSTED"),
    ((429,), ModelQuotaExceededError, (), "QUOTA_EXHAUSTED"),
    (
        (400, 403),
        ModelAPIError,
        (
            "failed_precondition",
            "unsupported_country_region_territory",
            "does not have access to model",
        ),
        "PLAN_LOCKED",
    ),
    ((400, 404), ModelNotFoundError, (), "OLLAMA_MODEL_MISSING"),
    ((400, 401, 403), ModelAuthenticationError, (), "AUTH_FAILED"),
    ((504,), ModelAPIError, (), "TIMEOUT"),
)
_TOO_BIG: Final = (
    "The host refuses the request as it is; the SDK and the model's settings may not fit each other."
)


def vendor_failure(error: Exception, exchange: Exchange | None, *, host: Host, model: str) -> CallError:
    """Give the failure that an SDK's exception stands for.

    Args:
        error: What the SDK, or pydantic-ai, raised.
        exchange: The reply that came, if one did.
        host: That was asked.
        model: As it was asked for.
    """
    chain = list(_causes(error))
    if own := next((cause for cause in chain if isinstance(cause, CallError)), None):
        return own
    if exchange is not None and exchange.status >= 300:
        known = next((code for cause in chain if (code := _known(cause, exchange))), None)
        failure = status_failure(
            exchange.status, exchange.headers, exchange.body, host=host, model=model, known=known
        )
        wait = next((c.retry_after for c in chain if isinstance(c, ModelAPIError) and c.retry_after), None)
        if failure.retryable and failure.retry_after_s is None:
            failure.retry_after_s = wait
        return failure
    if broken := next((cause for cause in chain if isinstance(cause, httpx2.TransportError)), None):
        return transport_failure(broken, host=host)
    return _unreadable(error, exchange, host)


def _unreadable(error: Exception, exchange: Exchange | None, host: Host) -> CallError:
    said = clip(clean_line(host.scrub(str(error))), 200) or type(error).__name__
    if exchange is None:
        return CallError("BAD_RESPONSE", f"The request to {host.host} was not made: {said}", hint=_TOO_BIG)
    return CallError("BAD_RESPONSE", f"The reply of {host.host} cannot be read: {said}")


def _known(cause: BaseException, exchange: Exchange) -> CallCode | None:
    """Give the code that a vendor's own words mean, where the status alone would say another."""
    if not isinstance(cause, ModelAPIError):
        return None
    words = exchange.body[:8_192].decode("utf-8", errors="replace").casefold()
    for statuses, kind, said, code in _MEANINGS:
        if exchange.status in statuses and isinstance(cause, kind) and _says(words, said):
            return code
    return None


def _says(words: str, any_of: Sequence[str]) -> bool:
    return not any_of or any(word in words for word in any_of)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
