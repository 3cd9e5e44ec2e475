"""Where checks may run, and which project a path belongs to. Links are followed first, then compared component by component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from claimjury.errors import ConfigInvalid, InvalidRequest, SourceNotFound, SourceOutsideRoots
from claimjury.evidence.roots import confine, resolve_roots
from claimjury.settlers.checks.declared import Declaration, declarations
from claimjury.settlers.checks.outcome import CHECKS, CheckName
from claimjury.text import clean_line

__all__ = ["Scope", "Wanted", "read_names", "scope_of", "wanted_checks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where checks may run.

    Attributes:
        directory: The working directory, links followed.
        roots: Every project lies below one of them.
    """

    directory: Path
    roots: tuple[Path, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A check and where it is to run.

    Attributes:
        declaration: None where it was asked for and is declared nowhere.
    """

    name: CheckName
    project: Path
    declaration: Declaration | None


def scope_of(directory: Path, allow_roots: Sequence[Path], caps: Sequence[Path]) -> Scope:
    """Give the scope of a run: the directory and the further roots, narrowed to what the operator's caps allow.

    Raises:
        ConfigInvalid: A root or a cap is no directory, or is too wide.
        SourceOutsideRoots: The caps allow none of them.
    """
    roots = _resolved(
        [directory, *allow_roots],
        "Name the project with --cwd DIR, or a further one with --allow-root DIR.",
    )
    allowed = (
        _narrowed(roots, _resolved(caps, "Correct `check_roots` of your own settings.")) if caps else roots
    )
    if not allowed:
        raise SourceOutsideRoots(
            f"Checks may not run in {clean_line(str(roots[0]))}: it lies below none of the operator's `check_roots`.",
            hint="Only the operator can add to `check_roots`, in the user's own settings.",
        )
    return Scope(directory=roots[0], roots=allowed)


def _resolved(roots: Sequence[Path], hint: str) -> tuple[Path, ...]:
    try:
        return resolve_roots(roots)
    except ConfigInvalid as error:
        raise ConfigInvalid(error.message, hint=hint) from error


def _narrowed(roots: Sequence[Path], caps: Sequence[Path]) -> tuple[Path, ...]:
    inner = [root for root in roots if any(root.is_relative_to(cap) for cap in caps)]
    return (*inner, *(cap for cap in caps if any(cap.is_relative_to(root) for root in roots)))


def read_names(only: Sequence[str]) -> tuple[CheckName, ...]:
    """Give the checks that are asked for, each once.

    Raises:
        InvalidRequest: One of them is no check of ours.
    """
    known: dict[str, CheckName] = {name: name for name in CHECKS}
    for name in only:
        if name not in known:
            raise InvalidRequest(
                f"{clean_line(name)[:60]!r} is no check.", hint=f"Checks are: {', '.join(CHECKS)}."
            )
    return tuple(known[name] for name in dict.fromkeys(only))


def wanted_checks(scope: Scope, paths: Sequence[Path], only: Sequence[CheckName]) -> list[Wanted]:
    """Give the checks of the projects that the paths lie in, each once.

    A project is the nearest directory upward that declares a check, within the roots; where checks are named, for each the
    nearest that declares it. A path narrows nothing.

    Raises:
        SourceNotFound: There is nothing at a path.
        SourceOutsideRoots: It lies below none of the roots.
    """
    found: dict[tuple[Path, CheckName], Wanted] = {}
    for path in paths or [scope.directory]:
        start = _confined(scope.directory / path, scope.roots)
        for wanted in _of_path(start, scope.roots, only):
            found.setdefault((wanted.project, wanted.name), wanted)
    return list(found.values())


def _confined(path: Path, roots: Sequence[Path]) -> Path:
    hint = "Name what lies below --cwd, or allow more with --allow-root DIR; `check_roots` of the user's settings may forbid it."
    try:
        resolved, _ = confine(path, roots)
    except (SourceOutsideRoots, SourceNotFound) as error:
        raise type(error)(error.message.replace("The source ", "The path ", 1), hint=hint) from error
    return resolved if resolved.is_dir() else resolved.parent


def _of_path(start: Path, roots: Sequence[Path], only: Sequence[CheckName]) -> list[Wanted]:
    upward = [
        folder for folder in (start, *start.parents) if any(folder.is_relative_to(root) for root in roots)
    ]
    declared = {folder: declarations(folder, roots) for folder in upward}
    if not only:
        nearest = next((folder for folder in upward if declared[folder]), start)
        return [
            Wanted(name=name, project=nearest, declaration=declaration)
            for name, declaration in declared[nearest].items()
        ]
    return [_nearest(name, start, declared) for name in only]


def _nearest(name: CheckName, start: Path, declared: dict[Path, dict[CheckName, Declaration]]) -> Wanted:
    for folder, found in declared.items():
        if name in found:
            return Wanted(name=name, project=folder, declaration=found[name])
    return Wanted(name=name, project=start, declaration=None)
