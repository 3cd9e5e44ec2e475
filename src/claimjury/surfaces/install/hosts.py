"""Hosts of coding agents: where each keeps its MCP servers, and how an entry there names a variable without its value.

Sources, read in November 2026:

- Claude Code: https://code.claude.com/docs/en/mcp. Project servers in `.mcp.json`, the user's in `~/.claude.json`, or in
  `$CLAUDE_CONFIG_DIR/.claude.json` (anthropics/claude-code#48448). `${NAME}` is expanded in `command`, `args` and `env` of
  both; an unset one without a default drops the server (#60513) or the question about every server of the file (#62789),
  hence `${NAME:-}`.
- Codex: https://developers.openai.com/codex/mcp and codex-rs/config/src/mcp_types.rs. It starts a server with a dozen
  variables (codex-rs/rmcp-client/src/utils.rs) and those that `env_vars` names (openai/codex#5246); `${NAME}` in `env` is
  passed on as it stands. Without settings of its own a server has 10 seconds to start.
- VS Code: https://code.visualstudio.com/docs/agents/reference/mcp-configuration and variables-reference; `${env:NAME}` is
  supported (microsoft/vscode#245237). `${input:...}` would ask, and is not forwarded to every kind of session.
- Cursor: https://cursor.com/docs/mcp, `${env:NAME}`.
- Gemini CLI: docs/tools/mcp-server.md and packages/cli/src/utils/envVarResolver.ts of google-gemini/gemini-cli, `$NAME`.
- Claude Desktop: https://modelcontextprotocol.io/docs/develop/connect-local-servers; it passes few variables on and
  expands none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from claimjury.errors import InvalidRequest
from claimjury.models.hosts import KEY_VARIABLE
from claimjury.text import clean_line, clip

__all__ = ["HOSTS", "Host", "Places", "Scope", "config_path", "find_host", "scope_of"]

Scope = Literal["project", "user"]
Form = Literal["json", "jsonc", "toml"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One host.

    Attributes:
        name: What it is called on the command line.
        title: What it is called.
        form: How its file is written; `jsonc` is JSON with comments and trailing commas.
        section: What holds the entries in it.
        scopes: Where an entry can go, the default first.
        written: Whether its file is written, or the entry printed alone.
        lead: What stands before the command in an entry.
        rest: What stands after the arguments in an entry.
        reserved: Names that the host keeps for itself.
        notes: What a user needs to know, by scope.
    """

    name: str
    title: str
    form: Form
    section: str
    scopes: tuple[Scope, ...]
    written: bool = False
    lead: Mapping[str, Any] = field(default_factory=dict)
    rest: Mapping[str, Any] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()
    notes: Mapping[Scope, str] = field(default_factory=dict)

    def entry(self, command: str, args: list[str]) -> dict[str, Any]:
        """Give the entry that starts a command."""
        return {**self.lead, "command": command, "args": args, **self.rest}

    @property
    def key_note(self) -> str:
        """Where the server's key comes from."""
        if self.rest:
            return f"The server reads {KEY_VARIABLE} from the environment of {self.title}; no key is written, only its name."
        return (
            f"{self.title} passes few variables on and cannot refer to one: put {KEY_VARIABLE} into the entry's `env` yourself, "
            "where it then stands in clear text. claimjury never writes it."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where on this machine files are looked for.

    Attributes:
        home: The user's home.
        work: The working directory.
        environ: The environment.
        platform: As `sys.platform`.
    """

    home: Path
    work: Path
    environ: Mapping[str, str]
    platform: str

    def named(self, variable: str) -> Path | None:
        """Give the folder that a variable names; a blank one names none."""
        value = self.environ.get(variable, "").strip()
        return self.work / value if value else None

    @property
    def apps(self) -> Path:
        """Where applications keep what a user sets."""
        if self.platform == "win32":
            return self.named("APPDATA") or self.home / "AppData" / "Roaming"
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        return self.named("XDG_CONFIG_HOME") or self.home / ".config"


def _env(reference: str) -> dict[str, Any]:
    return {"env": {KEY_VARIABLE: reference}}


_HOSTS: Final = (
    Host(
        name="claude-code",
        title="Claude Code",
        form="json",
        section="mcpServers",
        # `.mcp.json` is made to be edited, and Claude Code asks before it starts what stands there; `~/.claude.json` is its
        # state, which every running session writes.
        scopes=("project", "user"),
        written=True,
        lead={"type": "stdio"},
        rest=_env(f"${{{KEY_VARIABLE}:-}}"),
        reserved=frozenset({"workspace", "claude-in-chrome", "computer-use"}),
        notes={
            "project": "Claude Code asks once whether it may start it. The command is a path of this machine: think before you "
            "commit it.",
            "user": "End running sessions of Claude Code first: each writes this file, too.",
        },
    ),
    Host(
        name="codex",
        title="Codex",
        form="toml",
        section="mcp_servers",
        # `codex mcp add` writes the user's file, and a project's counts only where the project is trusted.
        scopes=("user", "project"),
        written=True,
        rest={"env_vars": [KEY_VARIABLE], "startup_timeout_sec": 20, "tool_timeout_sec": 300},
        notes={"project": "Codex reads this file only in projects that you have told it to trust."},
    ),
    Host(
        name="vscode",
        title="VS Code",
        form="jsonc",
        section="servers",
        scopes=("project", "user"),
        written=True,
        lead={"type": "stdio"},
        rest=_env(f"${{env:{KEY_VARIABLE}}}"),
        notes={
            "project": "VS Code asks once whether you trust it. The command is a path of this machine: think before you commit it.",
            "user": "This is the file of VS Code's default profile.",
        },
    ),
    Host(
        name="cursor",
        title="Cursor",
        form="json",
        section="mcpServers",
        scopes=("project", "user"),
        lead={"type": "stdio"},
        rest=_env(f"${{env:{KEY_VARIABLE}}}"),
    ),
    Host(
        name="gemini",
        title="Gemini CLI",
        form="json",
        section="mcpServers",
        scopes=("project", "user"),
        rest=_env(f"${KEY_VARIABLE}"),
        notes=dict.fromkeys(
            ("project", "user"),
            f"Where {KEY_VARIABLE} is not set, it passes the reference itself on as a key.",
        ),
    ),
    Host(
        name="claude-desktop",
        title="Claude Desktop",
        form="json",
        section="mcpServers",
        scopes=("user",),
    ),
)
HOSTS: Final[Mapping[str, Host]] = {host.name: host for host in _HOSTS}


def find_host(name: str) -> Host:
    """Give the host of this name.

    Raises:
        InvalidRequest: There is none.
    """
    if name not in HOSTS:
        written = ", ".join(host.name for host in _HOSTS if host.written)
        printed = ", ".join(host.name for host in _HOSTS if not host.written)
        raise InvalidRequest(
            f"`{clip(clean_line(name), 60)}` is no host that is known here.",
            hint=f"Hosts are: {written}; with --print also {printed}.",
        )
    return HOSTS[name]


def scope_of(host: Host, scope: Scope | None) -> Scope:
    """Give where an entry goes.

    Raises:
        InvalidRequest: The host has no such place.
    """
    if scope is None:
        return host.scopes[0]
    if scope not in host.scopes:
        raise InvalidRequest(f"{host.title} has no file of a {scope}.", hint=f"Use --scope {host.scopes[0]}.")
    return scope


def config_path(host: Host, scope: Scope, places: Places) -> Path:
    """Give the file of a host in which its servers stand."""
    if scope == "project":
        return places.work / _PROJECT[host.name]
    match host.name:
        case "claude-code":
            return (places.named("CLAUDE_CONFIG_DIR") or places.home) / ".claude.json"
        case "codex":
            return (places.named("CODEX_HOME") or places.home / ".codex") / "config.toml"
        case "vscode":
            return places.apps / "Code" / "User" / "mcp.json"
        case "claude-desktop":
            return places.apps / "Claude" / "claude_desktop_config.json"
        case _:
            # Cursor and Gemini CLI use one name below the home and below a project.
            return places.home / _PROJECT[host.name]


_PROJECT: Final = {
    "claude-code": ".mcp.json",
    "codex": ".codex/config.toml",
    "vscode": ".vscode/mcp.json",
    "cursor": ".cursor/mcp.json",
    "gemini": ".gemini/settings.json",
}
