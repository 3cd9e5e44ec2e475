"""Ask a carrier where a parcel is."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

from .retry import Backoff, with_retries
from .utils import join_url

USER_AGENT = "parcel-client/0.9"


class CarrierError(RuntimeError):
    def __init__(self, status, detail):
        super().__init__(f"carrier answered {status}: {detail}")
        self.status = status


class CarrierClient:
    def __init__(self, base, timeout=5.0, opener=urllib.request.urlopen):
        self.base = base
        self.timeout = timeout
        self._opener = opener

    def _fetch(self, path):
        request = urllib.request.Request(
            join_url(self.base, path), headers={"User-Agent": USER_AGENT}
        )
        try:
            with self._opener(request, timeout=self.timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise CarrierError(error.code, error.reason) from error

    def locate(self, serial):
        """Return the last known place of a parcel."""
        body = with_retries(lambda: self._fetch(f"track/{serial}"), Backoff(tries=3))
        return body.get("place"), body.get("seen_at")
