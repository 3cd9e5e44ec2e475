"""A command line has an option, a server has a route, or a file exports a name, by what is declared literally."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from claimjury.settlers.evidence import Evidence
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
from claimjury.settlers.sources import hidden_by, read_source
from claimjury.settlers.syntax import Unreadable, language_of, options, routes
from claimjury.text import clean_line

__all__ = ["SURFACE"]

_GRAMMAR: Final = r"""
_opt_noun: ("cli" | "command-line" | "new")? ("option" | "flag" | "switch")
_accepts: "still"? ("accepts" | "has" | "supports" | "defines" | "declares" | "takes" | "offers")
option: OPTION
_a: "the" | "a" | "an"
_opt: _a? _opt_noun option | _a? option _opt_noun
_opt_in: ("in" | "to" | "from") path
option_exists: path _accepts (_opt | option) | _opt "exists" _opt_in? | _there_is _opt _opt_in? | _opt _is "defined" _opt_in?
option_absent: path ("does" "not" ("accept" | "have" | "support" | "define" | "declare" | "take" | "offer") | "no" "longer" _accepts) (_opt | option) | _there_is "no" _opt_noun option _opt_in? | _opt ("does" "not" "exist" | "no" "longer" "exists") _opt_in?
option_added: _agent? ("adds" | "added" | "introduces" | "introduced") _opt _opt_in? _here? | _opt _be ("added" | "introduced") _opt_in? _here?
option_removed: _agent? ("removes" | "removed" | "drops" | "dropped") _opt _opt_in? _here? | _opt _be ("removed" | "dropped") _opt_in? _here?
route: TEXT | PATH
_route_noun: "route" | "endpoint"
route_exists: path ("has" | "defines" | "serves" | "exposes" | "registers" | "declares") _a? (_route_noun route | route _route_noun) | _a? (_route_noun route | route _route_noun) ("exists" | _is ("defined" | "registered")) ("in" path)? | _there_is _a (_route_noun route | route _route_noun) ("in" path)?
exports: path "still"? ("exports" | "re-exports" | "reexports") name | name _is "still"? ("exported" | "re-exported") ("by" | "from") path
"""
_MADE_BY_LIBRARIES: Final = ("--help", "-h", "--version", "-V")
_METHODS: Final = re.compile(r"(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?(/\S*)\Z")


def _bare(option: str) -> str:
    return option.lstrip("-")


def _spellings(option: str) -> tuple[str, ...]:
    """Give the names that a library may derive an option from: `dry-run`, `dry_run`, `dryRun`."""
    bare = _bare(option)
    first, *rest = bare.split("-")
    camel = first + "".join(word.capitalize() for word in rest)
    return tuple(dict.fromkeys((bare, bare.replace("-", "_"), camel, camel[:1].upper() + camel[1:])))


def _searched(reading: Reading) -> tuple[str, ...]:
    return _spellings(reading.one("option"))


def _option_exists(reading: Reading, evidence: Evidence) -> Decision:
    return _option(reading, evidence, wanted=True)


def _option_absent(reading: Reading, evidence: Evidence) -> Decision:
    return _option(reading, evidence, wanted=False)


def _option(reading: Reading, evidence: Evidence, *, wanted: bool) -> Decision:
    option, paths = reading.one("option"), _files(reading, evidence)
    if isinstance(paths, Silent):
        return paths
    declared = _declared(option, paths, evidence)
    if declared is None:
        return Silent(
            reason=f"No literal declaration of {clean_line(option)} was found, and that shows nothing: a library may make the option."
        )
    return confirmed(declared) if wanted else refuted(declared)


def _files(reading: Reading, evidence: Evidence) -> list[str] | Silent:
    """Give the file that is named, or those that hold any spelling of the option."""
    if (text := reading.maybe("path")) is not None:
        found = resolve(text, evidence, then=True)
        if isinstance(found, Path):
            return [found.path]
        return (
            found
            if isinstance(found, Silent)
            else Silent(reason=f"There is no file {clean_line(found.path)}.")
        )
    hits = (hit.path for name in _searched(reading) for hit in evidence.found(name).hits)
    return list(dict.fromkeys(hits))


def _declared(option: str, paths: Sequence[str], evidence: Evidence) -> Proof | None:
    for path in paths:
        found = _options(path, evidence.read(path))
        one = next((one for one in found or () if one[0] == option), None)
        if one is not None:
            return Proof(
                kind="syntax",
                text=f"It is declared there by {one[2]}.",
                path=path,
                line=one[1],
                end_line=one[1],
            )
    return None


def _options(path: str, data: bytes | None) -> list[tuple[str, int, str]] | None:
    """Give the options that a file declares; None where it cannot be read."""
    found = options(path, data) if data is not None and language_of(path) else Unreadable(reason="")
    return None if isinstance(found, Unreadable) else [(one.name, one.line, one.declared_by) for one in found]


def _option_added(reading: Reading, evidence: Evidence) -> Decision:
    return _option_in_change(reading, evidence, wanted=(False, True))


def _option_removed(reading: Reading, evidence: Evidence) -> Decision:
    return _option_in_change(reading, evidence, wanted=(True, False))


def _option_in_change(reading: Reading, evidence: Evidence, *, wanted: tuple[bool, bool]) -> Decision:
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    if reading.maybe("path") is None:
        return Silent(reason="Say which file declares the option.")
    paths = _files(reading, evidence)
    if isinstance(paths, Silent):
        return paths
    (path,), option = paths, reading.one("option")
    facts = [_option_at(option, path, data) for data in (evidence.read_then(path), evidence.read(path))]
    if None in facts or option in _MADE_BY_LIBRARIES:
        return Silent(
            reason=f"{clean_line(path)} may declare it by no literal of that name, at the base or now."
        )
    words = f"At the base {change.short} it is {_word(facts[0])}, now it is {_word(facts[1])}."
    proof = Proof(kind="syntax", text=words, path=path)
    if tuple(facts) == wanted:
        return confirmed(proof)
    return (
        refuted(proof) if all(facts) else Silent(reason=f"{proof.text} It may be declared in another file.")
    )


def _word(declared: bool | None) -> str:
    return "declared" if declared else "not declared"


def _option_at(option: str, path: str, data: bytes | None) -> bool | None:
    """Whether a file of these bytes declares an option; None where that is not sure."""
    if data is None:
        return False
    found = _options(path, data)
    if found is not None and any(one[0] == option for one in found):
        return True
    text = data.decode("utf-8", "replace")
    return None if found is None or any(name in text for name in _spellings(option)) else False


def _route_exists(reading: Reading, evidence: Evidence) -> Decision:
    match = _METHODS.match(reading.one("route").strip())
    if match is None:
        return Silent(reason=f"{clean_line(reading.one('route'))} is no path of a route.")
    method, said = match.groups()
    if (text := reading.maybe("path")) is not None:
        file = resolve(text, evidence)
        if not isinstance(file, Path):
            return (
                file
                if isinstance(file, Silent)
                else Silent(reason=f"There is no file {clean_line(file.path)}.")
            )
        paths = [file.path]
    else:
        paths = list(dict.fromkeys(hit.path for hit in evidence.found(said).hits))
    for path in paths:
        if (proof := _registered(path, said, method, evidence)) is not None:
            return confirmed(proof)
    return Silent(
        reason=f"No literal declaration of {clean_line(said)} was found, and that shows nothing: it may be mounted or made elsewhere."
    )


def _registered(path: str, said: str, method: str | None, evidence: Evidence) -> Proof | None:
    data = evidence.read(path)
    if data is None or language_of(path) is None:
        return None
    found = routes(path, data)
    if isinstance(found, Unreadable):
        return None
    for one in found:
        if one.path == said and not one.mounted and method in (None, one.method):
            words = f"It is registered there by {one.declared_by}."
            return Proof(kind="syntax", text=words, path=path, line=one.line, end_line=one.line)
    return None


def _route_name(reading: Reading) -> tuple[str, ...]:
    match = _METHODS.match(reading.one("route").strip())
    return (match[2],) if match else ()


def _exports(reading: Reading, evidence: Evidence) -> Decision:
    found = resolve(reading.one("path"), evidence)
    if not isinstance(found, Path):
        return (
            found
            if isinstance(found, Silent)
            else Silent(reason=f"There is no file {clean_line(found.path)}.")
        )
    source, name = read_source(found.path, evidence), reading.one("name").removesuffix("()")
    if source is None:
        return Silent(
            reason=f"{clean_line(found.path)} cannot be parsed whole, or is of no language that is."
        )
    listed = next((one.line for one in source.outline.exports if one.name == name), None)
    if listed is None and found.path.endswith("__init__.py") and not source.outline.exports:
        # What a package imports into itself, others can take from it.
        listed = next((one.line for one in source.outline.imports if name == (one.alias or one.name)), None)
    if listed is not None:
        return confirmed(
            Proof(kind="syntax", text="It is exported there.", path=found.path, line=listed, end_line=listed)
        )
    named = [*(one.name for one in source.outline.exports), *(one.name for one in source.outline.imports)]
    data = evidence.read(found.path) or b""
    if "*" in named or hidden_by(source.outline) or name.encode() in data:
        return Silent(
            reason=f"{clean_line(found.path)} does not list {clean_line(name)} among its exports, and may give it to others in another way."
        )
    return refuted(
        Proof(
            kind="syntax",
            text=f"{show(name)} does not stand in it, and it exports all names of nothing.",
            path=found.path,
        )
    )


SURFACE: Final = Settler(
    name="surface",
    does="A file declares an option of a command line or not, or it was added or removed; a route is registered; a file exports a name.",
    refuses="Options whose name a library may derive; routes that are mounted or not found, which is never a refutation; what `--help` prints.",
    grammar=_GRAMMAR,
    forms={
        "option_exists": Form(decide=_option_exists, refutes=False, names=_searched),
        "option_absent": Form(decide=_option_absent, confirms=False, names=_searched),
        "option_added": Form(decide=_option_added, change=True),
        "option_removed": Form(decide=_option_removed, change=True),
        "route_exists": Form(decide=_route_exists, refutes=False, names=_route_name),
        "exports": Form(decide=_exports),
    },
)
