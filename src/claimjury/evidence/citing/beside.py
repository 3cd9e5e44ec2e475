"""Beside: what a text says stands at the place that it cites: an identifier in backticks, or a quote.

Only where nothing but words like `in`, `at`, `defines` stands between; a sentence that says something is gone claims nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from claimjury.evidence.citing.finding import Citation

__all__ = ["Beside", "named_beside", "named_by_link"]

_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*(?:\([^()`]{0,80}\))?!?")
_CODE: Final = re.compile(r"(?<!`)`([^`\n]{2,200})`(?!`)")
_QUOTE: Final = re.compile('["\u201c]([^"\u201c\u201d\n]{12,200})["\u201d]')
_DEFINITION: Final = re.compile(
    r"(?:[\w@]+ ){0,4}(?:def|class|fn|func|function|fun|const|let|var|type|struct|enum|interface|trait|impl|module|namespace|macro_rules!)"
    r" +(?P<name>[A-Za-z_$][\w$]*)|(?P<assigned>[A-Za-z_$][\w$.]*(?: *: *[\w$.\[\]|]+)?) *:?= *\S.*"
)
_VALUES: Final = re.compile(
    r"None|True|False|null|nil|undefined|NaN|true|false|void|self|this|TODO|FIXME|XXX|WIP|PASS(?:ED)?|FAIL(?:ED)?|OK|ERROR|"
    r"HIGH|MED(?:IUM)?|LOW|INFO|CRITICAL|MAJOR|MINOR|BLOCKER|WARN(?:ING)?|NOTE|BUG|NIT"
)
"""Words of code and of reviews that name nothing which a file defines."""
_CODE_OF_TOOL: Final = re.compile(r"[A-Z]{1,6}-?\d{1,6}")
_FAULT: Final = re.compile(r"(?:[A-Z]\w*)?(?:Error|Exception|Warning|Panic|Interrupt|Exit|Fault)|Err[A-Z]\w*")
_DEFINED: Final = re.compile(r"(?i)\b(?:defin\w+|declar\w+|class|lives|sits)\b")
_SAYS: Final = re.compile(
    r"(?i)\b(?:says?|reads?|contains?|is|has|holds|states?|message|text|string|label|title|heading|comment|docstring|line)[\s:*_]*$"
)
_PROPOSED: Final = re.compile(
    r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\*\*|__)?(?:Set|Use|Add|Put|Consider|Introduce|Insert|Try|Change|Make|Move|Rename|Call|Pass|Wrap)\b"
)
_LINKED: Final = re.compile(
    r"in|at|on|is|its|the|a|an|of|from|see|defined|declared|lives|sits|found|set|line|lines|function|method|class|constant|"
    r"variable|field|struct|interface|type|test|helper|here|now|that|which|and"
)
_SAYING: Final = re.compile(
    r"is|the|a|an|defines|declares|has|holds|contains|says|reads|sets|returns|calls|raises|exports|function|method|class|constant|"
    r"variable|field|struct|interface|type|test|helper|where|in|of"
)
_GONE: Final = re.compile(
    r"\b(?:remov\w*|delet\w*|renam\w*|drop(?:ped|s)?|gone|replac\w*|mov(?:ed|es|ing)|no longer|used to|instead of|was|were|"
    r"not|n't|never|no|lacks?|lacking|needs?|without|missing|should|would|could|might|add|adds|rather than|unlike|similar|like|"
    r"formerly|previously|old|fix(?:ed|es|ing)?|typos?|extract\w*|inlin\w+|g[eo]t(?:ting)? rid of|swap\w*|consider|suggest\w*|"
    r"instead|absent|undefined)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_GONE_BEFORE: Final = re.compile(
    r"(?i)\b(?:(?:remov|delet|renam|replac)(?:ed|es|ing)|dropped|dropping|g[eo]t rid of|no longer|moved)\b(?P<what>[^,;:\x00]*)$|"
    r"\b(?:old|former|previous|obsolete)(?: [\w-]+){0,3}[\s`*_(\[]*$|"
    r"\b(?:was|were|stood|lived|used to \w+)(?: (?:in|at|on|here|there|defined|declared|found|located)){0,2}[\s`*_(\[]*$"
)
"""What a text says before a place that is no more; after `from`, the file is still there."""
_TO_BE: Final = re.compile(
    r"(?i)\b(?:create|(?:will|should|could|would) (?:\w+ )?(?:live|go|stand|be|add|create))\b[^,;:\x00]*$"
)
_TO_BE_AFTER: Final = re.compile(
    r"(?i)^[\s`*_)\]]*(?:should|could|would|will|must|has to|needs to) (?:\w+ )?be (?:add|creat|writt|made)"
)
_STILL: Final = re.compile(
    r"(?i)\b(?:add(?:ed|s)?|wrote|put|created?|now|new|see|cover(?:ed|s)?|kept|to|into)\b"
)
_GONE_AFTER: Final = re.compile(
    r"(?i)^[\s`*_)\],]*(?:is|are|was|were|has been|have been|got|(?:which|that)\b[^;:.]{0,40})?[\s]*"
    r"(?:now |been |all )?(?:(?:remov|delet|dropp|renam|replac)(?:ed|es)|gone|no longer|(?:was|were)(?! never))\b|"
    r"^[\s`*_)\],]*(?:was|were)\b(?! never)"
)
_INHERITS: Final = re.compile(r"[\s,`*_]*(?:and|&)?[\s,`*_]*")
_WORDS: Final = re.compile(r"[A-Za-z]+")
_SENTENCE: Final = re.compile(
    r"(?<=[.!?])[\s*_)\"\u201d]+(?=[A-Z\u00c0-\u00de`\[*_(\"\u201c\x00])|\n[ \t]*(?:\n|[-*+][ \t]|\d+[.)][ \t]|\||#)"
)
_MAX_BETWEEN: Final = 40
_MIN_CODE: Final = 5
_NEAR: Final = 160
_MAX_SENTENCE: Final = 1_000
_MARK: Final = "\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What should stand there.

    Attributes:
        kind: An identifier, or a text.
        text: As it stands beside the citation.
        wanted: The words that are looked for.
        elsewhere: It is asked for only where it stands somewhere in the file; else it may be of anything.
    """

    kind: Literal["symbol", "quote"]
    text: str
    wanted: str
    elsewhere: bool = False


def named_beside(prose: str, citations: Sequence[Citation]) -> list[Citation]:
    """Give the citations with what the text says stands there."""
    bare = _without_citations(prose, citations)
    sentences = _Sentences.of(bare)
    named: list[Citation] = []
    for one in citations:
        if not one.line or one.form == "frame":
            named.append(one)
            continue
        before, after = sentences.split(bare, one)
        # What stands beyond another citation belongs to that one, but for "removed a.py:1 and b.py:2".
        mine, theirs = before.rpartition(_MARK)[2], after.partition(_MARK)[0]
        inherits = bool(named) and named[-1].gone and _MARK in before and _INHERITS.fullmatch(mine)
        gone = bool(inherits) or _is_gone(mine, theirs)
        doubtful = gone or sentences.doubtful(one) or _PROPOSED.match(before)
        found = [] if doubtful else _beside(before, after, one)
        named.append(replace(one, beside=(*one.beside, *found), gone=gone))
    return named


def _is_gone(before: str, after: str) -> bool:
    """Whether the text says that the place which is cited between is there no more, or not yet."""
    clause = re.split(r"[;:]", before[-_NEAR:])[-1]
    if _TO_BE.search(clause) or _TO_BE_AFTER.match(after[:_NEAR]):
        return True
    match = _GONE_BEFORE.search(clause)
    if match and not (match["what"] and _STILL.search(match["what"])):
        # Of a file that something was removed from, only the line may be gone.
        return not re.search(r"(?i)\bfrom[\s`*_(\[]*$", clause)
    return _GONE_AFTER.match(after[:_NEAR]) is not None


def named_by_link(text: str) -> tuple[Beside, ...]:
    """Give what the text of a link says stands at its target: an identifier in backticks, and nothing else."""
    match = _CODE.fullmatch(text.strip())
    found = _as_beside(match) if match else None
    return (found,) if found is not None and found.kind == "symbol" else ()


def _without_citations(prose: str, citations: Sequence[Citation]) -> str:
    """Give the text with a mark in the place of each citation and of the backticks around it."""
    parts: list[str] = []
    at = 0
    for one in citations:
        begin, end = one.start, one.start + len(one.text)
        if one.spaced and prose[:begin].endswith(one.spaced[: -len(one.path)]):
            begin -= len(one.spaced) - len(one.path)
        if prose[begin - 1 : begin] == "`" == prose[end : end + 1]:
            begin, end = begin - 1, end + 1
        begin = max(begin, at)
        parts += [prose[at:begin], _MARK * (end - begin)]
        at = end
    return "".join([*parts, prose[at:]])


def _beside(before: str, after: str, one: Citation) -> list[Beside]:
    found = [_before(before.rpartition(_MARK)[2]), _after(after.partition(_MARK)[0])]
    return [row for row in found if row is not None and not _names_file(row, one.path)]


def _names_file(row: Beside, path: str) -> bool:
    """Whether a symbol is the module that the file is, `acme.store` in acme/store.py, and stands in it nowhere."""
    if row.kind != "symbol":
        return False
    parts = [part.partition(".")[0] for part in re.split(r"[\\/]", path)]
    names = re.split(r"\.|::", row.text)
    return parts[-len(names) :] == names and (len(names) > 1 or names[0].islower())


@dataclass(frozen=True, slots=True)
class _Sentences:
    """Where the sentences of a text begin and end."""

    ends: Sequence[int]
    starts: Sequence[int]
    length: int
    doubts: Sequence[int]

    @classmethod
    def of(cls, bare: str) -> _Sentences:
        breaks = list(_SENTENCE.finditer(bare))
        doubts = [match.start() for match in _GONE.finditer(_without_code(bare))]
        starts, ends = [match.end() for match in breaks], [match.start() for match in breaks]
        return cls(ends=ends, starts=starts, length=len(bare), doubts=doubts)

    def doubtful(self, one: Citation) -> bool:
        """Whether the sentence of a citation says that something is not as it is named."""
        left, right = self.around(one.start, one.start + len(one.text))
        at = bisect_left(self.doubts, left)
        return at < len(self.doubts) and self.doubts[at] < right

    def split(self, bare: str, one: Citation) -> tuple[str, str]:
        """Give what the sentence has before and after a citation."""
        begin, end = one.start, one.start + len(one.text)
        left, right = self.around(begin, end)
        return bare[left:begin].rstrip(_MARK), bare[end:right].lstrip(_MARK)

    def around(self, begin: int, end: int) -> tuple[int, int]:
        """Give the part between the breaks before and after a place; a long one is cut to what is close by."""
        before = bisect_right(self.starts, begin) - 1
        after = bisect_left(self.ends, end)
        left = self.starts[before] if before >= 0 else 0
        right = self.ends[after] if after < len(self.ends) else self.length
        return max(left, begin - _MAX_SENTENCE), min(right, end + _MAX_SENTENCE)


def _without_code(text: str) -> str:
    return _QUOTE.sub(_blank, _CODE.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _before(text: str) -> Beside | None:
    """Give what ends just before the citation, as in "`parse` in a.py:3" or "`parse` (a.py:3)"."""
    last = _last(text)
    if last is None:
        return None
    between = text[last.end() :]
    if not _joins(between.rstrip("`*_(["), _LINKED):
        return None
    return _claimed(last, text[: last.start()], between)


def _after(text: str) -> Beside | None:
    """Give what begins just after it, as in "a.py:3 defines `parse`" or "a.py:3 (`parse`)"."""
    text_from = text.lstrip("`*_")
    first = min(
        filter(None, [_CODE.search(text_from), _QUOTE.search(text_from)]),
        key=lambda m: m.start(),
        default=None,
    )
    if first is None:
        return None
    between = text_from[: first.start()]
    if not _joins(between, _SAYING) or not (between.strip(" \t*_") or between.count(" ") == 0):
        return None
    tail = text_from[first.end() : first.end() + 1]
    if between.strip(" \t*_`") in (",", ";", ".", ")", "),", ").") or (
        between.strip().startswith((",", ".", ")", ";"))
    ):
        return None
    return None if tail == ":" and not between.strip() else _claimed(first, between, between)


def _claimed(match: re.Match[str], before: str, between: str) -> Beside | None:
    """Give what the text says stands there; a message, a severity or an exception is about the place and not in it."""
    found = _as_beside(match)
    if found is None:
        return None
    if found.kind == "quote" and match[0][0] != "`":
        # A message that is told is one of the file only where the file has it somewhere.
        return found if _SAYS.search(before) else replace(found, elsewhere=True)
    if _FAULT.fullmatch(found.wanted) and not _DEFINED.search(f"{before[-20:]} {between}"):
        return None
    return found


def _last(text: str) -> re.Match[str] | None:
    found = None
    for pattern in (_CODE, _QUOTE):
        for match in pattern.finditer(text):
            if found is None or match.end() > found.end():
                found = match
    return found


def _joins(between: str, words: re.Pattern[str]) -> bool:
    """Whether only joining words and marks stand between."""
    bare = between.strip()
    if len(bare) > _MAX_BETWEEN or re.search(r"[.,;!?\n|]", bare):
        return False
    return all(words.fullmatch(word.lower()) for word in _WORDS.findall(bare)) and not re.search(r"\d", bare)


def _as_beside(match: re.Match[str]) -> Beside | None:
    text = match[1].strip()
    if match[0][0] != "`":
        return Beside(kind="quote", text=text, wanted=text)
    if _IDENTIFIER.fullmatch(text):
        name = re.split(r"\.|::|#|->", text.partition("(")[0].rstrip("!"))[-1]
        names_nothing = len(name) < 2 or _VALUES.fullmatch(name) or _CODE_OF_TOOL.fullmatch(name)
        return None if names_nothing else Beside(kind="symbol", text=text, wanted=name)
    definition = _DEFINITION.match(text)
    if definition is None:
        # A command, a route, a message: they are about the place.
        return None
    if definition["name"]:
        # Signatures are shortened as it suits; the name is not.
        return Beside(kind="symbol", text=text, wanted=definition["name"])
    return Beside(kind="quote", text=text, wanted=text) if len(text) >= _MIN_CODE else None
