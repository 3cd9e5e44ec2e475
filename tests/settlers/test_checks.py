"""Which checks are declared, where they run, and what their programs' ends mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimjury.errors import ConfigInvalid, InvalidRequest, SourceNotFound, SourceOutsideRoots
from claimjury.evidence.reference import MAX_REFERENCE
from claimjury.settlers.checks.declared import declarations
from claimjury.settlers.checks.outcome import CHECKS
from claimjury.settlers.checks.reference import as_reference, reference_of
from claimjury.settlers.checks.run import run_checks
from claimjury.settlers.checks.tree import tree_hash
from settlers.check_helpers import OURS, make_project, only_check, program
from unit.git_helpers import commit, git, repository


def use_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", OURS, prepend=":")


@pytest.mark.parametrize(
    ("name", "file", "text", "place"),
    [
        ("ruff", "ruff.toml", "", "ruff.toml"),
        ("ruff", "pyproject.toml", "[project]\n[tool.ruff.lint]\n", "pyproject.toml:2"),
        ("ruff", "pyproject.toml", "tool = { ruff = {} }\n", "pyproject.toml"),
        ("mypy", "setup.cfg", "[metadata]\n\n[mypy]\n", "setup.cfg:3"),
        ("mypy", "pyproject.toml", "[tool.mypy]\n", "pyproject.toml:1"),
        ("pyright", "pyrightconfig.json", "{}", "pyrightconfig.json"),
        ("pyright", "pyproject.toml", "\n[tool.pyright]\n", "pyproject.toml:2"),
        ("pytest", "pyproject.toml", "[tool.pytest.ini_options]\n", "pyproject.toml:1"),
        ("pytest", "tox.ini", "[tox]\n[pytest]\n", "tox.ini:2"),
        ("pytest", "setup.cfg", "[tool:pytest]\n", "setup.cfg:1"),
        ("pytest", "tests/conftest.py", "", "tests/conftest.py"),
        ("tsc", "tsconfig.json", "{}", "tsconfig.json"),
        ("eslint", "eslint.config.mjs", "", "eslint.config.mjs"),
        ("eslint", "package.json", '{\n "eslintConfig": {}}', "package.json:2"),
        ("cargo-check", "Cargo.toml", "", "Cargo.toml"),
        ("go-vet", "go.mod", "", "go.mod"),
    ],
)
def test_a_check_is_declared_by_a_file_or_a_line_of_one(name: Any, file: str, text: str, place: str) -> None:
    project = make_project({file: text})
    assert {key: row.place for key, row in declarations(project, [project]).items()} == {name: place}


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": '[project]\nname = "x"\ndescription = """\n[tool.ruff]\n"""\n'},
        {"setup.cfg": "[mypy-foo.*]\n", "tox.ini": "[tox]\n"},
        {"package.json": "{}", "tests/test_a.py": ""},
    ],
    ids=["in-a-string", "other-sections", "no-settings"],
)
def test_what_only_looks_like_a_declaration_is_none(files: dict[str, str]) -> None:
    project = make_project(files)
    assert declarations(project, [project]) == {}
    result = run_checks(project)
    assert (result.checks, result.exit_status) == ((), 20)
    assert "No check is declared" in (result.detail or "")


def test_lint_and_types_pass_fail_or_break_down_by_the_programs_own_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_ours(monkeypatch)
    settings = "[tool.ruff]\nfix = true\n[tool.mypy]\nstrict = true\n"
    project = make_project({"pyproject.toml": settings, "a.py": "X: int = 1\n"})
    result = run_checks(project)
    assert [(check.name, check.outcome, check.exit_status) for check in result.checks] == [
        ("ruff", "pass", 0),
        ("mypy", "pass", 0),
    ]
    assert (result.exit_status, result.counts) == (0, {"pass": 2})
    bad = "import os\nX: int = ''\n"
    make_project({"a.py": bad})
    result = run_checks(project)
    assert [(check.outcome, check.exit_status) for check in result.checks] == [("fail", 1), ("fail", 1)]
    assert (result.exit_status, result.checks[0].changed_tree) == (10, False)
    assert Path("a.py").read_text(encoding="utf-8") == bad


@pytest.mark.parametrize(
    ("name", "file", "text"),
    [
        ("ruff", "pyproject.toml", "[tool.ruff]\nline-length = 'wide'\n"),
        ("ruff", "pyproject.toml", "[tool.ruff]\nline-length = \n"),
        ("mypy", "mypy.ini", "[mypy]\nno_such_option = 1\n"),
        ("mypy", "pyproject.toml", "[tool.mypy]\npython_version = 'x'\n"),
    ],
)
def test_settings_that_are_wrong_are_an_error(
    name: str, file: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_ours(monkeypatch)
    check = only_check(make_project({file: text, "a.py": "X: int = 1\n"}), name)
    assert check.outcome == "error", check.output
    assert "its settings are wrong" in (check.detail or "")


def test_a_program_that_looks_at_nothing_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    use_ours(monkeypatch)
    (check,) = run_checks(make_project({"mypy.ini": "[mypy]\n"})).checks
    assert (check.outcome, check.exit_status) == ("error", 2)


DECLARES = {
    "pyright": "pyrightconfig.json",
    "tsc": "tsconfig.json",
    "eslint": "eslint.config.js",
    "cargo-check": "Cargo.toml",
    "go-vet": "go.mod",
}


@pytest.mark.parametrize(
    ("name", "said", "status", "outcome"),
    [
        ("pyright", "0 errors", 0, "pass"),
        ("pyright", "a.py:1:1 - error", 1, "fail"),
        ("pyright", "No source files found.", 0, "error"),
        ("pyright", "bad settings", 3, "error"),
        ("tsc", "", 0, "pass"),
        ("tsc", "a.ts(1,7): error TS2322: x", 2, "fail"),
        ("tsc", "tsconfig.json(3,5): error TS5023: Unknown compiler option", 1, "error"),
        ("tsc", "error TS18003: No inputs were found", 2, "error"),
        ("tsc", "a.ts(1,7): error TS2322: x", 0, "error"),
        ("tsc", "crash", 1, "error"),
        ("eslint", "", 0, "pass"),
        ("eslint", "1:1 error", 1, "fail"),
        ("eslint", "Oops!", 2, "error"),
        ("cargo-check", "Finished", 0, "pass"),
        ("cargo-check", "error[E0308]: mismatched types", 101, "fail"),
        ("cargo-check", "error: failed to parse manifest", 101, "error"),
        ("go-vet", "", 0, "pass"),
        ("go-vet", "./a.go:3:2: unreachable code", 1, "fail"),
        ("go-vet", 'go: warning: "./..." matched no packages', 0, "error"),
        ("go-vet", "go: cannot find main module", 1, "error"),
    ],
)
def test_a_program_s_end_is_judged_by_its_own_statuses(
    name: str, said: str, status: int, outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path.cwd().parent / "bin"
    called = {"cargo-check": "cargo", "go-vet": "go"}.get(name, name)
    program(folder / called, f"cat <<'END'\n{said}\nEND\nexit {status}")
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    check = only_check(make_project({DECLARES[name]: "{}"}), name)
    assert (check.outcome, check.exit_status) == (outcome, status)
    assert (check.from_project, check.declared_in) == (False, DECLARES[name])


def test_references_to_other_projects_that_tsc_does_not_look_at_are_no_pass() -> None:
    project = make_project({"tsconfig.json": '{"files": [], "references": [{"path": "a"}]}'})
    program(project / "node_modules/.bin/tsc", "exit 0")
    check = only_check(project, "tsc")
    assert (check.outcome, check.exit_status) == ("error", 0)
    assert "references" in (check.detail or "")


def test_every_check_is_run_without_a_shell_by_a_fixed_vector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ruff", "mypy", "pyright", "pytest", "tsc", "eslint", "cargo", "go"):
        program(tmp_path / "bin" / name, 'for one in "$@"; do printf "%s|" "$one"; done')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    files = {
        **dict.fromkeys(DECLARES.values(), "{}"),
        "ruff.toml": "",
        "pytest.ini": "",
        "mypy.ini": "[mypy]\nfiles = a\n",
    }
    result = run_checks(make_project(files))
    assert [check.name for check in result.checks] == list(CHECKS)
    for check in result.checks:
        assert check.output.rstrip("|").split("|") == list(check.command[1:]) or not check.command[1:]
    assert result.checks[0].output == "check|--no-cache|--no-fix|--no-fix-only|.|"
    assert result.checks[1].command[-1] != "."


def test_the_project_s_own_program_comes_before_that_of_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin" / "ruff", "echo theirs")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    project = make_project({"ruff.toml": "", "sub/ruff.toml": ""})
    assert only_check(project, "ruff").output == "theirs\n"
    program(project / "venv/bin/ruff", "echo own")
    check = only_check(project, "ruff")
    assert (check.output, check.from_project) == ("own\n", True)
    (inner,) = run_checks(project, paths=[Path("sub")]).checks
    assert (inner.output, inner.project) == ("own\n", "sub")
    (alone,) = run_checks(project / "sub").checks
    assert alone.output == "theirs\n"


def test_a_relative_entry_of_path_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project({"ruff.toml": ""})
    program(project / "tools" / "ruff", "echo fooled")
    program(project / "ruff", "echo fooled")
    monkeypatch.setenv("PATH", "tools::.:/nowhere")
    check = only_check(project, "ruff")
    assert (check.outcome, check.declared_in, check.command) == ("missing", "ruff.toml", ())
    assert "There is no program ruff" in (check.detail or "")


def test_a_check_that_is_asked_for_and_not_declared_is_missing_and_says_what_was_looked_for() -> None:
    result = run_checks(make_project({}), only=["ruff", "ruff"])
    (check,) = result.checks
    assert (check.outcome, check.declared_in, result.exit_status) == ("missing", None, 20)
    assert ".ruff.toml, ruff.toml, [tool.ruff] of pyproject.toml" in (check.detail or "")
    assert "tree_before" not in check.to_json()


def test_a_path_says_which_project_is_meant_and_narrows_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ruff", "tsc"):
        program(tmp_path / "bin" / name, "pwd; echo $#")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    top = make_project({"ruff.toml": "", "src/a.py": "", "web/tsconfig.json": "{}", "web/src/a.ts": ""})
    paths = [Path("src/a.py"), Path("web/src"), Path("web/src/a.ts"), Path()]
    ran = [
        (check.name, check.project, check.output.split()[0]) for check in run_checks(top, paths=paths).checks
    ]
    assert ran == [("ruff", ".", str(top)), ("tsc", "web", str(top / "web"))]
    both = run_checks(top, paths=[Path("web/src")], only=["ruff", "tsc"]).checks
    assert [(check.name, check.project) for check in both] == [("ruff", "."), ("tsc", "web")]


def test_projects_lie_below_the_roots_with_links_followed(tmp_path: Path) -> None:
    outside = make_project({"ruff.toml": "", "a.py": ""}, tmp_path / "outside")
    project = make_project({"tsconfig.json": "{}", "inner/x": ""})
    (project / "link").symlink_to(outside)
    (project / "linked.py").symlink_to(outside / "a.py")
    for path in ("link", "linked.py", "../outside", str(outside)):
        with pytest.raises(SourceOutsideRoots, match=r"The path .* outside the allowed roots"):
            run_checks(project, paths=[Path(path)])
    (check,) = run_checks(project, paths=[Path("link")], allow_roots=[outside], only=["ruff"]).checks
    assert (check.declared_in, check.project) == ("ruff.toml", str(outside))
    with pytest.raises(SourceNotFound, match="The path"):
        run_checks(project, paths=[Path("gone")])


def test_no_declaration_is_taken_from_above_the_roots_or_over_a_link_out_of_them(tmp_path: Path) -> None:
    project = make_project({"ruff.toml": "", "inner/x": ""})
    assert run_checks(project / "inner").checks == ()
    outside = make_project({"mypy.ini": "[mypy]\n"}, tmp_path / "outside")
    (project / "inner" / "mypy.ini").symlink_to(outside / "mypy.ini")
    assert run_checks(project / "inner").checks == ()


def test_the_operator_s_caps_only_narrow(tmp_path: Path) -> None:
    project = make_project({"tsconfig.json": "{}", "inner/tsconfig.json": "{}"})
    program(project / "inner/node_modules/.bin/tsc", "exit 0")
    inner = project / "inner"
    (tmp_path / "other").mkdir()
    assert [row.outcome for row in run_checks(inner, caps=[project]).checks] == ["pass"]
    assert [row.project for row in run_checks(project, paths=[Path("inner")], caps=[inner]).checks] == [
        "inner"
    ]
    with pytest.raises(SourceOutsideRoots):
        run_checks(project, caps=[inner])
    with pytest.raises(SourceOutsideRoots, match="check_roots"):
        run_checks(project, allow_roots=[inner], caps=[tmp_path / "other"])
    with pytest.raises(ConfigInvalid, match="too wide"):
        run_checks(project, caps=[Path.home()])


@pytest.mark.parametrize(
    "options", [{"only": ["black"]}, {"timeout_s": 0}, {"timeout_s": float("nan")}, {"total_s": -1}]
)
def test_bad_input_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        run_checks(make_project({}), **options)


def test_a_directory_that_is_none_or_too_wide_is_refused(tmp_path: Path) -> None:
    for directory in (tmp_path / "gone", Path("/"), Path.home()):
        with pytest.raises(ConfigInvalid):
            run_checks(directory)


def test_the_hash_of_a_tree_is_of_its_bytes_and_modes_and_not_of_what_is_ignored() -> None:
    repository()
    commit({"a.py": "1", ".gitignore": "*.log\n", ".gitattributes": "*.py filter=evil\n"})
    git("config", "filter.evil.clean", "touch /nowhere/evil")
    top = Path.cwd()
    first = tree_hash(top)
    assert first == tree_hash(top)
    make_project({"x.log": "ignored"})
    assert tree_hash(top) == first
    git("update-index", "--assume-unchanged", "a.py")
    make_project({"a.py": "2"})
    changed = tree_hash(top)
    Path("a.py").chmod(0o755)
    run = tree_hash(top)
    make_project({"new.py": ""})
    added = tree_hash(top)
    Path("a.py").unlink()
    gone = tree_hash(top)
    Path("a.py").symlink_to("new.py")
    assert len({first, changed, run, added, gone, tree_hash(top)}) == 6


def test_a_submodule_s_files_are_in_the_hash_and_outside_of_git_all_but_caches_are() -> None:
    repository()
    commit({"a": ""})
    repository("inner")
    commit({"b": "1"}, at="inner")
    git("add", "inner")
    first = tree_hash(Path.cwd())
    Path("inner/b").write_text("2", encoding="utf-8")
    assert tree_hash(Path.cwd()) != first
    plain = make_project({"a": "1"}, Path.cwd().parent / "plain")
    before = tree_hash(plain)
    make_project({"__pycache__/a.pyc": "", "node_modules/x": ""}, plain)
    assert tree_hash(plain) == before
    make_project({"sub/b": ""}, plain)
    assert tree_hash(plain) != before


def test_a_reference_has_command_status_and_hash_and_leaves_the_machine_s_folders_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_ours(monkeypatch)
    project = make_project(
        {
            "pytest.ini": "[pytest]\naddopts = -k one\n",
            "test_a.py": "def test_one(): pass\n",
            "eslint.config.js": "",
        }
    )
    program(project / "node_modules/.bin/eslint", "pwd; yes out | head -c 100000; exit 1")
    result = run_checks(project)
    text = as_reference(result)
    assert len(text) <= MAX_REFERENCE
    assert "$ pytest -p claimjury_pytest_witness -o cache_dir=SCRATCH/cache\n" in text
    assert "declared in pytest.ini: pass, exit status 0" in text
    assert "tests: 1 passed of 1 collected" in text
    assert "narrowed by the project's settings: -k one" in text
    assert f"files before {result.checks[0].tree_before}, and after {result.checks[0].tree_after}" in text
    assert "$ eslint --no-color ." in text
    assert str(project) not in text
    reference = reference_of(result)
    assert (reference.origin, reference.text) == ("ran", text)
    assert "run by claimjury itself" in reference.heading


def test_a_result_is_json_that_reads_back() -> None:
    result = run_checks(make_project({}), only=["tsc"])
    value = json.loads(json.dumps(result.to_json()))
    assert (value["exit_status"], value["counts"]) == (20, {"missing": 1})
    assert type(result).model_validate_json(json.dumps(value)) == result
