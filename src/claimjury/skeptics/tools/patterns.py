"""Patterns that take linear time whatever a model sends: regular expressions and globs, both by RE2."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Protocol

from claimjury.errors import InvalidRequest
from claimjury.skeptics.tools.limits import MAX_PROGRAM
from claimjury.text import clean_line, clip

__all__ = ["Hit", "LinePattern", "compile_glob", "compile_lines"]

_TOKENS: Final = re.compile(r"\*\*/|\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|.", re.DOTALL)
_FORMS: Final = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")"}
_SYNTAX: Final = "RE2's syntax has no look-around and no back-references."


class Hit(Protocol):
    """Where a pattern matched, in bytes."""

    def start(self) -> int: ...
    def end(self) -> int: ...


class LinePattern(Protocol):
    """A compiled pattern. No match spans a line's end."""

    def search(self, text: bytes, pos: int) -> Hit | None:
        """Give the first match from `pos` on."""


def compile_lines(pattern: str, *, ignore_case: bool) -> LinePattern:
    r"""Give a pattern for text whose lines end in `\n`; `^` and `$` are a line's.

    Raises:
        InvalidRequest: It is no pattern, or takes too much to match.
    """
    compiled: LinePattern = _compile(f"(?m){pattern}", never_nl=True, case_sensitive=not ignore_case)
    return compiled


def compile_glob(pattern: str) -> Callable[[str], bool]:
    """Give a test of names that are relative to the root.

    `*` stays within a folder, `**` does not; `?`, `[a-z]` and `{a,b}` work too. A pattern without `/` is for
    the last part of a name, in any folder.

    Raises:
        InvalidRequest: It is no pattern.
    """
    wanted = pattern.removeprefix("./")
    if wanted.startswith("/") or ".." in wanted.split("/"):
        raise InvalidRequest(
            "The pattern leads out of the repository.",
            hint="It is matched from the root on, like src/**/*.py.",
        )
    if wanted.endswith("/"):
        wanted += "**"
    fullmatch = _compile(_translate(wanted), dot_nl=True).fullmatch
    if "/" in wanted:
        return lambda name: fullmatch(name.encode()) is not None
    return lambda name: fullmatch(name.rpartition("/")[2].encode()) is not None


def _translate(pattern: str) -> str:
    depth = 0
    parts: list[str] = []
    for part in _TOKENS.findall(pattern):
        depth += (part == "{") - (part == "}")
        if depth < 0:
            break
        if part == "," and depth:
            parts.append("|")
        elif part.startswith("[") and len(part) > 1:
            parts.append(_letters(part))
        else:
            parts.append(_FORMS.get(part) or re.escape(part))
    if depth:
        raise InvalidRequest("The braces of the pattern do not match.", hint="Write it like *.{ts,tsx}.")
    return "".join(parts)


def _letters(token: str) -> str:
    inner = token[1:-1].replace("\\", "\\\\").replace("[", "\\[")
    return f"[^/{inner[1:]}]" if inner.startswith(("!", "^")) else f"[{inner}]"


def _compile(pattern: str, **options: bool) -> Any:
    # Only who searches pays for the import.
    import re2

    how = re2.Options()
    how.log_errors = False
    for name, value in options.items():
        setattr(how, name, value)
    try:
        compiled = re2.compile(pattern, how)
    except re2.error as error:
        raise InvalidRequest(f"The pattern cannot be used: {_reason(error)}.", hint=_SYNTAX) from error
    # Its cache would keep 128 patterns of up to 8 MB each.
    re2.purge()
    if compiled.programsize > MAX_PROGRAM:
        raise InvalidRequest(
            "The pattern takes too much to match.", hint="Use smaller counts in {m,n}, or `*`."
        )
    return compiled


def _reason(error: Exception) -> str:
    reason = error.args[0] if error.args else ""
    return clip(
        clean_line(reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)), 200
    )
