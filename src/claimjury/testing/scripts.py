"""What a scripted juror answers: a reply's text, or any fault that a real host has shown."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final

__all__ = ["Asked", "Reply", "Script", "ballot"]

_NONCE: Final = re.compile(r'"nonce": "([0-9a-f]+)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One chat request as it reached the server.

    Attributes:
        body: The JSON body.
        raw: Its bytes.
        headers: Its headers, names in lower case.
        turn: How many chat requests for this model came before.
    """

    body: dict[str, Any]
    raw: bytes
    headers: Mapping[str, str]
    turn: int

    @property
    def prompt(self) -> str:
        """The text of all messages, one after another."""
        return "\n".join(str(message.get("content", "")) for message in self.body.get("messages", []))

    @property
    def offered(self) -> list[str]:
        """The names of the tools that are offered."""
        return [tool["function"]["name"] for tool in self.body.get("tools", [])]

    @property
    def tool_replies(self) -> list[str]:
        """What tools gave so far, in order."""
        return [row["content"] for row in self.body.get("messages", []) if row.get("role") == "tool"]

    @property
    def nonce(self) -> str:
        """The nonce that the prompt asks to be copied."""
        found = _NONCE.search(self.prompt)
        return found[1] if found else ""


Content = str | Callable[[Asked], str]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a scripted juror.

    Attributes:
        content: The reply's text, or a function of the request that gives it.
        thinking: What it thinks aloud.
        calls: Tools that it asks for: the name of each, and its arguments as an object or as text.
        served: The model name that it echoes: None for the one asked for, "" for none at all.
        done_reason: `stop`, `length`, ...
        prompt_tokens: What it counts: None for a fair count of what was sent, -1 for no count at all.
        fields: Further fields of its objects, like `remote_model`.
        status: The HTTP status; other than 200, `error` is the body's text.
        error: The words of an error; under status 200 it comes as a line after half of the content.
        headers: Further headers; they replace the usual ones of the same name.
        body: The whole body, in place of everything above.
        cut: Whether the body ends before `done: true`.
        hang_up: Whether the connection is dropped without an answer.
        gate: Waited for before the first byte: an `Event` or a `Barrier`.
        drip: Whether the body comes a few bytes at a time, 50 times a second, as from a host that stalls.
        delay_s: Seconds to think before the first byte; for benchmarks, not for tests.
    """

    content: Content = ""
    _: KW_ONLY
    thinking: str = ""
    calls: Sequence[tuple[str, Any]] = ()
    served: str | None = None
    done_reason: str | None = "stop"
    prompt_tokens: int | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    error: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    cut: bool = False
    hang_up: bool = False
    gate: threading.Event | threading.Barrier | None = None
    drip: bool = False
    delay_s: float = 0.0


Script = Sequence[Reply] | Callable[[Asked], Reply]
"""A model's replies in order, the last for ever after; or a function of the request."""


def ballot(
    votes: Mapping[str, str | Mapping[str, Any]], *, nonce: bool = True, wrap: str = "{}"
) -> Callable[[Asked], str]:
    """Give the content of a ballot with these votes by claim id.

    Args:
        votes: A verdict, or an entry's fields, which may leave out `rationale` and `severity`.
        nonce: Whether it carries the run's nonce.
        wrap: Text around the JSON, which stands for `{}`.
    """
    entries = [_entry(ident, vote) for ident, vote in votes.items()]

    def content(asked: Asked) -> str:
        head = {"nonce": asked.nonce} if nonce else {}
        return wrap.replace("{}", json.dumps({**head, "verdicts": entries}, ensure_ascii=False))

    return content


def _entry(ident: str, vote: str | Mapping[str, Any]) -> dict[str, Any]:
    fields = {"verdict": vote} if isinstance(vote, str) else dict(vote)
    return {"id": ident, "rationale": "The evidence decides it.", "severity": "high", **fields}
