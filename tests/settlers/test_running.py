"""Running programs: bounded in time and in output, without keys, and nothing of them left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import psutil
import pytest

from claimjury.settlers.checks.outcome import ChecksResult
from claimjury.settlers.checks.run import run_checks
from claimjury.settlers.checks.running import MAX_OUTPUT, bounded
from claimjury.settlers.checks.surroundings import surroundings
from settlers.check_helpers import TREE, is_gone, make_project, only_check, program

# Each starts programs of its own, which wait for a core on a busy machine.
pytestmark = pytest.mark.timeout(180)

ESLINT = "node_modules/.bin/eslint"


def hanging_project() -> tuple[Path, Path]:
    """Give a project whose eslint hangs, and the pipe that its grandchild writes its id to."""
    project = make_project({"eslint.config.js": ""})
    fifo = project.parent / "fifo"
    os.mkfifo(fifo)
    program(project / ESLINT, TREE.format(fifo=str(fifo), end="signal.pause()"), python=True)
    return project, fifo


def started(fifo: Path) -> psutil.Process:
    return psutil.Process(int(fifo.read_text(encoding="utf-8")))


@pytest.mark.parametrize("how", ["timeout", "stop"])
def test_at_a_timeout_or_a_stop_the_whole_tree_of_processes_is_killed(how: str) -> None:
    project, fifo = hanging_project()
    results: list[ChecksResult] = []
    stop = Event()

    def work() -> None:
        results.append(run_checks(project, timeout_s=5 if how == "timeout" else 50, stop=stop))

    thread = Thread(target=work)
    thread.start()
    grandchild = started(fifo)
    if how == "stop":
        stop.set()
    thread.join()
    assert is_gone(grandchild)
    (check,) = results[0].checks
    assert (check.outcome, check.exit_status, check.output) == ("timeout", None, "begun\n")
    assert "was killed" in (check.detail or "")
    assert results[0].exit_status == 20


def test_a_program_that_ends_leaves_nothing_running_behind_it() -> None:
    project, fifo = hanging_project()
    code = TREE.format(fifo=str(fifo), end=f"print(open({str(fifo)!r}).read())")
    program(project / ESLINT, code, python=True)
    check = only_check(project, "eslint", timeout_s=50)
    assert check.outcome == "pass", check.output
    pid = int(check.output.split()[-1])
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_kills_what_was_started_and_exits_with_130(number: int) -> None:
    project, fifo = hanging_project()
    command = [sys.executable, "-m", "claimjury", "check", "--cwd", str(project)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as ours:
        grandchild = started(fifo)
        ours.send_signal(number)
        ours.communicate()
    assert ours.returncode == 130
    assert is_gone(grandchild)


@pytest.mark.parametrize("as_json", [False, True])
def test_of_an_interrupted_run_what_had_ended_is_shown(as_json: bool) -> None:
    project, fifo = hanging_project()
    (project / "pyproject.toml").write_text("[tool.ruff]\n", encoding="utf-8")
    program(
        project / ".venv" / "bin" / "ruff", "print('this one had ended')\nraise SystemExit(1)", python=True
    )
    command = [
        sys.executable,
        "-m",
        "claimjury",
        "check",
        "--cwd",
        str(project),
        *(["--json"] if as_json else []),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as ours:
        started(fifo)
        ours.send_signal(signal.SIGINT)
        shown, _ = ours.communicate()
    assert ours.returncode == 130
    if as_json:
        checks = {check["name"]: check["outcome"] for check in json.loads(shown)["checks"]}
        assert checks == {"ruff": "fail", "eslint": "timeout"}
    else:
        assert "FAIL ruff" in shown
        assert "this one had ended" in shown
        assert "The run was stopped" in shown


def test_keys_and_what_steers_a_tool_are_gone_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = {
        **dict.fromkeys(
            ("OPENAI_API_KEY", "GH_TOKEN", "NPM_TOKEN", "MY_SECRET", "DB_PASSWORD", "SENTRY_DSN"), "x"
        ),
        **dict.fromkeys(("AWS_PROFILE", "OLLAMA_HOST", "GIT_DIR", "SSH_AUTH_SOCK", "DEPLOY_KEY"), "x"),
        **dict.fromkeys(("PYTEST_ADDOPTS", "RUFF_OUTPUT_FORMAT", "MYPY_CACHE_DIR", "GOFLAGS"), "x"),
        "NODE_OPTIONS": "--require x",
        "DATABASE_URL": "postgres://me:word@db/x",
    }
    kept = {"LANG_TEST": "C", "KEYBOARD": "de", "MONKEY": "m", "REPORT_URL": "https://host.example/x"}
    for name, value in {**gone, **kept}.items():
        monkeypatch.setenv(name, value)
    project = make_project({"eslint.config.js": ""})
    program(
        project / ESLINT,
        "import json, os, sys\nprint(json.dumps([dict(os.environ), sys.stdin.read()]))",
        python=True,
    )
    seen, read = json.loads(only_check(project, "eslint").output)
    assert [name for name in gone if name in seen] == []
    assert {name: seen.get(name) for name in kept} == kept
    assert (seen["PYTHONDONTWRITEBYTECODE"], read) == ("1", "")
    assert "PWD" not in surroundings({"PWD": "/x"}, mark="m")


def test_of_a_long_output_beginning_and_end_are_kept_and_all_is_counted() -> None:
    project = make_project({"eslint.config.js": ""})
    program(
        project / ESLINT,
        "import sys\nprint('first' + 'x' * 3_000_000)\nsys.stderr.write('last')",
        python=True,
    )
    check = only_check(project, "eslint")
    assert check.output_bytes == 3_000_010
    assert check.output.startswith("first")
    assert check.output.endswith("last")
    assert "bytes of 3,000,010 left out here" in check.output
    assert len(check.output) < MAX_OUTPUT + 100
    assert bounded("abcdef", 4) == "ab\n[2 characters left out here]\nef"


def test_what_a_program_says_cannot_act_on_a_terminal() -> None:
    project = make_project({"eslint.config.js": ""})
    program(project / ESLINT, "printf '\\033[31mred\\377\\n::error::x\\n'")
    check = only_check(project, "eslint")
    assert check.output == "red\ufffd\nx\n"


def test_a_program_that_cannot_be_started_is_an_error() -> None:
    project = make_project({"eslint.config.js": "", ESLINT: "#!/no/such/interpreter\n"})
    (project / ESLINT).chmod(0o755)
    check = only_check(project, "eslint")
    assert (check.outcome, check.exit_status) == ("error", None)
    assert "could not be started" in (check.detail or "")


def test_once_the_time_of_the_whole_run_is_over_no_check_is_begun() -> None:
    project = make_project({"eslint.config.js": "", "tsconfig.json": "{}"})
    program(project / ESLINT, "exit 0")
    program(project / "node_modules/.bin/tsc", "exit 0")
    stop = Event()
    begun: list[str] = []

    def told(_ended: int, _of: int, name: str, _project: str) -> None:
        begun.append(name)
        stop.set()

    result = run_checks(project, stop=stop, told=told)
    assert begun == ["tsc", "eslint"]
    assert [check.outcome for check in result.checks] == ["timeout", "timeout"]
    assert "was not begun" in (result.checks[0].detail or "")
    assert [check.outcome for check in run_checks(project, total_s=1e-9).checks] == ["timeout", "timeout"]
