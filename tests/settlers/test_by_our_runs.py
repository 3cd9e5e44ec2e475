"""What tests and checkers say is settled by a run of ours, on trees that are built here, and by real programs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from claimjury.settlers.checks.outcome import ChecksResult
from claimjury.settlers.checks.run import run_checks
from settlers.settle_helpers import changed, said

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
            "2 of 2 tests pass.": "REFUTED",
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
