"""Proofs and reasons without secrets: a line that is shown goes to a terminal, a receipt and the model that asked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from claimjury.evidence.secrets import Secret, find_secrets, redact
from claimjury.settlers.evidence import Evidence, Unread
from claimjury.settlers.outcome import Proof, Reading, show
from claimjury.settlers.paths import Path, resolve

__all__ = ["bare", "bare_text"]

_SHORT: Final = 4
_MOST: Final = 1_000_000
"""Bytes: to look through more takes seconds, and no line of such a file is shown."""


def bare(proof: Proof, evidence: Evidence) -> Proof:
    """Give a proof without what has the form of a secret, by itself or in the file that it tells of."""
    told, excerpt = _without(proof.text, proof.path, evidence), proof.excerpt
    if excerpt is not None and proof.path is not None:
        excerpt = _excerpt(proof.path, (proof.line or 0) - 1, excerpt, evidence)
    path = None if proof.path is None else redact(proof.path, find_secrets(proof.path))
    return proof.model_copy(update={"text": told, "excerpt": excerpt, "path": path})


def _excerpt(path: str, at: int, shown: str, evidence: Evidence) -> str | None:
    """Give a line again without secrets, from that text of the file which it is of: the one of now, or that of the base."""
    for text in _texts(path, evidence):
        lines = text.split("\n")
        if 0 <= at < len(lines) and show(lines[at]) == shown:
            return show(_bare_lines(text)[at])
    return None


def bare_text(text: str, reading: Reading, evidence: Evidence) -> str:
    """Give a reason for silence likewise, by the files that the statement names."""
    for said in reading.all("path"):
        found = resolve(said, evidence)
        text = _without(text, found.path if isinstance(found, Path) else None, evidence)
    return _without(text, None, evidence)


def _without(told: str, path: str | None, evidence: Evidence) -> str:
    for text in _texts(path, evidence):
        for secret in _secrets_of(text):
            for value in text[secret.start : secret.end].split("\n"):
                for form in (value, show(value)):
                    if len(form) >= _SHORT:
                        told = told.replace(form, f"[REDACTED: {secret.rule}]")
    told = redact(told, find_secrets(told))
    # "api_key is 4f9c..." is how a proof writes what a file has as `api_key = 4f9c...`; the two are of one length.
    return redact(told, find_secrets(told.replace(" is ", " =  ")))


@lru_cache(maxsize=64)
def _secrets_of(text: str) -> tuple[Secret, ...]:
    return tuple(find_secrets(text))


def _bare_lines(text: str) -> list[str]:
    return redact(text, _secrets_of(text)).split("\n")


def _texts(path: str | None, evidence: Evidence) -> Iterator[str]:
    """Give a file's text as it lies there, and at the base where there is one; of one that is too long to look through, nothing."""
    if path is None:
        return
    if (now := evidence.read(path)) is not None and len(now) <= _MOST:
        yield now.decode("utf-8", "replace")
    if evidence.known_change is not None:
        try:
            then = evidence.read_then(path)
        except Unread:
            return
        if then is not None and len(then) <= _MOST:
            yield then.decode("utf-8", "replace")
