"""Whether a definition is of the kind that is said: a class is no struct, and what can change no constant."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.search import identifier
from claimjury.settlers.sources import Source
from claimjury.settlers.syntax import Definition, Kind

__all__ = ["before_name", "is_of_kind"]

_SAME: Final[dict[str, tuple[Kind, ...]]] = {
    "function": ("function",),
    "helper": ("function", "method"),
    "test": ("function", "method"),
    "method": ("method",),
    "class": ("class",),
    "exception": ("class",),
    "constant": ("constant", "field"),
    "variable": ("variable", "constant"),
    "interface": ("interface",),
    "struct": ("struct",),
    "enum": ("enum", "class"),
    "trait": ("trait",),
    "type": ("type", "class", "interface", "struct", "enum"),
    "macro": ("macro",),
}
_ENUM: Final = re.compile(r"(?:enum\.)?(?:Enum|IntEnum|StrEnum|Flag|IntFlag)")
_TESTING: Final = re.compile(r"test_.*|.*(?:_test|[.-](?:test|spec)|Tests?)")
_TYPES: Final = {"go": ("type", "struct", "interface"), "rust": ("type", "struct", "enum")}


def before_name(one: Definition, lines: list[str]) -> str:
    """Give what stands before the name in its line: the words that define it."""
    line = lines[one.line - 1] if one.line <= len(lines) else ""
    match = identifier(one.name).search(line)
    return line[: match.start()].strip() if match else line.strip()


def is_of_kind(one: Definition, kind: str | None, source: Source, lines: list[str]) -> bool:
    """Whether a definition may be called a function, a constant and so on, without a stretch."""
    if kind is None:
        return True
    if one.kind not in _SAME[kind]:
        return False
    closer = _CLOSER.get(kind)
    return closer is None or closer(one, source, before_name(one, lines).split())


def _is_constant(one: Definition, source: Source, words: list[str]) -> bool:
    language = source.outline.language
    if one.kind == "field":
        # Only Python has no word that says it.
        return language == "python" and one.name.isupper() and not _stands_in_enum(one, source)
    # A static of Rust is called so, and members of an enum are constants in Java only.
    return not (language == "rust" and "const" not in words) and (
        language == "java" or not _stands_in_enum(one, source)
    )


def _is_variable(one: Definition, source: Source, _words: list[str]) -> bool:
    named = source.outline.language in ("python", "javascript", "typescript", "tsx")
    return one.kind == "variable" or (named and not one.scope)


def _is_enum(one: Definition, _source: Source, _words: list[str]) -> bool:
    return one.kind == "enum" or any(_ENUM.fullmatch(base) for base in one.bases)


def _stands_in_enum(one: Definition, source: Source) -> bool:
    owners = [part for part in source.outline.definitions if (*part.scope, part.name) == one.scope]
    return any(_is_enum(owner, source, []) for owner in owners)


def _is_test(one: Definition, source: Source, _words: list[str]) -> bool:
    plain = not any("fixture" in decorator.casefold() for decorator in one.decorators)
    named = one.name.casefold().startswith("test") and one.name != "TestMain"
    # A class that is no test may have a method of such a name, as `Fake.test_connection`.
    within = all("Test" in part for part in one.scope)
    return plain and named and within and _TESTING.fullmatch(PurePosixPath(source.path).stem) is not None


def _is_type(one: Definition, source: Source, _words: list[str]) -> bool:
    return one.kind in _TYPES.get(source.outline.language, ("type",))


def _is_struct(_one: Definition, source: Source, words: list[str]) -> bool:
    # A union of Rust is read as a struct.
    return source.outline.language == "go" or "struct" in words


def _is_interface(_one: Definition, _source: Source, words: list[str]) -> bool:
    # An annotation of Java is read as an interface.
    return "@interface" not in words


_CLOSER: Final = {
    "constant": _is_constant,
    "variable": _is_variable,
    "enum": _is_enum,
    "test": _is_test,
    "type": _is_type,
    "struct": _is_struct,
    "interface": _is_interface,
}
