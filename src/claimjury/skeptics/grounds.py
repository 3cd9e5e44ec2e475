"""Grounds: may a skeptic that says the claim holds be believed? It must have looked at what the claim is about. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from claimjury.jury.named_files import named_files
from claimjury.skeptics.tally import Finding
from claimjury.skeptics.tools.replies import Looked

__all__ = ["after_reading", "claims_absence"]

# Wide on purpose: whoever is taken for one needs a search, which costs a call; whoever is missed needs none.
_ABSENCE: Final = re.compile(
    r"\b(?:no(?:thing|where|body)?|none|never|zero|sole(?:ly)?|only|unused|without|absent|lacks?|missing|nowhere|"
    r"cannot|not)\b|n't\b",
    re.IGNORECASE,
)
_NEGATED_VALUE: Final = re.compile(r"\b(?:not none|returns? none|none for)\b", re.IGNORECASE)


def claims_absence(statement: str) -> bool:
    """Whether a statement says that something is not there, which only a search can bear out."""
    plain = _NEGATED_VALUE.sub(" ", statement.replace("\u2019", "'"))
    return _ABSENCE.search(plain) is not None


def after_reading(finding: Finding, claim: str, looked: Sequence[Looked], given: Sequence[str]) -> Finding:
    """Give what a finding counts as, once it is known what the skeptic read.

    Args:
        finding: What it said.
        claim: The claim.
        looked: What its tools read.
        given: Files that it got without asking.
    """
    if finding.refutes:
        return finding
    shown = [*given, *(row.path for row in looked if row.path is not None and row.start is not None)]
    shown += [name for row in looked for name in row.files]
    searched = any(_searches(row, claim) for row in looked)
    absence = claims_absence(claim)
    if not shown and not (absence and searched):
        return _unread("it read nothing", finding)
    if named_files(claim) and not _met(claim, shown) and not (absence and searched):
        return _unread("it read nothing of the files that the claim names", finding)
    if absence and not searched:
        return _unread("the claim says that something is absent, and it did not search", finding)
    return finding


def _searches(row: Looked, claim: str) -> bool:
    """Whether a call looked through more than one file, or through one that the claim is about."""
    if row.tool == "glob":
        return re.search(r"\bfiles?\b", claim, re.IGNORECASE) is not None
    if row.tool != "grep":
        return False
    one_file = row.path is not None and "." in PurePosixPath(row.path).name
    return not one_file or _met(claim, [row.path or ""])


def _met(claim: str, shown: Sequence[str]) -> bool:
    """Whether at least one of the named files was shown: `app.py` is met by `src/app.py`, and not the other way round."""
    paths = [PurePosixPath(path.casefold()).parts for path in shown]
    names = [PurePosixPath(name.casefold()).parts for name in named_files(claim)]
    return any(path[-len(name) :] == name for name in names for path in paths)


def _unread(why: str, finding: Finding) -> Finding:
    return Finding(
        refuted=True, grounds="default", reason=f"{why}, so its word is not taken: {finding.reason}"
    )
