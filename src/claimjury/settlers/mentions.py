"""Nothing mentions, calls, imports or uses a name; or a file does, or does not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.listing import LINK, SUBMODULE, Entry
from claimjury.settlers.mentions_in_file import (
    DONE,
    hit_proof,
    in_file,
    is_code,
    is_plain_word,
    mentioning,
    name_of,
)
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
from claimjury.settlers.paths import Path, known_folder, known_place, resolve
from claimjury.settlers.search import SIGNS, Found, Hit, is_word, last_of, word_pattern
from claimjury.settlers.sources import Source, read_source
from claimjury.text import clean_line

__all__ = ["MENTIONS"]

_GRAMMAR: Final = r"""
_anywhere: "anywhere"
_remaining: left_over
!left_over: "left" | "remaining" | "remain" | "remains"
_mentions: "mentions" | referring
!referring: "references" | "refers" | "referenced" | "reference"
_mentioned: "mentioned" | referring
_reference: "mention" | "mentions" | referring | "occurrence" | "occurrences"
_called: "called" | "invoked"
_nothing: "nothing" | "no" ("file" | "files" | "code" | "module")
symbol: NAME | OPTION
_symbol: (_the? noun)? symbol | _the? symbol noun
!noun: "function" | "method" | "class" | "constant" | "module" | "variable" | "name" | "type" | "symbol" | "option" | "flag"
word: TEXT
_target: _symbol | (_the? ("string" | "text"))? word
folder: NAME
_where: place | folder
_or_places: _where ("," _where)* (","? ("or" | "and") _where)?
_in_any: ("in" | "inside" | "within" | "under") _or_places
_scope: (("anywhere" | any_more)? (_in_repo | _in_any)) | _anywhere | _not_any_more

mention_none: _nothing _mentions _target _scope? | _nothing _in_any _mentions _target | _there_is "no" _reference ("of" | "to") _target _remaining? _scope? | _target _is "not" _mentioned _scope? | _target _is "no" longer _mentioned _scope?
    | _target "no" longer "appears" _scope? | _target "does" "not" ("appear" | "occur") _scope? | "no" _reference ("of" | "to") _target (_is? _remaining) _scope?
call_none: _nothing "calls" _symbol _scope? | _nothing _in_any "calls" _symbol | "no" ("call" | "calls") ("of" | "to") _the? "builtin"? _symbol (_is? _remaining) _scope? | _there_is "no" ("callers" "of" | "calls" "to" | "caller" "of") _symbol _remaining? _scope? | _symbol _is "not" _called _scope? | _symbol _is "no" longer _called _scope? | _symbol "has" "no" ("callers" | "caller" | "call" "sites") _remaining? _scope?
import_none: _nothing "imports" _symbol _scope? | _nothing _in_any "imports" _symbol | _symbol _is "not" "imported" _scope? | _symbol _is "no" longer "imported" _scope? | _there_is "no" "imports" "of" _symbol _remaining? _scope?
use_none: _nothing "uses" _symbol _scope? | _nothing _in_any "uses" _symbol | _symbol _is "not" "used" _scope? | _symbol _is "no" longer "used" _scope? | _symbol _is "unused" _scope? | _there_is "no" "usages" "of" _symbol _remaining? _scope?
file_mentions: path _now? _mentions _target | _target _now? "appears" "in" path
file_not_mentions: path ("does" | "do") "not" ("mention" | "reference") _target _not_any_more? | path "no" longer _mentions _target
file_calls: path _now? "calls" _symbol | _symbol _is "called" ("in" | "by") path
file_not_calls: _there_is "no" _symbol ("calls" | "call") _remaining? "in" path | "no" _symbol ("calls" | "call") _remaining "in" path | path ("does" | "do") "not" "call" _symbol _not_any_more? | path "no" longer "calls" _symbol
file_imports: path _now? "imports" _symbol | _symbol _is "imported" ("in" | "by") path
file_not_imports: path ("does" | "do") "not" "import" _symbol _not_any_more? | path "no" longer "imports" _symbol
"""
_SHOWN: Final = 3
_COMPUTING: Final = (
    *("getattr", "globals", "import_module", "__import__", "eval", "exec", "importlib", "__dict__"),
    *(
        "getmembers",
        "methodcaller",
        "attrgetter",
        "pkgutil",
        "sys.modules",
        "fire.Fire",
        "vars(",
        "dir(",
        "locals(",
    ),
)
_RUN_BY_TOOLS: Final = re.compile(
    r"(?:\A|/)(?:fabfile|tasks|noxfile|dodo|conftest|setup|wscript|manage|SConstruct|SConscript|[^/]*[._]conf(?:ig)?)\.py\Z"
)
"""Files whose functions a tool calls by their names."""
_FILE: Final = Entry(mode="100644", blob=None)


def _searched(reading: Reading) -> tuple[str, ...]:
    """Give what is to be searched for: the last name of a dotted one too, by which it may be used."""
    name = name_of(reading)
    return (name, last_of(name))


def _within(reading: Reading, evidence: Evidence) -> list[str] | Silent:
    """Give the paths that the claim is confined to, as prefixes; an empty list for the whole tree."""
    found = []
    for text in reading.all("path"):
        named = known_place(text, evidence)
        if isinstance(named, Silent):
            return named
        if evidence.files.get(named.path, _FILE).mode in (LINK, SUBMODULE):
            return Silent(reason=f"{clean_line(named.path)} is a link, or another repository.")
        found.append(named.path)
    for text in (*reading.all("directory"), *reading.all("folder")):
        folder = known_folder(text, evidence)
        if isinstance(folder, Silent):
            return folder
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
    name = name_of(reading)
    found = evidence.found(name)
    hits = _kept(found.hits, within)
    counting = [hit for hit in hits if evidence.counts(hit.path)]
    if is_plain_word(reading):
        counting = [hit for hit in counting if is_code(name, hit.text)]
    # Of the base it is asked whether there was anything that could go.
    if hits and reading.maybe("referring") and evidence.snapshot.commit is None:
        return Silent(
            reason=f"It stands at {clean_line(hits[0].path)}:{hits[0].line}; whether that is a reference is not known."
        )
    if counting:
        return refuted(*map(hit_proof, counting[:_SHOWN]))
    if hits:
        why = (
            "which may not mean what is asked for"
            if any(evidence.counts(hit.path) for hit in hits)
            else "which git does not track or which the claims stand in"
        )
        return Silent(reason=f"It stands in {clean_line(hits[0].path)} alone, {why}.")
    return _elsewhere(name, within, evidence) or _nowhere(name, found, within, evidence)


def _elsewhere(name: str, within: list[str], evidence: Evidence) -> Silent | None:
    """Silence where what is said may stand there in parts: a dotted name by its last one, a text over lines, a name in a path."""
    if len(name.split()) > 1:
        return Silent(
            reason="A text of several words may be broken over lines, and is looked for in one file only."
        )
    last = last_of(name)
    parts = evidence.found(last)
    if last != name and (hits := _kept((*parts.hits, *parts.near), within)):
        return Silent(reason=f"{clean_line(last)} stands at {clean_line(hits[0].path)}:{hits[0].line}.")
    if (path := evidence.paths().holding(name)) is not None:
        return Silent(reason=f"{clean_line(path)} has it in its name.")
    hidden = evidence.unsearched or next(iter(evidence.found(name).packed), None)
    if hidden is not None:
        return Silent(reason=f"What {clean_line(hidden)} holds, or leads to, was not searched.")
    return None


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
        return Silent(
            reason=f"{at} holds {clean_line(name)} in other case, joined otherwise, or as a part of a longer word."
        )
    where = f" below {', '.join(map(show, within))}" if within else ""
    return confirmed(Proof(kind="search", text=f"{show(name)!r} stands nowhere{where}; {found.receipt}."))


def _call_none(reading: Reading, evidence: Evidence) -> Decision:
    others = (*reading.all("directory"), *reading.all("folder"))
    if (
        len(reading.all("path")) == 1
        and not others
        and isinstance(resolve(reading.one("path"), evidence), Path)
    ):
        return in_file(reading, evidence, "call", wanted=False)
    return _unused(reading, evidence, "call")


def _unused(reading: Reading, evidence: Evidence, how: str) -> Decision:
    """Confirm only where nothing but a definition holds the name; refute only by what surely is such a use of it."""
    within = _within(reading, evidence)
    if isinstance(within, Silent):
        return within
    name = last_of(name_of(reading))
    found = evidence.found(name)
    hits = _kept(found.hits, within)
    definitions, uses = _sorted_hits(name, found.hits, evidence)
    used = next((hit for hit in hits if hit in uses and how in uses[hit]), None)
    if used is not None and len(definitions) == 1 and evidence.counts(used.path):
        return refuted(
            hit_proof(used).model_copy(update={"kind": "syntax", "text": f"It is {DONE[how]} there."})
        )
    rest = [hit for hit in hits if hit not in definitions]
    if rest:
        shown = ", ".join(f"{clean_line(hit.path)}:{hit.line}" for hit in rest[:_SHOWN])
        return Silent(
            reason=f"{clean_line(name)} also stands at {shown}{' and more' if len(rest) > _SHOWN else ''}, which may or may not {how} it."
        )
    # A call of another identifier that this one is a part of is none of it.
    words = replace(found, near=tuple(hit for hit in found.near if is_word(name.lstrip(SIGNS), hit.text)))
    decision = _nowhere(name, words, within, evidence)
    if isinstance(decision, Silent) or not definitions:
        path = evidence.paths().holding(name)
        return decision if path is None else Silent(reason=f"{clean_line(path)} has it in its name.")
    if (unseen := _used_unseen(name, definitions, evidence)) is not None:
        return unseen
    proof = decision.proof[0].model_copy(
        update={
            "text": f"{show(name)!r} stands nowhere but in its definition; {found.receipt}. Uses by a computed name are not looked for."
        }
    )
    return confirmed(
        proof, *(hit_proof(hit).model_copy(update={"text": "It is defined there."}) for hit in definitions)
    )


def _used_unseen(name: str, definitions: Sequence[Hit], evidence: Evidence) -> Silent | None:
    """Silence where what is defined may be used by what does not name it: a framework, a decorator, another package."""
    if (hit := evidence.first(_COMPUTING)) is not None:
        return Silent(reason=f"{clean_line(hit.path)}:{hit.line} may use it by a computed name.")
    for hit in definitions:
        if _RUN_BY_TOOLS.search(hit.path):
            return Silent(reason=f"{clean_line(hit.path)} may be run by a tool that calls what it defines.")
        source = read_source(hit.path, evidence)
        for one in source.defines(name) if source else ():
            if source and (why := source.hides_from_outside(one)) is not None:
                return Silent(reason=f"{clean_line(name)} is named nowhere else, but {why}.")
    return None


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
        elif hows := _uses(name, hit, source, homes, evidence.text(hit.path)):
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


def _same_package(source: Source, homes: set[str]) -> bool:
    """Whether a Go file lies beside the one that defines the name: the files of a folder are one package."""
    folder = source.path.rpartition("/")[0]
    return source.outline.language == "go" and any(home.rpartition("/")[0] == folder for home in homes)


MENTIONS: Final = Settler(
    name="mentions",
    does="Nothing mentions, calls, imports or uses a name, here or in a folder; a file does, or does not.",
    refuses="`No callers` of a name that stands in more than its definition, unless a call of it is sure; uses by computed names.",
    grammar=_GRAMMAR,
    forms={
        "mention_none": Form(decide=_mention_none, names=_searched),
        "call_none": Form(decide=_call_none, names=_searched),
        "import_none": Form(decide=partial(_unused, how="import"), names=_searched),
        "use_none": Form(decide=partial(_unused, how="use"), names=_searched),
        "file_mentions": Form(decide=partial(mentioning, wanted=True)),
        "file_not_mentions": Form(decide=partial(mentioning, wanted=False)),
        "file_calls": Form(decide=partial(in_file, how="call", wanted=True)),
        "file_not_calls": Form(decide=partial(in_file, how="call", wanted=False)),
        "file_imports": Form(decide=partial(in_file, how="import", wanted=True)),
        "file_not_imports": Form(decide=partial(in_file, how="import", wanted=False)),
    },
)
