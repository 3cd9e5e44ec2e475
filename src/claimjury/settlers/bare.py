"""Proofs without secrets: a line that is shown goes to a terminal, a receipt and the model that asked."""

from __future__ import annotations

from collections.abc import Iterator

from claimjury.evidence.secrets import find_secrets, redact, without_secrets
from claimjury.settlers.evidence import Evidence, Unread
from claimjury.settlers.outcome import Proof, show

__all__ = ["bare"]

_SHORT = 4


def bare(proof: Proof, evidence: Evidence) -> Proof:
    """Give a proof without what has the form of a secret, by itself or in the file that it tells of."""
    told = redact(proof.text, find_secrets(proof.text))
    excerpt = proof.excerpt
    for text in _texts(proof.path, evidence):
        found = find_secrets(text)
        for secret in found:
            for value in text[secret.start : secret.end].split("\n"):
                if len(value) >= _SHORT:
                    told = told.replace(value, f"[REDACTED: {secret.rule}]")
                    told = told.replace(show(value), f"[REDACTED: {secret.rule}]")
    if excerpt is not None and (now := next(_texts(proof.path, evidence), None)) is not None:
        lines = without_secrets(now).text.split("\n")
        at = (proof.line or 0) - 1
        excerpt = show(lines[at]) if 0 <= at < len(lines) else None
    return proof.model_copy(update={"text": told, "excerpt": excerpt})


def _texts(path: str | None, evidence: Evidence) -> Iterator[str]:
    """Give a file's text as it lies there, and at the base where there is one."""
    if path is None:
        return
    if (now := evidence.read(path)) is not None:
        yield now.decode("utf-8", "replace")
    if evidence.known_change is not None:
        try:
            then = evidence.read_then(path)
        except Unread:
            return
        if then is not None:
            yield then.decode("utf-8", "replace")
