"""A dependency is declared, was added, removed or bumped; or none was."""

from __future__ import annotations

import re
from functools import partial
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.declaring import (
    Read,
    absence_doubt,
    both,
    entries,
    manifests,
    of_fixture,
    unread_part,
)
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.manifests import (
    BUILD,
    Dependency,
    Manifest,
    is_lock,
    is_manifest,
    may_declare,
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
from claimjury.settlers.project_version import PROJECT_FORMS, PROJECT_GRAMMAR
from claimjury.settlers.texts import bones
from claimjury.settlers.undeclared import told_elsewhere, unread_hit, unread_then
from claimjury.settlers.versions import same_version, went_as_said
from claimjury.text import clean_line

__all__ = ["DEPENDENCIES", "dependency_in_change"]

_GRAMMAR: Final = r"""
!dependency: WORD | NAME | TEXT | PATH
_dep_noun: "new"? "dependency"
_dep: _the? _dep_noun dependency | _the? dependency _dep_noun | dependency
_dep_named: _the? _dep_noun dependency | _the? dependency _dep_noun
_as: "as" "a" "new"? "dependency"
_in_manifest: ("in" | "to" | "from" | "of") path
!pins: "pins"
from_version: VERSION | INT | TEXT
to_version: VERSION | INT | TEXT
version: VERSION
_bumped: bumped
_bumps: bumps | bumped
!bumped: "bumped" | "upgraded" | "updated" | "downgraded"
!bumps: "bumps" | "upgrades" | "updates" | "downgrades"

dependency_declared: _dep _is ("a" | "an") _dep_noun _in_manifest? | path ("depends" "on" | "requires" | "lists" | "declares") dependency | _the owner "depends" "on" dependency
!owner: "project" | "package"
dependency_added: _agent? ("adds" | "added") (("a" | "the")? "new"? "dependency" "on" dependency | _dep_named | dependency _as) _in_manifest? _here? | _dep_named _be "added" _in_manifest? _here? | dependency _be "added" (_as _in_manifest? | _as_dependency_of) _here?
_as_dependency_of: "to" "the" of_these ("in" | "of") path | "to" "the" of_these
!of_these: "dependencies"
dependency_removed: _agent? ("removes" | "removed" | "drops" | "dropped") (_the "dependency" "on" dependency | _dep_named) _in_manifest? _here? | _dep_named _be ("removed" | "dropped") _in_manifest? _here? | dependency _be ("removed" | "dropped") "from" "the" of_these (("in" | "of") path)? _here? | dependency _is "no" "longer" "a" "dependency" _in_manifest?
dependency_bumped: bumps _dep_plain "from" from_version "to" to_version _in_manifest? _here? | (_agent _bumps | _bumped) _dep_plain ("from" from_version)? "to" to_version _in_manifest? _here? | _dep_plain _be _bumped ("from" from_version)? "to" to_version _in_manifest? _here?
_dep_plain: _the? _dep_noun? dependency | _the? dependency "dependency"
no_dependency_added: "no" "new"? ("dependency" | "dependencies") (_be ("added" | "introduced"))? _here? | _agent? ("adds" | "added" | "introduces") "no" "new"? ("dependency" | "dependencies")
dependency_under: _dep _is ("listed" | "declared")? ("under" | "among" | "in") _the? section _in_manifest?
section: NAME | TEXT
no_dependency_changed: "no" ("dependency" | "dependencies") _be ("added" "or" ("removed" | "dropped") | ("removed" | "dropped") "or" "added") _here?
dependency_pinned: path ("requires" | pins | "uses") dependency ("version" | "at" | "to")? version
"""
_NPM_SECTIONS: Final = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_RUNTIME: Final = ("dependencies", "poetry.dependencies", "require", "requirements")
_Entries = list[tuple[str, Dependency]]


def _declared(reading: Reading, evidence: Evidence) -> Decision:
    read = manifests(reading, evidence, then=False)
    if isinstance(read, Silent):
        return read
    name = reading.one("dependency")
    found = [(path, one) for path, one in entries(name, read) if one.section != BUILD]
    if reading.maybe("owner"):
        found = [(path, one) for path, one in found if _is_of_runtime(path, one)]
    if found and reading.maybe("path") is None and all(of_fixture(path) for path, _ in found):
        return Silent(
            reason=f"It stands in {clean_line(found[0][0])} alone, which may be no manifest of the project."
        )
    if found:
        return confirmed(*(_entry_proof(path, one) for path, one in found[:3]))
    return _nowhere_declared(reading, read, evidence)


def _is_of_runtime(path: str, one: Dependency) -> bool:
    """Whether a project needs it when it runs, by where it stands."""
    return _is_top_section(path, one.section) and not one.optional


def _is_top_section(path: str, section: str) -> bool:
    """Whether what a section of a manifest names is asked for by the project at the top of the tree, when it runs."""
    usual = path == "requirements.txt" or section != "requirements"
    return "/" not in path and section in _RUNTIME and usual


def _nowhere_declared(reading: Reading, read: Read, evidence: Evidence) -> Decision:
    if (silence := unread_part(read) or absence_doubt(reading, read, evidence)) is not None:
        return silence
    (path,) = read
    words = f"{show(reading.one('dependency'))} is not declared there."
    return refuted(Proof(kind="manifest", text=words, path=path))


def _entry_proof(path: str, one: Dependency) -> Proof:
    wanted = f" as {show(one.wanted)}" if one.wanted else ""
    return Proof(
        kind="manifest", text=f"{show(one.name)} stands there under {show(one.section)}{wanted}.", path=path
    )


def dependency_in_change(reading: Reading, evidence: Evidence, *, wanted: tuple[bool, bool]) -> Decision:
    pair = both(reading, evidence)
    if isinstance(pair, Silent):
        return pair
    name = reading.one("dependency")
    then, now = (entries(name, read) for read in pair)
    if (doubt := _unclear(reading, then, now, pair, evidence)) is not None:
        return doubt
    path = next((path for path, _ in now or then), None)
    proof = Proof(kind="manifest", text=f"At the base {_stands(then)}; now {_stands(now)}.", path=path)
    if (bool(then), bool(now)) == wanted:
        dev = reading.maybe("of_these") is not None and not any(_is_of_runtime(*one) for one in (*then, *now))
        return (
            Silent(reason=f"{proof.text} That may be none of the dependencies that are meant.")
            if dev
            else confirmed(proof)
        )
    return (
        refuted(proof) if now or reading.maybe("path") else Silent(reason=f"{proof.text} Name the manifest.")
    )


def _unclear(
    reading: Reading, then: _Entries, now: _Entries, pair: tuple[Read, Read], evidence: Evidence
) -> Silent | None:
    """Silence where a dependency is in neither, moved, is one of the build, or may have come from where nothing is read."""
    name = reading.one("dependency")
    if not then and not now:
        return Silent(reason=f"{clean_line(name)} is declared neither at the base nor now.")
    named = reading.maybe("path") is not None
    if (why := _odd_places(then, now, named=named)) is not None:
        return Silent(reason=f"{clean_line(name)} {why}.")
    one, other = (pair[1], pair[0]) if now else (pair[0], pair[1])
    alike = [
        dependency.name
        for manifest in other.values()
        for dependency in manifest.dependencies
        if dependency.name.startswith(name) or name.startswith(dependency.name)
    ]
    if one and not (then and now) and alike:
        return Silent(reason=f"{clean_line(alike[0])} is like it.")
    return None if named else unread_hit(name, evidence) or unread_then(name, evidence)


def _odd_places(then: _Entries, now: _Entries, *, named: bool) -> str | None:
    """Give what keeps the places of a dependency from telling whether it came or went."""
    if then and now and _places(then) != _places(now):
        return "stands in other sections or manifests than at the base"
    if not named and all(of_fixture(path) for path, _ in (*then, *now)):
        return "stands in manifests of tests or examples alone"
    if any(one.section == BUILD or "indirect" in one.section for _, one in (*then, *now)):
        return "is what the build, or another dependency, requires"
    return None


def _searched(reading: Reading) -> tuple[str, ...]:
    return () if reading.maybe("path") else (reading.one("dependency"),)


def _places(found: _Entries) -> set[tuple[str, str]]:
    return {(path, one.section) for path, one in found}


def _stands(found: _Entries) -> str:
    if not found:
        return "it is declared nowhere"
    return "it is declared in " + ", ".join(f"{show(path)} ({show(one.section)})" for path, one in found[:3])


def _none_added(reading: Reading, evidence: Evidence) -> Decision:
    pair = both(reading, evidence)
    if isinstance(pair, Silent):
        return pair
    if not pair[1]:
        return Silent(reason="No manifest that is read here was found.")
    then, now = (_declarations(read) for read in pair)
    known = {name for _, name, _, _ in then}
    new = sorted(row for row in now if row[1] not in known)
    if new:
        return _new_one(new[0], pair, evidence)
    if then != now:
        return Silent(reason="No name is new, but what is asked for, or where, is not the same.")
    if (silence := told_elsewhere(evidence) or evidence.unseen()) is not None:
        return silence
    shown = ", ".join(show(path) for path in pair[1])
    words = f"The same names stand in {shown}, under the same sections. Lock files and vendored copies were not looked at."
    return confirmed(Proof(kind="manifest", text=words))


def _declarations(read: Read) -> set[tuple[str, str, str, str]]:
    """Give where each dependency stands, and with which extras: of versions nothing is said."""
    return {
        (path, one.name, one.section, one.extras)
        for path, manifest in read.items()
        for one in manifest.dependencies
    }


def _new_one(row: tuple[str, str, str, str], pair: tuple[Read, Read], evidence: Evidence) -> Decision:
    """Refute by a name that is new at the top of the tree, asked for by the project itself."""
    (path, name, section, _), (before, now) = row, pair
    made = b"# via" in (evidence.read(path) or b"") or b"autogenerated" in (evidence.read(path) or b"")
    own = _spelled(name) in {_spelled(manifest.name or "") for manifest in now.values()}
    if not _is_top_section(path, section) or made or own or _is_local(name, now[path]):
        return Silent(
            reason=f"{clean_line(name)} is new in {clean_line(path)}, and may be no dependency of the project itself."
        )
    read = [*before.values(), *now.values()]
    known = [one.name for manifest in read for one in manifest.dependencies if one.name != name]
    if any(other.startswith(f"{name}/") or name.startswith(f"{other}/") for other in known):
        return Silent(reason=f"{clean_line(name)} is a part of another one.")
    if (twin := next((other for other in known if bones(other) == bones(name)), None)) is not None:
        return Silent(reason=f"{clean_line(name)} may be {clean_line(twin)} under another name.")
    return refuted(Proof(kind="manifest", text=f"{show(name)} is new there.", path=path))


def _spelled(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).casefold()


def _is_local(name: str, manifest: Manifest) -> bool:
    """Whether a dependency is another package of the same tree, by how it is asked for."""
    asked = [one for one in manifest.dependencies if one.name == name]
    told = any(one.wanted.startswith(("file:", "link:", "workspace:", ".", "/")) for one in asked)
    told = told or any(one.optional for one in asked)
    # A table without a version has a path, or a repository.
    return told or any(not one.wanted and (one.ranging or "poetry" in one.section) for one in asked)


def _bumped(reading: Reading, evidence: Evidence) -> Decision:
    pair = both(reading, evidence)
    if isinstance(pair, Silent):
        return pair
    name = reading.one("dependency")
    then, now = (entries(name, read) for read in pair)
    if name == "version" or len(then) != 1 or len(now) != 1:
        return Silent(reason=f"{clean_line(name)} is not in one manifest alone, both at the base and now.")
    (_, old), (path, new) = then[0], now[0]
    proof = Proof(kind="manifest", text=f"It went from {_version(old)} to {_version(new)}.", path=path)
    return _went(reading, old, new, evidence, proof)


def _version(one: Dependency) -> str:
    return show(one.wanted) or "no version"


def _went(reading: Reading, old: Dependency, new: Dependency, evidence: Evidence, proof: Proof) -> Decision:
    """Decide by exact versions; a range holds a version, and is none."""
    said = [same_version(reading.one("to_version"), new.wanted, new.exact)]
    if (before := reading.maybe("from_version")) is not None:
        said.append(same_version(before, old.wanted, old.exact))
    change = evidence.known_change
    elsewhere = change and next(
        (
            path
            for path in sorted(change.paths)
            if is_lock(path) or (may_declare(path) and not is_manifest(path))
        ),
        None,
    )
    if None in said or (old.wanted == new.wanted and (elsewhere or old.exact is None)):
        return Silent(
            reason=f"{proof.text} A range or an address is no version, and other files may say one."
        )
    if False in said or old.wanted == new.wanted:
        return refuted(proof)
    verb = reading.maybe("bumped") or reading.one("bumps")
    fits = went_as_said(verb, old.exact or old.wanted, new.exact or new.wanted)
    return confirmed(proof) if fits else Silent(reason=f"{proof.text} Whether it was {verb} is not known.")


def _under(reading: Reading, evidence: Evidence) -> Decision:
    """Decide under which section of one manifest a dependency stands."""
    read = manifests(reading, evidence, then=False)
    if isinstance(read, Silent):
        return read
    said, found = reading.one("section"), entries(reading.one("dependency"), read)
    sections = {one.section for _, one in found}
    if len({path for path, _ in found}) != 1:
        return Silent(reason="No manifest, or more than one, declares it; name the manifest.")
    proof = _entry_proof(*found[0])
    if sections == {said}:
        return confirmed(proof)
    # Only where sections have plain names is another one surely not the one that is said.
    plain = PurePosixPath(found[0][0]).name == "package.json" and said in _NPM_SECTIONS
    return (
        refuted(proof)
        if plain and said not in sections
        else Silent(reason=f"{proof.text} It is said otherwise.")
    )


def _none_changed(reading: Reading, evidence: Evidence) -> Decision:
    """Decide that no dependency came or went."""
    decision = _none_added(reading, evidence)
    pair = both(reading, evidence)
    if isinstance(decision, Silent) or decision.verdict == "REFUTED" or isinstance(pair, Silent):
        return decision
    then, now = (_declarations(read) for read in pair)
    return (
        decision if then == now else Silent(reason="Some that was declared at the base is not declared now.")
    )


def _pinned(reading: Reading, evidence: Evidence) -> Decision:
    read = manifests(reading, evidence, then=False)
    if isinstance(read, Silent):
        return read
    found = entries(reading.one("dependency"), read)
    if not found:
        return _nowhere_declared(reading, read, evidence)
    if (silence := unread_part(read)) is not None:
        return silence
    path, one = found[0]
    same = same_version(reading.one("version"), one.wanted, one.exact)
    if len(found) > 1 or same is None or (reading.maybe("pins") and one.exact is None):
        return Silent(
            reason=f"{clean_line(one.name)} stands at more than one place, or as a range or an address."
        )
    proof = _entry_proof(path, one)
    return confirmed(proof) if same else refuted(proof)


DEPENDENCIES: Final = Settler(
    name="dependencies",
    does="A manifest declares a dependency, or one was added, removed or bumped, or none was; the project's version is so.",
    refuses="Ranges that hold a version; manifests that lead to other files; names in several sections; lock files and what is installed.",
    grammar=_GRAMMAR + PROJECT_GRAMMAR,
    forms={
        "dependency_declared": Form(decide=_declared),
        "dependency_added": Form(decide=partial(dependency_in_change, wanted=(False, True)), names=_searched),
        "dependency_removed": Form(
            decide=partial(dependency_in_change, wanted=(True, False)), names=_searched
        ),
        "dependency_bumped": Form(decide=_bumped),
        "no_dependency_added": Form(decide=_none_added),
        "dependency_under": Form(decide=_under),
        "no_dependency_changed": Form(decide=_none_changed),
        "dependency_pinned": Form(decide=_pinned),
        **PROJECT_FORMS,
    },
)
