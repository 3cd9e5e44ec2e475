"""Nothing mentions, calls, imports or uses a name; or a file does, or does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.lines import text_of
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
from claimjury.settlers.paths import Path, resolve, resolve_folder
from claimjury.settlers.search import Found, Hit, folded, is_word, word_pattern
from claimjury.settlers.sources import Source, read_source
from claimjury.text import clean_line

__all__ = ["MENTIONS"]

_GRAMMAR: Final = r"""
_anywhere: "anywhere"
_remaining: "left" | "remaining"
_mentions: "mentions" | "references" | "refers" "to"
_mentioned: "mentioned" | "referenced"
_reference: "mention" | "mentions" | "reference" | "references" | "occurrence" | "occurrences"
_called: "called" | "invoked"
_nothing: "nothing" | "no" ("file" | "files" | "code" | "module")
symbol: (_the? ("function" | "method" | "class" | "constant" | "module" | "variable" | "name" | "type" | "symbol" | "option" | "flag"))? (NAME | OPTION) | _the? NAME ("function" | "method" | "class" | "constant")
word: TEXT
_target: symbol | word
folder: NAME
_where: place | folder
_or_places: _where ("," _where)* (","? ("or" | "and") _where)?
_in_any: ("in" | "inside" | "within" | "under") _or_places
_scope: (("anywhere" | "any" "more" | "anymore")? (_in_repo | _in_any)) | _anywhere | _not_any_more

mention_none: _nothing _mentions _target _scope? | _nothing _in_any _mentions _target | _there_is "no" _reference ("of" | "to") _target _remaining? _scope? | _target _is "not" _mentioned _scope? | _target _is "no" "longer" _mentioned _scope?
    | _target "no" "longer" "appears" _scope? | _target "does" "not" "appear" _scope? | "no" _reference ("of" | "to") _target (_is? _remaining | "remain" | "remains") _scope?
call_none: _nothing "calls" symbol _scope? | _nothing _in_any "calls" symbol | "no" ("call" | "calls") ("of" | "to") _the? "builtin"? symbol (_is _remaining | "remain" | "remains") _scope? | _there_is "no" ("callers" "of" | "calls" "to" | "caller" "of") symbol _remaining? _scope? | symbol _is "not" _called _scope? | symbol _is "no" "longer" _called _scope? | symbol "has" "no" ("callers" | "caller" | "call" "sites") _remaining? _scope?
import_none: _nothing "imports" symbol _scope? | _nothing _in_any "imports" symbol | symbol _is "not" "imported" _scope? | symbol _is "no" "longer" "imported" _scope? | _there_is "no" "imports" "of" symbol _remaining? _scope?
use_none: _nothing "uses" symbol _scope? | _nothing _in_any "uses" symbol | symbol _is "not" "used" _scope? | symbol _is "no" "longer" "used" _scope? | symbol _is "unused" _scope? | _there_is "no" "usages" "of" symbol _remaining? _scope?
file_mentions: path _now? _mentions _target | _target _now? "appears" "in" path
file_not_mentions: path ("does" | "do") "not" ("mention" | "reference") _target _not_any_more? | path "no" "longer" _mentions _target
file_calls: path _now? "calls" symbol
file_not_calls: path ("does" | "do") "not" "call" symbol _not_any_more? | path "no" "longer" "calls" symbol
file_imports: path _now? "imports" symbol | symbol _is "imported" ("in" | "by") path
file_not_imports: path ("does" | "do") "not" "import" symbol _not_any_more? | path "no" "longer" "imports" symbol
"""
_SHOWN: Final = 3


def _name(reading: Reading) -> str:
    text = reading.maybe("symbol") or reading.one("word")
    return text.removesuffix("()").strip()


def _searched(reading: Reading) -> tuple[str, ...]:
    """Give what is to be searched for: the last name of a dotted one too, by which it may be used."""
    name = _name(reading)
    return (name, _last(name))


def _last(name: str) -> str:
    return name.replace("::", ".").replace("#", ".").rpartition(".")[2]


def _within(reading: Reading, evidence: Evidence) -> list[str] | Silent:
    """Give the paths that the claim is confined to, as prefixes; an empty list for the whole tree."""
    found = []
    for text in reading.all("path"):
        file = resolve(text, evidence)
        folder = resolve_folder(text, evidence) if not isinstance(file, Path) else file
        if not isinstance(folder, Path):
            return (
                folder
                if isinstance(folder, Silent)
                else Silent(reason=f"There is no {clean_line(folder.path)} to search.")
            )
        found.append(folder.path)
    for text in (*reading.all("directory"), *reading.all("folder")):
        folder = resolve_folder(text, evidence)
        if not isinstance(folder, Path):
            return (
                folder
                if isinstance(folder, Silent)
                else Silent(reason=f"There is no {clean_line(folder.path)} to search.")
            )
        found.append(folder.path)
    return found


def _kept(hits: Sequence[Hit], within: list[str]) -> list[Hit]:
    return [
        hit
        for hit in hits
        if not within or any(hit.path == one or hit.path.startswith(f"{one}/") for one in within)
    ]


def _mention_none(reading: Reading, evidence: Evidence) -> Decision:
    within = _within(reading, evidence)
    if isinstance(within, Silent):
        return within
    name = _name(reading)
    found = evidence.found(name)
    hits = _kept(found.hits, within)
    counting = [hit for hit in hits if evidence.counts(hit.path)]
    if counting:
        return refuted(*map(_hit_proof, counting[:_SHOWN]))
    if hits:
        return Silent(
            reason=f"It stands in {clean_line(hits[0].path)} alone, which git does not track or which the claims stand in."
        )
    return _nowhere(name, found, within, evidence)


def _nowhere(name: str, found: Found, within: list[str], evidence: Evidence) -> Decision:
    """Confirm that a name stands nowhere, where everything that matters was looked through."""
    if (silence := evidence.unseen(within or None)) is not None:
        return silence
    if found.binary or found.skipped:
        path, why = (found.binary[0], "it is no text and holds it") if found.binary else found.skipped[0]
        return Silent(reason=f"{clean_line(path)} was not searched: {why}.")
    near = next(iter(_kept(found.near, within)), None)
    if near is not None:
        at = f"{clean_line(near.path)}:{near.line}"
        return Silent(reason=f"{at} holds {clean_line(name)} in other case, or as a part of a longer word.")
    where = f" below {', '.join(map(show, within))}" if within else ""
    return confirmed(Proof(kind="search", text=f"{show(name)!r} stands nowhere{where}; {found.receipt}."))


def _hit_proof(hit: Hit) -> Proof:
    return Proof(
        kind="search",
        text="It stands there.",
        path=hit.path,
        line=hit.line,
        end_line=hit.line,
        excerpt=show(hit.text),
    )


def _call_none(reading: Reading, evidence: Evidence) -> Decision:
    others = (*reading.all("directory"), *reading.all("folder"))
    if (
        len(reading.all("path")) == 1
        and not others
        and isinstance(resolve(reading.one("path"), evidence), Path)
    ):
        return _in_file(reading, evidence, "call", wanted=False)
    return _unused(reading, evidence, "call")


def _import_none(reading: Reading, evidence: Evidence) -> Decision:
    return _unused(reading, evidence, "import")


def _use_none(reading: Reading, evidence: Evidence) -> Decision:
    return _unused(reading, evidence, "use")


def _unused(reading: Reading, evidence: Evidence, how: str) -> Decision:
    """Confirm only where nothing but a definition holds the name; refute only by what surely is such a use of it."""
    within = _within(reading, evidence)
    if isinstance(within, Silent):
        return within
    name = _last(_name(reading))
    found = evidence.found(name)
    hits = _kept(found.hits, within)
    definitions, uses = _sorted_hits(name, found.hits, evidence)
    used = next((hit for hit in hits if hit in uses and how in uses[hit]), None)
    if used is not None and len(definitions) == 1:
        return refuted(
            _hit_proof(used).model_copy(update={"kind": "syntax", "text": f"It is {_DONE[how]} there."})
        )
    rest = [hit for hit in hits if hit not in definitions]
    if rest:
        shown = ", ".join(f"{clean_line(hit.path)}:{hit.line}" for hit in rest[:_SHOWN])
        return Silent(
            reason=f"{clean_line(name)} also stands at {shown}{' and more' if len(rest) > _SHOWN else ''}, which may or may not {how} it."
        )
    # A call of another identifier that this one is a part of is none of it.
    words = replace(found, near=tuple(hit for hit in found.near if is_word(name, hit.text)))
    decision = _nowhere(name, words, within, evidence)
    if isinstance(decision, Silent) or not definitions:
        return decision
    if (unseen := _used_unseen(name, definitions, evidence)) is not None:
        return unseen
    proof = decision.proof[0].model_copy(
        update={
            "text": f"{show(name)!r} stands nowhere but in its definition; {found.receipt}. Uses by a computed name are not looked for."
        }
    )
    return confirmed(
        proof, *(_hit_proof(hit).model_copy(update={"text": "It is defined there."}) for hit in definitions)
    )


def _used_unseen(name: str, definitions: Sequence[Hit], evidence: Evidence) -> Silent | None:
    """Silence where what is defined may be used by what does not name it: a framework, a decorator, another package."""
    for hit in definitions:
        source = read_source(hit.path, evidence)
        for one in source.defines(name) if source else ():
            if source and (why := source.hides_from_outside(one)) is not None:
                return Silent(reason=f"{clean_line(name)} is named nowhere else, but {why}.")
    return None


_DONE: Final = {"call": "called", "import": "imported", "use": "used"}


def _sorted_hits(
    name: str, hits: tuple[Hit, ...], evidence: Evidence
) -> tuple[list[Hit], dict[Hit, set[str]]]:
    """Give the hits that are definitions and nothing else, and those that surely use what is defined, with how."""
    definitions: list[Hit] = []
    uses: dict[Hit, set[str]] = {}
    sources = {path: read_source(path, evidence) for path in {hit.path for hit in hits}}
    homes = {path for path, source in sources.items() if source is not None and _defines_openly(name, source)}
    for hit in hits:
        source = sources[hit.path]
        if source is None:
            continue
        if source.only_defines(name, hit.line) and len(word_pattern(name).findall(hit.text)) == 1:
            definitions.append(hit)
        elif hows := _uses(name, hit, source, homes, _text(hit.path, evidence)):
            uses[hit] = hows
    return definitions, uses


def _uses(name: str, hit: Hit, source: Source, homes: set[str], text: str) -> set[str]:
    """Give how a line surely uses a function or class that one file defines: it is that file, or it imports the name from it."""
    imported = source.imports_from(name, homes)
    if hit.line in imported:
        return {"import", "use"}
    own = source.defines(name)
    reaches = source.path in homes or imported or _same_package(source, homes)
    outside = not any(one.line <= hit.line <= one.end_line for one in own)
    foreign = any(
        name in (one.alias, one.name) and one.line not in imported for one in source.outline.imports
    )
    if not (reaches and outside and source.calls_plainly(name, hit.line)) or foreign:
        return set()
    return set() if source.binds_otherwise(name, text) else {"call", "use"}


def _defines_openly(name: str, source: Source) -> bool:
    return any(one.kind in ("function", "class") and not one.scope for one in source.defines(name))


def _text(path: str, evidence: Evidence) -> str:
    return (evidence.read(path) or b"").decode("utf-8", "replace")


def _same_package(source: Source, homes: set[str]) -> bool:
    """Whether a Go file lies beside the one that defines the name: the files of a folder are one package."""
    folder = source.path.rpartition("/")[0]
    return source.outline.language == "go" and any(home.rpartition("/")[0] == folder for home in homes)


def _file(reading: Reading, evidence: Evidence) -> str | Silent:
    found = resolve(reading.one("path"), evidence)
    if isinstance(found, Path):
        return found.path
    return (
        found if isinstance(found, Silent) else Silent(reason=f"There is no file {clean_line(found.path)}.")
    )


def _file_mentions(reading: Reading, evidence: Evidence) -> Decision:
    return _mentioning(reading, evidence, wanted=True)


def _file_not_mentions(reading: Reading, evidence: Evidence) -> Decision:
    return _mentioning(reading, evidence, wanted=False)


def _mentioning(reading: Reading, evidence: Evidence, *, wanted: bool) -> Decision:
    path = _file(reading, evidence)
    if isinstance(path, Silent):
        return path
    text = text_of(path, evidence)
    if isinstance(text, Silent):
        return text
    name, lines = _name(reading), text.split("\n")
    at = next((number for number, line in enumerate(lines, 1) if word_pattern(name).search(line)), None)
    if at is None:
        if folded(name) in folded(text):
            return Silent(reason=f"{clean_line(path)} holds it in other case, or as a part of a longer word.")
        proof = Proof(
            kind="search", text=f"{show(name)!r} stands nowhere in its {len(lines)} lines.", path=path
        )
        return refuted(proof) if wanted else confirmed(proof)
    proof = _hit_proof(Hit(path=path, line=at, text=lines[at - 1]))
    return confirmed(proof) if wanted else refuted(proof)


def _file_calls(reading: Reading, evidence: Evidence) -> Decision:
    return _in_file(reading, evidence, "call", wanted=True)


def _file_not_calls(reading: Reading, evidence: Evidence) -> Decision:
    return _in_file(reading, evidence, "call", wanted=False)


def _file_imports(reading: Reading, evidence: Evidence) -> Decision:
    return _in_file(reading, evidence, "import", wanted=True)


def _file_not_imports(reading: Reading, evidence: Evidence) -> Decision:
    return _in_file(reading, evidence, "import", wanted=False)


def _in_file(reading: Reading, evidence: Evidence, how: str, *, wanted: bool) -> Decision:
    path = _file(reading, evidence)
    if isinstance(path, Silent):
        return path
    source, text = read_source(path, evidence), text_of(path, evidence)
    if source is None or isinstance(text, Silent):
        return Silent(reason=f"{clean_line(path)} cannot be parsed whole, or is of no language that is.")
    name = _name(reading)
    lines = source.calls_of(name) if how == "call" else source.imports_of(name)
    if lines:
        hit = Hit(path=path, line=lines[0], text=text.split("\n")[lines[0] - 1])
        proof = _hit_proof(hit).model_copy(update={"kind": "syntax", "text": f"It is {_DONE[how]} there."})
        return confirmed(proof) if wanted else refuted(proof)
    if is_word(_last(name), text):
        return Silent(reason=f"{clean_line(path)} holds {clean_line(_last(name))}, which may {how} it.")
    if (doubt := source.doubt(name, how)) is not None:
        return Silent(reason=f"{clean_line(path)}: {doubt}")
    proof = Proof(kind="syntax", text=f"{show(name)} is {_DONE[how]} nowhere in it.", path=path)
    return refuted(proof) if wanted else confirmed(proof)


MENTIONS: Final = Settler(
    name="mentions",
    does="Nothing mentions, calls, imports or uses a name, here or in a folder; a file does, or does not.",
    refuses="`No callers` of a name that stands in more than its definition, unless a call of it is sure; uses by computed names.",
    grammar=_GRAMMAR,
    forms={
        "mention_none": Form(decide=_mention_none, names=_searched),
        "call_none": Form(decide=_call_none, names=_searched),
        "import_none": Form(decide=_import_none, names=_searched),
        "use_none": Form(decide=_use_none, names=_searched),
        "file_mentions": Form(decide=_file_mentions),
        "file_not_mentions": Form(decide=_file_not_mentions),
        "file_calls": Form(decide=_file_calls),
        "file_not_calls": Form(decide=_file_not_calls),
        "file_imports": Form(decide=_file_imports),
        "file_not_imports": Form(decide=_file_not_imports),
    },
)
