"""Failures: an HTTP status, its body or a broken connection, as one of our codes.

Source of Ollama's statuses and their wording: what its source and its users' reports show, since the official
list has only 400, 404, 429, 500 and 502. Those of other vendors: their own lists, named in the tests. A status decides; words decide only where one status has two meanings
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
from claimjury.models.daemon import Daemon
from claimjury.models.hosts import HOST_VARIABLE, Cloud, Host
from claimjury.text import clean_line, clip

__all__ = ["error_text", "retry_after", "said", "status_failure", "transport_failure"]

_MAX_TEXT: Final = 300
_QUOTA_WORDS: Final = ("usage limit", "quota", "extra usage", "billing", "insufficient balance")
_CODES: Final[dict[int, CallCode]] = {
    401: "AUTH_FAILED",
    402: "PAYMENT_REQUIRED",
    403: "PLAN_LOCKED",
    404: "OLLAMA_MODEL_MISSING",
    408: "TIMEOUT",
    409: "SERVER_ERROR",
    410: "MODEL_RETIRED",
    413: "BAD_RESPONSE",
    429: "RATE_LIMITED",
}
_HINTS: Final[dict[CallCode, str]] = {
    "PLAN_LOCKED": "The plan of this key does not serve the model.",
    "OLLAMA_MODEL_MISSING": "The id is not in the catalogue; check its spelling.",
    "TIMEOUT": "The host gave up waiting.",
    "MODEL_RETIRED": "The model is gone for good; name another. A suggested successor may be another vendor's.",
    "QUOTA_EXHAUSTED": "Wait for the limit to reset, or raise the plan.",
    "RATE_LIMITED": "Try again in a moment.",
}
_TOO_LARGE: Final = "The request was too large for the host; send less evidence."


def status_failure(
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    *,
    host: Host,
    model: str,
    known: CallCode | None = None,
) -> CallError:
    """Give the failure that an HTTP status other than 200 stands for.

    Args:
        status: The status.
        headers: Of the reply, names in lower case.
        body: Of the reply.
        host: That answered.
        model: As it was asked for.
        known: The code, where the vendor's own error code says more than the status.
    """
    text = error_text(host.scrub(_parsed(body)))
    where = f"{host.host} answered {status} for {model}"
    if 300 <= status < 400:
        return _redirect(where, status, host.scrub(headers.get("location", "")))
    ollama = isinstance(host, (Cloud, Daemon))
    code = known or _code(status, text, ollama=ollama)
    again = code in ("RATE_LIMITED", "SERVER_ERROR") or (status == 408 and not ollama)
    return CallError(
        code,
        f"{where}{said(text)}.",
        hint=_hint(code, status, host, model),
        retryable=again,
        status=status,
        retry_after_s=retry_after(headers) if again else None,
        queued=code == "RATE_LIMITED" and "concurrent" in text.casefold(),
    )


def _redirect(where: str, status: int, location: str) -> CallError:
    target = clip(clean_line(location), 120)
    return CallError(
        "BAD_RESPONSE",
        f"{where}: a redirect to {target or 'nowhere'}, which was not followed.",
        hint=f"A redirect would take the key and the evidence elsewhere. Check {HOST_VARIABLE} and your settings.",
        status=status,
    )


def _code(status: int, text: str, *, ollama: bool) -> CallCode:
    # Google words a limit that passes as a quota too.
    if ollama and status == 429 and any(word in text.casefold() for word in _QUOTA_WORDS):
        return "QUOTA_EXHAUSTED"
    return _CODES.get(status, "SERVER_ERROR" if status >= 500 else "BAD_RESPONSE")


def _hint(code: CallCode, status: int, host: Host, model: str) -> str:
    match code:
        case "AUTH_FAILED":
            made = f"; keys are made at {host.key_page}" if host.key_page else ""
            return f"Check {host.key_variable or 'the key of this host'}{made}."
        case "PAYMENT_REQUIRED" if isinstance(host, Cloud):
            return "The model is billed as extra usage, and the balance does not cover it."
        case "PAYMENT_REQUIRED":
            return "The account has no credit left for it."
        case "OLLAMA_MODEL_MISSING" if isinstance(host, Daemon):
            return f"`ollama pull {model}` installs it; `ollama list` shows what is there."
        case "BAD_RESPONSE" if status == 413:
            return _TOO_LARGE
        case _:
            return _HINTS.get(code, "")


def transport_failure(error: httpx2.TransportError, *, host: Host) -> CallError:
    """Give the failure that a broken or missing connection stands for. A time-out is not tried again."""
    detail = clip(clean_line(str(error)), _MAX_TEXT).rstrip(".") or type(error).__name__
    name, network = host.host, host.network_hint
    if isinstance(error, httpx2.ConnectTimeout):
        return CallError("UNREACHABLE", f"{name} did not take the connection in time.", hint=network)
    if isinstance(error, httpx2.TimeoutException):
        return CallError("TIMEOUT", f"{name} did not answer in time: {detail}.")
    if isinstance(error, (httpx2.UnsupportedProtocol, httpx2.DecodingError)):
        return CallError("BAD_RESPONSE", f"The reply of {name} cannot be read: {detail}.")
    if "CERTIFICATE_VERIFY_FAILED" in detail:
        return CallError(
            "UNREACHABLE", f"The certificate of {name} is not trusted: {detail}.", hint=_CERTIFICATE
        )
    return CallError(
        "UNREACHABLE", f"The connection to {name} failed: {detail}.", hint=network, retryable=True
    )


_CERTIFICATE: Final = (
    "Where your network has an authority of its own, point SSL_CERT_FILE at its certificates."
)


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
