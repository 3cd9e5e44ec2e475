"""A constant has a value, in the source file that assigns it once."""

from __future__ import annotations

import re
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
from claimjury.settlers.search import Hit
from claimjury.settlers.sources import Source, hidden_by, parse_source, read_source
from claimjury.settlers.syntax import Constant
from claimjury.text import clean_line

__all__ = ["VALUES"]

_GRAMMAR: Final = r"""
_equals: _is | _be "set" "to" | _is "set" "to" | "equals" | "is" "equal" "to" | "has" _the "value"
constant: NAME
!value: INT | VERSION | TEXT | NAME
_const: _the? ("constant" | "value" "of" | "variable")? constant
constant_is: _const ("in" path)? _equals value ("in" path)? | path "sets" constant "to" value
constant_was_changed: _const ("in" path)? _be ("changed" | "raised" | "lowered" | "increased" | "reduced") "from" old_value "to" new_value ("in" path)? _here? | _agent? ("changes" | "changed" | "raises" | "raised" | "lowers" | "lowered" | "increases" | "increased" | "reduces" | "reduced") _const "from" old_value "to" new_value ("in" path)? _here?
old_value: INT | VERSION | TEXT
new_value: INT | VERSION | TEXT
"""
_REBINDING: Final = ("exec", "globals", "star_import", "setattr", "attribute_assignment")
_VERSION: Final = re.compile(r"v?\d+(?:\.\d+)+(?:[-+.]?\w+)*\Z")
_NUMBER: Final = re.compile(r"-?\d[\d_]*(?:\.\d+)?\Z")


def _constant_is(reading: Reading, evidence: Evidence) -> Decision:
    found = _constant(reading, evidence)
    if isinstance(found, Silent):
        return found
    path, constant = found
    return _compared(
        reading.one("value"),
        "value" in reading.parts and reading.one("value") in reading.quoted,
        path,
        constant,
    )


def _compared(said: str, quoted: bool, path: str, constant: Constant) -> Decision:
    proof = _proof(path, constant)
    same = _same(said, constant)
    if same is None:
        return Silent(reason=f"{proof.text} Whether that is {show(said)} depends on how it is read.")
    versions = isinstance(constant.value, str) and all(map(_VERSION.match, (said, constant.value)))
    if not same and not _NUMBER.match(said) and not (quoted and (versions or _is_literal(said))):
        return Silent(reason=f"{proof.text} {show(said)} may be no value.")
    return confirmed(proof) if same else refuted(proof)


def _is_literal(said: str) -> bool:
    """Whether a text can be nothing but a value: a text in its own quotes, or a word that languages keep for one."""
    return re.fullmatch(r"([\"'`]).*\1|True|False|None|true|false|null|nil", said) is not None


def _proof(path: str, constant: Constant) -> Proof:
    words = f"{show(constant.name)} is {show(constant.text)} there."
    return Proof(kind="syntax", text=words, path=path, line=constant.line, end_line=constant.line)


def _same(said: str, constant: Constant) -> bool | None:
    """Whether a text is the value; None where the two differ in kind only, as 30 and "30" do."""
    text, value = constant.text.strip(), constant.value
    if said == text:
        return True
    if isinstance(value, str):
        bare = said[1:-1] if len(said) > 1 and said[0] == said[-1] and said[0] in "'\"`" else said
        if bare == value:
            return None if _NUMBER.match(said) else True
        return False
    if isinstance(value, bool) or value is None:
        return None if said.casefold() == text.casefold() else False
    if not _NUMBER.match(said):
        return None
    bare = said.replace("_", "")
    number = float(bare) if "." in bare else int(bare)
    return None if ("." in said) != isinstance(value, float) and number == value else number == value


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
    if (elsewhere := _set_elsewhere(last, evidence)) is not None:
        return elsewhere
    return bound[0]


def _set_elsewhere(name: str, evidence: Evidence) -> Silent | None:
    """Silence where any file sets an attribute of that name, counts it up, or holds it as a text by which it can be set."""
    word = re.escape(name)
    sets = re.compile(
        rf"\.{word}\s*(?::[^=]+)?=(?!=)|(?<![\w$]){word}\s*(?:[-+*/%&|^@]|//|\*\*|<<|>>)=|[\"'][\w.:]*[.:]{word}[\"']"
        rf"|(?:set|del|patch|stub|replace|__dict__|globals|vars|locals|environ|monkey)\w*\b.*[\"']{word}[\"']"
    )
    hits = (hit for hit in evidence.found(name).hits if sets.search(hit.text))
    hit = next((hit for hit in hits if not _is_exported_there(name, hit, evidence)), None)
    return (
        None
        if hit is None
        else Silent(reason=f"{clean_line(hit.path)}:{hit.line} may set {clean_line(name)} too.")
    )


def _is_exported_there(name: str, hit: Hit, evidence: Evidence) -> bool:
    source = read_source(hit.path, evidence)
    return source is not None and any(
        one.name == name and one.line == hit.line for one in source.outline.exports
    )


def _bindings(source: Source, name: str, scope: list[str]) -> list[Constant] | Silent:
    outline = source.outline
    found = [
        one
        for one in outline.constants
        if one.name == name and (not scope or one.scope[-len(scope) :] == tuple(scope))
    ]
    if any(not one.certain for one in found) or (found and hidden_by(outline) in _REBINDING):
        return Silent(
            reason=f"{clean_line(source.path)} binds {clean_line(name)} more than once, or under a condition."
        )
    if not found and any(one.kind in ("constant", "variable", "field") for one in source.defines(name)):
        return Silent(reason=f"{clean_line(source.path)} binds {clean_line(name)} to what is no literal.")
    return found


def _paths(reading: Reading, name: str, evidence: Evidence) -> list[str] | Silent:
    if (text := reading.maybe("path")) is not None:
        found = resolve(text, evidence)
        if isinstance(found, Path):
            return [found.path]
        return (
            found
            if isinstance(found, Silent)
            else Silent(reason=f"There is no file {clean_line(found.path)}.")
        )
    found_at = evidence.found(name)
    if found_at.skipped or evidence.unseen():
        return Silent(reason="Not every file could be searched for it; name the file.")
    paths = list(dict.fromkeys(hit.path for hit in found_at.hits))
    return [path for path in paths if _binds(name, path, evidence)]


def _binds(name: str, path: str, evidence: Evidence) -> bool:
    """Whether a file may bind a name: a source that only reads it says nothing of its value."""
    source = read_source(path, evidence)
    if source is not None:
        return bool(source.defines(name)) or any(one.name == name for one in source.outline.constants)
    data = (evidence.read(path) or b"").decode("utf-8", "replace")
    return re.search(rf"(?<![\w$]){re.escape(name)}[\"']?\s*(?::?=|:)", data) is not None


def _searched(reading: Reading) -> tuple[str, ...]:
    return (reading.one("constant").rpartition(".")[2],)


def _changed(reading: Reading, evidence: Evidence) -> Decision:
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
    then = before[0]
    proof = Proof(
        kind="syntax",
        text=f"{show(now.name)} went from {show(then.text)} to {show(now.text)}.",
        path=path,
        line=now.line,
        end_line=now.line,
    )
    same = (_same(reading.one("old_value"), then), _same(reading.one("new_value"), now))
    if None in same:
        return Silent(reason=f"{proof.text} How that reads depends.")
    return confirmed(proof) if all(same) else refuted(proof)


VALUES: Final = Settler(
    name="values",
    does="A constant has a value, or went from one to another, in the source file that binds it once to a literal.",
    refuses="What is computed, read from the environment, bound twice or under a condition; units; numbers against their texts.",
    grammar=_GRAMMAR,
    forms={
        "constant_is": Form(decide=_constant_is, names=_searched),
        "constant_was_changed": Form(decide=_changed, change=True, names=_searched),
    },
)
