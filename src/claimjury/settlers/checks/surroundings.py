"""The environment of a check: no key, and nothing that would have it look at less than the project says.

A check runs the project's code, whose author may be the one that is judged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["MARK", "surroundings", "withheld"]

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
_OURS: Final = {"PYTHONDONTWRITEBYTECODE": "1"}
_PLAIN: Final = {"NO_COLOR": "1", "TERM": "dumb"}
"""For programs whose output is read. A project's tests may look at these."""
_OF_PLACE: Final = ("PWD", "OLDPWD")


def surroundings(environ: Mapping[str, str], *, mark: str, plain: bool = True) -> dict[str, str]:
    """Give the environment that a check runs in; `plain` asks programs for output without colours."""
    kept = {name: value for name, value in environ.items() if not _is_left_out(name, value)}
    return {**kept, **_OURS, **(_PLAIN if plain else {}), MARK: mark}


def withheld(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Give the names, and never the values, of what a check does not get: what it misses may be why it fails."""
    left_out = (name for name, value in environ.items() if _is_left_out(name, value))
    return tuple(sorted(name for name in left_out if name not in _OF_PLACE))


def _is_left_out(name: str, value: str) -> bool:
    return bool(_SECRET.search(name) or _STEERS.search(name) or _SECRET_VALUE.search(value))
