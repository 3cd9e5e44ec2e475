"""The HTTP front: three routes, JSON answers."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .cache import CacheMiss
from .parser import ParseError, parse_label


class ParcelHandler(BaseHTTPRequestHandler):
    server_version = "parcel/0.9"

    def do_GET(self):
        if self.path == "/healthz":
            return self._answer(200, {"ok": True})
        if self.path.startswith("/parcels/"):
            return self._parcel(self.path.removeprefix("/parcels/"))
        return self._answer(404, {"error": "no such route"})

    def _parcel(self, label):
        try:
            carrier, serial = parse_label(label)
        except ParseError as error:
            return self._answer(400, {"error": error.reason})
        cache = self.server.cache
        try:
            found = cache.lookup(serial)
        except CacheMiss:
            found = self.server.store.find(serial)
            if found is None:
                return self._answer(404, {"error": "unknown parcel"})
            cache.remember(serial, found)
        return self._answer(200, {"carrier": carrier, **found})

    def _answer(self, status, body):
        data = json.dumps(body).encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        """Stay quiet; the relay keeps the access log."""


def make_server(settings, store, cache):
    server = ThreadingHTTPServer((settings.host, settings.port), ParcelHandler)
    server.store = store
    server.cache = cache
    return server
