"""Tests pass, so many do, or one does: by a run of ours on this tree, and by nothing else.

A log, a report of JUnit's or a word of the author's states what it states. pytest's report shows no trace of `-k`, so not even one
that is fresh shows that all tests ran.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from claimjury.settlers.checkers import decide_command, is_command
from claimjury.settlers.checks.outcome import CheckOutcome, Suite, SuiteCase
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.our_runs import missed, our_run, run_proof
from claimjury.settlers.outcome import (
    Decide,
    Decision,
    Form,
    Proof,
    Reading,
    Settled,
    Settler,
    Silent,
    confirmed,
    refuted,
    show,
)
from claimjury.settlers.paths import known_place
from claimjury.settlers.suites import counts_of, narrowed_since, not_run, not_whole, others, stray
from claimjury.text import clean_line

__all__ = ["TESTS"]

_GRAMMAR: Final = r"""
_suite: _the? ("full" | "whole" | "entire" | "complete")? "test" "suite"
_fail: "fail" | "fails" | "failed" | _is "failing"
!every: "all"
!test_kind: "unit" | "existing" | "golden" | "integration" | "regression" | "new" | "end-to-end" | "e2e"
_tests: test_kind? ("tests" | "test")
_of: "in" | "of" | "under"
_test_places: place ("," place)* (","? "and" place)?
passed: INT
total: INT

all_tests_pass: "all" (_the | "of" "the")? "tests" _now? _pass | _the "tests" _now? _pass | "tests" _pass | "every" "test" _pass | _suite _now? _pass | _suite _is "clean" | "no" "tests" _fail | _there_is "no" "failing" "tests"
n_tests_pass: every _the? number "tests" _pass | _the? number "tests" _pass
n_of_n_pass: passed "of" _the? total "tests" _pass | _the "pytest" "run" _is "clean" ("with" | ":") number "passed"
n_tests_fail: number "tests" _fail
tests_in_pass: (every _the? | _the)? _tests _of _test_places _pass | every? _the? number _tests _of _test_places _pass | path _pass "with" every _the? number "tests"
n_of_n_in_pass: "in" place "," passed "of" _the? total _tests _pass | "of" _the total _tests "in" place "," passed _pass | passed "of" _the? total _tests _of place _pass
test_passes: _the? "test" case _now? _pass | _the? "test" test_id _now? _pass | case _now? _pass
test_fails: _the? "test" (case | test_id) _now? _fail
test_skipped: _the? "test" (case | test_id) _is "skipped"
case: NAME | PATH
test_id: TEXT
"""
_BySuite = Callable[[Reading, CheckOutcome, Suite, Evidence], Decision]
_OTHER_KINDS: Final = re.compile(
    r"e2e|end|integration|regress|golden|functional|acceptance|system", re.IGNORECASE
)


def _suite(evidence: Evidence) -> tuple[CheckOutcome, Suite] | Silent:
    one = our_run("pytest", evidence)
    if isinstance(one, Silent):
        return one
    if one.tests is None:
        return Silent(reason="Our run of pytest told no tests.", of_place=True)
    if one.outcome == "fail" and (one.tests.reruns or one.tests.marked_flaky):
        return Silent(reason="It failed, and some of its tests are marked flaky or were run again.")
    return stray(one.tests, evidence) or (one, one.tests)


def _by_suite(decide: _BySuite) -> Decide:
    """Give what decides by our run of the tests, and is silent where there is none that says anything."""

    def decided(reading: Reading, evidence: Evidence) -> Decision:
        ran = _suite(evidence)
        return ran if isinstance(ran, Silent) else decide(reading, *ran, evidence)

    return decided


def _all_pass(_: Reading, one: CheckOutcome, suite: Suite, evidence: Evidence) -> Decision:
    proof = run_proof(one, counts_of(suite))
    if one.outcome == "fail":
        return refuted(proof, *_failures(one, suite))
    return not_whole(one, suite, evidence) or confirmed(proof)


def _failures(one: CheckOutcome, suite: Suite) -> tuple[Proof, ...]:
    bad = [case for case in suite.cases if case.outcome in ("failed", "error")]
    return tuple(run_proof(one, f"{show(case.id)} {case.outcome}.") for case in bad[:3])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    """Some tests, counted by every way: items of pytest's, and functions, of which a parametrised test is one."""

    passed: tuple[int, int]
    failed: tuple[int, int]
    total: tuple[int, int]

    @classmethod
    def of(cls, cases: Sequence[SuiteCase]) -> _Counts:
        good = [case for case in cases if case.outcome == "passed"]
        bad = [case for case in cases if case.outcome != "passed"]
        failed = [case for case in cases if case.outcome == "failed"]
        return cls(
            # A function that failed for one of its parameters is none that passes.
            passed=(len(good), len(_functions(good) - _functions(bad))),
            failed=(len(failed), len(_functions(failed))),
            total=(len(cases), len(_functions(cases))),
        )


def _functions(cases: Sequence[SuiteCase]) -> set[str]:
    return {case.id.partition("[")[0] for case in cases}


def _of_number(
    wanted: int, reading: Reading, one: CheckOutcome, cases: Sequence[SuiteCase], whole: Silent | None
) -> Decision:
    """Decide whether so many tests pass: a smaller number may be of some that are not named, so it refutes nothing."""
    counts = _Counts.of(cases)
    proof = run_proof(one, f"{counts.passed[0]} of {counts.total[0]} passed.")
    if whole is not None:
        return whole
    if wanted > max(counts.total):
        return refuted(proof)
    if any(case.outcome == "failed" for case in cases):
        if reading.maybe("every") and wanted in counts.total:
            return refuted(proof)
        return Silent(reason=f"{proof.text} Which {wanted} of them are meant is not said.")
    if set(counts.passed) != {wanted}:
        return Silent(reason=f"{proof.text} Whether that is {wanted} depends on what is counted.")
    return confirmed(proof)


def _n_pass(reading: Reading, one: CheckOutcome, suite: Suite, evidence: Evidence) -> Decision:
    return _of_number(int(reading.one("number")), reading, one, suite.cases, not_whole(one, suite, evidence))


def _n_fail(reading: Reading, one: CheckOutcome, suite: Suite, evidence: Evidence) -> Decision:
    if (silence := not_whole(one, suite, evidence)) is not None:
        return silence
    counts, wanted = _Counts.of(suite.cases), int(reading.one("number"))
    proof = run_proof(one, counts_of(suite))
    if wanted > max(counts.failed) or (wanted == 0 and any(counts.failed)):
        return refuted(proof)
    if set(counts.failed) != {wanted}:
        return Silent(reason=f"{proof.text} Which {wanted} of them are meant is not said.")
    return confirmed(proof)


def _n_of_n(reading: Reading, one: CheckOutcome, suite: Suite, evidence: Evidence) -> Decision:
    silence = not_whole(one, suite, evidence)
    if (number := reading.maybe("number")) is None:
        return _share(reading, one, suite.cases, silence)
    proof = run_proof(one, counts_of(suite))
    if silence is not None:
        return silence
    if int(number) > suite.collected or (one.outcome == "fail" and int(number) >= suite.passed):
        return refuted(proof)
    # pytest's own summary counts items; a run of fewer may be meant.
    return (
        confirmed(proof)
        if int(number) == suite.passed and one.outcome == "pass"
        else Silent(reason=f"{proof.text} Which run had {number} passed is not said.")
    )


def _n_of_n_in(reading: Reading, one: CheckOutcome, suite: Suite, evidence: Evidence) -> Decision:
    cases = _cases_in(reading, suite, evidence)
    if isinstance(cases, Silent):
        return cases
    kind = _of_a_kind(reading, "REFUTED")
    return kind or _share(reading, one, cases, not_whole(one, suite, evidence))


def _share(reading: Reading, one: CheckOutcome, cases: Sequence[SuiteCase], whole: Silent | None) -> Decision:
    """Decide `N of M tests pass`: both numbers must be right, by every way to count parametrised tests."""
    if not cases:
        return Silent(reason="Our run of pytest has no such test.", of_place=True)
    if whole is not None:
        return whole
    counts = _Counts.of(cases)
    ways = set(zip(counts.passed, counts.total, strict=True))
    wanted = (int(reading.one("passed")), int(reading.one("total")))
    proof = run_proof(one, f"{counts.passed[0]} of {counts.total[0]} passed.")
    if ways == {wanted}:
        return confirmed(proof)
    # A smaller total may be that of some tests which are not named.
    if wanted[1] > max(counts.total) or (wanted not in ways and wanted[1] in counts.total):
        return refuted(proof)
    return Silent(
        reason=f"{proof.text} Which {wanted[1]} of them are meant, or how they are counted, is not said."
    )


def _cases_in(reading: Reading, suite: Suite, evidence: Evidence) -> list[SuiteCase] | Silent:
    """Give the tests in the files and folders that are named; silence where there are others than pytest's."""
    found: dict[str, SuiteCase] = {}
    for text in (*reading.all("path"), *reading.all("directory")):
        place = known_place(text, evidence)
        if isinstance(place, Silent):
            return place
        if (silence := others(evidence, below=place.path)) is not None:
            return silence
        inside = [case for case in suite.cases if case.id.startswith((f"{place.path}::", f"{place.path}/"))]
        if not inside:
            return Silent(reason=f"Our run of pytest has no test in {clean_line(place.path)}.", of_place=True)
        found |= {case.id: case for case in inside}
    return list(found.values())


def _of_a_kind(reading: Reading, verdict: str) -> Silent | None:
    """Silence where a kind of tests is said: which of them are of it is not known, though where all pass, those of it do."""
    kind = reading.maybe("test_kind")
    if kind is None:
        return None
    places = " ".join((*reading.all("path"), *reading.all("directory")))
    sure = kind == "unit" and verdict == "CONFIRMED" and not reading.maybe("number")
    return (
        None
        if sure and not _OTHER_KINDS.search(places)
        else Silent(reason=f"Which of them are {clean_line(kind)} tests is not known.")
    )


def _in_pass(reading: Reading, one: CheckOutcome, suite: Suite, evidence: Evidence) -> Decision:
    cases = _cases_in(reading, suite, evidence)
    if isinstance(cases, Silent):
        return cases
    if (number := reading.maybe("number")) is not None:
        decision = _of_number(int(number), reading, one, cases, not_whole(one, suite, evidence))
    else:
        decision = _of_cases(one, cases, "that")
        if isinstance(decision, Settled) and decision.verdict == "CONFIRMED":
            decision = not_run(suite, evidence) or narrowed_since(evidence) or decision
    if isinstance(decision, Silent):
        return decision
    return _of_a_kind(reading, decision.verdict) or decision


def _of_cases(one: CheckOutcome, cases: Sequence[SuiteCase], of: str) -> Decision:
    """Decide whether some tests passed: one that failed refutes, and one that was not run decides nothing."""
    if not cases:
        return Silent(reason=f"Our run of pytest has no test of {clean_line(of)}.", of_place=True)
    bad = [case for case in cases if case.outcome == "failed"]
    if bad and one.tests is not None and one.tests.unexpected:
        return Silent(reason="Some tests failed by passing, though they were expected to fail.")
    if bad:
        return refuted(*(run_proof(one, f"{show(case.id)} {case.outcome}.") for case in bad[:3]))
    other = next((case for case in cases if case.outcome != "passed"), None)
    if other is not None:
        return Silent(reason=f"{clean_line(other.id)} was {other.outcome}.")
    return confirmed(
        run_proof(
            one, f"{len(cases)} of {len(cases)} passed: {', '.join(show(case.id) for case in cases[:3])}."
        )
    )


def _said(reading: Reading) -> str:
    return reading.maybe("case") or reading.one("test_id")


def _cases(reading: Reading, suite: Suite) -> list[SuiteCase]:
    """Give the tests that a name means: with its file, or by its function's name in one file alone."""
    said, bracket, parameters = _said(reading).removesuffix("()").partition("[")
    found = [
        case
        for case in suite.cases
        if (parts := case.id.partition("["))[0] == said or parts[0].endswith(f"::{said.replace('.', '::')}")
        if not bracket or parts[2] == parameters
    ]
    return found if len({case.id.partition("[")[0] for case in found}) == 1 else []


def _test_passes(reading: Reading, evidence: Evidence) -> Decision:
    said = _said(reading)
    if is_command(said):
        return decide_command(said, evidence)
    ran = _suite(evidence)
    if isinstance(ran, Silent):
        return ran if "test" in said else Silent(reason=f"{clean_line(said)} is no name of a test.")
    return _of_cases(ran[0], _cases(reading, ran[1]), said)


def _one_case(
    reading: Reading, one: CheckOutcome, suite: Suite, evidence: Evidence, *, wanted: str
) -> Decision:
    """Decide what came of one test; what was skipped, or broke down, neither passed nor failed."""
    cases = _cases(reading, suite)
    told = clean_line(_said(reading))
    if len(cases) != 1:
        return Silent(reason=f"Our run of pytest has {len(cases)} tests of {told}.", of_place=True)
    came = cases[0].outcome
    if came not in ("passed", "failed", wanted) or suite.unexpected or suite.subtests:
        return Silent(reason=f"{told} was {came}, or not all that failed is a failure.")
    if came == "skipped" and (missing := missed(one, evidence)) is not None:
        return Silent(reason=f"It was skipped without `{clean_line(missing)}`, which a check is not given.")
    proof = run_proof(one, f"{show(cases[0].id)} {came}.")
    return confirmed(proof) if came == wanted else refuted(proof)


TESTS: Final = Settler(
    name="tests",
    does="Tests pass, so many do, or one passes, fails or is skipped, by a run of ours on this tree (`--check`).",
    refuses="Logs and reports of others; runs with skips, deselected tests or narrowing settings; suites that the change itself may have narrowed.",
    grammar=_GRAMMAR,
    forms={
        "all_tests_pass": Form(decide=_by_suite(_all_pass), of_moment=True),
        "n_tests_pass": Form(decide=_by_suite(_n_pass), of_moment=True),
        "n_of_n_pass": Form(decide=_by_suite(_n_of_n), of_moment=True),
        "n_of_n_in_pass": Form(decide=_by_suite(_n_of_n_in), of_moment=True),
        "n_tests_fail": Form(decide=_by_suite(_n_fail), of_moment=True),
        "tests_in_pass": Form(decide=_by_suite(_in_pass), of_moment=True),
        "test_passes": Form(decide=_test_passes, of_moment=True),
        "test_fails": Form(decide=_by_suite(partial(_one_case, wanted="failed")), of_moment=True),
        "test_skipped": Form(decide=_by_suite(partial(_one_case, wanted="skipped")), of_moment=True),
    },
)
