"""Where a symbol is defined, now and at the base: there, not there, or not sure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from claimjury.evidence.git import run_git
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import Proof, Silent, show
from claimjury.settlers.paths import Path, resolve
from claimjury.settlers.sources import Source, hidden_by, parse_source
from claimjury.settlers.syntax import Definition, language_of
from claimjury.text import clean_line

__all__ = ["Place", "at_base", "last_of", "now", "scoped"]

Read = Callable[[str], bytes | None]
_PROSE: Final = frozenset([".md", ".markdown", ".rst", ".adoc", ".txt", ".csv", ".log", ".lock"])
"""Endings of files that tell of names and define none."""
_SAME: Final = {
    "function": ("function", "macro"),
    "helper": ("function", "method"),
    "test": ("function", "method"),
    "method": ("method",),
    "class": ("class",),
    "constant": ("constant", "variable", "field"),
    "variable": ("constant", "variable", "field"),
    "interface": ("interface",),
    "struct": ("struct", "class"),
    "enum": ("enum", "class"),
    "trait": ("trait",),
    "type": ("type", "class", "interface", "struct", "enum"),
    "macro": ("macro",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Whether a symbol is defined.

    Attributes:
        there: None where that is not sure.
        doubt: Why not.
        path: The file that defines it.
        span: Its first and last line, the first one not counted.
        nowhere: Not even its name stands in what was looked through.
    """

    there: bool | None
    proof: Proof
    doubt: str = ""
    path: str = ""
    span: tuple[int, int] = field(default=(0, 0))
    nowhere: bool = False


def now(name: str, kind: str | None, path: str | None, evidence: Evidence) -> Place | Silent:
    """Give whether a symbol is defined in a file, or anywhere, as the files lie there."""
    if path is not None:
        return _in_file(name, kind, path, evidence, then=False)
    found = evidence.found(last_of(name))
    holding = list(dict.fromkeys(hit.path for hit in found.hits))
    if not holding and (found.binary or found.skipped or evidence.unseen()):
        return Silent(reason="Not every file could be searched for it.")
    return _anywhere(name, kind, holding, evidence.read, "now")


def at_base(name: str, kind: str | None, path: str | None, evidence: Evidence) -> Place | Silent:
    """Give the same for the base."""
    if path is not None:
        return _in_file(name, kind, path, evidence, then=True)
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    options = (
        "-l",
        "-z",
        "-a",
        "-F",
        "--full-name",
        "--no-textconv",
        "--no-recurse-submodules",
        "--no-color",
    )
    commit = change.base.commit
    reply = run_git(evidence.snapshot.top, "grep", *options, "-e", last_of(name), commit, "--")
    if reply.status not in (0, 1):
        return Silent(reason="git could not search the base.")
    prefix = f"{commit}:"
    holding = [os.fsdecode(one).removeprefix(prefix) for one in reply.output.split(b"\0") if one]
    return _anywhere(name, kind, holding, evidence.read_then, f"at the base {change.short}")


def _in_file(name: str, kind: str | None, path: str, evidence: Evidence, *, then: bool) -> Place | Silent:
    found = resolve(path, evidence, then=True)
    if not isinstance(found, Path):
        return (
            found
            if isinstance(found, Silent)
            else Silent(reason=f"There is no file {clean_line(found.path)}.")
        )
    if (silence := evidence.unseen([found.path])) is not None:
        return silence
    when, data = "now", evidence.read(found.path) if found.path in evidence.files else None
    if then:
        change = evidence.change()
        if isinstance(change, Silent):
            return change
        when, data = f"at the base {change.short}", evidence.read_then(found.path)
    if data is None:
        words = f"{_capital(when)}, the file is not there."
        return Place(there=False, proof=Proof(kind="syntax", text=words, path=found.path), nowhere=True)
    return _anywhere(name, kind, [found.path], lambda _: data, when, of=found.path)


def _anywhere(
    name: str, kind: str | None, holding: Iterable[str], read: Read, when: str, *, of: str | None = None
) -> Place:
    """Put together what the files that hold a name say of it."""
    paths = list(holding)
    places = [_place(name, kind, path, read(path), when) for path in paths]
    there = [place for place in places if place.there]
    if len(there) == 1:
        return there[0]
    if there:
        shown = ", ".join(clean_line(place.path) for place in there[:3])
        return _unsure(f"{clean_line(name)} is defined in {len(there)} files ({shown}); name one.", of)
    unsure = next((place for place in places if place.there is None), None)
    if unsure is not None:
        return unsure
    words = f"{_capital(when)}, {show(name)} is not defined{' there' if of else ' in any file'}."
    nowhere = all(place.nowhere for place in places)
    return Place(there=False, proof=Proof(kind="syntax", text=words, path=of), nowhere=nowhere)


def _place(name: str, kind: str | None, path: str, data: bytes | None, when: str) -> Place:
    if data is not None and last_of(name).encode() not in data:
        proof = Proof(kind="syntax", text="It does not stand there.", path=path)
        return Place(there=False, proof=proof, nowhere=True)
    if data is not None and PurePosixPath(path).suffix in _PROSE:
        proof = Proof(kind="syntax", text="It stands there, and defines nothing.", path=path)
        return Place(there=False, proof=proof)
    source = parse_source(path, data) if data is not None and language_of(path) else None
    if source is None:
        return _unsure(
            f"{clean_line(path)} holds {clean_line(name)} and cannot be parsed whole, or is of no language that is.",
            path,
        )
    found = scoped(source, name)
    fitting = [one for one in found if kind is None or one.kind in _SAME[kind]]
    plain = [one for one in fitting if not one.conditional]
    if (
        len({(one.scope, one.kind) for one in fitting}) > 1
        or (found and not fitting)
        or (fitting and not plain)
    ):
        return _unsure(
            f"{clean_line(path)} defines {clean_line(name)} more than once, under a condition, or as something else.",
            path,
        )
    if plain:
        one = plain[0]
        words = f"{_capital(when)}, the {one.kind} is defined there."
        proof = Proof(kind="syntax", text=words, path=path, line=one.line, end_line=one.end_line)
        return Place(there=True, proof=proof, path=path, span=(one.line, one.end_line))
    return _not_defined(name, source, when)


def _not_defined(name: str, source: Source, when: str) -> Place:
    """A file that holds a name and does not define it may still give it to others, by hand or by what hides definitions."""
    path, last = source.path, last_of(name)
    outline = source.outline
    if any(last in (one.name, one.local) for one in outline.exports) or any(
        one.name == last for one in outline.constants
    ):
        return _unsure(f"{clean_line(path)} binds or exports {clean_line(last)} in another way.", path)
    if (hiding := hidden_by(outline)) is not None:
        return _unsure(f"{clean_line(path)} holds {clean_line(last)} and may define it by {hiding}.", path)
    return Place(
        there=False, proof=Proof(kind="syntax", text=f"{_capital(when)}, it is not defined there.", path=path)
    )


def scoped(source: Source, name: str) -> list[Definition]:
    """Give the definitions that a name, dotted or not, may mean: a plain name means none that stands within a function."""
    *scope, last = name.replace("::", ".").replace("#", ".").split(".")
    found = [one for one in source.outline.definitions if one.name == last and not one.overload]
    return [one for one in found if not scope or one.scope[-len(scope) :] == tuple(scope)]


def _unsure(why: str, path: str | None) -> Place:
    return Place(there=None, proof=Proof(kind="syntax", text=why, path=path), doubt=why)


def _capital(when: str) -> str:
    return when[:1].upper() + when[1:]


def last_of(name: str) -> str:
    """Give the last name of a dotted one."""
    return name.replace("::", ".").replace("#", ".").rpartition(".")[2]
