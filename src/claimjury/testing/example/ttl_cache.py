"""A cache whose entries expire."""

import time


class TTLCache:
    """Keep up to `maxsize` values for `ttl` seconds each.

    When the cache is full, the entry that is closest to expiring makes room.
    """

    def __init__(self, ttl, maxsize=128, clock=time.monotonic):
        if ttl <= 0:
            raise ValueError("ttl must be positive")
        self.ttl = ttl
        self.maxsize = maxsize
        self._clock = clock
        self._entries = {}

    def set(self, key, value):
        """Store a value; it expires `ttl` seconds from now."""
        if len(self._entries) >= self.maxsize:
            self._evict()
        self._entries[key] = (value, self._clock() + self.ttl)

    def get(self, key, default=None):
        """Give the value of a key, or the default once it has expired."""
        entry = self._entries.get(key)
        if entry is None:
            return default
        value, expires = entry
        if self._clock() > expires:
            del self._entries[key]
            return default
        return value

    def _evict(self):
        """Drop the entry that is closest to expiring."""
        oldest = max(self._entries, key=lambda key: self._entries[key][1])
        del self._entries[oldest]
