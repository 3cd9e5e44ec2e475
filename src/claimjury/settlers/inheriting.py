"""A class is derived from another one, by the classes that its definition names."""

from __future__ import annotations

import re
from typing import Final

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.outcome import Decision, Form, Reading, Silent, confirmed, refuted, show
from claimjury.settlers.search import last_of
from claimjury.settlers.symbol_places import Meant, Place, now
from claimjury.text import clean_line

__all__ = ["INHERITING_FORMS", "INHERITING_GRAMMAR"]

_ROOTS: Final = ("object", "Object", "builtins.object", "java.lang.Object", "type", "Protocol", "ABC")
_NAMES_OTHERS: Final = re.compile(r"\(|\b(?:extends|implements|with|permits)\b")
INHERITING_GRAMMAR: Final = r"""
base_class: NAME
_derives: _is ("a" | "an")? "subclass" "of" | _now? ("subclasses" | "extends" | "inherits" "from" | "derives" "from")
class_derives: (_the? ("class" | "exception"))? name _derives base_class _in_file?
"""


def _derives(reading: Reading, evidence: Evidence) -> Decision:
    place = now(Meant(reading.one("name"), "class", reading.maybe("path")), evidence)
    if isinstance(place, Silent):
        return place
    if not place.there or place.one is None or not (place.only and place.alone):
        return Silent(reason=f"{clean_line(reading.one('name'))} is not one class of this tree for sure.")
    bases, said = [base for base in place.one.bases if "=" not in base], reading.one("base_class")
    header = _header(place)
    named = ", ".join(map(show, bases))
    proof = place.proof.model_copy(update={"text": f"Its definition names {named or 'no class'}."})
    if said in bases or last_of(said) in map(last_of, bases):
        exact = (said in bases or "." not in said) and "implements" not in header
        return confirmed(proof) if exact else Silent(reason=f"{proof.text} That may be another one.")
    if said in _ROOTS or bases or place.one.decorators or _NAMES_OTHERS.search(header):
        # What these are derived from, or what a decorator makes of it, is not looked at.
        return Silent(reason=f"{proof.text} These may be derived from it.")
    return refuted(proof)


def _header(place: Place) -> str:
    """Give a definition up to its body, on one line."""
    if place.one is None:
        return ""
    text = "\n".join(place.lines[place.one.line - 1 : place.one.end_line])
    return text.split("\n")[0] if "{" in text else text.split(":")[0]


INHERITING_FORMS: Final = {
    "class_derives": Form(decide=_derives, names=lambda reading: (last_of(reading.one("name")),))
}
