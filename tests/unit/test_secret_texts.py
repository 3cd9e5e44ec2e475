"""Texts that hold secrets: what a file's name would deny, and what only speaks of such things."""

from __future__ import annotations

import pytest

from claimjury.errors import SourceDenied
from claimjury.evidence.texts import refuse_secret_text


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----\nMIIE",
        "log:\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----",
        "machine api.example login me password s3cret",
        "[default]\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "export OPENAI_API_KEY=sk-proj-0123456789abcdef",
        "DATABASE_PASSWORD='hunter2hunter2hunter2'",
        "GITHUB_TOKEN=ghp_0123456789abcdefghij",
    ],
)
def test_what_a_file_of_secrets_holds_is_refused_as_a_text(text: str) -> None:
    with pytest.raises(SourceDenied) as caught:
        refuse_secret_text(text, "The reference")
    assert "so nothing was sent" in caught.value.message
    assert all(word not in str(caught.value) for word in ("0123456789", "hunter2", "wJalr", "s3cret"))


@pytest.mark.parametrize(
    "text",
    [
        "The key is read from the environment variable `OLLAMA_API_KEY` and from nowhere else.",
        "OPENAI_API_KEY=...",
        "export OLLAMA_API_KEY=your-key-goes-here",
        'API_KEY = os.environ["API_KEY"]',
        "MAX_TOKEN=4096",
        "TOKEN_LIMIT = compute_the_limit_of_tokens()",
        "A file that begins with -----BEGIN PRIVATE KEY----- is refused.",
        "-----BEGIN PUBLIC KEY-----\nMIIB",
        "-----BEGIN CERTIFICATE-----",
        "the machine logs in with a password",
        "12 passed, 1 failed in 0.3s",
    ],
)
def test_what_only_speaks_of_secrets_is_sent(text: str) -> None:
    refuse_secret_text(text, "The reference")
