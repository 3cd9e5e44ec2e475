"""Repositories for settlers, built with the git program, and claims settled in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from claimjury.claims import Claim
from claimjury.settlers.checks.outcome import ChecksResult
from claimjury.settlers.outcome import Settlement
from claimjury.settlers.settle import settle
from unit.git_helpers import git

__all__ = ["build", "changed", "said", "verdict", "verdicts", "write"]


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())


def changed(folder: Path, before: dict[str, str | bytes], after: dict[str, str | bytes | None]) -> Path:
    """Make a repository whose branch `main` has some files, and whose branch `work` changes them; None deletes one."""
    folder.mkdir(parents=True, exist_ok=True)
    git("init", "--quiet", "--initial-branch=main", at=folder)
    write(folder, before)
    git("add", "--all", at=folder)
    git("commit", "--quiet", "--allow-empty", "-m", "before", at=folder)
    git("checkout", "--quiet", "-b", "work", at=folder)
    for name in [name for name, data in after.items() if data is None]:
        (folder / name).unlink()
    write(folder, {name: data for name, data in after.items() if data is not None})
    git("add", "--all", at=folder)
    git("commit", "--quiet", "--allow-empty", "-m", "after", at=folder)
    return folder


def build(case: dict[str, Any], folder: Path) -> str:
    """Build the repository of a planted case, and give its base."""
    folder.mkdir(parents=True, exist_ok=True)
    git("init", "--quiet", at=folder)
    write(folder, case["files"])
    git("add", "--all", at=folder)
    git("commit", "--quiet", "-m", "base", at=folder)
    base = git("rev-parse", "HEAD", at=folder)
    change = case["change"]
    for path in change["delete"]:
        (folder / path).unlink()
    for old, new in change["rename"]:
        (folder / new).parent.mkdir(parents=True, exist_ok=True)
        (folder / old).rename(folder / new)
    write(folder, change["write"])
    _store(case, folder)
    return base


def _store(case: dict[str, Any], folder: Path) -> None:
    change, untracked = case["change"], case["untracked"]
    loose = [path for path in untracked if not git("check-ignore", path, at=folder, check=False)]
    if case["commit_change"]:
        git("add", "--all", "--", ".", *(f":(exclude){path}" for path in loose), at=folder)
        git("commit", "--quiet", "--allow-empty", "-m", "change", at=folder)
        return
    fresh = [*change["write"], *(new for _, new in change["rename"])]
    staged = [path for path in fresh if path not in case["files"] and path not in untracked]
    if staged:
        git("add", "--", *staged, at=folder)


def said(
    folder: Path, statement: str, *, base: str | None = "main", checks: ChecksResult | None = None
) -> Settlement:
    """Settle one claim."""
    (row,) = settle([Claim(id="c", statement=statement)], folder, base=base, checks=checks).claims
    return row


def verdict(folder: Path, statement: str, *, base: str | None = "main") -> str | None:
    """Give the verdict on one claim; None for silence."""
    return said(folder, statement, base=base).verdict


def verdicts(folder: Path, statements: list[str], *, base: str | None = "main") -> dict[str, str | None]:
    """Give the verdicts on several claims, settled at once."""
    claims = [Claim(id=str(at), statement=text) for at, text in enumerate(statements)]
    return {row.statement: row.verdict for row in settle(claims, folder, base=base).claims}
