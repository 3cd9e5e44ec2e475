"""Which checks a directory declares, and where. Its files are read as data; nothing of them is run."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from claimjury.settlers.checks.outcome import CHECKS, CheckName
from claimjury.settlers.configs import strict_toml

__all__ = ["Declaration", "declarations", "looked_for", "mypy_names_files", "tsconfig_has_references"]

_MAX_BYTES: Final = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a check may be declared.

    Attributes:
        file: Its mere presence declares, where there is no pattern.
        pattern: Of the line that declares.
        table: In a file of TOML, what the line must stand for.
    """

    file: str
    pattern: str | None = None
    table: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        return f"[{'.'.join(self.table)}] of {self.file}" if self.table else self.file


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A check that a directory declares.

    Attributes:
        file: Relative to the directory.
        line: From 1; None where the file as a whole declares it.
    """

    name: CheckName
    file: str
    line: int | None = None

    @property
    def place(self) -> str:
        """The file, and the line where there is one."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


def _files(*names: str) -> tuple[_Place, ...]:
    return tuple(_Place(file=name) for name in names)


def _table(*names: str) -> _Place:
    # Blanks alone: `\s*` would run over every empty line once for each of them.
    dotted = r"[ \t]*\.[ \t]*".join(map(re.escape, names))
    return _Place(file="pyproject.toml", pattern=rf"^[ \t]*\[+[ \t]*{dotted}[ \t]*[\].]", table=names)


def _section(file: str, name: str) -> _Place:
    return _Place(file=file, pattern=rf"^\[{re.escape(name)}\]")


_ESLINT: Final = (
    *(f"eslint.config.{end}" for end in ("js", "mjs", "cjs", "ts", "mts", "cts")),
    *(f".eslintrc{end}" for end in ("", ".js", ".cjs", ".json", ".yml", ".yaml")),
)
# In the order in which each program looks itself.
_PLACES: Final[dict[CheckName, tuple[_Place, ...]]] = {
    "ruff": (*_files(".ruff.toml", "ruff.toml"), _table("tool", "ruff")),
    "mypy": (*_files("mypy.ini", ".mypy.ini"), _table("tool", "mypy"), _section("setup.cfg", "mypy")),
    "pyright": (*_files("pyrightconfig.json"), _table("tool", "pyright")),
    "pytest": (
        *_files("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"),
        _table("tool", "pytest"),
        _section("tox.ini", "pytest"),
        _section("setup.cfg", "tool:pytest"),
        *_files("conftest.py", "tests/conftest.py", "test/conftest.py"),
    ),
    "tsc": _files("tsconfig.json"),
    "eslint": (*_files(*_ESLINT), _Place(file="package.json", pattern=r'"eslintConfig"\s*:')),
    "cargo-check": _files("Cargo.toml"),
    "go-vet": _files("go.mod"),
}


def declarations(directory: Path, roots: Sequence[Path]) -> dict[CheckName, Declaration]:
    """Give the checks that `directory` itself declares, in our order; a file that a link leads out of the roots to is none."""
    found = ((name, _declared(name, directory, roots)) for name in CHECKS)
    return {name: declaration for name, declaration in found if declaration is not None}


def looked_for(name: CheckName) -> str:
    """Say where a check is looked for."""
    return ", ".join(place.shown for place in _PLACES[name])


def _declared(name: CheckName, directory: Path, roots: Sequence[Path]) -> Declaration | None:
    for place in _PLACES[name]:
        path = directory / place.file
        if not _is_inside(path, roots):
            continue
        if place.pattern is None:
            return Declaration(name=name, file=place.file)
        text = _read(path)
        line = _line_of(place.pattern, text)
        if _holds(place.table, text, otherwise=line is not None):
            return Declaration(name=name, file=place.file, line=line)
    return None


def _is_inside(path: Path, roots: Sequence[Path]) -> bool:
    try:
        return path.is_file() and any(path.resolve(strict=True).is_relative_to(root) for root in roots)
    except (OSError, RuntimeError):
        return False


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return ""


def _line_of(pattern: str, text: str) -> int | None:
    found = re.search(pattern, text, re.MULTILINE)
    return None if found is None else text.count("\n", 0, found.end()) + 1


def _holds(table: Sequence[str], text: str, *, otherwise: bool) -> bool:
    """Whether TOML has a table; of what is no TOML its lines decide, so that its own program says what is wrong."""
    if not table:
        return otherwise
    try:
        value: Any = strict_toml(text)
    except ValueError:
        return otherwise
    for name in table:
        if not isinstance(value, dict) or name not in value:
            return False
        value = value[name]
    return True


def mypy_names_files(directory: Path, declaration: Declaration) -> bool:
    """Whether mypy's settings say what it looks at; else it must be told."""
    keys = _mypy_keys(_read(directory / declaration.file), toml=declaration.file.endswith(".toml"))
    return any(key in ("files", "packages", "modules") for key in keys)


def _mypy_keys(text: str, *, toml: bool) -> Iterator[str]:
    try:
        if toml:
            yield from strict_toml(text)["tool"]["mypy"]
        else:
            parser = configparser.RawConfigParser()
            parser.read_string(text)
            yield from parser["mypy"]
    except (ValueError, configparser.Error, KeyError, TypeError):
        return


def tsconfig_has_references(directory: Path) -> bool:
    """Whether tsconfig.json names other projects, of which `tsc -p` looks at nothing."""
    return re.search(r'"references"\s*:\s*\[\s*[^\]\s]', _read(directory / "tsconfig.json")) is not None
