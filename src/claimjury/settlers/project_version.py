"""The version of the project is so, or went from one to another."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.declaring import Read, both, manifests
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.manifests import says_versions
from claimjury.settlers.outcome import Decision, Form, Proof, Reading, Silent, confirmed, refuted, show
from claimjury.settlers.versions import same_version, went_as_said
from claimjury.text import clean_line

__all__ = ["PROJECT_FORMS", "PROJECT_GRAMMAR"]

PROJECT_GRAMMAR: Final = r"""
project_version: _the? ("package" | "project")? "version" _in_version? _is version | path ("has" | "declares") _the? "version" version | path "sets" _the? "version" "to" version
_in_version: ("in" | "of") path
version_bumped: (_agent _bumps | _bumped) _the? ("package" | "project")? "version" _in_version? ("from" from_version)? "to" to_version _in_version? _here? | _the? ("package" | "project")? "version" _in_version? _be? _bumped ("from" from_version)? "to" to_version _in_version? _here?
"""
_NAME: Final = "__version__"
_SAYS: Final = re.compile(r"__version__\s*(?::\s*\w+\s*)?=\s*['\"]")
_OTHERS: Final = frozenset(
    [
        "VERSION",
        "VERSION.txt",
        "version.txt",
        "setup.py",
        "setup.cfg",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "version.go",
        "version.py",
        "_version.py",
        "version.rb",
        "Chart.yaml",
        "gradle.properties",
        "galaxy.yml",
        "meta.yaml",
        "composer.json",
        "pubspec.yaml",
        "manifest.json",
        "deno.json",
        "jsr.json",
        "mix.exs",
        "CMakeLists.txt",
    ]
)
"""Files that say a version in ways that are not read here."""


def _version(reading: Reading, evidence: Evidence) -> Decision:
    read = manifests(reading, evidence, then=False)
    if isinstance(read, Silent):
        return read
    found = _one_version(reading, read, evidence)
    if isinstance(found, Silent):
        return found
    path, version = found
    proof = Proof(kind="manifest", text=f"The version is {show(version)} there.", path=path)
    same = same_version(reading.one("version"), version, version)
    if same is None:
        return Silent(reason=f"{proof.text} It is written in another way.")
    other = None if same or reading.maybe("path") else _held_elsewhere(reading.one("version"), evidence)
    if other is not None:
        return Silent(reason=f"{proof.text} {clean_line(other)} says another.")
    return confirmed(proof) if same else refuted(proof)


def _one_version(reading: Reading, read: Read, evidence: Evidence) -> tuple[str, str] | Silent:
    """Give the version of the manifest that is named, or that all manifests agree on, where nothing else may say one."""
    versions = {path: one.version for path, one in read.items() if says_versions(path)}
    found = [(path, version) for path, version in versions.items() if version is not None]
    if not found or len({version for _, version in found}) > 1 or found[0][1].startswith("0.0.0"):
        return Silent(reason="No manifest says a version, or they say different ones; name one.")
    if reading.maybe("path") is not None:
        return found[0]
    if len(found) < len(versions) or all("/" in path for path, _ in found):
        return Silent(reason="A manifest says no version, or none stands at the top of the tree; name one.")
    other = next((path for path in evidence.files if PurePosixPath(path).name in _OTHERS), None)
    other = other or _in_code(found[0][1], evidence)
    return (
        found[0]
        if other is None
        else Silent(reason=f"{clean_line(other)} may say a version too; name the file.")
    )


def _held_elsewhere(version: str, evidence: Evidence) -> str | None:
    """Give a file of the tree that holds a version which no manifest has, beside a word that says what it is of."""
    hits = evidence.found(version.removeprefix("v")).all_hits
    return next((hit.path for hit in hits if "version" in hit.text.casefold()), None)


def _in_code(version: str, evidence: Evidence) -> str | None:
    """Give a file of code that says another version of itself."""
    hits = (hit for hit in evidence.found(_NAME).hits if _SAYS.search(hit.text))
    return next((hit.path for hit in hits if version not in hit.text), None)


def _version_bumped(reading: Reading, evidence: Evidence) -> Decision:
    pair = both(reading, evidence)
    if isinstance(pair, Silent):
        return pair
    then = _one_version(reading, pair[0], evidence)
    if isinstance(then, Silent):
        return then
    now = _one_version(reading, pair[1], evidence)
    if isinstance(now, Silent):
        return now
    proof = Proof(kind="manifest", text=f"It went from {show(then[1])} to {show(now[1])}.", path=now[0])
    said = [same_version(reading.one("to_version"), now[1], now[1])]
    if (before := reading.maybe("from_version")) is not None:
        said.append(same_version(before, then[1], then[1]))
    if False in said or then[1] == now[1]:
        other = None if reading.maybe("path") else _held_elsewhere(reading.one("to_version"), evidence)
        return (
            refuted(proof)
            if other is None
            else Silent(reason=f"{proof.text} {clean_line(other)} says another.")
        )
    verb = reading.maybe("bumped") or reading.one("bumps")
    fits = None not in said and went_as_said(verb, then[1], now[1])
    return confirmed(proof) if fits else Silent(reason=f"{proof.text} It may be written in another way.")


def _searched(reading: Reading) -> tuple[str, ...]:
    said = reading.maybe("version") or reading.maybe("to_version") or ""
    return (_NAME, said.removeprefix("v")) if said else (_NAME,)


PROJECT_FORMS: Final = {
    "project_version": Form(decide=_version, names=_searched),
    "version_bumped": Form(decide=_version_bumped, names=_searched),
}
