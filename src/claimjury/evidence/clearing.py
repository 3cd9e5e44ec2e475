"""Clearing: evidence without secrets in it, refused or redacted, and always said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from claimjury.errors import SourceDenied
from claimjury.evidence.reference import Reference
from claimjury.evidence.secrets import Secret, excerpt_of, find_secrets, redact, secrets_within
from claimjury.evidence.sources import Source

__all__ = ["cleared_reference", "cleared_source", "refuse_secrets_of"]

_MAX_NAMED = 5
_REDACT = "Take it out; --redact sends a copy without it, --allow-secrets sends it as it is."
_LEAVE_OUT = "Take it out, or say it without the secret; --allow-secrets sends it as it is."
_RENAME = "Rename the file; --allow-secrets sends it as it is."


def cleared_source(source: Source, *, redacting: bool) -> Source:
    """Give a source that holds no secret. Of an excerpt the whole file is looked through.

    Raises:
        SourceDenied: It holds one and is not to be redacted, or its name does.
    """
    refuse_secrets_of(source.path, "The name of a source", _RENAME)
    found = _found_in(source)
    if not found:
        return source
    if not redacting:
        raise _denied(f"The source {source.shown}", source.text, found, source.first_line, _REDACT)
    rows = tuple((secret.line + source.first_line - 1, secret.rule) for secret in found)
    return replace(source, text=redact(source.text, found), redacted=rows)


def cleared_reference(reference: Reference, *, redacting: bool) -> Reference:
    """Give a reference that holds no secret.

    Raises:
        SourceDenied: It holds one and is not to be redacted.
    """
    found = find_secrets(reference.text)
    if not found:
        return reference
    if not redacting:
        raise _denied("The reference", reference.text, found, 1, _REDACT)
    rows = tuple((secret.line, secret.rule) for secret in found)
    return replace(reference, text=redact(reference.text, found), redacted=rows)


def refuse_secrets_of(text: str, what: str, hint: str = _LEAVE_OUT) -> None:
    """Refuse a text that holds a secret; a claim is never redacted, since it would be another claim.

    Raises:
        SourceDenied: With the form, the line and the line without it.
    """
    found = find_secrets(text)
    if found:
        raise _denied(what, text, found, 1, hint)


def _found_in(source: Source) -> list[Secret]:
    if source.excerpt is None or source.whole is None:
        return find_secrets(source.text, diff=source.diff is not None)
    first, _ = source.excerpt
    start = 0
    for _ in range(first - 1):
        start = source.whole.index("\n", start) + 1
    return secrets_within(find_secrets(source.whole), start, start + len(source.text), first)


def _denied(what: str, text: str, found: Sequence[Secret], first_line: int, hint: str) -> SourceDenied:
    named = [
        f"{secret.rule} in line {secret.line + first_line - 1} ({excerpt_of(text, secret, found)})"
        for secret in found[:_MAX_NAMED]
    ]
    more = f", and {len(found) - _MAX_NAMED} more" if len(found) > _MAX_NAMED else ""
    return SourceDenied(
        f"{what} holds what has the form of a secret, so nothing was sent: {'; '.join(named)}{more}.",
        hint=hint,
    )
