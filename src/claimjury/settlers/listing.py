"""What git lists of a work tree: its index, what differs from the index, what is not tracked, and what a commit holds.

Only plumbing is asked. To compare a file whose time is that of the index, git would run the filters that the repository's config names;
each is overridden by none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from claimjury.errors import InvalidRequest
from claimjury.evidence.git import Reply, run_git
from claimjury.settlers.blind import BlindSpot, hidden_by_tag

__all__ = [
    "LINK",
    "SUBMODULE",
    "Entry",
    "list_differing",
    "list_head",
    "list_index",
    "list_untracked",
    "stored_otherwise",
]

LINK: Final = "120000"
SUBMODULE: Final = "160000"
_NONE: Final = "000000"
_DENIED: Final = re.compile(r"could not open|[Pp]ermission denied|unable to (?:stat|read|open)")
_MAX_INDEX: Final = 400_000_000
_DIFFERENCE: Final = re.compile(r":(\d+) (\d+) ([0-9a-f]+) [0-9a-f]+ [A-Z]\d*\0([^\0]*)\0")
_RAW: Final = (
    "--raw",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--no-abbrev",
)
_STRICT: Final = ("core.trustctime=true", "core.checkStat=default")
"""What a file looks like to the index is compared in full, whatever the repository's config says."""
_USUAL_MODES: Final = ("100644", "100755")


class Entry(NamedTuple):
    """A file of a tree.

    Attributes:
        mode: As git has it: 100644, 100755, 120000 (a link) or 160000 (another repository).
        blob: Git's id of its bytes; None where it is not tracked, or cannot be known.
        tracked: It is in the index.
    """

    mode: str
    blob: str | None
    tracked: bool = True


def list_index(top: Path) -> tuple[dict[str, Entry], list[BlindSpot]]:
    """Give the index by path, as git stores it, and what its flags hide.

    Raises:
        InvalidRequest: git refuses.
    """
    options = ("ls-files", "-z", "--stage", "-v", "--full-name")
    listed = os.fsdecode(_checked(run_git(top, *options, indexed=True, limit=_MAX_INDEX)))
    entries: dict[str, Entry] = {}
    blind: list[BlindSpot] = []
    for row in filter(None, listed.split("\0")):
        told, _, path = row.partition("\t")
        tag, mode, blob, stage = told.split(" ")
        entries[path] = Entry(mode, blob)
        if tag != "H" or stage != "0" or mode not in _USUAL_MODES:
            blind += hidden_by_tag(tag, stage, mode, path)
    return entries, blind


def list_differing(top: Path) -> dict[str, str]:
    """Give the mode, now, of each tracked path that may differ from the index; "" where it is gone.

    Raises:
        InvalidRequest: git refuses.
    """
    options = ("diff-files", *_RAW, "--ignore-submodules=all")
    rows = _differences(
        run_git(top, *options, indexed=True, limit=_MAX_INDEX, settings=[*_STRICT, *_no_filters(top)])
    )
    return {path: "" if mode == _NONE else mode for _, mode, _, path in rows}


def _no_filters(top: Path) -> list[str]:
    """Give settings by which no program of the repository's config is run on a file."""
    reply = run_git(top, "config", "--null", "--name-only", "--get-regexp", r"^filter\.")
    names = sorted({os.fsdecode(name).rpartition(".")[0] for name in _records(reply.output)})
    if any("=" in name for name in names):
        raise InvalidRequest(
            "The repository's config has a filter with an equals sign in its name, which cannot be turned off.",
            hint="Rename it, or turn the settlers off with --no-settle.",
        )
    return [f"{name}.{how}" for name in names for how in ("clean=", "smudge=", "process=", "required=false")]


def stored_otherwise(top: Path, commit: str) -> dict[str, Entry | None]:
    """Give what a commit stores of each path of which the index has something else; None where the commit has no such file.

    Raises:
        InvalidRequest: git refuses.
    """
    options = ("diff-index", "--cached", *_RAW, "--ignore-submodules=none", "--ita-visible-in-index")
    rows = _differences(run_git(top, *options, commit, "--", indexed=True, limit=_MAX_INDEX))
    return {path: None if mode == _NONE else Entry(mode, blob) for mode, _, blob, path in rows}


def _differences(reply: Reply) -> list[tuple[str, str, str, str]]:
    """Give the rows of a raw diff: both modes, the first blob and the path."""
    return _DIFFERENCE.findall(os.fsdecode(_checked(reply)))


def list_untracked(top: Path) -> tuple[list[str], list[str]]:
    """Give untracked paths, and those of them that only the repository's own exclude list hides.

    Raises:
        InvalidRequest: git refuses.
    """
    everything = _others(top, "--exclude-per-directory=.gitignore")
    excludes = _exclude_file(top) if everything else None
    if excludes is None:
        return everything, []
    usual = set(_others(top, "--exclude-per-directory=.gitignore", f"--exclude-from={excludes}"))
    return [path for path in everything if path in usual], [path for path in everything if path not in usual]


def _others(top: Path, *options: str) -> list[str]:
    # Else a file is not listed whose name differs by its case alone from that of one that is tracked.
    exact = ("core.ignoreCase=false",)
    reply = run_git(top, "ls-files", "--others", "-z", "--full-name", *options, indexed=True, settings=exact)
    return [os.fsdecode(name) for name in _records(_checked(reply))]


def _exclude_file(top: Path) -> str | None:
    """Give the repository's own exclude list where it names anything."""
    reply = run_git(top, "rev-parse", "--git-path", "info/exclude")
    file = top / os.fsdecode(_checked(reply).removesuffix(b"\n"))
    try:
        lines = file.read_bytes().splitlines() if file.is_file() else []
    except OSError:
        return None
    return str(file) if any(line.strip() and not line.startswith(b"#") for line in lines) else None


def list_head(top: Path) -> tuple[str | None, Mapping[str, Entry | None]]:
    """Give the commit that is checked out, None before the first, and what it stores otherwise than the index.

    Raises:
        InvalidRequest: git refuses.
    """
    reply = run_git(top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if reply.status:
        return None, {}
    head = reply.output.decode("ascii").strip()
    return head, stored_otherwise(top, head)


def _records(output: bytes) -> Iterator[bytes]:
    yield from filter(None, output.split(b"\0"))


def _checked(reply: Reply) -> bytes:
    # Of a folder that it may not read, git only warns.
    if reply.status or _DENIED.search(reply.complaint):
        raise InvalidRequest(
            f"git could not list the work tree: {reply.complaint[:300] or f'exit status {reply.status}'}.",
            hint="Try `git status` in that directory, or turn the settlers off with --no-settle.",
        )
    return reply.output
