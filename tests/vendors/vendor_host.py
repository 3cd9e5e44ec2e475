"""A scripted host that speaks the wire forms of OpenAI, Anthropic, Google and Mistral over real HTTP."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

from claimjury.models.marks import SCRIPTED_HEADER
from claimjury.models.providers import PROVIDERS, Provider, ProviderHost
from claimjury.models.routes import Access

__all__ = ["KEY", "Heard", "Say", "VendorHost"]

KEY: Final = "sk-scripted-0123456789"
_NONCE: Final = re.compile(r'"nonce": "([0-9a-f]+)"')
_GATE_LIMIT_S: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    raw: bytes
    body: dict[str, Any]

    @property
    def model(self) -> str:
        found = re.search(r"/models/([^:/]+):", self.path)
        return found[1] if found else str(self.body.get("model"))

    @property
    def prompt(self) -> str:
        return self.raw.decode().replace('\\"', '"')

    @property
    def nonce(self) -> str:
        found = _NONCE.search(self.prompt)
        return found[1] if found else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """One answer.

    Attributes:
        votes: Verdicts by claim id, as a ballot; or `text` as it is.
        served: The name that it echoes: None for the one asked for, "" for none at all.
        finish: `stop` or `length`.
        tokens: Of prompt and answer; None for a fair count, () for none at all.
        status: Other than 200, `body` is the whole reply.
        mark: Whether it says that it is scripted.
    """

    votes: Mapping[str, str] | None = None
    text: str = ""
    served: str | None = None
    finish: str = "stop"
    tokens: tuple[int, int] | tuple[()] | None = None
    status: int = 200
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    gate: threading.Event | None = None
    mark: bool = True

    def content(self, heard: Heard) -> str:
        if self.votes is None:
            return self.text
        rows = [
            {"id": ident, "rationale": f"{heard.model} read it.", "verdict": verdict, "severity": "low"}
            for ident, verdict in self.votes.items()
        ]
        return json.dumps({"nonce": heard.nonce, "verdicts": rows})


Script = Say | list[Say] | Callable[[Heard], Say]


class VendorHost:
    """Serves scripts by model name on a free port of loopback."""

    def __init__(self, scripts: Mapping[str, Script]) -> None:
        self.scripts = scripts
        self.heard: list[Heard] = []
        self.models: list[str] | None = None
        self.key: str | None = None
        outer = self

        class Handler(_Handler):
            host = outer

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def host_of(self, name: str, *, key: str | None = KEY) -> ProviderHost:
        """Give a provider of the table, moved to this host."""
        row = PROVIDERS[name]
        path = row.url.split("://", 1)[1].partition("/")[2]
        url = f"{self.url}/{path}".rstrip("/")
        moved = Provider(
            name=row.name,
            vendor=row.vendor,
            url=url,
            keys=row.keys,
            key_page=row.key_page,
            adapter=row.adapter,
            module=row.module,
            extra=row.extra,
        )
        return ProviderHost(provider=moved, url=url, host=self.url, api_key=key, trusted_hosts=(self.url,))

    def access(self, **rest: Any) -> Access:
        """Give access to every provider of the table, all moved to this host."""
        return Access(hosts={name: self.host_of(name) for name in PROVIDERS}, **rest)

    def reply(self, heard: Heard) -> Say:
        self.heard.append(heard)
        script = self.scripts.get(heard.model)
        if script is None:
            return Say(status=404, body=b'{"error":{"message":"no such model","code":"model_not_found"}}')
        if isinstance(script, Say):
            return script
        if callable(script):
            return script(heard)
        turn = sum(one.model == heard.model for one in self.heard) - 1
        return script[min(turn, len(script) - 1)]


class _Handler(BaseHTTPRequestHandler):
    host: VendorHost
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        """Answer the list of models, to whoever has the key."""
        sent = [self.headers.get(name) or "" for name in ("authorization", "x-api-key", "x-goog-api-key")]
        status, body = 404, b"{}"
        if self.host.key is not None and not any(self.host.key in value for value in sent):
            status, body = 401, b'{"error":{"message":"bad key"}}'
        elif self.host.models is not None:
            status, body = 200, json.dumps({"data": [{"id": name} for name in self.host.models]}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        heard = Heard(path=self.path, headers=headers, raw=raw, body=json.loads(raw) if raw else {})
        say = self.host.reply(heard)
        if say.gate is not None:
            say.gate.wait(_GATE_LIMIT_S)
        body, kind = (say.body, "application/json") if say.body is not None else _written(heard, say)
        fields = {"Content-Type": kind, "Content-Length": str(len(body)), **say.headers}
        if say.mark:
            fields[SCRIPTED_HEADER] = "1"
        try:
            self.send_response(say.status)
            for name, value in fields.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            self.close_connection = True


def _written(heard: Heard, say: Say) -> tuple[bytes, str]:
    content = say.content(heard)
    counts = (len(heard.raw) // 4, max(1, len(content) // 4)) if say.tokens is None else say.tokens
    served = heard.model if say.served is None else say.served
    if heard.path.endswith("/messages"):
        return _anthropic(heard, say, content, served, counts)
    form = _google if ":generateContent" in heard.path else _openai
    routed = {"provider": "Upstream"} if heard.path.startswith("/api/v1/") else {}
    body = {**form(say, content, served, counts), **routed, **say.fields}
    return json.dumps(body).encode(), "application/json"


def _openai(say: Say, content: str, served: str, counts: tuple[int, ...]) -> dict[str, Any]:
    usage = (
        {"prompt_tokens": counts[0], "completion_tokens": counts[1], "total_tokens": sum(counts)}
        if counts
        else None
    )
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_780_000_000,
        **({"model": served} if served else {}),
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": say.finish}
        ],
        **({"usage": usage} if usage else {}),
    }


def _google(say: Say, content: str, served: str, counts: tuple[int, ...]) -> dict[str, Any]:
    finish = {"stop": "STOP", "length": "MAX_TOKENS"}[say.finish]
    usage = (
        {"promptTokenCount": counts[0], "candidatesTokenCount": counts[1], "totalTokenCount": sum(counts)}
        if counts
        else None
    )
    return {
        "candidates": [
            {"index": 0, "content": {"role": "model", "parts": [{"text": content}]}, "finishReason": finish}
        ],
        "responseId": "resp-1",
        **({"modelVersion": served} if served else {}),
        **({"usageMetadata": usage} if usage else {}),
    }


def _anthropic(
    heard: Heard, say: Say, content: str, served: str, counts: tuple[int, ...]
) -> tuple[bytes, str]:
    stop = {"stop": "end_turn", "length": "max_tokens"}[say.finish]
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        **({"model": served} if served else {}),
        "content": [{"type": "text", "text": content}],
        "stop_reason": stop,
        "stop_sequence": None,
        **({"usage": {"input_tokens": counts[0], "output_tokens": counts[1]}} if counts else {}),
        **say.fields,
    }
    if not heard.body.get("stream"):
        return json.dumps(message).encode(), "application/json"
    start = {**message, "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": content}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop},
            "usage": {"output_tokens": counts[1] if counts else 0},
        },
        {"type": "message_stop"},
    ]
    lines = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return lines.encode(), "text/event-stream"
