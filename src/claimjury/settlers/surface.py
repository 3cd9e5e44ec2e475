"""A command line has an option, a server has a route, or a file exports a name, by what is declared literally."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
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
from claimjury.settlers.sources import Source, hidden_by, read_source
from claimjury.settlers.syntax import Unreadable, language_of, options, routes
from claimjury.text import clean_line

__all__ = ["SURFACE"]

_GRAMMAR: Final = r"""
_opt_noun: ("cli" | "command-line" | "new")? ("option" | "flag" | "switch")
_accepts: still? ("accepts" | "has" | "supports" | "defines" | "declares" | "takes" | "offers")
option: OPTION
_a: "the" | "a" | "an"
_opt: _a? _opt_noun option | _a? option _opt_noun
_opt_in: ("in" | "to" | "from") (path | _the ("cli" | "command" "line"))
option_exists: path _accepts (_opt | option) | _opt "exists" _opt_in? | _there_is _opt _opt_in? | _opt _is "defined" _opt_in?
option_absent: path ("does" "not" ("accept" | "have" | "support" | "define" | "declare" | "take" | "offer") | "no" longer _accepts) (_opt | option) | _there_is "no" _opt_noun option _opt_in? | _opt ("does" "not" "exist" | "no" longer "exists") _opt_in?
option_added: _agent? ("adds" | "added" | "introduces" | "introduced") (_opt | option) _opt_in? _here? | _opt _be ("added" | "introduced") _opt_in? _here?
option_removed: _agent? ("removes" | "removed" | "drops" | "dropped") (_opt | option) _opt_in? _here? | _opt _be ("removed" | "dropped") _opt_in? _here?
route: TEXT | PATH
_route_noun: "route" | "endpoint"
route_exists: path ("has" | "defines" | "serves" | "exposes" | "registers" | "declares") _a? (_route_noun route | route _route_noun) | _a? (_route_noun route | route _route_noun) ("exists" | _is ("defined" | "registered")) ("in" path)? | _there_is _a (_route_noun route | route _route_noun) ("in" path)?
exports: path still? ("exports" | "re-exports" | "reexports") name | name _is still? ("exported" | "re-exported") ("by" | "from") path
"""
_MADE_BY_LIBRARIES: Final = ("--help", "-h", "--version", "-V")
_TESTS: Final = re.compile(
    r"(?:\A|/)(?:tests?|specs?|__tests__|testing|fixtures|examples?|vendor|third_party|benchmarks?|node_modules)/|(?:\A|/)(?:test_[^/]*|conftest\.py|[^/]*[_.-](?:test|spec)s?\.\w+)\Z"
    r"|(?:Test|Tests|IT)\.java\Z"
)
_MOUNTING: Final = (
    "mount",
    "Mount",
    "DispatcherMiddleware",
    "add_subapp",
    "PathPrefix",
    "root_path",
    "APPLICATION_ROOT",
)
_PROSE: Final = frozenset({".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt", ".log", ".org", ""})
_LISTS: Final = re.compile(
    r"^__all__(?:\s*:[^=\n]*)?\s*=\s*[\[(](?:[\s,]|#[^\n]*\n|\"\w*\"|'\w*')*[\])]\s*$", re.MULTILINE
)
_GIVES_UNSEEN: Final = re.compile(
    r"\bsys\.modules\b|__getattr__|__dir__|\battach\b|\bglobals\b|\bexec\b|\bsetattr\b"
)
_COMMONJS: Final = re.compile(
    r"\b(?:module|exports|require|eval|__exportStar)\b|\bexport\s*(?:=|\*|import\b)"
)
_EXPORT: Final = re.compile(r"(?:export\b|(?:module\.)?exports\b)")
_EXPORT_WHOLE: Final = re.compile(r"module\.exports\s*=")
_EXPORTS_ALL: Final = re.compile(
    r"\bmodule\.exports\s*=|\bexport\s*=|\bdelete\b|\bexports\.\w+\s*=\s*(?:undefined|void)\b"
)
_IMPORT: Final = re.compile(r"(?:from|import)\s")
_MANY: Final = 300
"""Files of a change: where more have changed, not all are looked through at the base."""
_METHODS: Final = re.compile(r"(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?(/\S*)\Z")


def _bare(option: str) -> str:
    return option.lstrip("-")


def _spellings(option: str) -> tuple[str, ...]:
    """Give the names that a library may derive an option from: `dry-run`, `dry_run`, `dryRun`."""
    bare = _bare(option)
    first, *rest = bare.split("-")
    camel = first + "".join(word.capitalize() for word in rest)
    return tuple(dict.fromkeys((bare, bare.replace("-", "_"), camel, camel[:1].upper() + camel[1:])))


def _searched(reading: Reading) -> tuple[str, ...]:
    return _spellings(reading.one("option"))


def _option(reading: Reading, evidence: Evidence, *, wanted: bool) -> Decision:
    option, paths = reading.one("option"), _files(reading, evidence)
    if isinstance(paths, Silent):
        return paths
    declared = _declared(option, paths, evidence)
    if declared is None:
        return Silent(
            reason=f"No literal declaration of {clean_line(option)} was found, and that shows nothing: a library may make the option."
        )
    return confirmed(declared) if wanted else refuted(declared)


def _files(reading: Reading, evidence: Evidence) -> list[str] | Silent:
    """Give the file that is named, or those that hold any spelling of the option."""
    if (text := reading.maybe("path")) is not None:
        found = known_file(text, evidence, then=True)
        return found if isinstance(found, Silent) else [found.path]
    hits = (hit.path for name in _searched(reading) for hit in evidence.found(name).all_hits)
    return _but_tests(hits)


def _but_tests(paths: Iterable[str]) -> list[str]:
    """Leave out what only tests declare: it is no part of the program, unless the file is named."""
    return [path for path in dict.fromkeys(paths) if not _TESTS.search(path)]


def _declared(option: str, paths: Sequence[str], evidence: Evidence) -> Proof | None:
    for path in paths:
        found = _options(path, evidence.read(path))
        one = next((one for one in found or () if one[0] == option), None)
        if one is not None:
            return Proof(
                kind="syntax",
                text=f"It is declared there by {one[2]}.",
                path=path,
                line=one[1],
                end_line=one[1],
            )
    return None


def _options(path: str, data: bytes | None) -> list[tuple[str, int, str]] | None:
    """Give the options that a file declares; None where it cannot be read."""
    found = options(path, data) if data is not None and language_of(path) else Unreadable(reason="")
    return None if isinstance(found, Unreadable) else [(one.name, one.line, one.declared_by) for one in found]


def _option_in_change(reading: Reading, evidence: Evidence, *, wanted: tuple[bool, bool]) -> Decision:
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    path, option = _changed_file(reading, evidence, change), reading.one("option")
    if isinstance(path, Silent):
        return path
    facts = [_lines_of(option, path, data) for data in (evidence.read_then(path), evidence.read(path))]
    if None in facts or option in _MADE_BY_LIBRARIES:
        return Silent(
            reason=f"{clean_line(path)} may declare it by no literal of that name, at the base or now."
        )
    words = f"At the base {change.short} it is {_word(facts[0])}, now it is {_word(facts[1])}."
    proof = Proof(kind="syntax", text=words, path=path)
    if tuple(map(bool, facts)) == wanted:
        return _held_elsewhere(option, path, change, evidence, now=not wanted[1]) or confirmed(proof)
    if all(facts) and facts[0] == facts[1]:
        return refuted(proof)
    return Silent(reason=f"{proof.text} It may be declared otherwise, or in another file.")


def _changed_file(reading: Reading, evidence: Evidence, change: Change) -> str | Silent:
    """Give the file that is named, which must have been there and be there."""
    if reading.maybe("path") is None:
        return Silent(reason="Say which file declares the option.")
    paths = _files(reading, evidence)
    if isinstance(paths, Silent):
        return paths
    (path,) = paths
    if path not in evidence.files or path not in change.then:
        return Silent(reason=f"{clean_line(path)} is new or gone, and may be a file of another name.")
    return path


def _held_elsewhere(
    option: str, path: str, change: Change, evidence: Evidence, *, now: bool
) -> Silent | None:
    """Silence where another source holds the option, now or at the base: it may be what declares it, or its name."""
    named = re.compile(
        rf"(?<![\w$-]){re.escape(option)}(?![\w-])|[\"'`](?:{'|'.join(map(re.escape, _spellings(option)))})[\"'`]"
    )
    hits = (
        hit for name in _spellings(option) for hit in evidence.found(name).all_hits if named.search(hit.text)
    )
    found = {hit.path for hit in hits if now or hit.path not in change.paths}
    if not now:
        before = [one for one in change.paths & change.then.keys() if _may_name(one) and one != path]
        if len(before) > _MANY:
            return Silent(reason=f"{len(before)} files have changed, which may have declared it.")
        texts = ((one, (evidence.read_then(one) or b"").decode("utf-8", "replace")) for one in before)
        found |= {one for one, text in texts if named.search(text)}
    other = next((one for one in sorted(found) if one != path and _may_name(one)), None)
    return (
        None
        if other is None
        else Silent(reason=f"{clean_line(other)} holds {clean_line(option)} too, and may declare it.")
    )


def _may_name(path: str) -> bool:
    return not _TESTS.search(path) and PurePosixPath(path).suffix not in _PROSE


def _word(declared: Sequence[str] | None) -> str:
    return f"declared {len(declared)} times" if declared else "not declared"


def _lines_of(option: str, path: str, data: bytes | None) -> list[str] | None:
    """Give the lines of a file of these bytes that declare an option; None where that is not sure."""
    found = None if data is None else _options(path, data)
    if data is None or found is None:
        return None
    text = data.decode("utf-8", "replace")
    lines = text.split("\n")
    declared = sorted(lines[line - 1].strip() for name, line, _ in found if name == option)
    return None if not declared and any(name in text for name in _spellings(option)) else declared


def _route_exists(reading: Reading, evidence: Evidence) -> Decision:
    match = _METHODS.match(reading.one("route").strip())
    if match is None:
        return Silent(reason=f"{clean_line(reading.one('route'))} is no path of a route.")
    method, said = match.groups()
    if (text := reading.maybe("path")) is not None:
        file = known_file(text, evidence)
        if isinstance(file, Silent):
            return file
        paths = [file.path]
    else:
        paths = _but_tests(hit.path for hit in evidence.found(said).all_hits)
    for path in paths:
        if (proof := _registered(path, said, method, evidence)) is not None:
            mounted = None if reading.maybe("path") else _mounted(path, evidence)
            return confirmed(proof) if mounted is None else mounted
    return Silent(
        reason=f"No literal declaration of {clean_line(said)} was found, and that shows nothing: it may be mounted or made elsewhere."
    )


def _mounted(path: str, evidence: Evidence) -> Silent | None:
    """Silence where what declares a route may be served below another path."""
    source = read_source(path, evidence)
    if source is not None and source.outline.language != "python" and source.outline.exports:
        return Silent(
            reason=f"{clean_line(path)} gives out what it declares, and another file may mount it elsewhere."
        )
    if (hit := evidence.first(_MOUNTING)) is not None:
        return Silent(reason=f"{clean_line(hit.path)}:{hit.line} may mount it below another path.")
    return None


def _registered(path: str, said: str, method: str | None, evidence: Evidence) -> Proof | None:
    data = evidence.read(path)
    if data is None or language_of(path) is None:
        return None
    found = routes(path, data)
    if isinstance(found, Unreadable):
        return None
    for one in found:
        if one.path == said and not one.mounted and method in (None, one.method):
            words = f"It is registered there by {one.declared_by}."
            return Proof(kind="syntax", text=words, path=path, line=one.line, end_line=one.line)
    return None


def _route_name(reading: Reading) -> tuple[str, ...]:
    match = _METHODS.match(reading.one("route").strip())
    return (match[2],) if match else ()


def _exports(reading: Reading, evidence: Evidence) -> Decision:
    found = known_file(reading.one("path"), evidence)
    if isinstance(found, Silent):
        return found
    source, name = read_source(found.path, evidence), reading.one("name").removesuffix("()")
    if source is None:
        return Silent(
            reason=f"{clean_line(found.path)} cannot be parsed whole, or is of no language that is."
        )
    text = evidence.text(found.path)
    listed = _listed(name, source, text)
    if listed is not None:
        return confirmed(
            Proof(kind="syntax", text="It is exported there.", path=found.path, line=listed, end_line=listed)
        )
    named = [*(one.name for one in source.outline.exports), *(one.name for one in source.outline.imports)]
    if "*" in named or hidden_by(source.outline) or name in text or not _lists_all(source, text):
        return Silent(
            reason=f"{clean_line(found.path)} does not list {clean_line(name)} among its exports, and may give it to others in another way."
        )
    return refuted(
        Proof(
            kind="syntax",
            text=f"{show(name)} does not stand in it, and it exports all names of nothing.",
            path=found.path,
        )
    )


def _listed(name: str, source: Source, text: str) -> int | None:
    """Give a line that exports a name whatever happens; None where there is none, or it may be undone."""
    exports, language = source.outline.exports, source.outline.language
    lines = [one.line for one in exports if one.name == name]
    if language == "python":
        if re.search(r"\bdel\b", text) or len(re.findall(r"\b__all__\b", text)) > 1:
            return None
        if not exports and source.path.endswith("__init__.py"):
            # What a package imports into itself, others can take from it.
            taken = (one.line for one in source.outline.imports if name == (one.alias or one.name))
            return next((line for line in taken if _stands_plainly(text, line, _IMPORT)), None)
        return next(iter(lines), None) if _LISTS.search(text) else None
    if language in ("rust", "go", "java") or len(_EXPORTS_ALL.findall(text)) > 1:
        # Of Rust, who sees a name depends on `pub(crate)`, `cfg` and the modules above.
        return None
    # What is given one by one is lost where the whole is given too.
    begins = _EXPORT_WHOLE if _EXPORTS_ALL.search(text) else _EXPORT
    return next((line for line in lines if _stands_plainly(text, line, begins)), None)


def _stands_plainly(text: str, number: int, begins: re.Pattern[str]) -> bool:
    """Whether a line, or the bracket that it stands in, begins at the margin: nothing decides of it then."""
    lines = text.split("\n")[max(0, number - _MANY) : number]
    if begins.match(lines[-1]):
        return True
    for line in reversed(lines[:-1]):
        if begins.match(line):
            return line.rstrip().endswith(("(", "{", "["))
        if not line[:1].isspace() and line.strip():
            return False
    return False


def _lists_all(source: Source, text: str) -> bool:
    """Whether what a file exports is a plain list of names: of Python `__all__`, of scripts `export` alone."""
    if source.outline.language == "python":
        return bool(_LISTS.search(text)) and not _GIVES_UNSEEN.search(text) and text.count("__all__") == 1
    plain = source.outline.language in ("javascript", "typescript", "tsx") and bool(source.outline.exports)
    return plain and not _COMMONJS.search(text)


SURFACE: Final = Settler(
    name="surface",
    does="A file declares an option of a command line or not, or it was added or removed; a route is registered; a file exports a name.",
    refuses="Options whose name a library may derive; routes that are mounted or not found, which is never a refutation; what `--help` prints.",
    grammar=_GRAMMAR,
    forms={
        "option_exists": Form(decide=partial(_option, wanted=True), refutes=False, names=_searched),
        "option_absent": Form(decide=partial(_option, wanted=False), confirms=False, names=_searched),
        "option_added": Form(decide=partial(_option_in_change, wanted=(False, True)), names=_searched),
        "option_removed": Form(decide=partial(_option_in_change, wanted=(True, False)), names=_searched),
        "route_exists": Form(decide=_route_exists, refutes=False, names=_route_name),
        "exports": Form(decide=_exports),
    },
)
