"""Cutting: what stands just before a quote and turns what it says, so that it may not be left out.

A sign, a negation, the marks of a comment that fills its line, the mark of a deleted line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from claimjury.evidence.tokens import Tokens

__all__ = ["Marks", "is_cut", "marks_of", "marks_of_diff", "turns"]

Marks = re.Pattern[str] | None
"""What may begin a comment that fills its line; None where a file's kind is not known to have one."""
_TURNS: Final = re.compile(r"(?i)no|not|never|nor|neither|without|unless|except|cannot|\w*n't|!")
_BEGINS: Final = {
    "#": r"#+!?",
    "/": r"/{2,}!?|/\*+!?|\*+",
    "-": r"-{2,}",
    ";": r";+",
    "<": r"<!-{2,}",
}
_FAMILIES: Final = {
    "#": "py pyi sh bash zsh fish rb pl yaml yml toml conf cfg r jl tf mk cmake dockerfile makefile gitignore ex exs ps1 psm1 nix "
    "hcl tfvars php graphql gql properties",
    "/": "js jsx mjs cjs ts tsx mts cts go rs java kt kts scala c h cc cpp cxx hpp cs swift php dart proto css scss less jsonc "
    "groovy gradle zig vue svelte tf hcl m mm",
    "-": "sql lua hs elm ada vhd",
    ";": "ini lisp clj cljs cljc edn el asm scm",
    "<": "html htm xml svg vue svelte md mdx",
}
_ANY: Final = "#/"
"""What a line of a diff may begin with where its file is not named."""
_MAX_INDENT: Final = 400


def marks_of(name: str) -> Marks:
    """Give what may begin a comment in a file of this name."""
    path = PurePosixPath(name.casefold())
    kind = path.suffix.lstrip(".") or path.name
    return _pattern("".join(family for family, kinds in _FAMILIES.items() if kind in kinds.split()))


def marks_of_diff(lines: Sequence[str]) -> Iterator[Marks]:
    """Give, for each line of a diff, what may begin a comment in its file."""
    marks = _pattern(_ANY)
    for line in lines:
        if line.startswith("+++ "):
            marks = marks_of(line[4:].partition("\t")[0].strip())
        elif line.startswith("diff --git "):
            marks = _pattern(_ANY)
        yield marks


def _pattern(families: str) -> Marks:
    if not families:
        return None
    runs = "|".join(_BEGINS[family] for family in families)
    return re.compile(rf"\s*(?:(?:{runs})\s*)+")


def is_cut(tokens: Tokens, first: int, marks: Marks, *, diff: bool) -> bool:
    """Whether what stands just before turns what begins at this token.

    Args:
        tokens: The tokens of the source.
        first: Where the quote begins.
        marks: What begins a comment on that line.
        diff: Whether each line begins with the mark of a diff.
    """
    if first == 0:
        return False
    if _signed(tokens, first) or _negated(tokens, first):
        return True
    start, begin = tokens.starts[first], tokens.line_start(first)
    if diff:
        if begin < start and tokens.text[begin] == "-":
            return True
        begin = min(begin + 1, start)
    if marks is None or not begin < start <= begin + _MAX_INDENT:
        return False
    return marks.fullmatch(tokens.text, begin, start) is not None


def _signed(tokens: Tokens, first: int) -> bool:
    """Whether a sign touches it: `!ok`, `~mask`, `-1`, where nothing stands before a minus."""
    before = tokens.words[first - 1]
    if tokens.ends[first - 1] != tokens.starts[first]:
        return False
    if before in ("!", "~"):
        return True
    if before == "-" and tokens.words[first][0].isdigit():
        return first < 2 or tokens.ends[first - 2] != tokens.starts[first - 1]
    return False


def _negated(tokens: Tokens, first: int) -> bool:
    """Whether a negation stands before it on its line, brackets aside, or it begins within one: `isn't`."""
    words, at = tokens.words, first - 1
    if _is_contraction(words, at):
        return True
    if tokens.line(at) != tokens.line(first):
        # Whole lines may be quoted, though a sentence began in the one before.
        return False
    while at > 0 and words[at] == "(":
        at -= 1
    if words[at] == "!":
        # `assert!(ok)` is a macro.
        macro = at > 0 and tokens.ends[at - 1] == tokens.starts[at] and words[at - 1][-1].isalnum()
        return at < first - 1 and not macro
    return _TURNS.fullmatch(words[at]) is not None or _is_contraction(words, at - 1)


def turns(words: Sequence[str], first: int, last: int) -> bool:
    """Whether what stands from `first` to `last` turns what is said around it, though it be a part of a word: `isn't`."""
    if any(_TURNS.fullmatch(word) for word in words[first : last + 1]):
        return True
    return any(_is_contraction(words, at) for at in range(max(1, first - 1), last + 2))


def _is_contraction(words: Sequence[str], at: int) -> bool:
    """Whether the mark of `isn't` stands here."""
    if not 1 <= at < len(words) - 1 or words[at] != "'":
        return False
    return words[at + 1].casefold() == "t" and words[at - 1][-1:] in ("n", "N")
