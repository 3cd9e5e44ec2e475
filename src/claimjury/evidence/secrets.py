"""Secrets in texts: what has the form of a key, a token or a password is not sent, unless the user says so.

The forms are those of detect-secrets (Yelp), without its guesses by entropy alone, which refuse hashes and long names; of the keys of
vendors that claimjury talks to; and of what a file assigns to a name like `password`, where the value looks drawn at random.
Imported late: the detectors take a tenth of a second.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from claimjury.text import clean_line, clip

__all__ = ["Secret", "excerpt_of", "find_secrets", "redact"]

_MAX_LINE: Final = 8_000
_MIN_RANDOM: Final = 16
_LEFT_OUT: Final = frozenset(
    {
        "Base64HighEntropyString",
        "HexHighEntropyString",
        "KeywordDetector",
        "IPPublicDetector",
        "BasicAuthDetector",
    }
)
_FORMS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (rule, re.compile(pattern))
    for rule, pattern in (
        ("Private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
        ("Login of a netrc file", r"^\s*machine\s+\S+\s+login\s+\S+\s+password\s+(?P<secret>\S+)"),
        (
            "AWS secret key",
            r"(?i:aws_?secret_?access_?key|secretAccessKey)\W{1,6}(?P<secret>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])",
        ),
        ("Google API key", r"(?<![\w-])(?P<secret>AIza[0-9A-Za-z_-]{35})(?![\w-])"),
        ("GitHub token", r"(?<!\w)(?P<secret>github_pat_[0-9A-Za-z_]{40,})"),
        ("OpenAI key", r"(?<![\w-])(?P<secret>sk-(?:proj|svcacct|admin|None)-[0-9A-Za-z_-]{20,})"),
        ("Anthropic key", r"(?<![\w-])(?P<secret>sk-ant-[0-9A-Za-z_-]{20,})"),
        ("OpenRouter key", r"(?<![\w-])(?P<secret>sk-or-v1-[0-9a-f]{32,})"),
        ("Groq key", r"(?<!\w)(?P<secret>gsk_[0-9A-Za-z]{40,})"),
        ("Hugging Face token", r"(?<!\w)(?P<secret>hf_[0-9A-Za-z]{30,})"),
        ("DigitalOcean token", r"(?<!\w)(?P<secret>do[opr]_v1_[0-9a-f]{60,})"),
        (
            "Webhook of Discord",
            r"(?P<secret>https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{15,}/[\w-]{50,})",
        ),
        ("Webhook of Slack", r"(?P<secret>https://hooks\.slack\.com/(?:services|workflows)/[\w/]{30,})"),
        (
            "Bearer token",
            r"(?i:authorization)\W{1,4}(?i:bearer|token)\s+(?P<secret>[0-9A-Za-z_.~+/-]{20,}=*)",
        ),
        (
            "Password in an address",
            r"[a-z][a-z0-9+.-]{1,20}://[^\s:/@'\"]{1,80}:(?P<secret>[^\s:/@'\"]{3,120})@[\w.-]+",
        ),
    )
)
_NAMED: Final = re.compile(
    r"(?i)[\w.-]{0,40}(?:passw(?:or)?d|passphrase|secret|token|api_?-?key|apikey|access_?-?key|private_?-?key|auth_?-?key|credential)[\w.-]{0,20}"
    r"[\"'\]]{0,2}\s{0,3}(?::=|=>|[:=])\s{0,3}[rbf]?[\"']?(?P<secret>[^\s\"',;)]{16,200})"
)
# A heading is a key where something of one follows, on lines of its own or behind a written line break.
_KEY_BODY: Final = re.compile(
    r"-----BEGIN[A-Z0-9 ]+-----(?:[\s\"'+>#*/,-]|\\[rn])*[A-Za-z0-9+/=]{4,}(?:(?:[\s\"'+>#*/,-]|\\[rn])+[A-Za-z0-9+/=]{16,})*"
)
_KEY_END: Final = re.compile(r"-----END [A-Z0-9 ]+-----")
_PARTS: Final = re.compile(r"[A-Za-z]{0,24}|[0-9]{1,4}|[A-Za-z]{0,12}[0-9]{1,2}[A-Za-z]{0,12}")
_PLACEHOLDER: Final = re.compile(
    r"(?i)example|placeholder|change_?-?me|your[_-]|dummy|redacted|fake|sample|insert|replace|x{5,}|\*{3,}|0{8,}|1234567|abcdef|"
    r"^[<$%{\[(]|\$\{|\{\{|%\(|<[\w-]+>|\.\.\.|…"
)
_TRIVIAL: Final = frozenset(
    [
        "password",
        "passwd",
        "pass",
        "postgres",
        "mysql",
        "root",
        "admin",
        "user",
        "guest",
        "test",
        "testing",
        "secret",
        "example",
        "changeme",
        "minio",
        "minioadmin",
        "rabbitmq",
        "redis",
        "app",
        "dev",
        "demo",
        "local",
        "foo",
        "bar",
        "hunter2",
        "pw",
        "pwd",
    ]
)
_PLAIN: Final = re.compile(
    r"[A-Za-z]+(?:[._-][A-Za-z]+)*|[0-9.]+|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-fA-F-]{36}|https?://.*|[/.~].*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """What has the form of a secret.

    Attributes:
        rule: The form.
        line: Counted from 1.
        start: Where it begins in the text, in characters.
        end: Where it ends.
    """

    rule: str
    line: int
    start: int
    end: int


def find_secrets(text: str) -> list[Secret]:
    """Give what in a text has the form of a secret, in order; what overlaps counts once."""
    found: list[Secret] = []
    at = 0
    for number, line in enumerate(text.split("\n"), start=1):
        for rule, start, end in _in_line(line[:_MAX_LINE]):
            last = _end_of_key(text, at + start) if rule == "Private key" else at + end
            if last and (not found or at + start >= found[-1].end):
                found.append(Secret(rule=rule, line=number, start=at + start, end=last))
        at += len(line) + 1
    return found


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """Give a text with each secret replaced by a mark that names its form; no line is added or lost."""
    parts: list[str] = []
    at = 0
    for secret in secrets:
        lost = text.count("\n", secret.start, secret.end)
        parts += [text[at : secret.start], f"[REDACTED: {secret.rule}]", "\n" * lost]
        at = secret.end
    return "".join([*parts, text[at:]])


def excerpt_of(text: str, secret: Secret) -> str:
    """Give the line of a secret without it."""
    begin = text.rfind("\n", 0, secret.start) + 1
    end = text.find("\n", secret.start)
    line = text[begin : end if end >= 0 else len(text)]
    inner = Secret(
        rule=secret.rule, line=1, start=secret.start - begin, end=min(secret.end - begin, len(line))
    )
    others = [one for one in find_secrets(line) if one.start < inner.start or one.start >= inner.end]
    return clip(clean_line(redact(line, sorted([inner, *others], key=lambda one: one.start))), 160)


def _in_line(line: str) -> list[tuple[str, int, int]]:
    found = [*_by_form(line), *_by_detector(line)]
    # What is known by its form is not told by the name beside it.
    found += [
        row for row in _by_name(line) if not any(row[1] < end and start < row[2] for _, start, end in found)
    ]
    return sorted(found, key=lambda row: (row[1], -row[2]))


def _by_form(line: str) -> Iterator[tuple[str, int, int]]:
    for rule, pattern in _FORMS:
        for match in pattern.finditer(line):
            group = "secret" if "secret" in pattern.groupindex else 0
            if rule == "Private key" or not _is_harmless(
                match[group], trivial=rule == "Password in an address"
            ):
                yield rule, match.start(group), match.end(group)


def _by_name(line: str) -> Iterator[tuple[str, int, int]]:
    for match in _NAMED.finditer(line):
        value = match["secret"].rstrip("`>]}")
        if _looks_random(value):
            yield "Value of a secret's name", match.start("secret"), match.start("secret") + len(value)


def _by_detector(line: str) -> Iterator[tuple[str, int, int]]:
    for detector in _detectors():
        for value in detector.analyze_string(line):
            start = line.find(value)
            if (
                value
                and start >= 0
                and not _is_harmless(_whole(line, start, start + len(value)), trivial=False)
            ):
                end = start + len(_whole(line, start, start + len(value)))
                yield str(detector.secret_type), start, end


def _whole(line: str, start: int, end: int) -> str:
    """Give a token whole: some detectors give the part that they know it by alone."""
    while end < len(line) and (line[end].isalnum() or line[end] in "_-./+="):
        end += 1
    return line[start:end]


def _is_harmless(value: str, *, trivial: bool) -> bool:
    """Whether a value stands for a secret and is none."""
    if _PLACEHOLDER.search(value) or (len(value) >= _MIN_RANDOM and _entropy(value) < 3):
        return True
    return trivial and (value.casefold() in _TRIVIAL or len(set(value)) < 4)


def _looks_random(value: str) -> bool:
    """Whether a value looks drawn: letters and digits mixed, no word, no hash, no path, no reference."""
    if len(value) < _MIN_RANDOM or _PLACEHOLDER.search(value) or _PLAIN.fullmatch(value):
        return False
    if not (re.search(r"[0-9]", value) and re.search(r"[A-Za-z]", value)) or re.search(
        r"[()<>{}\[\]]|::|\.\w+\(|\w\.\w+\.\w", value
    ):
        return False
    if all(_PARTS.fullmatch(part) for part in re.split(r"[_.:/-]", value)) and re.search(r"[_.:/-]", value):
        # A name of several words.
        return False
    return _entropy(value) >= 3.5


def _entropy(value: str) -> float:
    """Give Shannon's entropy in bits a character."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())


def _end_of_key(text: str, start: int) -> int:
    """Give where a private key ends: with its closing line, else where lines stop looking like one; 0 for a heading alone."""
    body = _KEY_BODY.match(text, start)
    if body is None:
        return 0
    closing = _KEY_END.search(text, start, start + 20_000)
    return closing.end() if closing else body.end()


@cache
def _detectors() -> list[Any]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    kinds: Any = get_mapping_from_secret_type_to_class().values()
    return [kind() for kind in kinds if kind.__name__ not in _LEFT_OUT]
