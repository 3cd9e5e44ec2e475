"""`claimjury install`: the entry by which a host of coding agents starts the MCP server, shown and then written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from claimjury.surfaces.install.changes import Change
    from claimjury.surfaces.install.hosts import Host, Places, Scope

__all__ = ["install"]

HostName = Annotated[
    str,
    typer.Argument(
        metavar="HOST",
        help="claude-code, codex or vscode; with --print also cursor, gemini or claude-desktop.",
    ),
]
Print = Annotated[
    bool,
    typer.Option("--print", help="Print the entry and where it goes. Reads and writes no file of the host."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")]
Roots = Annotated[
    list[Path] | None,
    typer.Option(
        "--root", metavar="DIR", help="Passed on to `claimjury mcp`, as a full path. May be given again."
    ),
]
Name = Annotated[str, typer.Option("--name", metavar="NAME", help="What the entry is called.")]
Hook = Annotated[
    bool,
    typer.Option(
        "--hook",
        help="The hook that checks the citations of each last message, instead of the server: claude-code, codex, cursor.",
    ),
]
Uninstall = Annotated[bool, typer.Option("--uninstall", help="Take the entry out, and nothing else.")]
ScopeName = Annotated[
    Literal["project", "user"] | None,
    typer.Option(
        "--scope",
        help="The working directory's file or your own. Default: project; user for codex and claude-desktop.",
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print one object. Does not ask: --yes is needed to write.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What a command line asks for: the entry and the file that it goes to; no entry where it is to be taken out."""

    host: Host
    scope: Scope
    path: Path
    name: str
    entry: Any
    hook: bool = False

    @property
    def text(self) -> str:
        """The whole text of a file that holds this entry alone."""
        from claimjury.surfaces.install.changes import file_text
        from claimjury.surfaces.install.hooks import hook_text

        make = hook_text if self.hook else file_text
        return make(self.host, self.name, self.entry)

    def plan(self) -> Change:
        """Say what would be done to the file."""
        from claimjury.surfaces.install.changes import plan_change
        from claimjury.surfaces.install.hooks import plan_hook

        if self.hook:
            return plan_hook(self.host, self.path, self.entry, scope=self.scope)
        return plan_change(self.host, self.path, self.name, self.entry, scope=self.scope)


def install(
    host: HostName,
    print_only: Print = False,
    yes: Yes = False,
    root: Roots = None,
    name: Name = "claimjury",
    uninstall: Uninstall = False,
    hook: Hook = False,
    scope: ScopeName = None,
    as_json: Json = False,
) -> int:
    """Let a coding agent's host start `claimjury mcp`: show the change to its settings, ask, and write it.

    No key is written, only its variable's name. Exit status: 0 done, or nothing to do; 2 refused, nothing was written.
    """
    if hook:
        asked = _asked_hook(host, scope, uninstall=uninstall)
    else:
        asked = _asked(host, scope, name, None if uninstall else root or [])
    if print_only:
        return _print(asked, as_json=as_json)
    return _change(asked, yes=yes, as_json=as_json)


def _asked_hook(host_name: str, scope_name: Scope | None, *, uninstall: bool) -> _Asked:
    from claimjury.surfaces.install import hooks
    from claimjury.surfaces.install.hosts import scope_of

    host = hooks.find_hook_host(host_name)
    scope = scope_of(host, scope_name)
    return _Asked(
        host=host,
        scope=scope,
        path=hooks.hook_path(host, scope, _places()),
        name=hooks.hook_event(host),
        entry=None if uninstall else hooks.hook_entry(host, hooks.hook_command()),
        hook=True,
    )


def _places() -> Places:
    import os
    import sys

    from claimjury.surfaces.install.hosts import Places

    return Places(home=Path.home(), work=Path.cwd(), environ=os.environ, platform=sys.platform)


def _asked(host_name: str, scope_name: Scope | None, name: str, roots: list[Path] | None) -> _Asked:
    from claimjury.surfaces.install.hosts import config_path, find_host, scope_of
    from claimjury.surfaces.install.starting import checked_name, start_command

    host = find_host(host_name)
    scope = scope_of(host, scope_name)
    return _Asked(
        host=host,
        scope=scope,
        path=config_path(host, scope, _places()),
        name=checked_name(name, host),
        entry=None if roots is None else host.entry(*start_command(roots)),
    )


def _print(asked: _Asked, *, as_json: bool) -> int:
    from claimjury.errors import InvalidRequest
    from claimjury.surfaces.cli.streams import emit, say
    from claimjury.text import clean_line

    path = clean_line(str(asked.path))
    if asked.entry is None:
        raise InvalidRequest(
            "There is nothing to print of an entry that is to be taken out.",
            hint=f"Delete `{asked.host.section}.{asked.name}` in {path}.",
        )
    text = asked.text
    if as_json:
        _print_object(asked, {"written": False, "text": text})
        return 0
    say(f"For {asked.host.title}, into {path}:")
    emit(text)
    _say_notes(asked)
    return 0


def _change(asked: _Asked, *, yes: bool, as_json: bool) -> int:
    from claimjury.errors import InvalidRequest
    from claimjury.surfaces.cli.streams import say
    from claimjury.text import clean_line

    if not asked.host.written:
        raise InvalidRequest(
            f"The settings of {asked.host.title} are not written by claimjury.",
            hint=f"`claimjury install {asked.host.name} --print` shows the entry and where it goes.",
        )
    change = asked.plan()
    if not as_json:
        _show(asked, change)
    if change.action != "none" and not yes and not _agreed(as_json=as_json):
        say("claimjury: nothing was written.")
        return 2
    change.make()
    if as_json:
        written = change.action != "none"
        _print_object(asked, {"action": change.action, "written": written, "diff": "\n".join(change.diff)})
    elif change.action != "none":
        say(f"claimjury: {clean_line(str(asked.path))} is written.")
        if asked.entry is not None and not asked.hook:
            _say_notes(asked)
    return 0


def _agreed(*, as_json: bool) -> bool:
    """Ask whether to write, where there is somebody to ask."""
    import sys

    from claimjury.errors import InvalidRequest
    from claimjury.surfaces.cli.streams import say

    terminal = sys.stdin is not None and sys.stdin.isatty() and sys.stderr is not None and sys.stderr.isatty()
    if as_json or not terminal:
        raise InvalidRequest(
            "Nothing was written: there is nobody to ask.", hint="Give --yes to write without being asked."
        )
    say("Write this? [y/N]")
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _show(asked: _Asked, change: Change) -> None:
    from claimjury.surfaces.cli.streams import emit
    from claimjury.text import clean_line, safe_json

    where = f"{asked.host.title} ({asked.scope}), {clean_line(str(asked.path))}"
    if change.action == "none":
        state = "has no entry" if asked.entry is None else "already has the entry"
        emit(f"{where}: {state} `{asked.name}`; nothing to change.\n")
        return
    lines = [f"{where}: {change.action} the entry `{asked.name}`"]
    if asked.entry is not None:
        lines.append(safe_json(asked.entry, indent=None))
        # That a path of this machine is committed is to be known before.
        lines += _notes(asked) if asked.hook else []
    emit("".join(f"{line}\n" for line in [*lines, "", *change.diff, ""]))


def _print_object(asked: _Asked, outcome: dict[str, Any]) -> None:
    from claimjury.surfaces.cli.outputs import print_json

    entry = {} if asked.entry is None else {"entry": asked.entry, "notes": _notes(asked)}
    what = {"host": asked.host.name, "scope": asked.scope, "path": str(asked.path), "name": asked.name}
    print_json({"install": {**what, **outcome, **entry}, "exit_status": 0})


def _say_notes(asked: _Asked) -> None:
    from claimjury.surfaces.cli.streams import say

    for note in _notes(asked):
        say(f"  {note}")


def _notes(asked: _Asked) -> list[str]:
    from claimjury.models.installed import is_installed

    if asked.hook:
        return [asked.host.notes[asked.scope]]
    notes = [asked.host.key_note, asked.host.notes.get(asked.scope)]
    if not is_installed("mcp"):
        notes.append("The server needs the SDK `mcp`, which is not installed: pip install 'claimjury[mcp]'.")
    return [note for note in notes if note]
