"""Was it the model asked for? The check that makes a seat count.

It proves a label, not weights: a host can repoint a tag (ollama/ollama#17775), and no digest comes back with an
answer. It never claims more than "the host said that it served X".
"""

from __future__ import annotations

from claimjury.models.answers import Answer
from claimjury.models.names import same_model
from claimjury.text import clean_line, clip

__all__ = ["served_model_fault"]


def served_model_fault(requested: str, answer: Answer) -> str | None:
    """Give the reason to exclude the seat, or None where the served model is the one asked for.

    `remote_model` and `remote_host` are written by a local daemon from its own stub (ollama/ollama routes.go),
    together with `model`: the cloud's own echo is lost. A mismatch there still disqualifies; a match proves
    nothing, so the answer is not provably the cloud's.
    """
    if answer.remote_model is not None and not same_model(requested, answer.remote_model):
        return f"served_model_mismatch:{_shown(answer.remote_model)}"
    if answer.served_model is None or not answer.served_model.strip():
        return "served_model_unknown"
    if not same_model(requested, answer.served_model):
        return f"served_model_mismatch:{_shown(answer.served_model)}"
    if answer.remote_model is not None or answer.remote_host is not None:
        return "local_fallback:names_written_by_a_daemon"
    return None


def _shown(name: str) -> str:
    return clip(clean_line(name), 200)
