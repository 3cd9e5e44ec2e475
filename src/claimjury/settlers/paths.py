"""Which file or folder a statement means: exactly one, or none, or too many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import Silent
from claimjury.settlers.path_list import PathList
from claimjury.settlers.words import EXTENSIONS
from claimjury.text import clean_line

__all__ = [
    "Missing",
    "Path",
    "below_here",
    "known_file",
    "known_folder",
    "known_place",
    "resolve",
    "resolve_folder",
]

_SHOWN: Final = 3
_ALIKE: Final = {
    "readme": re.compile(r"readme", re.IGNORECASE),
    "changelog": re.compile(r"change|news|history|release|whats|\.d/", re.IGNORECASE),
}
"""Documents that are said by their bare names, and what others like them are called."""
_OTHER_THINGS: Final = re.compile(r"[:$%{}@~*?]|\.(?:com|org|io|dev|net)/")


@dataclass(frozen=True, slots=True)
class Path:
    """The one path that is meant, relative to the top."""

    path: str


@dataclass(frozen=True, slots=True)
class Missing:
    """No such path now or at the base.

    Attributes:
        path: As it was said.
        sure: It was said with its folder, so that no other can be meant.
    """

    path: str
    sure: bool


def resolve(text: str, evidence: Evidence, *, then: bool = False) -> Path | Missing | Silent:
    """Give the file that a text means, among the files as they lie there, and those of the base where `then`.

    The exact path is taken first, then the only one that ends with it.
    """
    said = _plain(text)
    if said is None:
        return Silent(reason=f"{clean_line(text)} is no path within the repository.")
    if text.rstrip().endswith("/"):
        return Silent(reason=f"{clean_line(text)} is said as a folder.")
    known = evidence.paths(then=then)
    return _chosen(_in_full(said, known, evidence), known, known, evidence)


def _in_full(said: str, known: PathList, evidence: Evidence) -> str:
    """Give the one file at the top that a document's bare name means: `README` for `README.md`; the text itself where others may be meant."""
    if said.casefold() not in _ALIKE or said in known:
        return said
    found = [
        path
        for path in known.names
        if "/" not in path and path.partition(".")[0].casefold() == said.casefold()
    ]
    change = evidence.change()
    touched = () if isinstance(change, Silent) else change.paths
    others = any(_ALIKE[said.casefold()].search(path) for path in touched if path not in found)
    return found[0] if len(found) == 1 and not others else said


def resolve_folder(text: str, evidence: Evidence, *, then: bool = False) -> Path | Missing | Silent:
    """Give the folder that a text means, likewise."""
    said = _plain(text)
    if said is None:
        return Silent(reason=f"{clean_line(text)} is no path within the repository.")
    files = evidence.paths(then=then)
    return _chosen(said, files.folders, files, evidence)


def known_file(text: str, evidence: Evidence, *, then: bool = False) -> Path | Silent:
    """Give the file that a text means, or silence where there is none."""
    found = resolve(text, evidence, then=then)
    return (
        Silent(reason=f"There is no file {clean_line(found.path)}.") if isinstance(found, Missing) else found
    )


def known_folder(text: str, evidence: Evidence, *, then: bool = False) -> Path | Silent:
    """Give the folder that a text means, or silence where there is none."""
    found = resolve_folder(text, evidence, then=then)
    return (
        Silent(reason=f"There is no folder {clean_line(found.path)}.")
        if isinstance(found, Missing)
        else found
    )


def known_place(text: str, evidence: Evidence) -> Path | Silent:
    """Give the file or the folder that a text means, or silence where there is neither."""
    file = resolve(text, evidence)
    return file if isinstance(file, Path) else known_folder(text, evidence)


def _chosen(said: str, known: PathList, files: PathList, evidence: Evidence) -> Path | Missing | Silent:
    here = below_here(said, evidence)
    exact = [path for path in dict.fromkeys((said, here)) if path in known]
    ends = known.ending(said)
    if len(exact) == 1:
        other = _changed_twin(ends, evidence) if "/" not in said else None
        return (
            Path(exact[0])
            if other is None
            else Silent(reason=f"{clean_line(other)} may be meant, as it changed; name one with its folders.")
        )
    if exact or len(ends) > 1:
        names = ", ".join(clean_line(path) for path in (exact or ends)[:_SHOWN])
        return Silent(
            reason=f"{clean_line(said)} may mean any of {len(exact or ends)} paths ({names}); name one with its folders."
        )
    if ends:
        return Path(ends[0])
    alike = known.alike(said)
    if alike is not None or not said.isascii():
        return Silent(
            reason=f"{clean_line(said)} may be written in another way: {clean_line(alike or 'é has two forms')}."
        )
    of_files = known is files
    return Missing(
        said,
        sure=_is_no_other_thing(said, of_files, files) and (not of_files or _ours(said, files, evidence)),
    )


def _changed_twin(others: Sequence[str], evidence: Evidence) -> str | None:
    """Give another file or folder of a bare name that the change touched."""
    change = evidence.change() if others else None
    if change is None or isinstance(change, Silent):
        return None
    return next((other for other in others if _touched(other, change.paths)), None)


def _touched(path: str, paths: frozenset[str]) -> bool:
    return path in paths or any(one.startswith(f"{path}/") for one in paths)


def _ours(said: str, files: PathList, evidence: Evidence) -> bool:
    """Whether a file would lie where it is said: in a folder that is known, or in one of which nothing that is ignored has the name."""
    if said.rpartition("/")[0] in files.folders:
        return True
    first = said.partition("/")[0]
    return "." not in first and not any(first in path.split("/") for path in evidence.ignored())


def _is_no_other_thing(said: str, of_files: bool, files: PathList) -> bool:
    """Whether what is said can only be a path: a branch, a package, a route and a module have slashes too."""
    folder, _, name = said.rpartition("/")
    if not folder or _OTHER_THINGS.search(said) or (not of_files and folder not in files.folders):
        return False
    if said in files or files.begins(f"{said}/") or files.begins(f"{said}."):
        return False
    return not of_files or (name.rpartition(".")[2].casefold() in EXTENSIONS and "." in name)


def below_here(said: str, evidence: Evidence) -> str:
    """Give what a text means from the folder that the run was asked for in."""
    try:
        here = evidence.directory.resolve().relative_to(evidence.snapshot.top).as_posix()
    except ValueError:
        return said
    return said if here == "." else f"{here}/{said}"


def _plain(text: str) -> str | None:
    said = text.strip().removeprefix("./").rstrip("/")
    if (
        not said
        or said.startswith(("/", "~"))
        or "\\" in said
        or "\0" in said
        or re.search(r"(?:\A|/)\.\.?(?:/|\Z)|//", said)
    ):
        return None
    return said
