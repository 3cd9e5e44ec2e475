"""Retry with exponential backoff and jitter."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass


@dataclass
class Backoff:
    tries: int = 4
    first: float = 0.2
    factor: float = 2.0
    ceiling: float = 10.0
    jitter: float = 0.1

    def delays(self):
        wait = self.first
        for _ in range(self.tries - 1):
            spread = wait * self.jitter
            yield min(self.ceiling, wait + random.uniform(-spread, spread))
            wait *= self.factor


class RetriesExhausted(RuntimeError):
    pass


def with_retries(call, backoff, sleep=time.sleep, fatal=(ValueError,)):
    """Run call until it succeeds or the tries are used up."""
    last = None
    for wait in [0.0, *backoff.delays()]:
        if wait:
            sleep(wait)
        try:
            return call()
        except fatal:
            raise
        except Exception as error:
            last = error
    raise RetriesExhausted("gave up after the last try") from last
