"""Stripping: a source without its comments and docstrings, which are what its author says of it. Line numbers stay.

Python is read by its own parser, other languages by lexers in a process of its own, which is ended where it takes too long.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from claimjury.evidence.stripping_python import said_in_python
from claimjury.text import clean_line

__all__ = ["stripped"]

_MAX_PYTHON: Final = 2_000_000
_MAX_CHARACTERS: Final = 300_000
_PYTHON: Final = (".py", ".pyi", ".pyw")
_MAX_SECONDS: Final = 10.0
# By the ends of names: of these languages comments are told apart well.
_LEXERS: Final = {
    ending: alias
    for alias, endings in {
        "c": ".c .h",
        "cpp": ".cc .cpp .cxx .hpp .hh",
        "csharp": ".cs",
        "css": ".css",
        "docker": "dockerfile .dockerfile",
        "go": ".go",
        "html": ".html .htm",
        "ini": ".ini .cfg .conf",
        "java": ".java",
        "javascript": ".js .mjs .cjs .jsx",
        "kotlin": ".kt .kts",
        "lua": ".lua",
        "make": "makefile .mk",
        "php": ".php",
        "protobuf": ".proto",
        "ruby": ".rb",
        "rust": ".rs",
        "scss": ".scss",
        "bash": ".sh .bash .zsh",
        "sql": ".sql",
        "swift": ".swift",
        "terraform": ".tf",
        "toml": ".toml",
        "typescript": ".ts .tsx .mts .cts",
        "xml": ".xml",
        "yaml": ".yaml .yml",
    }.items()
    for ending in endings.split()
}
# What a tool obeys, and no more of the comment than that.
_DIRECTIVE: Final = re.compile(
    r"//go:\w+[^\n]*|//\s?\+build [^\n]*|//\s?(?:nolint|NOLINT|swift-tools-version|swiftlint|tslint|biome-ignore|prettier-ignore|deno-\w+)[\w:/,.-]*|"
    r"(?://|/\*)\s?@ts-(?:ignore|expect-error|nocheck|check)|///\s?<(?:reference|amd-)[^\n>]*>|(?://|/\*)\s?eslint(?:-[\w-]+|-env)?(?:\s[\w@/, -]+)?|"
    r"/\*\*?\s?@jsx\w*\s+[\w.-]+|/\*\s?[#@]__\w+__|/\*\s?webpack\w+:\s?[\w\"'\[\]-]+|/\*\s?(?:istanbul|c8|v8) ignore \w+|/\*[+!][^*\n]*|//#\s?source\w+=\S*|"
    r"#!\S[^\n]*|#\s?(?:syntax|escape|check)=\S*|#\s?(?:frozen_string_literal|encoding|typed|shareable_constant_value|warn_indent):\s?[\w-]+|"
    r"#\s?(?:rubocop:\w+|shellcheck \w+=)[\w/, -]*|#\s?yaml-language-server:\s?\S*|#:schema\s\S*|<!--\[if [^\]]{0,200}\]>[\s\S]{0,20000}?<!\[endif\]-->|<!--#\w+[^\n>]*"
)
_CLOSERS: Final = (("/*", "*/"), ("<!--", "-->"))


def stripped(text: str, name: str) -> tuple[str, int] | None:
    """Give a text without comments and docstrings, and how many lines lost something; None where it is sent whole.

    That is where no lexer knows the file, it is too long, or it cannot be taken apart without moving a line.
    Every line keeps its number, and what is left keeps its column. Directives (`#include`, `#!`, `//go:embed`) stay.
    """
    file = clean_line(name).rpartition("/")[2].casefold()
    if file.endswith(_PYTHON):
        spans = said_in_python(text) if len(text) <= _MAX_PYTHON else None
    else:
        spans = _said(text, file) if len(text) <= _MAX_CHARACTERS else None
    return None if spans is None else _without(text, spans)


def _without(text: str, spans: list[tuple[int, int]]) -> tuple[str, int] | None:
    kept: list[str] = []
    taken: set[int] = set()
    at, line = 0, 0
    for start, end in spans:
        line += text.count("\n", at, start)
        kept.append(text[at:start])
        said = text[start:end]
        kept.append("".join(char if char in "\r\n" else " " for char in said))
        taken.update(line + offset for offset, part in enumerate(said.split("\n")) if part.strip())
        line += said.count("\n")
        at = end
    lines = "".join([*kept, text[at:]]).split("\n")
    if len(lines) != text.count("\n") + 1:
        return None
    for number in taken:
        lines[number] = _trimmed(lines[number])
    return "\n".join(lines), len(taken)


def _trimmed(line: str) -> str:
    """Take the blanks off the end that comments leave; a carriage return stays."""
    return f"{line[:-1].rstrip()}\r" if line.endswith("\r") else line.rstrip()


def _said(text: str, file: str) -> list[tuple[int, int]] | None:
    """Give where comments stand, in order; None where no lexer knows the file, takes too long, or changes the text."""
    alias = next((_LEXERS[ending] for ending in _LEXERS if file.endswith(ending)), None)
    spans = None if alias is None else _lexed(text, alias)
    return None if spans is None else [part for span in spans for part in _around_directives(text, *span)]


def _lexed(text: str, alias: str) -> list[tuple[int, int]] | None:
    """Ask a process of its own: a lexer that hangs in one expression is ended by nothing else."""
    if not sys.executable:
        return None
    # Neither the working directory nor a relative entry: a file there could be named like a module.
    path = os.pathsep.join(entry for entry in sys.path if Path(entry).is_absolute())
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
    try:
        done = subprocess.run(  # noqa: S603 - a fixed program, and no argument of a user's.
            [sys.executable, "-P", "-m", "claimjury.evidence.lexing", alias],
            input=text.encode("utf-8", "surrogatepass"),
            capture_output=True,
            env={**kept, "PYTHONPATH": path},
            timeout=_MAX_SECONDS,
            check=False,
        )
        spans = json.loads(done.stdout) if done.returncode == 0 else None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return None if spans is None else [(start, end) for start, end in spans]


def _around_directives(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give a comment without the directives in it, each of which begins a comment, with what closes it."""
    at = start
    for match in _DIRECTIVE.finditer(text, start, end):
        before = text[at : match.start()]
        if before.strip() and not before.rstrip(" \t").endswith(("\n", "*/", "-->")):
            continue
        yield at, match.start()
        at = match.end()
        for opened, closer in _CLOSERS:
            if match[0].startswith(opened) and not match[0].endswith(closer):
                close = text.find(closer, at, end)
                if close >= 0:
                    yield at, close
                    at = close + len(closer)
    yield at, end
