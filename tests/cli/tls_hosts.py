"""A host with a certificate of a private authority, and a proxy that leads to it: what a company's network has."""

from __future__ import annotations

import http.server
import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import trustme

from claimjury.testing import ScriptedOllama


@contextmanager
def tunnel(target: tuple[str, int], asked: list[str]) -> Iterator[str]:
    """Run a CONNECT proxy (RFC 9110, 9.3.6) that leads every tunnel to `target`; give its URL."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_args: object) -> None:
            pass

        def do_CONNECT(self) -> None:
            asked.append(self.path)
            with socket.create_connection(target) as upstream:
                self.send_response(200, "Connection established")
                self.end_headers()
                back = threading.Thread(target=_pump, args=(upstream, self.connection), daemon=True)
                back.start()
                _pump(self.connection, upstream)
                back.join(5)

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


@contextmanager
def tls_front(server: ScriptedOllama, name: str, authority: trustme.CA) -> Iterator[tuple[str, int]]:
    """Run TLS for `name` in front of a scripted host; give its address."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    host, port = server.url.removeprefix("http://").split(":")
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                raw, _ = listener.accept()
                threading.Thread(target=speak, args=(raw,), daemon=True).start()

    def speak(raw: socket.socket) -> None:
        with (
            suppress(OSError),
            context.wrap_socket(raw, server_side=True) as secure,
            socket.create_connection((host, int(port))) as upstream,
        ):
            threading.Thread(target=_pump, args=(upstream, secure), daemon=True).start()
            _pump(secure, upstream)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()
    finally:
        listener.close()


def write_bundle(authority: trustme.CA, path: Path) -> Path:
    """Write the authority's certificate where SSL_CERT_FILE can point."""
    authority.cert_pem.write_to_path(str(path))
    return path
