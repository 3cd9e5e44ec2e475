"""Private keys in a text: a heading and the lines of base64 after it, the lines before a footer, and in a diff such lines alone.

Nothing but what looks like a key is taken, so that code between a constant of headings and one of footers stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from claimjury.evidence.randomness import entropy

__all__ = ["find_keys"]

_HEAD: Final = re.compile(
    r"-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}|^[^\w\n]{0,20}Private-Lines: ?\d+",
    re.MULTILINE,
)
_FOOT: Final = re.compile(r"-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_EDGE: Final = re.compile(rf"{_HEAD.pattern}|{_FOOT.pattern}", re.MULTILINE)
# In a string of a program or of JSON, line ends are written.
_BREAK: Final = re.compile(r"\r?\n|(?:\\{1,4}r)?\\{1,4}n")
_DECORATION: Final = " \t\r\"'`+>#*/,;|()[]-:!%\\&.~"
_GUTTER: Final = re.compile(r"\s*\d{1,6}\s*[:|]")
_HEADER: Final = re.compile(r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): ?\S")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/=]+")
_RUN: Final = re.compile(r"[A-Za-z0-9+/=]{40,}")
_RUN_LENGTH: Final = 40
_MIN_FIRST: Final = 16
_MIN_LINE_BITS: Final = 3.8
_MAX_SPAN: Final = 40_000
_MAX_BLANK: Final = 2
_WIDTHS: Final = range(60, 81)
"""Characters of a line of PEM, of OpenSSH's form and of MIME."""
_MIN_LINES: Final = 3
_MIN_BITS: Final = 5.3
"""Bits a character of three lines that were drawn; words and encoded texts have less."""
_OTHER_EDGE: Final = re.compile(r"-{4,5} ?(?:BEGIN|END) (?!(?:[A-Z0-9]+ ){0,4}PRIVATE KEY)[A-Z0-9 ]+-{4,5}")
_OF_MACHINES: Final = re.compile(
    r"(?i)\.(?:lock|lockb|sum|snap|svg|map|ipynb|crt|cer|pub|asc|sig|woff2?|css)$|(?:^|/)(?:package-lock|npm-shrinkwrap|composer\.lock|pnpm-lock)[\w.]*$"
)
_HUNK: Final = re.compile(r"@@ [^@]{1,60} @@ [ \t\"'+-]{0,8}([A-Za-z0-9+/=]+)")
# PNG, GIF, JPEG, ZIP, gzip, ICO, WOFF.
_IMAGE: Final = re.compile(r"iVBORw0KGgo|R0lGOD|/9j/|UEsDB|H4sI|AAABAA|d09G")
_Kind = Literal["blank", "header", "body", "other"]


def find_keys(text: str, *, diff: bool) -> list[tuple[int, int]]:
    """Give where private keys stand, in order; a heading or a footer alone is none.

    Args:
        text: The text.
        diff: Whether it is a diff, whose hunks show keys without heading and footer.
    """
    found: list[tuple[int, int]] = []
    edges = [(match.start(), match.end(), match[0]) for match in _EDGE.finditer(text)]
    for place, (start, end, said) in enumerate(edges):
        covered = found[-1][1] if found else 0
        if start < covered:
            continue
        if _FOOT.fullmatch(said):
            first = _start_before(text, max(covered, edges[place - 1][1] if place else 0), start)
            found += [(first, end)] if first is not None else []
        else:
            after = edges[place + 1] if place + 1 < len(edges) else None
            last = _end_after(text, end, after)
            found += [(start, last)] if last else []
    if diff:
        found += [span for span in _bare_runs(text) if not any(a < span[1] and span[0] < b for a, b in found)]
    return sorted(found)


def _segments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give the lines between two places, also those that are written as one."""
    at = start
    for match in _BREAK.finditer(text, start, end):
        yield at, match.start()
        at = match.end()
    yield at, end


def _end_after(text: str, start: int, after: tuple[int, int, str] | None) -> int:
    """Give where the key of a heading ends: with its footer, else with the last line that looks like one; 0 for none."""
    limit = min(after[0] if after else len(text), start + _MAX_SPAN)
    footer = after is not None and after[0] == limit and _FOOT.fullmatch(after[2]) is not None
    last = blank = 0
    before: _Kind = "blank"
    parts = list(_segments(text, start, limit))
    for place, (begin, end) in enumerate(parts):
        kind, stop = _kind(text[begin:end], begun=last > 0)
        if kind == "other" and before == "header":
            # In a log the empty line after the headers has its time before it.
            kind = "blank"
        before = kind
        if kind == "other":
            # The short last line of a key in a log.
            nearly = footer and last and place >= len(parts) - 2
            return after[1] if after and nearly else last
        blank = blank + 1 if kind == "blank" else 0
        if kind == "body":
            last = begin + stop
        if blank > _MAX_BLANK and place < len(parts) - 1:
            return last
    return after[1] if after and footer and last else last


def _start_before(text: str, limit: int, foot: int) -> int | None:
    """Give where the lines before a footer begin that look like a key; None where there are none."""
    first: int | None = None
    drawn = False
    for begin, end in reversed(list(_segments(text, max(limit, foot - _MAX_SPAN), foot))):
        segment = text[begin:end]
        kind, _ = _kind(segment, begun=True)
        if kind == "body":
            bare = _bare(segment)
            drawn = drawn or (len(bare) >= _RUN_LENGTH and entropy(bare) >= _MIN_LINE_BITS)
            first = begin
        elif kind == "other" or (kind == "blank" and first is not None):
            break
    return first if drawn else None


def _kind(segment: str, *, begun: bool) -> tuple[_Kind, int]:
    """Give what a line after a heading is, and where in it the key ends."""
    bare = _bare(segment)
    if not bare:
        return "blank", 0
    if _HEADER.search(bare):
        return "header", 0
    if _BASE64.fullmatch(bare) and (begun or _begins(bare)):
        return "body", segment.rfind(bare) + len(bare)
    runs = [match for match in _RUN.finditer(segment) if _is_drawn(match[0])]
    return ("body", runs[-1].end()) if runs else ("other", 0)


def _bare(segment: str) -> str:
    """Give a line without what programs, comments, quotes, logs and listings put around it."""
    gutter = _GUTTER.match(segment)
    return segment[gutter.end() if gutter else 0 :].strip(_DECORATION)


def _begins(bare: str) -> bool:
    if len(bare) >= _RUN_LENGTH:
        return entropy(bare) >= 3
    mixed = any(char.islower() for char in bare) and any(char.isupper() for char in bare)
    return len(bare) >= _MIN_FIRST and mixed and any(not char.isalpha() for char in bare)


def _is_drawn(run: str) -> bool:
    kinds = (str.islower, str.isupper, str.isdigit)
    return all(any(map(kind, run)) for kind in kinds) and entropy(run) >= _MIN_LINE_BITS


def _bare_runs(diff: str) -> Iterator[tuple[int, int]]:
    """Give the runs of lines in a diff that can be nothing but a part of a key, or of what is drawn like one."""
    at, file, run, hidden = 0, "", list[tuple[int, int]](), False
    for line in [*diff.split("\n"), "@@"]:
        bare = line[1:].strip(_DECORATION) if line[:1] in ("+", "-", " ") else ""
        if _BASE64.fullmatch(bare or " ") and (len(bare) in _WIDTHS or (run and len(bare) < _WIDTHS[-1])):
            start = at + line.rfind(bare)
            run.append((start, start + len(bare)))
        else:
            other = _OTHER_EDGE.search(line) is not None
            if not hidden and not other and not _OF_MACHINES.search(file) and _is_key(diff, run):
                yield run[0][0], run[-1][1]
            hidden, run = other, []
            # Of the lines before a hunk git shows one beside its numbers.
            above = _HUNK.match(line)
            if above and len(above[1]) >= _RUN_LENGTH:
                run = [(at + above.start(1), at + above.end(1))]
        if line.startswith(("--- a/", "+++ b/", "diff --git ")):
            file = line.rstrip("\t")
        at += len(line) + 1


def _is_key(text: str, run: list[tuple[int, int]]) -> bool:
    whole = [text[start:end] for start, end in run if end - start in _WIDTHS]
    joined = "".join(whole)
    return not _IMAGE.match(joined) and len(whole) >= _MIN_LINES and entropy(joined) >= _MIN_BITS
