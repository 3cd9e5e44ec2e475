"""A function, class, method, constant or option exists, was added, removed or renamed, or takes so many parameters; a route exists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from claimjury.settlers.absence import absence_doubt
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
    share_alike,
    show,
)
from claimjury.settlers.sources import parse_source
from claimjury.settlers.symbol_places import Place, at_base, last_of, now, scoped
from claimjury.settlers.syntax import Parameters
from claimjury.text import clean_line

__all__ = ["SYMBOLS"]

_GRAMMAR: Final = r"""
!kind: "function" | "method" | "class" | "constant" | "interface" | "struct" | "enum" | "trait" | "type" | "macro" | "variable" | "helper" | "test"
_det: "the" | "a" | "an"
_adj: "new" | "public" | "private" | "exported" | "helper"
_sym: (_det? _adj* kind)? name | _det? _adj* kind ("named" | "called") name | _det? _adj* name kind
old_symbol: NAME
new_symbol: NAME
_to: "to" | "in" | "into" | "from" | "of"
_in_file: ("in" | "to" | "into" | "from" | "of" | "inside") path
_defines: _now? ("defines" | "declares")
_params: "parameter" | "parameters" | "argument" | "arguments" | "params"

symbol_exists: _sym _now? "exists" _in_file? | _sym _is ("defined" | "declared") _in_file? | path _defines _sym | _there_is _sym _in_file? | path ("contains" | "has") _det? _adj* kind name
symbol_absent: _sym ("does" "not" "exist" | "no" "longer" "exists") _in_file? | _sym _is "not" "defined" _in_file? | _sym _is "no" "longer" "defined" _in_file? | _there_is "no" kind? name _in_file? | path ("does" "not" "define" | "no" "longer" "defines") _sym | path ("no" "longer" ("has" | "contains") | "does" "not" ("have" | "contain")) _det? _adj* kind name
symbol_added: _agent? ("adds" | "added" | "introduces" | "introduced" | "creates" | "created") _sym _in_file? _here? | _sym _be ("added" | "introduced" | "created") _in_file? _here? | _sym _is "new" _in_file? _here?
symbol_removed: _agent? ("removes" | "removed" | "deletes" | "deleted" | "drops" | "dropped") _sym _in_file? _here? | _sym _be ("removed" | "deleted" | "dropped") _in_file? _here?
symbol_renamed: (_the? kind)? old_symbol _be "renamed" "to" new_symbol _in_file? _here? | _agent? ("renames" | "renamed") (_the? kind)? old_symbol "to" new_symbol _in_file? _here?
parameter_count: (_the? kind)? name ("takes" | "has" | "accepts") "exactly"? number _params | (_the? kind)? name ("takes" | "has" | "accepts") none _params | (_the? kind)? name _in_file ("takes" | "has" | "accepts") (number | none) _params | (_the? kind)? name _now ("takes" | "has" | "accepts") "exactly"? number _params
parameter_named: (_the? kind)? name _now? ("takes" | "has" | "accepts") ("a" | "an" | "the")? (_params parameter | parameter _params)
!none: "no"
parameter: NAME | TEXT
"""


@dataclass(frozen=True, slots=True)
class _Meant:
    """What a statement names."""

    name: str
    kind: str | None
    path: str | None


def _meant(reading: Reading) -> _Meant:
    name = reading.one("name").removesuffix("()")
    return _Meant(name, reading.maybe("kind"), reading.maybe("path"))


def _searched(reading: Reading) -> tuple[str, ...]:
    names = [reading.maybe(part) for part in ("name", "old_symbol", "new_symbol")]
    return () if reading.maybe("path") else tuple(last_of(name.removesuffix("()")) for name in names if name)


def _exists(reading: Reading, evidence: Evidence) -> Decision:
    return _presence(_meant(reading), evidence, wanted=True)


def _absent(reading: Reading, evidence: Evidence) -> Decision:
    return _presence(_meant(reading), evidence, wanted=False)


def _presence(meant: _Meant, evidence: Evidence, *, wanted: bool) -> Decision:
    place = now(meant.name, meant.kind, meant.path, evidence)
    if isinstance(place, Silent):
        return place
    if place.there is None:
        return Silent(reason=place.doubt)
    if not place.there and (doubt := absence_doubt(meant.name, meant.kind, meant.path, evidence)):
        return doubt
    return confirmed(place.proof) if place.there is wanted else refuted(place.proof)


def _added(reading: Reading, evidence: Evidence) -> Decision:
    return _in_change(_meant(reading), evidence, added=True)


def _removed(reading: Reading, evidence: Evidence) -> Decision:
    return _in_change(_meant(reading), evidence, added=False)


def _in_change(meant: _Meant, evidence: Evidence, *, added: bool) -> Decision:
    pair = _then_and_now(meant, evidence)
    if isinstance(pair, Silent):
        return pair
    then, after = pair
    if then.there and after.there and then.path != after.path:
        return Silent(reason=f"It moved from {clean_line(then.path)} to {clean_line(after.path)}.")
    if then.there if added else after.there:
        # What was there cannot be added, and what is there was not removed.
        return refuted(then.proof, after.proof)
    if (then.there, after.there) == (not added, added):
        gone = then if added else after
        if meant.kind is None and not gone.nowhere:
            return Silent(reason=f"Where {clean_line(meant.name)} is not defined it stands all the same.")
        return confirmed(then.proof, after.proof)
    return _never_there(meant, then, after, evidence) or refuted(then.proof, after.proof)


def _never_there(meant: _Meant, then: Place, after: Place, evidence: Evidence) -> Silent | None:
    """Silence where it is not sure that something was there neither before nor after; a name that no file holds needs no kind."""
    spelled = not (then.nowhere and after.nowhere)
    kind = meant.kind if spelled or meant.kind else "function"
    return absence_doubt(meant.name, kind, meant.path, evidence)


def _then_and_now(meant: _Meant, evidence: Evidence) -> tuple[Place, Place] | Silent:
    """Give where something is defined at the base and now; silence where one of the two is not sure."""
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    then = _sure(at_base(meant.name, meant.kind, meant.path, evidence))
    if isinstance(then, Silent):
        return then
    after = _sure(now(meant.name, meant.kind, meant.path, evidence))
    if isinstance(after, Silent):
        return after
    if (
        meant.path is not None
        and then.there is not after.there
        and (elsewhere := _elsewhere(meant, evidence, then=after.there is True))
    ):
        return elsewhere
    return then, after


def _sure(place: Place | Silent) -> Place | Silent:
    return Silent(reason=place.doubt) if isinstance(place, Place) and place.there is None else place


def _elsewhere(meant: _Meant, evidence: Evidence, *, then: bool) -> Silent | None:
    """Silence where what is new in a file stood in another one before, or what is gone stands in another one now."""
    other = (
        at_base(meant.name, meant.kind, None, evidence)
        if then
        else now(meant.name, meant.kind, None, evidence)
    )
    if isinstance(other, Place) and other.there is False:
        return None
    when = "at the base" if then else "now"
    return Silent(reason=f"{clean_line(meant.name)} also stands elsewhere {when}, so it may have moved.")


def _renamed(reading: Reading, evidence: Evidence) -> Decision:
    kind, path = reading.maybe("kind"), reading.maybe("path")
    old, new = reading.one("old_symbol").removesuffix("()"), reading.one("new_symbol").removesuffix("()")
    olds = _then_and_now(_Meant(old, kind, path), evidence)
    news = _then_and_now(_Meant(new, kind, path), evidence)
    if isinstance(olds, Silent) or isinstance(news, Silent):
        return olds if isinstance(olds, Silent) else cast("Silent", news)
    if not news[1].there:
        doubt = _never_there(_Meant(new, kind, path), *news, evidence)
        return doubt or refuted(*(one.proof for one in (*olds, *news)))
    return _renaming(olds, news, evidence)


def _renaming(olds: tuple[Place, Place], news: tuple[Place, Place], evidence: Evidence) -> Decision:
    (old_then, old_now), (new_then, new_now) = olds, news
    facts = (old_then.there, old_now.there, new_then.there, new_now.there)
    proof = (old_then.proof, old_now.proof, new_then.proof, new_now.proof)
    if old_then.there and old_now.there and _kept_as_it_was(old_then, old_now, new_now, evidence):
        return refuted(*proof)
    if facts != (True, False, False, True):
        return Silent(reason="The old name is still there, or the new one was there before.")
    if old_then.path != new_now.path and old_then.path in evidence.files:
        return Silent(reason="One is gone and the other is new, but in another file.")
    alike = _alike(old_then, new_now, evidence)
    if alike < 0.5:
        return Silent(
            reason=f"One is gone and the other is new, but only {alike:.0%} of their lines are the same."
        )
    return confirmed(*proof)


def _kept_as_it_was(then: Place, after: Place, other: Place, evidence: Evidence) -> bool:
    """Whether something is unchanged and the other one is no copy of it: a name that is kept for old callers leads to the new one."""
    same = then.path == after.path and _alike(then, after, evidence) == 1.0
    return same and _alike(then, other, evidence) < 0.5


def _alike(then: Place, after: Place, evidence: Evidence) -> float:
    def body(data: bytes | None, place: Place) -> list[str]:
        first, last = place.span
        lines = (data or b"").decode("utf-8", "replace").split("\n")[first:last]
        return [line.strip() for line in lines if line.strip()]

    before, later = body(evidence.read_then(then.path), then), body(evidence.read(after.path), after)
    if not before and not later:
        return 1.0
    return share_alike(before, later)


def _parameter_count(reading: Reading, evidence: Evidence) -> Decision:
    taken = _parameters(reading, evidence)
    if isinstance(taken, Silent):
        return taken
    parameters, proof = taken
    if not parameters.certain or parameters.variadic:
        return Silent(
            reason=f"{show(reading.one('name'))} takes what its decorators, overloads or a rest parameter let through."
        )
    wanted = int(reading.maybe("number") or "0")
    count = len(parameters.names)
    # With `self`, some count one more; in Go a receiver is none of the parameters.
    ways = (
        {count, count + 1}
        if parameters.receiver and proof.path and not proof.path.endswith(".go")
        else {count}
    )
    shown = proof.model_copy(
        update={"text": f"It has {_listed(parameters.names)}{_with_receiver(parameters)}."}
    )
    if wanted not in ways:
        return refuted(shown)
    return (
        confirmed(shown)
        if len(ways) == 1
        else Silent(reason=f"{shown.text} Say whether the receiver counts.")
    )


def _listed(names: Sequence[str]) -> str:
    plural = "parameter" if len(names) == 1 else "parameters"
    return f"{len(names)} {plural} ({', '.join(show(name) for name in names)})" if names else "no parameters"


def _with_receiver(parameters: Parameters) -> str:
    return f" beside {show(parameters.receiver)}" if parameters.receiver else ""


def _parameter_named(reading: Reading, evidence: Evidence) -> Decision:
    taken = _parameters(reading, evidence)
    if isinstance(taken, Silent):
        return taken
    parameters, proof = taken
    if not parameters.certain:
        return Silent(
            reason=f"{show(reading.one('name'))} takes what its decorators or overloads let through."
        )
    name = reading.one("parameter").strip()
    shown = proof.model_copy(
        update={"text": f"It has {_listed(parameters.names)}{_with_receiver(parameters)}."}
    )
    if name in parameters.names:
        return confirmed(shown)
    return Silent(reason=f"{shown.text} More may be let through.") if parameters.variadic else refuted(shown)


def _parameters(reading: Reading, evidence: Evidence) -> tuple[Parameters, Proof] | Silent:
    """Give the parameters of the one function that is meant."""
    meant = _meant(reading)
    place = now(meant.name, meant.kind, meant.path, evidence)
    if isinstance(place, Silent):
        return place
    if not place.there:
        return Silent(reason=f"No definition of {clean_line(meant.name)} was found for sure.")
    data = evidence.read(place.path)
    source = None if data is None else parse_source(place.path, data)
    found = (
        [] if source is None else [one for one in scoped(source, meant.name) if one.parameters is not None]
    )
    if len(found) != 1 or found[0].parameters is None or found[0].conditional or found[0].overload:
        return Silent(
            reason=f"{clean_line(place.path)} defines {clean_line(meant.name)} {len(found)} times, or under a condition."
        )
    return found[0].parameters, place.proof


SYMBOLS: Final = Settler(
    name="symbols",
    does="A function, class, method or constant exists, was added, removed or renamed, or takes so many or such parameters.",
    refuses="Names that several files define; files that cannot be parsed whole; what moved; signatures that decorators may change.",
    grammar=_GRAMMAR,
    forms={
        "symbol_exists": Form(decide=_exists, names=_searched),
        "symbol_absent": Form(decide=_absent, names=_searched),
        "symbol_added": Form(decide=_added, change=True, names=_searched),
        "symbol_removed": Form(decide=_removed, change=True, names=_searched),
        "symbol_renamed": Form(decide=_renamed, change=True, names=_searched),
        "parameter_count": Form(decide=_parameter_count, names=_searched),
        "parameter_named": Form(decide=_parameter_named, names=_searched),
    },
)
