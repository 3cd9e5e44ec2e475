import pytest

from parcel.cache import CacheMiss, LruCache


def test_roundtrip(cache):
    cache.remember("a", 1)
    assert cache.lookup("a") == 1
    assert cache.hits == 1


def test_expired_entry_is_a_miss(cache, clock):
    cache.remember("a", 1)
    clock.advance(10.5)
    with pytest.raises(CacheMiss):
        cache.lookup("a")
    assert cache.misses == 1


def test_oldest_is_dropped(cache):
    for key in ("a", "b", "c"):
        cache.remember(key, key)
    assert len(cache) == 2
    with pytest.raises(CacheMiss):
        cache.lookup("a")


def test_sweep_counts(cache, clock):
    cache.remember("a", 1)
    clock.advance(11)
    cache.remember("b", 2)
    assert cache.sweep() == 1


@pytest.mark.parametrize("capacity", [0, -1])
def test_capacity_is_checked(capacity):
    with pytest.raises(ValueError):
        LruCache(capacity=capacity)
