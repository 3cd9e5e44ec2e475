"""What a function takes: so many parameters, or one of a name."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, cast

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import Decision, Proof, Reading, Silent, confirmed, refuted, show
from claimjury.settlers.search import identifier, is_word
from claimjury.settlers.symbol_places import Meant, Place, at_base, now
from claimjury.settlers.syntax import Definition, Language, Parameters
from claimjury.settlers.texts import bones
from claimjury.text import clean_line

__all__ = ["in_parameters", "number_taken", "same_signature", "takes_named"]

_REPLACING: Final = frozenset(
    {"exec", "eval", "globals", "locals", "vars", "setattr", "__setattr__", "__globals__", "__dict__"}
    | {"attribute_assignment", "arguments"}
)
"""What in a file may give a function's name to another one, or let it take more than it says."""


@dataclass(frozen=True, slots=True)
class _Taken:
    """The parameters of the one function that is meant, and its whole text."""

    one: Definition
    parameters: Parameters
    language: Language
    text: str
    proof: Proof
    only: bool


_OPEN_TYPE: Final = re.compile(r"(?:\)\s*:\s*[^)]*|<\s*|\bstruct\s*|\binterface\s*)\{\Z")
"""What a function gives, said as an object whose parts stand in further lines."""
_Fact = Callable[[_Taken], bool | None]
"""Whether it is so, by what is taken; None where that depends on how it is read."""


def number_taken(meant: Meant, reading: Reading, evidence: Evidence) -> Decision:
    """Decide how many parameters, or arguments, a function takes."""
    wanted = 1 if reading.maybe("single") else int(reading.maybe("number") or "0")
    arguments = any(reading.maybe(word) for word in ("sym_argument", "sym_one_argument"))

    def fact(taken: _Taken) -> bool | None:
        parameters = taken.parameters
        if parameters.variadic:
            return None
        most = len(parameters.names)
        least = parameters.required if arguments else most
        # With `self`, some count one more; in Go a receiver is none of the parameters.
        outside = not least <= wanted <= most + bool(parameters.receiver)
        counted = parameters.receiver is None or taken.language == "go"
        if outside:
            # In JavaScript a call may give fewer arguments, and more.
            return None if arguments and taken.language == "javascript" else False
        return True if least == most == wanted and counted else None

    return _by(fact, meant, reading, evidence)


def takes_named(meant: Meant, reading: Reading, evidence: Evidence) -> Decision:
    """Decide whether a function takes a parameter of a name."""
    name = reading.one("parameter").strip()
    argument = reading.maybe("sym_one_argument") is not None

    def fact(taken: _Taken) -> bool | None:
        parameters = taken.parameters
        if name in parameters.names:
            return True
        # An argument may be a value, and in other languages one that is taken apart has names within.
        a_type = name[:1].isupper() or hasattr(builtins, name) or is_word(name, taken.text)
        near = any(bones(name) in bones(one) or bones(one) in bones(name) for one in parameters.names)
        plain = name.isidentifier() and not argument and all(parameters.names) and not (a_type or near)
        open_ = parameters.variadic or parameters.receiver is not None or taken.language != "python"
        return None if open_ or not plain else False

    return _by(fact, meant, reading, evidence)


def in_parameters(meant: Meant, reading: Reading, evidence: Evidence, *, added: bool) -> Decision:
    """Decide whether a function was given a parameter of a name, or lost it."""
    both = _then_and_now(meant, evidence)
    if isinstance(both, Silent):
        return both
    then, after = both
    name = reading.one("parameter").strip()
    before, here = then.parameters.names, after.parameters.names
    text = f"At the base it had {_listed(before)}, now {_listed(here)}."
    proof = after.proof.model_copy(update={"text": text})
    facts = (name in before, name in here)
    # One that came beside one that went may be that one under another name.
    other_way = set(before) - set(here) if added else set(here) - set(before)
    if facts == (not added, added) and not other_way and (added or not after.parameters.variadic):
        return confirmed(proof)
    # What was there and is still may be what a call was given.
    return Silent(reason=f"{text} Whether that is what is said depends on how it is read.")


def same_signature(meant: Meant, evidence: Evidence) -> Decision:
    """Decide whether a function is declared as it was: its parameters, their types and defaults, and what it gives."""
    both = _then_and_now(meant, evidence)
    if isinstance(both, Silent):
        return both
    then, after = both
    if _stands(then.one) != _stands(after.one):
        return Silent(reason="It stands in another scope, or has other decorators, than at the base.")
    before, here = _header(then.text), _header(after.text)
    text = f"At the base: {show(before)}. Now: {show(here)}."
    proof = after.proof.model_copy(update={"text": text})
    if before == here and not _OPEN_TYPE.search(here):
        return confirmed(proof)
    names = (then.parameters.names, after.parameters.names)
    # Only in Python are the names a part of it to callers.
    changed = names[0] != names[1] if then.language == "python" else len(names[0]) != len(names[1])
    changed = changed and then.only and after.only
    return (
        refuted(proof)
        if changed
        else Silent(reason=f"{text} Whether that is a change depends on how it is read.")
    )


def _then_and_now(meant: Meant, evidence: Evidence) -> tuple[_Taken, _Taken] | Silent:
    then, after = _taken(meant, at_base(meant, evidence)), _taken(meant, now(meant, evidence))
    if isinstance(then, Silent) or isinstance(after, Silent):
        return then if isinstance(then, Silent) else cast("Silent", after)
    return then, after


def _stands(one: Definition) -> tuple[object, ...]:
    return one.kind, one.scope, one.decorators


def _header(text: str) -> str:
    """Give a definition up to its body, on one line."""
    lines: list[str] = []
    for line in text.split("\n"):
        lines.append(line.strip())
        whole = " ".join(lines)
        if line.rstrip().endswith((":", "{")) and whole.count("(") == whole.count(")"):
            return whole
    return " ".join(lines)


def _by(fact: _Fact, meant: Meant, reading: Reading, evidence: Evidence) -> Decision:
    taken = _taken(meant, now(meant, evidence))
    if isinstance(taken, Silent):
        return taken
    text = f"It has {_listed(taken.parameters.names)}{_with_receiver(taken.parameters)}."
    shown = taken.proof.model_copy(update={"text": text})
    so = fact(taken)
    if so is None or not (so or taken.only):
        return Silent(reason=f"{text} Whether that is what is said depends on how it is read.")
    still, turned = (reading.maybe(word) is not None for word in ("sym_still", "sym_now"))
    if so and (still or turned) and _fact_then(fact, meant, evidence) is not still:
        return Silent(reason="What it took at the base does not fit the words, or is not sure.")
    return confirmed(shown) if so else refuted(shown)


def _fact_then(fact: _Fact, meant: Meant, evidence: Evidence) -> bool | None:
    taken = _taken(meant, at_base(meant, evidence))
    return None if isinstance(taken, Silent) else fact(taken)


def _taken(meant: Meant, place: Place | Silent) -> _Taken | Silent:
    """Give the parameters of the one function that is meant, where callers surely see them."""
    if isinstance(place, Silent):
        return place
    if not place.there or place.source is None:
        return Silent(reason=f"No definition of {clean_line(meant.name)} was found for sure.")
    same = place.source.defines(meant.last)
    (one, *others) = [one for one in same if place.one is not None and one.scope == place.one.scope]
    if others or not place.alone or one.parameters is None or one.conditional:
        words = "more than once, under a condition, or with no parameters of its own."
        return Silent(reason=f"{clean_line(place.path)} defines {clean_line(meant.name)} {words}")
    if not one.parameters.certain or _changed(one, place):
        words = "its decorators, overloads, bases or a type of its own let through"
        return Silent(reason=f"{show(meant.name)} takes what {words}.")
    text = "\n".join(place.lines[one.line - 1 : one.end_line])
    return _Taken(one, one.parameters, place.source.outline.language, text, place.proof, place.only)


def _changed(one: Definition, place: Place) -> bool:
    """Whether callers may see other parameters than those that stand there."""
    source = place.source
    if source is None or (one.parameters is not None and one.parameters.receiver == "this"):
        return True
    outline = source.outline
    stars = {"star_import"} if outline.language == "python" else set[str]()
    owners = [owner for owner in outline.definitions if (*owner.scope, owner.name) == one.scope]
    return (
        # A variable that is given a function, or a type between its name and its parameters.
        not _opens_at_once(one, place.lines)
        or any(kind in _REPLACING | stars for kind, _ in outline.dynamic)
        or any(owner.bases for owner in owners)
    )


def _opens_at_once(one: Definition, lines: Sequence[str]) -> bool:
    line = lines[one.line - 1] if one.line <= len(lines) else ""
    found = list(identifier(one.name).finditer(line))
    return len(found) == 1 and line[found[0].end() :].lstrip().startswith("(")


def _listed(names: Sequence[str]) -> str:
    plural = "parameter" if len(names) == 1 else "parameters"
    return f"{len(names)} {plural} ({', '.join(show(name) for name in names)})" if names else "no parameters"


def _with_receiver(parameters: Parameters) -> str:
    return f" beside {show(parameters.receiver)}" if parameters.receiver else ""
