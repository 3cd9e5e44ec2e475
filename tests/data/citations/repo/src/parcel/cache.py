"""A small LRU cache with a time to live."""

from __future__ import annotations

import time
from collections import OrderedDict

DEFAULT_CAPACITY = 256
DEFAULT_TTL = 30.0


class CacheMiss(KeyError):
    """Raised when a key is absent or has expired."""


class LruCache:
    def __init__(self, capacity=DEFAULT_CAPACITY, ttl=DEFAULT_TTL, clock=time.monotonic):
        if capacity < 1:
            raise ValueError("capacity must be at least one")
        self.capacity = capacity
        self.ttl = ttl
        self._clock = clock
        self._items: OrderedDict[str, tuple[float, object]] = OrderedDict()
        self.hits = 0
        self.misses = 0

    def lookup(self, key):
        """Return the value stored under key, or raise CacheMiss."""
        try:
            stamp, value = self._items[key]
        except KeyError:
            self.misses += 1
            raise CacheMiss(key) from None
        if self._clock() - stamp > self.ttl:
            del self._items[key]
            self.misses += 1
            raise CacheMiss(key)
        self._items.move_to_end(key)
        self.hits += 1
        return value

    def remember(self, key, value):
        """Store value under key and drop the oldest entry when full."""
        self._items[key] = (self._clock(), value)
        self._items.move_to_end(key)
        while len(self._items) > self.capacity:
            self._items.popitem(last=False)

    def sweep(self):
        """Drop every expired entry and return how many were dropped."""
        now = self._clock()
        stale = [k for k, (stamp, _) in self._items.items() if now - stamp > self.ttl]
        for key in stale:
            del self._items[key]
        return len(stale)

    def hit_rate(self):
        total = self.hits + self.misses
        return self.hits / total if total else 0.0

    def __len__(self):
        return len(self._items)
