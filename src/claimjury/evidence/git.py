"""The git program, asked for what it stores and never for what a repository would have it run.

A repository's own config names programs (core.fsmonitor, diff.external, textconv, filters, hooks, a pager, a
transport for objects that are missing), and its author may be a stranger. So: plumbing only, a fixed command
line without a shell, each such setting overridden, no settings of the machine or the user, no environment of
git's, no transport, a time limit and a limit on what is read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Timer
from typing import IO, Final

from claimjury.errors import InvalidRequest
from claimjury.text import clean_line, clip

__all__ = [
    "Reply",
    "Tracked",
    "changed_paths",
    "commit_id",
    "end_running",
    "merge_base",
    "run_git",
    "tracked",
    "unified_diff",
    "work_tree",
]

TIMEOUT_S: Final = 30.0
MAX_LISTING: Final = 20_000_000
"""Bytes."""
_ATTRIBUTES: Final = Path(__file__).with_name("attributes.txt")
_SETTINGS: Final = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.pager=cat",
    f"core.attributesFile={_ATTRIBUTES}",
    "core.quotePath=false",
    "core.bigFileThreshold=512m",
    "diff.suppressBlankEmpty=false",
    "protocol.allow=never",
)
_ENVIRONMENT: Final = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # Its messages are read, in English.
    "LC_ALL": "C",
}
# With an index, git takes a file of the work tree for the blob that it seems to match.
_NO_INDEX: Final = {"GIT_INDEX_FILE": str(_ATTRIBUTES.with_name("no-index"))}
_DIFF: Final = (
    "diff-tree",
    "-r",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--ignore-submodules=none",
    "--submodule=short",
)
_PATIENCE_S: Final = 1.0
_starting: Final = Lock()
_running: Final[set[subprocess.Popen[bytes]]] = set()
_NO_WORK_TREE: Final = ("not a git repository", "must be run in a work tree")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What git said.

    Attributes:
        status: Its exit status.
        output: Its standard output.
        complaint: Its standard error, cleaned, on one line.
    """

    status: int
    output: bytes
    complaint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """An entry of the index.

    Attributes:
        path: Relative to the directory that was asked about.
        submodule: It is another repository, and no file.
    """

    path: str
    submodule: bool


def work_tree(directory: Path) -> Path | None:
    """Give the top of the work tree that `directory` lies in, or None where it lies in none.

    Raises:
        InvalidRequest: git is missing or refuses.
    """
    reply = run_git(directory, "rev-parse", "--show-toplevel")
    if reply.status and any(text in reply.complaint for text in _NO_WORK_TREE):
        return None
    top = Path(os.fsdecode(_checked(reply).removesuffix(b"\n")))
    # The repository's own config can put it anywhere.
    return top if directory.resolve().is_relative_to(top.resolve()) else None


def tracked(directory: Path, pattern: str | None = None) -> list[Tracked]:
    """Give the tracked files below `directory`, sorted, each once; those that match `pattern` where it is given.

    In a pattern `*` stays within one folder and `**` does not.

    Raises:
        InvalidRequest: git is missing or refuses.
    """
    pathspec = [] if pattern is None else [f":(glob){pattern}"]
    listing = _checked(run_git(directory, "ls-files", "-z", "--stage", "--", *pathspec, indexed=True))
    entries: dict[str, Tracked] = {}
    for record in filter(None, listing.split(b"\0")):
        status, _, name = record.partition(b"\t")
        path = os.fsdecode(name)
        entries[path] = Tracked(path=path, submodule=status.startswith(b"160000"))
    return [entries[path] for path in sorted(entries)]


def commit_id(directory: Path, revision: str) -> str | None:
    """Give the full id of the commit that `revision` names, or None where it names none.

    Raises:
        InvalidRequest: git is missing or refuses.
    """
    if "\0" in revision:
        return None
    # As an option's end is said, no revision is ever read as an option.
    reply = run_git(
        directory, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
    )
    found = None if reply.status else _line(reply)
    # Of `^HEAD`, git gives the id with the sign before it.
    return found if found is not None and found.isalnum() else None


def merge_base(directory: Path, one: str, other: str) -> str | None:
    """Give the full id of the commit that both commits, given by full ids, come from; None where there is none."""
    reply = run_git(directory, "merge-base", one, other)
    return None if reply.status else _line(reply)


def changed_paths(top: Path, old: str, new: str, below: Sequence[str]) -> list[str]:
    """Give the paths, relative to `top`, that differ between two commits; of a renamed file both."""
    listing = run_git(top, *_DIFF, "--name-only", "--no-renames", "-z", old, new, "--", *_literal(below))
    return sorted(os.fsdecode(name) for name in _checked(listing).split(b"\0") if name)


def unified_diff(top: Path, old: str, new: str, below: Sequence[str], *, limit: int) -> bytes:
    """Give the unified diff of two commits with the whole of each function that it touches.

    Read up to one byte over `limit`.
    """
    how = ("-p", "-W", "-U3", "--inter-hunk-context=0", "--find-renames", "--full-index")
    prefixes = ("--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=histogram")
    return _checked(
        run_git(top, *_DIFF, *how, *prefixes, old, new, "--", *_literal(below), limit=limit), limit
    )


def _literal(below: Sequence[str]) -> list[str]:
    return [f":(literal){path}" for path in below]


def _line(reply: Reply) -> str:
    return reply.output.decode("ascii", "replace").strip()


def _checked(reply: Reply, limit: int | None = None) -> bytes:
    """Give the output of a call that must not fail. Over `limit` git was ended by us."""
    if limit is not None and len(reply.output) > limit:
        return reply.output
    if reply.status:
        raise InvalidRequest(
            f"git failed: {clip(reply.complaint, 300) or f'exit status {reply.status}'}.",
            hint="Try `git status` in that directory, or name the files.",
        )
    return reply.output


def run_git(
    directory: Path,
    *arguments: str,
    indexed: bool = False,
    limit: int = MAX_LISTING,
    timeout_s: float = TIMEOUT_S,
    settings: Sequence[str] = (),
) -> Reply:
    """Run git in `directory` and give what it said. Of its output, one byte over `limit` is read at most.

    It sees the index only where `indexed`. `settings`, as `name=value`, win over those of the repository.

    Raises:
        InvalidRequest: git is missing, takes too long, or distrusts the repository for its owner.
    """
    set_so = [part for setting in (*_SETTINGS, *settings) for part in ("-c", setting)]
    command = [_program(), "--no-pager", *set_so, *arguments]
    began = time.monotonic()
    try:
        reply = _converse(command, directory, _environment(indexed=indexed), limit, timeout_s)
    except OSError as error:
        raise InvalidRequest(
            f"git cannot be run in {clean_line(str(directory))}: {error.strerror}.",
            hint="Name the files instead.",
        ) from error
    if reply.status and time.monotonic() - began >= timeout_s:
        raise InvalidRequest(
            f"git took over {timeout_s:g} s in {clean_line(str(directory))}.", hint="Name the files instead."
        )
    if "dubious ownership" in reply.complaint:
        raise InvalidRequest(
            f"git does not trust the repository at {clean_line(str(directory))}: it belongs to another user.",
            hint="Run as its owner, or name the files. `safe.directory` in your settings is not read here.",
        )
    return reply


def _converse(
    command: Sequence[str], directory: Path, environment: Mapping[str, str], limit: int, timeout_s: float
) -> Reply:
    with (
        # Not a pipe: nobody reads the complaints while the output is read.
        tempfile.TemporaryFile() as errors,
        _started(command, directory, environment, errors) as process,
        _killed_after(timeout_s, process),
    ):
        output = process.stdout.read(limit + 1) if process.stdout else b""
        if len(output) > limit:
            process.kill()
        status = process.wait()
        errors.seek(0)
        complaint = clean_line(errors.read(2_000).decode("utf-8", "replace"))
    return Reply(status=status, output=output, complaint=complaint)


def _started(
    command: Sequence[str], directory: Path, environment: Mapping[str, str], errors: IO[bytes]
) -> subprocess.Popen[bytes]:
    # Begun and known in one step: what is not known yet would outlive whoever ends what runs.
    with _starting:
        process = subprocess.Popen(  # noqa: S603 - no shell, a fixed program, and no argument of a user's is an option.
            command,
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        _running.add(process)
    return process


@contextmanager
def _killed_after(seconds: float, process: subprocess.Popen[bytes]) -> Iterator[None]:
    timer = Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        process.kill()
        _running.discard(process)


def end_running() -> None:
    """End what still runs, for a process that is about to end itself."""
    # A signal may have come while this very thread begins a program.
    known = _starting.acquire(timeout=_PATIENCE_S)
    for process in tuple(_running):
        process.kill()
    if known:
        _starting.release()


def _environment(*, indexed: bool) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    return {**kept, **_ENVIRONMENT, **({} if indexed else _NO_INDEX)}


def _program() -> str:
    """Give the path of git. A relative entry of PATH could lead into the repository itself."""
    folders = [entry for entry in os.get_exec_path() if Path(entry).is_absolute()]
    program = shutil.which("git", path=os.pathsep.join(folders)) if folders else None
    if program is None:
        raise InvalidRequest(
            "The program git was not found, which a diff, a directory or a pattern needs.",
            hint="Install git, or name the files.",
        )
    return program
