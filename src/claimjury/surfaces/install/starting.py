"""How a host starts the server: the command, its arguments and the name of the entry."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from claimjury.errors import InvalidRequest
from claimjury.surfaces.install.hosts import Host
from claimjury.text import clean_line, clip, is_harmful

__all__ = ["checked_name", "start_command"]

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SCRIPT: Final = "claimjury.exe" if sys.platform == "win32" else "claimjury"


def checked_name(name: str, host: Host) -> str:
    """Give the name of an entry, as every host takes it.

    Raises:
        InvalidRequest: It has other characters than letters, digits, `-` and `_`, or the host keeps it for itself.
    """
    if not _NAME.fullmatch(name):
        raise InvalidRequest(
            f"`{clip(clean_line(name), 80)}` cannot name an entry.",
            hint="Use up to 64 letters, digits, - and _.",
        )
    if name in host.reserved:
        raise InvalidRequest(f"{host.title} keeps the name `{name}` for itself.", hint="Give another --name.")
    return name


def start_command(roots: Iterable[Path]) -> tuple[str, list[str]]:
    """Give the command and the arguments that start the server, without a path that depends on where it is started.

    Args:
        roots: What callers may name files of.

    Raises:
        InvalidRequest: A root is no folder, or a path has characters that cannot stand in a host's file.
    """
    command, *args = _program()
    args.append("mcp")
    for root in roots:
        if not root.is_dir():
            raise InvalidRequest(
                f"The root {clean_line(str(root))} is no folder.", hint="Name one that is there."
            )
        args += ["--root", str(root.resolve())]
    for text in (command, *args):
        _refuse_unwritable(text)
    return command, args


def _program() -> list[str]:
    """Give the script of this installation, else this interpreter with the package.

    The script that was called is kept as it was called: pipx and uv make links that outlive an upgrade.
    """
    called, installed = Path(sys.argv[0]), Path(sysconfig.get_path("scripts")) / _SCRIPT
    for script in (called.absolute(), installed):
        if script.name == _SCRIPT and script.is_file() and os.access(script, os.X_OK):
            return [str(script)]
    return [sys.executable, "-m", "claimjury"]


def _refuse_unwritable(text: str) -> None:
    """Refuse what a file of text cannot hold as it is, and what a host would take for a variable."""
    if any(is_harmful(char) or char in "\n\t" for char in text) or "${" in text:
        raise InvalidRequest(
            f"The path {clip(clean_line(text), 200)} has characters that cannot stand in a host's file.",
            hint="Use a path without control characters and without `${`.",
        )
