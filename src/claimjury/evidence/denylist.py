"""Names of files that hold secrets. They are not read unless the user says so by flag."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Final

from claimjury.errors import SourceDenied
from claimjury.text import clean_line

__all__ = ["denied_by", "refuse_secrets"]

_NAMES: Final = (
    ".env*",
    "*.env",
    "*.pem",
    "*.key",
    "id_*",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    "credentials",
    "credentials.json",
    "credentials.xml",
    "credentials.y*ml",
    "credentials.toml",
    "credentials.ini",
    "credentials.csv",
    "credentials.txt",
    ".credentials*",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "service-account*.json",
    "service_account*.json",
)
_DIRECTORIES: Final = (".git", ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker")


def denied_by(path: PurePath) -> str | None:
    """Give the pattern that denies `path`, or None. Case is folded: some file systems fold it too."""
    *parents, name = [part.casefold() for part in path.parts] or [""]
    for directory in _DIRECTORIES:
        if directory in parents or (directory == ".git" and name == ".git"):
            return f"{directory}/"
    return next((pattern for pattern in _NAMES if fnmatchcase(name, pattern)), None)


def refuse_secrets(given: Path, resolved: Path) -> None:
    """Refuse a source whose name, or whose target's name, says that it holds secrets.

    Raises:
        SourceDenied: The name is on the list.
    """
    pattern = denied_by(given) or denied_by(resolved)
    if pattern is not None:
        raise SourceDenied(
            f"The source {clean_line(str(given))} is denied: `{pattern}` names files that hold secrets.",
            hint="Send a copy without them; or allow it on purpose with --allow-secrets.",
        )
