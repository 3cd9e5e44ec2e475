"""Lint: how a claim is stated, before anybody is asked. A warning names the words and says how to state it instead.

What stands in backticks or in quotes is not the claim's own wording and is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, get_args

from claimjury.text import clean_line, clip

__all__ = ["HINTS", "RULES", "LintRule", "LintWarning", "is_question", "lint"]

LintRule = Literal[
    "question",
    "opinion",
    "praise",
    "vague_quantifier",
    "two_claims",
    "pronoun",
    "should",
    "number_without_list",
    "action_without_trace",
    "cause",
    "comparison",
]
RULES: Final[tuple[LintRule, ...]] = get_args(LintRule)
HINTS: Final[dict[LintRule, str]] = {
    "question": "State what is so: `parse_date raises ValueError for 30 February`.",
    "opinion": "State what a file or a command can show, not what somebody thinks of it.",
    "praise": "Say what happens for which input; `correctly` and `robust` cannot be false.",
    "vague_quantifier": "Name them, count them, or give the number.",
    "two_claims": "Make it two claims: one may be true and the other false.",
    "pronoun": "Name the file, the function or the commit that is meant.",
    "should": "State what is, not what ought to be: `returns`, not `should return`.",
    "number_without_list": "List them, so that each can be checked.",
    "action_without_trace": "Claim the outcome, and give the output of the command as reference.",
    "cause": "Claim the fact; the cause is a second claim.",
    "comparison": "Say compared with what, in what unit, for which input: `3 ms instead of 12 ms for 10,000 keys`.",
}
_MAX_WORDS: Final = 80
_CODE: Final = re.compile(
    r"`[^`\n]*`|\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|\u00ab[^\u00bb\n]*\u00bb|(?<![\w])'[^'\n]{2,}'(?!\w)"
)
_NAME: Final = re.compile(r"(?:\S*[_/\\]\S*|\S+\.\w{1,5}\b\S*|\S+\(\)\S*|(?<!\w)--?[a-z][\w-]+)(?<![;,:])")
_ASKS: Final = re.compile(
    r"(?:(?:does|did)\s+\w|(?:do|is|are|was|were|can|could|would|will|has|have|should)\s+(?:the|this|that|it|there|we|you|i|an?|"
    r"any|all|each|every|[\w.]+\(|[`X])|(?:why|how|when|where)\s+(?:do|does|did|is|are|was|were|can|could|will|has|have)\b)",
    re.IGNORECASE,
)
_AUX: Final = r"is|are|was|were|has|have|had|does|do|did|can|cannot|can't|isn't|aren't|doesn't|don't|won't|no longer|never|always"
_VERBS: Final = (
    "return raise log call write read send accept reject refuse exit print open close delete remove add drop keep use need take give "
    "set get store load parse check verify validate hold contain include exclude import export define declare create make build run start "
    "stop end begin fail pass skip handle ignore retry wait block release acquire lock unlock update change rename move copy replace convert "
    "match find list show name count sort filter map throw catch swallow emit listen support require depend exist live stay become point work "
    "cover test assert mock render display update cache evict expire escape encode decode encrypt hash sign redirect respond answer resolve"
)


def _third(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"


_PAST: Final = (
    "added removed deleted renamed fixed updated changed moved replaced refactored implemented created dropped bumped wrote rewrote "
    "extracted merged split converted migrated introduced upgraded cleaned simplified documented covered returned raised passed failed"
)
_FINITE: Final = re.compile(
    rf"\b(?:{_AUX}|{'|'.join(sorted({_third(verb) for verb in _VERBS.split()}))}|{_PAST.replace(' ', '|')})\b",
    re.IGNORECASE,
)
_JOINT: Final = re.compile(
    r"\s*(?:;|\u2014|,?\s+(?:and|but|while|whereas|as well as|plus)\b)\s+", re.IGNORECASE
)
_THINGS: Final = (
    r"bugs?|issues?|places?|problems?|(?:edge )?cases?|comments|findings?|items?|things?|spots?|call ?sites?|improvements?|todos?|"
    r"vulnerabilit(?:y|ies)|features?|points?|tasks?|occurrences?|defects?|regressions?|suggestions?|requirements?|leaks?|races?|typos?"
)
_COUNT: Final = r"(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a dozen|both)"
_EXPRESSIONS: Final[dict[LintRule, str]] = {
    "opinion": (
        r"\b(?:i|we) (?:think|believe|feel|guess|assume|suspect|hope|find)\b|\bin (?:my|our) (?:opinion|view)\b|\bimh?o\b|"
        r"\b(?:elegant|nice|nicer|nicely|beautiful|neat|ugly|intuitive|pleasant|idiomatic|maintainable|readable|readability|sensible|"
        r"reasonable|obvious|obviously|tidy|tidier|cleaner|straightforward|overkill|confusing)\b|\bclean (?:design|code|architecture|approach|"
        r"solution)\b|\b(?:simpler|easier|easy|hard|harder) to (?:read|follow|understand|maintain|use|reason)\b|"
        r"\bwell[- ](?:designed|structured|written|organi[sz]ed|thought)\b|\bgood (?:practice|idea|design)\b|\bbest practices?\b"
    ),
    "praise": (
        r"\b(?:correct|correctly|proper|properly|safely|securely|robust|robustly|robustness|gracefully|comprehensive|comprehensively|"
        r"seamless|seamlessly|reliabl[ey]|perfect|perfectly|flawless|flawlessly|thorough|thoroughly|appropriate|appropriately|"
        r"sound|solid|successfully)\b|\b(?:bug|error)-free\b|\bproduction[- ](?:ready|grade|quality)\b|\bas (?:expected|intended|designed)\b|"
        r"\b(?:works?|working) (?:fine|well|great|again|now)\b|\bworks?$|\b(?:fully|completely) (?:functional|working|tested|typed|supported|covered)\b|"
        r"\bbattle-tested\b|\bwell[- ]tested\b|\bhigh[- ]quality\b|(?<!-)\b(?:is|are) (?:now )?(?:safe|secure)\b(?! to )"
    ),
    "vague_quantifier": (
        r"\b(?:some|several|(?<!-)many(?!-)|(?<!at )most|few|various|numerous|often|usually|generally|sometimes|mostly|significant(?:ly)?|considerabl[ey]|"
        r"substantial(?:ly)?|multiple|a lot|lots of|a couple of|(?:almost|nearly|virtually) (?:all|every\w*|everything|no)|certain|largely|"
        r"much (?:faster|slower|smaller|larger|less|more|better)|in many cases|etc|where (?:possible|needed)|a number of|rarely|quite)\b"
    ),
    "should": r"\b(?:should(?:n't)?|would(?:n't)?|ought to|(?:is|are) (?:expected|supposed|meant) to|will|won't|shall)\b",
    "number_without_list": (
        rf"\b(?:all|the|these|fix(?:es|ed)?|updat(?:es|ed)|resolv(?:es|ed)|address(?:es|ed)|found|clos(?:es|ed)|handl(?:es|ed)|chang(?:es|ed))\b"
        rf"[^.;]{{0,30}}?\b{_COUNT} (?:\w+ ){{0,2}}(?:{_THINGS})\b|^{_COUNT} (?:\w+ ){{0,2}}(?:{_THINGS})\b"
    ),
    "action_without_trace": (
        r"\b(?:i|we)(?:'ve| have)? (?:also |then |just |carefully |manually |personally )?(?:read|verified|checked|ran|reviewed|tested|confirmed|"
        r"looked|inspected|double-checked|validated|examined|went|tried|audited|clicked|walked|compared|watched|studied|traced)\b|"
        r"\b(?:verified|tested|checked|confirmed|reviewed|validated) (?:it |this |everything |all \w+ )?(?:live|manually|locally|by hand|"
        r"in production|on staging|visually|personally|end[- ]to[- ]end)\b|\bmanual(?:ly)? (?:verified|tested|checked|testing)\b"
    ),
    "cause": (
        r"\b(?:because|so that|which means|meaning that|therefore|thus|hence|thereby|in order to|due to|as a result|owing to|consequently|"
        r"leading to|which (?:fix(?:es|ed)|prevents?|ensures?|avoids?|makes?|causes?|caused|explains?|improves?|guarantees?|lets?|allows?|breaks?|broke|"
        r"led|leads)|to (?:prevent|avoid|fix|ensure|make sure|guarantee|improve|support|allow))\b|,? so (?:the|that|it|no|we|nothing|a|each|every)\b"
    ),
}
_PATTERNS: Final = {rule: re.compile(pattern, re.IGNORECASE) for rule, pattern in _EXPRESSIONS.items()}
_STARTS: Final = re.compile(
    r"(?:it|this|that|these|those|they|he|she|both|here|there it)\b(?! (?:is|are) (?:no|a|an|one|two|\d))",
    re.IGNORECASE,
)
_MEANT: Final = re.compile(
    r"\b(?:the|this|that|these|my|our) (?:(?:new|old|above|same|latest|other) )?(?:fix|fixes|change|changes|patch|above|refactor\w*|solution|implementation|"
    r"issue|bug|problem|feature|helper|function|method|class|code|approach|logic|pr|pull request|commit|file|test|one|ones|latter|former|update|error)\b"
    r"(?!\s*(?:`|in |of |for |at |from |named |called |under |below |X\b|\d|#|messages?|codes?|handling|cases?|names?|files?))|\bthe above\b|\bthe (?:latter|former)\b",
    re.IGNORECASE,
)
_ANY_PRONOUN: Final = re.compile(r"\b(?:it|they|them|its|their|this|these)\b", re.IGNORECASE)
_COMPARES: Final = re.compile(
    # "No longer" and "any more" compare nothing.
    r"(?<!\bno )(?<!\bany )\b(?:faster|slower|better|worse|smaller|larger|bigger|cheaper|lighter|quicker|shorter|longer|fewer|simpler|stronger|weaker|"
    r"(?:more|less) (?!than\b)\w+|(?:uses|takes|needs|has) (?:more|less|fewer)\b|improve[sd]?|reduce[sd]?|speeds? up|optimi[sz]e[sd]?)\b",
    re.IGNORECASE,
)
_COMPARED: Final = re.compile(
    r"\b(?:than|instead of|from|against|versus|vs\.?|compared (?:to|with))\b.*\d|\d.*\b(?:than|instead of|to|against|versus|vs\.?|compared)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LintWarning:
    """A way in which a claim is badly stated.

    Attributes:
        rule: Which.
        words: The words that show it; empty where it is the whole.
        hint: How to state it instead.
    """

    rule: LintRule
    words: str
    hint: str


def lint(statement: str) -> list[LintWarning]:
    """Give how a claim is badly stated, each rule at most once, in the order of `RULES`."""
    bare = _bare(statement)
    found: list[LintWarning] = []
    for rule in RULES:
        words = _CHECKS[rule](bare) if rule in _CHECKS else _matched(_PATTERNS[rule], bare)
        if words is not None:
            found.append(LintWarning(rule=rule, words=clip(clean_line(words), _MAX_WORDS), hint=HINTS[rule]))
    return found


def is_question(text: str) -> bool:
    """Whether a text asks, with its mark or without."""
    end = text.rstrip(" \t\r\n\"'`)*_!\u200b")
    return end.endswith(("?", "\uff1f")) or _ASKS.match(re.sub(r"^[\W_]+", "", text)) is not None


def _bare(statement: str) -> str:
    """Give the statement in which what is quoted, and each name, is one word that is none."""
    text = _CODE.sub("X", " ".join(statement.split()))
    return _NAME.sub("X", text).rstrip(" .!")


def _matched(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return None if match is None else match[0]


def _question(bare: str) -> str | None:
    return "" if is_question(bare) else None


def _pronoun(bare: str) -> str | None:
    """Give a word that means something which the claim does not name."""
    if match := _STARTS.match(bare):
        return match[0]
    if (match := _MEANT.search(bare)) and "X" not in bare[: match.start()].split():
        return match[0]
    first = _ANY_PRONOUN.search(bare)
    named = re.search(r"\bX\b|\b[A-Z]\w+|\b(?:a|an|the|each|every|no|any|all)\s+\w+", bare)
    return first[0] if first and (named is None or named.start() > first.start()) else None


def _two_claims(bare: str) -> str | None:
    """Give the joint of two facts: a finite verb stands before it, and one after it."""
    for match in _JOINT.finditer(bare):
        before, after = bare[: match.start()], bare[match.end() :]
        adds = "as well as" in match[0] and re.match(r"\w+ing\b", after)
        if _FINITE.search(before) and (adds or _begins_fact(after)):
            return f"{match[0].strip()} {' '.join(after.split()[:3])}"
    return None


def _begins_fact(after: str) -> bool:
    words = re.sub(
        r"^(?:also|then|now|it|they|that|so|instead|thus|therefore|afterwards)\s+",
        "",
        after,
        flags=re.IGNORECASE,
    )
    # "4 passed and 1 failed" is one count.
    if re.match(r"\d+ (?:\w+ )?(?:passed|failed|skipped)\b", words):
        return False
    head = " ".join(words.split()[:6])
    match = _FINITE.search(head)
    if match is None:
        return False
    # A fact of its own has its verb first, or a subject of few words before it.
    return len(head[: match.start()].split()) <= 4 and not re.match(
        r"(?:that|which|who|when|if|where)\b", head, re.IGNORECASE
    )


def _comparison(bare: str) -> str | None:
    match = _COMPARES.search(bare)
    return None if match is None or _COMPARED.search(bare) else match[0]


_CHECKS: Final[dict[LintRule, Callable[[str], str | None]]] = {
    "question": _question,
    "pronoun": _pronoun,
    "two_claims": _two_claims,
    "comparison": _comparison,
}
