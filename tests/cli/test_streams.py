"""Where the output goes wrong: no answer is lost, no status is changed, 1 is never given."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from claimjury.testing import Reply, ScriptedOllama, ballot
from cli.helpers import Cli
from jury.helpers import CLAIM, CONFIRM, TRIO, trio

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX shells, devices and modes")

Shell = Callable[[str], subprocess.CompletedProcess[bytes]]


@pytest.fixture
def shell() -> Iterator[Shell]:
    """Run a shell line in which `cj` is the command, against three jurors who confirm with a letter of no ASCII."""
    confirm = Reply(ballot({"c1": {"verdict": "CONFIRMED", "rationale": "Größer als 0 → wahr \U0001f600."}}))
    with ScriptedOllama(dict.fromkeys(TRIO, [confirm])) as server:
        environ = {**os.environ, "OLLAMA_CLOUD_HOST": server.url, "OLLAMA_API_KEY": "sk-canary-0123456789"}

        def run(line: str) -> subprocess.CompletedProcess[bytes]:
            script = f'cj() {{ "{sys.executable}" -m claimjury "$@"; }}; {line}'
            return subprocess.run(["bash", "-c", script], capture_output=True, check=False, env=environ)

        yield run


def test_an_encoding_without_a_letter_gets_it_as_an_escape_and_the_json_stays_json(shell: Shell) -> None:
    text = shell(f"PYTHONIOENCODING=ascii cj verify --claim '{CLAIM} café'")
    as_json = shell(f"PYTHONIOENCODING=ascii cj verify --claim '{CLAIM} café' --json")
    assert (text.returncode, as_json.returncode) == (20, 20)
    assert b"caf\\u00e9" in text.stdout
    claim = json.loads(as_json.stdout)["result"]["claims"][0]
    assert claim["statement"] == f"{CLAIM} café"
    assert claim["jurors"][0]["rationale"] == "Größer als 0 → wahr \U0001f600."


@pytest.mark.parametrize("where", [">&-", ">/dev/full"])
def test_a_standard_output_that_takes_nothing_costs_neither_answer_nor_status(
    shell: Shell, where: str
) -> None:
    ran = shell(f"cj verify --claim '{CLAIM}' --json -q {where}")
    assert ran.returncode == 20
    assert b"standard output cannot be written" in ran.stderr
    report = ran.stderr[ran.stderr.index(b"\n{") :]
    assert json.loads(report)["result"]["claims"][0]["verdict"] == "CONFIRMED"


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
def test_a_standard_error_that_takes_nothing_costs_nothing(shell: Shell, where: str) -> None:
    ran = shell(f"cj verify --claim '{CLAIM}' --json {where}")
    assert ran.returncode == 20
    assert json.loads(ran.stdout)["exit_status"] == 20


@pytest.mark.parametrize(
    "line",
    [
        "cj verify 2>&-",
        "cj verify 2>/dev/full",
        "cj verify --json >/dev/full",
        "cj verify --json >&- 2>&-",
        "cj verify - <&-",
        "CLAIMJURY_TRACEBACK=1 cj verify - <&- --json",
        "cj",
        "cj nonsense",
        "mkdir gone && cd gone && rmdir ../gone && cj verify --claim x",
        "mkdir gone && cd gone && rmdir ../gone && cj config",
        "SSL_CERT_FILE=/nowhere OLLAMA_CLOUD_HOST= cj verify --claim x",
        "HTTPS_PROXY=foo://x OLLAMA_CLOUD_HOST= cj verify --claim x",
    ],
)
def test_what_a_user_gets_wrong_exits_with_2_and_never_with_1_or_70(shell: Shell, line: str) -> None:
    ran = shell(line)
    assert ran.returncode == 2, ran.stderr
    assert b"Traceback" not in ran.stderr


def test_a_reader_that_leaves_a_help_page_does_not_read_as_a_verdict(shell: Shell) -> None:
    ran = shell("cj verify --help | true; exit ${PIPESTATUS[0]}")
    assert ran.returncode in (0, 2)
    assert ran.stderr == b""


def test_a_fault_of_ours_shows_its_traceback_where_asked_and_exits_with_70(shell: Shell) -> None:
    sabotage = "import claimjury.surfaces.cli.running as r; r.judge = None; from claimjury.surfaces.cli.main import run"
    ran = shell(
        f"CLAIMJURY_TRACEBACK=1 \"{sys.executable}\" -c \"{sabotage}; import sys; sys.exit(run(['verify', '--json']))\""
    )
    assert ran.returncode == 70
    assert b"Traceback" in ran.stderr
    assert json.loads(ran.stdout)["error"]["code"] == "INTERNAL"


def test_an_output_file_keeps_its_mode_a_new_one_gets_the_usual_and_a_link_is_followed(cli: Cli) -> None:
    old, target = Path("old.txt"), Path("target.txt")
    old.write_text("old", encoding="utf-8")
    old.chmod(0o640)
    Path("link.txt").symlink_to(target)
    mask = os.umask(0o022)
    try:
        with ScriptedOllama(trio(CONFIRM)) as server:
            cli.use(server)
            for name in ("old.txt", "new.txt", "link.txt"):
                cli("verify", "--claim", CLAIM, "--output", name)
    finally:
        os.umask(mask)
    modes = {name: stat.S_IMODE(Path(name).stat().st_mode) for name in ("old.txt", "new.txt", "target.txt")}
    assert modes == {"old.txt": 0o640, "new.txt": 0o644, "target.txt": 0o644}
    assert Path("link.txt").is_symlink()
    assert "supporting evidence" in old.read_text(encoding="utf-8")


def test_a_device_is_written_and_never_replaced(cli: Cli) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        cli.use(server)
        ran = cli("verify", "--claim", CLAIM, "--output", os.devnull)
        full = cli("verify", "--claim", CLAIM, "--output", "/dev/full")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    assert (ran.status, ran.out) == (20, "")
    assert full.status == 20
    assert "could not be written" in full.err
    assert "supporting evidence" in full.out
