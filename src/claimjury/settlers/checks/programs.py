"""Where the programs are: the project's own first, then those of PATH."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from claimjury.settlers.checks.outcome import CheckName

__all__ = ["Program", "find_program", "program_of"]

_NAMES: Final[dict[CheckName, str]] = {"cargo-check": "cargo", "go-vet": "go"}
_OWN: Final = (".venv/bin", "venv/bin", ".venv/Scripts", "venv/Scripts", "node_modules/.bin")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program.

    Attributes:
        from_project: It lies in the project, or in a folder above it.
    """

    path: str
    from_project: bool


def program_of(name: CheckName) -> str:
    """Give the name of a check's program."""
    return _NAMES.get(name, name)


def find_program(name: CheckName, project: Path, roots: Sequence[Path]) -> Program | None:
    """Give a check's program, or None. A relative entry of PATH is passed over: what it names depends on where one stands."""
    program = program_of(name)
    if own := _which(program, _own_folders(project, roots)):
        return Program(path=own, from_project=True)
    found = _which(program, [entry for entry in os.get_exec_path() if Path(entry).is_absolute()])
    return None if found is None else Program(path=found, from_project=False)


def _which(program: str, folders: Sequence[str]) -> str | None:
    # Of an empty path, `which` takes the usual one.
    return shutil.which(program, path=os.pathsep.join(folders)) if folders else None


def _own_folders(project: Path, roots: Sequence[Path]) -> list[str]:
    return [str(folder / own) for folder in _upward(project, roots) for own in _OWN]


def _upward(project: Path, roots: Sequence[Path]) -> Iterator[Path]:
    for folder in (project, *project.parents):
        if not any(folder.is_relative_to(root) for root in roots):
            return
        yield folder
