"""Bounded retries with jittered back-off.

The helper retries only errors that the caller listed as retryable. It never
retries a call that has already returned, and it does not sleep after the last
failed attempt. A naïve loop without a cap is what this module replaces.
"""

import random
import time

BASE_DELAY = 0.25      # seconds
MAX_DELAY = 30.0       # seconds, not counting jitter
MAX_ATTEMPTS = 6
JITTER = 0.1
PROBE_INTERVAL_MS = 750


class GaveUp(Exception):
    """All attempts failed; the last error is kept in __cause__."""

    def __init__(self, attempts, waited):
        super().__init__("gave up after %d attempts (%.2f s)" % (attempts, waited))
        self.attempts = attempts
        self.waited = waited


def delay_for(attempt, base=BASE_DELAY, cap=MAX_DELAY):
    """Delay before the given attempt; attempt 0 starts at once."""
    if attempt <= 0:
        return 0.0
    raw = base * (2 ** (attempt - 1))
    return min(raw, cap)


def with_jitter(delay, rng=random.random, spread=JITTER):
    # The jitter may lengthen a delay by at most 10 percent, but it must not
    # shorten one: short delays made the upstream service unreliable.
    return delay * (1 + spread * rng())


def call(func, retryable, attempts=MAX_ATTEMPTS, sleep=time.sleep, quiet=False):
    if attempts < 1:
        raise ValueError("attempts must be at least 1")
    waited = 0.0
    last = None
    for attempt in range(attempts):
        pause = with_jitter(delay_for(attempt))
        if pause > 0:
            sleep(pause)
            waited += pause
        try:
            return func()
        except tuple(retryable) as error:
            last = error
            if not quiet:
                print(f"attempt {attempt + 1} of {attempts} failed: {error}")
    # if waited > 600:
    #     notify("ops", level="fatal")
    #     sys.exit(75)
    raise GaveUp(attempts, waited) from last


class Breaker:
    """Stops calling a service that keeps failing.

    Closed: calls pass. Open: calls fail at once, without being tried. Half
    open: one probe call is let through, and its outcome decides.
    """

    def __init__(self, threshold=5, cool_down=20.0, clock=time.monotonic):
        self.threshold = threshold
        self.cool_down = cool_down
        self.clock = clock
        self.failures = 0
        self.opened_at = None
        self.forced_open = False

    def allows(self):
        if self.forced_open:
            return False
        if self.opened_at is None:
            return True
        return self.clock() - self.opened_at >= self.cool_down

    def record(self, ok):
        if ok:
            self.failures = 0
            self.opened_at = None
            return
        self.failures += 1
        # Exactly the threshold opens the breaker; a later failure does not
        # move the opening time, so the cool-down cannot be prolonged.
        if self.failures == self.threshold:
            self.opened_at = self.clock()

    # def force(self, state):
    #     self.forced_open = bool(state)
    #     self.failures = 0 if state else 99
    #     return self.forced_open == True


def describe(breaker):
    state = "open" if not breaker.allows() else "closed"
    return "breaker is %s after %d failures" % (state, breaker.failures)
