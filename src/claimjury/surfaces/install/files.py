"""A host's settings file, read and written with care: it is somebody else's, and may hold all that they have set.

It is replaced in one step by a new file with the mode and the owner of the old one, and only if it still says what was
read. Links are followed and stay. What is no file of text is refused, never replaced.
"""

from __future__ import annotations

import os
import stat
import tempfile
from codecs import BOM_UTF8
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from claimjury.errors import ConfigInvalid, InvalidRequest
from claimjury.text import clean_line

__all__ = ["Found", "find_file", "write_found"]

MAX_BYTES: Final = 64_000_000
"""A `~/.claude.json` of some megabytes is common; what is larger than this is no settings file."""
_PRIVATE: Final = 0o600
_SHARED: Final = 0o666


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was found where a host's file is, or would be.

    Attributes:
        path: Where the host looks for it.
        real: The file itself, with links followed.
        data: What it holds; None where there is none.
        status: Its mode and owner; None where there is none.
        private: Whether a new file is for its user alone.
    """

    path: Path
    real: Path
    data: bytes | None
    status: os.stat_result | None
    private: bool

    @property
    def shown(self) -> str:
        """Its path, for messages."""
        return clean_line(str(self.path))

    @property
    def text(self) -> str:
        """What it holds, without a byte-order mark.

        Raises:
            ConfigInvalid: It is not UTF-8.
        """
        try:
            return (self.data or b"").removeprefix(BOM_UTF8).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ConfigInvalid(
                f"{self.shown} is not UTF-8: {error.reason} at byte {error.start:,}.",
                hint="Correct or move it.",
            ) from error

    def encoded(self, text: str) -> bytes:
        """Give the bytes of a new text, with a byte-order mark where there was one."""
        mark = BOM_UTF8 if (self.data or b"").startswith(BOM_UTF8) else b""
        return mark + text.encode("utf-8")


def find_file(path: Path, *, private: bool) -> Found:
    """Read a host's file, or see that there is none and that one could be made.

    Args:
        path: Where the host looks for it.
        private: Whether a new one is for its user alone.

    Raises:
        ConfigInvalid: What is there is a link that leads nowhere, no regular file, or too large.
        InvalidRequest: It cannot be read or written.
    """
    shown = clean_line(str(path))
    try:
        status = path.stat()
        real = path.resolve(strict=True)
    except FileNotFoundError as error:
        if path.is_symlink():
            raise ConfigInvalid(
                f"{shown} is a link that leads nowhere.", hint="Mend or remove it."
            ) from error
        _refuse_folder(path, shown)
        return Found(
            path=path, real=path.parent.resolve() / path.name, data=None, status=None, private=private
        )
    except (OSError, RuntimeError) as error:
        raise InvalidRequest(f"{shown} cannot be read: {_reason(error)}.", hint="Check the path.") from error
    _refuse_kind(real, status, shown)
    return Found(path=path, real=real, data=_read(real, shown), status=status, private=private)


def _refuse_folder(path: Path, shown: str) -> None:
    """Refuse a place in which no file could be made: its nearest folder that is there is none, or is closed."""
    folder = next((parent for parent in path.parents if os.path.lexists(parent)), path.parent)
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise InvalidRequest(
            f"{shown} cannot be made: {clean_line(str(folder))} is not a folder that you may write to.",
            hint="Check the path and its permissions.",
        )


def _refuse_kind(real: Path, status: os.stat_result, shown: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = "a directory" if stat.S_ISDIR(status.st_mode) else "no regular file"
        raise ConfigInvalid(f"{shown} is {kind}.", hint="Move it away.")
    if status.st_size > MAX_BYTES:
        raise ConfigInvalid(f"{shown} has more than {MAX_BYTES:,} bytes.", hint="Check what it is.")
    if status.st_nlink > 1:
        # A new file in its place would part it from its other names, without a word.
        raise InvalidRequest(
            f"{shown} has a second hard link.", hint="Edit it yourself (--print shows the entry)."
        )
    if not status.st_mode & 0o222 or not os.access(real, os.W_OK) or not os.access(real.parent, os.W_OK):
        raise InvalidRequest(f"{shown} may not be written.", hint="Check its permissions and its folder's.")


def _read(real: Path, shown: str) -> bytes:
    try:
        return real.read_bytes()
    except OSError as error:
        raise InvalidRequest(
            f"{shown} cannot be read: {_reason(error)}.", hint="Check its permissions."
        ) from error


def write_found(found: Found, data: bytes) -> None:
    """Put a new file in the place of the one that was found, in one step.

    Raises:
        InvalidRequest: The file has changed since it was read, or it cannot be written.
    """
    try:
        _make_folders(found.real.parent, private=found.private)
        _refuse_changed(found)
        _replace(found, data)
    except OSError as error:
        raise InvalidRequest(
            f"{found.shown} could not be written: {_reason(error)}. It is as it was.",
            hint="Check its permissions and its folder's.",
        ) from error


def _make_folders(folder: Path, *, private: bool) -> None:
    for missing in [one for one in (*reversed(folder.parents), folder) if not one.exists()]:
        missing.mkdir(mode=0o700 if private else 0o777)


def _refuse_changed(found: Found) -> None:
    there = os.path.lexists(found.path)
    same = there == (found.data is not None)
    if same and there:
        same = found.path.resolve() == found.real and found.real.read_bytes() == found.data
    if not same:
        raise InvalidRequest(
            f"{found.shown} has changed since it was read; nothing was written.",
            hint="Run the command again.",
            retryable=True,
        )


def _replace(found: Found, data: bytes) -> None:
    with tempfile.NamedTemporaryFile(
        "wb", dir=found.real.parent, prefix=f".{found.real.name}.", suffix=".tmp", delete=False
    ) as file:
        made = Path(file.name)
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            _give_status(made, found)
            made.replace(found.real)
        except BaseException:
            # An interrupt, too, leaves nothing behind.
            with suppress(OSError):
                made.unlink()
            raise


def _give_status(made: Path, found: Found) -> None:
    """Give a new file the mode and the owner of the old one, or those of a new one."""
    if found.status is None:
        made.chmod(_PRIVATE if found.private else _SHARED & ~_umask())
        return
    if hasattr(os, "chown") and (made.stat().st_uid, made.stat().st_gid) != (
        found.status.st_uid,
        found.status.st_gid,
    ):
        os.chown(made, found.status.st_uid, found.status.st_gid)
    made.chmod(stat.S_IMODE(found.status.st_mode))


def _umask() -> int:
    """Give the process's mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__
