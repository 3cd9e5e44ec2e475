"""Whether what a run of pytest ran is all that there is to run: what a count of passed tests rests on."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.checks.outcome import CheckOutcome, Suite
from claimjury.settlers.evidence import Change, Evidence
from claimjury.settlers.lines import tests_of
from claimjury.settlers.outcome import Silent
from claimjury.text import clean_line

__all__ = ["counts_of", "narrowed_since", "not_run", "not_whole"]

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
    rb"def\s+pytest_(?:collect|pycollect|ignore|deselected|itemcollected|runtest|pyfunc|make|generate|exception|report|load)"
    rb"|\bcollect_ignore"
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
    ]
)


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
    )
    if counted or one.narrowed:
        why = "; ".join(map(clean_line, one.narrowed[:2])) or counts_of(suite)
        return Silent(reason=f"Not all tests ran and passed as they are: {why}")
    other = next((path for path in sorted(evidence.files) if PurePosixPath(path).name in _OTHER_SUITES), None)
    if other is not None:
        return Silent(reason=f"{clean_line(other)} may declare tests that pytest does not run.")
    return not_run(suite, evidence) or narrowed_since(evidence)


def not_run(suite: Suite, evidence: Evidence) -> Silent | None:
    """Silence where a test stands in a file and was not run, or a hook of the project's may say what runs and what it gives."""
    ran = {case.id.partition("[")[0] for case in suite.cases}
    for path in sorted(evidence.files):
        name = PurePosixPath(path).name
        if name.endswith(".py") and _HOOKS.search(evidence.read(path) or b""):
            return Silent(reason=f"{clean_line(path)} has hooks of pytest's, which may say what runs.")
        if _TEST_FILE.match(name) is None:
            continue
        tests = tests_of(path, evidence.read(path))
        if isinstance(tests, Silent):
            return tests
        missing = next(
            (one for one in sorted(tests) if f"{path}::{'::'.join((*one[0], one[1]))}" not in ran), None
        )
        if missing is not None:
            return Silent(reason=f"{clean_line(missing[1])} of {clean_line(path)} was not run.")
    return None


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
        return None if change.reason.startswith("Nothing differs") else change
    return _selection_changed(change, evidence)
