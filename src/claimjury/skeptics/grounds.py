"""Grounds: may a skeptic that says the claim holds be believed? It must have looked at what the claim is about. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from claimjury.jury.named_files import named_files, names_unsent_file
from claimjury.skeptics.tally import Finding
from claimjury.skeptics.tools.replies import Looked

__all__ = ["after_reading", "claims_absence"]

_ABSENCE: Final = re.compile(
    r"\b(?:no(?:thing|where|body| one)?\s+(?:other|else)|nowhere|nothing|never|nobody|no one|none of|no longer|"
    r"(?:not|n't)\s+(?:\w+\s+){0,4}(?:any(?:where|thing|body|one)?|ever)|"
    r"no\s+(?:\w+\s+){0,2}(?:caller|callers|use|uses|usage|usages|reference|references|test|tests|import|imports|"
    r"file|files|occurrence|occurrences|place|places|code|match|matches)|"
    r"only\s+(?:\w+\s+){0,3}(?:caller|callers|use|uses|place|places|file|files|one)|"
    r"unused|without any|(?:is|are)\s+absent|does(?:n't| not) exist)\b",
    re.IGNORECASE,
)
_SEARCHES: Final = ("grep", "glob")


def claims_absence(statement: str) -> bool:
    """Whether a statement says that something is not there, which only a search can bear out."""
    return _ABSENCE.search(statement) is not None


def after_reading(
    finding: Finding, claim: str, looked: Sequence[Looked], given: Sequence[str], *, tools: bool
) -> Finding:
    """Give what a finding counts as, once it is known what the skeptic read.

    Args:
        finding: What it said.
        claim: The claim.
        looked: What its tools read.
        given: Files that it got without asking.
        tools: Whether it had tools.
    """
    if finding.refutes:
        return finding
    read = [*given, *(row.path for row in looked if row.path is not None)]
    if not read and not any(row.tool in _SEARCHES or row.tool.startswith("git") for row in looked):
        return _unread("it read nothing", finding)
    shown = [*given, *(row.path for row in looked if row.path is not None and row.start is not None)]
    shown += [name for row in looked for name in row.files]
    if named_files(claim) and not _met(claim, shown):
        return _unread("it read nothing of the files that the claim names", finding)
    if tools and claims_absence(claim) and not any(row.tool in _SEARCHES for row in looked):
        return _unread("the claim says that something is absent, and it did not search", finding)
    return finding


def _met(claim: str, shown: Sequence[str]) -> bool:
    """Whether at least one of the named files was shown."""
    return any(not names_unsent_file(name, shown) for name in named_files(claim))


def _unread(why: str, finding: Finding) -> Finding:
    return Finding(
        refuted=True, grounds="default", reason=f"{why}, so its word is not taken: {finding.reason}"
    )
