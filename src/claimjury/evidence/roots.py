"""Confinement: a source is read only below an allowed root, its links followed, component by component."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from claimjury.errors import ConfigInvalid, InvalidRequest, SourceNotFound, SourceOutsideRoots
from claimjury.text import clean_line

__all__ = ["confine", "resolve_roots"]


def resolve_roots(roots: Sequence[Path] | None) -> tuple[Path, ...]:
    """Give the allowed roots, links followed; the working directory where none is named.

    Raises:
        ConfigInvalid: A root is no directory, or is `/` or the home directory by itself, which would
            allow every file of the machine or of the user.
    """
    return tuple(_checked_root(root) for root in (roots or [Path()]))


def _checked_root(root: Path) -> Path:
    try:
        resolved = root.expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigInvalid(
            f"The root {clean_line(str(root))} does not exist.", hint="Name a directory with --root DIR."
        ) from error
    if not resolved.is_dir():
        raise ConfigInvalid(
            f"The root {clean_line(str(root))} is not a directory.", hint="Name a directory with --root DIR."
        )
    home = _home()
    if resolved == Path(resolved.anchor) or (home is not None and home.is_relative_to(resolved)):
        raise ConfigInvalid(
            f"The root {clean_line(str(resolved))} is too wide: a whole disk, a home directory or a folder of homes is never a root.",
            hint="Run in the project's directory, or name it with --root DIR.",
        )
    return resolved


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (OSError, RuntimeError):
        return None


def confine(path: Path, roots: Sequence[Path]) -> tuple[Path, Path]:
    """Give the file that `path` names, links followed, and the root that it lies below.

    Raises:
        InvalidRequest: The path holds a NUL character.
        SourceNotFound: There is nothing at the path.
        SourceOutsideRoots: The file lies below none of the roots.
    """
    shown = clean_line(str(path))
    try:
        resolved = path.resolve(strict=True)
    except ValueError as error:
        raise InvalidRequest(
            f"The source path {shown!r} holds a character that no path can hold, such as NUL.",
            hint="Check the path.",
        ) from error
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "its links form a loop"
        raise SourceNotFound(
            f"The source {shown} cannot be read: {reason}.",
            hint=f"Paths are relative to the working directory, {Path.cwd().name!r}.",
        ) from error
    for root in roots:
        if resolved.is_relative_to(root):
            return resolved, root
    allowed = ", ".join(clean_line(str(root)) for root in roots)
    raise SourceOutsideRoots(
        f"The source {shown} lies outside the allowed roots ({allowed}){_led(path, resolved)}.",
        hint="Widen them on purpose with --root DIR, or copy the file into the project.",
    )


def _led(path: Path, resolved: Path) -> str:
    lexical = Path.cwd() / path
    return (
        f"; its links lead to {clean_line(str(resolved))}"
        if resolved != lexical and ".." not in path.parts
        else ""
    )
