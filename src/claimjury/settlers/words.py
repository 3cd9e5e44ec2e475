"""A statement as tokens: names, paths, numbers and quotes by their form, and plain words. Nothing is skipped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Literal

__all__ = ["EXTENSIONS", "Kind", "Piece", "pieces"]

Kind = Literal["PATH", "NAME", "OPTION", "VERSION", "INT", "TEXT", "CHURN", "WORD", "MARK"]
"""What a token looks like. `TEXT` is code or a quotation of no other form, `CHURN` is `+12/-3`, `MARK` is punctuation."""

EXTENSIONS: Final = frozenset(
    [
        "py",
        "pyi",
        "pyx",
        "js",
        "jsx",
        "mjs",
        "cjs",
        "ts",
        "tsx",
        "mts",
        "cts",
        "go",
        "rs",
        "java",
        "kt",
        "kts",
        "scala",
        "c",
        "h",
        "cc",
        "cpp",
        "cxx",
        "hpp",
        "hh",
        "cs",
        "fs",
        "rb",
        "php",
        "swift",
        "m",
        "mm",
        "lua",
        "pl",
        "pm",
        "r",
        "jl",
        "ex",
        "exs",
        "erl",
        "hs",
        "clj",
        "sh",
        "bash",
        "zsh",
        "fish",
        "ps1",
        "bat",
        "cmd",
        "sql",
        "html",
        "htm",
        "css",
        "scss",
        "sass",
        "less",
        "vue",
        "svelte",
        "astro",
        "md",
        "mdx",
        "rst",
        "txt",
        "adoc",
        "org",
        "json",
        "jsonc",
        "json5",
        "jsonl",
        "ndjson",
        "yaml",
        "yml",
        "toml",
        "ini",
        "cfg",
        "conf",
        "env",
        "xml",
        "csv",
        "tsv",
        "lock",
        "mod",
        "sum",
        "gradle",
        "properties",
        "proto",
        "graphql",
        "tf",
        "hcl",
        "dockerfile",
        "mk",
        "cmake",
        "ipynb",
        "svg",
        "png",
        "jpg",
        "jpeg",
        "gif",
        "ico",
        "pdf",
        "log",
        "diff",
        "patch",
        "snap",
        "golden",
        "tmpl",
        "tpl",
        "j2",
        "jinja",
        "jinja2",
        "ejs",
        "hbs",
        "editorconfig",
        "gitignore",
        "gitattributes",
        "gitmodules",
        "npmrc",
        "nvmrc",
        "prettierrc",
        "eslintrc",
        "babelrc",
        *("dat", "bin", "zip", "gz", "tgz", "tar", "wasm", "woff", "woff2", "ttf", "webp", "mp3", "mp4"),
        *("sqlite", "sqlite3", "parquet", "npy", "pkl", "xlsx", "docx", "pptx"),
    ]
)
_BARE: Final = frozenset(
    [
        "Makefile",
        "Dockerfile",
        "LICENSE",
        "LICENCE",
        "README",
        "CHANGELOG",
        "NOTICE",
        "AUTHORS",
        "CONTRIBUTING",
        "Procfile",
        "Jenkinsfile",
        "Vagrantfile",
        "Gemfile",
        "Rakefile",
        "Justfile",
        "CODEOWNERS",
        "Pipfile",
        "BUILD",
        "WORKSPACE",
    ]
)
_TOKEN: Final = re.compile(
    r"""
      (?P<code>`[^`\n]+`)
    | (?P<quoted>"[^"\n]*"|\u201c[^\u201d\n]*\u201d|\u00ab[^\u00bb\n]*\u00bb)
    | (?P<churn>\+\d+\s*/\s*[-\u2212\u2013]\d+(?![\w.]))
    | (?P<number>(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,]|\.\d))
    | (?P<mark>[,;:()\[\]{}?!\u2014\u2013=])
    | (?P<bare>[^\s`",;()\[\]{}?!\u2014\u2013=]+(?:\(\))?)
    """,
    re.VERBOSE,
)
_LONGEST: Final = 400
"""Characters of a token that may be a path, a name or a version."""
_INT: Final = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)\Z")
_VERSION: Final = re.compile(r"[~^]?v?\d+(?:\.\d+)+(?:[-+.]?[0-9A-Za-z])*\Z")
_OPTION: Final = re.compile(r"--?[A-Za-z][\w-]*\Z")
_IDENTIFIER: Final = r"[^\W\d]\w*"
_NAME: Final = re.compile(rf"[@$#]?{_IDENTIFIER}(?:(?:\.|::|\#){_IDENTIFIER})*(?:\(\))?\Z")
_NAME_LIKE: Final = re.compile(r".*(?:_|[a-z][A-Z]|::|\(\)\Z|\w\.[^\W\d])")
_CONTRACTIONS: Final = {
    "doesn't": ("does", "not"),
    "don't": ("do", "not"),
    "didn't": ("did", "not"),
    "isn't": ("is", "not"),
    "aren't": ("are", "not"),
    "wasn't": ("was", "not"),
    "weren't": ("were", "not"),
    "hasn't": ("has", "not"),
    "haven't": ("have", "not"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A token of a statement.

    Attributes:
        kind: What it looks like.
        text: What stands between the quotes or backticks; a word in lower case.
        quoted: It stands in quotes or backticks.
    """

    kind: Kind
    text: str
    quoted: bool = False


def pieces(statement: str) -> list[Piece]:
    """Cut a statement into tokens. Its bullet and its full stop are not part of it."""
    text = re.sub(r"\A(?:[-*\u2022]|\d+[.)])\s+", "", statement.strip())
    found: list[Piece] = []
    end = 0
    for match in _TOKEN.finditer(text := _without_stop(text)):
        found += _gap(text[end : match.start()])
        found += _pieces_of(match)
        end = match.end()
    return [*found, *_gap(text[end:])]


def _gap(between: str) -> list[Piece]:
    """Give what stands between tokens as a token that no grammar has: a quote without its other one is not skipped."""
    return [Piece(kind="MARK", text=between.strip())] if between.strip() else []


def _without_stop(text: str) -> str:
    return text.removesuffix(".") if not text.endswith("..") else text


def _pieces_of(match: re.Match[str]) -> list[Piece]:
    token = match[0]
    if match["code"] is not None:
        return [_code(token[1:-1].strip())]
    if match["quoted"] is not None:
        return [Piece(kind="TEXT", text=token[1:-1], quoted=True)]
    if match["churn"] or match["number"]:
        return [_counted(token, "CHURN" if match["churn"] else "INT")]
    if match["mark"] is not None:
        return [Piece(kind="MARK", text=token)]
    return _bare(unicodedata.normalize("NFC", token).replace("\u2019", "'"))


def _counted(token: str, kind: Kind) -> Piece:
    """Give a number, or two of a short statistic; one that is too long to be one is a word."""
    if len(token) > _LONGEST:
        return Piece(kind="WORD", text=token)
    return Piece(kind=kind, text=re.sub(r"[^\d+/-]", "", token.replace("\u2212", "-").replace("\u2013", "-")))


def _code(text: str) -> Piece:
    """Give what stands in backticks, by its form."""
    kind = _kind_of(text) or "TEXT"
    return Piece(kind=kind, text=text.replace(",", "") if kind == "INT" else text, quoted=True)


def _kind_of(text: str) -> Kind | None:
    """Give what a text looks like; None where that is nothing, or it is too long to be looked at."""
    forms: tuple[tuple[Kind, Callable[[str], object]], ...] = (
        ("INT", _INT.match),
        ("VERSION", _VERSION.match),
        ("OPTION", _OPTION.match),
        ("PATH", _is_path),
        ("NAME", _NAME.match),
    )
    return next((kind for kind, fits in forms if len(text) <= _LONGEST and fits(text)), None)


def _bare(token: str) -> list[Piece]:
    if (words := _CONTRACTIONS.get(token.casefold())) is not None:
        return [Piece(kind="WORD", text=word) for word in words]
    if token.endswith(":") and len(token) > 1:
        return [*_bare(token[:-1]), Piece(kind="MARK", text=":")]
    kind = _kind_of(token)
    if kind is None or (kind == "NAME" and not _NAME_LIKE.match(token)):
        return [Piece(kind="WORD", text=token.casefold())]
    return [Piece(kind=kind, text=token.replace(",", "") if kind == "INT" else token)]


def _is_path(text: str) -> bool:
    """Whether a text has the form of a path: a known extension, a known bare name, or folders."""
    if not text or any(char.isspace() for char in text) or re.search(r"[<>|\"'()\\]|://|\*", text):
        return False
    path = PurePosixPath(text)
    hidden = path.name.startswith(".") and path.name[1:].casefold() in EXTENSIONS
    if path.suffix[1:].casefold() in EXTENSIONS or path.name in _BARE or hidden:
        return True
    return "/" in text and not text.startswith("/") and re.fullmatch(r"[\w.@+/-]+", text) is not None
