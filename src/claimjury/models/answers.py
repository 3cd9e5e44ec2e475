"""An answer: what came back from one call, with everything that says who gave it. And what stands for none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from claimjury.errors import CallCode
from claimjury.text import show_harmful

_THINKING: Final = re.compile(r" answered 400 .*\b(?:think|thinking|reasoning)\b", re.IGNORECASE)

_NAMES: Final = (
    "served_model",
    "remote_model",
    "remote_host",
    "done_reason",
    "request_id",
    "fingerprint",
)

__all__ = ["Answer", "CallFailure", "OutOfBudget", "ToolCall"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool that a model asks for.

    Attributes:
        id: The model's or the host's name of the call.
        name: Of the tool, as the model wrote it.
        arguments: JSON text, as the model wrote it: it may be none.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One complete reply of one model.

    Attributes:
        text: The reply without its thinking.
        thinking: What the model thought aloud, empty where it did not or did not say.
        served_model: The model that the host says it served, or None where it said nothing.
        remote_model: What a daemon's stub says it asked for; its presence means that a daemon wrote the names.
        remote_host: The same, of the host.
        host: The base URL that answered.
        done_reason: Why the model stopped: `stop`, `length`, ..., or None where not said.
        prompt_tokens: Tokens of the prompt, cached ones included, or None where not said.
        output_tokens: Tokens of the answer, thinking included, or None where not said.
        request_id: The host's own name of the call, where it gives one.
        fingerprint: Of the backend, where the host gives one (`system_fingerprint`).
        cost_usd: What the host said that it charged, in US dollars; None where it did not say.
        scripted: The answer comes from the project's own scripted server, not from a model.
        tool_calls: Tools that it asks for; a juror is offered none.
    """

    text: str
    thinking: str = ""
    served_model: str | None = None
    remote_model: str | None = None
    remote_host: str | None = None
    host: str
    done_reason: str | None = None
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    request_id: str | None = None
    fingerprint: str | None = None
    cost_usd: float | None = None
    scripted: bool = False
    tool_calls: tuple[ToolCall, ...] = ()

    def __post_init__(self) -> None:
        """Write what a host names with each harmful character as an escape: none is lost, so no two names become one."""
        for name in _NAMES:
            said = getattr(self, name)
            if said is not None:
                object.__setattr__(self, name, show_harmful(said))

    @property
    def truncated(self) -> bool:
        """Whether the answer was cut at the output limit."""
        return self.done_reason == "length"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFailure:
    """A call that gave no answer. `code` is of the closed set; `message` is cleaned and fit to be shown."""

    code: CallCode
    message: str
    hint: str = ""

    @property
    def thinking_refused(self) -> bool:
        """Whether the host refused the request for what it says of thinking (a 400 that names it)."""
        return self.code == "BAD_RESPONSE" and bool(_THINKING.search(self.message))


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfBudget:
    """A call that was not made: the run's budget has no room for it."""
