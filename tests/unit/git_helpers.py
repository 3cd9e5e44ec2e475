"""Real git repositories for tests, made without any setting of this machine's."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

__all__ = ["commit", "git", "repository"]

_WHO = ("user.name=A", "user.email=a@example.com", "init.defaultBranch=main", "commit.gpgSign=false")


def git(*arguments: str, at: Path | str = ".", check: bool = True) -> str:
    """Run git as a user would, and give what it prints."""
    settings = [part for setting in _WHO for part in ("-c", setting)]
    done = subprocess.run(
        ["git", *settings, *arguments],
        cwd=at,
        env={**os.environ, "GIT_CONFIG_NOSYSTEM": "1"},
        check=check,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def repository(at: Path | str = ".") -> None:
    """Make an empty repository."""
    Path(at).mkdir(parents=True, exist_ok=True)
    git("init", "--quiet", at=at)


def commit(files: dict[str, str | bytes], at: Path | str = ".") -> str:
    """Write these files, commit all that is there, and give the commit's id."""
    for name, data in files.items():
        path = Path(at) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    git("add", "--all", "--force", at=at)
    git("commit", "--quiet", "--allow-empty", "--message=x", at=at)
    return git("rev-parse", "HEAD", at=at)
