"""A constant has a value, in the source file that assigns it once."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.evidence import Change, Evidence
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
from claimjury.settlers.paths import known_file
from claimjury.settlers.same_value import NUMBER, same_value
from claimjury.settlers.search import Hit, word_pattern
from claimjury.settlers.sources import Source, parse_source, read_source
from claimjury.settlers.syntax import Constant, language_of
from claimjury.text import clean_line

__all__ = ["VALUES"]

_GRAMMAR: Final = r"""
_equals: _is | _be "set" "to" | _is "set" "to" | "equals" | "is" "equal" "to" | "has" _the "value"
constant: NAME
!value: INT | VERSION | TEXT | NAME
_const: _the? ("constant" | "value" "of" | "variable")? constant
constant_is: _const ("in" path)? _equals value ("in" path)? | path "sets" constant "to" value
constant_was_changed: _const ("in" path)? _be? ("changed" | rose | sank) "from" old_value "to" new_value ("in" path)? _here? | _agent? ("changes" | "changed" | rises | rose | sinks | sank) _const "from" old_value "to" new_value ("in" path)? _here?
constant_unchanged: _const ("in" path)? (_be | "is") "not" "changed" ("in" path)? _here? | _const ("in" path)? "is" "unchanged" ("in" path)?
!rises: "raises" | "increases"
!rose: "raised" | "increased"
!sinks: "lowers" | "reduces"
!sank: "lowered" | "reduced"
old_value: INT | VERSION | TEXT
new_value: INT | VERSION | TEXT
"""
_REBINDING: Final = frozenset(
    {
        "exec",
        "globals",
        "locals",
        "vars",
        "star_import",
        "setattr",
        "delattr",
        "__setattr__",
        "attribute_assignment",
    }
)
_WINDOW: Final = 200
"""Characters on either side of a name that are looked at: a line of a bundle may be as long as its file."""
_REGULAR: Final = frozenset({"100644", "100755"})
_MANY: Final = 300
"""Files, or places in a line, that hold a name: more are not looked through."""
_BESIDE: Final = re.compile(
    r"(?:\A|/)(?:tests?|testdata|fixtures?|examples?|samples?|benchmarks?|vendor)/|(?:\A|/)(?:test_|conftest)"
)
_PROSE: Final = frozenset(
    {".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt", ".log", ".csv", ".tsv", ".org"}
)
_ASSIGNED: Final = (
    r"(?:\s+[\w.*\[\]<>]+)?\s*(?:[-+*/%&|^@?:]|//|\*\*|<<|>>|\|\||&&|\?\?)?=(?!=)|\s*(?:\+\+|--)"
)
_BOUND_AFTER: Final = re.compile(rf"""["'`]?\]?(?:{_ASSIGNED}|\s*\??\s*:(?!:)\s*[^\s:]|=>)|["'`]\s*,""")
"""What follows a name that is bound there: by an assignment, a keyword, a parameter, a key of an object, or as a text beside its value."""
_BOUND_BEFORE: Final = re.compile(
    r"(?:\b(?:for|as|let|const|var|del|global|nonlocal|define|def|function|class|fn|func)\s+(?:\w+\s*,\s*)*|\blambda [\w, ]*)\Z"
)
_UNPACKED: Final = re.compile(r"(?:\A|[;{])\s*(?:(?:let|const|var)\b)?\s*[(\[{]?[\w.$,\s*\[\]]*\Z")
_UNPACKED_AFTER: Final = re.compile(r"[\w.$,\s*()\[\]}]*=(?![=>])")
_SET_BEFORE: Final = re.compile(
    r"[\"'][\w.:]*[.:]\Z|(?:set|del|patch|stub|replace|__dict__|globals|vars|locals|environ|monkey)\w*\b.*[\"']\Z"
)
_SETTERS: Final = re.compile(r"patch|override|setattr|stub")


def _constant_is(reading: Reading, evidence: Evidence) -> Decision:
    found = _constant(reading, evidence)
    if isinstance(found, Silent):
        return found
    path, constant = found
    said, proof = reading.one("value"), _proof(path, constant)
    same = same_value(said, constant, quoted=said in reading.quoted)
    if same is None:
        return Silent(reason=f"{proof.text} Whether that is {show(said)} depends on how it is read.")
    return confirmed(proof) if same else refuted(proof)


def _proof(path: str, constant: Constant) -> Proof:
    words = f"{show(constant.name)} is {show(constant.text)} there."
    return Proof(kind="syntax", text=words, path=path, line=constant.line, end_line=constant.line)


def _constant(reading: Reading, evidence: Evidence) -> tuple[str, Constant] | Silent:
    """Give the one constant of a name, bound once and to a literal."""
    name = reading.one("constant").removesuffix("()")
    *scope, last = name.split(".")
    paths = _paths(reading, last, evidence)
    if isinstance(paths, Silent):
        return paths
    bound: list[tuple[str, Constant]] = []
    for path in paths:
        source = read_source(path, evidence)
        if source is None:
            return Silent(
                reason=f"{clean_line(path)} holds {clean_line(last)} and cannot be parsed whole, or is of no language that is."
            )
        here = _bindings(source, last, scope)
        if isinstance(here, Silent):
            return here
        bound += [(path, one) for one in here]
    if len(bound) != 1:
        return Silent(
            reason=f"{clean_line(name)} is bound to a literal at {len(bound)} places; name the file."
            if bound
            else f"{clean_line(name)} is bound to no literal."
        )
    path, constant = bound[0]
    return _bound_elsewhere(path, constant, evidence, named=reading.maybe("path") is not None) or bound[0]


def _bound_elsewhere(path: str, constant: Constant, evidence: Evidence, *, named: bool) -> Silent | None:
    """Silence where anything else may bind that name: in its own file, and in others where the file was not named, in any way."""
    hits = evidence.found(constant.name).all_hits
    by_file: dict[str, list[Hit]] = {}
    for hit in hits:
        by_file.setdefault(hit.path, []).append(hit)
    if len(by_file) > _MANY:
        return Silent(reason=f"{clean_line(constant.name)} stands in {len(by_file)} files.")
    for other, here in by_file.items():
        line = _binding_line(other, here, constant, evidence, own=other == path, named=named)
        if line is not None:
            return Silent(reason=f"{clean_line(other)}:{line} may set {clean_line(constant.name)} too.")
    return None


def _binding_line(
    path: str, hits: list[Hit], constant: Constant, evidence: Evidence, *, own: bool, named: bool
) -> int | None:
    """Give a line of a file that may bind the name of a constant, beside its own."""
    name = constant.name
    source = read_source(path, evidence) if language_of(path) else None
    wide = own or not named
    if source is None:
        return _line_in_unparsed(path, hits, name) if wide else None
    if wide and any(name in one.parameters.names for one in source.outline.definitions if one.parameters):
        return hits[0].line
    lists = {one.line for one in source.outline.exports if one.name == name}
    patched = wide or any(_SETTERS.search(hit.text[: _WINDOW * 5]) for hit in hits)
    if not patched:
        patched = _SETTERS.search(evidence.text(path)) is not None
    for hit in hits:
        ways = _ways_bound(name, hit.text)
        mine = own and hit.line == constant.line
        if hit.line in lists and not mine:
            continue
        if len(ways) > mine and (patched or "set" in ways):
            return hit.line
    return None


def _line_in_unparsed(path: str, hits: list[Hit], name: str) -> int | None:
    """Give a line of a file in a language that is not parsed, whose ways to bind a name are not known; prose only tells of it."""
    if PurePosixPath(path).suffix.casefold() not in _PROSE:
        return hits[0].line
    return next((hit.line for hit in hits if _ways_bound(name, hit.text)), None)


def _ways_bound(name: str, line: str) -> list[str]:
    """Give how a line may bind a name, once for each place: `set` where it is an attribute of something, or told as a text."""
    places = [match.span() for match in islice(word_pattern(name).finditer(line), _MANY + 1)]
    if len(places) > _MANY:
        return ["set"] * len(places)
    ways = (
        _way_bound(line[max(0, start - _WINDOW) : start], line[end : end + _WINDOW]) for start, end in places
    )
    return [way for way in ways if way]


def _way_bound(before: str, after: str) -> str:
    assigned = _BOUND_AFTER.match(after) is not None
    unpacked = (
        "," in before + after
        and _UNPACKED.search(before) is not None
        and _UNPACKED_AFTER.match(after) is not None
    )
    if _SET_BEFORE.search(before) or (before.endswith(".") and (assigned or unpacked)):
        return "set"
    return "bound" if assigned or unpacked or _BOUND_BEFORE.search(before) else ""


def _bindings(source: Source, name: str, scope: list[str]) -> list[Constant] | Silent:
    outline = source.outline
    found = [
        one
        for one in outline.constants
        if one.name == name and (not scope or one.scope[-len(scope) :] == tuple(scope))
    ]
    if any(not one.certain for one in found) or (
        found and any(kind in _REBINDING for kind, _ in outline.dynamic)
    ):
        return Silent(
            reason=f"{clean_line(source.path)} binds {clean_line(name)} more than once, or under a condition."
        )
    if not found and any(one.kind in ("constant", "variable", "field") for one in source.defines(name)):
        return Silent(reason=f"{clean_line(source.path)} binds {clean_line(name)} to what is no literal.")
    return found


def _paths(reading: Reading, name: str, evidence: Evidence) -> list[str] | Silent:
    if (text := reading.maybe("path")) is not None:
        found = known_file(text, evidence)
        return found if isinstance(found, Silent) else [found.path]
    found_at = evidence.found(name)
    if found_at.skipped or evidence.unseen():
        return Silent(reason="Not every file could be searched for it; name the file.")
    paths = list(dict.fromkeys(hit.path for hit in found_at.all_hits))
    binding = [path for path in paths if _binds(name, path, evidence)]
    if binding and all(_BESIDE.search(path) for path in binding):
        return Silent(
            reason=f"Only {clean_line(binding[0])} sets it, which is no part of the program; name the file."
        )
    return binding


def _binds(name: str, path: str, evidence: Evidence) -> bool:
    """Whether a source binds a name where others see it: one that only reads it says nothing of its value."""
    source = read_source(path, evidence)
    if source is None:
        return language_of(path) is not None
    return bool(source.defines(name)) or any(one.name == name for one in source.outline.constants)


def _searched(reading: Reading) -> tuple[str, ...]:
    return (reading.one("constant").rpartition(".")[2],)


def _changed(reading: Reading, evidence: Evidence) -> Decision:
    pair = _then_and_now(reading, evidence)
    return pair if isinstance(pair, Silent) else _went(reading, *pair)


def _then_and_now(reading: Reading, evidence: Evidence) -> tuple[str, Constant, Constant] | Silent:
    """Give the file of the one constant that is meant, and what it was bound to at the base and is now."""
    found = _constant(reading, evidence)
    if isinstance(found, Silent):
        return found
    if isinstance(change := evidence.change(), Silent):
        return change
    path, now = found
    data = evidence.read_then(path)
    source = None if data is None else parse_source(path, data)
    before = (
        Silent(reason=f"{clean_line(path)} was not there at the base, or cannot be parsed.")
        if source is None
        else _bindings(source, now.name, list(now.scope))
    )
    if isinstance(before, Silent) or len(before) != 1:
        return (
            before
            if isinstance(before, Silent)
            else Silent(reason=f"{clean_line(now.name)} was not bound once to a literal at the base.")
        )
    twice = _times_bound(now.name, data or b"") > 1
    named = reading.maybe("path") is not None
    other = path if twice else None if named else _bound_then(path, now.name, change, evidence)
    if other is not None:
        return Silent(reason=f"At the base {clean_line(other)} may have set {clean_line(now.name)} too.")
    return path, before[0], now


def _bound_then(path: str, name: str, change: Change, evidence: Evidence) -> str | None:
    """Give another file that may have bound a name at the base; what has not changed was looked at as it is now."""
    others = [
        one
        for one in sorted(change.paths & change.then.keys() - {path})
        if PurePosixPath(one).suffix.casefold() not in _PROSE and change.then[one].mode in _REGULAR
    ]
    if len(others) > _MANY:
        return others[0]
    return next((one for one in others if _times_bound(name, evidence.read_then(one) or b"")), None)


def _times_bound(name: str, data: bytes) -> int:
    lines = data.decode("utf-8", "replace").split("\n")
    return sum(len(_ways_bound(name, line)) for line in lines if name in line)


def _unchanged(reading: Reading, evidence: Evidence) -> Decision:
    pair = _then_and_now(reading, evidence)
    if isinstance(pair, Silent):
        return pair
    path, then, now = pair
    words = f"At the base {show(now.name)} was {show(then.text)}, now it is {show(now.text)}."
    proof = Proof(kind="syntax", text=words, path=path, line=now.line, end_line=now.line)
    if then.value != now.value or type(then.value) is not type(now.value):
        return refuted(proof)
    # Its type may be another one.
    before, here = (
        text.split("\n")[one.line - 1].split()
        for text, one in ((_text_then(path, evidence), then), (evidence.text(path), now))
    )
    return confirmed(proof) if before == here else Silent(reason=f"{proof.text} Its line is not the same.")


def _text_then(path: str, evidence: Evidence) -> str:
    return (evidence.read_then(path) or b"").decode("utf-8", "replace")


def _went(reading: Reading, path: str, then: Constant, now: Constant) -> Decision:
    words = f"{show(now.name)} went from {show(then.text)} to {show(now.text)}."
    proof = Proof(kind="syntax", text=words, path=path, line=now.line, end_line=now.line)
    old, new = reading.one("old_value"), reading.one("new_value")
    same = [same_value(said, one, quoted=said in reading.quoted) for said, one in ((old, then), (new, now))]
    if None in same or (then.text == now.text and all(same)) or not _fits_direction(reading, old, new):
        return Silent(reason=f"{proof.text} How that reads depends.")
    return confirmed(proof) if all(same) else refuted(proof)


def _fits_direction(reading: Reading, old: str, new: str) -> bool:
    """Whether what is said to be raised or lowered is, by the numbers that are said."""
    up = any(reading.maybe(word) for word in ("rises", "rose"))
    if not up and not any(reading.maybe(word) for word in ("sinks", "sank")):
        return True
    if not (NUMBER.match(old) and NUMBER.match(new)):
        return False
    first, second = float(old.replace("_", "")), float(new.replace("_", ""))
    return first < second if up else first > second


VALUES: Final = Settler(
    name="values",
    does="A constant has a value, or went from one to another, in the source file that binds it once to a literal.",
    refuses="What is computed, read from the environment, bound twice or under a condition; units; numbers against their texts.",
    grammar=_GRAMMAR,
    forms={
        "constant_is": Form(decide=_constant_is, names=_searched),
        "constant_unchanged": Form(decide=_unchanged, names=_searched),
        "constant_was_changed": Form(decide=_changed, names=_searched),
    },
)
