"""Failures: an HTTP status, its body or a broken connection, as one of our codes.

Source of the statuses and their wording: what Ollama's source and its users' reports show, since the official
list has only 400, 404, 429, 500 and 502. A status decides; words decide only where one status has two meanings
(429: a limit that passes, or a quota that is used up), and never in a reply that succeeded.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import httpx2

from claimjury.errors import CallCode, CallError
from claimjury.models.hosts import KEY_PAGE, Cloud
from claimjury.text import clean_line, clip

__all__ = ["error_text", "retry_after", "said", "status_failure", "transport_failure"]

_MAX_TEXT: Final = 300
_QUOTA_WORDS: Final = ("usage limit", "quota", "extra usage", "billing", "insufficient balance")
_BY_STATUS: Final[dict[int, tuple[CallCode, str]]] = {
    401: ("AUTH_FAILED", f"Check OLLAMA_API_KEY; keys are made at {KEY_PAGE}."),
    402: ("PAYMENT_REQUIRED", "The model is billed as extra usage, and the balance does not cover it."),
    403: ("PLAN_LOCKED", "The plan of this key does not serve the model."),
    404: ("OLLAMA_MODEL_MISSING", "The id is not in the catalogue; check its spelling."),
    408: ("TIMEOUT", "The host gave up waiting."),
    410: (
        "MODEL_RETIRED",
        "The model is gone for good; name another. A suggested successor may be another vendor's.",
    ),
    413: ("BAD_RESPONSE", "The request was too large for the host; send less evidence."),
}


def status_failure(
    status: int, headers: Mapping[str, str], body: bytes, *, cloud: Cloud, model: str
) -> CallError:
    """Give the failure that an HTTP status other than 200 stands for."""
    text = error_text(cloud.scrub(_parsed(body)))
    where = f"{cloud.host} answered {status} for {model}"
    if 300 <= status < 400:
        target = clip(clean_line(cloud.scrub(headers.get("location", ""))), 120)
        return CallError(
            "BAD_RESPONSE",
            f"{where}: a redirect to {target or 'nowhere'}, which was not followed.",
            hint="A redirect would take the key and the evidence elsewhere. Check OLLAMA_CLOUD_HOST.",
            status=status,
        )
    if status == 429:
        return _too_many(f"{where}{said(text)}.", text, retry_after(headers))
    code, hint = _BY_STATUS.get(status, ("SERVER_ERROR", "") if status >= 500 else ("BAD_RESPONSE", ""))
    return CallError(
        code,
        f"{where}{said(text)}.",
        hint=hint,
        retryable=code == "SERVER_ERROR",
        status=status,
        retry_after_s=retry_after(headers),
    )


def _too_many(message: str, text: str, wait_s: float | None) -> CallError:
    folded = text.casefold()
    if any(word in folded for word in _QUOTA_WORDS):
        return CallError(
            "QUOTA_EXHAUSTED", message, hint="Wait for the limit to reset, or raise the plan.", status=429
        )
    return CallError(
        "RATE_LIMITED",
        message,
        hint="Try again in a moment.",
        retryable=True,
        status=429,
        retry_after_s=wait_s,
        queued="concurrent" in folded,
    )


def transport_failure(error: httpx2.TransportError, *, host: str) -> CallError:
    """Give the failure that a broken or missing connection stands for. A time-out is not tried again."""
    detail = clip(clean_line(str(error)), _MAX_TEXT).rstrip(".") or type(error).__name__
    if isinstance(error, httpx2.ConnectTimeout):
        return CallError("UNREACHABLE", f"{host} did not take the connection in time.", hint=_NETWORK)
    if isinstance(error, httpx2.TimeoutException):
        return CallError("TIMEOUT", f"{host} did not answer in time: {detail}.")
    if isinstance(error, (httpx2.UnsupportedProtocol, httpx2.DecodingError)):
        return CallError("BAD_RESPONSE", f"The reply of {host} cannot be read: {detail}.")
    if "CERTIFICATE_VERIFY_FAILED" in detail:
        return CallError(
            "UNREACHABLE", f"The certificate of {host} is not trusted: {detail}.", hint=_CERTIFICATE
        )
    return CallError(
        "UNREACHABLE", f"The connection to {host} failed: {detail}.", hint=_NETWORK, retryable=True
    )


_CERTIFICATE: Final = (
    "Where your network has an authority of its own, point SSL_CERT_FILE at its certificates."
)
_NETWORK: Final = "Check the network, HTTPS_PROXY, and OLLAMA_CLOUD_HOST."


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Give the seconds of a `Retry-After` header (RFC 9110, 10.2.3: seconds or a date), or None."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            when = parsedate_to_datetime(value)
        except ValueError:
            return None
        seconds = (when.replace(tzinfo=when.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None


def error_text(value: object) -> str:
    """Give the words of an error body: `{"error": "..."}`, `{"error": {"message": "..."}}`, or plain text."""
    if isinstance(value, dict):
        value = value.get("error") or value.get("message") or value.get("Status") or ""
        if isinstance(value, dict):
            value = value.get("message") or ""
    return clip(clean_line(value), _MAX_TEXT) if isinstance(value, str) else ""


def said(text: str) -> str:
    """Give `: "text"`, or nothing where there is no text."""
    return f': "{text.rstrip(".")}"' if text else ""


def _parsed(body: bytes) -> Any:
    text = body[:65_536].decode("utf-8", errors="replace")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return "" if text.lstrip().startswith("<") else text[:_MAX_TEXT]
