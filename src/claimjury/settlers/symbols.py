"""A function, class, method, constant or option exists, was added, removed or renamed, or takes so many parameters; a route exists."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from claimjury.settlers.absence import absence_doubt
from claimjury.settlers.dependencies import dependency_in_change
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.inheriting import INHERITING_FORMS, INHERITING_GRAMMAR
from claimjury.settlers.manifests import is_manifest
from claimjury.settlers.outcome import (
    Decision,
    Form,
    Reading,
    Settled,
    Settler,
    Silent,
    all_of,
    confirmed,
    refuted,
    show,
)
from claimjury.settlers.search import last_of
from claimjury.settlers.symbol_changes import in_change, renaming
from claimjury.settlers.symbol_parameters import in_parameters, number_taken, same_signature, takes_named
from claimjury.settlers.symbol_places import Meant, Place, at_base, now
from claimjury.text import clean_line

__all__ = ["SYMBOLS"]

_GRAMMAR: Final = r"""
!kind: "function" | "method" | "class" | "constant" | "interface" | "struct" | "enum" | "trait" | "type" | "macro" | "variable" | "helper" | "test" | "exception"
!kinds: "functions" | "methods" | "classes" | "constants" | "interfaces" | "structs" | "enums" | "traits" | "types" | "macros" | "variables" | "helpers" | "tests"
!sym_adj: "new" | "public" | "private" | "exported"
!sym_still: "still"
!sym_now: "now"
!sym_longer: "longer"
!sym_argument: "argument" | "arguments"
!sym_one_argument: "argument"
_sym_when: sym_still | sym_now
_sym_is: "is" _sym_when?
_sym_there: "there" ("is" | "are") _sym_when?
_det: "the" | "a" | "an"
_adj: sym_adj | "helper"
_sym: (_det? _adj* kind)? name | _det? _adj* kind ("named" | "called") name | _det? _adj* name kind
_syms: _the? _adj* kinds? name ("," name)* ("," )? "and" name
_have_been: "were" | "have" "been"
owner_class: NAME
_to_class: ("to" | "on") (_the? ("class" | "struct" | "interface"))? owner_class
old_symbol: NAME
new_symbol: NAME
_in_file: ("in" | "inside") path
_to_file: ("in" | "inside" | "to" | "into") path
_from_file: ("in" | "inside" | "from") path
_of_file: ("in" | "inside" | "from" | "of") path
_defines: _sym_when? ("defines" | "declares")
_takes: "takes" | "has" | "accepts"
_params: "parameter" | "parameters" | "params" | sym_argument
_one_param: "parameter" | sym_one_argument

symbol_exists: _sym _sym_when? "exists" _in_file? | _sym _sym_is ("defined" | "declared") _in_file? | path _defines _sym | _sym_there _sym _in_file? | path ("contains" | "has") _det? _adj* kind name
symbol_absent: _sym ("does" "not" "exist" | "no" sym_longer "exists") _in_file? | _sym _sym_is "not" "defined" _in_file? | _sym "is" "no" sym_longer "defined" _in_file? | _sym_there "no" kind? name _in_file? | path ("does" "not" "define" | "no" sym_longer "defines") _sym | path ("no" sym_longer ("has" | "contains") | "does" "not" ("have" | "contain")) _det? _adj* kind name
symbol_added: _agent? ("adds" | "added" | "introduces" | "introduced" | "creates" | "created") _sym _to_class? _to_file? _here? | _sym _be ("added" | "introduced" | "created") _to_class? _to_file? _here? | _sym "is" "new" _in_file? _here?
symbol_removed: _agent? ("removes" | "removed" | "deletes" | "deleted" | "drops" | "dropped") _sym _from_file? _here? | _sym _be ("removed" | "deleted" | "dropped") _from_file? _here?
symbols_added: _agent? ("adds" | "added" | "introduces" | "introduced" | "creates" | "created") _syms _to_file? _here? | _syms _have_been ("added" | "introduced" | "created") _to_file? _here?
symbols_removed: _agent? ("removes" | "removed" | "deletes" | "deleted" | "drops" | "dropped") _syms _from_file? _here? | _syms _have_been ("removed" | "deleted" | "dropped") _from_file? _here?
symbol_renamed: (_the? kind)? old_symbol _be "renamed" "to" new_symbol _in_file? _here? | _agent? ("renames" | "renamed") (_the? kind)? old_symbol "to" new_symbol _in_file? _here?
parameter_count: (_the? kind)? name _sym_when? _takes _so_many | (_the? kind)? name _of_file _takes _so_many
_so_many: "exactly"? number _params | none _params | ("exactly" | "a" | "only")? single _one_param
!single: "one" | "single"
parameter_named: (_the? kind)? name _sym_when? _takes ("a" | "an" | "the")? (_one_param parameter | parameter _one_param)
parameter_added: _agent? ("adds" | "added" | "introduces" | "introduced") _new_param "to" _function _here? | _new_param _be ("added" | "introduced") "to" _function _here?
signature_unchanged: _the "signature" "of" _function ("is" "unchanged" | ("did" | "does") "not" "change" | (_be | "is") "not" "changed" _here?)
parameter_removed: _agent? ("removes" | "removed" | "drops" | "dropped") _new_param "from" _function _here? | _new_param _be ("removed" | "dropped") "from" _function _here?
_new_param: _det? "new"? (_one_param parameter | parameter _one_param)
_function: (_the? kind)? name _in_file? | _the? name kind _in_file?
!none: "no"
parameter: NAME | TEXT
"""


def _meant(reading: Reading) -> Meant:
    name = reading.one("name").removesuffix("()")
    if (owner := reading.maybe("owner_class")) is not None:
        name = f"{owner}.{name}"
    return Meant(name, reading.maybe("kind"), reading.maybe("path"))


def _searched(reading: Reading) -> tuple[str, ...]:
    names = [name for part in ("name", "old_symbol", "new_symbol") for name in reading.all(part)]
    return () if reading.maybe("path") else tuple(last_of(name.removesuffix("()")) for name in names)


def _exists(reading: Reading, evidence: Evidence) -> Decision:
    return _qualified(reading, new=False) or _presence(reading, evidence, wanted=True)


def _absent(reading: Reading, evidence: Evidence) -> Decision:
    return _qualified(reading, new=False) or _presence(reading, evidence, wanted=False)


def _qualified(reading: Reading, *, new: bool) -> Silent | None:
    """Silence where a word says more of a symbol than its kind; "new" is what a form that looks at the change decides anyway."""
    words = [word for word in reading.all("sym_adj") if not (new and word == "new")]
    return Silent(reason=f'Whether it is "{words[0]}" is not looked at.') if words else None


def _presence(reading: Reading, evidence: Evidence, *, wanted: bool) -> Decision:
    meant = _meant(reading)
    if reading.maybe("sym_longer") or reading.maybe("sym_now"):
        return _turned(meant, evidence, wanted=wanted)
    place = now(meant, evidence)
    if isinstance(place, Silent):
        return place
    doubt = _doubt(meant, place, evidence)
    if doubt is None and place.there is not wanted:
        return refuted(place.proof)
    if doubt is None and reading.maybe("sym_still"):
        then = at_base(meant, evidence)
        if isinstance(then, Silent) or then.there is not wanted:
            return Silent(reason="It was not so at the base, or that is not sure.")
        return confirmed(then.proof, place.proof)
    return doubt or confirmed(place.proof)


def _doubt(meant: Meant, place: Place, evidence: Evidence) -> Silent | None:
    if place.there is None:
        return Silent(reason=place.doubt)
    return None if place.there else absence_doubt(meant, place, evidence)


def _turned(meant: Meant, evidence: Evidence, *, wanted: bool) -> Decision:
    """Decide what is now so and was not: "no longer" is a removal, and what "now exists" was added."""
    decision = in_change(meant, evidence, added=wanted)
    if wanted and isinstance(decision, Settled) and decision.verdict == "REFUTED":
        return Silent(reason="It was there before, so whether it now exists depends on how that is read.")
    return decision


def _added(reading: Reading, evidence: Evidence) -> Decision:
    return _qualified(reading, new=True) or _in_change(reading, evidence, added=True)


def _removed(reading: Reading, evidence: Evidence) -> Decision:
    return _qualified(reading, new=False) or _in_change(reading, evidence, added=False)


def _in_change(reading: Reading, evidence: Evidence, *, added: bool) -> Decision:
    """Decide what came or went; in a manifest that is a dependency."""
    meant = _meant(reading)
    if meant.kind is None and meant.path is not None and is_manifest(meant.path):
        parts = {"dependency": (meant.name,), "path": (meant.path,)}
        return dependency_in_change(replace(reading, parts=parts), evidence, wanted=(not added, added))
    return in_change(meant, evidence, added=added)


def _all_in_change(reading: Reading, evidence: Evidence, *, added: bool) -> Decision:
    """Decide a list of symbols of one kind, in one file where it is named."""
    if (silence := _qualified(reading, new=added)) is not None:
        return silence
    kinds = reading.maybe("kinds")
    kind = None if kinds is None else "class" if kinds == "classes" else kinds.removesuffix("s")
    meant = [Meant(name.removesuffix("()"), kind, reading.maybe("path")) for name in reading.all("name")]
    return all_of([_named(one.name, in_change(one, evidence, added=added)) for one in meant])


def _named(name: str, decision: Decision) -> Decision:
    """Say in each proof, or in the reason, which one of a list it is of."""
    if isinstance(decision, Silent):
        return replace(decision, reason=f"{clean_line(name)}: {decision.reason}")
    told = [proof.model_copy(update={"text": f"{show(name)}: {proof.text}"}) for proof in decision.proof]
    return replace(decision, proof=tuple(told))


def _renamed(reading: Reading, evidence: Evidence) -> Decision:
    kind, path = reading.maybe("kind"), reading.maybe("path")
    old, new = (reading.one(part).removesuffix("()") for part in ("old_symbol", "new_symbol"))
    return renaming(Meant(old, kind, path), Meant(new, kind, path), evidence)


def _parameter_count(reading: Reading, evidence: Evidence) -> Decision:
    return number_taken(_meant(reading), reading, evidence)


def _parameter_named(reading: Reading, evidence: Evidence) -> Decision:
    return takes_named(_meant(reading), reading, evidence)


def _signature_unchanged(reading: Reading, evidence: Evidence) -> Decision:
    return same_signature(_meant(reading), evidence)


def _parameter_in_change(reading: Reading, evidence: Evidence, *, added: bool) -> Decision:
    return in_parameters(_meant(reading), reading, evidence, added=added)


SYMBOLS: Final = Settler(
    name="symbols",
    does="A function, class, method or constant exists, was added, removed or renamed, takes so many or such parameters, or was given one or lost it; a class is derived from another.",
    refuses="Names that several files define; that something is defined nowhere; files that cannot be parsed whole; what moved; signatures that decorators or bases may change.",
    grammar=_GRAMMAR + INHERITING_GRAMMAR,
    forms={
        "symbol_exists": Form(decide=_exists, names=_searched),
        "symbol_absent": Form(decide=_absent, names=_searched),
        "symbol_added": Form(decide=_added, names=_searched),
        "symbol_removed": Form(decide=_removed, names=_searched),
        "symbols_added": Form(decide=partial(_all_in_change, added=True), names=_searched),
        "symbols_removed": Form(decide=partial(_all_in_change, added=False), names=_searched),
        "symbol_renamed": Form(decide=_renamed, names=_searched),
        "parameter_count": Form(decide=_parameter_count, names=_searched),
        **INHERITING_FORMS,
        "signature_unchanged": Form(decide=_signature_unchanged, names=_searched),
        "parameter_named": Form(decide=_parameter_named, names=_searched),
        "parameter_added": Form(
            decide=partial(_parameter_in_change, added=True), refutes=False, names=_searched
        ),
        "parameter_removed": Form(
            decide=partial(_parameter_in_change, added=False), refutes=False, names=_searched
        ),
    },
)
