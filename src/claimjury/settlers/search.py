"""One search of the tree for all names of a run, with a receipt of what was searched and what was not.

`git grep` finds the files, whatever the case, and in the same pass those that are no text; each hit is then looked at again with the
rules of identifiers, as `-w` takes `$bar` and `baré` for `bar`.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from claimjury.evidence.git import run_git
from claimjury.settlers.listing import LINK, SUBMODULE
from claimjury.settlers.snapshot import Snapshot

__all__ = [
    "GREP",
    "SIGNS",
    "Found",
    "Hit",
    "Holding",
    "Search",
    "files_holding",
    "folded",
    "identifier",
    "is_pointer",
    "is_word",
    "last_of",
    "word_pattern",
]

Read = Callable[[str], bytes | None]
Holding = Future[frozenset[str] | None]
"""What `files_holding` gives, once it has ended."""
_SEARCHED: Final = ("-l", "-z", "--full-name", "--no-textconv", "--no-recurse-submodules", "--no-color")
GREP: Final = (*_SEARCHED, "-F")
"""Have `git grep` name the files that hold fixed texts, as they are."""
_PACKED: Final = (
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"BZh",
    b"\xfd7zXZ\0",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\x04\x22\x4d\x18",
)
"""How archives and compressed files begin, whatever they are called."""
SIGNS: Final = "$@"
"""What marks a name and is none of it."""
_LEAST_LETTERS: Final = 3
_JOINTS: Final = re.compile(r"[-_\\]")
_BEGINNING: Final = 8_000
"""Bytes of a file in which git looks for a zero, which no text has."""
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
        near: Where it stands in other case, in another normal form of Unicode, within a longer word, or joined or marked otherwise
            (`acme-client`, `acme_client`, `acmeClient`; `$NAME`, `${NAME}`).
        binary: Files that are no text and hold its bytes.
        searched: How many files were looked through.
        skipped: Files that were not, with why.
        packed: Archives and compressed files, whose contents were not.
    """

    hits: tuple[Hit, ...]
    near: tuple[Hit, ...]
    binary: tuple[str, ...]
    searched: int
    skipped: tuple[tuple[str, str], ...]
    packed: tuple[str, ...]

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


def files_holding(top: Path, names: Iterable[str], commit: str | None = None) -> frozenset[str] | None:
    """Give the tracked files, or those of a commit, that hold any of some names of ASCII, in any case, or that are no text.

    None where git cannot say for all.

    Raises:
        InvalidRequest: git takes too long.
    """
    parts = [r"\x00", re.escape(_POINTER), *map(_in_any_form, _shortest(names))]
    patterns = [part for pattern in parts for part in ("-e", pattern)]
    reply = run_git(
        top,
        "grep",
        *_SEARCHED,
        "--perl-regexp",
        "-a",
        "-i",
        *patterns,
        *([commit] if commit else []),
        "--",
        ".",
        indexed=True,
    )
    # A git that was built without those expressions refuses; of a file that it could not read it only complains.
    if reply.status not in (0, 1) or reply.complaint:
        return None
    before = f"{commit}:" if commit else ""
    return frozenset(os.fsdecode(name).removeprefix(before) for name in reply.output.split(b"\0") if name)


def _shortest(names: Iterable[str]) -> list[str]:
    """Leave out the names that have all words of another one: a file with them, in any form, has that too."""
    cut = {name: [word.lower() for word in _words(name)] for name in sorted(set(names))}
    return [name for name in cut if not any(_has_all(cut[name], cut[one]) for one in cut if one != name)]


def _has_all(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether some words stand among others, one after another."""
    length = len(others)
    longer = 0 < length < len(words)
    return longer and any(list(words[at : at + length]) == list(others) for at in range(len(words)))


def _words(name: str) -> list[str]:
    """Give the words that a name is joined of; none of one that is too short to be looked for in other forms."""
    words: list[str] = re.findall(r"[A-Z]?[^-_A-Z]+|[A-Z]+", name.lstrip(SIGNS))
    return words if sum(map(len, words)) >= _LEAST_LETTERS else []


def _in_any_form(name: str) -> str:
    """Give a pattern of a name in all the forms that `loose` takes for one."""
    return r"[-_\\]{0,2}".join(map(re.escape, _words(name))) or re.escape(name)


def loose(text: str) -> str:
    """Give a text without its case, and without what words of a name are joined by, or what marks it."""
    return _JOINTS.sub("", folded(text).lstrip(SIGNS))


class Search:
    """Searches the files as they lie there."""

    def __init__(self, snapshot: Snapshot, read: Read) -> None:
        """Take the tree, and what gives the bytes of a file."""
        self._snapshot, self._read = snapshot, read
        led = {path for path, entry in snapshot.files.items() if entry.mode in (LINK, SUBMODULE)}
        self._paths = snapshot.files.keys() - led if led else snapshot.files.keys()

    def of(self, names: Sequence[str], holding: Holding | None = None) -> dict[str, Found]:
        """Search for names, in one call of git for all: the one that runs beside, where there is one."""
        if not names:
            return {}
        # git folds the case of ASCII only, and no normal forms.
        wide = not all(name.isascii() for name in names)
        candidates = sorted(self._paths if wide else self._candidates(names, holding))
        why = {path: _unsearchable(self._read(path), wide=wide) for path in candidates}
        binary = [path for path in candidates if b"\0" in (self._read(path) or b"")[:_BEGINNING]]
        packed = tuple(path for path in binary if (self._read(path) or b"").startswith(_PACKED))
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
                packed=packed,
            )
            for name in names
        }

    def first(self, names: Sequence[str]) -> Hit | None:
        """Give a place where one of some names stands as a whole."""
        patterns = {name: word_pattern(name) for name in names}
        for path in sorted(self._candidates(names, None)):
            for _, hit, exact in _hits(path, self._read(path), patterns):
                if exact:
                    return hit
        return None

    def _candidates(self, names: Sequence[str], holding: Holding | None) -> Collection[str]:
        """Give the files that are to be looked at by us: git reads none that is not tracked."""
        held = (
            files_holding(self._snapshot.top, names, self._snapshot.commit)
            if holding is None
            else holding.result()
        )
        if held is None:
            return self._paths
        # What the index has for a link, git does not search, though it may be a file by now.
        return self._paths & (held | self._snapshot.untracked | self._snapshot.differing)


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


def _binary_hits(paths: Sequence[str], read: Read, name: str) -> tuple[str, ...]:
    forms = [name.encode(encoding).lower() for encoding in ("utf-8", "utf-16-le", "utf-16-be")]
    return tuple(path for path in paths if any(form in (read(path) or b"").lower() for form in forms))


def _hits(
    path: str, data: bytes | None, patterns: Mapping[str, re.Pattern[str]]
) -> Iterator[tuple[str, Hit, bool]]:
    """Give the lines that hold a name, with whether it stands there as a word and just so."""
    text = (data or b"").decode("utf-8", "replace")
    whole = {form: form(text) for form in (folded, loose)}
    for name, pattern in patterns.items():
        form = loose if _words(name) else folded
        wanted = form(name)
        if wanted not in whole[form]:
            continue
        count = 0
        for number, line in enumerate(text.split("\n"), 1):
            if wanted not in form(line):
                continue
            exact = name in line and pattern.search(line) is not None
            count += 1
            if count > _MOST:
                break
            yield name, Hit(path=path, line=number, text=line), exact
