"""`claimjury check`: exit statuses, formats, the operator's cap."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimjury.settings.files import user_file
from cli.helpers import Cli
from settlers.check_helpers import make_project, program

ESLINT = "node_modules/.bin/eslint"


def project(code: str = "exit 0") -> Path:
    top = make_project({"eslint.config.js": ""})
    program(top / ESLINT, code)
    return top


@pytest.mark.parametrize(
    ("code", "args", "status"),
    [
        ("exit 0", (), 0),
        ("exit 1", (), 10),
        ("exit 2", (), 20),
        ("exit 1", ("--only", "eslint,ruff"), 10),
        ("exit 0", ("--only", "eslint,ruff"), 20),
        ("exec tail -f /dev/null", ("--timeout", "0.5"), 20),
    ],
    ids=["pass", "fail", "error", "fail-and-missing", "missing", "timeout"],
)
def test_the_exit_status_is_that_of_the_table(
    cli: Cli, code: str, args: tuple[str, ...], status: int
) -> None:
    project(code)
    ran = cli("check", *args, "--json")
    assert (ran.status, ran.json["exit_status"]) == (status, status)


def test_where_nothing_is_declared_nothing_is_decided(cli: Cli) -> None:
    ran = cli("check")
    assert ran.status == 20
    assert ran.out.startswith("No check is declared there")


def test_the_text_says_what_was_run_where_it_is_declared_and_what_failed(cli: Cli) -> None:
    project("echo 'a.js:1:1 no-undef'; exit 1")
    ran = cli("check", "--only", "eslint, ruff")
    lines = ran.out.splitlines()
    assert lines[0].startswith("FAIL eslint in ., exit status 1, ")
    assert lines[1] == "  $ eslint --no-color .  (the project's own; declared in eslint.config.js)"
    assert lines[2] == "  | a.js:1:1 no-undef"
    assert lines[3] == "MISSING ruff in ."
    assert lines[5] == "2 checks: 1 fail, 1 missing."
    assert "claimjury: eslint in . (1 of 2) ..." in ran.err


def test_a_change_of_the_project_s_files_is_said(cli: Cli) -> None:
    project("echo more >> eslint.config.js")
    ran = cli("check")
    assert "The run changed the project's files" in ran.out


def test_json_goes_to_a_file_where_one_is_named(cli: Cli, tmp_path: Path) -> None:
    project()
    target = tmp_path / "checks.json"
    ran = cli("check", "--format", "json", "--output", str(target))
    assert (ran.status, ran.out) == (0, "")
    (check,) = json.loads(target.read_text(encoding="utf-8"))["checks"]
    assert (check["name"], check["outcome"], check["tree_before"]) == ("eslint", "pass", check["tree_after"])


def test_another_directory_is_named_by_cwd_and_allowed_by_a_root(cli: Cli, tmp_path: Path) -> None:
    other = make_project({"tsconfig.json": "{}"}, tmp_path / "other")
    program(other / "node_modules/.bin/tsc", "exit 0")
    assert cli("check", "--cwd", str(other), "--json").json["checks"][0]["name"] == "tsc"
    refused = cli("check", str(other))
    assert refused.status == 2
    assert "--allow-root" in refused.err
    assert cli("check", str(other), "--allow-root", str(other)).status == 0


def test_the_user_s_settings_cap_where_checks_run_and_a_project_s_file_says_nothing_of_it(
    cli: Cli, tmp_path: Path
) -> None:
    top = project()
    (tmp_path / "elsewhere").mkdir()
    user_file().parent.mkdir(parents=True)
    user_file().write_text(f'check_roots = ["{tmp_path / "elsewhere"}"]\n', encoding="utf-8")
    for args in ((), ("--allow-root", str(top)), ("--cwd", str(top))):
        ran = cli("check", *args, "--json")
        assert (ran.status, ran.json["error"]["code"]) == (2, "SOURCE_OUTSIDE_ROOTS")
    user_file().write_text(f'check_roots = ["{top}"]\n', encoding="utf-8")
    assert cli("check").status == 0
    for line in (f'check_roots = ["{top}"]\n', "mcp_checks = true\n"):
        Path("claimjury.toml").write_text(line, encoding="utf-8")
        refused = cli("check")
        assert refused.status == 2
        assert "is yours to say" in refused.err


@pytest.mark.parametrize("name", ["CHECK_ROOTS", "MCP_CHECKS"])
def test_a_variable_does_not_say_where_code_is_run(
    cli: Cli, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    project()
    monkeypatch.setenv(f"CLAIMJURY_{name}", "true")
    assert "from your settings file or a flag alone" in cli("check").err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--only", "black"), "'black' is no check"),
        (("--only", ","), "names no check"),
        (("--timeout", "0"), "cannot be used"),
        (("gone",), "The path"),
        (("--cwd", "/"), "is too wide"),
        (("--output", "gone/x"), "cannot be written"),
    ],
)
def test_bad_input_is_told_with_what_to_do(cli: Cli, args: tuple[str, ...], said: str) -> None:
    project()
    ran = cli("check", *args)
    assert ran.status == 2
    assert said in ran.err
