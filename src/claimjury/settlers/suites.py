"""Whether what a run of pytest ran is all that there is to run: what a count of passed tests rests on."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.checks.outcome import CheckOutcome, Suite
from claimjury.settlers.evidence import Change, Evidence
from claimjury.settlers.lines import tests_of
from claimjury.settlers.outcome import Silent
from claimjury.text import clean_line

__all__ = ["counts_of", "narrowed_since", "not_run", "not_whole", "others", "stray"]

_SELECTING: Final = frozenset(
    [
        "pyproject.toml",
        "pytest.ini",
        ".pytest.ini",
        "tox.ini",
        "setup.cfg",
        "conftest.py",
        "sitecustomize.py",
        "usercustomize.py",
    ]
)
_TEST_FILE: Final = re.compile(r"(?:test_.*|.*_test)\.py\Z")
_HOOKS: Final = re.compile(
    rb"\bpytest_(?:collect|pycollect|ignore|deselected|itemcollected|runtest|pyfunc|make|generate|exception|report|load)"
    rb"|\bcollect_ignore|\bhookimpl\b|\bhookspec\b|\b_pytest\b|\bpluggy\b|\brequest\s*\.\s*node\b|\bnode\s*\.\s*obj\b|\bruntest\b"
    rb"|\bpytest\s*\.\s*(?:Function|Item|Session|Module|Class)\b|\bTestCase\s*\.\s*\w+\s*="
)
_OTHER_SUITES: Final = frozenset(
    [
        "package.json",
        "Cargo.toml",
        "go.mod",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "Gemfile",
        "composer.json",
        "CMakeLists.txt",
        "meson.build",
        "deno.json",
        "deno.jsonc",
        "mix.exs",
        "Package.swift",
        "build.sbt",
        "Rakefile",
    ]
)
_OF_OTHERS: Final = re.compile(
    r".*(?:\.feature|\.bats|\.robot|\.t|[Tt]ests?\.(?:cs|java|kt|php|swift)"
    r"|(?:\A|[._-])(?:test|spec)s?\.(?:[cm]?[jt]sx?|rb|go|exs?|php|sh|lua|dart|jl|clj|cc|cpp|c|rs))\Z"
    r"|(?:test|spec)s?[._-].*\.(?:[cm]?[jt]sx?|rb|go|exs?|php|sh|lua|dart|jl|clj|cc|cpp|c|rs)\Z",
    re.DOTALL,
)
_BESIDE: Final = re.compile(
    r"(?:\A|/)(?:tests?|e2e|specs?|__tests__|smoke|integration)/(?:.*/)?[^/]*\.(?:sh|bash|zsh|ps1|pl|rb|[cm]?[jt]sx?)\Z"
)
"""Scripts in a folder of tests."""
_RUNNERS: Final = re.compile(r"(?:GNUm|M|m)akefile|[Jj]ustfile|\.justfile|[Tt]askfile\.ya?ml")
_TARGET: Final = re.compile(
    rb"^[ \t]*(?:test|tests|check|spec|e2e|smoke|integration|acceptance)(?:[-_]\w+)*[ \t]*:(?!=)([^\n]*(?:\n[ \t]+[^\n]*)*)",
    re.MULTILINE,
)
_PYTEST_ALONE: Final = re.compile(rb"\s*(?:\n[ \t]+@?(?:[\w.-]+ ){0,3}pytest\b[^\n;&|]*)+\s*")
"""The recipe of a target that runs pytest and nothing else."""
_DEFINES: Final = re.compile(rb"\bTestCase\b|\bdef\s+test_")


def counts_of(suite: Suite) -> str:
    """Give what came of a suite, as words for a proof."""
    rest = ("failed", "errors", "skipped", "xfailed", "xpassed", "deselected")
    told = [f"{getattr(suite, name)} {name}" for name in rest if getattr(suite, name)]
    return f"{suite.passed} of {suite.collected} passed{''.join(f', {one}' for one in told)}."


def not_whole(one: CheckOutcome, suite: Suite, evidence: Evidence) -> Silent | None:
    """Silence where what passed may not be all that there is to pass."""
    counted = (
        suite.skipped
        + suite.xfailed
        + suite.xpassed
        + suite.deselected
        + suite.not_run
        + suite.reruns
        + suite.marked_flaky
        + suite.errors
    )
    if counted or one.narrowed:
        why = "; ".join(map(clean_line, one.narrowed[:2])) or counts_of(suite)
        return Silent(reason=f"Not all tests ran and passed as they are: {why}")
    if suite.subtests or suite.unexpected:
        return Silent(
            reason="It has subtests, or tests that fail by passing, which are counted in more than one way."
        )
    return others(evidence) or not_run(suite, evidence) or narrowed_since(evidence)


def others(evidence: Evidence, *, below: str | None = None) -> Silent | None:
    """Silence where a file of the tree, or below a folder, declares or holds tests that pytest does not run."""
    paths = sorted(path for path in evidence.files if below is None or path.startswith(f"{below}/"))
    other = next((path for path in paths if _is_of_others(path, evidence)), None)
    if other is None:
        return None
    return Silent(reason=f"{clean_line(other)} may declare tests that pytest does not run.")


def _is_of_others(path: str, evidence: Evidence) -> bool:
    """Whether a file declares or holds tests that pytest does not run."""
    name = PurePosixPath(path).name
    if name in _OTHER_SUITES or _OF_OTHERS.match(name) or _BESIDE.search(path):
        return True
    if _RUNNERS.fullmatch(name) is None:
        return False
    recipes = (found[1] for found in _TARGET.finditer(evidence.read(path) or b""))
    return any(_PYTEST_ALONE.fullmatch(recipe) is None for recipe in recipes)


def stray(suite: Suite, evidence: Evidence) -> Silent | None:
    """Silence where tests were run that are no part of this tree: git ignores them, or they lie outside."""
    files = {case.id.partition("::")[0] for case in suite.cases}
    folders = {str(parent) for path in evidence.files for parent in PurePosixPath(path).parents}
    strange = next(iter(sorted(files - evidence.files.keys() - folders)), None)
    return (
        None
        if strange is None
        else Silent(reason=f"{clean_line(strange)} was run, which is not of the tree.")
    )


def not_run(suite: Suite, evidence: Evidence) -> Silent | None:
    """Silence where a test stands in a file and was not run, or a hook of the project's may say what runs and what it gives."""
    ran = {case.id.partition("[")[0] for case in suite.cases}
    files = {case.partition("::")[0] for case in ran}
    for path in sorted(evidence.files):
        name = PurePosixPath(path).name
        if not name.endswith((".py", ".pyi", ".pyx")):
            continue
        data = evidence.read(path)
        if data is None:
            return Silent(reason=f"{clean_line(path)} cannot be read, and may hold tests.")
        if _HOOKS.search(data):
            return Silent(reason=f"{clean_line(path)} has hooks of pytest's, which may say what runs.")
        if path not in files and _TEST_FILE.match(name) is None:
            if _DEFINES.search(data):
                return Silent(reason=f"{clean_line(path)} may hold tests, and none of it was run.")
            continue
        if (silence := _left_out(path, data, ran)) is not None:
            return silence
    return None


def _left_out(path: str, data: bytes, ran: AbstractSet[str]) -> Silent | None:
    """Silence where a file holds a test that was not run."""
    tests = tests_of(path, data)
    if isinstance(tests, Silent):
        return tests
    missing = next(
        (one for one in sorted(tests) if f"{path}::{'::'.join((*one[0], one[1]))}" not in ran), None
    )
    return (
        None
        if missing is None
        else Silent(reason=f"{clean_line(missing[1])} of {clean_line(path)} was not run.")
    )


def _selection_changed(change: Change, evidence: Evidence) -> Silent | None:
    """Silence where the change itself may have taken tests out."""
    touched = next((path for path in sorted(change.paths) if PurePosixPath(path).name in _SELECTING), None)
    if touched is not None:
        return Silent(
            reason=f"The change touches {clean_line(touched)}, which may say which tests there are."
        )
    for path in sorted(change.deleted | change.modified):
        if "test" in path and path.endswith(".py"):
            then, now = tests_of(path, evidence.read_then(path)), tests_of(path, evidence.read(path) or b"")
            if isinstance(then, Silent) or isinstance(now, Silent) or then - now:
                return Silent(reason=f"The change takes tests out of {clean_line(path)}, or may.")
    return None


def narrowed_since(evidence: Evidence) -> Silent | None:
    """Silence where there is no change to look at, or it may have taken tests out."""
    change = evidence.change()
    if isinstance(change, Silent):
        return None if change.unchanged else change
    return _selection_changed(change, evidence)
