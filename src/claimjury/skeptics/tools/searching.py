"""`grep` and `glob`: where is something, and how much was not looked at."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from claimjury.errors import RequestError, SourceNotFound, SourceNotText, SourceTooLarge
from claimjury.evidence.secrets import Bare, without_secrets
from claimjury.skeptics.tools.arguments import GlobArguments, GrepArguments
from claimjury.skeptics.tools.jail import FILE, Found, Jail, is_link
from claimjury.skeptics.tools.limits import (
    MAX_COUNTED,
    MAX_LISTED,
    MAX_MATCH_LINE,
    MAX_MATCHES,
    MAX_MATCHES_PER_FILE,
    MAX_NAMED,
    MAX_SEARCHED_BYTES,
    SEARCH_S,
)
from claimjury.skeptics.tools.listing import Listing, Skip, list_files, tell_skipped
from claimjury.skeptics.tools.patterns import Hit, LinePattern, compile_glob, compile_lines
from claimjury.skeptics.tools.replies import Looked, Rows, Shown, ToolReply, named, plural, reply, shown_name

__all__ = ["find_names", "grep"]

_SEARCHED: Final = replace(FILE, max_bytes=MAX_SEARCHED_BYTES)


@dataclass(slots=True)
class _Search:
    """A search as far as it has come."""

    pattern: LinePattern
    rows: Rows = field(default_factory=Rows)
    skipped: Counter[Skip] = field(default_factory=Counter)
    searched: int = 0
    matching: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    secrets: int = 0


def grep(jail: Jail, wanted: GrepArguments) -> ToolReply:
    """Give the lines that match, with file and number, and counts of what was left out and not searched.

    Raises:
        RequestError: A pattern cannot be used, or the path cannot be searched.
    """
    search = _Search(pattern=compile_lines(wanted.pattern, ignore_case=wanted.ignore_case))
    matches_glob = compile_glob(wanted.glob) if wanted.glob else _any
    place = jail.find(wanted.path or ".")
    listing = list_files(jail, place, matches_glob) if place.folder else _single(jail, place)
    search.skipped.update(listing.skipped)
    # A monotonic clock: it says when to stop, and nothing of it is shown.
    until = time.monotonic() + SEARCH_S
    for name in listing.names:
        if time.monotonic() > until:
            search.skipped["late"] += 1
        else:
            _search_file(search, jail, name)
    detail = f"{wanted.pattern} in {wanted.glob}" if wanted.glob else wanted.pattern
    looked = Looked(
        tool="grep",
        path=wanted.path and place.name,
        start=None,
        end=None,
        detail=detail,
        files=tuple(name for name, found in search.matching.items() if found > search.left_out.get(name, 0)),
    )
    notes = _notes(search, listing, wanted)
    return reply(_head(search), search.rows.shown, notes, looked, shown=search.shown, secrets=search.secrets)


def _any(_: str) -> bool:
    return True


def _single(jail: Jail, place: Found) -> Listing:
    """Give a listing of one file, which must be one that can be searched: it was asked for by name."""
    jail.read(place.name, role=_SEARCHED)
    return Listing(names=(place.name,), denied=(), skipped=Counter(), scope="that you named")


def _search_file(search: _Search, jail: Jail, name: str) -> None:
    text = _text(jail, name)
    if isinstance(text, bytes):
        search.searched += 1
        # What is not found with its secrets is not looked through for them: a search reads many files.
        if search.pattern.search(text, 0):
            _search_text(search, name, without_secrets(text.decode()))
    else:
        search.skipped[text] += 1


def _text(jail: Jail, name: str) -> bytes | Skip:
    r"""Give the text of a listed file with its lines ending in `\n`, or why it cannot be searched."""
    path = jail.root / name
    if is_link(path):
        return "link"
    try:
        _, decoded = jail.read(name, role=_SEARCHED)
    except RequestError as error:
        return _why(error, path)
    return decoded.text.replace("\r\n", "\n").encode()


def _why(error: RequestError, path: Path) -> Skip:
    if isinstance(error, SourceTooLarge):
        return "large"
    if isinstance(error, SourceNotText):
        return "binary" if path.is_file() else "irregular"
    return "unreadable" if os.path.lexists(path) or not isinstance(error, SourceNotFound) else "gone"


def _search_text(search: _Search, name: str, bare: Bare) -> None:
    text = bare.text.encode()
    position = number = found = shown = 0
    counted_to = 0
    while found < MAX_COUNTED and (hit := search.pattern.search(text, position)):
        # A match of nothing after the last line's end is on no line.
        if hit.start() == len(text) and (not text or text.endswith(b"\n")):
            break
        found += 1
        begin = text.rfind(b"\n", 0, hit.start()) + 1
        end = text.find(b"\n", hit.start())
        end = len(text) if end < 0 else end
        if shown < MAX_MATCHES_PER_FILE and len(search.rows.shown) < MAX_MATCHES:
            number += text.count(b"\n", counted_to, begin)
            counted_to = begin
            if search.rows.add(_row(name, number + 1, text[begin:end], hit, begin)):
                shown += 1
                search.secrets += bare.count(number + 1, number + 1)
                _note_shown(search, name, number + 1, text[begin:end], hit.start() - begin)
        if end == len(text):
            break
        position = end + 1
    if found:
        search.matching[name] = found
    if found > shown:
        search.left_out[name] = found - shown


def _row(name: str, number: int, line: bytes, hit: Hit, begin: int) -> str:
    """Give a line with its gutter; of a long one what stands around the match, which the gutter says."""
    text = line.decode()
    if len(text) <= MAX_MATCH_LINE:
        return f"{shown_name(name)}:{number}| {text}"
    first, last = _around(line, hit.start() - begin)
    where = f"characters {first + 1:,}-{last:,} of {len(text):,}"
    return f"{shown_name(name)}:{number} ({where})| {text[first:last]}"


def _around(line: bytes, start: int) -> tuple[int, int]:
    """Give which characters of a line are shown, given the byte at which its match begins."""
    size, at = len(line.decode()), len(line[:start].decode())
    first = max(0, min(at - MAX_MATCH_LINE // 4, size - MAX_MATCH_LINE))
    return first, first + MAX_MATCH_LINE


def _note_shown(search: _Search, name: str, number: int, line: bytes, start: int) -> None:
    first, last = _around(line, start)
    text = line.decode()[first:last]
    before = search.shown[-1] if search.shown else None
    if before and before.name == name and before.line + before.text.count("\n") + 1 == number:
        search.shown[-1] = replace(before, text=f"{before.text}\n{text}")
    else:
        search.shown.append(Shown(name=name, line=number, text=text))


def _head(search: _Search) -> str:
    if not search.matching:
        return f"No line matches in {plural(search.searched, 'file')}."
    found = sum(search.matching.values())
    verb = "matches" if found == 1 else "match"
    return f"{plural(found, 'line')}{_or_more(search.matching)} {verb} in {plural(len(search.matching), 'file')}:"


def _or_more(counts: Mapping[str, int]) -> str:
    return " or more" if any(count >= MAX_COUNTED for count in counts.values()) else ""


def _notes(search: _Search, listing: Listing, wanted: GrepArguments) -> list[str]:
    left_out = sum(search.left_out.values())
    more = _or_more(search.matching) if left_out else ""
    files = [f"{shown_name(name)} ({count:,})" for name, count in search.left_out.items()]
    others = f" and {len(files) - MAX_NAMED:,} more files" if len(files) > MAX_NAMED else ""
    return [
        f"Left out: {plural(left_out, 'matching line')}{more}, of {', '.join(files[:MAX_NAMED])}{others}."
        if left_out
        else "",
        f"Searched: {plural(search.searched, 'file')} {listing.scope}.",
        f"Not searched: {tell_skipped(search.skipped)}.",
        f"Denied: {named(listing.denied)}." if listing.denied else "",
        r"The pattern holds \n: single lines are matched, so a line's end is matched by nothing."
        if r"\n" in wanted.pattern or "\n" in wanted.pattern
        else "",
    ]


def find_names(jail: Jail, wanted: GlobArguments) -> ToolReply:
    """Give the names of files that match, and counts of what was left out.

    Raises:
        RequestError: The pattern cannot be used.
    """
    listing = list_files(jail, jail.find("."), compile_glob(wanted.pattern))
    there = [name for name in listing.names if os.path.lexists(jail.root / name)]
    gone: Counter[Skip] = Counter({"gone": len(listing.names) - len(there)})
    rows = Rows()
    width = len(str(min(len(there), MAX_LISTED)))
    for number, name in enumerate(there[:MAX_LISTED], start=1):
        if not rows.add(f"{number:>{width}}| {shown_name(name)}"):
            break
    left_out = len(there) - len(rows.shown)
    verb = "matches" if len(there) == 1 else "match"
    looked = Looked(tool="glob", path=None, start=None, end=None, detail=wanted.pattern)
    notes = [
        f"Left out: {plural(left_out, 'name')}. Narrow the pattern." if left_out else "",
        f"Listed are the files {listing.scope}.",
        f"Not listed: {tell_skipped(listing.skipped + gone)}.",
        f"Denied: {named(listing.denied)}." if listing.denied else "",
    ]
    return reply(f"{plural(len(there), 'file')} {verb}.", rows.shown, notes, looked)
