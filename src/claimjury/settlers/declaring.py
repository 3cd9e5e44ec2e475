"""The manifests that a statement is about, now and at the base, and what they do not tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.manifests import Dependency, Manifest, is_manifest, normal_name, read_manifest
from claimjury.settlers.outcome import Reading, Silent
from claimjury.settlers.paths import known_file
from claimjury.settlers.texts import bones
from claimjury.text import clean_line

__all__ = [
    "Read",
    "absence_doubt",
    "both",
    "declared_names",
    "entries",
    "manifests",
    "of_fixture",
    "unread_part",
]

Read = Mapping[str, Manifest]
_FIXTURES: Final = re.compile(
    r"(?:\A|/)(?:tests?|testdata|test-data|fixtures?|examples?|samples?|__tests__|benchmarks?|templates?|demos?)/"
)
_OTHER_NAMES: Final = frozenset(
    ["bs4", "sklearn", "cv2", "pil", "skimage", "mpl_toolkits", "git", "usb", "attr"]
)
"""Names that packages are imported by, of which their own are nothing like."""


def manifests(reading: Reading, evidence: Evidence, *, then: bool) -> Read | Silent:
    """Give the manifests that are meant, as they lie there or at the base: the one that is named, or all that are tracked."""
    paths = [path for path, entry in evidence.files.items() if entry.tracked]
    if then:
        change = evidence.change()
        if isinstance(change, Silent):
            return change
        paths = list(change.then)
    wanted = sorted(filter(is_manifest, paths))
    if reading.maybe("path") is not None:
        named = _named(reading, evidence)
        if isinstance(named, Silent):
            return named
        wanted = [named] if named in (paths if then else evidence.files) else []
    read = {
        path: read_manifest(path, (evidence.read_then(path) if then else evidence.read(path)) or b"")
        for path in wanted
    }
    broken = next((path for path, manifest in read.items() if manifest is None), None)
    if broken is not None:
        return Silent(reason=f"{clean_line(broken)} cannot be read.")
    return {path: manifest for path, manifest in read.items() if manifest is not None}


def declared_names(evidence: Evidence) -> frozenset[str]:
    """Give every name that a manifest of the tree declares, as it is written and with underscores for hyphens."""
    read = (read_manifest(path, evidence.read(path) or b"") for path in evidence.files if is_manifest(path))
    names = {one.name for manifest in read if manifest for one in manifest.dependencies}
    return frozenset({*names, *(name.replace("-", "_") for name in names)})


def of_fixture(path: str) -> bool:
    """Whether a manifest is one of a test or of an example, and not of the project."""
    return _FIXTURES.search(path) is not None


def _named(reading: Reading, evidence: Evidence) -> str | Silent:
    found = known_file(reading.one("path"), evidence, then=True)
    if isinstance(found, Silent):
        return found
    if not is_manifest(found.path):
        return Silent(reason=f"{clean_line(found.path)} is no manifest that is read here.")
    return found.path


def entries(name: str, read: Read) -> list[tuple[str, Dependency]]:
    """Give where some manifests declare a dependency."""
    return [
        (path, one)
        for path, manifest in read.items()
        for one in manifest.dependencies
        if one.name == normal_name(name, path)
    ]


def unread_part(read: Read) -> Silent | None:
    """Silence where a manifest leads to what is not read here."""
    path = next((path for path, manifest in read.items() if not manifest.whole), None)
    return None if path is None else Silent(reason=f"{clean_line(path)} leads to what is not read here.")


def both(reading: Reading, evidence: Evidence) -> tuple[Read, Read] | Silent:
    """Give the manifests of the base and those of now, where they tell all."""
    then = manifests(reading, evidence, then=True)
    if isinstance(then, Silent):
        return then
    now = manifests(reading, evidence, then=False)
    if isinstance(now, Silent):
        return now
    return unread_part(then) or unread_part(now) or evidence.unseen([*then, *now]) or (then, now)


def absence_doubt(reading: Reading, read: Read, evidence: Evidence) -> Silent | None:
    """Silence where it is not sure that a dependency is declared nowhere: a manifest must be named, and hold nothing like its name."""
    name = reading.one("dependency")
    if reading.maybe("path") is None:
        return Silent(
            reason=f"No manifest that is read here declares {clean_line(name)}; name the one meant."
        )
    if name not in reading.quoted and not re.search(r"[-_./@\d]", name):
        return Silent(reason=f"{clean_line(name)} may be no name of a dependency; quote it if it is one.")
    if re.search(r"[\[\]<>=~!;\s]|.@", name) or name.casefold() in _OTHER_NAMES:
        return Silent(reason=f"{clean_line(name)} is more than a name, or may be that of an import.")
    if not read:
        return Silent(reason="There is no such manifest now.")
    return next(filter(None, (_holds_alike(name, path, one, evidence) for path, one in read.items())), None)


def _holds_alike(name: str, path: str, manifest: Manifest, evidence: Evidence) -> Silent | None:
    """Silence where a manifest holds the name in any way: as a script, an engine, an alias, a part of another name, or the other way about."""
    wanted = bones(name)
    if wanted in bones(evidence.text(path)):
        return Silent(
            reason=f"{clean_line(path)} holds {clean_line(name)}, and not as a dependency of that name."
        )
    near = next((one.name for one in manifest.dependencies if bones(one.name) in wanted), None)
    if near is not None:
        return Silent(
            reason=f"{clean_line(PurePosixPath(path).name)} declares {clean_line(near)}, which may be meant."
        )
    return None
