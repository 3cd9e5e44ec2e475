"""One search of the tree for all names of a run, with a receipt of what was searched and what was not.

`git grep` finds the files; each hit is then looked at again with the rules of identifiers, as `-w` takes `$bar` and `baré` for `bar`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from claimjury.errors import InvalidRequest
from claimjury.evidence.git import run_git
from claimjury.settlers.snapshot import LINK, SUBMODULE, Snapshot

__all__ = ["Found", "Hit", "search", "word_pattern"]

Read = Callable[[str], bytes | None]
_POINTER: Final = "version https://git-lfs.github.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A place where a name stands.

    Attributes:
        path: The file.
        line: Counted from 1.
        text: The line.
    """

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a name stands, and how far was looked.

    Attributes:
        hits: In the order of paths and lines.
        binary: Files that are no text and hold its bytes.
        searched: How many files were looked through.
        skipped: Files that were not, with why.
    """

    hits: tuple[Hit, ...]
    binary: tuple[str, ...]
    searched: int
    skipped: tuple[tuple[str, str], ...]

    @property
    def receipt(self) -> str:
        """How far was looked, as words."""
        return f"{self.searched} files were searched, tracked and not; what git ignores was not"


def word_pattern(name: str) -> re.Pattern[str]:
    """Give what finds a name as a whole identifier: no letter, digit, underscore or `$` on either side."""
    before = r"(?<![\w$])" if re.match(r"[\w$]", name) else ""
    after = r"(?![\w$])" if re.search(r"[\w$]\Z", name) else ""
    return re.compile(before + re.escape(name) + after)


def search(snapshot: Snapshot, read: Read, names: Sequence[str]) -> dict[str, Found]:
    """Search the files as they lie there for names, in one call of git for all."""
    if not names:
        return {}
    paths = [path for path, entry in snapshot.files.items() if entry.mode not in (LINK, SUBMODULE)]
    # git reads no file that is not tracked, and takes some texts for binary.
    texts = _texts(snapshot)
    own = [path for path in paths if path not in texts]
    skipped = [(path, "it cannot be read") for path in own if read(path) is None]
    binary = [path for path in own if b"\0" in (read(path) or b"")]
    candidates = [*_candidates(snapshot, [*names, _POINTER]), *own]
    skipped += [
        (path, "it is a pointer to Git LFS")
        for path in candidates
        if (read(path) or b"").startswith(_POINTER.encode())
    ]
    left = sorted(set(candidates).intersection(paths).difference(binary, (path for path, _ in skipped)))
    hits = _all_hits(left, read, names)
    receipt = (len(paths) - len(skipped), tuple(skipped))
    return {
        name: Found(
            hits=hits[name], binary=_binary_hits(binary, read, name), searched=receipt[0], skipped=receipt[1]
        )
        for name in names
    }


def _all_hits(paths: Sequence[str], read: Read, names: Sequence[str]) -> dict[str, tuple[Hit, ...]]:
    patterns = {name: word_pattern(name) for name in names}
    hits: dict[str, list[Hit]] = {name: [] for name in names}
    for path in paths:
        for name, hit in _hits(path, read(path), patterns):
            hits[name].append(hit)
    return {name: tuple(found) for name, found in hits.items()}


def _candidates(snapshot: Snapshot, names: Sequence[str]) -> Iterator[str]:
    """Give the tracked files that hold any of the names, as bytes."""
    patterns = [part for name in names for part in ("-e", name)]
    yield from _grep(snapshot, "-a", *patterns)


def _texts(snapshot: Snapshot) -> frozenset[str]:
    """Give the tracked files that git takes for text, and that have a line."""
    return frozenset(_grep(snapshot, "-I", "-e", ""))


def _grep(snapshot: Snapshot, *arguments: str) -> Iterator[str]:
    options = ("-l", "-z", "-F", "--full-name", "--no-textconv", "--no-recurse-submodules", "--no-color")
    reply = run_git(snapshot.top, "grep", *options, *arguments, "--", ".", indexed=True)
    if reply.status not in (0, 1):
        raise InvalidRequest(
            f"git grep failed: {reply.complaint[:300]}.", hint="Go on without settlers: --no-settle."
        )
    for name in filter(None, reply.output.split(b"\0")):
        yield os.fsdecode(name)


def _binary_hits(paths: Sequence[str], read: Read, name: str) -> tuple[str, ...]:
    forms = [name.encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be")]
    return tuple(path for path in paths if any(form in (read(path) or b"") for form in forms))


def _hits(
    path: str, data: bytes | None, patterns: Mapping[str, re.Pattern[str]]
) -> Iterator[tuple[str, Hit]]:
    text = (data or b"").decode("utf-8", "replace")
    for name, pattern in patterns.items():
        if name not in text:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if name in line and pattern.search(line):
                yield name, Hit(path=path, line=number, text=line)
