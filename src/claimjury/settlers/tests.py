"""Tests pass, so many do, or one does: by a run of ours on this tree, and by nothing else.

A log, a report of JUnit's or a word of the author's states what it states. pytest's report shows no trace of `-k`, so not even one
that is fresh shows that all tests ran.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from claimjury.settlers.checks.outcome import CheckOutcome, Suite, SuiteCase
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.our_runs import our_run, run_proof
from claimjury.settlers.outcome import (
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
from claimjury.settlers.paths import Path, resolve, resolve_folder
from claimjury.settlers.suites import counts_of, narrowed_since, not_run, not_whole
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
tests_in_pass: ("all" _the? | _the)? _tests _of _test_places _pass | "all"? _the? number _tests _of _test_places _pass | path _pass "with" "all" _the? number "tests"
n_of_n_in_pass: "in" place "," passed "of" _the? total _tests _pass | "of" _the total _tests "in" place "," passed _pass | passed "of" _the? total _tests _of place _pass
test_passes: _the? "test" case _now? _pass | _the? "test" test_id _now? _pass | case _now? _pass
test_fails: _the? "test" (case | test_id) _now? _fail
test_skipped: _the? "test" (case | test_id) _is "skipped"
case: NAME | PATH
test_id: TEXT
"""


def _suite(evidence: Evidence) -> tuple[CheckOutcome, Suite] | Silent:
    one = our_run("pytest", evidence)
    if isinstance(one, Silent):
        return one
    return (one, one.tests) if one.tests is not None else Silent(reason="Our run of pytest told no tests.")


def _all_pass(_: Reading, evidence: Evidence) -> Decision:
    ran = _suite(evidence)
    if isinstance(ran, Silent):
        return ran
    one, suite = ran
    proof = run_proof(one, counts_of(suite))
    if one.outcome == "fail":
        return refuted(proof, *_failures(one, suite))
    return not_whole(one, suite, evidence) or confirmed(proof)


def _failures(one: CheckOutcome, suite: Suite) -> tuple[Proof, ...]:
    bad = [case for case in suite.cases if case.outcome in ("failed", "error")]
    return tuple(run_proof(one, f"{show(case.id)} {case.outcome}.") for case in bad[:3])


def _n_pass(reading: Reading, evidence: Evidence) -> Decision:
    ran = _suite(evidence)
    if isinstance(ran, Silent):
        return ran
    one, suite = ran
    wanted = int(reading.one("number"))
    proof = run_proof(one, counts_of(suite))
    # Items and functions: a parametrised test is one of one kind and several of the other.
    ways = {
        suite.passed,
        len({case.id.partition("[")[0] for case in suite.cases if case.outcome == "passed"}),
    }
    if wanted > max(ways) or (one.outcome == "fail" and reading.maybe("every")):
        return refuted(proof)
    if one.outcome == "fail" or wanted not in ways:
        return Silent(reason=f"{proof.text} Which {wanted} of them are meant is not said.")
    if len(ways) > 1:
        return Silent(
            reason=f"{proof.text} Whether that is {wanted} depends on how parametrised tests are counted."
        )
    return not_whole(one, suite, evidence) or confirmed(proof)


def _n_fail(reading: Reading, evidence: Evidence) -> Decision:
    ran = _suite(evidence)
    if isinstance(ran, Silent):
        return ran
    one, suite = ran
    proof = run_proof(one, counts_of(suite))
    if suite.errors or one.narrowed or suite.deselected:
        return Silent(reason=f"{proof.text} Not all that there is was run.")
    failed = [case for case in suite.cases if case.outcome == "failed"]
    ways = {len(failed), len(_functions(failed))}
    if int(reading.one("number")) not in ways:
        return refuted(proof)
    return (
        confirmed(proof)
        if len(ways) == 1
        else Silent(reason=f"{proof.text} It depends on how they are counted.")
    )


def _n_of_n(reading: Reading, evidence: Evidence) -> Decision:
    ran = _suite(evidence)
    if isinstance(ran, Silent):
        return ran
    one, suite = ran
    if (number := reading.maybe("number")) is not None:
        if one.outcome == "fail" or suite.passed != int(number):
            return refuted(run_proof(one, counts_of(suite)))
        return not_whole(one, suite, evidence) or confirmed(run_proof(one, counts_of(suite)))
    return _share(reading, one, suite.cases, evidence, suite)


def _n_of_n_in(reading: Reading, evidence: Evidence) -> Decision:
    ran = _suite(evidence)
    if isinstance(ran, Silent):
        return ran
    one, suite = ran
    cases = _cases_in(reading, suite, evidence)
    return cases if isinstance(cases, Silent) else _share(reading, one, cases, evidence, suite)


def _share(
    reading: Reading, one: CheckOutcome, cases: Sequence[SuiteCase], evidence: Evidence, suite: Suite
) -> Decision:
    """Decide `N of M tests pass`: both numbers must be right, by every way to count parametrised tests."""
    if not cases:
        return Silent(reason="Our run of pytest has no such test.")
    good = [case for case in cases if case.outcome == "passed"]
    # What was skipped is among "all tests" for some and not for others.
    run = [case for case in cases if case.outcome in ("passed", "failed", "error")]
    ways = {(len(good), len(told)) for told in (cases, run)}
    ways |= {(len(_functions(good)), len(_functions(told))) for told in (cases, run)}
    wanted = (int(reading.one("passed")), int(reading.one("total")))
    proof = run_proof(one, f"{len(good)} of {len(cases)} passed.")
    if wanted not in ways:
        return refuted(proof)
    if len(ways) > 1:
        return Silent(reason=f"{proof.text} It depends on how parametrised tests are counted.")
    silence = not_whole(one, suite, evidence) if wanted[0] == wanted[1] else None
    return silence or confirmed(proof)


def _functions(cases: Sequence[SuiteCase]) -> set[str]:
    return {case.id.partition("[")[0] for case in cases}


def _cases_in(reading: Reading, suite: Suite, evidence: Evidence) -> list[SuiteCase] | Silent:
    """Give the tests in the files and folders that are named."""
    found: list[SuiteCase] = []
    for text in (*reading.all("path"), *reading.all("directory")):
        place = resolve(text, evidence)
        place = place if isinstance(place, Path) else resolve_folder(text, evidence)
        if not isinstance(place, Path):
            return (
                place
                if isinstance(place, Silent)
                else Silent(reason=f"There is no {clean_line(place.path)}.")
            )
        inside = [case for case in suite.cases if case.id.startswith((f"{place.path}::", f"{place.path}/"))]
        if not inside:
            return Silent(reason=f"Our run of pytest has no test in {clean_line(place.path)}.")
        found += inside
    return found


def _in_pass(reading: Reading, evidence: Evidence) -> Decision:
    ran = _suite(evidence)
    if isinstance(ran, Silent):
        return ran
    one, suite = ran
    cases = _cases_in(reading, suite, evidence)
    if isinstance(cases, Silent):
        return cases
    decision = _of_cases(one, cases, "that")
    if isinstance(decision, Settled) and decision.verdict == "CONFIRMED":
        decision = (
            _miscounted(reading, one, cases)
            or not_run(suite, evidence)
            or narrowed_since(evidence)
            or decision
        )
    kind = reading.maybe("test_kind")
    if kind and isinstance(decision, Settled) and decision.verdict == "REFUTED":
        return Silent(reason=f"{decision.proof[0].text} Which of them are {kind} tests is not known.")
    return decision


def _miscounted(reading: Reading, one: CheckOutcome, cases: Sequence[SuiteCase]) -> Decision | None:
    """Give a decision where the number of tests that is said is not theirs, or not by every way to count."""
    if (number := reading.maybe("number")) is None:
        return None
    ways = {len(cases), len(_functions(cases))}
    if int(number) not in ways:
        return refuted(run_proof(one, f"{len(cases)} tests passed there."))
    return Silent(reason="It depends on how parametrised tests are counted.") if len(ways) > 1 else None


def _of_cases(one: CheckOutcome, cases: Sequence[SuiteCase], of: str) -> Decision:
    """Decide whether some tests passed: one that failed refutes, and one that was not run decides nothing."""
    if not cases:
        return Silent(reason=f"Our run of pytest has no test of {clean_line(of)}.")
    bad = [case for case in cases if case.outcome in ("failed", "error")]
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
    said = _said(reading).removesuffix("()")
    found = [
        case
        for case in suite.cases
        if (bare := case.id.partition("[")[0]) == said
        or case.id == said
        or bare.endswith(f"::{said.replace('.', '::')}")
    ]
    return found if len({case.id.partition("[")[0] for case in found}) == 1 else []


def _test_passes(reading: Reading, evidence: Evidence) -> Decision:
    ran = _suite(evidence)
    if isinstance(ran, Silent):
        return (
            ran
            if "test" in _said(reading)
            else Silent(reason=f"{clean_line(reading.one('case'))} is no name of a test.")
        )
    return _of_cases(ran[0], _cases(reading, ran[1]), _said(reading))


def _test_fails(reading: Reading, evidence: Evidence) -> Decision:
    return _one_case(reading, evidence, "failed")


def _test_skipped(reading: Reading, evidence: Evidence) -> Decision:
    return _one_case(reading, evidence, "skipped")


def _one_case(reading: Reading, evidence: Evidence, outcome: str) -> Decision:
    ran = _suite(evidence)
    if isinstance(ran, Silent):
        return ran
    cases = _cases(reading, ran[1])
    if len(cases) != 1 or cases[0].outcome == "error":
        return Silent(
            reason=f"Our run of pytest has {len(cases)} tests of {clean_line(reading.one('case'))}, or it broke down."
        )
    proof = run_proof(ran[0], f"{show(cases[0].id)} {cases[0].outcome}.")
    return confirmed(proof) if cases[0].outcome == outcome else refuted(proof)


TESTS: Final = Settler(
    name="tests",
    does="Tests pass, so many do, or one passes, fails or is skipped, by a run of ours on this tree (`--check`).",
    refuses="Logs and reports of others; runs with skips, deselected tests or narrowing settings; suites that the change itself may have narrowed.",
    grammar=_GRAMMAR,
    forms={
        "all_tests_pass": Form(decide=_all_pass),
        "n_tests_pass": Form(decide=_n_pass),
        "n_of_n_pass": Form(decide=_n_of_n),
        "n_of_n_in_pass": Form(decide=_n_of_n_in),
        "n_tests_fail": Form(decide=_n_fail),
        "tests_in_pass": Form(decide=_in_pass),
        "test_passes": Form(decide=_test_passes),
        "test_fails": Form(decide=_test_fails),
        "test_skipped": Form(decide=_test_skipped),
    },
)
