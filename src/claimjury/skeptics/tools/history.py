"""`git_diff` and `git_log`: what the repository's commits say, and no program of its author's is run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from claimjury.errors import InvalidRequest, SourceNotFound
from claimjury.evidence.denylist import denied_by
from claimjury.evidence.diff import parted
from claimjury.evidence.git import (
    changed_paths,
    commit_id,
    merge_base,
    run_git,
    unified_diff,
    work_tree,
)
from claimjury.evidence.secrets import Bare, without_secrets
from claimjury.skeptics.tools.arguments import DiffArguments, LogArguments
from claimjury.skeptics.tools.changes import changed_lines
from claimjury.skeptics.tools.jail import Jail
from claimjury.skeptics.tools.limits import MAX_LOG_BYTES, MAX_MESSAGE, MAX_NAMED, MAX_REPLY_BYTES
from claimjury.skeptics.tools.replies import Looked, Rows, Shown, ToolReply, named, plural, reply, shown_name
from claimjury.text import clean_line, clip

__all__ = ["git_diff", "git_log"]

_DOTS: Final = re.compile(r"\.{2,3}")
_MAX_SEPARATE: Final = 1_000
"""Files that git is asked for one by one, where others of the same diff are denied."""
# No %G: it would run the program that gpg.program names.
_FORMAT: Final = "%x00%H%x00%P%x00%aI%x00%an%x00%B%x00"
_FIELDS: Final = 6
_FROM_COMMITS: Final = "What is not committed is in no diff; read shows the files as they are now."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Range:
    """Two ends of a range, as full ids.

    Attributes:
        old: None where only one commit was named.
        new: The commit that it leads to.
        forked: Whether it is `A...B`.
    """

    old: str | None
    new: str
    forked: bool


def git_diff(jail: Jail, wanted: DiffArguments) -> ToolReply:
    """Give the diff of two commits, without files that are denied.

    Raises:
        RequestError: The range or the path names nothing, or git refuses.
    """
    top = _top(jail)
    path = None if wanted.path is None else jail.inside(wanted.path)
    old, new = _ends(top, wanted.range)
    looked = Looked(tool="git_diff", path=path, start=None, end=None, detail=f"{old}..{new}")
    files = changed_paths(top, old, new, _below(jail, top, path))
    if not files:
        return reply(f"Nothing differs between {old} and {new}.", [], [_FROM_COMMITS], looked)
    allowed, denied = _parted(jail, top, files)
    left_out = f"Left out, since they are named like secrets or kept back: {named(denied)}." if denied else ""
    head = f"From {old} to {new}, {plural(len(files), 'file')} differ. "
    if not allowed:
        return reply(f"{head}None can be shown.", [], [left_out], looked)
    below = _below(jail, top, path) if not denied else _separate(allowed)
    looked = replace(looked, files=tuple(allowed))
    data = unified_diff(top, old, new, below, limit=MAX_REPLY_BYTES)
    rows, notes, bare = _diff_rows(data, len(allowed))
    return reply(
        f"{head}Shown: {named(allowed)}.",
        rows,
        [*notes, left_out, _FROM_COMMITS],
        looked,
        shown=list(changed_lines(bare.text.split("\n")[: len(rows)])),
        secrets=bare.count(1, len(rows)),
    )


def _top(jail: Jail) -> Path:
    top = work_tree(jail.root)
    # A repository's config can say that its work tree is elsewhere.
    if top is None or not jail.root.is_relative_to(top.resolve()):
        raise SourceNotFound("This is no git repository.", hint="Use read, grep and glob.")
    return top.resolve()


def _below(jail: Jail, top: Path, path: str | None) -> list[str]:
    """Give what git is to look at, relative to the top of the work tree; an empty list for all of it."""
    below = PurePosixPath(jail.root.relative_to(top).as_posix()) / (path or ".")
    return [] if below == PurePosixPath() else [below.as_posix()]


def _ends(top: Path, text: str) -> tuple[str, str]:
    found = _resolved(top, text)
    if found.old is None:
        return found.new, _commit(top, "HEAD")
    if not found.forked:
        return found.old, found.new
    base = merge_base(top, found.old, found.new)
    if base is None:
        raise InvalidRequest(f"The commits of {shown_name(text)} have no common ancestor.", hint="Use A..B.")
    return base, found.new


def _resolved(top: Path, text: str) -> _Range:
    """Give the ids of the commits of a range, so that nothing of the model's words reaches git as a range."""
    dots = _DOTS.search(text)
    if dots is None:
        return _Range(old=None, new=_commit(top, text), forked=False)
    left, right = text[: dots.start()], text[dots.end() :]
    if not left and not right:
        raise InvalidRequest("The range is empty.", hint="Write it like main...HEAD, or HEAD~1.")
    return _Range(
        old=_commit(top, left or "HEAD"), new=_commit(top, right or "HEAD"), forked=len(dots[0]) == 3
    )


def _commit(top: Path, revision: str) -> str:
    found = commit_id(top, revision)
    if found is None:
        raise InvalidRequest(
            f"{shown_name(revision)} names no commit of this repository.", hint="git_log lists commits."
        )
    return found


def _parted(jail: Jail, top: Path, files: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part the files that may be shown from those that are denied, or that git could not show without them."""
    root = PurePosixPath(jail.root.relative_to(top).as_posix())
    # git's names begin at the top of the work tree, and what is kept back is named from the root.
    denied = {
        file
        for file in files
        if denied_by(PurePosixPath(file)) or jail.denies(PurePosixPath(file).relative_to(root))
    }
    return parted(files, denied)


def _separate(allowed: Sequence[str]) -> Sequence[str]:
    if len(allowed) > _MAX_SEPARATE:
        raise InvalidRequest(
            f"The diff touches denied files and {len(allowed):,} others, too many to be shown without them.",
            hint="Narrow it with path.",
        )
    return allowed


def _diff_rows(data: bytes, files: int) -> tuple[list[str], list[str], Bare]:
    whole = len(data) <= MAX_REPLY_BYTES
    text = data.decode("utf-8", "replace").replace("\0", "\ufffd")
    bare = without_secrets(text, diff=True)
    lines = bare.text.removesuffix("\n").split("\n")
    # The last line of what was cut is cut itself.
    lines = lines if whole else lines[:-1]
    rows = Rows()
    width = len(str(len(lines)))
    shown = [line for number, line in enumerate(lines, start=1) if rows.add_line(number, line, width)]
    odd = "What is no UTF-8, or NUL, is shown as U+FFFD." if "\ufffd" in text else ""
    if whole and len(shown) == len(lines):
        return rows.shown, [odd], bare
    # Lines of content begin with a blank, a plus or a minus.
    begun = sum(line.startswith("diff --git ") for line in shown)
    cut = f"Left out: the diff goes on. Shown are {begun:,} of {plural(files, 'file')}, the last in part."
    return rows.shown, [f"{cut} Name one file with path, or read it.", odd], bare


def git_log(jail: Jail, wanted: LogArguments) -> ToolReply:
    """Give commits with date, author and message, newest first.

    Raises:
        RequestError: The range names nothing, or git refuses.
    """
    top = _top(jail)
    path = None if wanted.path is None else jail.inside(wanted.path)
    revisions = _revisions(top, wanted.range or "HEAD")
    below = [f":(literal){name}" for name in _below(jail, top, path)]
    arguments = (f"--max-count={wanted.limit + 1}", "--encoding=UTF-8", f"--format=format:{_FORMAT}")
    log = run_git(top, "rev-list", *arguments, *revisions, "--", *below, limit=MAX_LOG_BYTES)
    if log.status and len(log.output) <= MAX_LOG_BYTES:
        raise InvalidRequest(f"git failed: {clip(log.complaint, 300)}.", hint="Try another range.")
    commits = list(_commits(log.output))
    rows, shown, secrets = _log_rows(commits[: wanted.limit])
    cut = len(commits) > len(rows) or len(log.output) > MAX_LOG_BYTES
    more = "Left out: older commits. Go on with range set to the parent of the last one." if cut else ""
    looked = Looked(tool="git_log", path=path, start=None, end=None, detail=" ".join(revisions))
    where = f" that touch {shown_name(path)} (renames are not followed)" if path else ""
    return reply(f"{plural(len(rows), 'commit')}{where}.", rows, [more], looked, shown=shown, secrets=secrets)


def _revisions(top: Path, text: str) -> list[str]:
    found = _resolved(top, text)
    if found.old is None:
        return [found.new]
    return [f"{found.old}{'...' if found.forked else '..'}{found.new}"]


def _commits(output: bytes) -> Iterable[tuple[str, ...]]:
    """Give the fields of each commit that was read whole."""
    fields = output.decode("utf-8", "replace").split("\0")
    for start in range(1, len(fields) - _FIELDS + 1, _FIELDS):
        yield tuple(fields[start : start + _FIELDS - 1])


def _log_rows(commits: Sequence[tuple[str, ...]]) -> tuple[list[str], list[Shown], int]:
    rows, shown, secrets = Rows(), list[Shown](), 0
    for commit, parents, date, author, message in commits:
        who, said = without_secrets(author), without_secrets(message.rstrip("\n"))
        text = clip(said.text, MAX_MESSAGE)
        if not rows.add(_entry(commit, parents, date, who.text, text)):
            break
        secrets += len(who.lines) + said.count(1, text.count("\n") + 1)
        shown.append(Shown(name=f"commit {commit}", line=1, text=text))
    return rows.shown, shown, secrets


def _entry(commit: str, parents: str, date: str, author: str, message: str) -> str:
    """Give a commit. Its message is indented, so that no line of it reads as another commit."""
    body = "\n".join(f"    | {line}" for line in message.split("\n"))
    several = parents.split()[:MAX_NAMED]
    return f"commit {commit}\nparents {' '.join(several) or 'none'}\ndate {date}\nauthor {clip(clean_line(author), 200)}\n{body}"
