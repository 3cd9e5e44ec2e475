"""Was it the model asked for? The check that makes a seat count.

It proves a label, not weights: a host can repoint a tag (ollama/ollama#17775), and no digest comes back with an
answer. It never claims more than "the host said that it served X".
"""

from __future__ import annotations

from claimjury.models.answers import Answer
from claimjury.models.names import same_model, sent_name
from claimjury.models.providers import DAEMON, OLLAMA
from claimjury.models.snapshots import is_snapshot
from claimjury.text import clean_line, clip

__all__ = ["FALLBACK", "fallback_advice", "name_of", "served_model_fault"]

FALLBACK = "local_fallback:names_written_by_a_daemon"


def name_of(model: str, provider: str) -> str:
    """Give the name that a host is asked for, from a panel's id and its provider."""
    prefix = OLLAMA if provider == DAEMON else provider
    head, slash, rest = model.partition("/")
    return rest if slash and head.casefold() == prefix else model


def served_model_fault(model: str, answer: Answer, *, provider: str = OLLAMA) -> str | None:
    """Give the reason to exclude the seat, or None where the served model is the one asked for.

    Ollama's names are compared without their cloud suffix and `:latest`; a vendor's must be equal or a dated snapshot
    that the vendor documents; a server's of the user's own must be equal.
    """
    requested = name_of(model, provider)
    if answer.remote_model is not None and not same_model(requested, answer.remote_model):
        return f"served_model_mismatch:{_shown(answer.remote_model)}"
    served = answer.served_model
    if served is None or not served.strip():
        return "served_model_unknown"
    ollama = provider in (OLLAMA, DAEMON)
    same = same_model(requested, served) if ollama else is_snapshot(provider, requested, served)
    if not same:
        return f"served_model_mismatch:{_shown(served)}"
    return FALLBACK if _written_by_daemon(requested, answer, provider) else None


def _written_by_daemon(requested: str, answer: Answer, provider: str) -> bool:
    """Whether the names are a daemon's word and not the cloud's.

    `remote_model` and `remote_host` are written by a daemon from its own stub (ollama/ollama routes.go), together with
    `model`: the cloud's own echo is lost. Where it hands an answer on unchanged, the cloud names the model without the
    suffix that the daemon was asked with; an echo with the suffix is the daemon's.
    """
    if answer.remote_model is not None or answer.remote_host is not None:
        return True
    echo = answer.served_model or ""
    return provider == DAEMON and sent_name(requested) != requested and sent_name(echo) != echo.strip()


def fallback_advice(provider: str) -> str:
    """Say what would prove that an answer is the cloud's."""
    asked = "leave out --local" if provider == DAEMON else "unset OLLAMA_CLOUD_HOST"
    return (
        "The daemon wrote the names itself, so nothing shows what the cloud served. A key for Ollama Cloud would prove it "
        f"(export OLLAMA_API_KEY and {asked}); a daemon of v0.17 or later hands on the cloud's own name of a `:cloud` id."
    )


def _shown(name: str) -> str:
    return clip(clean_line(name), 200)
