"""A file mentions, calls or imports a name, or does not."""

from __future__ import annotations

import sys
from typing import Final

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.lines import text_of
from claimjury.settlers.outcome import Decision, Proof, Reading, Silent, confirmed, refuted, show
from claimjury.settlers.paths import known_file
from claimjury.settlers.search import Hit, is_word, last_of, word_pattern
from claimjury.settlers.sources import Source, read_source
from claimjury.settlers.texts import bones
from claimjury.text import clean_line

__all__ = [
    "DONE",
    "hit_proof",
    "in_file",
    "mentioning",
    "name_of",
]

_IMPLICIT: Final = frozenset(["toString", "valueOf", "constructor", "toJSON", "main", "init"])

DONE: Final = {"call": "called", "import": "imported", "use": "used"}


def name_of(reading: Reading) -> str:
    """Give what a statement asks for."""
    text = reading.maybe("symbol") or reading.one("word")
    return text.removesuffix("()").strip()


def hit_proof(hit: Hit) -> Proof:
    """Give a place as proof."""
    return Proof(
        kind="search",
        text="It stands there.",
        path=hit.path,
        line=hit.line,
        end_line=hit.line,
        excerpt=show(hit.text),
    )


def mentioning(reading: Reading, evidence: Evidence, *, wanted: bool) -> Decision:
    """Decide whether a file holds a name."""
    file = known_file(reading.one("path"), evidence)
    if isinstance(file, Silent):
        return file
    path = file.path
    text = text_of(path, evidence)
    if isinstance(text, Silent):
        return text
    name, lines = name_of(reading), text.split("\n")
    at = next((number for number, line in enumerate(lines, 1) if word_pattern(name).search(line)), None)
    if at is None:
        if bones(name) in bones(text) or is_word(last_of(name), text):
            return Silent(reason=f"{clean_line(path)} holds it in other case, or as a part of a longer word.")
        proof = Proof(
            kind="search", text=f"{show(name)!r} stands nowhere in its {len(lines)} lines.", path=path
        )
        return refuted(proof) if wanted else confirmed(proof)
    proof = hit_proof(Hit(path=path, line=at, text=lines[at - 1]))
    return confirmed(proof) if wanted else refuted(proof)


def in_file(reading: Reading, evidence: Evidence, how: str, *, wanted: bool) -> Decision:
    """Decide by the calls or imports of one file."""
    file = known_file(reading.one("path"), evidence)
    if isinstance(file, Silent):
        return file
    path = file.path
    source, text = read_source(path, evidence), text_of(path, evidence)
    if source is None or isinstance(text, Silent):
        return Silent(reason=f"{clean_line(path)} cannot be parsed whole, or is of no language that is.")
    return _by_outline(name_of(reading), path, source, text, how, wanted=wanted)


def _by_outline(name: str, path: str, source: Source, text: str, how: str, *, wanted: bool) -> Decision:
    if last_of(name).startswith("__") or last_of(name) in _IMPLICIT:
        return Silent(reason=f"{clean_line(name)} is called without being named.")
    lines = source.calls_of(name) if how == "call" else source.imports_of(name)
    if how == "import" and lines and name in sys.stdlib_module_names and not source.imports_module(name):
        return Silent(reason=f"{clean_line(path)} takes a name {clean_line(name)} of another module, if any.")
    if lines:
        hit = Hit(path=path, line=lines[0], text=text.split("\n")[lines[0] - 1])
        proof = hit_proof(hit).model_copy(update={"kind": "syntax", "text": f"It is {DONE[how]} there."})
        return confirmed(proof) if wanted else refuted(proof)
    if is_word(last_of(name), text):
        return Silent(reason=f"{clean_line(path)} holds {clean_line(last_of(name))}, which may {how} it.")
    if (doubt := source.doubt(name, how)) is not None:
        return Silent(reason=f"{clean_line(path)}: {doubt}")
    proof = Proof(kind="syntax", text=f"{show(name)} is {DONE[how]} nowhere in it.", path=path)
    return refuted(proof) if wanted else confirmed(proof)
