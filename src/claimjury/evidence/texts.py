"""Texts that hold secrets: what a file's name would deny is not sent as a statement or a reference either.

The forms are those of the files on the list of names: private keys, netrc, credentials of clouds, dotenv.
"""

from __future__ import annotations

import re
from typing import Final

from claimjury.errors import SourceDenied

__all__ = ["refuse_secret_text"]

_FORMS: Final[dict[str, re.Pattern[str]]] = {
    "a private key": re.compile(r"^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----", re.MULTILINE),
    "a login of a netrc file": re.compile(r"^\s*machine\s+\S+\s+login\s+\S+\s+password\s+\S+", re.MULTILINE),
    "a credential of AWS": re.compile(
        r"^\s*aws_secret_access_key\s*=\s*\S{16,}", re.MULTILINE | re.IGNORECASE
    ),
    "a value of a dotenv file": re.compile(
        r"^\s*(?:export\s+)?[A-Z][A-Z0-9_]*(?:API_?KEY|SECRET|TOKEN|PASSWORD|PASSWD)[A-Z0-9_]*\s*=\s*['\"]?"
        r"(?=[^\s'\"]*[0-9])(?=[^\s'\"]*[A-Za-z])[A-Za-z0-9+/_.=-]{16,}['\"]?\s*$",
        re.MULTILINE,
    ),
}


def refuse_secret_text(text: str, what: str) -> None:
    """Refuse a text that is written as a file of secrets is.

    Args:
        text: What would be sent.
        what: Its name in the message.

    Raises:
        SourceDenied: With the line, and without what stands there.
    """
    for name, form in _FORMS.items():
        if found := form.search(text):
            line = text.count("\n", 0, found.start()) + 1
            raise SourceDenied(
                f"{what} holds {name} (line {line}), so nothing was sent.",
                hint="Take it out. The operator's own settings can allow secrets (allow_secrets).",
            )
