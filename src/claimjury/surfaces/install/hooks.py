"""The entry by which a host runs `claimjury-hook` at the end of a turn.

Claude Code: `hooks.Stop` of `.claude/settings.json`, in the form with `args`, which no shell reads
(https://code.claude.com/docs/en/hooks). Codex: the same event in `hooks.json`; it asks whether to trust the file. Cursor:
`hooks.stop` of `hooks.json` (https://cursor.com/docs/agent/hooks).
"""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, Final

from claimjury.errors import ConfigInvalid, InvalidRequest
from claimjury.surfaces.install.changes import Change
from claimjury.surfaces.install.files import find_file
from claimjury.surfaces.install.hosts import Host, Places, Scope
from claimjury.surfaces.install.json_text import JsonDocument, new_json

__all__ = ["find_hook_host", "hook_command", "hook_entry", "hook_path", "hook_text", "plan_hook"]

_TIMEOUT_S: Final = 10
_NOTE: Final = "It tells of broken citations and holds nothing up; `hook` in your settings says otherwise, CLAIMJURY_HOOK=off turns it off."
_HOSTS: Final = {
    name: Host(
        name=name,
        title=title,
        form="json",
        section="hooks",
        scopes=("project", "user"),
        written=True,
        notes=dict.fromkeys(("project", "user"), note),
    )
    for name, title, note in (
        ("claude-code", "Claude Code", _NOTE),
        ("codex", "Codex", f"{_NOTE} Codex runs it once you have reviewed and trusted the file."),
        (
            "cursor",
            "Cursor",
            f'Cursor shows nothing of a hook, so it speaks only with `hook = "block"`. {_NOTE}',
        ),
    )
}
_FILES: Final = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "cursor": ".cursor/hooks.json",
}


def hook_path(host: Host, scope: Scope, places: Places) -> Path:
    """Give the file of a host in which its hooks stand."""
    if scope == "project":
        return places.work / _FILES[host.name]
    folder = {"claude-code": "CLAUDE_CONFIG_DIR", "codex": "CODEX_HOME"}.get(host.name)
    named = places.named(folder) if folder else None
    name = Path(_FILES[host.name])
    return named / name.name if named else places.home / name


def hook_command() -> str:
    """Give the program, by its whole path: a host need not have the user's PATH.

    Raises:
        ConfigInvalid: It is not installed beside the interpreter, nor on the PATH.
    """
    beside = Path(sys.executable).with_name("claimjury-hook")
    found = beside if beside.exists() else shutil.which("claimjury-hook")
    if found is None:
        raise ConfigInvalid(
            "The program claimjury-hook is not there.", hint="Install claimjury again, with pip or uv."
        )
    return str(found)


def hook_entry(host: Host, command: str) -> tuple[str, list[dict[str, Any]]]:
    """Give the event of a host and what runs at it."""
    line = shlex.join([command, "stop", "--host", host.name])
    match host.name:
        case "cursor":
            return "stop", [{"command": line}]
        case "codex":
            return "Stop", [{"hooks": [{"type": "command", "command": line, "timeout": _TIMEOUT_S}]}]
        case _:
            args = ["stop", "--host", host.name]
            return "Stop", [
                {"hooks": [{"type": "command", "command": command, "args": args, "timeout": _TIMEOUT_S}]}
            ]


def plan_hook(host: Host, path: Path, command: str | None, *, scope: Scope) -> Change:
    """Read a host's file of hooks and say what would be done to it; no command takes ours out.

    Raises:
        ConfigInvalid: The file is not what the host reads, or has other hooks for this event: those are not edited.
        InvalidRequest: It cannot be read or written.
    """
    event, entry = hook_entry(host, command or hook_command())
    found = find_file(path, private=scope == "user")
    if found.data is None:
        return Change(
            action="none" if command is None else "add",
            found=found,
            after="" if command is None else hook_text(host, event, entry),
        )
    document = JsonDocument.parse(found.text, section="hooks", shown=found.shown, comments=False)
    present = event in document.entries
    old = document.entries.get(event)
    if present and not _is_ours(old):
        if command is None and not _holds_ours(old):
            return Change(action="none", found=found, after=found.text, old=None)
        raise ConfigInvalid(
            f"{found.shown} has other hooks for {event}, and those are not edited.",
            hint=f"`claimjury install {host.name} --hook --print` shows the entry; put it beside them, or take it out, by hand.",
        )
    if command is None:
        after = document.drop(event) if present else found.text
        return Change(action="remove" if present else "none", found=found, after=after)
    if old == entry:
        return Change(action="none", found=found, after=found.text)
    return Change(action="replace" if present else "add", found=found, after=document.put(event, entry))


def hook_text(host: Host, event: str, entry: list[dict[str, Any]]) -> str:
    """Give the whole text of a file that holds this entry alone."""
    text = new_json("hooks", event, entry)
    return text.replace("{", '{\n  "version": 1,', 1) if host.name == "cursor" else text


def _is_ours(old: Any) -> bool:
    """Whether an event runs nothing but our hook."""
    commands = list(_commands(old))
    return bool(commands) and all("claimjury-hook" in command for command in commands)


def _holds_ours(old: Any) -> bool:
    return any("claimjury-hook" in command for command in _commands(old))


def _commands(value: Any) -> list[str]:
    if isinstance(value, list):
        return [command for item in value for command in _commands(item)]
    if not isinstance(value, dict):
        return []
    own = [value["command"]] if isinstance(value.get("command"), str) else []
    return [*own, *_commands(value.get("hooks"))]


def find_hook_host(name: str) -> Host:
    """Give the host of this name whose hooks are known.

    Raises:
        InvalidRequest: There is none.
    """
    if name not in _HOSTS:
        raise InvalidRequest(f"The hook is not known for {name}.", hint=f"It is for {', '.join(_HOSTS)}.")
    return _HOSTS[name]
