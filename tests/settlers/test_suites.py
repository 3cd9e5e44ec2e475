"""Runs of pytest: what passes, what fails, and what decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimjury.settlers.checks.outcome import CheckOutcome, Suite
from settlers.check_helpers import OURS, PYTEST, make_project, only_check
from unit.git_helpers import commit, repository

# Each starts programs of its own, which wait for a core on a busy machine.
pytestmark = pytest.mark.timeout(180)

MIXED = """
import pytest

def test_passes(): pass
def test_fails(): assert False
def test_is_skipped(): pytest.skip("later")
@pytest.mark.xfail
def test_fails_as_expected(): assert False
@pytest.mark.xfail
def test_passes_unexpectedly(): pass
@pytest.fixture
def torn():
    yield
    raise RuntimeError
def test_breaks_at_its_end(torn): pass
@pytest.mark.parametrize("n", [1, 2])
def test_each(n): pass
"""
TWO = "def test_one(): pass\ndef test_two(): pass\n"


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", OURS, prepend=":")


def suite(files: dict[str, str], settings: str = "") -> CheckOutcome:
    return only_check(make_project({"pytest.ini": f"[pytest]\n{settings}", **files}), "pytest")


def ran_by(check: CheckOutcome) -> Suite:
    assert check.tests is not None, check.output
    return check.tests


@pytest.mark.parametrize("settings", ["", "addopts = -n 2"], ids=["one-process", "xdist"])
def test_each_test_counts_once_by_its_worst_phase_and_has_its_id(settings: str) -> None:
    check = suite({"test_a.py": MIXED}, settings)
    tests = ran_by(check)
    assert (check.outcome, check.exit_status) == ("fail", 1)
    assert tests.model_dump(exclude={"cases"}) == {
        "collected": 8,
        "passed": 3,
        "failed": 1,
        "errors": 1,
        "skipped": 1,
        "xfailed": 1,
        "xpassed": 1,
        "deselected": 0,
        "not_run": 0,
        "reruns": 0,
        "marked_flaky": 0,
        "subtests": 0,
        "unexpected": 0,
    }
    outcomes = {case.id: case.outcome for case in tests.cases}
    assert outcomes["test_a.py::test_each[2]"] == "passed"
    assert outcomes["test_a.py::test_breaks_at_its_end"] == "error"


def test_a_suite_passes_where_exit_status_and_counts_say_so() -> None:
    check = suite({"tests/test_a.py": TWO}, "testpaths = tests\n")
    assert (check.outcome, check.exit_status, check.detail, check.narrowed) == ("pass", 0, None, ())
    assert ran_by(check).passed == 2
    assert check.declared_in == "pytest.ini"
    assert not check.changed_tree


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("-k one", "-k one"),
        ("-m 'not slow'", "-m not slow"),
        ("--deselect test_a.py::test_two", "--deselect ['test_a.py::test_two']"),
        ("--ignore=test_b.py", "--ignore"),
        ("-x", "--maxfail (-x) 1"),
        ("--lf", "--last-failed"),
        ("test_a.py", "paths test_a.py"),
    ],
)
def test_settings_that_leave_tests_out_are_noticed(options: str, said: str) -> None:
    check = suite({"test_a.py": TWO, "test_b.py": TWO}, f"addopts = {options}\n")
    assert check.outcome == "pass"
    assert any(narrowed.startswith(said) for narrowed in check.narrowed), check.narrowed


def test_what_a_conftest_leaves_out_is_noticed() -> None:
    conftest = "collect_ignore = ['test_b.py']\ndef pytest_collection_modifyitems(config, items):\n    config.hook.pytest_deselected(items=[items.pop()])\n"
    check = suite({"test_a.py": TWO, "test_b.py": TWO, "conftest.py": conftest})
    assert check.outcome == "pass"
    assert check.narrowed == ("collect_ignore test_b.py", "1 deselected")
    assert (ran_by(check).collected, ran_by(check).deselected) == (2, 1)


def test_deselection_is_counted_with_workers_too() -> None:
    check = suite({"test_a.py": TWO}, "addopts = -n 2 -k one\n")
    assert check.narrowed == ("-k one", "1 deselected")
    assert ran_by(check).collected == 2


def test_options_of_the_environment_narrow_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k one")
    check = suite({"test_a.py": TWO})
    assert (check.narrowed, ran_by(check).passed) == ((), 2)


@pytest.mark.parametrize(
    ("files", "settings", "status", "said"),
    [
        ({}, "", 5, "which is not a pass"),
        ({"test_a.py": "import pytest\npytest.skip('all', allow_module_level=True)"}, "", 5, "not a pass"),
        ({"test_a.py": "import pytest\ndef test_a(): pytest.skip('x')"}, "", 0, "1 skipped"),
        ({"test_a.py": "import nowhere_at_all"}, "", 2, "could not be collected"),
        ({"test_a.py": "def test_a(nothing): pass"}, "", 1, "could not be collected, set up"),
        ({"test_a.py": TWO}, "addopts = --no-such-option", 4, "without a record"),
        ({"test_a.py": TWO}, "addopts = --setup-only", 0, "run no test"),
        ({"test_a.py": "import os\ndef test_a(): os._exit(0)"}, "", 0, "without a record"),
    ],
    ids=["none", "module-skipped", "all-skipped", "import", "fixture", "settings", "setup-only", "exit"],
)
def test_what_ran_no_test_to_its_end_is_no_pass(
    files: dict[str, str], settings: str, status: int, said: str
) -> None:
    check = suite(files, settings)
    assert (check.outcome, check.exit_status) == ("error", status), check.output
    assert said in (check.detail or "")


@pytest.mark.parametrize(
    ("status", "test", "said"),
    [(0, "assert False", "exits with 0 though 1 failed"), (1, "pass", "exits with 1 though no test failed")],
)
def test_an_exit_status_that_contradicts_the_counts_decides_nothing(
    status: int, test: str, said: str
) -> None:
    conftest = f"def pytest_sessionfinish(session): session.exitstatus = {status}\n"
    check = suite({"test_a.py": f"def test_a(): {test}\n", "conftest.py": conftest})
    assert (check.outcome, check.exit_status) == ("error", status)
    assert said in (check.detail or "")


def test_reruns_and_marks_of_flaky_tests_are_counted() -> None:
    conftest = """
import pytest
def pytest_configure(config): config.addinivalue_line("markers", "flaky: x")
@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    from _pytest.runner import runtestprotocol
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call":
            report.outcome = "rerun"
        item.ihook.pytest_runtest_logreport(report=report)
    return None
"""
    check = suite(
        {
            "test_a.py": "import pytest\n@pytest.mark.flaky\ndef test_a(): pass\n",
            "conftest.py": conftest,
        }
    )
    assert check.outcome == "pass", check.output
    assert (ran_by(check).reruns, ran_by(check).marked_flaky, ran_by(check).passed) == (1, 1, 1)


def test_a_record_that_is_not_of_our_form_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    conftest = """
import sys
from pathlib import Path
def pytest_unconfigure(config):
    Path(sys.modules["claimjury_pytest_witness"].__file__).with_name("record.json").write_text('{"items": 3}')
"""
    check = suite({"test_a.py": TWO, "conftest.py": conftest})
    assert check.outcome == "error"
    assert "without a record" in (check.detail or "")


@pytest.mark.parametrize("in_git", [True, False])
def test_a_run_that_changes_the_files_is_noticed(*, in_git: bool) -> None:
    changes = {"test_a.py": "def test_a():\n    open('kept.txt', 'a').write('x')\n", "kept.txt": "a"}
    if in_git:
        repository()
        commit({"README": "x"})
    check = suite(changes)
    assert (check.outcome, check.changed_tree) == ("pass", True)
    assert check.tree_before != check.tree_after


def test_a_run_leaves_no_cache_in_the_project_and_its_tree_as_it_was() -> None:
    project = make_project({**PYTEST, "test_a.py": TWO})
    before = sorted(path.name for path in project.rglob("*"))
    first, second = only_check(project, "pytest"), only_check(project, "pytest")
    assert sorted(path.name for path in project.rglob("*")) == before
    assert first.tree_before == first.tree_after == second.tree_after
    assert (first.tree_before or "").startswith("sha256:")


def test_a_project_may_hold_a_file_of_its_own_with_the_record_s_name() -> None:
    check = suite({"test_a.py": TWO, "record.json": "{}"})
    assert check.outcome == "pass"
    assert Path("record.json").read_text(encoding="utf-8") == "{}"
