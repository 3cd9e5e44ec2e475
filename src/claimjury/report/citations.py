"""Checked citations as text, JSON and GitHub's annotations. The standard library alone: a hook prints them too."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from claimjury.evidence.citing.checking import Checked, Status
from claimjury.text import clean_line, clip

__all__ = ["MAX_ANNOTATIONS", "as_annotations", "as_json", "as_text", "summary_of", "what_is_wrong"]

MAX_ANNOTATIONS: Final = 10
"""GitHub shows ten of a kind for each step and drops the rest without a word."""
_MAX_TEXT: Final = 200
_NOT_LOOKED_INTO: Final[dict[Status, str]] = {
    "gone": "It is not there, as the text says.",
    "outside": "It is outside of the repository, and was not looked at.",
    "submodule": "It is in a submodule, and was not looked at.",
    "denied": "It is named like a file of secrets, and was not read.",
    "unreadable": "It is no text that can be read.",
}


def what_is_wrong(one: Checked) -> str:
    """Say in one sentence what a reader who follows a citation finds; empty for a sound one."""
    match one.status:
        case "missing_file":
            elsewhere = f" A file of that name is {_names(one.others)}." if one.others else ""
            return f"There is no such file.{elsewhere}"
        case "missing_line":
            return _no_line(one)
        case "moved":
            return f"{_what(one)} is not there; in that file it is at line {one.moved_to}."
        case "not_there":
            return f"{_what(one)} is nowhere in that file."
        case "ambiguous":
            return f"Several files have that name: {_names(one.others)}."
        case _:
            return _NOT_LOOKED_INTO.get(one.status, "")


def summary_of(checked: Sequence[Checked]) -> str:
    """Say how many citations there are, how many are broken and how many were not looked into."""
    broken = sum(one.broken for one in checked)
    other = sum(not one.broken and one.status not in ("ok", "gone") for one in checked)
    tail = f", {other} not looked into" if other else ""
    return f"{_plural(len(checked), 'citation')}, {broken} broken{tail}"


def as_text(checked: Sequence[Checked], text: str, *, verbose: bool = False) -> str:
    """Give a line for each citation that is not sound (with `verbose`, for each), and the summary last."""
    line_of = _lines_of(text)
    lines = [
        f"line {line_of(one)}: {_shown(one)}: {what_is_wrong(one) or 'ok.'}"
        for one in checked
        if verbose or one.status != "ok"
    ]
    return "".join(f"{line}\n" for line in [*lines, f"{summary_of(checked)}."])


def as_json(checked: Sequence[Checked], text: str) -> dict[str, Any]:
    """Give the citations as JSON-ready data; a field that does not apply is absent."""
    line_of = _lines_of(text)
    return {
        "citations": [_row(one, line_of(one)) for one in checked],
        "counts": dict(sorted(Counter(one.status for one in checked).items())),
        "broken": sum(one.broken for one in checked),
        "note": "That a place exists, and that what the text names stands there, says nothing of whether the text is right.",
    }


def as_annotations(checked: Sequence[Checked], text: str, document: str | None, *, strict: bool) -> str:
    """Give workflow commands that annotate the document where its broken citations stand, and the summary."""
    kind = "error" if strict else "warning"
    broken = [one for one in checked if one.broken]
    lines, line_of = [], _lines_of(text)
    for one in broken[:MAX_ANNOTATIONS]:
        place = f"file={_property(document)},line={line_of(one)}," if document else ""
        message = f"{_shown(one)}: {what_is_wrong(one)}"
        lines.append(f"::{kind} {place}title=claimjury cite::{_data(message)}")
    if len(broken) > MAX_ANNOTATIONS:
        lines.append(
            f"::{kind} title=claimjury cite::{len(broken) - MAX_ANNOTATIONS} more citations are broken"
        )
    return "".join(f"{line}\n" for line in [*lines, f"{summary_of(checked)}."])


def _row(one: Checked, line: int) -> dict[str, Any]:
    citation = one.citation
    row = {
        "text": clip(clean_line(citation.text), _MAX_TEXT),
        "at_line": line,
        "path": clip(clean_line(citation.path), _MAX_TEXT),
        "line": citation.line,
        "end_line": citation.end,
        "status": one.status,
        "broken": one.broken,
        "file": None if one.file is None else clean_line(one.file),
        "lines_in_file": one.lines,
        "beside": None if one.beside is None else clip(clean_line(one.beside.text), _MAX_TEXT),
        "moved_to": one.moved_to,
        "message": what_is_wrong(one) or None,
    }
    return {name: value for name, value in row.items() if value is not None}


def _lines_of(text: str) -> Callable[[Checked], int]:
    """Give what tells the line of a citation; the text is gone through once."""
    starts = [match.end() for match in re.finditer(r"\n", text)]
    return lambda one: bisect_right(starts, one.citation.start) + 1


def _shown(one: Checked) -> str:
    citation = one.citation
    end = f"-{citation.end}" if citation.end else ""
    return clip(clean_line(f"{citation.path}{f':{citation.line}' if citation.line else ''}{end}"), _MAX_TEXT)


def _what(one: Checked) -> str:
    if one.beside is None:
        return "It"
    text = clip(clean_line(one.beside.text), 80)
    return f"`{text}`" if one.beside.kind == "symbol" else f'"{text}"'


def _no_line(one: Checked) -> str:
    citation = one.citation
    if citation.end is not None and (citation.line or 0) > citation.end:
        return "The range ends before it begins."
    return f"The file has {_plural(one.lines or 0, 'line')}."


def _names(others: Sequence[str]) -> str:
    return ", ".join(map(clean_line, others))


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str | None) -> str:
    return _data(clean_line(text or "")).replace(":", "%3A").replace(",", "%2C")
