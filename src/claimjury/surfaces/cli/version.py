"""`--version`: the versions of what matters."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Final

__all__ = ["version_line"]

_MATTER: Final = ("pydantic-ai-slim", "httpx2", "pydantic", "typer")


def version_line() -> str:
    """Give one line: our version, Python's, and those of the libraries that a result depends on."""
    rest = ", ".join(f"{name} {version(name)}" for name in _MATTER)
    return f"claimjury {version('claimjury')} (Python {platform.python_version()}, {rest})"
