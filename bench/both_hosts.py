"""A host for two servers that speak to Ollama's cloud in different ways, in a process of its own.

`python bench/both_hosts.py SECONDS` prints its URL and serves until standard input ends. Every model thinks SECONDS and
confirms one claim, over `/api/chat`, which claimjury uses, and over `/api/generate`, which the reference tool uses.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from claimjury import DEFAULT_PANEL

BALLOT = json.dumps(
    {"verdicts": [{"id": "c1", "rationale": "Line 3 does it.", "verdict": "CONFIRMED", "severity": "low"}]}
)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    think_s = 0.0

    def do_GET(self) -> None:
        self._send({"models": [{"name": name, "model": name} for name in DEFAULT_PANEL]})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = (
            {"message": {"role": "assistant", "content": BALLOT}}
            if "chat" in self.path
            else {"response": BALLOT}
        )
        counts = {"prompt_eval_count": 2_000, "eval_count": 50, "done": True, "done_reason": "stop"}
        time.sleep(self.think_s)
        self._send({"model": asked["model"].removesuffix(":cloud"), **said, **counts})

    def _send(self, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


def main(think_s: float) -> None:
    Handler.think_s = think_s
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(f"http://127.0.0.1:{server.server_port}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(float(sys.argv[1]))
