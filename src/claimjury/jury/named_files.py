"""Which files does a claim name? A verdict on a file that no juror saw is thin.

A name counts when its ending is one that source, text or data files have. Ordinary words with a dot in them
(`e.g.`, `v1.2`, `os.path`, `Node.js`, `example.com`) do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

__all__ = ["named_files", "names_unsent_file"]

_ENDINGS: Final = [
    "py",
    "pyi",
    "js",
    "jsx",
    "mjs",
    "cjs",
    "ts",
    "tsx",
    "go",
    "rs",
    "java",
    "kt",
    "kts",
    "scala",
    "c",
    "cc",
    "cpp",
    "cxx",
    "h",
    "hpp",
    "cs",
    "rb",
    "php",
    "swift",
    "m",
    "mm",
    "sh",
    "bash",
    "zsh",
    "ps1",
    "sql",
    "html",
    "htm",
    "css",
    "scss",
    "less",
    "vue",
    "svelte",
    "md",
    "rst",
    "txt",
    "toml",
    "yaml",
    "yml",
    "json",
    "jsonl",
    "ini",
    "cfg",
    "conf",
    "xml",
    "csv",
    "tsv",
    "lock",
    "proto",
    "tf",
    "gradle",
    "ipynb",
    "log",
    "lua",
    "pl",
    "r",
    "jl",
    "ex",
    "exs",
    "erl",
    "hs",
    "clj",
    "dart",
    "zig",
    "nim",
]
_NAME: Final = re.compile(
    rf"(?<![\w.@/\\-])(?:[A-Za-z]:)?(?:[\w.@+-]*[/\\])*[\w@+.-]*\w\.(?:{'|'.join(_ENDINGS)})(?![\w/\\]|\.\w|\()",
)
_URL: Final = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_PRODUCTS: Final = frozenset(
    [
        "node.js",
        "next.js",
        "vue.js",
        "nuxt.js",
        "express.js",
        "react.js",
        "d3.js",
        "three.js",
        "ember.js",
        "backbone.js",
        "chart.js",
        "socket.io",
        "asp.net",
        "discord.js",
        "alpine.js",
        "p5.js",
        "moment.js",
        # Calls that are spoken of without their brackets.
        "console.log",
        "math.log",
    ]
)
_TIME: Final = re.compile(r"\d*[ap]\.m", re.IGNORECASE)


def named_files(statement: str) -> list[str]:
    """Give the file names in a statement, in order, each once, with forward slashes."""
    found = (
        match[0].replace("\\", "/").removeprefix("./") for match in _NAME.finditer(_URL.sub(" ", statement))
    )
    return list(dict.fromkeys(name for name in found if not _is_word(name)))


def _is_word(name: str) -> bool:
    return name.casefold() in _PRODUCTS or _TIME.fullmatch(name) is not None


def names_unsent_file(statement: str, sent: Iterable[str]) -> bool:
    """Whether a statement names a file that is not among `sent`. `app.py` is met by `src/app.py`."""
    paths = [PurePosixPath(path.casefold()).parts for path in sent]
    return any(not _met(PurePosixPath(name.casefold()).parts, paths) for name in named_files(statement))


def _met(name: tuple[str, ...], paths: list[tuple[str, ...]]) -> bool:
    """Whether one of two paths ends with the other, component by component."""
    return any(path[-len(name) :] == name or name[-len(path) :] == path for path in paths)
