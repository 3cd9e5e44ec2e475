"""The files that a check looks at, as one hash: a run that changes them is noticed, and a result is bound to them."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from claimjury.errors import InvalidRequest
from claimjury.evidence.git import run_git, work_tree

__all__ = ["tree_hash"]

_CHUNK: Final = 1_048_576
_LISTED: Final = ("ls-files", "-z", "--cached", "--others", "--exclude-per-directory=.gitignore", "--", ".")
_CACHES: Final = frozenset(
    (
        *(".git", ".hg", ".svn", ".jj", ".venv", "venv", "node_modules", "__pycache__", "target"),
        *(".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".tox", ".nox", ".cache", ".eggs"),
    )
)


def tree_hash(directory: Path) -> str:
    """Give the hash of path, mode and bytes of every file below `directory`.

    In a Git work tree: what is tracked, and what is not but is not ignored either. Elsewhere: all but the usual caches. The bytes
    are those on the disk; no filter of Git's is run, and no bit of its index believed.
    """
    whole = hashlib.sha256()
    for path in sorted(set(_paths(directory))):
        name = os.fsencode(path)
        whole.update(b"%d:%b" % (len(name), name))
        whole.update(_of_file(Path(os.path.join(directory, path))))  # noqa: PTH118 - Path would take a NUL-free name apart.
    return f"sha256:{whole.hexdigest()}"


def _paths(directory: Path) -> Iterator[str]:
    listed = _listed(directory)
    if listed is None:
        yield from _walked(directory, "")
        return
    for path in listed:
        # A submodule, or a repository within this one, is one entry.
        inner = directory / path
        if inner.is_dir() and not inner.is_symlink():
            yield from _walked(inner, path.rstrip("/"))
        else:
            yield path


def _listed(directory: Path) -> list[str] | None:
    """Give what Git lists, or None where it lists nothing."""
    try:
        if work_tree(directory) is None:
            return None
        reply = run_git(directory, *_LISTED, indexed=True, limit=200_000_000)
    except InvalidRequest:
        return None
    return None if reply.status else [os.fsdecode(name) for name in reply.output.split(b"\0") if name]


def _walked(top: Path, below: str) -> Iterator[str]:
    for folder, folders, files in os.walk(top):
        linked = [name for name in folders if Path(folder, name).is_symlink()]
        folders[:] = [name for name in folders if name not in _CACHES and name not in linked]
        inner = os.path.relpath(folder, top)
        for name in (*files, *linked):
            yield os.path.normpath(os.path.join(below, inner, name))  # noqa: PTH118 - names, not places.


def _of_file(path: Path) -> bytes:
    """Give the hash of one file: its kind, whether it can be run, and its bytes; of a link, where it leads."""
    own = hashlib.sha256()
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            own.update(b"link:" + os.fsencode(path.readlink()))
        elif stat.S_ISREG(found.st_mode):
            own.update(b"run:" if found.st_mode & stat.S_IXUSR else b"file:")
            with path.open("rb") as file:
                while data := file.read(_CHUNK):
                    own.update(data)
        else:
            own.update(b"other:%d" % stat.S_IFMT(found.st_mode))
    except OSError as error:
        own.update(b"unread:%d" % (error.errno or 0))
    return own.digest()
