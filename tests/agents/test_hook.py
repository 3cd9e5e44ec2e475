"""`claimjury-hook`: it speaks of broken citations, once, and never gets in the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import claimjury
from citing.corpus import make_repository, rows
from claimjury.evidence.citing.checking import check_citations
from claimjury.evidence.git import end_running, run_git
from claimjury.surfaces.hooks.hosts import answer_of, host_of, turn_of
from claimjury.surfaces.hooks.memory import mark_of, remember, was_said
from claimjury.surfaces.hooks.turn import OFF_SWITCH, TurnEnd, TurnReply, judge_turn

BROKEN = "The limit is `lookup()` at src/parcel/cache.py:999."
PROGRAM = "import sys; sys.argv[0] = 'claimjury-hook'; from claimjury.surfaces.hooks.main import main; main()"

STUCK = (
    "import claimjury.evidence.citing.checking as checking\n"
    "from threading import Event\n"
    "def swallowing(*_):\n"
    "    while True:\n"
    "        try: Event().wait()\n"
    "        except OSError: pass\n"
    "checking.check_citations = swallowing\n"
)
FAILING = (
    "import claimjury.evidence.citing.checking as checking\n"
    "def broken(*_): raise SystemExit(2)\n"
    f"checking.check_citations = broken\n{PROGRAM}"
)


@dataclass(frozen=True, slots=True)
class Said:
    status: int
    answer: dict[str, Any]
    err: str


class Hook:
    """Runs the hook as a host does: a process of its own, JSON on standard input."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._home, self.folder = home, folder

    def __call__(self, given: object, *args: str, code: str = PROGRAM, **environ: str) -> Said:
        data = given if isinstance(given, bytes) else json.dumps(given).encode()
        ran = subprocess.run(
            [sys.executable, "-c", code, *args],
            input=data,
            capture_output=True,
            check=False,
            cwd=self.folder,
            env=self.environ(**environ),
        )
        lines = ran.stdout.decode().splitlines()
        assert len(lines) == 1, ran
        return Said(ran.returncode, json.loads(lines[0]), ran.stderr.decode())

    def environ(self, **more: str) -> dict[str, str]:
        here = str(Path(claimjury.__file__).parents[1])
        return {"PATH": os.environ["PATH"], "HOME": str(self._home), "PYTHONPATH": here, **more}

    def settings(self, text: str) -> None:
        file = self._home / ".config" / "claimjury" / "config.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def stop(self, message: str, **more: Any) -> dict[str, Any]:
        return {"hook_event_name": "Stop", "cwd": str(self.folder), "last_assistant_message": message, **more}


@pytest.fixture
def hook(tmp_path: Path) -> Hook:
    home = tmp_path / "hooked"
    home.mkdir()
    return Hook(home, make_repository(home / "project" / "repo"))


def test_a_broken_citation_is_told_to_the_person_alone_and_the_turn_ends(hook: Hook) -> None:
    said = hook(hook.stop(BROKEN), "stop")
    note = said.answer["systemMessage"]
    assert said.status == 0
    assert "src/parcel/cache.py:999: The file has 62 lines." in note
    assert note.endswith(OFF_SWITCH)
    # `additionalContext` would have the agent go on.
    assert said.answer.keys() == {"systemMessage"}


def test_a_path_is_looked_for_where_the_agent_works_first(hook: Hook) -> None:
    given = hook.stop("The list is index.ts:20.", cwd=str(hook.folder / "web" / "src"))
    (hook.folder / "index.ts").write_text("x\n", encoding="utf-8")
    assert hook(given).answer == {}


def test_the_same_is_said_once(hook: Hook) -> None:
    assert hook(hook.stop(BROKEN)).answer
    assert hook(hook.stop(BROKEN)).answer == {}
    assert hook(hook.stop(BROKEN + " Really.")).answer


@pytest.mark.parametrize(
    "given",
    [
        {"last_assistant_message": "Nothing is cited, at 12:30 on localhost:8080."},
        {"last_assistant_message": "Sound: src/parcel/cache.py:27."},
        {"last_assistant_message": BROKEN, "stop_hook_active": True},
        {"last_assistant_message": BROKEN, "loop_count": 1},
        {"last_assistant_message": ""},
        {"last_assistant_message": 7},
        {"last_assistant_message": BROKEN, "cwd": "/"},
        {"last_assistant_message": BROKEN, "cwd": "/does/not/exist"},
        {"last_assistant_message": "x" * 1_000_001 + BROKEN},
        {"transcript_path": "/does/not/exist"},
        {},
        [],
        "text",
        None,
    ],
    ids=lambda given: str(given)[-60:],
)
def test_where_there_is_nothing_to_say_the_answer_is_empty(hook: Hook, given: Any) -> None:
    if isinstance(given, dict):
        given = {"cwd": str(hook.folder), **given}
    said = hook(given)
    assert (said.status, said.answer, said.err) == (0, {}, "")


@pytest.mark.parametrize(
    "data", [b"", b"garbage", b"\xff\xfe{", b"{", b"[" * 100_000], ids=lambda data: repr(data[:9])
)
@pytest.mark.parametrize("args", [(), ("stop",), ("--bogus", "-x"), ("stop", "--host")], ids=" ".join)
def test_no_input_and_no_option_makes_it_fail(hook: Hook, data: bytes, args: tuple[str, ...]) -> None:
    said = hook(data, *args)
    assert (said.status, said.answer) == (0, {})
    assert "Traceback" not in said.err


def test_an_own_fault_is_told_and_holds_nothing_up_unless_the_users_settings_say_so(hook: Hook) -> None:
    said = hook(hook.stop(BROKEN), code=FAILING)
    assert (said.status, said.answer) == (0, {})
    assert "a fault of its own, nothing was checked: SystemExit" in said.err
    closed = hook(hook.stop(BROKEN), code=FAILING, CLAIMJURY_HOOK_FAIL="closed")
    assert (closed.status, closed.answer["decision"]) == (0, "block")
    assert "CLAIMJURY_HOOK=off" in closed.answer["reason"]


def test_a_project_decides_nothing_about_the_hook(hook: Hook) -> None:
    (hook.folder / "claimjury.toml").write_text('hook = "block"\nhook_fail = "closed"\n', encoding="utf-8")
    said = hook(hook.stop(BROKEN))
    assert (said.status, "decision" in said.answer) == (0, False)


@pytest.mark.parametrize("variable", [{}, {"CLAIMJURY_FOO": "1"}, {"CLAIMJURY_DEADLINE": "soon"}], ids=str)
@pytest.mark.parametrize("project", ["", "no_such_key = 1\n", "not toml", 'hook = "note"\n'], ids=str)
def test_what_a_user_says_of_the_hook_holds_whatever_else_is_wrong_in_any_settings(
    hook: Hook, variable: dict[str, str], project: str
) -> None:
    (hook.folder / "claimjury.toml").write_text(project, encoding="utf-8")
    hook.settings('hook = "off"\nno_such_key = 1\n')
    assert hook(hook.stop(BROKEN), **variable).answer == {}
    hook.settings('hook = "block"\nno_such_key = 1\n')
    assert hook(hook.stop(BROKEN), **variable).answer["decision"] == "block"
    hook.settings('hook_fail = "closed"\nno_such_key = 1\n')
    assert hook(hook.stop(BROKEN), code=FAILING, **variable).answer["decision"] == "block"


@pytest.mark.parametrize("said", ["Off", " OFF ", "false", "0", "no"])
def test_each_way_to_write_off_is_off(hook: Hook, said: str) -> None:
    assert hook(hook.stop(BROKEN), CLAIMJURY_HOOK=said).answer == {}
    hook.settings(f'hook = "{said}"\n')
    assert hook(hook.stop(BROKEN)).answer == {}
    hook.settings("hook = false\n")
    assert hook(hook.stop(BROKEN)).answer == {}


def test_the_case_of_a_setting_does_not_matter_and_one_that_means_nothing_is_named(hook: Hook) -> None:
    assert hook(hook.stop(BROKEN), CLAIMJURY_HOOK="Block").answer["decision"] == "block"
    note = hook(hook.stop(BROKEN + " So."), CLAIMJURY_HOOK="blokc").answer["systemMessage"]
    assert note.endswith("`CLAIMJURY_HOOK` is 'blokc', which is none of off, note, block.")
    hook.settings("not toml")
    assert "Your settings file cannot be read" in hook(hook.stop(BROKEN + " Yes.")).answer["systemMessage"]


@pytest.mark.parametrize(
    "stuck",
    [
        "",
        STUCK,
    ],
    ids=["standard input", "a part that catches every error of the system"],
)
def test_it_ends_in_time_wherever_it_is_stuck(hook: Hook, stuck: str) -> None:
    code = f"{stuck}from claimjury.surfaces.hooks import main as hook\nhook.TIMEOUT_S = 0.3\nhook.main()"
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=hook.folder,
        env=hook.environ(),
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        if stuck:
            running.stdin.write(json.dumps(hook.stop(BROKEN)).encode())
            running.stdin.close()
        assert running.stdout.read() == b"{}\n"
        assert running.wait() == 0
        assert b"it took over 0.3 s" in running.stderr.read()


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX closes them")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full"])
@pytest.mark.parametrize("code", [PROGRAM, FAILING], ids=["sound", "failing"])
def test_whatever_the_host_closed_it_exits_with_0_and_without_a_traceback(
    hook: Hook, closed: str, code: str
) -> None:
    ran = subprocess.run(
        ["/bin/sh", "-c", f'"$0" -c "$1" stop {closed}', sys.executable, code],
        input=json.dumps(hook.stop(BROKEN)).encode(),
        capture_output=True,
        check=False,
        cwd=hook.folder,
        env=hook.environ(),
    )
    assert ran.returncode == 0
    assert b"Traceback" not in ran.stderr


def test_off_is_off_and_block_holds_the_turn_up_once(hook: Hook) -> None:
    assert hook(hook.stop(BROKEN), CLAIMJURY_HOOK="off").answer == {}
    blocked = hook(hook.stop(BROKEN), CLAIMJURY_HOOK="block").answer
    assert (blocked["decision"], "62 lines" in blocked["reason"]) == ("block", True)
    assert hook(hook.stop(BROKEN), CLAIMJURY_HOOK="block").answer == {}


def test_a_home_that_cannot_be_written_is_no_reason_to_fail(hook: Hook) -> None:
    assert hook(hook.stop(BROKEN), HOME="/proc/nowhere").answer["systemMessage"]


def test_where_the_host_names_a_transcript_its_last_message_is_read(hook: Hook) -> None:
    row = {
        "type": "assistant",
        "message": {"role": "assistant", "content": [{"type": "text", "text": BROKEN}]},
    }
    transcript = hook.folder / "session.jsonl"
    transcript.write_text(json.dumps(row) + "\n", encoding="utf-8")
    given = {
        "conversation_id": "c",
        "workspace_roots": [str(hook.folder)],
        "transcript_path": str(transcript),
    }
    assert hook(given, CLAIMJURY_HOOK="block").answer.keys() == {"followup_message"}


def test_until_it_has_work_it_imports_the_standard_library_alone(hook: Hook) -> None:
    code = (
        "import sys, os\n"
        "from claimjury.surfaces.hooks import main as hook\n"
        "def leave(_):\n"
        "    names = {name.partition('.')[0] for name in sys.modules}\n"
        "    foreign = names - set(sys.stdlib_module_names) - {'claimjury', '__main__'}\n"
        "    foreign = {name for name in foreign if not name.startswith('_')}\n"
        "    sys.stderr.write(repr(sorted(foreign)))\n"
        "    sys.stderr.flush()\n"
        "hook.os._exit = leave\nhook.main()"
    )
    quiet = hook(hook.stop("All is well at 12:30."), code=code)
    assert (quiet.answer, quiet.err) == ({}, "[]")
    sound = hook(hook.stop("Sound: src/parcel/cache.py:27."), code=code)
    assert (sound.answer, sound.err) == ({}, "[]")


# The parts.


@pytest.mark.parametrize(
    ("host", "block", "keys"),
    [
        ("claude-code", False, {"systemMessage"}),
        ("claude-code", True, {"decision", "reason"}),
        ("codex", False, {"systemMessage"}),
        ("codex", True, {"decision", "reason"}),
        ("cursor", False, set()),
        ("cursor", True, {"followup_message"}),
    ],
)
def test_each_host_is_answered_in_its_own_words(host: str, block: bool, keys: set[str]) -> None:
    assert answer_of(TurnReply(note="n"), host, block=block).keys() == keys
    assert answer_of(TurnReply(), host, block=block) == {}


def test_a_host_is_known_by_what_it_says_and_by_its_name_first() -> None:
    assert host_of({"conversation_id": "x"}, None) == "cursor"
    assert host_of({"turn_id": "x"}, None) == "codex"
    assert host_of({"session_id": "x"}, None) == "claude-code"
    assert host_of({"conversation_id": "x"}, "codex") == "codex"
    assert host_of({}, "bogus") == "claude-code"
    assert turn_of({"workspace_roots": ["/w"], "loop_count": 2}, "cursor") == TurnEnd(
        host="cursor", message="", folder="/w", again=True
    )


def test_at_most_five_are_named_and_the_rest_is_counted(tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "repo")
    message = " ".join(f"gone{number}.py:1" for number in range(9))
    end = TurnEnd(host="codex", message=message, folder=".", again=False)
    note = judge_turn(end, repository, check_citations).note
    assert note.startswith("claimjury: 9 citations of the last message are broken.\n- gone0.py:1")
    assert "- and 4 more" in note
    assert len(note.splitlines()) == 8


def test_over_60_last_messages_it_never_speaks_of_a_sound_one(tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "repo")
    spoke = set()
    for row in rows("messages"):
        end = TurnEnd(host="claude-code", message=row["text"], folder=".", again=False)
        if judge_turn(end, repository, check_citations).note:
            spoke.add(row["id"])
    broken = {
        row["id"]
        for row in rows("messages")
        if any(
            one["status"] in ("missing_file", "missing_line", "moved", "not_there") for one in row["expect"]
        )
    }
    assert spoke <= broken
    assert (len(spoke), len(broken)) == (30, 33)


def test_what_was_said_is_kept_as_a_hash_and_not_for_ever(tmp_path: Path) -> None:
    folder, mark = tmp_path / "s" / "said", mark_of("note", "message")
    assert not was_said(mark, folder)
    remember(mark, folder)
    remember(mark, folder)
    assert was_said(mark, folder)
    [kept] = folder.iterdir()
    assert (len(kept.name), kept.read_bytes()) == (64, b"")
    for number in range(700):
        remember(mark_of("note", str(number)), folder)
    assert len(list(folder.iterdir())) <= 500
    assert was_said(mark_of("note", "699"), folder)


def test_a_memory_that_cannot_be_kept_makes_it_speak_again(tmp_path: Path) -> None:
    (tmp_path / "said").write_bytes(b"")
    remember("0" * 64, tmp_path / "said")
    assert not was_said("0" * 64, tmp_path / "said")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that takes nothing")
def test_what_could_not_be_written_counts_as_not_said(hook: Hook) -> None:
    with Path("/dev/full").open("wb") as full:
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=json.dumps(hook.stop(BROKEN)).encode(),
            stdout=full,
            check=True,
            cwd=hook.folder,
            env=hook.environ(),
        )
    assert hook(hook.stop(BROKEN)).answer


@pytest.mark.skipif(os.name != "posix", reason="a pipe of POSIX")
def test_a_git_that_hangs_is_ended_with_the_hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, program = tmp_path / "pipe", tmp_path / "git"
    os.mkfifo(pipe)
    program.write_text(f"#!/bin/sh\nexec cat > {pipe} /dev/zero\n", encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with ThreadPoolExecutor() as pool:
        running = pool.submit(run_git, tmp_path, "status")
        with pipe.open("rb") as said:
            assert said.read(1) == b"\0"
            end_running()
            assert running.result().status != 0
