"""The entry by which a host runs `claimjury-hook` at the end of a turn.

Claude Code: `hooks.Stop` of `.claude/settings.json`, in the form with `args`, which no shell reads
(https://code.claude.com/docs/en/hooks). Codex: the same event in `hooks.json`; it asks whether to trust the file. Cursor:
`hooks.stop` of `hooks.json` (https://cursor.com/docs/agent/hooks).
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, Final

from claimjury.errors import ConfigInvalid, InvalidRequest
from claimjury.surfaces.install.changes import Action, Change
from claimjury.surfaces.install.files import Found, find_file
from claimjury.surfaces.install.hosts import Host, Places, Scope
from claimjury.surfaces.install.json_text import JsonDocument, new_json

__all__ = [
    "find_hook_host",
    "hook_command",
    "hook_entry",
    "hook_event",
    "hook_path",
    "hook_text",
    "plan_hook",
]

_TIMEOUT_S: Final = 10
_NOTE: Final = "It tells of broken citations and holds nothing up; `hook` in your settings says otherwise, CLAIMJURY_HOOK=off turns it off."
_SHARED: Final = (
    "This file is usually committed, and the entry holds an absolute path of this machine: keep it out of git, or take "
    "--scope user."
)
_PROGRAMS: Final = ("claimjury-hook", "claimjury-hook.exe")
_SET: Final = re.compile(r"[A-Za-z_]\w*=")
_HOSTS: Final = {
    name: Host(
        name=name,
        title=title,
        form="json",
        section="hooks",
        scopes=("project", "user"),
        written=True,
        notes={"user": note, "project": f"{note} {_SHARED}"},
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


def hook_event(host: Host) -> str:
    """Give what a host calls the end of a turn."""
    return "stop" if host.name == "cursor" else "Stop"


def hook_entry(host: Host, command: str) -> list[dict[str, Any]]:
    """Give what runs at the end of a turn."""
    line = shlex.join([command, "stop", "--host", host.name])
    match host.name:
        case "cursor":
            return [{"command": line}]
        case "codex":
            return [{"hooks": [{"type": "command", "command": line, "timeout": _TIMEOUT_S}]}]
        case _:
            args = ["stop", "--host", host.name]
            return [{"hooks": [{"type": "command", "command": command, "args": args, "timeout": _TIMEOUT_S}]}]


def plan_hook(host: Host, path: Path, entry: list[dict[str, Any]] | None, *, scope: Scope) -> Change:
    """Read a host's file of hooks and say what would be done to it; without an entry ours is taken out, and nothing else.

    Raises:
        ConfigInvalid: The file is not what the host reads, or has other hooks for this event: those are not edited.
        InvalidRequest: It cannot be read or written.
    """
    event = hook_event(host)
    found = find_file(path, private=scope == "user")
    if found.data is None:
        return Change(
            action="none" if entry is None else "add",
            found=found,
            after="" if entry is None else hook_text(host, event, entry),
        )
    document = JsonDocument.parse(found.text, section="hooks", shown=found.shown, comments=False)
    old = document.entries.get(event)
    others = _without_ours(old)
    if entry is None:
        if others == old or not isinstance(old, list):
            return Change(action="none", found=found, after=found.text)
        after = document.put(event, others) if others else document.drop(event)
        return Change(action="remove", found=found, after=after)
    if others:
        return _beside_others(found, host, old, entry)
    after = found.text if old == entry else document.put(event, entry)
    after = _versioned(after, host)
    action: Action = "none" if after == found.text else "replace" if old else "add"
    return Change(action=action, found=found, after=after)


def _beside_others(found: Found, host: Host, old: Any, entry: list[dict[str, Any]]) -> Change:
    """Leave a file alone that has other hooks for the event; ours may stand there already, put in by hand."""
    if isinstance(old, list) and all(_holds(old, hook) for hook in _hooks(entry)):
        return Change(action="none", found=found, after=found.text)
    raise ConfigInvalid(
        f"{found.shown} has other hooks for {hook_event(host)}, and those are not edited.",
        hint=f"`claimjury install {host.name} --hook --print` shows the entry; put it beside them, or take it out, by hand.",
    )


def hook_text(host: Host, event: str, entry: list[dict[str, Any]]) -> str:
    """Give the whole text of a file that holds this entry alone."""
    return _versioned(new_json("hooks", event, entry), host)


def _versioned(text: str, host: Host) -> str:
    """Give a file with the version that Cursor wants in it, and what else it holds as it stands."""
    if host.name != "cursor" or "version" in json.loads(text):
        return text
    before, brace, rest = text.partition("{")
    gap = rest[: len(rest) - len(rest.lstrip())]
    return f'{before}{brace}{gap}"version": 1,{gap or " "}{rest.lstrip()}'


def _without_ours(old: Any) -> Any:
    """Give what an event runs but for our hook; a group that held it alone goes with it."""
    if not isinstance(old, list):
        return old
    kept = []
    for item in old:
        if _is_ours(item):
            continue
        inner = item.get("hooks") if isinstance(item, dict) else None
        if not isinstance(inner, list) or not any(map(_is_ours, inner)):
            kept.append(item)
        elif left := [hook for hook in inner if not _is_ours(hook)]:
            kept.append({**item, "hooks": left})
    return kept


def _hooks(value: Any) -> list[dict[str, Any]]:
    """Give the commands of an event, those of its groups too."""
    found: list[dict[str, Any]] = []
    for item in value if isinstance(value, list) else []:
        if isinstance(item, dict):
            found += _hooks(item["hooks"]) if isinstance(item.get("hooks"), list) else [item]
    return found


def _holds(old: Any, wanted: dict[str, Any]) -> bool:
    return any(
        (hook.get("command"), hook.get("args")) == (wanted["command"], wanted.get("args"))
        for hook in _hooks(old)
    )


def _is_ours(hook: Any) -> bool:
    """Whether this runs our program and nothing else: one that only speaks of it is somebody else's."""
    if not isinstance(hook, dict) or not isinstance(hook.get("command"), str):
        return False
    args = hook.get("args")
    if args is not None:
        words = [hook["command"], *args] if isinstance(args, list) else []
    else:
        words = _words(hook["command"])
    while words and isinstance(words[0], str) and _SET.match(words[0]):
        words = words[1:]
    if not words or not all(isinstance(word, str) for word in words):
        return False
    own = {"stop", "--host", *_HOSTS}
    return re.split(r"[\\/]", words[0])[-1] in _PROGRAMS and own.issuperset(words[1:])


def _words(command: str) -> list[str]:
    """Give the words of a command; a path of Windows has backslashes that a shell of POSIX would take away."""
    try:
        if "\\" in command:
            return [word.strip("\"'") for word in shlex.split(command, posix=False)]
        return shlex.split(command)
    except ValueError:
        return []


def find_hook_host(name: str) -> Host:
    """Give the host of this name whose hooks are known.

    Raises:
        InvalidRequest: There is none.
    """
    if name not in _HOSTS:
        raise InvalidRequest(f"The hook is not known for {name}.", hint=f"It is for {', '.join(_HOSTS)}.")
    return _HOSTS[name]
