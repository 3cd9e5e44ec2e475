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


def test_a_host_without_hooks_is_refused(cli: Cli) -> None:
    ran = cli("install", "vscode", "--hook", "--yes")
    assert (ran.status, "It is for claude-code, codex, cursor." in ran.err) == (2, True)
