"""A file or a directory exists, or not; was added, deleted, renamed, changed, or left as it was."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from claimjury.settlers.evidence import Change, Evidence
from claimjury.settlers.listing import LINK
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
)
from claimjury.settlers.paths import (
    Missing,
    Path,
    below_here,
    known_file,
    known_folder,
    resolve,
    resolve_folder,
)
from claimjury.settlers.renames import other_end, renamed
from claimjury.text import clean_line

__all__ = ["FILES"]

_GRAMMAR: Final = r"""
!gone: "gone"
_exist: _now? ("exists" | "exist") | _is "present"
_gone: ("does" | "do") "not" "exist" _not_any_more? | "no" longer "exists" | _is gone | _is "not" "present"
_repo_has: in_repo_has
in_repo_has: _the ("repository" | "repo" | "tree" | "project") ("contains" | "has")
_added: "added" | "created" | "introduced"
_adds: "adds" | "creates" | "introduces" | _added
_deleted: "deleted" | "removed"
_deletes: "deletes" | "removes" | _deleted
_changed: "changed" | "modified" | "edited" | "touched" | "updated"
_changes: "changes" | "modifies" | "edits" | "touches" | "updates" | _changed
_left: (_is | "are" | _be) ("unchanged" | "untouched" | "unmodified") | _be "not" _changed | _be "left" ("unchanged" | "untouched" | "alone")

file_exists: path _exist _in_repo? | _there_is "a"? path _in_repo? | _repo_has "a"? path
file_absent: path _gone _in_repo? | _there_is "no" path _in_repo? _not_any_more? | _there_is "no" longer "a"? path _in_repo?
file_added: (_agent _adds | _added) _new? _paths _here? | _new? _paths _be _added _in_repo? _here? | "new" "file" ":" path | path _is "new" _here? | path _is "a" "new" "file" _here?
file_deleted: (_agent _deletes | _deleted) _paths _here? | _paths _be _deleted _in_repo? _here?
file_renamed: old _be ("renamed" | "moved") "to" new _here? | _agent? ("renames" | "renamed" | "moves" | "moved") old "to" new _here?
file_changed: (_agent _changes | _changed) _paths _here? | _paths _be _changed _here?
file_unchanged: _paths _left _here? | _agent ("does" | "did") "not" ("change" | "modify" | "edit" | "touch") path | "no" "changes" (_be "made")? "to" path _here?
directory_exists: directory _exist _in_repo? | _there_is "a"? directory _in_repo? | _repo_has "a"? directory
directory_absent: directory _gone _in_repo? | _there_is "no" directory _in_repo?
directory_added: (_agent _adds | _added) _new? directory _here? | _new? directory _be _added _here?
directory_deleted: (_agent _deletes | _deleted) directory _here? | directory _be _deleted _here?
directory_unchanged: directory _left _here? | _agent ("does" | "did") "not" ("change" | "modify" | "touch") directory | "nothing" ("in" | "under" | "inside" | "below") place ("changed" | _be _changed) _here? | "no" ("file" | "files") ("in" | "under" | "inside" | "below") place _be _changed _here?
old: path
new: path
"""


def _presence(reading: Reading, evidence: Evidence, *, wanted: bool) -> Decision:
    found = resolve(reading.one("path"), evidence, then=True)
    if isinstance(found, Silent):
        return found
    path = found.path
    if isinstance(found, Missing) and not found.sure:
        # `console.log` and `Node.js` are no files, and a bare name may be that of one that git ignores.
        return Silent(
            reason=f"No file of the name {clean_line(path)} is in the tree or at the base; say it with its folder."
        )
    there = evidence.snapshot.lies(path)
    if (silence := evidence.unseen([path]) or _odd_place(path, reading, evidence)) is not None:
        return silence
    says = confirmed if there is wanted else refuted
    return says(Proof(kind="tree", text="It is there." if there else "No such file is there.", path=path))


def _odd_place(path: str, reading: Reading, evidence: Evidence) -> Silent | None:
    """Silence where what lies at a path, or does not, is not what is said to be there."""
    there = evidence.snapshot.lies(path)
    if evidence.snapshot.is_folder(path):
        return Silent(reason=f"{clean_line(path)} is a directory.")
    if not there and evidence.snapshot.lies(below_here(path, evidence)):
        return Silent(reason=f"{clean_line(path)} is there from the working directory, and not from the top.")
    if there and _speaks_of_git(reading) and not evidence.counts(path):
        return Silent(reason=f"{clean_line(path)} lies there, and git does not track it.")
    return None


def _speaks_of_git(reading: Reading) -> bool:
    """Whether what is "in the repository" is spoken of: a file that git ignores is none of it."""
    return any(reading.maybe(part) is not None for part in ("in_repo", "in_repo_has"))


def _added(reading: Reading, evidence: Evidence) -> Decision:
    return _each(reading, lambda path: _in_change(path, evidence, want_then=False, want_now=True))


def _deleted(reading: Reading, evidence: Evidence) -> Decision:
    return _each(reading, lambda path: _in_change(path, evidence, want_then=True, want_now=False))


def _each(reading: Reading, decide: Callable[[str], Decision]) -> Decision:
    return all_of([decide(path) for path in reading.all("path")])


def _in_change(text: str, evidence: Evidence, *, want_then: bool, want_now: bool) -> Decision:
    """Decide by whether the file was there at the base and is there now."""
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    found = resolve(text, evidence, then=True)
    if isinstance(found, Silent):
        return found
    if isinstance(found, Missing) and (not found.sure or evidence.snapshot.lies(found.path)):
        return Silent(
            reason=f"No file {clean_line(found.path)} is in the tree or at the base; it may mean something else."
        )
    return _at_both_ends(text, found.path, change, evidence, wanted=(want_then, want_now))


def _at_both_ends(
    text: str, path: str, change: Change, evidence: Evidence, *, wanted: tuple[bool, bool]
) -> Decision:
    then, now = path in change.then, path in change.now
    if (silence := evidence.unseen([path]) or _shared(text, path, change, evidence)) is not None:
        return silence
    if not now and evidence.snapshot.lies(path):
        return Silent(reason=f"{clean_line(path)} is there, and git does not list it.")
    proof = Proof(kind="change", text=f"At the base {change.short} {_was(then)}, now {_is(now)}.", path=path)
    if (then, now) != wanted:
        return refuted(proof)
    twin = other_end(path, change, evidence)
    if twin is not None:
        return Silent(
            reason=f"{clean_line(path)} is like {clean_line(twin)}, which came or went too: it may have been renamed."
        )
    return confirmed(proof)


def _shared(text: str, meant: str, change: Change, evidence: Evidence) -> Silent | None:
    """Silence where a bare name is that of several files, of which another one has another fate."""
    name = text.strip().removeprefix("./")
    if "/" in name:
        return None
    facts = (meant in change.then, meant in change.now)
    others = [path for path in evidence.paths(then=True).ending(name) if path != meant]
    other = next((path for path in others if (path in change.then, path in change.now) != facts), None)
    other = other or next((path for path in others if path in change.paths), None)
    return (
        None
        if other is None
        else Silent(reason=f"{clean_line(other)} may be meant too; name one with its folders.")
    )


def _was(there: bool) -> str:
    return "it was there" if there else "it was not there"


def _is(there: bool) -> str:
    return "it is there" if there else "it is not there"


def _changed(reading: Reading, evidence: Evidence) -> Decision:
    return _each(reading, lambda path: _difference(path, evidence, wanted=True))


def _unchanged(reading: Reading, evidence: Evidence) -> Decision:
    return _each(reading, lambda path: _difference(path, evidence, wanted=False))


def _difference(text: str, evidence: Evidence, *, wanted: bool) -> Decision:
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    found = known_file(text, evidence, then=True)
    if isinstance(found, Silent):
        return found
    path = found.path
    then, now = change.then.get(path), change.now.get(path)
    if (silence := evidence.unseen([path]) or _shared(text, path, change, evidence)) is not None:
        return silence
    if then is None or now is None:
        if wanted:
            return Silent(
                reason=f"{clean_line(path)} was {'added' if then is None else 'deleted'}, which may or may not be meant."
            )
        return refuted(
            Proof(
                kind="change",
                text=f"It was {'added' if then is None else 'deleted'} since {change.short}.",
                path=path,
            )
        )
    return _differs(path, change, evidence, wanted=wanted)


def _differs(path: str, change: Change, evidence: Evidence, *, wanted: bool) -> Decision:
    differs = path in change.paths
    then, now = change.then[path], change.now[path]
    if LINK in (then.mode, now.mode):
        return Silent(reason=f"{clean_line(path)} is a link, and what it leads to is another file.")
    if differs and evidence.only_looks_changed(path):
        return Silent(
            reason=f"Only the mode or the line ends of {clean_line(path)} changed; say whether that counts."
        )
    proof = Proof(
        kind="change", text=f"It {'differs' if differs else 'is the same'} since {change.short}.", path=path
    )
    return confirmed(proof) if differs is wanted else refuted(proof)


def _directory_presence(reading: Reading, evidence: Evidence, *, wanted: bool) -> Decision:
    found = resolve_folder(reading.one("directory"), evidence, then=True)
    if isinstance(found, Silent):
        return found
    tracked = any(path.startswith(f"{found.path}/") for path in evidence.files)
    there = tracked or evidence.snapshot.is_folder(found.path)
    if not there and evidence.snapshot.lies(found.path):
        return Silent(reason=f"{clean_line(found.path)} is a file.")
    if there and not tracked and _speaks_of_git(reading):
        return Silent(reason=f"{clean_line(found.path)} lies there, and git tracks nothing in it.")
    if not there and (doubt := _hidden_folder(found, evidence)) is not None:
        return doubt
    proof = Proof(
        kind="tree", text="It is there." if there else "No such directory is there.", path=found.path
    )
    return confirmed(proof) if there is wanted else refuted(proof)


def _hidden_folder(found: Path | Missing, evidence: Evidence) -> Silent | None:
    """Silence where a folder may be there though nothing in it is tracked: it is empty, ignored, or below another one."""
    if isinstance(found, Missing) and not found.sure:
        return Silent(
            reason=f"No folder {clean_line(found.path)} holds a tracked file; say it with the folder above."
        )
    if evidence.snapshot.lies(below_here(found.path, evidence)):
        return Silent(
            reason=f"{clean_line(found.path)} is there from the working directory, and not from the top."
        )
    return evidence.unseen([found.path])


def _directory_in_change(reading: Reading, evidence: Evidence, *, wanted: tuple[bool, bool]) -> Decision:
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    found = known_folder(reading.one("directory"), evidence, then=True)
    if isinstance(found, Silent):
        return found
    folder = f"{found.path}/"
    if (silence := evidence.unseen([found.path])) is not None:
        return silence
    then = any(path.startswith(folder) for path in change.then)
    now = any(path.startswith(folder) for path in change.now)
    if not now and evidence.snapshot.lies(found.path):
        return Silent(reason=f"{clean_line(found.path)} holds nothing that git would store, but it is there.")
    proof = Proof(
        kind="change", text=f"At the base {change.short} {_was(then)}, now {_is(now)}.", path=found.path
    )
    return confirmed(proof) if (then, now) == wanted else refuted(proof)


def _directory_unchanged(reading: Reading, evidence: Evidence) -> Decision:
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    text = reading.maybe("directory") or reading.one("path")
    found = known_folder(text, evidence, then=True)
    if isinstance(found, Silent):
        return found
    below = (path for path in change.paths if path.startswith(f"{found.path}/"))
    differing = sorted(
        path
        for path in below
        if evidence.blind_at([path]) is None
        and (path in change.then or change.now[path].tracked)
        and not evidence.only_looks_changed(path)
    )
    if differing:
        return refuted(Proof(kind="change", text=f"It differs since {change.short}.", path=differing[0]))
    if any(path.startswith(f"{found.path}/") for path in change.paths):
        return Silent(
            reason=f"Files below {clean_line(found.path)} differ that git does not track, or does not show."
        )
    if (silence := evidence.unseen([found.path])) is not None:
        return silence
    return confirmed(
        Proof(kind="change", text=f"Nothing below it differs since {change.short}.", path=found.path)
    )


FILES: Final = Settler(
    name="files",
    does="A file or a directory exists or not, or was added, deleted, renamed, changed or left as it was.",
    refuses="A bare name that several files have; `updated` of a file that is new; a rename that keeps less than half of the lines.",
    grammar=_GRAMMAR,
    forms={
        "file_exists": Form(decide=partial(_presence, wanted=True)),
        "file_absent": Form(decide=partial(_presence, wanted=False)),
        "file_added": Form(decide=_added),
        "file_deleted": Form(decide=_deleted),
        "file_renamed": Form(decide=renamed),
        "file_changed": Form(decide=_changed),
        "file_unchanged": Form(decide=_unchanged),
        "directory_exists": Form(decide=partial(_directory_presence, wanted=True)),
        "directory_absent": Form(decide=partial(_directory_presence, wanted=False)),
        "directory_added": Form(decide=partial(_directory_in_change, wanted=(False, True))),
        "directory_deleted": Form(decide=partial(_directory_in_change, wanted=(True, False))),
        "directory_unchanged": Form(decide=_directory_unchanged),
    },
)
