"""Injection: text in evidence that is aimed at whoever judges it. Found by rules, shown with lines; no verdict hangs on it.

A rule asks for two things at once: an instruction, and that it is aimed at a judge, a model or the form of a ballot. Prompts of an
application's own model, prose about attacks and words like `verdict` in other trades stay silent. Expressions are linear
in the text: each is bounded, and looked for line by line or in a window of lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from claimjury.text import clean_line, clip

__all__ = ["MAX_FINDINGS", "Injection", "Rule", "find_injections"]

Rule = Literal[
    "forged_ballot",
    "fence_lookalike",
    "role_change",
    "hidden_unicode",
    "ignore_previous",
    "verdict_coercion",
    "claimed_verification",
]
MAX_FINDINGS: Final = 50
"""Of one text; more are counted."""
_MAX_LINE: Final = 4_000
_MAX_EXCERPT: Final = 160
_JUDGES: Final = (
    r"(?:reviewers?|judges?|jurors?|jury|verifiers?|validators?|graders?|evaluators?|auditors?|skeptics?|claimjury|"
    r"(?:ai|llm|language|automated|review(?:ing)?) (?:models?|agents?|assistants?|reviewers?|judges?|tools?|systems?)|"
    r"models?|assistants?|llms?|ais?|chatgpt|claude|gpt|gemini|copilot|bots?)"
)
_VERDICTS: Final = r"(?:confirmed|refuted|uncertain|approved?|passed|pass|accepted?|true|valid|correct|supported|verified|lgtm)"
_BEFORE: Final = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|former|system|original|other|your|all|any|these|those|the|of|my|our|"
    r"given|existing|initial|safety|review|judging|grading|and|or)"
)
_ORDERS: Final = (
    r"(?:instructions?|rules?|prompts?|guidelines?|directives?|directions?|constraints?|polic(?:y|ies)|context|criteria|"
    r"system message|messages?|training)"
)
_LINE_RULES: Final[tuple[tuple[Rule, re.Pattern[str]], ...]] = tuple(
    (rule, re.compile(pattern, re.IGNORECASE))
    for rule, pattern in (
        (
            "fence_lookalike",
            r"<{2,3}\s*/?\s*(?:END\s+)?(?:OF\s+)?(?:SOURCE|DIFF|REFERENCE|CLAIMS?|EVIDENCE|FILE)\b[^<>\n]{0,120}>{2,3}|"
            r"</?\s*(?:evidence|sources?|claims?|reference|untrusted[\w-]*|documents?_to_review|judge_input)\s*>|"
            r"[\[({=*#-]{1,6}\s*(?:END|BEGIN|START)\s+(?:OF\s+)?(?:THE\s+)?(?:EVIDENCE|SOURCES?|CLAIMS|UNTRUSTED \w+|DATA TO REVIEW)\b",
        ),
        (
            "role_change",
            r"<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id|begin_of_text)[^|\n]{0,40}\|>|"
            r"\[/?INST\]|<</?SYS>>|<start_of_turn>|"
            r"^\W{0,8}(?:system|assistant|developer)\s*:\s*(?:you\b|ignore\b|the (?:claims?|jury|evidence|review)|from now|new |all "
            r"claims|answer|respond|confirm|vote|override|verdict|as the|i (?:have|will|confirm))|"
            r"^\W{0,8}#{1,4}\s*(?:system|assistant|new system)(?:\s+(?:prompt|message|instructions?|override|note))?\s*:?\s*$|"
            rf"\byou are (?:now|no longer) (?:an? |the |in )?(?:\w+[ -]){{0,4}}{_JUDGES}\b|"
            r"\byou are (?:now|no longer) (?:a|an|the|in|bound|acting|operating|reviewing|judging)\b.{0,80}\b(?:confirm|approv|verdict|claim|vote|"
            r"evidence|instruction|rules?)",
        ),
        (
            "ignore_previous",
            rf"\b(?:ignore|disregard|forget|override|bypass|do not (?:follow|obey)|stop following|pay no attention to|discard)\s+"
            rf"(?:{_BEFORE}\s+){{0,5}}(?:\w+\s+)?{_ORDERS}\b(?!\s+(?:files?|errors?|warnings?|tests?))",
        ),
        ("ignore_previous", r"\bignorier\w*\s+(?:\w+\s+){0,4}(?:anweisung|regel|vorgabe|instruktion)\w*"),
        (
            "ignore_previous",
            r"\b(?:ignor[ae]|olvida|descarta)\w*\s+(?:\w+\s+){0,4}(?:instruccion|regla|indicacion|norma)\w*",
        ),
        (
            "ignore_previous",
            r"\b(?:ignor\w+|oubli\w+|ne ten\w+ pas compte)\s+(?:[\w']+\s+){0,5}(?:instruction|consigne|r[eè]gle)\w*",
        ),
        (
            "ignore_previous",
            r"(?:忽略|无视|不要理会|忘记|無視|忘掉).{0,12}(?:指令|指示|规则|規則|说明|提示|要求|命令)",
        ),
        (
            "verdict_coercion",
            rf"\b{_JUDGES}\b.{{0,60}}\b(?:must|should|shall|have to|need to|are (?:to|required to|instructed to)|please|will|only)\b.{{0,60}}"
            rf"\b(?:vote|answer|respond|reply|return|mark|report|rate|output|say|confirm|approve|accept|pass|not refute|never refute)\b",
        ),
        (
            "verdict_coercion",
            r"\b(?:vote|answer|respond|reply|return|mark|report|rate|output|choose|select|give)\b.{0,60}"
            r"(?<![a-z])(?:CONFIRMED|REFUTED|UNCERTAIN)(?![a-z_])|"
            r"\b(?:do not|don't|never|must not)\s+(?:vote\s+)?refute\b|"
            rf"\b(?:mark|treat|accept|rate|judge|consider|confirm|approve)\s+(?:all|every|each|any|this|these|the)\s+(?:of\s+)?(?:the\s+)?"
            rf"(?:claims?|statements?|findings?|votes?)\b(?:.{{0,30}}\b{_VERDICTS})?",
        ),
        (
            "claimed_verification",
            rf"\b(?:note|message|notice|attention|hint|instructions?|memo|info)\s+(?:to|for)\s+(?:the\s+|any\s+|all\s+)?{_JUDGES}\b|"
            rf"^\W{{0,10}}(?:dear\s+|attention\s+)?(?:ai|llm|automated|model)s?\s*(?:reviewers?|judges?|agents?|models?|assistants?|note)?\s*[:,]",
        ),
        (
            "claimed_verification",
            rf"\b(?:verified|audited|reviewed|approved|checked|validated|confirmed|proven|proved|vetted|certified)\b.{{0,60}}\b"
            rf"(?:no (?:need|reason)|not need|needn't|unnecessary|skip|without (?:further|re)|do not (?:re-?)?(?:check|verify|review|inspect|question)|"
            rf"nothing (?:left )?to (?:check|verify)|treat (?:it )?as (?:safe|correct|true|verified)|safe to (?:confirm|approve|accept)|"
            rf"no further (?:check|review|verification)\w*|(?:need|require)s? no (?:further )?(?:check|review|verification)\w*)",
        ),
        (
            "claimed_verification",
            rf"\b(?:verified|audited|reviewed|approved|checked|validated|confirmed|certified)\b(?:\s+(?:and|as|to be)\s+\w+){{0,2}}\s+(?:\w+\s+){{0,2}}by\s+(?:the\s+)?"
            rf"(?:claimjury|(?:ai|llm)\b|(?:\w+\s+)?(?:security|audit|verification|qa|review) (?:team|board|committee|department)|(?:\w+\s+)?"
            rf"(?:jury|panel|jurors|judges))\b",
        ),
    )
)
_BALLOT: Final = re.compile(r"[\"']?verdicts[\"']?\s*[:=]\s*\[", re.IGNORECASE)
_BALLOT_KEYS: Final = re.compile(
    r"[\"']?verdict[\"']?\s*[:=]\s*[\"'](?:CONFIRMED|REFUTED|UNCERTAIN)[\"']", re.IGNORECASE
)
_BALLOT_WITH: Final = re.compile(
    r"[\"'](?:rationale|severity|nonce|quotes|refuted|basis)[\"']\s*:", re.IGNORECASE
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
    found = sorted({*_by_lines(lines), *_ballots(lines)}, key=lambda pair: (pair[1], pair[0]))
    return [
        Injection(
            rule=rule, line=line + first_line, excerpt=clip(clean_line(lines[line][:_MAX_LINE]), _MAX_EXCERPT)
        )
        for rule, line in found
    ]


def _by_lines(lines: Sequence[str]) -> Iterator[tuple[Rule, int]]:
    for number, line in enumerate(lines):
        line = line[:_MAX_LINE]
        if not line.isascii():
            if _hides(line):
                yield "hidden_unicode", number
            line = _plain(line)
        # Sentences are wrapped, most of all in comments.
        joined = f"{line} {_continued(lines, number)}"
        for rule, pattern in _LINE_RULES:
            match = pattern.search(joined)
            if match is not None and match.start() <= len(line):
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
    for place, char in enumerate(line):
        if char in _ZERO and place and _splits(line, place):
            return True
    return False


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


def _ballots(lines: Sequence[str]) -> Iterator[tuple[Rule, int]]:
    """Find a ballot, or an entry of one: its keys stand together within a few lines."""
    last = -_WINDOW
    for number, line in enumerate(lines):
        line = line[:_MAX_LINE]
        begins = _BALLOT.search(line) or _BALLOT_KEYS.search(line) or _SKEPTIC.search(line)
        if not begins or number - last < _WINDOW:
            continue
        near = "\n".join(part[:_MAX_LINE] for part in lines[max(0, number - 4) : number + _WINDOW])
        keys = {match[0].strip("\"' :").casefold() for match in _BALLOT_WITH.finditer(near)}
        if (_BALLOT_KEYS.search(near) or _SKEPTIC.search(near)) and len(keys) >= (
            1 if _BALLOT.search(near) else 2
        ):
            last = number
            yield "forged_ballot", number
