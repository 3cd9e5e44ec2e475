"""Whether a version that is said is one that is written: they are alike in many ways, and a range is none."""

from __future__ import annotations

import re
from typing import Final

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

__all__ = ["same_version", "went_as_said"]

_RANGE: Final = re.compile(r"([\^~])\s*(\d+(?:\.\d+)+)")


def same_version(said: str, written: str, exact: str | None) -> bool | None:
    """Whether a version is the one that is written.

    Args:
        said: The version.
        written: What stands there, as it is written.
        exact: The one version that it means, where it means one.

    Returns:
        None where it is a range or an address, or the two may be ways to write one.
    """
    if said.strip() == written.strip():
        return True
    if "," in said and (specifiers := _specifiers(said)) is not None:
        return specifiers == _specifiers(written) or None
    ranges = [_RANGE.fullmatch(text.strip()) for text in (said, written)]
    if ranges[0] and ranges[1]:
        same = ranges[0][1] == ranges[1][1]
        return False if same and not _alike(ranges[0][2], ranges[1][2]) else None
    plain = said.strip().removeprefix("v")
    if exact is None or _alike(plain, exact.removeprefix("v")):
        return plain == exact or None
    return False


def _alike(one: str, other: str) -> bool:
    """Whether one is the beginning of the other (`5`, `5.0`), or they differ in what is local, or in an epoch, alone."""
    if one.startswith(f"{other}.") or other.startswith(f"{one}.") or other.partition("+")[0] == one:
        return True
    try:
        return Version(one).release == Version(other).release
    except InvalidVersion:
        return True


def _specifiers(text: str) -> SpecifierSet | None:
    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        return None


def _lowest(text: str) -> str:
    """Give the version that a range begins at, or the one that stands there."""
    least = re.search(r">=\s*([\w.!+-]+)", text)
    return least[1] if least else text.lstrip("^~=v ")


def went_as_said(verb: str, old: str | None, new: str | None) -> bool:
    """Whether a version went up where it was raised, and down where it was lowered; not where that is not known."""
    try:
        before, after = (Version(_lowest(text or "")) for text in (old, new))
    except InvalidVersion:
        return False
    if verb.startswith("downgrade"):
        return after < before
    return after > before or (verb.startswith("update") and after != before)
