"""`claimjury install`: what it writes into the files of hosts, and all that it leaves alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury.errors import ConfigInvalid
from claimjury.surfaces.install.changes import plan_change
from claimjury.surfaces.install.diffs import unified_diff
from claimjury.surfaces.install.hosts import HOSTS, Places, Scope, config_path
from claimjury.surfaces.install.json_text import JsonDocument
from claimjury.surfaces.install.toml_text import TomlDocument
from cli.helpers import Cli

SAMPLES = Path(__file__).parent / "install_samples"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.suffix in (".json", ".toml"))
CANARY = "sk-canary-0123456789"
ENTRY = {"type": "stdio", "command": "/bin/claimjury", "args": ["mcp"], "env": {"K": "${K:-}"}}
TABLE = {"command": "/bin/claimjury", "args": ["mcp", "--root", "/src/é"], "startup_timeout_sec": 20}
POSIX_PTY = pytest.mark.skipif(sys.platform == "win32", reason="POSIX terminals")


@pytest.fixture(autouse=True)
def script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Be called as an installed script, with a key in the environment and no host's variable."""
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OLLAMA_API_KEY", CANARY)
    path = tmp_path / "bin" / "claimjury"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setattr("claimjury.surfaces.install.starting._SCRIPT", "claimjury")
    monkeypatch.setattr(sys, "argv", [str(path)])
    return str(path)


def place(host: str, scope: Scope) -> Path:
    places = Places(home=Path.home(), work=Path.cwd(), environ=os.environ, platform=sys.platform)
    return config_path(HOSTS[host], scope, places)


def put_sample(name: str) -> tuple[str, Scope, Path]:
    """Put a sample where its host looks for it."""
    host = name.partition(".")[0]
    scope: Scope = "user" if ".user." in name else "project"
    path = place(host, scope)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((SAMPLES / name).read_bytes())
    return host, scope, path


def strict(text: str) -> str:
    """Give JSON with comments as JSON, line by line as the samples have them."""
    text = re.sub(
        r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda match: match[1] or "", text, flags=re.DOTALL
    )
    return re.sub(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', lambda match: match[1] or "", text, flags=re.DOTALL)


def says(path: Path) -> dict[str, Any]:
    text = path.read_bytes().decode("utf-8-sig")
    value = tomllib.loads(text) if path.suffix == ".toml" else json.loads(strict(text))
    assert isinstance(value, dict)
    return value


def common(one: str, other: str) -> int:
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def inserted(before: str, after: str) -> str:
    """Give what was put into a text of which nothing was taken out."""
    start = common(before, after)
    end = common(before[start:][::-1], after[start:][::-1])
    kept, middle = before[start : len(before) - end], after[start : len(after) - end]
    assert kept in middle
    return middle.replace(kept, "", 1)


# What is written.


@pytest.mark.parametrize("name", NAMES)
def test_installing_adds_one_entry_and_leaves_every_other_byte(cli: Cli, name: str, script: str) -> None:
    host, scope, path = put_sample(name)
    before, value = path.read_bytes(), says(path)
    assert cli("install", host, "--scope", scope, "--yes").status == 0
    after, section = path.read_bytes(), HOSTS[host].section
    put = inserted(before.decode("utf-8"), after.decode("utf-8"))
    assert put.count("claimjury") == 1 + script.count("claimjury")
    assert says(path) == {
        **value,
        section: {**value[section], "claimjury": HOSTS[host].entry(script, ["mcp"])},
    }
    assert before.count(b"\r\n") in (0, before.count(b"\n"))
    assert after.count(b"\r\n") == (after.count(b"\n") if b"\r\n" in before else 0)
    assert after.startswith(b"\xef\xbb\xbf") == before.startswith(b"\xef\xbb\xbf")
    assert after.endswith(b"\n") == before.endswith(b"\n")


@pytest.mark.parametrize("name", NAMES)
def test_installing_twice_changes_nothing_the_second_time(cli: Cli, name: str) -> None:
    host, scope, path = put_sample(name)
    cli("install", host, "--scope", scope, "--yes")
    before, status = path.read_bytes(), path.stat()
    again = cli("install", host, "--scope", scope)
    assert (again.status, again.err) == (0, "")
    assert "nothing to change" in again.out
    assert (path.read_bytes(), path.stat().st_ino, path.stat().st_mtime_ns) == (
        before,
        status.st_ino,
        status.st_mtime_ns,
    )


@pytest.mark.parametrize("name", NAMES)
def test_uninstalling_gives_the_file_back_as_it_was(cli: Cli, name: str) -> None:
    host, scope, path = put_sample(name)
    before = path.read_bytes()
    cli("install", host, "--scope", scope, "--root", ".", "--yes")
    assert path.read_bytes() != before
    assert cli("install", host, "--scope", scope, "--uninstall", "--yes").status == 0
    assert path.read_bytes() == before
    again = cli("install", host, "--scope", scope, "--uninstall")
    assert (again.status, path.read_bytes()) == (0, before)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"servers": {}}', '{"servers": {"x": {"a": [1]}}}'),
        ('{"servers":{},"b":1}', '{"servers":{"x":{"a":[1]}},"b":1}'),
        ('{"servers": {"y": 1, "z": 2}}', '{"servers": {"y": 1, "z": 2, "x": {"a": [1]}}}'),
        ("{}", '{\n  "servers": {\n    "x": {\n      "a": [\n        1\n      ]\n    }\n  }\n}'),
        (
            '{\n "servers": {\n  "y": 1 // of y\n  // of none\n }\n}',
            '{\n "servers": {\n  "y": 1, // of y\n  "x": {\n   "a": [\n    1\n   ]\n  }\n  // of none\n }\n}',
        ),
        (
            '{\n\t"servers": {\n\t\t"y": 1, /* of y */\n\t},\n}',
            '{\n\t"servers": {\n\t\t"y": 1, /* of y */\n\t\t"x": {\n\t\t\t"a": [\n\t\t\t\t1\n\t\t\t]\n\t\t},\n\t},\n}',
        ),
        (
            '{\r\n  "servers" : {\r\n    // none yet\r\n  }\r\n}',
            '{\r\n  "servers" : {\r\n    // none yet\r\n    "x" : {\r\n      "a" : [\r\n        1\r\n      ]\r\n    }\r\n  }\r\n}',
        ),
        (
            '{\n    "a": 1\n}\n',
            '{\n    "a": 1,\n    "servers": {\n        "x": {\n            "a": [\n                1\n            ]\n        }\n    }\n}\n',
        ),
    ],
    ids=["empty", "tight", "one line", "nothing", "comments", "trailing comma", "CRLF", "no section"],
)
def test_an_entry_is_written_as_its_neighbours_are(before: str, after: str) -> None:
    document = JsonDocument.parse(before, section="servers", shown="f", comments=True)
    assert document.put("x", {"a": [1]}) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"servers": {"x": 1}}', '{"servers": {}}'),
        ('{"servers": {"x": 1, "y": 2}}', '{"servers": {"y": 2}}'),
        ('{"servers": {"y": 2, "x": 1, }}', '{"servers": {"y": 2, }}'),
        ('{"servers": {\n "x": 1, // mine\n "y": 2}}', '{"servers": {\n // mine\n "y": 2}}'),
        ('{"servers": { // of all\n "x": 1 }}', '{"servers": { // of all\n }}'),
        ('{"servers": {\n "y": 2, /* a */\n "x": 1\n}}', '{"servers": {\n "y": 2 /* a */\n}}'),
        ('{"servers": {\n "y": 2\n ,"x": 1 /* b */ }}', '{"servers": {\n "y": 2\n  /* b */ }}'),
        ('{"servers": {"x": 1 /* c */ , "y": 2}}', '{"servers": { /* c */ "y": 2}}'),
    ],
)
def test_an_entry_is_taken_out_with_its_comma_and_no_comment_of_others(before: str, after: str) -> None:
    document = JsonDocument.parse(before, section="servers", shown="f", comments=True)
    assert document.drop("x") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[s.x]\na = 1\n\n# of y\n[s.y]\nb = 1\n", "\n# of y\n[s.y]\nb = 1\n"),
        ("[s.y]\n\n[s.x] # mine\n# mine too\na = 1\n# of all\n", "[s.y]\n# of all\n"),
        ("[s.x]\na = 1\n[t]\n[s.x.env]\nK = 'v'\n\n[u]", "[t]\n\n[u]"),
        ("[s]\nx = { a = 1 }\ny.b = 1\n", "[s]\ny.b = 1\n"),
        ("s.x.a = 1\ns.x.b = [\n 2,\n]\ns.y.c = 3\n", "s.y.c = 3\n"),
        ('z = """\n[s.x]\n"""\n[s.x]\n', 'z = """\n[s.x]\n"""\n'),
        ("k = 1\r\n\r\n[s.x]\r\na = 1", "k = 1"),
    ],
)
def test_a_table_is_taken_out_wherever_it_stands_and_no_comment_of_others(before: str, after: str) -> None:
    assert TomlDocument.parse(before, section="s", shown="f").drop("x") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[s.x]\nz = 9\n\n# of t\n[t]\n", "[s.x]\na = 1\n\n# of t\n[t]\n"),
        ("[s.x]\nz = 9\n[t]\n\n[s.x.env]\nK = 'v'\n", "[s.x]\na = 1\n[t]\n"),
        ("[s]\nx.z = 9\ny.b = 1\n", "[s]\ny.b = 1\n\n[s.x]\na = 1\n"),
        ("[t]\r\n[s.x]\r\nz = 9", "[t]\r\n[s.x]\r\na = 1"),
    ],
)
def test_a_table_is_replaced_in_its_place(before: str, after: str) -> None:
    assert TomlDocument.parse(before, section="s", shown="f").put("x", {"a": 1}) == after


def test_each_host_is_started_with_the_script_and_a_reference_to_the_key(cli: Cli, script: str) -> None:
    root = str(Path.cwd().resolve())
    args = ["mcp", "--root", root]
    written = {}
    for host in ("claude-code", "codex", "vscode"):
        assert cli("install", host, "--root", ".", "--yes").status == 0
        path = place(host, HOSTS[host].scopes[0])
        written[str(path.relative_to(Path.cwd().parent))] = says(path)
    assert written == {
        "work/.mcp.json": {
            "mcpServers": {
                "claimjury": {
                    "type": "stdio",
                    "command": script,
                    "args": args,
                    "env": {"OLLAMA_API_KEY": "${OLLAMA_API_KEY:-}"},
                }
            }
        },
        "home/.codex/config.toml": {
            "mcp_servers": {
                "claimjury": {
                    "command": script,
                    "args": args,
                    "env_vars": ["OLLAMA_API_KEY"],
                    "startup_timeout_sec": 20,
                    "tool_timeout_sec": 300,
                }
            }
        },
        "work/.vscode/mcp.json": {
            "servers": {
                "claimjury": {
                    "type": "stdio",
                    "command": script,
                    "args": args,
                    "env": {"OLLAMA_API_KEY": "${env:OLLAMA_API_KEY}"},
                }
            }
        },
    }


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("form", ["text", "json"])
def test_no_key_is_written_or_printed_though_the_environment_has_one(cli: Cli, host: str, form: str) -> None:
    how = "--yes" if HOSTS[host].written else "--print"
    ran = cli("install", host, how, *(["--json"] if form == "json" else []))
    assert ran.status == 0
    assert CANARY not in ran.out + ran.err
    for path in Path.cwd().parent.rglob("*"):
        assert not path.is_file() or CANARY.encode() not in path.read_bytes()
    if form == "text":
        assert "OLLAMA_API_KEY" in ran.err


def test_without_a_script_the_interpreter_is_started(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", ["-c"])
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path / "nothing"))
    entry = cli("install", "gemini", "--print").json["mcpServers"]["claimjury"]
    assert (entry["command"], entry["args"]) == (sys.executable, ["-m", "claimjury", "mcp"])


def test_a_new_file_and_its_folders_have_sensible_modes(cli: Cli) -> None:
    mask = os.umask(0o022)
    try:
        cli("install", "codex", "--yes")
        cli("install", "vscode", "--yes")
    finally:
        os.umask(mask)
    users, projects = place("codex", "user"), place("vscode", "project")
    modes = [path.stat().st_mode & 0o777 for path in (users, users.parent, projects, projects.parent)]
    assert modes == [0o600, 0o700, 0o644, 0o755]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_the_mode_of_a_file_stays(cli: Cli, mode: int) -> None:
    path = place("claude-code", "project")
    path.write_text("{}", encoding="utf-8")
    path.chmod(mode)
    assert cli("install", "claude-code", "--yes").status == 0
    assert path.stat().st_mode & 0o777 == mode
    assert [one.name for one in path.parent.iterdir()] == [".mcp.json"]


def test_a_link_is_followed_and_stays(cli: Cli, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "codex.toml"
    real.parent.mkdir()
    real.write_text("model = 'x'\n", encoding="utf-8")
    link = place("codex", "user")
    link.parent.mkdir()
    link.symlink_to(real)
    assert cli("install", "codex", "--yes").status == 0
    assert link.is_symlink()
    assert "claimjury" in says(real)["mcp_servers"]


def test_another_entry_of_the_name_is_replaced_with_consent_alone(cli: Cli, script: str) -> None:
    path = place("claude-code", "project")
    old = '{"mcpServers": {"claimjury": {"command": "old", "env": {"OLLAMA_API_KEY": "sk-left-in-the-file"}}, "b": {}}}'
    path.write_text(old, encoding="utf-8")
    refused = cli("install", "claude-code")
    assert (refused.status, path.read_text(encoding="utf-8")) == (2, old)
    assert "replace the entry `claimjury`" in refused.out
    assert "sk-left" not in refused.out + refused.err
    assert cli("install", "claude-code", "--yes").status == 0
    assert says(path)["mcpServers"] == {"claimjury": HOSTS["claude-code"].entry(script, ["mcp"]), "b": {}}


def test_an_entry_has_the_name_that_was_asked_for(cli: Cli) -> None:
    cli("install", "vscode", "--name", "second_opinion-2", "--yes")
    assert list(says(place("vscode", "project"))["servers"]) == ["second_opinion-2"]
    cli("install", "vscode", "--uninstall", "--yes")
    assert list(says(place("vscode", "project"))["servers"]) == ["second_opinion-2"]


def test_uninstalling_leaves_an_empty_section_and_makes_no_file(cli: Cli) -> None:
    path = place("claude-code", "project")
    assert cli("install", "claude-code", "--uninstall", "--yes").status == 0
    assert not path.exists()
    cli("install", "claude-code", "--yes")
    cli("install", "claude-code", "--uninstall", "--yes")
    assert says(path) == {"mcpServers": {}}


# What is shown, and who is asked.


def test_a_change_is_shown_and_not_made_where_nobody_can_be_asked(cli: Cli, script: str) -> None:
    path = place("claude-code", "project")
    path.write_text(
        '{\n  "mcpServers": {\n    "a": {"env": {"KEY": "of another"}}\n  }\n}\n', encoding="utf-8"
    )
    ran = cli("install", "claude-code")
    assert ran.status == 2
    assert "--yes" in ran.err
    head, entry, _, *diff = ran.out.rstrip("\n").split("\n")
    assert head == f"Claude Code (project), {path}: add the entry `claimjury`"
    assert json.loads(entry) == HOSTS["claude-code"].entry(script, ["mcp"])
    assert diff[:3] == [f"--- {path}", f"+++ {path}", "@@ -3 +3,11 @@"]
    assert '+    "claimjury": {' in diff
    assert "claimjury" not in path.read_text(encoding="utf-8")


def test_a_diff_shows_no_line_and_no_part_of_a_line_that_stays() -> None:
    before = '{"a":"' + "secret " * 60 + '","s":{}}'
    assert unified_diff("keep\nold\nkeep", "keep\nnew\nkeep\n", "f") == [
        "--- f",
        "+++ f",
        "@@ -2 +2 @@",
        "-old",
        "+new",
    ]
    assert unified_diff(before, before.replace("{}", '{"x":1}'), "f")[3:] == ["-……", '+…"x":1…']
    assert unified_diff(None, "a\nb\n", "f\x1b[2J") == [
        "--- /dev/null",
        "+++ f\\x1b[2J",
        "@@ -0,0 +1,2 @@",
        "+a",
        "+b",
    ]


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("Yes\n", 0), ("n\n", 2), ("\n", 2), ("\x04", 2)])
@POSIX_PTY
def test_on_a_terminal_only_a_yes_writes(answer: str, status: int) -> None:
    import pty

    host_end, our_end = pty.openpty()
    command = [sys.executable, "-m", "claimjury", "install", "claude-code"]
    with (
        os.fdopen(host_end, "r+b", buffering=0) as terminal,
        subprocess.Popen(command, stdin=our_end, stderr=our_end, stdout=subprocess.PIPE) as process,
    ):
        os.close(our_end)
        said = b""
        while b"[y/N]" not in said:
            said += terminal.read(1024)
        terminal.write(answer.encode())
        shown, _ = process.communicate(timeout=30)
    assert process.returncode == status
    assert b"+++ " in shown
    assert place("claude-code", "project").exists() == (status == 0)


def test_json_is_one_object_and_never_asks(cli: Cli, script: str) -> None:
    refused = cli("install", "codex", "--json")
    assert (refused.status, refused.json["error"]["code"]) == (2, "INVALID_REQUEST")
    done = cli("install", "codex", "--json", "--yes")
    told = done.json["install"]
    assert (done.json["exit_status"], told["action"], told["written"]) == (0, "add", True)
    assert (told["host"], told["scope"], told["path"]) == ("codex", "user", str(place("codex", "user")))
    assert told["entry"] == HOSTS["codex"].entry(script, ["mcp"])
    assert "+[mcp_servers.claimjury]" in told["diff"].split("\n")
    assert cli("install", "codex", "--json").json["install"]["written"] is False
    gone = cli("install", "codex", "--json", "--yes", "--uninstall").json["install"]
    assert (gone["action"], "entry" in gone) == ("remove", False)


@pytest.mark.parametrize("host", HOSTS)
def test_print_shows_the_whole_entry_and_touches_no_file(cli: Cli, host: str, script: str) -> None:
    ran = cli("install", host, "--print")
    parse = tomllib.loads if HOSTS[host].form == "toml" else json.loads
    assert ran.status == 0
    assert parse(ran.out) == {HOSTS[host].section: {"claimjury": HOSTS[host].entry(script, ["mcp"])}}
    assert str(place(host, HOSTS[host].scopes[0])) in ran.err
    assert list(Path.cwd().iterdir()) == list(Path.home().iterdir()) == []
    assert parse(cli("install", host, "--print", "--json").json["install"]["text"]) == parse(ran.out)


# Where it goes.


@pytest.mark.parametrize(
    ("host", "scope", "platform", "path"),
    [
        ("claude-code", "project", "linux", "/w/.mcp.json"),
        ("claude-code", "user", "linux", "/h/.claude.json"),
        ("codex", "user", "darwin", "/h/.codex/config.toml"),
        ("codex", "project", "linux", "/w/.codex/config.toml"),
        ("vscode", "project", "linux", "/w/.vscode/mcp.json"),
        ("vscode", "user", "linux", "/h/.config/Code/User/mcp.json"),
        ("vscode", "user", "darwin", "/h/Library/Application Support/Code/User/mcp.json"),
        ("vscode", "user", "win32", "/h/AppData/Roaming/Code/User/mcp.json"),
        ("cursor", "project", "linux", "/w/.cursor/mcp.json"),
        ("cursor", "user", "linux", "/h/.cursor/mcp.json"),
        ("gemini", "user", "win32", "/h/.gemini/settings.json"),
        (
            "claude-desktop",
            "user",
            "darwin",
            "/h/Library/Application Support/Claude/claude_desktop_config.json",
        ),
        ("claude-desktop", "user", "win32", "/h/AppData/Roaming/Claude/claude_desktop_config.json"),
    ],
)
def test_each_host_has_its_place_on_each_system(host: str, scope: Scope, platform: str, path: str) -> None:
    places = Places(home=Path("/h"), work=Path("/w"), environ={"XDG_CONFIG_HOME": " "}, platform=platform)
    assert config_path(HOSTS[host], scope, places) == Path(path)


def test_a_hosts_own_variable_moves_its_file(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for host, variable, name in (
        ("codex", "CODEX_HOME", "config.toml"),
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
        ("vscode", "XDG_CONFIG_HOME", "Code/User/mcp.json"),
    ):
        monkeypatch.setenv(variable, str(tmp_path / host))
        assert cli("install", host, "--scope", "user", "--yes").status == 0
        assert "claimjury" in says(tmp_path / host / name)[HOSTS[host].section]
    assert list(Path.home().iterdir()) == []


# What is refused.


@pytest.mark.parametrize(
    ("args", "message", "hint"),
    [
        (
            ["emacs"],
            "no host",
            "claude-code, codex, vscode; with --print also cursor, gemini, claude-desktop",
        ),
        (["cursor", "--yes"], "not written", "--print"),
        (["gemini"], "not written", "--print"),
        (["claude-desktop", "--uninstall", "--yes"], "not written", "--print"),
        (["claude-desktop", "--print", "--scope", "project"], "no file of a project", "--scope user"),
        (["cursor", "--print", "--uninstall"], "nothing to print", "Delete `mcpServers.claimjury`"),
        (["codex", "--name", "a.b", "--yes"], "cannot name", "letters"),
        (["claude-code", "--name", "workspace", "--yes"], "keeps the name", "--name"),
        (["codex", "--root", "missing", "--yes"], "no folder", "that is there"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_written(
    cli: Cli, args: list[str], message: str, hint: str
) -> None:
    ran = cli("install", *args)
    assert ran.status == 2
    assert message in ran.err.split("\n")[0]
    assert hint in ran.err.split("\n")[1]
    assert list(Path.cwd().iterdir()) == list(Path.home().iterdir()) == []


@pytest.mark.parametrize("name", ["a\nb", "a${HOME}b", "a\u202eb"])
def test_a_root_that_a_host_would_read_otherwise_is_refused(cli: Cli, name: str) -> None:
    Path(name).mkdir()
    ran = cli("install", "codex", "--root", name, "--yes")
    assert (ran.status, place("codex", "user").exists()) == (2, False)
    assert "characters" in ran.err


JSON_FAULTS = {
    "empty": b"",
    "torn": b'{"mcpServers": {',
    "two": b'{"mcpServers": {}} {}',
    "list": b"[]",
    "list in place of the section": b'{"mcpServers": []}',
    "null in place of the section": b'{"mcpServers": null}',
    "comment": b'{"mcpServers": {} /* Claude Code does not read this */}',
    "trailing comma": b'{"mcpServers": {},}',
    "section twice": b'{"mcpServers": {"a": {}}, "mcpServers": {}}',
    "entry twice": b'{"mcpServers": {"claimjury": {}, "claimjur\\u0079": {}}}',
    "control": b'{"a": "\x01"}',
    "constant": b'{"a": NaN}',
    "digits": b'{"a": ' + b"1" * 5000 + b"}",
    "deep": b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "utf-16": '{"mcpServers": {}}'.encode("utf-16"),
    "latin-1": b'{"a": "\xe9"}',
}
TOML_FAULTS = {
    "torn": b"[mcp_servers.",
    "twice": b"a = 1\na = 2\n",
    "no table": b"mcp_servers = 1\n",
    "array": b"[[mcp_servers]]\na = 1\n",
    "inline": b"mcp_servers = { a = { command = 'x' } }\n",
    "inline, with ours": b"mcp_servers = { a = {}, claimjury = { command = 'x' } }\n",
    "latin-1": b"a = '\xe9'\n",
}


@pytest.mark.parametrize("fault", JSON_FAULTS)
def test_json_that_its_host_does_not_read_is_refused_and_left(cli: Cli, fault: str) -> None:
    path = place("claude-code", "project")
    path.write_bytes(JSON_FAULTS[fault])
    for args in (["--yes"], ["--yes", "--uninstall"]):
        ran = cli("install", "claude-code", *args)
        assert (ran.status, path.read_bytes()) == (2, JSON_FAULTS[fault])
        assert "CONFIG_INVALID" in ran.err
        assert ".mcp.json" in ran.err


@pytest.mark.parametrize("fault", TOML_FAULTS)
def test_toml_that_cannot_be_edited_is_refused_and_left(cli: Cli, fault: str) -> None:
    path = place("codex", "user")
    path.parent.mkdir()
    path.write_bytes(TOML_FAULTS[fault])
    ran = cli("install", "codex", "--yes")
    assert (ran.status, path.read_bytes()) == (2, TOML_FAULTS[fault])
    assert "CONFIG_INVALID" in ran.err
    assert "config.toml" in ran.err


def a_folder(path: Path) -> None:
    path.mkdir()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_dead_link(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere")


def a_ring_of_links(path: Path) -> None:
    path.symlink_to(path.name)


def a_file_that_may_not_be_written(path: Path) -> None:
    path.write_text("{}", encoding="utf-8")
    path.chmod(0o444)


def a_file_of_two_names(path: Path) -> None:
    path.write_text("{}", encoding="utf-8")
    (path.parent / "other").hardlink_to(path)


@pytest.mark.parametrize(
    "make",
    [
        a_folder,
        a_pipe,
        a_dead_link,
        a_ring_of_links,
        a_file_that_may_not_be_written,
        a_file_of_two_names,
    ],
)
def test_what_is_no_file_to_write_is_refused_and_left(cli: Cli, make: Callable[[Path], None]) -> None:
    if sys.platform == "win32":
        pytest.skip("needs POSIX files")
    path = place("claude-code", "project")
    make(path)
    before = path.lstat()
    ran = cli("install", "claude-code", "--yes")
    assert ran.status == 2
    assert ".mcp.json" in ran.err
    assert (path.lstat().st_ino, path.lstat().st_mode) == (before.st_ino, before.st_mode)


def test_a_file_where_a_folder_should_be_is_refused(cli: Cli) -> None:
    Path(".vscode").write_text("no folder", encoding="utf-8")
    assert cli("install", "vscode", "--yes").status == 2
    assert Path(".vscode").read_text(encoding="utf-8") == "no folder"


@pytest.mark.parametrize("before", ["{}", None])
def test_a_file_that_has_changed_meanwhile_is_left(before: str | None) -> None:
    path = place("claude-code", "project")
    if before is not None:
        path.write_text(before, encoding="utf-8")
    change = plan_change(HOSTS["claude-code"], path, "claimjury", ENTRY, scope="project")
    path.write_text('{"meanwhile": 1}', encoding="utf-8")
    with pytest.raises(Exception, match="has changed since it was read") as raised:
        change.make()
    assert getattr(raised.value, "retryable", None) is True
    assert path.read_text(encoding="utf-8") == '{"meanwhile": 1}'


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_the_file_and_nothing_beside_it(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    def fail(_: int) -> None:
        raise fault

    path = place("claude-code", "project")
    path.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", fail)
    assert cli("install", "claude-code", "--yes").status == (2 if isinstance(fault, OSError) else 130)
    assert [one.name for one in path.parent.iterdir()] == [".mcp.json"]
    assert path.read_text(encoding="utf-8") == "{}"


# Whatever the file looks like.

BLANKS = st.lists(
    st.sampled_from([" ", "\n", "\r\n", "\t", "/* c, } */", '// l, ] "\n', "//\n", "/***/"]), max_size=3
).map("".join)
TEXTS = st.one_of(
    st.sampled_from(["", "//", "/*", '"', ",}", "\\"]), st.text(st.characters(codec="utf-8"), max_size=4)
)
SCALARS = st.one_of(
    TEXTS.map(json.dumps),
    TEXTS.map(lambda text: json.dumps(text, ensure_ascii=False)),
    st.sampled_from(["1", "-1.5e3", "0", "true", "null", "[]", "{}"]),
)


@st.composite
def bracketed(draw: st.DrawFn, items: list[str], brackets: str) -> str:
    inner = ",".join(f"{draw(BLANKS)}{item}{draw(BLANKS)}" for item in items)
    trailing: bool = draw(st.booleans())
    comma = f",{draw(BLANKS)}" if items and trailing else ""
    return f"{brackets[0]}{inner}{comma}{'' if items else draw(BLANKS)}{brackets[1]}"


@st.composite
def objects(draw: st.DrawFn, values: st.SearchStrategy[str], *fixed: str) -> str:
    drawn = draw(st.lists(values, max_size=3))
    items = [f'"k{at}"{draw(BLANKS)}:{draw(BLANKS)}{value}' for at, value in enumerate(drawn)]
    shuffled: list[str] = draw(st.permutations([*items, *fixed]))
    return draw(bracketed(shuffled, "{}"))


VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        objects(inner), st.lists(inner, max_size=3).flatmap(lambda items: bracketed(items, "[]"))
    ),
    max_leaves=6,
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    section = draw(objects(VALUES))
    return (
        draw(BLANKS)
        + draw(objects(VALUES, f'"servers"{draw(BLANKS)}:{draw(BLANKS)}{section}'))
        + draw(BLANKS)
    )


@given(documents())
def test_any_json_keeps_all_that_is_not_the_entry(text: str) -> None:
    document = JsonDocument.parse(text, section="servers", shown="f", comments=True)
    after = document.put("claimjury", ENTRY)
    assert json.loads(strict(after)) == {
        **json.loads(strict(text)),
        "servers": {**document.entries, "claimjury": ENTRY},
    }
    again = JsonDocument.parse(after, section="servers", shown="f", comments=True)
    back = again.drop("claimjury")
    if document.entries:
        inserted(text, after)
        assert back == text
    else:
        # An empty object may come back without the blanks that it held.
        assert "".join(back.split()) == "".join(text.split())


@given(documents(), st.data())
def test_any_entry_of_any_json_is_replaced_and_taken_out_alone(text: str, data: st.DataObject) -> None:
    document = JsonDocument.parse(text, section="servers", shown="f", comments=True)
    if not document.entries:
        return
    name = data.draw(st.sampled_from(sorted(document.entries)))
    rest = {key: value for key, value in document.entries.items() if key != name}
    others = json.loads(strict(text))
    assert json.loads(strict(document.drop(name))) == {**others, "servers": rest}
    assert json.loads(strict(document.put(name, ENTRY))) == {**others, "servers": {**rest, name: ENTRY}}


@given(documents(), st.data())
def test_torn_json_is_refused_or_says_the_same_to_another_reader(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    torn = (
        text[:at]
        + data.draw(st.sampled_from(["", ",", "}", "{", '"', "/", "*", ":"]))
        + text[at + data.draw(st.integers(0, 1)) :]
    )
    try:
        document = JsonDocument.parse(torn, section="servers", shown="f", comments=True)
    except ConfigInvalid:
        return
    assert json.loads(strict(torn)) == document.read.value


LINES = st.sampled_from(["", "", "# c", "  # [mcp_servers.claimjury]", "\t"])
TOML_VALUES = st.sampled_from(
    [
        "1",
        '"x"',
        '"""\n[mcp_servers.claimjury]\ncommand = 1\n"""',
        "'''\n# no\n[x]\n'''",
        '[\n  1, # c\n  "]",\n]',
        "{ a = 1, b = { c = 2 } }",
        "1979-05-27T07:32:00Z",
        "nan",
        "-inf",
        "[[1],\n[2]]",
    ]
)


@st.composite
def tables(draw: st.DrawFn, header: str) -> str:
    lines = [draw(st.sampled_from([f"[{header}]", f"  [ {header} ] # h"]))] if header else []
    for at in range(draw(st.integers(0, 3))):
        key = draw(st.sampled_from([f"k{at}", f'"k {at}"', f"  k{at} . x"]))
        lines += [draw(LINES), f"{key} = {draw(TOML_VALUES)}"]
    return "\n".join([*lines, draw(LINES), ""])


@st.composite
def toml_documents(draw: st.DrawFn) -> str:
    headers = draw(st.lists(st.sampled_from(["a", "b", "mcp_servers.x", 'mcp_servers."y z"']), unique=True))
    text = draw(tables("")) + "".join(draw(tables(header)) for header in headers)
    text = text.removesuffix("\n") if draw(st.booleans()) else text
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@given(toml_documents())
def test_any_toml_gets_one_table_at_its_end_and_gives_it_back(text: str) -> None:
    document = TomlDocument.parse(text, section="mcp_servers", shown="f")
    after = document.put("claimjury", TABLE)
    assert after.startswith(text)
    assert tomllib.loads(after)["mcp_servers"]["claimjury"] == TABLE
    again = TomlDocument.parse(after, section="mcp_servers", shown="f")
    assert again.put("claimjury", TABLE) == after
    assert again.drop("claimjury") == text


@given(
    toml_documents(),
    st.sampled_from(["[mcp_servers.claimjury]\nold = 1 # mine\n", "[mcp_servers.claimjury.env]\nK = 'v'\n"]),
)
def test_any_toml_keeps_its_comments_when_a_table_goes(text: str, mine: str) -> None:
    whole = (
        mine + "\n# of the next\n[next]\n" + text
        if not text.strip()
        else f"{text}\n{mine}\n# of the next\n[next]\n"
    )
    document = TomlDocument.parse(whole, section="mcp_servers", shown="f")
    for after in (document.drop("claimjury"), document.put("claimjury", TABLE)):
        assert "\n# of the next\n[next]\n" in after
        assert [line for line in text.split("\n") if line not in after.split("\n")] == []
