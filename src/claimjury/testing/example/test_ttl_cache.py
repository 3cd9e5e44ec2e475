import pytest

from ttl_cache import TTLCache


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def make(**options):
    clock = Clock()
    return TTLCache(ttl=10, clock=clock, **options), clock


def test_a_value_is_given_back():
    cache, _ = make()
    cache.set("a", 1)
    assert cache.get("a") == 1


def test_a_missing_key_gives_the_default():
    cache, _ = make()
    assert cache.get("a", "none") == "none"


def test_a_value_is_gone_after_its_time():
    cache, clock = make()
    cache.set("a", 1)
    clock.now = 11
    assert cache.get("a") is None


def test_a_ttl_of_zero_is_refused():
    with pytest.raises(ValueError):
        TTLCache(ttl=0)


def test_a_full_cache_drops_the_entry_closest_to_expiring():
    cache, clock = make(maxsize=2)
    cache.set("old", 1)
    clock.now = 5
    cache.set("young", 2)
    cache.set("new", 3)
    assert cache.get("old") is None
    assert cache.get("young") == 2
