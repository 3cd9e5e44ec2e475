"""Injection: text in evidence that is aimed at whoever judges it. Found by rules, shown with lines; no verdict hangs on it.

A rule asks for two things at once: an instruction, and that it is aimed at a judge, a model or the form of a ballot. Prompts of an
application's own model, prose about attacks and words like `verdict` in other trades stay silent. Expressions are linear
in the text: each is bounded, and looked for line by line or in a window of lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from claimjury.evidence.injection_rules import LINE_RULES, Rule
from claimjury.text import clean_line, clip

__all__ = ["Injection", "Rule", "find_injections"]

_MAX_LINE: Final = 4_000
_MAX_EXCERPT: Final = 160
_TURN: Final = re.compile(r"^\W{0,6}(Human|User|Assistant|AI)\s*:\s+\S")
_CLOSING: Final = re.compile(
    r"<(/?)\s*(evidence|sources?|claims?|reference|untrusted[\w-]*|judge_input|documents?)\s*>", re.IGNORECASE
)
_BALLOT: Final = re.compile(r"[\"']verdicts[\"']\s*:\s*\[", re.IGNORECASE)
_BALLOT_WORD: Final = re.compile(
    r"[\"']?\bverdict[\"']?\s*[:=]\s*[\"']?(?-i:CONFIRMED|REFUTED|UNCERTAIN)\b", re.IGNORECASE
)
_BALLOT_WITH: Final = re.compile(
    r"[\"']?\b(rationale|severity|nonce|quotes|refuted|basis)[\"']?\s*[:=]", re.IGNORECASE
)
_SKEPTIC: Final = re.compile(r"[\"']refuted[\"']\s*:\s*(?:true|false)\b", re.IGNORECASE)
_BIDI: Final = frozenset("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
_ZERO: Final = frozenset("\u200b\u2060\ufeff\u180e\u200c\u200d\u00ad")
_TAGS: Final = re.compile("[\U000e0020-\U000e007f]+")
_FLAG: Final = "\U0001f3f4"
_WINDOW: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """Something in a text that is aimed at whoever judges it.

    Attributes:
        rule: What it looks like.
        line: Where it begins, counted from 1.
        excerpt: The line, cleaned and cut.
    """

    rule: Rule
    line: int
    excerpt: str


def find_injections(text: str, first_line: int = 1) -> list[Injection]:
    """Give what in a text is aimed at whoever judges it, in the order of its lines; each rule once for a line."""
    lines = text.split("\n")
    found = sorted(
        {*_by_lines(lines), *_ballots(lines), *_turns(lines), *_closings(lines)},
        key=lambda pair: (pair[1], pair[0]),
    )
    return [
        Injection(
            rule=rule, line=line + first_line, excerpt=clip(clean_line(lines[line][:_MAX_LINE]), _MAX_EXCERPT)
        )
        for rule, line in found
    ]


def _by_lines(lines: Sequence[str]) -> Iterator[tuple[Rule, int]]:
    for number, whole in enumerate(lines):
        line = whole[:_MAX_LINE]
        if not line.isascii() and _hides(line):
            yield "hidden_unicode", number
        plain = line if line.isascii() else _plain(line)
        # Sentences are wrapped, most of all in comments.
        joined = f"{plain} {_continued(lines, number)}"
        for rule, pattern in LINE_RULES:
            match = pattern.search(joined)
            if match is not None and match.start() <= len(plain):
                yield rule, number


def _continued(lines: Sequence[str], number: int) -> str:
    """Give the next line without what marks it as a comment."""
    after = lines[number + 1][:_MAX_LINE] if number + 1 < len(lines) else ""
    return _plain(after).strip().lstrip("#/*-;> \t")


def _plain(text: str) -> str:
    """Give a text without what hides in it."""
    text = _TAGS.sub(lambda match: "".join(chr(ord(char) - 0xE0000) for char in match[0]), text)
    return "".join(char for char in text if char not in _ZERO and char not in _BIDI)


def _hides(line: str) -> bool:
    """Whether a line holds characters that hide or reorder words, where no script needs them."""
    if any(char in _BIDI for char in line):
        return True
    if any(match.start() == 0 or line[match.start() - 1] != _FLAG for match in _TAGS.finditer(line)):
        return True
    return any(char in _ZERO and place > 0 and _splits(line, place) for place, char in enumerate(line))


def _splits(line: str, place: int) -> bool:
    """Whether a character of no width stands between letters of a script that has no use for it."""
    before, after = line[place - 1], line[place + 1 : place + 2]
    if line[place] == "\u00ad" or not after:
        return False
    return (
        before.isalnum()
        and (after.isalnum() or after in _ZERO)
        and _is_latin(before)
        and (after in _ZERO or _is_latin(after))
    )


def _is_latin(char: str) -> bool:
    return char.isascii() or unicodedata.name(char, "").startswith(("LATIN", "GREEK", "CYRILLIC"))


def _turns(lines: Sequence[str]) -> Iterator[tuple[Rule, int]]:
    """Find a talk of a person and a model, which a model may take for its own."""
    said: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        match = _TURN.match(line[:_MAX_LINE])
        if match is None:
            continue
        said = [(place, who) for place, who in said if number - place < _WINDOW]
        said.append((number, match[1].casefold()))
        if {"assistant", "ai"} & {who for _, who in said} and {"human", "user"} & {who for _, who in said}:
            yield "role_change", said[0][0]
            said = []


def _closings(lines: Sequence[str]) -> Iterator[tuple[Rule, int]]:
    """Find a tag that closes what this text never opened: it may be meant to end the judge's own."""
    opened: Counter[str] = Counter()
    for number, line in enumerate(lines):
        for match in _CLOSING.finditer(line[:_MAX_LINE]):
            name = match[2].casefold()
            opened[name] += -1 if match[1] else 1
            if opened[name] < 0:
                opened[name] = 0
                yield "fence_lookalike", number


def _ballots(lines: Sequence[str]) -> Iterator[tuple[Rule, int]]:
    """Find a ballot, or an entry of one: its keys stand together within a few lines."""
    plain = [line[:_MAX_LINE].replace('\\"', '"') for line in lines]
    last = -_WINDOW
    for number, line in enumerate(plain):
        if number - last < _WINDOW or not (
            _BALLOT.search(line) or _BALLOT_WORD.search(line) or _SKEPTIC.search(line)
        ):
            continue
        near = "\n".join(plain[max(0, number - 4) : number + _WINDOW])
        keys = {match[1].casefold() for match in _BALLOT_WITH.finditer(near)}
        whole = _BALLOT.search(near) is not None
        if (_BALLOT_WORD.search(near) or _SKEPTIC.search(near)) and len(keys) >= (1 if whole else 2):
            last = number
            yield "forged_ballot", number
