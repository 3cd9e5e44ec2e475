"""Settings files as data: TOML, JSON and INI, with the path of every key. What cannot be read strictly is not read."""

from __future__ import annotations

import configparser
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Final

__all__ = ["Keys", "is_config", "keys_of", "matching"]

Keys = dict[tuple[str, ...], Any]
"""Every key by its path, with what it holds: a scalar, or a table or list."""
_MAX_DEPTH: Final = 50


def is_config(path: str) -> bool:
    """Whether a file is of a kind that is read here, by its name."""
    return PurePosixPath(path).suffix in _READERS


def keys_of(path: str, data: bytes) -> Keys | None:
    """Give every key of a file; None where it is not of its kind, or has a key twice."""
    try:
        read = _READERS[PurePosixPath(path).suffix](data.decode("utf-8-sig"))
        return dict(_walk(read, ()))
    except (ValueError, TypeError, RecursionError, configparser.Error):
        return None


def matching(keys: Keys, said: str) -> list[tuple[str, ...]]:
    """Give the paths that a dotted name means: that path itself, or else all that end so."""
    exact = [path for path in keys if ".".join(path) == said]
    return exact or [path for path in keys if ".".join(path).endswith(f".{said}")]


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


def _json(text: str) -> Any:
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
    ".toml": tomllib.loads,
    ".json": _json,
    ".ini": _ini,
    ".cfg": _ini,
}
