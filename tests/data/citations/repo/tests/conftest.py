import pytest

from parcel.cache import LruCache
from parcel.store import ParcelStore


class FakeClock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now

    def advance(self, seconds):
        self.now += seconds


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def cache(clock):
    return LruCache(capacity=2, ttl=10.0, clock=clock)


@pytest.fixture
def store():
    made = ParcelStore()
    yield made
    made.close()
