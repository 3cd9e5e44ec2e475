"""The jail: what a skeptic may read. Below one root, links followed, no secrets, regular files of text."""

from __future__ import annotations

import posixpath
import stat
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath
from typing import Final

from claimjury.errors import InvalidRequest, SourceDenied, SourceNotFound, SourceNotText, SourceOutsideRoots
from claimjury.evidence.decoding import Decoded, decode
from claimjury.evidence.denylist import denied_by
from claimjury.evidence.files import Role, read_file
from claimjury.evidence.ignoring import IGNORE_FILE, is_ignored
from claimjury.evidence.roots import confine, resolve_roots
from claimjury.skeptics.tools.replies import shown_name

__all__ = ["FILE", "Found", "Jail", "is_link"]

FILE: Final = Role(
    noun="file",
    if_irregular="Name a regular file of text; glob lists files.",
    if_large="It cannot be read with these tools.",
    if_denied="It is not to be read; go on without it.",
)
_RELATIVE: Final = "Paths are relative to the root of the repository, like src/a.py."


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A place in the jail.

    Attributes:
        path: Where it is, links followed.
        name: Relative to the root, with forward slashes; `.` for the root.
        folder: Whether it is a directory.
    """

    path: Path
    name: str
    folder: bool


class Jail:
    """One root, and what may be read below it."""

    def __init__(self, root: Path) -> None:
        (self.root,) = resolve_roots([root])

    def find(self, given: str) -> Found:
        """Give the file or folder that a path names.

        Raises:
            RequestError: It is absolute, is not there, leads out, is denied, or is neither file nor folder.
        """
        shown = shown_name(given)
        _refuse_absolute(given, shown)
        resolved = self._confined(given, shown)
        name = resolved.relative_to(self.root)
        self._refuse_denied(shown, PurePath(given), PurePosixPath(posixpath.normpath(given)), name)
        folder = _is_folder(resolved, shown)
        return Found(path=resolved, name=name.as_posix(), folder=folder)

    def _confined(self, given: str, shown: str) -> Path:
        try:
            resolved, _ = confine(self.root / given, [self.root])
        except InvalidRequest as error:
            raise InvalidRequest(
                f"{shown} holds a character that no path can hold, such as NUL.", hint=_RELATIVE
            ) from error
        except SourceOutsideRoots as error:
            raise _outside(shown) from error
        except SourceNotFound as error:
            # Whether there is something outside is not told.
            if self._leads_out(given):
                raise _outside(shown) from error
            reason = getattr(error.__cause__, "strerror", None) or "its links form a loop"
            raise SourceNotFound(
                f"{shown} cannot be read: {reason}.", hint=f"{_RELATIVE} glob lists files."
            ) from error
        return resolved

    def _leads_out(self, given: str) -> bool:
        try:
            return not (self.root / given).resolve().is_relative_to(self.root)
        except (OSError, RuntimeError):
            # Links in a loop lead nowhere.
            return False

    def read(self, given: str, *, role: Role = FILE) -> tuple[Found, Decoded]:
        """Give the text of the file that a path names.

        Raises:
            RequestError: It may not or cannot be read, or is no text.
        """
        found = self.find(given)
        if found.folder:
            raise SourceNotText(
                f"{shown_name(given)} is a directory.", hint=f"List it: glob with {found.name}/**."
            )
        try:
            return found, decode(
                read_file(found.path, shown_name(found.name), role=role), shown_name(found.name), noun="file"
            )
        except SourceNotText as error:
            raise SourceNotText(error.message, hint="Read another file.") from error

    def inside(self, given: str) -> str:
        """Give a path that need not exist any more, relative to the root; no link is followed. For git's history.

        Raises:
            RequestError: It is absolute, leads out, or is denied.
        """
        shown = shown_name(given)
        _refuse_absolute(given, shown)
        if "\0" in given:
            raise InvalidRequest(f"{shown} holds NUL, which no path can hold.", hint=_RELATIVE)
        name = posixpath.normpath(given)
        if name == ".." or name.startswith("../"):
            raise _outside(shown)
        self._refuse_denied(shown, PurePosixPath(name))
        return name

    def denies(self, name: PurePath) -> str | None:
        """Give the pattern, or the file of patterns, that keeps a name back; None where it may be read."""
        pattern = denied_by(name)
        if (
            pattern is None
            and not name.is_absolute()
            and is_ignored(self.root, PurePosixPath(name.as_posix()))
        ):
            return IGNORE_FILE
        return pattern

    def _refuse_denied(self, shown: str, *names: PurePath) -> None:
        # A folder of secrets is denied by what lies in it.
        found = (self.denies(name) or denied_by(name / "x") for name in names)
        pattern = next(filter(None, found), None)
        if pattern == IGNORE_FILE:
            raise SourceDenied(f"{shown} is kept back by {IGNORE_FILE}.", hint=FILE.if_denied)
        if pattern is not None:
            raise SourceDenied(
                f"{shown} is denied: `{pattern}` names files that hold secrets, or git's own.",
                hint=FILE.if_denied,
            )


def _outside(shown: str) -> SourceOutsideRoots:
    return SourceOutsideRoots(f"{shown} leads out of the repository.", hint=_RELATIVE)


def is_link(path: Path) -> bool:
    """Whether an absolute path, its `..` taken out, is another by the links on its way."""
    try:
        return path.resolve() != path
    except (OSError, RuntimeError):
        # Links in a loop.
        return True


def _refuse_absolute(given: str, shown: str) -> None:
    if PurePath(given).is_absolute() or PurePosixPath(given).is_absolute():
        raise SourceOutsideRoots(f"{shown} is an absolute path.", hint=_RELATIVE)


def _is_folder(resolved: Path, shown: str) -> bool:
    """Say whether it is a directory. A FIFO is not even opened: that would wake up who writes to it."""
    try:
        mode = resolved.stat().st_mode
    except OSError as error:
        raise SourceNotFound(f"{shown} cannot be read: {error.strerror}.", hint="Try again.") from error
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise SourceNotText(
            f"{shown} is a FIFO, a socket or a device, not a regular file.", hint=FILE.if_irregular
        )
    return stat.S_ISDIR(mode)
