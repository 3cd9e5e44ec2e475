"""A file mentions, calls or imports a name, or does not."""

from __future__ import annotations

import re
import sys
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.declaring import declared_names
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.lines import text_of
from claimjury.settlers.outcome import Decision, Proof, Reading, Silent, confirmed, refuted, show
from claimjury.settlers.paths import known_file
from claimjury.settlers.search import Hit, is_word, last_of, word_pattern
from claimjury.settlers.sources import Source, read_source
from claimjury.settlers.syntax import language_of
from claimjury.settlers.texts import bones
from claimjury.text import clean_line

__all__ = [
    "DONE",
    "hit_proof",
    "in_file",
    "is_code",
    "is_plain_word",
    "mentioning",
    "name_of",
]

_IMPLICIT: Final = frozenset(["toString", "valueOf", "constructor", "toJSON", "main", "init"])

_MOST_HOMES: Final = 20
DONE: Final = {"call": "called", "import": "imported", "use": "used"}


def name_of(reading: Reading) -> str:
    """Give what a statement asks for."""
    text = reading.maybe("symbol") or reading.one("word")
    return text.removesuffix("()").strip()


def is_plain_word(reading: Reading) -> bool:
    """Whether a symbol is said by its kind and its name may be a word of prose: "the function `build`"."""
    return reading.maybe("noun") is not None and re.fullmatch(r"[a-z]+", name_of(reading)) is not None


def is_code(name: str, line: str) -> bool:
    """Whether a name stands in a line as code does: marked, called, imported, defined, or of something."""
    word = re.escape(name)
    return (
        re.search(
            rf"[`'\"]{word}(?:\(\))?[`'\"]|(?<![\w$]){word}\(|[.:]{word}\b"
            rf"|\b(?:def|class|func|fn|function|import|from|new|const|let|var|type|struct)\s+{word}\b",
            line,
        )
        is not None
    )


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
    hits = [number for number, line in enumerate(lines, 1) if word_pattern(name).search(line)]
    sure = [at for at in hits if is_code(name, lines[at - 1])] if is_plain_word(reading) else hits
    if hits and not sure:
        return Silent(
            reason=f"{clean_line(path)}:{hits[0]} holds the word, and may not mean what is asked for."
        )
    at = next(iter(sure), None)
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
    return _by_outline(name_of(reading), source, text, how, evidence, wanted=wanted)


def _is_another(name: str, source: Source, how: str, evidence: Evidence) -> bool:
    """Whether what is called or imported may be another thing of that name: a dict that is called `requests`, or a name of a module of ours."""
    if how == "call":
        root, dot, _ = name.replace("::", ".").partition(".")
        return bool(dot) and not source.knows(root)
    if not source.imports_name_alone(name):
        return False
    homes = {
        one.module.replace("/", ".").rpartition(".")[2] for one in source.outline.imports if one.name == name
    }
    paths = [path for path in evidence.files if PurePosixPath(path).stem in homes and language_of(path)]
    sources = (read_source(path, evidence) for path in paths[:_MOST_HOMES])
    defined = any(one is not None and one.defines(name) for one in sources)
    return is_package(name, evidence) or (name.isalpha() and name.islower() and not defined)


def is_package(name: str, evidence: Evidence) -> bool:
    """Whether a name is that of a package: of the standard library, or one that a manifest of the tree declares."""
    return name in sys.stdlib_module_names or name in declared_names(evidence)


def _by_outline(
    name: str, source: Source, text: str, how: str, evidence: Evidence, *, wanted: bool
) -> Decision:
    path = source.path
    if last_of(name).startswith("__") or last_of(name) in _IMPLICIT:
        return Silent(reason=f"{clean_line(name)} is called without being named.")
    lines = source.calls_of(name) if how == "call" else source.imports_of(name)
    if lines and _is_another(name, source, how, evidence):
        return Silent(reason=f"{clean_line(path)} has {clean_line(name)} in a way that may be another one.")
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
