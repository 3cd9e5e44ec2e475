"""One search of the tree for all names of a run, with a receipt of what was searched and what was not.

`git grep` finds the files, whatever the case; each hit is then looked at again with the rules of identifiers, as `-w` takes `$bar`
and `baré` for `bar`.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from claimjury.errors import InvalidRequest
from claimjury.evidence.git import run_git
from claimjury.settlers.snapshot import LINK, SUBMODULE, Snapshot

__all__ = [
    "GREP",
    "Found",
    "Hit",
    "Search",
    "folded",
    "identifier",
    "is_pointer",
    "is_word",
    "last_of",
    "word_pattern",
]

Read = Callable[[str], bytes | None]
GREP: Final = ("-l", "-z", "-F", "--full-name", "--no-textconv", "--no-recurse-submodules", "--no-color")
"""Have `git grep` name the files that hold fixed texts, as they are."""
_MOST: Final = 2_000
"""Hits of one name in one file; a table of data has hundreds of thousands."""
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
        near: Where it stands in other case, in another normal form of Unicode, or within a longer word.
        binary: Files that are no text and hold its bytes.
        searched: How many files were looked through.
        skipped: Files that were not, with why.
    """

    hits: tuple[Hit, ...]
    near: tuple[Hit, ...]
    binary: tuple[str, ...]
    searched: int
    skipped: tuple[tuple[str, str], ...]

    @property
    def all_hits(self) -> tuple[Hit, ...]:
        """Where it stands in any way."""
        return (*self.hits, *self.near)

    @property
    def receipt(self) -> str:
        """How far was looked, as words."""
        return f"{self.searched} files were searched, tracked and not; what git ignores was not"


def word_pattern(name: str, *, points: str = ".") -> re.Pattern[str]:
    """Give what finds a name as a whole: no letter, digit, underscore, hyphen or `$` on either side, and no further part of a number.

    Args:
        name: It.
        points: What stands between the parts of a number.
    """
    before = rf"(?<![\w$-])(?<!\d[{points}])" if re.match(r"[\w$-]", name) else ""
    after = rf"(?![\w$-]|[{points}]\d)" if re.search(r"[\w$]\Z", name) else ""
    return re.compile(before + re.escape(name) + after)


def identifier(name: str) -> re.Pattern[str]:
    """Give what finds a name as an identifier of code, where a hyphen is an operator."""
    return re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")


def last_of(name: str) -> str:
    """Give the last name of a dotted one."""
    return name.replace("::", ".").replace("#", ".").rpartition(".")[2]


def is_pointer(data: bytes) -> bool:
    """Whether a file is a pointer to Git LFS, and not what it stands for."""
    return data.startswith(_POINTER.encode())


def is_word(name: str, text: str) -> bool:
    """Whether a text holds a name as a whole identifier, in any case and with `$` before it."""
    return re.search(rf"(?<!\w){re.escape(folded(name))}(?!\w)", folded(text)) is not None


class Search:
    """Searches the files as they lie there."""

    def __init__(self, snapshot: Snapshot, read: Read) -> None:
        """Take the tree, and what gives the bytes of a file."""
        self._snapshot, self._read = snapshot, read
        self._paths = {path for path, entry in snapshot.files.items() if entry.mode not in (LINK, SUBMODULE)}
        self._own: frozenset[str] | None = None

    def of(self, names: Sequence[str]) -> dict[str, Found]:
        """Search for names, in one call of git for all."""
        if not names:
            return {}
        own = self._looked_at_by_us()
        # git folds the case of ASCII only, and no normal forms.
        wide = not all(name.isascii() for name in names)
        found = (
            self._paths if wide else self._paths.intersection(_candidates(self._snapshot, [*names, _POINTER]))
        )
        candidates = sorted(found | own)
        why = {path: _unsearchable(self._read(path), wide=wide) for path in candidates}
        binary = [path for path in sorted(own) if b"\0" in (self._read(path) or b"")]
        skipped = tuple((path, words) for path, words in why.items() if words and path not in binary)
        left = [path for path in candidates if why[path] is None and path not in binary]
        hits, near = _all_hits(left, self._read, names)
        return {
            name: Found(
                hits=tuple(hits[name]),
                near=tuple(near[name]),
                binary=_binary_hits(binary, self._read, name),
                searched=len(self._paths) - len(skipped),
                skipped=skipped,
            )
            for name in names
        }

    def _looked_at_by_us(self) -> frozenset[str]:
        """Give the files that git would not search: it reads none that is not tracked, and takes some texts for binary."""
        if self._own is None:
            self._own = frozenset(self._paths.difference(_texts(self._snapshot)))
        return self._own


def _unsearchable(data: bytes | None, *, wide: bool) -> str | None:
    if data is None:
        return "it cannot be read"
    if is_pointer(data):
        return "it is a pointer to Git LFS"
    if wide and (b"\\u" in data or "\ufffd" in data.decode("utf-8", "replace")):
        return "it is not UTF-8, or writes letters as numbers"
    return None


def _all_hits(
    paths: Sequence[str], read: Read, names: Sequence[str]
) -> tuple[dict[str, list[Hit]], dict[str, list[Hit]]]:
    patterns = {name: word_pattern(name) for name in names}
    hits: dict[str, list[Hit]] = {name: [] for name in names}
    near: dict[str, list[Hit]] = {name: [] for name in names}
    for path in paths:
        for name, hit, exact in _hits(path, read(path), patterns):
            (hits if exact else near)[name].append(hit)
    return hits, near


def folded(text: str) -> str:
    """Give a text without its case and without the ways to write one letter, for what may be the same."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).replace("\u00ad", "").casefold()


def _candidates(snapshot: Snapshot, names: Sequence[str]) -> Iterator[str]:
    """Give the tracked files that hold any of the names, as bytes."""
    patterns = [part for name in names for part in ("-e", name)]
    yield from _grep(snapshot, "-a", "-i", *patterns)


def _texts(snapshot: Snapshot) -> Iterator[str]:
    """Give the tracked files that git takes for text, and that have a line."""
    return _grep(snapshot, "-I", "-e", "")


def _grep(snapshot: Snapshot, *arguments: str) -> Iterator[str]:
    reply = run_git(snapshot.top, "grep", *GREP, *arguments, "--", ".", indexed=True)
    if reply.status not in (0, 1):
        raise InvalidRequest(
            f"git grep failed: {reply.complaint[:300]}.", hint="Go on without settlers: --no-settle."
        )
    for name in filter(None, reply.output.split(b"\0")):
        yield os.fsdecode(name)


def _binary_hits(paths: Sequence[str], read: Read, name: str) -> tuple[str, ...]:
    forms = [name.encode(encoding).lower() for encoding in ("utf-8", "utf-16-le", "utf-16-be")]
    return tuple(path for path in paths if any(form in (read(path) or b"").lower() for form in forms))


def _hits(
    path: str, data: bytes | None, patterns: Mapping[str, re.Pattern[str]]
) -> Iterator[tuple[str, Hit, bool]]:
    """Give the lines that hold a name, with whether it stands there as a word and just so."""
    text = (data or b"").decode("utf-8", "replace")
    whole = folded(text)
    for name, pattern in patterns.items():
        wanted = folded(name)
        if wanted not in whole:
            continue
        count = 0
        for number, line in enumerate(text.split("\n"), 1):
            if wanted not in folded(line):
                continue
            exact = name in line and pattern.search(line) is not None
            count += 1
            if count > _MOST:
                break
            yield name, Hit(path=path, line=number, text=line), exact
