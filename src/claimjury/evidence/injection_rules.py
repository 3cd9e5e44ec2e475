"""The expressions of `injection.py`, by what each looks like: an instruction, and that it is aimed at a judge or a model."""

from __future__ import annotations

import re
from typing import Final, Literal

__all__ = ["LINE_RULES", "Rule"]

Rule = Literal[
    "forged_ballot",
    "fence_lookalike",
    "role_change",
    "hidden_unicode",
    "ignore_previous",
    "verdict_coercion",
    "claimed_verification",
]
_MODELS: Final = (
    r"(?:(?:ai|llm|automated|language)[ -](?:models?|agents?|assistants?|reviewers?|judges?|graders?|verifiers?|tools?|systems?)|"
    r"llms?|ais|chatgpt|claude|gpt-?\d*|gemini|copilot)"
)
_JUDGES: Final = (
    rf"(?:{_MODELS}|(?:claim )?(?:reviewers?|judges?|jurors?|jury|verifiers?|validators?|graders?|evaluators?|skeptics?)|claimjury|"
    r"whoever (?:judges|reviews|evaluates|grades|verifies|reads))"
)
_STANDS: Final = r"(?:(?:all|every|each|any|these) (?:\w+ )?(?:claims?|statements?|findings?)|the (?:claims?|statements?) (?:is|are|as|to|stands?|holds?)\b|(?-i:CONFIRMED|REFUTED|UNCERTAIN)|c\d{1,2}|supported|no objections?)"
_VERDICTS: Final = r"(?:confirmed|refuted|approved?|passed|accepted?|true|valid|correct|supported|verified)"
_BEFORE: Final = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|former|system|original|other|your|all|any|these|those|the|of|my|our|"
    r"given|existing|initial|safety|review|judging|grading|and|or|everything|in)"
)
_ORDERS: Final = r"(?:instructions?|rules?|prompts?|guidelines?|directives?|constraints?|polic(?:y|ies)|criteria|system message|training)"
_NOT: Final = r"(?<!not )(?<!never )(?<!n't )"
_PATTERNS: Final[tuple[tuple[Rule, str], ...]] = (
    (
        "fence_lookalike",
        (
            r"<{2,3}\s*/?\s*(?:END\s+)?(?:OF\s+)?(?-i:SOURCE|DIFF|REFERENCE|CLAIMS?|EVIDENCE)\b[^<>\n]{0,120}>{2,3}|<{2,3}\s*(?:end\s+)?\w+\s+[0-9a-f]{16}\b[^<>\n]{0,120}>{2,3}|"
            r"[\[({=*#-]{1,6}\s*(?:END|BEGIN|START)\s+(?:OF\s+)?(?:THE\s+)?(?:EVIDENCE|CLAIMS|UNTRUSTED \w+|DATA TO REVIEW)\b"
        ),
    ),
    (
        "role_change",
        (
            r"<\|(?:im_start|system|user|assistant|start_header_id)(?:\|>)?\s*\|?>?\s*(?:system|user|assistant)?\s*(?:<\|\w+\|>)?\s*[A-Za-z]{2,}\s+\w|"
            r"<\|(?:im_start|start_header_id)\|>\s*(?:system|assistant|user)\b|"
            r"\[/?INST\]|<</?SYS>>|<start_of_turn>|"
            r"^\W{0,8}(?:system|assistant|developer)\s*:\s*(?:you\b|ignore\b|the (?:claims?|jury|evidence|review)|from now|new |all claims|"
            r"answer|respond|confirm|vote|override|verdict|i (?:have|will|confirm))|"
            r"^\W{0,8}#{1,4}\s*(?:system|new system)(?:\s+(?:prompt|message|instructions?|override|note))?\s*:?\s*$|"
            rf"\byou are (?:now|no longer) (?:an? |the |in )?(?:[\w-]+ ){{0,4}}{_JUDGES}\b|"
            rf"\byou are now\b.{{0,60}}\bno longer\b.{{0,20}}{_JUDGES}|"
            r"\byou are (?:now|no longer) (?:a|an|the|in|bound|acting|operating|reviewing|judging)\b.{0,80}\b(?:confirm|approv|verdict|claims?\b|"
            r"vote|evidence|instruction|rules?\b)|"
            rf"[\"']role[\"']\s*:\s*[\"'](?:system|assistant)[\"'].{{0,60}}[\"']content[\"']\s*:.{{0,200}}\b(?:judge of|jurors?|verdict|accepts? c\d|"
            r"of this evidence)"
        ),
    ),
    (
        "ignore_previous",
        (
            rf"{_NOT}\b(?:ignore|disregard|forget|override|bypass|stop following|pay no attention to|discard)\s+"
            rf"(?:{_BEFORE}\s+){{1,5}}{_ORDERS}\b(?!\s+(?:files?|errors?|warnings?|tests?))"
        ),
    ),
    (
        "ignore_previous",
        (
            rf"{_NOT}\b(?:ignore|disregard|forget) (?:everything|all|anything)(?: that)? (?:you (?:were|have been|are) told|(?:came |stands |is |said )?"
            rf"(?:above|before))|\b(?:earlier|previous|prior|above) {_ORDERS} (?:are void|no longer appl(?:y|ies)|do(?:es)? not apply|are cancelled)"
        ),
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
        (
            rf"\b{_JUDGES}\b.{{0,60}}\b(?:must|should|shall|have to|need to|are (?:to|required to|instructed to)|please|will)\b.{{0,60}}"
            rf"\b(?:vote|answer|respond|reply|return|mark|report|rate|output|say|confirm|approve|accept|pass|refute)\b.{{0,60}}\b{_STANDS}\b"
        ),
    ),
    (
        "verdict_coercion",
        (
            r"\b(?:vote|answer|respond|reply|say|output|return only|mark|rate|report)\b(?: (?:with|only|as|it|them|this|all|every|each|claims?|the|of|these|must|be|is|verdict|statements?|c\d+|and|or|always|just|single|word|one)|[:=\"'`*]){0,8} ?[\"'`*]{0,3}(?-i:(?:CONFIRMED|REFUTED|UNCERTAIN)\b)|"
            r"\b(?:do not|don't|never|must not)\s+(?:vote\s+)?refute\b|"
            rf"\b(?:mark|treat|accept|rate|judge|score|consider|confirm|approve)\s+(?:it|this|them|(?:all|every|each|any|these|the)\s+(?:of\s+)?(?:the\s+)?"
            rf"(?:claims?|statements?|findings?|votes?))\s+(?:below\s+|above\s+|here\s+|about \w+\s+)?(?:as|to be|is)\s+{_VERDICTS}|"
            rf"\bif you are (?:an? )?{_MODELS}\b|\b(?:models?|{_JUDGES})\b.{{0,30}}\b(?:return|vote|answer|say|reply)\w*\s+(?-i:CONFIRMED|REFUTED|UNCERTAIN)\b"
        ),
    ),
    (
        "claimed_verification",
        (
            rf"\b(?:note|message|notice|attention|hint|memo|info)\s+(?:to|for)\s+(?:the\s+|any\s+|all\s+)?(?:{_JUDGES}|ai)\b|"
            rf"^\W{{0,10}}(?:dear|attention)\s+(?:{_JUDGES}|ai|model)s?\b|^\W{{0,6}}(?:#|//|--|<!--|\*)\W{{0,4}}{_MODELS}\s*:\s*\w|\b(?:ai|llm)[- ]review\w*\s*:\s*\w|"
            rf"\b{_JUDGES} have (?:already )?(?:accepted|approved|confirmed|verified|checked|passed)\b|\bmodels? need not\b"
        ),
    ),
    (
        "claimed_verification",
        (
            r"\b(?:verified|audited|reviewed|approved|checked|validated|confirmed|proven|proved|vetted|certified)\b.{0,60}\b"
            r"(?:no (?:need|reason)|not need|needn't|unnecessary|without (?:further|re)|do not (?:re-?)?(?:check|verify|review|inspect|question)|"
            r"nothing (?:left )?to (?:check|verify)|treat (?:it )?as (?:safe|correct|true|verified)|safe to (?:confirm|approve|accept)|"
            r"no further (?:check|review|verification)\w*|(?:need|require)s? no (?:further )?(?:check|review|verification)\w*)"
        ),
    ),
    (
        "claimed_verification",
        (
            r"\b(?:verified|audited|reviewed|approved|checked|validated|confirmed|certified)\b(?:\s+(?:and|as|to be)\s+\w+){0,2}\s+(?:\w+\s+){0,2}"
            r"by\s+(?:the\s+)?(?:claimjury|(?:ai|llm)\b|(?:\w+\s+)?(?:security|audit|verification) (?:team|board|committee|department)|(?:\w+\s+)?"
            r"(?:jury|jurors))\b"
        ),
    ),
)
LINE_RULES: Final = tuple((rule, re.compile(pattern, re.IGNORECASE)) for rule, pattern in _PATTERNS)
