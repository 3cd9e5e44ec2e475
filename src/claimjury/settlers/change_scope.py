"""Only these paths were changed, nothing else was, or so many files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Final

from claimjury.settlers.evidence import Change, Evidence
from claimjury.settlers.file_kinds import KIND_FORMS, KIND_GRAMMAR
from claimjury.settlers.listing import LINK, Entry
from claimjury.settlers.outcome import (
    Decision,
    Form,
    Proof,
    Reading,
    Settler,
    Silent,
    all_of,
    confirmed,
    refuted,
    show,
)
from claimjury.settlers.path_list import PathList
from claimjury.settlers.paths import below_here, known_file, known_folder
from claimjury.settlers.renames import may_be_renamed
from claimjury.text import clean_line

__all__ = ["CHANGE_SCOPE"]

_FILE: Final = Entry(mode="100644", blob=None)
_OF_TESTS: Final = re.compile(r"(?:\A|/)(?:test_[^/]*|[^/]*(?:_test|[.-](?:test|spec)|Tests?))\.\w+\Z")
_GRAMMAR: Final = r"""
_touched: "changed" | "touched"
_touches: "touches" | "changes" | _touched
_than: "other" "than" | "besides" | "except" | "apart" "from" | "but"
_files: "file" | "files" | "path" | "paths"
_changed_files: _touched _files | _files _touched | _files _be _touched | _files _agent? _touches | "change" | "changes"

only_paths: "only" _the? _places (_be | "is" | "are")? _touched _here? | _places ("is" | "are") _the "only" _changed_files _here? | _agent "only" _touches _places | _agent _touches "only" _places | _agent ("is" | "are") ("limited" | "confined" | "restricted") "to" _places
    | _the "only" _changed_files _here? ("is" | "are") _places | "nothing" _than _places _be? _touched _here?
nothing_else: "no" ("file" | "files")? _than _places _be _touched _here? | "no" "other" _files "than" _places _be _touched _here? | "no" _files "outside" "of"? _places _be _touched _here?
    | "nothing" "outside" "of"? _places _be? _touched _here? | "all" _the? ("changes" | "changed" "files") "are" ("in" | "inside" | "within" | "under" | "below" | "limited" "to" | "confined" "to") _places
    | _agent ("does" | "did") "not" ("touch" | "change" | "modify") ("anything" | "any" "file" | "any" "files") ("outside" "of"? | _than) _places
files_changed: _agent _touches "exactly"? number _files | "exactly"? number _files (_be | "are")? _touched _here? | _the "diff" _touches number _files
files_added: _agent? ("adds" | "added" | "creates" | "created") "exactly"? number "new"? _files _here? | "exactly"? number "new"? _files _be ("added" | "created") _here?
files_added_in: _agent? ("adds" | "added" | "creates" | "created") "exactly"? number _new_files _added_place _here? | "exactly"? number _new_files _be ("added" | "created") _added_place _here?
_added_place: ("to" | _added_where) (directory | _the? PATH) | _added_where folder
_new_files: "new"? of_tests? "files"
!of_tests: "test"
_added_where: "in" | "under" | "inside" | "below"
files_deleted: _agent? ("deletes" | "deleted" | "removes" | "removed") "exactly"? number _files _here? | "exactly"? number _files _be ("deleted" | "removed") _here?
no_files_added: "no" "new"? _files _be ("added" | "created") _here? | _agent ("adds" | "added" | "creates" | "created") "no" "new"? _files
no_files_added_or_deleted: "no" _files _be _come_or_gone _here? | _agent ("adds" | "added") "or" ("deletes" | "deleted" | "removes" | "removed") "no" _files
_come_or_gone: ("added" | "created") "or" ("deleted" | "removed") | ("deleted" | "removed") "or" ("added" | "created")
no_files_deleted: "no" _files _be ("deleted" | "removed") _here? | _agent ("deletes" | "deleted" | "removes" | "removed") "no" _files
"""


def _within(reading: Reading, evidence: Evidence, *, each: bool) -> Decision:
    """Decide whether every change lies within some places, and, where `each`, whether each of them changed."""
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    groups: list[frozenset[str]] = []
    maybe: set[str] = set()
    for text in (*reading.all("path"), *reading.all("directory")):
        group = _meant(text, evidence)
        if isinstance(group, Silent):
            return group
        groups.append(group)
        maybe |= _below_twins(text, change, evidence)
    if not change.paths:
        return Silent(reason=f"Nothing differs since {change.short}.")
    if (against := _against(frozenset().union(*groups), maybe, change, evidence)) is not None:
        return against
    left = change.paths - change.deleted
    if each and (empty := next((group for group in groups if not group & left), None)) is not None:
        return _not_each(empty, change)
    shown = ", ".join(show(path) for path in sorted(change.paths)[:10]) or "nothing"
    words = f"Since {change.short}, {_paths(len(change.paths))}: {shown}."
    return confirmed(Proof(kind="change", text=words))


def _paths(count: int) -> str:
    return "1 path differs" if count == 1 else f"{count} paths differ"


def _against(allowed: frozenset[str], maybe: set[str], change: Change, evidence: Evidence) -> Decision | None:
    """Refute by a path that git stores, and be silent where what it does not store or show could stand against it."""
    outside = sorted(path for path in change.paths - allowed if evidence.blind_at([path]) is None)
    renamed = may_be_renamed(change, evidence) if change.paths & allowed else frozenset()
    real = [path for path in outside if not evidence.only_looks_changed(path) and path not in renamed | maybe]
    stored = [path for path in real if path in change.then or change.now[path].tracked]
    if stored:
        return refuted(*_outside(stored, change))
    if outside:
        why = "which git does not track, may be meant too, may have been renamed, or has only another mode or other line ends"
        return Silent(reason=f"Only {clean_line(outside[0])} stands against it, {why}.")
    return evidence.unseen()


def _not_each(group: frozenset[str], change: Change) -> Decision:
    how = "was deleted" if group & change.paths else "did not change either"
    return Silent(
        reason=f"Nothing outside changed, and {clean_line(min(group))} {how}; say `nothing else` if that is meant."
    )


def _outside(paths: Sequence[str], change: Change) -> tuple[Proof, ...]:
    more = f" It is one of {len(paths)}." if len(paths) > 1 else ""
    return tuple(
        Proof(kind="change", text=f"It differs since {change.short}, and was not named.{more}", path=path)
        for path in paths[:3]
    )


def _meant(text: str, evidence: Evidence) -> frozenset[str] | Silent:
    """Give every path of the change or the tree that a place takes in: a file, all files of a bare name, or all below a folder."""
    known = evidence.paths(then=True)
    folders = known.folders
    said = _from_here(text.strip().removeprefix("./").rstrip("/"), known, evidence)
    if isinstance(said, Silent):
        return said
    if said in known:
        if evidence.files.get(said, _FILE).mode == LINK:
            return Silent(reason=f"{clean_line(said)} is a link, and what it leads to is elsewhere.")
        # A bare name is any file of it.
        return frozenset([said, *(known.ending(said) if "/" not in said else ())])
    matching = [*([said] if said in folders else ()), *folders.ending(said)]
    if not matching:
        # A bare name is any file of it; a path outside still refutes.
        ending = known.ending(said)
        return frozenset(ending) if "/" not in said and ending else _resolved(text, evidence)
    return _below(said, matching, known)


def _below(said: str, matching: Sequence[str], known: PathList) -> frozenset[str] | Silent:
    """Give all files below the one folder that is meant."""
    if said not in matching and (len(matching) > 1 or known.ending(said)):
        return Silent(reason=f"{clean_line(said)} may mean any of {len(matching)} folders.")
    folder = said if said in matching else matching[0]
    return frozenset(path for path in known.names if path.startswith(f"{folder}/"))


def _below_twins(text: str, change: Change, evidence: Evidence) -> frozenset[str]:
    """Give the paths of the change below other folders of a bare name, which may be meant too."""
    said = text.strip().removeprefix("./").rstrip("/")
    twins = () if "/" in said else evidence.paths(then=True).folders.ending(said)
    return frozenset(path for path in change.paths if path.startswith(tuple(f"{twin}/" for twin in twins)))


def _from_here(said: str, known: PathList, evidence: Evidence) -> str | Silent:
    """Give what is said as a path from the top, where it is one from the working directory alone."""
    here = below_here(said, evidence)
    if here == said or not (here in known or here in known.folders):
        return said
    if said in known or said in known.folders:
        return Silent(reason=f"{clean_line(said)} is one thing from here and another from the top.")
    return here


def _resolved(text: str, evidence: Evidence) -> frozenset[str] | Silent:
    found = known_file(text, evidence, then=True)
    return found if isinstance(found, Silent) else frozenset([found.path])


def _files_changed(reading: Reading, evidence: Evidence) -> Decision:
    change = evidence.whole_change()
    if isinstance(change, Silent):
        return change
    wanted, most = int(reading.one("number")), len(change.paths)
    # A deleted file may be an added one under its new name, and then the two are counted as one, or as two.
    either = may_be_renamed(change, evidence)
    least = most - min(len(change.added & either), len(change.deleted & either))
    proof = Proof(
        kind="change",
        text=f"{_span(least, most)} files differ since {change.short}{_as_renames(least, most)}.",
    )
    if wanted == len(change.modified) != most:
        return Silent(
            reason=f"{proof.text} {wanted} of them were there before and are still, which may be meant."
        )
    if not least <= wanted <= most:
        return refuted(proof)
    return (
        confirmed(proof)
        if least == most
        else Silent(reason=f"{proof.text} Say how renamed files are counted.")
    )


def _span(least: int, most: int) -> str:
    return str(most) if least == most else f"{least} to {most}"


def _as_renames(least: int, most: int) -> str:
    return "" if least == most else ", as renamed files count once or twice"


def _files_added(reading: Reading, evidence: Evidence) -> Decision:
    return _count(int(reading.one("number")), evidence, added=True)


def _files_added_in(reading: Reading, evidence: Evidence) -> Decision:
    text = next(text for part in ("path", "directory", "folder") for text in reading.all(part))
    if isinstance(evidence.change(), Silent):
        return _count(0, evidence, added=True)
    folder = known_folder(text, evidence)
    if isinstance(folder, Silent):
        return folder
    below = f"{folder.path}/"
    return _count(
        int(reading.one("number")),
        evidence,
        added=True,
        below=below,
        tests=reading.maybe("of_tests") is not None,
    )


def _files_deleted(reading: Reading, evidence: Evidence) -> Decision:
    return _count(int(reading.one("number")), evidence, added=False)


def _no_files_added(_: Reading, evidence: Evidence) -> Decision:
    return _count(0, evidence, added=True)


def _no_files_deleted(_: Reading, evidence: Evidence) -> Decision:
    return _count(0, evidence, added=False)


def _count(wanted: int, evidence: Evidence, *, added: bool, below: str = "", tests: bool = False) -> Decision:
    change = evidence.whole_change()
    if isinstance(change, Silent):
        return change
    paths = sorted(path for path in (change.added if added else change.deleted) if path.startswith(below))
    if tests and (other := next((path for path in paths if not _OF_TESTS.search(path)), None)) is not None:
        return Silent(reason=f"{clean_line(other)} is new, and may or may not be a file of tests.")
    most, least = len(paths), len(set(paths) - may_be_renamed(change, evidence))
    word = "new" if added else "gone"
    shown = ", ".join(show(path) for path in paths[:5])
    proof = Proof(
        kind="change",
        text=f"{_span(least, most)} files are {word} since {change.short}{_as_renames(least, most)}: {shown or 'none'}.",
    )
    if not least <= wanted <= most:
        return refuted(proof)
    return (
        confirmed(proof)
        if least == most
        else Silent(reason=f"{proof.text} Say how renamed files are counted.")
    )


def _no_files_added_or_deleted(_: Reading, evidence: Evidence) -> Decision:
    return all_of([_count(0, evidence, added=True), _count(0, evidence, added=False)])


CHANGE_SCOPE: Final = Settler(
    name="scope",
    does="Only these paths were changed, nothing outside them was, or so many files were changed, added or deleted, or none or only those of a language.",
    refuses="What only changes at run time; folder words like `the tests`; lists with exceptions; counts that depend on how renames are counted.",
    grammar=_GRAMMAR + KIND_GRAMMAR,
    forms={
        "only_paths": Form(decide=partial(_within, each=True)),
        "nothing_else": Form(decide=partial(_within, each=False)),
        "files_changed": Form(decide=_files_changed),
        "files_added": Form(decide=_files_added),
        "files_added_in": Form(decide=_files_added_in),
        **KIND_FORMS,
        "files_deleted": Form(decide=_files_deleted),
        "no_files_added": Form(decide=_no_files_added),
        "no_files_added_or_deleted": Form(decide=_no_files_added_or_deleted),
        "no_files_deleted": Form(decide=_no_files_deleted),
    },
)
