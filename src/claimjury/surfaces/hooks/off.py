"""Off: what turns the hook off. By itself, since it is asked before anything else is imported."""

__all__ = ["is_off"]

# What people write to turn a thing off.
_OFF = frozenset({"off", "false", "no", "0", "none"})


def is_off(value: object) -> bool:
    """Whether this turns the hook off."""
    return str(value).strip().casefold() in _OFF
