"""The forms of secrets that stand in one line: those of detect-secrets (Yelp), those of vendors, and values beside telling names.

Left out are the guesses of detect-secrets by entropy alone, which refuse hashes and long names. Each form is looked for in a part
of the text of bounded length, so that no line, however long, makes an expression slow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple

from claimjury.evidence.randomness import is_harmless, is_hash_of_a_key, is_trivial, looks_random

__all__ = ["NAMED", "Span", "spans_in"]

NAMED: Final = "Value of a secret's name"
_LEFT_OUT: Final = frozenset(
    {
        "Base64HighEntropyString",
        "HexHighEntropyString",
        "KeywordDetector",
        "IPPublicDetector",
        "BasicAuthDetector",
        "PrivateKeyDetector",
        "OpenAIDetector",
    }
)
_ADDRESS: Final = "Password in an address"
_MIN_GROUP: Final = 8
"""Characters from which on a group of a detector's expression is the secret, and not the mark that it is known by."""
# Beside each, what a text has that has the form: most have it not, and to look for that is fast.
_FORMS: Final[tuple[tuple[str, str, re.Pattern[str]], ...]] = tuple(
    (rule, mark, re.compile(pattern))
    for rule, mark, pattern in (
        (
            "Login of a netrc file",
            "machine",
            (
                r"(?<![\w.-])machine[\s+|]{1,12}\S{1,200}[\s+|]{1,12}(?:(?:login|account)[\s+|]{1,12}\S{1,200}[\s+|]{1,12}){0,2}"
                r"password[\s+|]{1,12}(?P<secret>\S{1,200})"
            ),
        ),
        (
            "AWS secret key",
            "",
            r"(?i:aws_?secret_?access_?key|secretAccessKey)\W{1,6}(?P<secret>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])",
        ),
        ("Google API key", "AIza", r"(?<![\w-])(?P<secret>AIza[0-9A-Za-z_-]{35})(?![\w-])"),
        ("GitHub token", "github_pat_", r"(?<!\w)(?P<secret>github_pat_[0-9A-Za-z_]{40,})"),
        ("OpenAI key", "sk-", r"(?<![\w-])(?P<secret>sk-(?:proj|svcacct|admin|None)-[0-9A-Za-z_-]{20,})"),
        ("OpenAI Token", "T3BlbkFJ", r"(?P<secret>sk-[0-9A-Za-z_-]{0,200}?T3BlbkFJ[0-9A-Za-z_-]{20,})"),
        ("DeepSeek key", "sk-", r"(?<![\w-])(?P<secret>sk-[0-9a-f]{32,64})(?![\w-])"),
        ("Anthropic key", "sk-", r"(?<![\w-])(?P<secret>sk-ant-[0-9A-Za-z_-]{20,})"),
        ("OpenRouter key", "sk-", r"(?<![\w-])(?P<secret>sk-or-v1-[0-9a-f]{32,})"),
        ("Ollama key", "", r"(?<![\w./-])(?P<secret>[0-9a-f]{32}\.[0-9A-Za-z_-]{24})(?![\w.-])"),
        ("xAI key", "xai-", r"(?<![\w-])(?P<secret>xai-[0-9A-Za-z]{60,})"),
        ("Groq key", "gsk_", r"(?<!\w)(?P<secret>gsk_[0-9A-Za-z]{40,})"),
        ("Hugging Face token", "hf_", r"(?<!\w)(?P<secret>hf_[0-9A-Za-z]{30,})"),
        ("DigitalOcean token", "_v1_", r"(?<!\w)(?P<secret>do[opr]_v1_[0-9a-f]{60,})"),
        (
            "Webhook of Discord",
            "/api/webhooks/",
            r"(?P<secret>https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{15,}/[\w-]{50,})",
        ),
        (
            "Webhook of Slack",
            "hooks.slack.com",
            r"(?P<secret>https://hooks\.slack\.com/(?:services|workflows)/[\w/]{30,})",
        ),
        (
            "Bearer token",
            "",
            r"(?i:authorization)\W{1,4}(?i:bearer|token)[ \t]+(?P<secret>[0-9A-Za-z_.~+/-]{20,}=*)",
        ),
        (
            _ADDRESS,
            "://",
            r"(?<=[a-z0-9])://(?P<user>[^\s:/@'\"`<>]{0,80}):(?P<secret>[^\s/@'\"`<>]{3,120}+)@[\w.-]+",
        ),
    )
)
_MARKS: Final = {"NPM tokens": "_authToken", "JSON Web Token": "eyJ"}
_SECRET_NAME: Final = re.compile(
    r"(?i)(?:passw(?:or)?d|passphrase|secret|token|api_?-?key|access_?-?key|private_?-?key|auth_?-?key|credential)(?P<rest>[\w.-]{0,20})"
    r"\\{0,2}[\"'\]]{0,2}[ \t]{0,3}(?::=|=>|[:=])[ \t]{0,3}[rbf]?"
    r"(?:(?P<quote>[\"'])(?P<quoted>(?:(?!(?P=quote))\S){16,1000})(?P=quote)|\\{0,2}[\"']?(?P<plain>[^\s\"',;)]{16,1000}))"
)
_BEFORE: Final = re.compile(r"[\w.-]{0,40}$")
# Names that hold such a word and say of something else: a class, a place in a list, a limit.
_OTHER_REST: Final = re.compile(
    r"(?i)i[sz](?:e|ation)|[_-]?(?:class|type|kind|count|limit|ids?|ur[li]|path|file|dir|header|field|prefix|suffix|format|policy|"
    r"version|length|size|hash(?:es)?|digest|fingerprint|label|hint|regex|pattern|selector|algorithm|provider|endpoint|factory)s?$"
)
_OTHER_BEFORE: Final = re.compile(r"(?i)(?:page|continuation|sync|cursor|csrf|xsrf|tok)[_-]?$")
_KEY_NAME: Final = re.compile(
    r"(?i)(?:api|auth|access|secret|session|client|private|sign(?:ing)?|encrypt(?:ion)?|master|account|bot)[_-]?(?:access[_-]?)?(?:key|token|secret)$|"
    r"passw(?:or)?d$|passphrase$"
)


class Span(NamedTuple):
    """Where something with the form of a secret stands in a text."""

    rule: str
    start: int
    end: int


def spans_in(part: str) -> Iterator[Span]:
    """Give what in a part of a text has the form of a secret, in no order; the same may come twice."""
    yield from _by_form(part)
    yield from _by_detector(part)
    yield from _by_name(part)


def _by_form(part: str) -> Iterator[Span]:
    for rule, mark, pattern in _FORMS:
        for match in pattern.finditer(part) if mark in part else ():
            value = match["secret"]
            if is_harmless(value) or (rule == _ADDRESS and (is_trivial(value) or value == match["user"])):
                continue
            yield Span(rule, match.start("secret"), match.end("secret"))


def _by_name(part: str) -> Iterator[Span]:
    for match in _SECRET_NAME.finditer(part):
        before = _BEFORE.search(part, max(0, match.start() - 40), match.start())
        group = "quoted" if match["quoted"] is not None else "plain"
        value = match[group].rstrip("`>]}\\")
        if _OTHER_REST.search(match["rest"]) or _OTHER_BEFORE.search(before[0] if before else ""):
            continue
        name = f"{before[0] if before else ''}{part[match.start() : match.start('rest')]}{match['rest']}"
        secret = looks_random(value, words="pass" not in name.casefold())
        if secret or (_KEY_NAME.search(name) and is_hash_of_a_key(value)):
            yield Span(NAMED, match.start(group), match.start(group) + len(value))


def _by_detector(part: str) -> Iterator[Span]:
    for rule, pattern, valid in _detectors():
        for match in pattern.finditer(part) if _MARKS.get(rule, "") in part else ():
            if valid is not None and not valid(match[0]):
                continue
            # Some expressions have the mark that a secret is known by as their group, others the secret.
            longest = max(
                range(len(match.groups()) + 1), key=lambda group: len(match[group] or "") if group else 0
            )
            group = longest if longest and len(match[longest] or "") >= _MIN_GROUP else 0
            value = match[group]
            start = match.start(group) + len(value) - len(value.lstrip(" \t\r\n:=\"'"))
            end = match.start(group) + len(value.rstrip(" \t\r\n\"'"))
            if start < end and not is_harmless(part[start:end]):
                yield Span(rule, start, end)


@cache
def _detectors() -> list[tuple[str, re.Pattern[str], Callable[[str], bool] | None]]:
    # Imported late: it takes a tenth of a second.
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    kinds: Any = get_mapping_from_secret_type_to_class().values()
    made = [kind() for kind in kinds if kind.__name__ not in _LEFT_OUT]
    return [
        (str(one.secret_type), pattern, getattr(one, "is_formally_valid", None))
        for one in made
        for pattern in one.denylist
    ]
