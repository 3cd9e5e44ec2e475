"""A host that speaks as Ollama does and bears no mark of a script, as a real one: for what tells the two apart."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from claimjury import Cloud


@contextmanager
def plain_host(bodies: Mapping[str, bytes], *, trusted: bool = True) -> Iterator[Cloud]:
    """Serve one whole reply for each model, by the name that is sent; give the host."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_args: object) -> None:
            pass

        def do_GET(self) -> None:
            self.answer(404, b"{}")

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            body = bodies.get(request["model"]) if self.path == "/api/chat" else None
            self.answer(404 if body is None else 200, body or b"{}")

        def answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield Cloud(host=url, api_key="no-key-of-anybody", trusted_hosts=(url,) if trusted else ())
    finally:
        server.shutdown()
        server.server_close()
