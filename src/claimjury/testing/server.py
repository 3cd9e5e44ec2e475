"""A scripted Ollama host: real HTTP on loopback, answers from a script. Every answer says that it is scripted."""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

from claimjury.models.hosts import Cloud
from claimjury.models.marks import SCRIPTED_FIELD, SCRIPTED_HEADER
from claimjury.models.names import sent_name
from claimjury.testing.scripts import Asked, Reply, Script

__all__ = ["ScriptedOllama"]

_GATE_LIMIT_S: Final = 30.0
_BYTES_PER_TOKEN: Final = 4
_DRIP_BYTES: Final = 8
_DRIP_WAIT_S: Final = 0.02


class ScriptedOllama:
    """A context manager that serves scripted jurors on a free port of loopback.

    Attributes:
        asked: Every chat request, in order of arrival.
        paths: Method and path of every request, in order of arrival.
        faults: What scripts raised; the first is raised again when the server is left.
    """

    def __init__(
        self,
        scripts: Mapping[str, Script],
        *,
        catalogue: Iterable[Mapping[str, Any] | str] | None = None,
        details: Mapping[str, Mapping[str, Any]] | None = None,
        plans: Mapping[str, str] | None = None,
        slots: int | None = None,
        plan: str | None = None,
        keys: Iterable[str] = (),
    ) -> None:
        """Script the host.

        Args:
            scripts: Replies by model id; any other model is answered 404.
            catalogue: What `/api/tags` lists: names or whole rows. None answers 404.
            details: What `/api/show` says, by name. Others are answered 404.
            plans: The plan that each model needs, for the route that lists it. None answers 404.
            slots: How many chats may run at once; one more is answered 429, as the cloud words it.
            plan: The plan of the account, for `/api/me`. None answers 404.
            keys: Keys that the host knows when it is asked about one. Chats are answered with any key or none.
        """
        self._scripts = {sent_name(model): script for model, script in scripts.items()}
        self._catalogue = catalogue
        self._details = details or {}
        self._plans = plans
        self._slots = None if slots is None else threading.BoundedSemaphore(slots)
        self._plan = plan
        self._keys = [f"Bearer {key}" for key in keys]
        self._turns: dict[str, int] = defaultdict(int)
        self._lock = threading.Lock()
        self.asked: list[Asked] = []
        self.paths: list[str] = []
        self.faults: list[Exception] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        if self.faults and error is None:
            raise self.faults[0]

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def cloud(self) -> Cloud:
        """The host for `verify_claims(cloud=...)`; its key is no key, and is not sent."""
        return Cloud(host=self.url, api_key="no-key-but-a-script")

    @property
    def trusted_cloud(self) -> Cloud:
        """The same, trusted by name as a user's own settings would: no `unverified_host`, and the key is sent."""
        return Cloud(host=self.url, api_key="no-key-but-a-script", trusted_hosts=(self.url,))

    def requests_of(self, model: str) -> list[Asked]:
        """Give the chat requests for one model."""
        return [asked for asked in self.asked if asked.body.get("model") == sent_name(model)]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(_Handler):
            host = outer

        return Handler

    def note(self, line: str) -> None:
        """Keep method and path of a request."""
        with self._lock:
            self.paths.append(line)

    def reply_to(self, body: dict[str, Any], raw: bytes, headers: Mapping[str, str]) -> tuple[Reply, Asked]:
        """Give the script's reply to a chat request."""
        model = str(body.get("model"))
        with self._lock:
            asked = Asked(body=body, raw=raw, headers=headers, turn=self._turns[model])
            self._turns[model] += 1
            self.asked.append(asked)
        script = self._scripts.get(model)
        if script is None:
            return Reply(status=404, error=f"model '{model}' not found"), asked
        if callable(script):
            try:
                return script(asked), asked
            except Exception as error:  # noqa: BLE001 - the script's author must see it, which a host's 500 does not.
                self.faults.append(error)
                return Reply(status=500, error=f"the script of {model} raised {type(error).__name__}"), asked
        return script[min(asked.turn, len(script) - 1)], asked

    def catalogue(self) -> dict[str, Any] | None:
        """Give what `/api/tags` answers."""
        if self._catalogue is None:
            return None
        return {
            "models": [
                {"name": row, "model": row} if isinstance(row, str) else dict(row) for row in self._catalogue
            ]
        }

    def details(self, model: str) -> Mapping[str, Any] | None:
        """Give what `/api/show` answers."""
        return self._details.get(model)

    def plans(self) -> dict[str, Any] | None:
        """Give which plan each model needs."""
        if self._plans is None:
            return None
        return {
            "recommendations": [
                {"model": model, "required_plan": plan} for model, plan in self._plans.items()
            ]
        }

    def me(self) -> dict[str, Any] | None:
        """Give what `/api/me` answers."""
        return None if self._plan is None else {"name": "someone", "plan": self._plan}

    def known_keys(self) -> list[str]:
        """Give the headers of the keys that the host knows."""
        return self._keys

    @property
    def slots(self) -> threading.BoundedSemaphore | None:
        """The chats that may run at once."""
        return self._slots


class _Handler(BaseHTTPRequestHandler):
    host: ScriptedOllama
    protocol_version = "HTTP/1.1"
    # Head and body are two writes; with Nagle's algorithm the second waits 40 ms for an acknowledgement.
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so.
        """Say nothing: standard error belongs to the program under test."""

    def do_GET(self) -> None:
        """Answer the catalogue's routes."""
        self.host.note(f"GET {self.path}")
        routes = {
            "/api/tags": self.host.catalogue,
            "/api/experimental/model-recommendations": self.host.plans,
        }
        self._send_json(routes.get(self.path, lambda: None)())

    def do_POST(self) -> None:
        """Answer a chat or a question about a model."""
        self.host.note(f"POST {self.path}")
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        body = json.loads(raw) if raw else {}
        if self.path == "/api/show":
            self._send_json(self.host.details(str(body.get("model"))))
        elif self.path == "/api/chat":
            self._chat(body, raw)
        elif self.path == "/v1/chat/completions":
            self._probe_key()
        elif self.path == "/api/me":
            self._send_json(self.host.me())
        else:
            self._send_json(None)

    def _probe_key(self) -> None:
        """Answer an empty chat request as the cloud does: 400 for a key that it knows, 401 for one that it does not."""
        if self.headers.get("authorization") in self.host.known_keys():
            self._send(400, b'{"error":{"message":"missing model"}}', {"Content-Type": "application/json"})
        else:
            self._send(401, b'{"error":{"message":"unauthorized"}}', {"Content-Type": "application/json"})

    def _chat(self, body: dict[str, Any], raw: bytes) -> None:
        slots = self.host.slots
        if slots is not None and not slots.acquire(blocking=False):
            self._send(429, b'{"error":"too many concurrent requests"}', {"Content-Type": "application/json"})
            return
        try:
            headers = {name.lower(): value for name, value in self.headers.items()}
            self._answer(*self.host.reply_to(body, raw, headers))
        finally:
            if slots is not None:
                slots.release()

    def _answer(self, reply: Reply, asked: Asked) -> None:
        if reply.gate is not None:
            reply.gate.wait(_GATE_LIMIT_S)
        time.sleep(reply.delay_s)
        if reply.hang_up:
            self.close_connection = True
            return
        if reply.body is not None:
            self._send(reply.status, reply.body, {"Content-Type": "application/x-ndjson", **reply.headers})
        elif reply.status != 200:
            error = json.dumps({"error": reply.error}).encode()
            self._send(reply.status, error, {"Content-Type": "application/json", **reply.headers})
        else:
            lines = b"".join(
                json.dumps(item, ensure_ascii=False).encode() + b"\n" for item in _stream(reply, asked)
            )
            self._send(200, lines, {"Content-Type": "application/x-ndjson", **reply.headers}, drip=reply.drip)

    def _send_json(self, value: Mapping[str, Any] | None) -> None:
        status, body = (404, b'{"error":"not found"}') if value is None else (200, json.dumps(value).encode())
        self._send(status, body, {"Content-Type": "application/json"})

    def _send(self, status: int, body: bytes, headers: Mapping[str, str], *, drip: bool = False) -> None:
        try:
            self.send_response(status)
            fields = {"Content-Length": str(len(body)), **headers, SCRIPTED_HEADER: "1"}
            # A body that is shorter than it says ends with the connection.
            self.close_connection = fields["Content-Length"] != str(len(body))
            for name, value in fields.items():
                self.send_header(name, value)
            self.end_headers()
            for part in _parts(body, drip=drip):
                self.wfile.write(part)
        except OSError:  # The client went away, as in a test that cancels.
            self.close_connection = True


def _parts(body: bytes, *, drip: bool) -> Iterator[bytes]:
    if not drip:
        yield body
        return
    for start in range(0, len(body), _DRIP_BYTES):
        time.sleep(_DRIP_WAIT_S)
        yield body[start : start + _DRIP_BYTES]


def _stream(reply: Reply, asked: Asked) -> Iterator[dict[str, Any]]:
    """Give the objects of a streamed reply; without streaming, the same in one object."""
    content = reply.content(asked) if callable(reply.content) else reply.content
    served = str(asked.body.get("model")) if reply.served is None else reply.served
    frame: dict[str, Any] = {**({"model": served} if served else {}), **reply.fields, SCRIPTED_FIELD: True}
    counts: dict[str, Any] = {"eval_count": max(1, len(content) // _BYTES_PER_TOKEN)}
    if reply.prompt_tokens != -1:
        counts["prompt_eval_count"] = reply.prompt_tokens or len(asked.prompt.encode()) // _BYTES_PER_TOKEN
    end = {"done": True, **({"done_reason": reply.done_reason} if reply.done_reason else {}), **counts}
    if not asked.body.get("stream", True):
        yield {
            **frame,
            "message": {
                "role": "assistant",
                "content": content,
                "thinking": reply.thinking,
                **_calls(reply),
            },
            **end,
        }
        return
    if reply.thinking:
        yield {
            **frame,
            "message": {"role": "assistant", "content": "", "thinking": reply.thinking},
            "done": False,
        }
    half = len(content) // 2
    yield {**frame, "message": {"role": "assistant", "content": content[:half]}, "done": False}
    if reply.error:
        yield {"error": reply.error}
        return
    last = {"role": "assistant", "content": content[half:], **_calls(reply)}
    yield {**frame, "message": last, "done": False}
    if not reply.cut:
        yield {**frame, "message": {"role": "assistant", "content": ""}, **end}


def _calls(reply: Reply) -> dict[str, Any]:
    rows = [
        {"id": f"call_{place}", "function": {"name": name, "arguments": arguments}}
        for place, (name, arguments) in enumerate(reply.calls)
    ]
    return {"tool_calls": rows} if rows else {}
