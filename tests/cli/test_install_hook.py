"""`claimjury install --hook`: the hook's entry, beside whatever else a host's file holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.helpers import Cli

FILES = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "cursor": ".cursor/hooks.json",
}


def commands(value: Any) -> list[str]:
    if isinstance(value, list):
        return [found for item in value for found in commands(item)]
    if not isinstance(value, dict):
        return []
    own = " ".join([value["command"], *value.get("args", [])]) if "command" in value else ""
    return [*filter(None, [own]), *commands(value.get("hooks"))]


@pytest.mark.parametrize("host", FILES)
def test_it_is_shown_written_once_and_taken_out(cli: Cli, host: str) -> None:
    file = Path(FILES[host])
    refused = cli("install", host, "--hook")
    assert (refused.status, file.exists()) == (2, False)
    assert "claimjury-hook" in refused.out
    assert cli("install", host, "--hook", "--yes").status == 0
    written = json.loads(file.read_text(encoding="utf-8"))
    event = "stop" if host == "cursor" else "Stop"
    [command] = commands(written["hooks"][event])
    program, *rest = command.split()
    assert Path(program).name == "claimjury-hook"
    assert rest == ["stop", "--host", host]
    assert written.get("version") == (1 if host == "cursor" else None)
    before = file.read_bytes()
    again = cli("install", host, "--hook", "--yes")
    assert ("nothing to change" in again.out, file.read_bytes()) == (True, before)
    assert cli("install", host, "--hook", "--uninstall", "--yes").status == 0
    assert json.loads(file.read_text(encoding="utf-8"))["hooks"] == {}


def test_what_else_the_file_holds_keeps_every_byte(cli: Cli) -> None:
    file = Path(".claude/settings.json")
    file.parent.mkdir()
    text = '{\n\t"permissions": {"allow": ["Bash(ls)"]},\n\t"hooks": {\n\t\t"PreToolUse": [ {"hooks": []} ]\n\t}\n}\n'
    file.write_text(text, encoding="utf-8")
    assert cli("install", "claude-code", "--hook", "--yes").status == 0
    assert file.read_text(encoding="utf-8").startswith(text[: text.index(" ]")])
    assert cli("install", "claude-code", "--hook", "--uninstall", "--yes").status == 0
    assert file.read_text(encoding="utf-8") == text


def test_hooks_of_others_for_the_same_event_are_never_edited(cli: Cli) -> None:
    file = Path(".claude/settings.json")
    file.parent.mkdir()
    theirs = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}
    file.write_text(json.dumps(theirs), encoding="utf-8")
    for more in ((), ("--uninstall",)):
        ran = cli("install", "claude-code", "--hook", "--yes", *more)
        assert json.loads(file.read_text(encoding="utf-8")) == theirs
        assert ran.status == (0 if more else 2)
    assert "has other hooks for Stop" in cli("install", "claude-code", "--hook", "--yes").err
    assert "claimjury-hook" in cli("install", "claude-code", "--hook", "--print").out


OURS = {"type": "command", "command": "/opt/bin/claimjury-hook", "args": ["stop", "--host", "claude-code"]}
THEIRS = [
    {"type": "command", "command": "echo claimjury-hook ran >> log"},
    {"type": "command", "command": "claimjury-hook stop && say done"},
    {"type": "command", "command": "/opt/claimjury-hook-wrapper stop"},
    {"type": "command", "command": "python3", "args": ["/opt/bin/claimjury-hook", "stop"]},
    {"type": "command", "command": "claimjury-hook stop | tee log"},
    {"type": "command", "command": "say 'claimjury-hook"},
    {"type": "prompt", "prompt": "Is claimjury-hook content?"},
]


def settings(hooks: Any) -> Path:
    file = Path(".claude/settings.json")
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"hooks": {"Stop": hooks}}), encoding="utf-8")
    return file


@pytest.mark.parametrize("theirs", THEIRS, ids=str)
def test_a_hook_that_only_speaks_of_ours_is_somebody_elses(cli: Cli, theirs: dict[str, Any]) -> None:
    file = settings([{"hooks": [theirs]}])
    before = file.read_bytes()
    assert "has other hooks for Stop" in cli("install", "claude-code", "--hook", "--yes").err
    assert "nothing to change" in cli("install", "claude-code", "--hook", "--uninstall", "--yes").out
    assert file.read_bytes() == before


@pytest.mark.parametrize("theirs", THEIRS, ids=str)
def test_of_a_group_with_others_only_ours_is_taken_out(cli: Cli, theirs: dict[str, Any]) -> None:
    group = {"matcher": "*", "hooks": [OURS, theirs]}
    file = settings([{"hooks": [OURS]}, group, {"hooks": [theirs]}])
    assert "has other hooks" in cli("install", "claude-code", "--hook", "--yes").err
    assert cli("install", "claude-code", "--hook", "--uninstall", "--yes").status == 0
    left = [{"matcher": "*", "hooks": [theirs]}, {"hooks": [theirs]}]
    assert json.loads(file.read_text(encoding="utf-8")) == {"hooks": {"Stop": left}}


@pytest.mark.parametrize(
    "command",
    [
        "CLAIMJURY_HOOK=block A='b c' '/a folder/claimjury-hook' stop --host codex",
        "C:\\\\x\\\\claimjury-hook.exe stop",
        "claimjury-hook stop",
    ],
)
def test_our_hook_is_known_by_its_program_however_it_is_written(cli: Cli, command: str) -> None:
    file = settings([{"hooks": [{"type": "command", "command": command.replace("\\\\", "\\")}]}])
    assert cli("install", "claude-code", "--hook", "--uninstall", "--yes").status == 0
    assert json.loads(file.read_text(encoding="utf-8")) == {"hooks": {}}


def test_an_event_without_hooks_is_no_hook_of_others(cli: Cli) -> None:
    file = settings([])
    assert "nothing to change" in cli("install", "claude-code", "--hook", "--uninstall", "--yes").out
    assert cli("install", "claude-code", "--hook", "--yes").status == 0
    assert len(commands(json.loads(file.read_text(encoding="utf-8"))["hooks"]["Stop"])) == 1


@pytest.mark.parametrize(
    "text", ['{"hooks": {}}', '{\n  "hooks": {}\n}\n', "{}", '{"version": 1, "hooks": {}}']
)
def test_a_file_of_cursor_gets_the_version_that_it_needs(cli: Cli, text: str) -> None:
    file = Path(".cursor/hooks.json")
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    assert cli("install", "cursor", "--hook", "--yes").status == 0
    assert json.loads(file.read_text(encoding="utf-8"))["version"] == 1


def test_it_is_taken_out_without_the_program(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("install", "codex", "--hook", "--yes").status == 0
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere")
    assert "is not there" in cli("install", "codex", "--hook", "--yes").err
    assert cli("install", "codex", "--hook", "--uninstall", "--yes").status == 0


def test_that_a_path_of_this_machine_may_be_committed_is_told_before_it_is_written(cli: Cli) -> None:
    refused = cli("install", "claude-code", "--hook")
    assert "usually committed" in refused.out
    assert "usually committed" not in cli("install", "claude-code", "--hook", "--scope", "user").out


def test_a_host_without_hooks_is_refused(cli: Cli) -> None:
    ran = cli("install", "vscode", "--hook", "--yes")
    assert (ran.status, "It is for claude-code, codex, cursor." in ran.err) == (2, True)
