"""Settings files as data: TOML, JSON and INI, with the path of every key. What cannot be read strictly is not read."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, Final

__all__ = ["Keys", "is_config", "keys_of", "matching", "strict_json", "strict_toml"]

Keys = Mapping[tuple[str, ...], tuple[Any, ...]]
"""Every key by its path, with all that it holds: a scalar, or a table or list, and more than one where tables stand in a list."""
_MAX_DEPTH: Final = 50
_MAX_BYTES: Final = 2_000_000
_MAX_TOML: Final = 1_000_000
_DEEP: Final = re.compile(r"(?:\.[ \t]*[\w\"'-]{1,100}[ \t]*){50}")


def is_config(path: str) -> bool:
    """Whether a file is of a kind that is read here, by its name."""
    return PurePosixPath(path).suffix in _READERS


@lru_cache(maxsize=4)
def keys_of(path: str, data: bytes) -> Keys | None:
    """Give every key of a file; None where it is not of its kind, or has a key twice."""
    if len(data) > _MAX_BYTES:
        return None
    found: defaultdict[tuple[str, ...], list[Any]] = defaultdict(list)
    try:
        read = _READERS[PurePosixPath(path).suffix](data.decode("utf-8-sig"))
        for key, value in _walk(read, ()):
            found[key].append(value)
        return {key: tuple(values) for key, values in found.items()}
    except (ValueError, TypeError, RecursionError, configparser.Error):
        return None


def matching(keys: Keys, said: str) -> list[tuple[str, ...]]:
    """Give the paths that a dotted name may mean: that path itself, and all that end so."""
    return [path for path in keys if f".{'.'.join(path)}".endswith(f".{said}")]


def _walk(value: Any, at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if len(at) > _MAX_DEPTH:
        raise ValueError("too deep")
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield (*at, key), inner
            yield from _walk(inner, (*at, key))
    elif isinstance(value, list):
        for inner in value:
            # A table in a list has no path of its own, but its keys are keys.
            yield from (((*path,), one) for path, one in _walk(inner, at))


def strict_toml(text: str) -> dict[str, Any]:
    """Read TOML.

    Raises:
        ValueError: It is none, or so long or deep that the library, whose time grows with the square of a key's parts, would take too long.
    """
    if len(text) > _MAX_TOML or _DEEP.search(text):
        raise ValueError("too long or too deep")
    return tomllib.loads(text)


def strict_json(text: str) -> Any:
    """Read JSON.

    Raises:
        ValueError: It is none, or has a key twice.
    """
    return json.loads(text, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("a key twice")
    return dict(pairs)


def _ini(text: str) -> dict[str, dict[str, str]]:
    parser = configparser.RawConfigParser(default_section="\0")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return {section: dict(parser[section]) for section in parser.sections()}


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    ".toml": strict_toml,
    ".json": strict_json,
    ".ini": _ini,
    ".cfg": _ini,
}
