"""Randomness: whether a value looks drawn, or is a word, a name, a hash, a path or what stands in for a secret."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Final

__all__ = ["entropy", "is_harmless", "is_hash_of_a_key", "is_trivial", "looks_random"]

_MIN_RANDOM: Final = 16
_PARTS: Final = re.compile(r"[A-Za-z]{0,24}|[0-9]{1,4}|[A-Za-z]{0,12}[0-9]{1,2}[A-Za-z]{0,12}")
_STANDS_IN: Final = re.compile(
    r"(?i)example|placeholder|change_?-?me|your[_-]|dummy|redacted|fake|sample|insert|replace|x{5,}|\*{3,}|0{8,}|1234567|abcdef|"
    r"\$\{|\{\{|%\(|<[\w-]+>|\.\.\.|…|eyJzdWIiOiIxMjM0NTY3ODkw"
)
# `$DB_PASSWORD` and `$password1` are variables; `$Xk29mQz` is a password that begins so.
_REFERENCE: Final = re.compile(
    r"[<{\[(]|\$[({]|\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+[A-Za-z_]*[0-9]?)$|%[A-Za-z_]\w*%$|%\(|%[sdr]$"
)
_HASHED: Final = re.compile(
    r"\$(?:2[aby]|argon2\w*|[156y]|scrypt|pbkdf2[\w-]*)\$|(?:pbkdf2|argon2|scrypt|bcrypt)_?\w*\$|SHA256:"
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
        "tiger",
        "scott",
        "letmein",
        "qwerty",
        "welcome",
        "mongo",
        "mongodb",
        "mariadb",
        "oracle",
        "elastic",
        "guest123",
        "admin123",
        "test123",
        "123456",
        "12345678",
        "token",
        "key",
        "p%40ss",
        "p@ss",
        "p4ss",
        "pa55",
        "passw0rd",
        "p4ssw0rd",
        "pa55word",
        "s3cret",
        "s3cr3t",
    ]
)
_TRIVIAL_FORM: Final = re.compile(
    r"(?i)(?:(?:my|your|the|some|db|user|admin|root|super|very|test|strong|proxy|secure)[_-]?){0,3}(?:pass(?:w(?:or)?d)?|secret|pwd|pw)[_-]?[0-9]{0,4}"
)
_PLAIN: Final = re.compile(
    r"[A-Za-z]+(?:[._-][A-Za-z]+)*|[0-9.]+|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-fA-F-]{36}|#[0-9a-fA-F]+|https?://.*|[/.~].*"
)
_HEX: Final = re.compile(r"[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{48}|[0-9a-f]{64}", re.IGNORECASE)
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def entropy(value: str) -> float:
    """Give Shannon's entropy in bits a character."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())


def is_harmless(value: str) -> bool:
    """Whether a value stands for a secret and is none."""
    return _is_stand_in(value) or (len(value) >= _MIN_RANDOM and entropy(value) < 3)


def is_trivial(value: str) -> bool:
    """Whether a password is one of those that examples and throw-away databases have."""
    folded = value.casefold()
    return folded in _TRIVIAL or len(set(value)) < 4 or _TRIVIAL_FORM.fullmatch(value) is not None


def looks_random(value: str, *, words: bool) -> bool:
    """Whether a value looks drawn: letters and digits mixed, no word, no hash, no path, no reference.

    Args:
        value: The value.
        words: Whether words and numbers run together (`Qwen2Tokenizer2024`) are a name, and no password.
    """
    if len(value) < _MIN_RANDOM or _is_stand_in(value) or _HASHED.match(value) or _PLAIN.fullmatch(value):
        return False
    if not (re.search(r"[0-9]", value) and re.search(r"[A-Za-z]", value)) or re.search(
        r"[()<>{}\[\]]|::|\.\w+\(|\w\.\w+\.\w", value
    ):
        return False
    if words and value.isalnum() and len(value) / len(_WORD.findall(value) or " ") >= 4:
        return False
    if all(_PARTS.fullmatch(part) for part in re.split(r"[_.:/-]", value)) and re.search(r"[_.:/-]", value):
        # A name of several words.
        return False
    return entropy(value) >= 3.5


def is_hash_of_a_key(value: str) -> bool:
    """Whether a value is of hexadecimal digits as keys of many vendors are, and hashes too: the name beside it tells."""
    return _HEX.fullmatch(value) is not None and not _is_stand_in(value) and entropy(value.casefold()) >= 3


def _is_stand_in(value: str) -> bool:
    return _STANDS_IN.search(value) is not None or _REFERENCE.match(value) is not None
