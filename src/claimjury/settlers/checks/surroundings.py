"""The environment of a check: no key, and nothing that would have it look at less than the project says.

A check runs the project's code, whose author may be the one that is judged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["MARK", "surroundings"]

MARK: Final = "CLAIMJURY_CHECK"
"""Carries a check's own mark into all that it starts."""
_SECRET: Final = re.compile(
    r"TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY"
    r"|(?:^|_)(?:KEY|PAT|AUTH|DSN|COOKIE)$"
    r"|^(?:AWS|AZURE|ARM|GCP|GCLOUD|GOOGLE|OLLAMA|OPENAI|ANTHROPIC|CLAIMJURY|GH|GIT|VAULT|SSH|GPG)_",
    re.IGNORECASE,
)
# `scheme://user:password@host`, whatever the name.
_SECRET_VALUE: Final = re.compile(r"://[^/\s:@]*:[^/\s@]+@")
_STEERS: Final = re.compile(
    r"^(?:(?:PYTEST|RUFF|MYPY|PYRIGHT)_.*|PY_COLORS|GOFLAGS|NODE_OPTIONS|ESLINT_FLAGS|CARGO_TARGET_DIR|RUSTFLAGS|PYTHONOPTIMIZE"
    r"|PYTHONSTARTUP|MYPYPATH|PWD|OLDPWD|FORCE_COLOR|CLICOLOR_FORCE)$"
)
_OURS: Final = {"PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1", "TERM": "dumb"}


def surroundings(environ: Mapping[str, str], *, mark: str) -> dict[str, str]:
    """Give the environment that a check runs in."""
    kept = {name: value for name, value in environ.items() if not _is_left_out(name, value)}
    return {**kept, **_OURS, MARK: mark}


def _is_left_out(name: str, value: str) -> bool:
    return bool(_SECRET.search(name) or _STEERS.search(name) or _SECRET_VALUE.search(value))
