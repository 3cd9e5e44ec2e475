"""What tests and checkers say is settled by a run of ours, on trees that are built here, and by real programs."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from claimjury.settlers.checks.declared import declarations
from claimjury.settlers.checks.outcome import CheckOutcome, ChecksResult, Suite, SuiteCase
from claimjury.settlers.checks.run import run_checks
from settlers.settle_helpers import changed, said

# Each starts programs of its own, which wait for a core on a busy machine.
pytestmark = pytest.mark.timeout(180)

Files = dict[str, str | bytes]
PYTEST = "[tool.pytest.ini_options]\ntestpaths = ['tests']\n"
GOOD = "import pytest\n\n\ndef test_a():\n    pass\n\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test_b(n):\n    assert n\n"
BAD = "def test_c():\n    assert False\n"
SKIPPED = "import pytest\n\n\n@pytest.mark.skip\ndef test_d():\n    pass\n"


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


def ran(folder: Path, files: Files, check: str = "pytest", *, below: str = ".") -> tuple[Path, ChecksResult]:
    """Build a tree, and run one check in it."""
    project = changed(folder / "repo", files, {"b.txt": "x\n"})
    return project, run_checks(project / below, only=[check])


def decided(folder: Path, files: Files, statements: dict[str, str | None], check: str = "pytest") -> None:
    project, checks = ran(folder, files, check)
    rows = {text: said(project, text, checks=checks) for text in statements}
    assert {text: row.verdict for text, row in rows.items()} == statements, [
        row.silent for row in rows.values()
    ]


def test_a_suite_that_passes_confirms_it_and_its_counts(tmp_path: Path) -> None:
    decided(
        tmp_path,
        {"pyproject.toml": PYTEST, "tests/test_x.py": GOOD},
        {
            "All tests pass.": "CONFIRMED",
            "The test suite passes.": "CONFIRMED",
            "No tests fail.": "CONFIRMED",
            "All 4 tests pass.": "REFUTED",
            # Two functions are three tests.
            "All 3 tests pass.": None,
            "2 of 3 tests pass.": "REFUTED",
            "The tests in `tests/test_x.py` pass.": "CONFIRMED",
            "The unit tests in `tests/` pass.": "CONFIRMED",
            "The test `test_a` passes.": "CONFIRMED",
            "The test `test_a` fails.": "REFUTED",
            "The test `test_b` passes.": "CONFIRMED",
            "The test `test_zzz` passes.": None,
            "2 tests fail.": "REFUTED",
        },
    )


def test_a_suite_that_fails_refutes_it_and_leaves_open_which_tests_are_meant(tmp_path: Path) -> None:
    decided(
        tmp_path,
        {"pyproject.toml": PYTEST, "tests/test_x.py": GOOD, "tests/test_y.py": BAD},
        {
            "All tests pass.": "REFUTED",
            "All 3 tests pass.": "REFUTED",
            # Three did, and one failed: who says so may mean these three.
            "3 tests pass.": None,
            "5 tests pass.": "REFUTED",
            "1 test fails.": None,
            "1 tests fail.": "CONFIRMED",
            "The tests in `tests/test_x.py` pass.": "CONFIRMED",
            "The tests in `tests/test_y.py` pass.": "REFUTED",
            # Whether it is one of the golden ones is not known.
            "The golden tests in `tests/` pass.": None,
            "The test `test_c` passes.": "REFUTED",
            "The test `test_c` fails.": "CONFIRMED",
        },
    )


def test_a_skipped_test_is_among_all_for_some_and_not_for_others(tmp_path: Path) -> None:
    decided(
        tmp_path,
        {
            "pyproject.toml": PYTEST,
            "tests/test_x.py": "def test_a():\n    pass\n",
            "tests/test_d.py": SKIPPED,
        },
        {
            "All tests pass.": None,
            "1 of 2 tests pass.": None,
            "1 of 1 tests pass.": None,
            "2 of 2 tests pass.": None,
            "3 of 3 tests pass.": None,
            "The test `test_d` passes.": None,
            "The test `test_d` is skipped.": "CONFIRMED",
        },
    )


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"test_top.py": "def test_e():\n    pass\n"}, id="a test outside of testpaths"),
        pytest.param({"conftest.py": "def pytest_collection_modifyitems(items):\n    pass\n"}, id="a hook"),
        pytest.param({"tests/conftest.py": "collect_ignore = ['test_z.py']\n"}, id="collect_ignore"),
        pytest.param({"package.json": "{}"}, id="another suite"),
        pytest.param(
            {"tests/test_w.py": "import os\n\nif os.sep == '?':\n    def test_w():\n        pass\n"},
            id="under a condition",
        ),
    ],
)
def test_a_suite_that_may_not_be_the_whole_one_confirms_nothing(tmp_path: Path, more: Files) -> None:
    files = {"pyproject.toml": PYTEST, "tests/test_x.py": GOOD, **more}
    decided(tmp_path, files, {"All tests pass.": None, "The test `test_a` fails.": "REFUTED"})


def test_a_project_below_the_top_says_nothing_of_the_whole_tree(tmp_path: Path) -> None:
    project, checks = ran(tmp_path, {"sub/pyproject.toml": PYTEST, "sub/tests/test_x.py": BAD}, below="sub")
    assert said(project, "All tests pass.", checks=checks).verdict is None


def test_a_change_that_takes_tests_out_is_confirmed_by_no_run(tmp_path: Path) -> None:
    files: Files = {"pyproject.toml": PYTEST, "tests/test_x.py": GOOD, "tests/test_y.py": BAD}
    project = changed(tmp_path / "repo", files, {"tests/test_y.py": None})
    row = said(project, "All tests pass.", checks=run_checks(project, only=["pytest"]))
    assert row.verdict is None
    assert "takes tests out of tests/test_y.py" in (row.silent or "")


RUFF = "[tool.ruff.lint]\nselect = ['F']\n"


def test_a_checker_is_clean_where_ours_was_and_by_the_very_command(tmp_path: Path) -> None:
    decided(
        tmp_path,
        {"pyproject.toml": RUFF, "a.py": "x = 1\n"},
        {
            "ruff is clean.": "CONFIRMED",
            "ruff check passes.": "CONFIRMED",
            "`ruff` passes.": "CONFIRMED",
            "`ruff check` passes.": "CONFIRMED",
            "`ruff check .` passes.": "CONFIRMED",
            "`ruff check src` passes.": None,
            "`ruff check --select ALL` passes.": None,
            "`ruff format --check` passes.": None,
            "mypy is clean.": None,
        },
        "ruff",
    )


def test_a_checker_that_finds_something_refutes_it(tmp_path: Path) -> None:
    files: Files = {"pyproject.toml": RUFF, "a.py": "import os\n"}
    decided(tmp_path, files, {"ruff is clean.": "REFUTED", "There are no ruff errors.": "REFUTED"}, "ruff")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"a.py": "import os  #NOQA\n"}, id="a word that silences it"),
        pytest.param({".gitignore": "a.py\n"}, id="a file that it ignores by"),
        pytest.param({"pyproject.toml": "[tool.ruff.lint]\nselect = ['E']\n"}, id="its settings"),
    ],
)
def test_a_checker_that_the_change_loosens_confirms_nothing(
    tmp_path: Path, change: dict[str, str | bytes | None]
) -> None:
    project = changed(tmp_path / "repo", {"pyproject.toml": RUFF, "a.py": "x = 1\n"}, change)
    assert said(project, "ruff is clean.", checks=run_checks(project, only=["ruff"])).verdict is None


def test_mypy_by_itself_is_another_command_than_mypy_of_a_folder(tmp_path: Path) -> None:
    decided(
        tmp_path,
        {"mypy.ini": "[mypy]\n", "a.py": "x: int = 1\n"},
        {"`mypy .` passes.": "CONFIRMED", "`mypy` passes.": None, "mypy is clean.": "CONFIRMED"},
        "mypy",
    )


def test_a_failure_that_our_environment_may_have_made_refutes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOO_API_KEY", "x")
    monkeypatch.setenv("DATABASE_URL", "postgres://me:secret@host/db")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    keyed = "import os\n\n\ndef test_k():\n    assert os.environ['DATABASE_URL']\n"
    skipped = "import os\n\nimport pytest\n\n\n@pytest.mark.skipif('FOO_API_KEY' not in os.environ, reason='x')\ndef test_s():\n    pass\n"
    files: Files = {"pyproject.toml": PYTEST, "tests/test_k.py": keyed, "tests/test_s.py": skipped}
    decided(
        tmp_path / "a",
        files,
        {
            "All tests pass.": None,
            "The test `test_k` passes.": None,
            "The test `test_k` fails.": None,
            "The test `test_s` is skipped.": None,
        },
    )
    coloured = "import os\n\n\ndef test_c():\n    assert os.environ['PWD'] == os.getcwd()\n    assert 'NO_COLOR' not in os.environ and os.environ['TERM'] == 'xterm'\n"
    apart: Files = {"pyproject.toml": PYTEST, "tests/test_c.py": coloured}
    decided(tmp_path / "b", apart, {"All tests pass.": "CONFIRMED"})


def test_a_test_that_fails_for_want_of_a_plugin_or_a_module_decides_nothing(tmp_path: Path) -> None:
    text = "async def test_a():\n    pass\n\n\ndef test_m():\n    import no_such_module_here\n"
    project, checks = ran(tmp_path, {"pyproject.toml": PYTEST, "tests/test_x.py": text})
    assert checks.checks[0].outcome == "error"
    assert said(project, "All tests pass.", checks=checks).verdict is None


def test_a_checker_that_does_not_find_what_is_imported_decides_nothing(tmp_path: Path) -> None:
    files: Files = {"mypy.ini": "[mypy]\n", "a.py": "import no_such_module_here\n"}
    decided(tmp_path, files, {"mypy is clean.": None, "mypy reports no errors.": None}, "mypy")


TWO = "def test_a():\n    pass\n\n\ndef test_b():\n    pass\n"


def test_a_number_or_a_kind_of_tests_that_may_be_some_of_them_refutes_nothing(tmp_path: Path) -> None:
    decided(
        tmp_path,
        {"pyproject.toml": PYTEST, "tests/unit/test_x.py": TWO, "tests/e2e/test_y.py": TWO},
        {
            "In `tests/unit/test_x.py`, 1 of 1 unit tests pass.": None,
            "1 of 1 new tests in `tests/` pass.": None,
            "1 tests in `tests/` pass.": None,
            "The e2e tests in `tests/unit` pass.": None,
            "The unit tests in `tests/e2e` pass.": None,
            "All existing tests in `tests/` pass.": None,
            "The unit tests in `tests/unit` pass.": "CONFIRMED",
            "2 of 2 tests in `tests/unit/test_x.py` pass.": "CONFIRMED",
            "1 of 2 tests in `tests/unit/test_x.py` pass.": "REFUTED",
            "3 of 3 tests in `tests/unit/test_x.py` pass.": "REFUTED",
            "All 2 tests in `tests/unit/test_x.py` pass.": "CONFIRMED",
            "All 3 tests in `tests/unit/test_x.py` pass.": "REFUTED",
            "The tests in `tests/unit` and `tests/e2e` pass.": "CONFIRMED",
            "4 of 4 tests pass.": "CONFIRMED",
            "2 of 2 tests pass.": None,
            "The pytest run is clean with 4 passed.": "CONFIRMED",
            "The pytest run is clean with 3 passed.": None,
            "The pytest run is clean with 5 passed.": "REFUTED",
        },
    )


HALF = "import pytest\n\n\n@pytest.mark.parametrize('n', [1, 0])\ndef test_p(n):\n    assert n\n\n\ndef test_a():\n    pass\n\n\ndef test_b():\n    pass\n"


def test_a_function_that_failed_for_one_of_its_parameters_is_none_that_passes(tmp_path: Path) -> None:
    decided(
        tmp_path,
        {"pyproject.toml": PYTEST, "tests/test_x.py": HALF},
        {
            "2 of 3 tests pass.": None,
            "3 of 4 tests pass.": None,
            "3 of 3 tests pass.": "REFUTED",
            "1 of 1 tests pass.": None,
            "1 of 1 new tests in `tests/` pass.": None,
            "1 tests in `tests/` pass.": None,
            "All 4 tests in `tests/` pass.": "REFUTED",
            "In `tests/`, 3 of 4 new tests pass.": None,
            "1 tests fail.": "CONFIRMED",
            "2 tests fail.": "REFUTED",
            "0 tests fail.": "REFUTED",
            "The test `test_p[1]` passes.": "CONFIRMED",
            "The test `test_p[0]` fails.": "CONFIRMED",
            "The test `test_p[2]` fails.": None,
            "The test `tests/test_x.py::test_p[0]` passes.": "REFUTED",
            "`tests/test_x.py::test_a` passes.": None,
            "The test `test_p` passes.": "REFUTED",
        },
    )


def test_a_run_that_stopped_at_a_failure_says_nothing_of_numbers(tmp_path: Path) -> None:
    settings = "[tool.pytest.ini_options]\ntestpaths = ['tests']\naddopts = '-x'\n"
    decided(
        tmp_path,
        {"pyproject.toml": settings, "tests/test_x.py": "def test_0():\n    assert False\n\n\n" + TWO},
        {
            "2 of 3 tests pass.": None,
            "0 of 1 tests pass.": None,
            "5 tests pass.": None,
            "2 tests fail.": None,
            "All tests pass.": "REFUTED",
        },
    )


ODD = """import unittest

import pytest


@pytest.fixture
def torn():
    raise OSError


def test_broken(torn):
    pass


def test_bad():
    assert False


@pytest.mark.xfail
def test_xfail():
    assert False


class TestOld(unittest.TestCase):
    @unittest.expectedFailure
    def test_better(self):
        pass

    def test_parts(self):
        with self.subTest():
            pass
"""


def test_what_broke_down_was_expected_to_fail_or_passed_against_it_neither_fails_nor_passes(
    tmp_path: Path,
) -> None:
    decided(
        tmp_path,
        {"pyproject.toml": PYTEST, "tests/test_x.py": ODD},
        {
            "All tests pass.": "REFUTED",
            "The test `test_broken` passes.": None,
            "The test `test_broken` fails.": None,
            "The test `test_xfail` fails.": None,
            "The test `test_xfail` is skipped.": None,
            "The test `test_better` fails.": None,
            "The test `test_bad` passes.": "REFUTED",
            "1 tests fail.": None,
            "2 tests fail.": None,
            "6 tests pass.": None,
            "The pytest run is clean with 6 passed.": None,
        },
    )


SUBTESTS = (
    "def test_s(subtests):\n    for n in range(3):\n        with subtests.test(n=n):\n            pass\n"
)


def test_subtests_are_counted_by_some_and_not_by_others(tmp_path: Path) -> None:
    statements: dict[str, str | None] = dict.fromkeys(
        ("The pytest run is clean with 4 passed.", "All 4 tests pass.", "1 of 1 tests pass.")
    )
    decided(tmp_path, {"pyproject.toml": PYTEST, "tests/test_x.py": SUBTESTS}, statements)


@pytest.mark.parametrize(
    "more",
    [
        {"app/tests.py": "from django.test import TestCase\n\n\nclass A(TestCase):\n    pass\n"},
        {"src/foo.py": "class TFoo(Base):\n    def test_it(self):\n        pass\n"},
        {"features/a.feature": ""},
        {"tests/a.bats": ""},
        {"Makefile": "test:\n\tnpm test\n"},
        {"CMakeLists.txt": ""},
        {"deno.json": "{}"},
        {"spec/a_spec.rb": ""},
        {"web/src/a.test.tsx": ""},
        {"conftest.py": "pytest_pyfunc_call = lambda pyfuncitem: True\n"},
        {"tests/conftest.py": "import _pytest.python as p\np.Function.runtest = lambda self: None\n"},
        {"other/conftest.py": "from pytest import hookimpl\n"},
        {"tests/helper.py": "def quiet(request):\n    request.node.obj = lambda: None\n"},
    ],
    ids=lambda more: next(iter(more)),
)
def test_what_stands_beside_the_suite_or_steers_it_keeps_all_from_being_confirmed(
    tmp_path: Path, more: Files
) -> None:
    # The run is a made one, as what is beside it is what decides.
    files: Files = {"pyproject.toml": PYTEST, "tests/test_x.py": TWO}
    cases = tuple(SuiteCase(id=f"tests/test_x.py::test_{one}", outcome="passed") for one in "ab")
    zero = dict.fromkeys(
        ("failed", "errors", "skipped", "xfailed", "xpassed", "deselected", "not_run", "reruns"), 0
    )
    suite = Suite(collected=2, passed=2, marked_flaky=0, cases=cases, **zero)
    one = CheckOutcome(name="pytest", project=".", outcome="pass", exit_status=0, tests=suite)
    for told, wanted in (
        ({}, "CONFIRMED"),
        ({"Makefile": "test:\n\tpytest -q\n"}, "CONFIRMED"),
        (more, None),
    ):
        project = changed(tmp_path / f"{wanted}{len(told)}", {**files, **told}, {"b.txt": "x\n"})
        checks = ChecksResult.of(str(project), [one])
        assert said(project, "All tests pass.", checks=checks).verdict == wanted, told


def test_a_test_that_git_ignores_is_no_part_of_what_is_claimed_about(tmp_path: Path) -> None:
    files: Files = {"pyproject.toml": PYTEST, "tests/test_x.py": TWO, ".gitignore": "test_mine.py\n"}
    project = changed(tmp_path / "repo", files, {"b.txt": "x\n"})
    (project / "tests" / "test_mine.py").write_text(BAD, "utf-8")
    checks = run_checks(project, only=["pytest"])
    for statement in ("All tests pass.", "All 3 tests pass.", "The test `test_c` passes."):
        assert said(project, statement, checks=checks).verdict is None


def told_by(folder: Path, name: str, output: str, statements: dict[str, str | None], files: Files) -> None:
    """Settle by a run that ended with 0 and said something."""
    project = changed(folder, {"a.py": "x = 1\n", **files}, {"b.txt": "x\n"})
    one = CheckOutcome(name=name, project=".", outcome="pass", exit_status=0, output=output)  # type: ignore[arg-type]
    checks = ChecksResult.of(str(project), [one])
    rows = {text: said(project, text, checks=checks) for text in statements}
    assert {text: row.verdict for text, row in rows.items()} == statements, rows


def test_warnings_and_notes_are_no_errors_and_each_checker_has_its_own(tmp_path: Path) -> None:
    told_by(
        tmp_path / "a",
        "eslint",
        "1:1  warning  x\n1 problem (0 errors, 1 warning)\n",
        {
            "eslint reports no problems.": None,
            "There are no eslint problems.": None,
            "`npx eslint .` passes without issues.": None,
            "eslint is clean.": None,
            "eslint reports no errors.": "CONFIRMED",
            "eslint finds no lint errors.": "CONFIRMED",
            "`npx eslint .` passes.": "CONFIRMED",
            "eslint finds no type errors.": None,
        },
        {},
    )
    told_by(
        tmp_path / "b",
        "mypy",
        "a.py:1: note: By default the bodies of untyped functions are not checked\nSuccess: no issues found\n",
        {
            "mypy reports no issues.": None,
            "mypy is clean.": None,
            "mypy reports no type errors.": "CONFIRMED",
            "mypy exits with 0.": "CONFIRMED",
            "mypy exits with status 0.": "CONFIRMED",
            "mypy exits with 1.": None,
            "There are no mypy lint errors.": None,
            "`mypy` passes.": "CONFIRMED",
            "`mypy` exits with 0.": None,
        },
        {},
    )
    told_by(
        tmp_path / "c",
        "ruff",
        "All checks passed!\n",
        {
            "ruff finds no type errors.": None,
            "`ruff check` exits with 0.": "CONFIRMED",
            "ruff is clean.": "CONFIRMED",
        },
        {},
    )


def test_ruff_that_is_told_to_fix_is_refuted_by_no_run_that_fixes_nothing(tmp_path: Path) -> None:
    files: Files = {"pyproject.toml": "[tool.ruff]\nfix = true\n", "a.py": "import os\n"}
    decided(tmp_path, files, {"`ruff check` passes.": None, "ruff is clean.": None}, "ruff")


@pytest.mark.parametrize(
    "change",
    [
        {"base.toml": ""},
        {"eslint.config.mts": ""},
        {"tools/plugin.py": "x = 1\n"},
        {"lib.pyi": ""},
        {"rules/no-foo.js": ""},
        {"b.py": "if not TYPE_CHECKING:\n    x = 1\n"},
        {".eslintrc.cjs": ""},
        {"a.json": "{}"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_a_checker_may_be_told_by_is_no_change_that_confirms(
    tmp_path: Path, change: dict[str, str | bytes | None]
) -> None:
    settings = "[mypy]\nplugins = tools.plugin\n"
    script = "import foo from './rules/no-foo.js';\nexport default [{ plugins: { foo } }];\n"
    files: Files = {"mypy.ini": settings, "a.py": "x = 1\n", "eslint.config.mjs": script}
    project = changed(tmp_path / "repo", files, change)
    one = CheckOutcome(name="mypy", project=".", outcome="pass", exit_status=0)
    assert said(project, "mypy is clean.", checks=ChecksResult.of(str(project), [one])).verdict is None


def test_no_secret_of_an_output_and_no_value_of_the_environment_is_in_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOO_API_KEY", "of-the-environment")
    text = "import pytest\n\n\n@pytest.mark.parametrize('n', ['AKIA' + 'IOSFODNN7REALKEY'])\ndef test_a(n):\n    assert n == ''\n"
    _, checks = ran(tmp_path, {"pyproject.toml": PYTEST, "tests/test_x.py": text})
    (one,) = checks.checks
    assert "FOO_API_KEY" in one.withheld
    assert "of-the-environment" not in str(checks.to_json())
    assert "AKIAIOSFODNN7REALKEY" not in str(one.to_json())


def test_a_long_file_of_blank_lines_is_read_at_once(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("\n" * 60_000 + "[tool.pytest.ini_options]\n", "utf-8")
    began = time.monotonic()
    assert declarations(tmp_path, [tmp_path])["pytest"].line == 60_001
    assert time.monotonic() - began < 2


FLAKY = "import pytest\n\n\n@pytest.mark.flaky\ndef test_a():\n    assert False\n"


def test_a_flaky_failure_and_tests_of_another_kind_beside_it_decide_nothing(tmp_path: Path) -> None:
    files: Files = {"pyproject.toml": PYTEST, "tests/test_x.py": FLAKY}
    decided(tmp_path / "a", files, {"All tests pass.": None, "The test `test_a` passes.": None})
    files = {"pyproject.toml": PYTEST, "tests/test_x.py": TWO, "tests/web/a.test.js": "", "Cargo.toml": ""}
    statements = {"The tests in `tests/` pass.": None, "The tests in `tests/test_x.py` pass.": "CONFIRMED"}
    decided(tmp_path / "b", files, statements)


def test_a_failure_that_names_no_error_refutes_no_claim_of_errors(tmp_path: Path) -> None:
    project = changed(tmp_path / "repo", {"a.py": "x = 1\n"}, {"b.txt": "x\n"})
    output = "a.py:1:1 - warning: x\n0 errors, 1 warning\n"
    one = CheckOutcome(name="pyright", project=".", outcome="fail", exit_status=1, output=output)
    checks = ChecksResult.of(str(project), [one])
    assert said(project, "pyright reports no errors.", checks=checks).verdict is None
