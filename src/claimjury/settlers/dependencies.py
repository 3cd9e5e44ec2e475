"""A dependency is declared, was added, removed or bumped; or none was; or the project's version is so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from packaging.version import InvalidVersion, Version

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.manifests import (
    BUILD,
    Dependency,
    Manifest,
    is_lock,
    is_manifest,
    is_unread_manifest,
    normal_name,
    read_manifest,
    says_versions,
)
from claimjury.settlers.outcome import (
    Decision,
    Form,
    Proof,
    Reading,
    Settler,
    Silent,
    confirmed,
    refuted,
    show,
)
from claimjury.settlers.paths import Path, resolve
from claimjury.text import clean_line

__all__ = ["DEPENDENCIES"]

_GRAMMAR: Final = r"""
!dependency: WORD | NAME | TEXT | PATH
_dep_noun: "new"? "dependency"
_dep: _the? _dep_noun dependency | _the? dependency _dep_noun | dependency
_dep_named: _the? _dep_noun dependency | _the? dependency _dep_noun
_as: "as" "a" "new"? "dependency"
_in_manifest: ("in" | "to" | "from" | "of") path
from_version: VERSION | INT | TEXT
to_version: VERSION | INT | TEXT
version: VERSION
_bumped: "bumped" | "upgraded" | "updated" | "downgraded"
_bumps: "bumps" | "upgrades" | "updates" | "downgrades" | _bumped

dependency_declared: _dep _is ("a" | "an") _dep_noun _in_manifest? | path ("depends" "on" | "requires" | "lists" | "declares") dependency | _the ("project" | "package") "depends" "on" dependency
dependency_added: _agent? ("adds" | "added") (("a" | "the")? "new"? "dependency" "on" dependency | _dep_named | dependency _as) _in_manifest? _here? | _dep_named _be "added" _in_manifest? _here? | dependency _be "added" (_as _in_manifest? | _as_dependency_of) _here?
_as_dependency_of: "to" "the" "dependencies" ("in" | "of") path | "to" "the" "dependencies"
dependency_removed: _agent? ("removes" | "removed" | "drops" | "dropped") (_the "dependency" "on" dependency | _dep_named) _in_manifest? _here? | _dep_named _be ("removed" | "dropped") _in_manifest? _here? | dependency _be ("removed" | "dropped") "from" "the" "dependencies" (("in" | "of") path)? _here? | dependency _is "no" "longer" "a" "dependency" _in_manifest?
dependency_bumped: (_agent _bumps | _bumped) _dep_plain ("from" from_version)? "to" to_version _in_manifest? _here? | _dep_plain _be _bumped ("from" from_version)? "to" to_version _in_manifest? _here?
_dep_plain: _the? _dep_noun? dependency | _the? dependency "dependency"
no_dependency_added: "no" "new"? ("dependency" | "dependencies") (_be ("added" | "introduced"))? _here? | _agent? ("adds" | "added" | "introduces") "no" "new"? ("dependency" | "dependencies")
dependency_pinned: path ("requires" | "pins" | "uses") dependency ("version" | "at" | "to")? version
project_version: _the? ("package" | "project")? "version" _in_version? _is version | path ("has" | "declares") _the? "version" version | path "sets" _the? "version" "to" version
_in_version: ("in" | "of") path
version_bumped: (_agent _bumps | _bumped) _the? ("package" | "project")? "version" _in_version? ("from" from_version)? "to" to_version _in_version? _here? | _the? ("package" | "project")? "version" _in_version? _be _bumped ("from" from_version)? "to" to_version _in_version? _here?
"""
_Read = Mapping[str, Manifest]


def _manifests(reading: Reading, evidence: Evidence, *, then: bool) -> _Read | Silent:
    """Give the manifests that are meant, as they lie there or at the base: the one that is named, or all."""
    paths = evidence.files
    if then:
        change = evidence.change()
        if isinstance(change, Silent):
            return change
        paths = change.then
    wanted = sorted(path for path in paths if is_manifest(path))
    if (text := reading.maybe("path")) is not None:
        found = resolve(text, evidence, then=True)
        if not isinstance(found, Path):
            return (
                found
                if isinstance(found, Silent)
                else Silent(reason=f"There is no file {clean_line(found.path)}.")
            )
        if not is_manifest(found.path):
            return Silent(reason=f"{clean_line(found.path)} is no manifest that is read here.")
        wanted = [path for path in wanted if path == found.path]
    read = {
        path: read_manifest(path, (evidence.read_then(path) if then else evidence.read(path)) or b"")
        for path in wanted
    }
    broken = next((path for path, manifest in read.items() if manifest is None), None)
    if broken is not None:
        return Silent(reason=f"{clean_line(broken)} cannot be read.")
    return {path: manifest for path, manifest in read.items() if manifest is not None}


def _entries(name: str, read: _Read) -> list[tuple[str, Dependency]]:
    return [
        (path, one)
        for path, manifest in read.items()
        for one in manifest.dependencies
        if one.name == normal_name(name, path)
    ]


def _partial(read: _Read) -> Silent | None:
    path = next((path for path, manifest in read.items() if not manifest.whole), None)
    return None if path is None else Silent(reason=f"{clean_line(path)} leads to what is not read here.")


def _declared(reading: Reading, evidence: Evidence) -> Decision:
    read = _manifests(reading, evidence, then=False)
    if isinstance(read, Silent):
        return read
    name = reading.one("dependency")
    found = _entries(name, read)
    if found and all(one.section == BUILD for _, one in found):
        return Silent(reason=f"{clean_line(name)} is what the build requires.")
    if found:
        return confirmed(*(_entry_proof(path, one) for path, one in found[:3]))
    return _nowhere_declared(reading, read)


def _nowhere_declared(reading: Reading, read: _Read) -> Decision:
    if (silence := _partial(read) or _absence_doubt(reading)) is not None:
        return silence
    (path,) = read
    words = f"{show(reading.one('dependency'))} is not declared there."
    return refuted(Proof(kind="manifest", text=words, path=path))


def _absence_doubt(reading: Reading) -> Silent | None:
    """Silence where it is not sure that a dependency is declared nowhere: a manifest must be named, and the name be one for sure."""
    name = reading.one("dependency")
    if reading.maybe("path") is None:
        return Silent(
            reason=f"No manifest that is read here declares {clean_line(name)}; name the one meant."
        )
    if name not in reading.quoted and not re.search(r"[-_./@\d]", name):
        return Silent(reason=f"{clean_line(name)} may be no name of a dependency; quote it if it is one.")
    return None


def _entry_proof(path: str, one: Dependency) -> Proof:
    wanted = f" as {show(one.wanted)}" if one.wanted else ""
    return Proof(
        kind="manifest", text=f"{show(one.name)} stands there under {show(one.section)}{wanted}.", path=path
    )


def _added(reading: Reading, evidence: Evidence) -> Decision:
    return _in_change(reading, evidence, wanted=(False, True))


def _removed(reading: Reading, evidence: Evidence) -> Decision:
    return _in_change(reading, evidence, wanted=(True, False))


def _both(reading: Reading, evidence: Evidence) -> tuple[_Read, _Read] | Silent:
    then = _manifests(reading, evidence, then=True)
    if isinstance(then, Silent):
        return then
    now = _manifests(reading, evidence, then=False)
    if isinstance(now, Silent):
        return now
    unread = None if reading.maybe("path") else _unread(evidence)
    return _partial(then) or _partial(now) or unread or evidence.unseen([*then, *now]) or (then, now)


def _unread(evidence: Evidence) -> Silent | None:
    """Silence where there is, or was, a manifest of a kind that is not read here."""
    change = evidence.known_change
    paths = evidence.files.keys() | (change.then.keys() if change else set())
    one = next((path for path in sorted(paths) if is_unread_manifest(path)), None)
    return None if one is None else Silent(reason=f"{clean_line(one)} may declare dependencies too.")


def _in_change(reading: Reading, evidence: Evidence, *, wanted: tuple[bool, bool]) -> Decision:
    both = _both(reading, evidence)
    if isinstance(both, Silent):
        return both
    name = reading.one("dependency")
    then, now = (_entries(name, read) for read in both)
    if not then and not now and name.casefold() in ("version", "it", "everything", "this", "that"):
        return Silent(reason=f"{clean_line(name)} is no name of a dependency.")
    facts = (bool(then), bool(now))
    if then and now and _places(then) != _places(now):
        return Silent(reason=f"{clean_line(name)} stands in other sections or manifests than at the base.")
    if any(one.section == BUILD for _, one in (*then, *now)):
        return Silent(reason=f"{clean_line(name)} is what the build requires.")
    path = next((path for path, _ in now or then), None)
    proof = Proof(kind="manifest", text=f"At the base {_stands(then)}; now {_stands(now)}.", path=path)
    if facts == wanted:
        return confirmed(proof)
    return refuted(proof) if all(facts) else _absence_doubt(reading) or refuted(proof)


def _places(entries: list[tuple[str, Dependency]]) -> set[tuple[str, str]]:
    return {(path, one.section) for path, one in entries}


def _stands(entries: list[tuple[str, Dependency]]) -> str:
    if not entries:
        return "it is declared nowhere"
    return "it is declared in " + ", ".join(
        f"{show(path)} ({show(one.section)})" for path, one in entries[:3]
    )


def _none_added(reading: Reading, evidence: Evidence) -> Decision:
    both = _both(reading, evidence)
    if isinstance(both, Silent):
        return both
    then, now = (
        {one.name for manifest in read.values() for one in manifest.dependencies if one.section != BUILD}
        for read in both
    )
    new = sorted(now - then)
    if new:
        path = next(
            path
            for path, manifest in both[1].items()
            if any(one.name == new[0] for one in manifest.dependencies)
        )
        return refuted(Proof(kind="manifest", text=f"{show(new[0])} is new there.", path=path))
    if (silence := evidence.unseen()) is not None:
        return silence
    if not both[1]:
        return Silent(reason="No manifest that is read here was found.")
    shown = ", ".join(show(path) for path in both[1])
    return confirmed(
        Proof(
            kind="manifest",
            text=f"No name is new in {shown}. Lock files and vendored copies were not looked at.",
        )
    )


def _bumped(reading: Reading, evidence: Evidence) -> Decision:
    both = _both(reading, evidence)
    if isinstance(both, Silent):
        return both
    name = reading.one("dependency")
    if name == "version":
        return Silent(reason="It says the version of what is not named.")
    then, now = (_entries(name, read) for read in both)
    if not then or not now:
        return Silent(reason=f"{clean_line(name)} is not in a manifest both at the base and now.")
    old, new = {one.wanted for _, one in then}, {one.wanted for _, one in now}
    proof = Proof(kind="manifest", text=f"It went from {_listed(old)} to {_listed(new)}.", path=now[0][0])
    return _went(reading, evidence, old, new, proof)


def _listed(versions: set[str]) -> str:
    return ", ".join(show(one) or "no version" for one in sorted(versions))


def _went(reading: Reading, evidence: Evidence, old: set[str], new: set[str], proof: Proof) -> Decision:
    """Decide by exact versions; a range holds a version, and is none."""
    if len(old) > 1 or len(new) > 1:
        return Silent(reason=f"{proof.text} It stands at more than one place.")
    said_old, said_new = reading.maybe("from_version"), reading.one("to_version")
    results = [_same_version(said_new, next(iter(new)))]
    if said_old is not None:
        results.append(_same_version(said_old, next(iter(old))))
    if old == new and (lock := _lock_changed(evidence)) is not None:
        return Silent(reason=f"{proof.text} {clean_line(lock)} is changed, and is not read here.")
    if False in results or (old == new):
        return refuted(proof)
    return confirmed(proof) if None not in results else Silent(reason=f"{proof.text} A range is no version.")


def _lock_changed(evidence: Evidence) -> str | None:
    change = evidence.known_change
    return next((path for path in sorted(change.paths) if is_lock(path)), None) if change else None


def _same_version(said: str, written: str) -> bool | None:
    """Whether a version is the one that is written; None where a range is."""
    if said.strip() == written.strip():
        return True
    plain = written.strip().removeprefix("==").removeprefix("=").removeprefix("v").strip()
    said = said.removeprefix("v")
    if plain == said:
        return True
    if _alike_versions(said, plain):
        return None
    bare = plain.lstrip("^~><=! ")
    # "Bumped to 5" of `^5` is how people say it, and it is not what stands there.
    return None if bare == said or (bare != plain and bare.split(",")[0].strip() == said) else False


def _alike_versions(one: str, other: str) -> bool:
    """Whether two versions are written in two ways, or one is the beginning of the other: `5`, `5.0`, `5.0.0`."""
    if one.startswith(f"{other}.") or other.startswith(f"{one}."):
        return True
    try:
        return Version(one) == Version(other)
    except InvalidVersion:
        return False


def _pinned(reading: Reading, evidence: Evidence) -> Decision:
    read = _manifests(reading, evidence, then=False)
    if isinstance(read, Silent):
        return read
    name = reading.one("dependency")
    found = _entries(name, read)
    if not found:
        return _nowhere_declared(reading, read)
    same = [_same_version(reading.one("version"), one.wanted) for _, one in found]
    if len(set(same)) > 1 or None in same:
        return Silent(reason=f"{clean_line(name)} stands at more than one place, or as a range.")
    proof = _entry_proof(*found[0])
    return confirmed(proof) if same[0] else refuted(proof)


def _version(reading: Reading, evidence: Evidence) -> Decision:
    read = _manifests(reading, evidence, then=False)
    if isinstance(read, Silent):
        return read
    found = _one_version(reading, read)
    if isinstance(found, Silent):
        return found
    path, version = found
    proof = Proof(kind="manifest", text=f"The version is {show(version)} there.", path=path)
    same = _same_version(reading.one("version"), version)
    if same is None:
        return Silent(reason=f"{proof.text} It is written in another way.")
    return confirmed(proof) if same else refuted(proof)


def _one_version(reading: Reading, read: _Read) -> tuple[str, str] | Silent:
    """Give the version that the manifest that is named says, or that all at the top of the tree agree on."""
    meant = read if reading.maybe("path") else {path: one for path, one in read.items() if "/" not in path}
    versions = {path: one.version for path, one in meant.items() if says_versions(path)}
    found = [(path, version) for path, version in versions.items() if version is not None]
    if not found or len(found) < len(versions):
        return Silent(reason="A manifest says no version, or there is none at the top of the tree.")
    if len({version for _, version in found}) > 1:
        return Silent(reason="Manifests say different versions; name one.")
    return found[0]


def _version_bumped(reading: Reading, evidence: Evidence) -> Decision:
    both = _both(reading, evidence)
    if isinstance(both, Silent):
        return both
    then = _one_version(reading, both[0])
    if isinstance(then, Silent):
        return then
    now = _one_version(reading, both[1])
    if isinstance(now, Silent):
        return now
    proof = Proof(kind="manifest", text=f"It went from {show(then[1])} to {show(now[1])}.", path=now[0])
    return _went(reading, evidence, {then[1]}, {now[1]}, proof)


DEPENDENCIES: Final = Settler(
    name="dependencies",
    does="A manifest declares a dependency, or one was added, removed or bumped, or none was; the project's version is so.",
    refuses="Ranges that hold a version; manifests that lead to other files; names in several sections; lock files and what is installed.",
    grammar=_GRAMMAR,
    forms={
        "dependency_declared": Form(decide=_declared),
        "dependency_added": Form(decide=_added, change=True),
        "dependency_removed": Form(decide=_removed, change=True),
        "dependency_bumped": Form(decide=_bumped, change=True),
        "no_dependency_added": Form(decide=_none_added, change=True),
        "dependency_pinned": Form(decide=_pinned),
        "project_version": Form(decide=_version),
        "version_bumped": Form(decide=_version_bumped, change=True),
    },
)
