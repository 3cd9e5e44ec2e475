"""URL helpers for the carrier client."""

from __future__ import annotations

from urllib.parse import quote


def join_url(base, path):
    """Join without doubling the slash between the two."""
    return base.rstrip("/") + "/" + quote(path.lstrip("/"))


def is_local(host):
    return host in {"localhost", "127.0.0.1", "::1"}


def redact(headers):
    """Hide what must not reach a log."""
    hidden = {"authorization", "cookie"}
    return {k: ("***" if k.lower() in hidden else v) for k, v in headers.items()}
