"""A line reads so, a file holds a text or not, and so many lines, files or test functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from claimjury.settlers.counts import Stat, counted_by_git, files_on_disk
from claimjury.settlers.evidence import Change, Evidence
from claimjury.settlers.outcome import (
    Decision,
    Form,
    Proof,
    Reading,
    Settler,
    Silent,
    all_of,
    confirmed,
    refuted,
    show,
)
from claimjury.settlers.paths import known_file, known_folder
from claimjury.settlers.search import is_pointer
from claimjury.settlers.sources import hidden_by
from claimjury.settlers.syntax import Outline, Unreadable, language_of, outline
from claimjury.settlers.texts import may_hold, whole_line, whole_text
from claimjury.text import clean_line

__all__ = ["LINES", "tests_of", "text_of"]

_GRAMMAR: Final = r"""
_text_noun: "text" | line_noun
!line_noun: "line"
_holds: "contains" | "includes" | "has"
code: TEXT | NAME | OPTION | PATH | VERSION | INT
said: TEXT

line_reads: "line" number ("of" | "in") path ("reads" | "says") code | "in" path ","? "line" number ("reads" | "says") code
line_contains: "line" number ("of" | "in") path ("contains" | "has") code
text_in: path _holds (_the | "a")? _text_noun code | path _holds said | _the? _text_noun code ("appears" | "stands" | "occurs" | _is) "in" path
texts_in: path ("," path)* ("," )? "and" path "both"? ("contain" | "include") (_the | "a")? _text_noun? code
text_not_in: path ("does" | "do") "not" ("contain" | "include") (_the | "a")? _text_noun? code _not_any_more? | path "no" longer ("contains" | "includes") (_the | "a")? _text_noun? code
    | path ("contains" | "has") "no" _text_noun code | _the? _text_noun code ("does" "not" ("appear" | "occur") | "no" longer ("appears" | "occurs")) "in" path
line_count: path ("has" | "contains") "exactly"? number ("line" | "lines") | path _is ("exactly")? number "lines" "long"?
files_in: "there" ("is" | "are") "exactly"? number "files" "in" _dir_place | _dir_place ("contains" | "has" | "holds") "exactly"? number "files"
test_functions: path ("has" | "contains" | "defines") "exactly"? number _tests_counted
test_functions_added: _agent? ("adds" | "added") number "new"? _tests_counted ("to" | "in") path _here? | number "new"? _tests_counted _be "added" ("to" | "in") path _here?
_tests_counted: "test" ("functions" | "function") | "unit"? as_tests
!as_tests: "tests"
churn: _the? ("line"? "diff" | _change) _is? CHURN ("lines")? | _agent? ("adds" | "added") added "lines" "and" ("removes" | "deletes" | "removed" | "deleted") removed "lines"?
_dir_place: directory | _the? PATH
shortstat: _files_touched "(" added _insertions ("," | "and" | ("," "and"))? removed _deletions ")" | _files_of added _insertions ("," | "and" | ("," "and"))? removed _deletions | _files_of added _insertions | _files_of removed _deletions
_files_of: number ("file" | "files") (_be | "are")? "changed" ("," | ":") "with"?
_files_touched: (_agent | "the" "diff") ("touches" | "changes") number ("file" | "files")
_insertions: ("insertion" | "insertions" | "additions") ("(" PLUS ")")?
_deletions: ("deletion" | "deletions") ("(" MINUS ")")?
PLUS: "+"
MINUS: "-"
added: INT
removed: INT
"""

_RETURN_TYPES: Final = re.compile(r"[\r\f\v\x1c-\x1e\x85\u2028\u2029]")
_PATCHES: Final = re.compile(r"\b(?:monkeypatch|mp|mocker|patch)\.(?:set|del)attr\(")
_MADE_MANY: Final = re.compile(
    r"parametrize|parameterized|\bsubTest\b|\bsubtests\b|\bexpand\b|hypothesis|\bddt\b|\bparams\s*=|__test__"
    r"|^class \w+\((?!(?:unittest\.)?TestCase\))",
    re.MULTILINE,
)
_ON_DISK: Final = 100_000
"""Files of a folder: more are not counted."""
_PLAIN_DECORATOR: Final = re.compile(
    r"(?:pytest\.)?mark\.\w+|(?:unittest\.)?(?:mock\.)?patch(?:\.\w+)?|staticmethod"
)


def text_of(path: str, evidence: Evidence) -> str | Silent:
    """Give a file's text; silence where it is none that we can read."""
    data = evidence.read(path)
    if data is None or b"\0" in data:
        return Silent(reason=f"{clean_line(path)} cannot be read as text.")
    if is_pointer(data):
        return Silent(reason=f"{clean_line(path)} is a pointer to Git LFS, not what it stands for.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return Silent(reason=f"{clean_line(path)} is not UTF-8.")


def _file(reading: Reading, evidence: Evidence) -> tuple[str, str] | Silent:
    """Give the file that is meant and its text."""
    found = known_file(reading.one("path"), evidence)
    if isinstance(found, Silent):
        return found
    text = text_of(found.path, evidence)
    return text if isinstance(text, Silent) else (found.path, text)


def _line(reading: Reading, evidence: Evidence, *, whole: bool) -> Decision:
    file = _file(reading, evidence)
    if isinstance(file, Silent):
        return file
    path, text = file
    if _RETURN_TYPES.search(text.replace("\r\n", "\n")):
        why = "has characters that some tools take for line ends, so its lines have no one number"
        return Silent(reason=f"{clean_line(path)} {why}.")
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    number, said = int(reading.one("number")), reading.one("code")
    if "..." in said or "\u2026" in said:
        return Silent(reason="The quotation leaves something out.")
    if not 1 <= number <= len(lines):
        return refuted(Proof(kind="line", text=f"The file has {len(lines)} lines.", path=path))
    return _compared(path, number, lines[number - 1], said, whole=whole)


def _compared(path: str, number: int, line: str, said: str, *, whole: bool) -> Decision:
    proof = Proof(
        kind="line",
        text=f"Line {number} reads so.",
        path=path,
        line=number,
        end_line=number,
        excerpt=show(line),
    )
    here, wanted = _spaced(line), _spaced(said)
    if here == wanted or (not whole and wanted and whole_text(wanted).search(here)):
        return confirmed(proof)
    if may_hold(line, said):
        return Silent(reason=f"Line {number} of {clean_line(path)} holds it in another way: {show(line)!r}.")
    return refuted(proof.model_copy(update={"text": f"Line {number} reads otherwise."}))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _holding(reading: Reading, evidence: Evidence, *, wanted: bool) -> Decision:
    file = _file(reading, evidence)
    if isinstance(file, Silent):
        return file
    path, text = file
    said = reading.maybe("code") or reading.one("said")
    if "..." in said or "\u2026" in said:
        return Silent(reason="The quotation leaves something out.")
    if said not in text:
        return _not_held(path, text, said, wanted=wanted)
    of_line = reading.maybe("line_noun") is not None
    match = (whole_line if of_line else whole_text)(said).search(text)
    if match is None:
        return Silent(reason=f"In {clean_line(path)} it is only a part of longer words, or of a line.")
    line = text.count("\n", 0, match.end()) + 1
    excerpt = show(text.split("\n")[line - 1])
    proof = Proof(
        kind="line",
        text=f"{show(said)!r} stands there.",
        path=path,
        line=line,
        end_line=line,
        excerpt=excerpt,
    )
    return confirmed(proof) if wanted else refuted(proof)


def _all_holding(reading: Reading, evidence: Evidence) -> Decision:
    """Decide a list of files that hold one text."""
    decisions = []
    for path in reading.all("path"):
        one = replace(reading, parts={**reading.parts, "path": (path,)})
        decisions.append(_holding(one, evidence, wanted=True))
    return all_of(decisions)


def _not_held(path: str, text: str, said: str, *, wanted: bool) -> Decision:
    if may_hold(text, said):
        return Silent(
            reason=f"{clean_line(path)} may hold it in other case, or with other white space or marks."
        )
    proof = Proof(
        kind="search",
        text=f"{show(said)!r} stands nowhere in its {text.count(chr(10)) + 1} lines.",
        path=path,
    )
    return refuted(proof) if wanted else confirmed(proof)


def _line_count(reading: Reading, evidence: Evidence) -> Decision:
    file = _file(reading, evidence)
    if isinstance(file, Silent):
        return file
    path, text = file
    plain = text.replace("\r\n", "\n")
    # Newline characters, lines, and what a reader of other line ends would count.
    ways = (
        {plain.count("\n"), len(plain.split("\n")) - plain.endswith("\n"), len(text.splitlines())}
        if text
        else {0}
    )
    return _by_ways(int(reading.one("number")), ways, f"{clean_line(path)} has", "lines", path)


def _by_ways(wanted: int, ways: set[int], subject: str, noun: str, path: str | None) -> Decision:
    """Confirm where every way to count gives the number, refute where none does."""
    counted = " or ".join(str(way) for way in sorted(ways))
    proof = Proof(kind="tree", text=f"{subject} {counted} {noun}.", path=path)
    if wanted not in ways:
        return refuted(proof)
    return (
        confirmed(proof)
        if len(ways) == 1
        else Silent(reason=f"{proof.text} It depends on how they are counted.")
    )


def _files_in(reading: Reading, evidence: Evidence) -> Decision:
    text = reading.maybe("directory") or reading.one("path")
    found = known_folder(text, evidence)
    if isinstance(found, Silent):
        return found
    if (silence := evidence.unseen([found.path])) is not None:
        return silence
    start = len(found.path) + 1
    inside = [path for path in evidence.files if path.startswith(f"{found.path}/")]
    below, tracked = (
        [path[start:] for path in inside if not known or evidence.files[path].tracked]
        for known in (False, True)
    )
    ways: set[int] = set()
    on_disk = files_on_disk(evidence.snapshot.top / found.path, _ON_DISK + 1)
    if len(on_disk) > _ON_DISK:
        return Silent(
            reason=f"{clean_line(found.path)} holds over {_ON_DISK} files, with those that git ignores."
        )
    seen = [path for path in on_disk if not path.rpartition("/")[2].startswith(".")]
    for paths in (below, tracked, on_disk, seen):
        ways |= {len(paths), len([path for path in paths if "/" not in path])}
    return _by_ways(int(reading.one("number")), ways, f"{clean_line(found.path)} holds", "files", found.path)


def _test_functions(reading: Reading, evidence: Evidence) -> Decision:
    found = known_file(reading.one("path"), evidence)
    if isinstance(found, Silent):
        return found
    tests = tests_of(found.path, evidence.read(found.path))
    if isinstance(tests, Silent):
        return tests
    ways = {len(tests), len([one for one in tests if _is_collected(*one)])}
    return _by_ways(
        int(reading.one("number")), ways, f"{clean_line(found.path)} has", "test functions", found.path
    )


def _test_functions_added(reading: Reading, evidence: Evidence) -> Decision:
    change = evidence.change()
    if isinstance(change, Silent):
        return change
    found = known_file(reading.one("path"), evidence)
    if isinstance(found, Silent):
        return found
    if (silence := evidence.unseen([found.path])) is not None:
        return silence
    new = _new_tests(found.path, change, evidence, each_once=reading.maybe("as_tests") is not None)
    if isinstance(new, Silent):
        return new
    ways = {len(new), len([one for one in new if _is_collected(*one)])}
    noun = f"new test functions since {change.short}"
    return _by_ways(int(reading.one("number")), ways, f"{clean_line(found.path)} has", noun, found.path)


def _new_tests(
    path: str, change: Change, evidence: Evidence, *, each_once: bool
) -> set[tuple[tuple[str, ...], str]] | Silent:
    """Give the test functions that a file has now and had not; where `each_once`, only where each is one test."""
    now = tests_of(path, evidence.read(path))
    then = tests_of(path, evidence.read_then(path) or b"")
    if isinstance(now, Silent) or isinstance(then, Silent):
        return Silent(reason=f"{clean_line(path)} cannot be read whole, now or at the base.")
    shared = [one for one in evidence.files if one.endswith("conftest.py")]
    if each_once and any(_MADE_MANY.search(evidence.text(one)) for one in (path, *shared)):
        return Silent(reason=f"{clean_line(path)} makes several tests of one function.")
    moved = path not in change.then and any("test" in one for one in change.deleted)
    if moved or then - now or _came_from_elsewhere(path, {name for _, name in now - then}, change, evidence):
        return Silent(reason="Test functions, or files of them, are gone too, and may have been renamed.")
    return now - then


def _came_from_elsewhere(path: str, names: Collection[str], change: Change, evidence: Evidence) -> bool:
    """Whether another file of the change had a function of one of these names, and has it no more."""
    others = [one for one in change.paths & change.then.keys() if one.endswith(".py") and one != path]
    for other in others:
        before, after = evidence.read_then(other) or b"", evidence.read(other) or b""
        if any(name.encode() in before and name.encode() not in after for name in names):
            return True
    return False


def tests_of(path: str, data: bytes | None) -> set[tuple[tuple[str, ...], str]] | Silent:
    """Give the test functions of a Python file, by scope and name."""
    if language_of(path) != "python" or data is None:
        return Silent(reason="Test functions are counted in Python only.")
    read = outline(path, data)
    if isinstance(read, Unreadable) or read.broken:
        return Silent(reason=f"{clean_line(path)} cannot be parsed whole.")
    if (how := hidden_by(_without_patches(read, data))) is not None:
        return Silent(reason=f"{clean_line(path)} may define tests unseen ({how}).")
    tests = [
        one
        for one in read.definitions
        if one.name.startswith("test") and one.kind in ("function", "method") and not one.local
    ]
    found = {(one.scope, one.name) for one in tests}
    # A fixture, or what a decorator makes of a test, may be none.
    marked = all(_PLAIN_DECORATOR.fullmatch(name) for one in tests for name in one.decorators)
    if any(one.conditional for one in tests) or len(found) != len(tests) or not marked:
        return Silent(reason=f"{clean_line(path)} defines a test under a condition or a decorator, or twice.")
    return found


def _without_patches(read: Outline, data: bytes) -> Outline:
    """Leave out what a fixture sets for the time of a test: it defines none."""
    lines = data.decode("utf-8", "replace").split("\n")
    kept = [
        row
        for row in read.dynamic
        if not (row[0] in ("setattr", "delattr") and _PATCHES.search(lines[row[1] - 1]))
    ]
    return replace(read, dynamic=tuple(kept))


def _is_collected(scope: Sequence[str], name: str) -> bool:
    return name.startswith("test_") and all(one.startswith("Test") for one in scope)


def _churn(reading: Reading, evidence: Evidence) -> Decision:
    churn = reading.maybe("churn")
    said = (
        (churn or "").removeprefix("+").partition("/-")
        if churn
        else (reading.one("added"), "", reading.one("removed"))
    )
    wanted = (int(said[0]), int(said[2]))
    return counted_by_git(evidence, lambda stat: (stat.added, stat.removed) == wanted)


def _shortstat(reading: Reading, evidence: Evidence) -> Decision:
    """Decide what git prints as a short statistic; what it does not print is 0."""
    wanted = Stat(
        int(reading.one("number")), int(reading.maybe("added") or 0), int(reading.maybe("removed") or 0)
    )
    return counted_by_git(evidence, lambda stat: stat == wanted)


LINES: Final = Settler(
    name="lines",
    does="A line reads so; a file holds a text or not; a file has so many lines or test functions; a folder so many files; a diff so many lines.",
    refuses="Quotations that leave something out; counts that depend on how they are made; what a log means beyond what it states.",
    grammar=_GRAMMAR,
    forms={
        "line_reads": Form(decide=partial(_line, whole=True)),
        "line_contains": Form(decide=partial(_line, whole=False)),
        "text_in": Form(decide=partial(_holding, wanted=True)),
        "texts_in": Form(decide=_all_holding),
        "text_not_in": Form(decide=partial(_holding, wanted=False)),
        "line_count": Form(decide=_line_count),
        "files_in": Form(decide=_files_in, of_moment=True),
        "test_functions": Form(decide=_test_functions),
        "test_functions_added": Form(decide=_test_functions_added),
        "shortstat": Form(decide=_shortstat),
        "churn": Form(decide=_churn),
    },
)
