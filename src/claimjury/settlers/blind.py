"""What git does not show of a work tree: one list for every settler.

Each of these can make "only X changed" or "nothing mentions Y" look true: tracked files that are marked not to be looked at, other
repositories inside, files that the repository's own exclude list hides, bytes that are converted, and conflicts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from claimjury.evidence.git import run_git
from claimjury.text import clean_line

__all__ = ["BlindKind", "BlindSpot", "converted", "hidden_by_tag", "tell"]

BlindKind = Literal[
    "assume_unchanged",
    "skip_worktree",
    "submodule",
    "nested_repository",
    "excluded",
    "converted",
    "conflict",
    "staged",
    "unreadable",
]
_SUBMODULE: Final = "160000"
_CONVERTING: Final = ("filter", "ident", "working-tree-encoding", "text", "eol")
_AT_ONCE: Final = 500
"""Paths of one command line."""
_TOLD: Final[dict[BlindKind, str]] = {
    "assume_unchanged": "is marked assume-unchanged",
    "skip_worktree": "is marked skip-worktree, or is outside a sparse checkout",
    "submodule": "is a submodule, whose files are not looked at",
    "nested_repository": "is another repository, whose files are not looked at",
    "excluded": "is hidden by .git/info/exclude",
    "converted": "is converted by git attributes, so its bytes are not those that git stores",
    "conflict": "is in a merge conflict",
    "staged": "is one thing in the commit, another in the index and another in the work tree",
    "unreadable": "cannot be read",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindSpot:
    """A path of which git, or we, do not see all.

    Attributes:
        kind: Why.
        path: Relative to the top; a folder for whole repositories.
    """

    kind: BlindKind
    path: str

    def touches(self, path: str) -> bool:
        """Whether it is that path, or lies below or above it."""
        mine, other = self.path.rstrip("/"), path.rstrip("/")
        return mine == other or mine.startswith(f"{other}/") or other.startswith(f"{mine}/")


def tell(spot: BlindSpot) -> str:
    """Give a blind spot as words."""
    return f"{clean_line(spot.path)} {_TOLD[spot.kind]}"


def hidden_by_tag(tag: str, stage: str, mode: str, path: str) -> Iterator[BlindSpot]:
    """Give what the flags of an index entry hide. `ls-files -v` has S for skip-worktree and a small letter for assume-unchanged."""
    if tag.islower():
        yield BlindSpot(kind="assume_unchanged", path=path)
    if tag.upper() == "S":
        yield BlindSpot(kind="skip_worktree", path=path)
    if stage != "0":
        yield BlindSpot(kind="conflict", path=path)
    if mode == _SUBMODULE:
        yield BlindSpot(kind="submodule", path=path)


def converted(top: Path, suspects: Sequence[tuple[str, bool]]) -> list[BlindSpot]:
    """Give which paths that seem changed, told with whether they hold a carriage return, git may store in another form."""
    if not suspects:
        return []
    found: set[str] = set()
    if run_git(top, "config", "--get", "core.autocrlf").output.strip() in (b"true", b"input"):
        found |= {path for path, has_return in suspects if has_return}
    for at in range(0, len(suspects), _AT_ONCE):
        found |= _with_attributes(top, dict(suspects[at : at + _AT_ONCE]))
    return [BlindSpot(kind="converted", path=path) for path, _ in suspects if path in found]


def _with_attributes(top: Path, returns: Mapping[str, bool]) -> set[str]:
    reply = run_git(top, "check-attr", "-z", *_CONVERTING, "--", *returns, indexed=True)
    if reply.status:
        return set(returns)
    fields = [os.fsdecode(field) for field in reply.output.split(b"\0")]
    rows = zip(fields[::3], fields[1::3], fields[2::3], strict=False)
    return {path for path, name, value in rows if _converts(name, value, returns.get(path, True))}


def _converts(name: str, value: str, has_return: bool) -> bool:
    if value in ("unspecified", "unset"):
        return False
    # Line ends alone are converted where there is one to convert.
    return has_return if name in ("text", "eol") else True
