"""Where a symbol is defined, now and at the base: there, not there, or not sure."""

from __future__ import annotations

import builtins
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from claimjury.evidence.git import run_git
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import Proof, Silent, show
from claimjury.settlers.paths import known_file
from claimjury.settlers.search import GREP, last_of
from claimjury.settlers.sources import Source, hidden_by, parse_source
from claimjury.settlers.symbol_kinds import before_name, is_of_kind
from claimjury.settlers.syntax import Definition, language_of
from claimjury.text import clean_line

__all__ = ["Meant", "Place", "at_base", "now"]

_PROSE: Final = frozenset([".md", ".markdown", ".rst", ".adoc", ".txt", ".csv", ".log", ".lock"])
"""Endings of files that tell of names and define none."""
_MAX_CHANGED: Final = 200
"""Changed files that are read at the base for one name: git is asked for each."""
_MODIFIERS: Final = frozenset(
    ["export", "default", "async", "public", "private", "protected", "static", "pub", "final", "abstract"]
)


@dataclass(frozen=True, slots=True)
class Meant:
    """What a statement names."""

    name: str
    kind: str | None
    path: str | None

    @property
    def last(self) -> str:
        """The last name of a dotted one."""
        return last_of(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Whether a symbol is defined.

    Attributes:
        there: None where that is not sure.
        doubt: Why not.
        path: The file that defines it.
        nowhere: Not even its name stands in what was looked through.
        one: Its definition.
        source: The file, parsed.
        lines: The lines of the file.
        alone: Nothing else in the file has its last name.
        only: No other file may define it; one that takes it from elsewhere under its own name does not.
        taken: It is not sure for that alone.
    """

    there: bool | None
    proof: Proof
    doubt: str = ""
    path: str = ""
    nowhere: bool = False
    one: Definition | None = None
    source: Source | None = None
    lines: tuple[str, ...] = ()
    alone: bool = False
    only: bool = True
    taken: bool = False

    @property
    def shape(self) -> tuple[object, ...]:
        """What it is, and in what: its kind, its scope and the words that define it."""
        if self.one is None:
            return ()
        words = before_name(self.one, list(self.lines)).split()
        return (
            self.one.kind,
            self.one.scope,
            tuple(word for word in words if word.partition("(")[0] not in _MODIFIERS),
        )


def now(meant: Meant, evidence: Evidence) -> Place | Silent:
    """Give whether a symbol is defined in a file, or anywhere, as the files lie there."""
    if not meant.name.isascii():
        return _other_forms(meant)
    if meant.path is not None:
        return _in_file(meant, evidence, then=False)
    found = evidence.found(meant.last)
    place = _anywhere(meant, dict.fromkeys(hit.path for hit in found.hits), evidence.read, "now")
    if place.there is False and (found.binary or found.skipped or evidence.unseen()):
        return Silent(reason="Not every file could be searched for it.")
    return place


def at_base(meant: Meant, evidence: Evidence) -> Place | Silent:
    """Give the same for the base."""
    if not meant.name.isascii():
        return _other_forms(meant)
    if meant.path is not None:
        return _in_file(meant, evidence, then=True)
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    commit = change.base.commit
    reply = run_git(evidence.snapshot.top, "grep", *GREP, "-a", "-e", meant.last, commit, "--")
    if reply.status not in (0, 1):
        return Silent(reason="git could not search the base.", of_place=True)
    prefix = f"{commit}:"
    holding = [os.fsdecode(one).removeprefix(prefix) for one in reply.output.split(b"\0") if one]
    if len(change.paths.intersection(holding)) > _MAX_CHANGED:
        return Silent(reason=f"Over {_MAX_CHANGED} files that were changed held it at the base.")
    return _anywhere(meant, holding, evidence.read_before, f"at the base {change.short}")


def _other_forms(meant: Meant) -> Silent:
    return Silent(reason=f"{clean_line(meant.name)} is no ASCII, and may be written in more than one way.")


def _in_file(meant: Meant, evidence: Evidence, *, then: bool) -> Place | Silent:
    found = known_file(meant.path or "", evidence, then=True)
    if isinstance(found, Silent):
        return found
    if (silence := evidence.unseen([found.path])) is not None:
        return silence
    when, there, read = "now", found.path in evidence.files, evidence.read
    if then:
        change = evidence.change()
        if isinstance(change, Silent):
            return change
        when, there, read = f"at the base {change.short}", found.path in change.then, evidence.read_then
    if there:
        return _anywhere(meant, [found.path], read, when, of=found.path)
    words = f"{_capital(when)}, the file is not there."
    return Place(there=False, proof=Proof(kind="syntax", text=words, path=found.path), nowhere=True)


def _anywhere(
    meant: Meant,
    holding: Iterable[str],
    read: Callable[[str], bytes | None],
    when: str,
    *,
    of: str | None = None,
) -> Place:
    """Put together what the files that hold a name say of it; a second one that defines it ends the search."""
    there: Place | None = None
    unsure: Place | None = None
    nowhere = only = True
    for path in holding:
        place = _place(meant, path, read(path), when)
        nowhere = nowhere and place.nowhere
        if place.there is None:
            unsure = unsure or place
            only = only and place.taken
        elif place.there and there is not None:
            shown = f"{clean_line(there.path)}, {clean_line(path)}"
            return _unsure(f"{clean_line(meant.name)} is defined in several files ({shown}); name one.", of)
        elif place.there:
            there = place
    if there is not None:
        return replace(there, only=only)
    if unsure is not None:
        return unsure
    words = f"{_capital(when)}, {show(meant.name)} is not defined{' there' if of else ' in any file'}."
    return Place(there=False, proof=Proof(kind="syntax", text=words, path=of), nowhere=nowhere)


def _place(meant: Meant, path: str, data: bytes | None, when: str) -> Place:
    if data is not None and not _holds(meant.last, data):
        proof = Proof(kind="syntax", text="It does not stand there.", path=path)
        return Place(there=False, proof=proof, nowhere=True)
    if data is not None and PurePosixPath(path).suffix in _PROSE:
        proof = Proof(kind="syntax", text="It stands there, and defines nothing.", path=path)
        return Place(there=False, proof=proof)
    source = parse_source(path, data) if data is not None and language_of(path) else None
    if source is None or data is None:
        words = "and cannot be parsed whole, or is of no language that is."
        return _unsure(f"{clean_line(path)} may hold {clean_line(meant.name)} {words}", path)
    same = [one for one in source.outline.definitions if one.name == meant.last]
    if not same:
        return _not_defined(meant, source, when)
    return _defined(meant, source, same, data.decode("utf-8", "replace").split("\n"), when)


def _holds(name: str, data: bytes) -> bool:
    return re.search(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)", data) is not None


def _defined(meant: Meant, source: Source, same: list[Definition], lines: list[str], when: str) -> Place:
    path = source.path
    *scope, _ = meant.name.replace("::", ".").replace("#", ".").split(".")
    scoped = [one for one in same if not scope or one.scope[-len(scope) :] == tuple(scope)]
    fitting = [one for one in scoped if not one.overload and is_of_kind(one, meant.kind, source, lines)]
    plain = [one for one in fitting if not one.conditional]
    if not plain or not _is_one(fitting, same):
        words = "more than once, within a function, under a condition, or as something else."
        return _unsure(f"{clean_line(path)} defines {clean_line(meant.name)} {words}", path)
    one = plain[0]
    proof = Proof(
        kind="syntax",
        text=f"{_capital(when)}, the {one.kind} is defined there.",
        path=path,
        line=one.line,
        end_line=one.end_line,
    )
    return Place(
        there=True,
        proof=proof,
        path=path,
        one=one,
        source=source,
        lines=tuple(lines),
        alone=all((other.scope, other.kind) == (one.scope, one.kind) for other in same),
    )


def _is_one(fitting: list[Definition], same: list[Definition]) -> bool:
    """Whether definitions are of one thing, which stays what it is and which others see."""
    first = fitting[0]
    ours = {(one.scope, one.kind) for one in fitting}
    bound_twice = any(one.scope == first.scope and one.kind != first.kind for one in same)
    return len(ours) == 1 and not bound_twice and not any(one.local or one.rebound for one in fitting)


def _not_defined(meant: Meant, source: Source, when: str) -> Place:
    """A file that holds a name and does not define it may still give it to others, by hand or by what hides definitions."""
    path, last = source.path, meant.last
    outline = source.outline
    given = [part for one in outline.exports for part in (one.name, one.local)]
    imports = [one for one in outline.imports if last in (one.name, one.alias)]
    if imports or last in outline.bound or last in (*given, *(one.name for one in outline.constants)):
        words = "imports, binds or exports"
        place = _unsure(f"{clean_line(path)} {words} {clean_line(last)} in another way.", path)
        plainly = all(one.name == last and one.alias is None for one in imports)
        return replace(place, taken=bool(imports) and plainly and hidden_by(outline) is None)
    if hasattr(builtins, last):
        return _unsure(f"{clean_line(last)} is defined by Python itself.", path)
    if (hiding := hidden_by(outline)) is not None:
        return _unsure(f"{clean_line(path)} holds {clean_line(last)} and may define it by {hiding}.", path)
    text = f"{_capital(when)}, it is not defined there."
    return Place(there=False, proof=Proof(kind="syntax", text=text, path=path))


def _unsure(why: str, path: str | None) -> Place:
    return Place(there=None, proof=Proof(kind="syntax", text=why, path=path), doubt=why)


def _capital(when: str) -> str:
    return when[:1].upper() + when[1:]
