"""Whatever a model or a repository tries: no call raises, nothing is written, no program of the repository's runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimjury.skeptics.tools.limits import MAX_REPLY_BYTES
from claimjury.skeptics.tools.toolbox import TOOLS, Toolbox
from skeptics.tool_helpers import call, picture, told, write
from unit.git_helpers import commit, git, repository

NAMES = [tool.name for tool in TOOLS]
HOSTILE = [
    "",
    ".",
    "..",
    "/",
    "/etc/passwd",
    "../../x",
    ".git/config",
    ".env",
    "a\0b",
    "\ud800",
    "x" * 5_000,
    "-rf",
    "--output=x",
    ":(top)x",
    "HEAD",
    "HEAD~1",
    "HEAD..HEAD",
    "..",
    "**",
    "**/*",
    "{a,b",
    "(a+)+$",
    "(",
    "\\",
    "src/a.py",
    "loop",
    "out",
    "fifo",
    "to-env",
    "\u202e.py",
    "$(touch ran)",
    "`touch ran`",
    "; touch ran",
]
TEXT = st.sampled_from(HOSTILE) | st.text(st.characters(codec=None), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
FIELDS = ["path", "start", "end", "pattern", "glob", "ignore_case", "range", "limit", "extra"]
ARGUMENTS = JSON | st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4)
NUMBER = st.integers(-1, 9)
SENSIBLE = {
    "read": st.fixed_dictionaries({"path": TEXT}, optional={"start": NUMBER, "end": NUMBER}),
    "grep": st.fixed_dictionaries(
        {"pattern": TEXT}, optional={"path": TEXT, "glob": TEXT, "ignore_case": st.booleans()}
    ),
    "glob": st.fixed_dictionaries({"pattern": TEXT}),
    "git_diff": st.fixed_dictionaries({"range": TEXT}, optional={"path": TEXT}),
    "git_log": st.fixed_dictionaries({}, optional={"range": TEXT, "path": TEXT, "limit": NUMBER}),
}
CALLS = st.tuples(st.sampled_from(NAMES) | TEXT, ARGUMENTS) | st.one_of(
    *(st.tuples(st.just(name), arguments) for name, arguments in SENSIBLE.items())
)
# A call of each tool that works, of which one argument is then replaced.
WORKING: dict[str, dict[str, object]] = {
    "read": {"path": "src/a.py"},
    "grep": {"pattern": "x"},
    "glob": {"pattern": "**"},
    "git_diff": {"range": "HEAD~1"},
    "git_log": {},
}


def tree() -> None:
    """Make a repository with one of everything that a tool could trip over."""
    repository()
    commit({"src/a.py": "one\n", ".env": "SECRET=1\n", "b.bin": b"\0", "empty": ""})
    commit({"src/a.py": "two\r\n", "größe.txt": "x" * 10_000, ".env": "SECRET=2\n"})
    write("new.py")
    Path("out").symlink_to("..")
    Path("loop").symlink_to("loop")
    Path("to-env").symlink_to(".env")
    os.mkfifo("fifo")
    Path("folder").mkdir()


@pytest.fixture
def box() -> Toolbox:
    tree()
    return Toolbox(Path())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=CALLS)
def test_no_call_raises_and_every_reply_is_text_within_its_limit(
    box: Toolbox, asked: tuple[str, object]
) -> None:
    reply = box.call(*asked)

    assert reply.text
    assert len(reply.text.encode()) <= MAX_REPLY_BYTES
    assert bool(reply.looked) is not reply.failed
    assert "SECRET" not in reply.text
    assert str(Path.cwd()) not in reply.text


def test_the_tree_is_the_same_after_every_tool_was_asked_for_everything(box: Toolbox) -> None:
    home = Path.cwd().parent
    before = picture(home)
    values: list[object] = [*HOSTILE, 0, -1, None, True, 1e400, [], {}]

    for tool in TOOLS:
        fields = list(tool.parameters["properties"])
        for value in values:
            box.call(tool.name, value)
            box.call(tool.name, dict.fromkeys(fields, value))
            for field in fields:
                box.call(tool.name, {**WORKING[tool.name], field: value})
        assert not box.call(tool.name, WORKING[tool.name]).failed
    box.lines_of("src/a.py")

    assert picture(home) == before


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "arguments", [None, "", "{}", [], 3, {"extra": 1}, {1: 2}, {"path": 3, "pattern": 3}]
)
def test_arguments_that_do_not_fit_are_answered_with_how_to_call_the_tool(
    name: str, arguments: object
) -> None:
    reply = Toolbox(Path()).call(name, arguments)

    assert reply.failed
    assert reply.text.startswith("The arguments cannot be used: ")
    assert f" Call it like {name}(" in reply.text


def test_an_unknown_tool_is_answered_with_the_names_of_those_there_are() -> None:
    assert Toolbox(Path()).call("bash\x1b[2J", {}).text == (
        "There is no tool 'bash'. The tools: read, grep, glob, git_diff, git_log."
    )


def test_many_problems_are_told_in_part() -> None:
    reply = call("read", **{f"extra{number}": 1 for number in range(9)})

    assert "; and 5 more. Call it like read(" in reply.text


def test_each_tool_tells_its_arguments_and_takes_no_others() -> None:
    assert {tool.name: list(tool.parameters["properties"]) for tool in TOOLS} == {
        "read": ["path", "start", "end"],
        "grep": ["pattern", "path", "glob", "ignore_case"],
        "glob": ["pattern"],
        "git_diff": ["range", "path"],
        "git_log": ["range", "path", "limit"],
    }
    for tool in TOOLS:
        assert tool.description
        assert tool.parameters["additionalProperties"] is False
        assert all(field["description"] for field in tool.parameters["properties"].values())


def trapped(canaries: Path) -> None:
    """Make a repository whose config, attributes and hooks all lead to programs that leave a mark."""
    canaries.mkdir()

    def trap(name: str) -> str:
        path = canaries / f"{name}.sh"
        path.write_text(f"#!/bin/sh\ntouch '{canaries}/{name}.ran'\ncat \"$1\" 2>/dev/null\nexit 0\n")
        path.chmod(0o755)
        return str(path)

    repository()
    write(".gitattributes", "*.md diff=trap filter=trap\n*.py diff=python filter=long\n")
    commit({"README.md": "one\n", "src/a.py": "one\n", "a.txt": "one\n"})
    commit({"README.md": "two\n", "src/a.py": "two\n", "a.txt": "two\n"})
    for hook in ("post-index-change", "reference-transaction", "pre-commit", "fsmonitor-watchman"):
        for folder in (canaries / "hooks", Path(".git/hooks")):
            write(str(folder / hook), f"#!/bin/sh\ntouch '{canaries}/{hook}.ran'\n").chmod(0o755)
    values = {
        "core.fsmonitor": trap("fsmonitor"),
        "core.hooksPath": str(canaries / "hooks"),
        "core.pager": trap("pager"),
        "core.sshCommand": trap("ssh"),
        "core.editor": trap("editor"),
        "core.excludesFile": str(canaries / "excludes"),
        "pager.log": trap("pager-log"),
        "pager.rev-list": trap("pager-list"),
        "pager.ls-files": trap("pager-ls"),
        "pager.diff-tree": trap("pager-diff"),
        "diff.external": trap("external"),
        "diff.trap.textconv": trap("textconv"),
        "diff.trap.command": trap("command"),
        "diff.python.textconv": trap("python-textconv"),
        "filter.trap.clean": trap("clean"),
        "filter.trap.smudge": trap("smudge"),
        "filter.long.process": trap("process"),
        "log.showSignature": "true",
        "gpg.program": trap("gpg"),
        "pretty.format": "%G?",
        **{f"alias.{name}": f"!{trap('alias')}" for name in ("rev-list", "log", "diff-tree", "rev-parse")},
    }
    for name, value in values.items():
        git("config", name, value)
    os.mkfifo(canaries / "excludes")
    # Same size, new time: git would have to run the clean filter to tell whether it differs.
    write("README.md", "six\n")


def sign(commit_id: str) -> None:
    """Make HEAD a commit with a signature, so that whoever verifies it runs gpg.program."""
    body = git("cat-file", "commit", commit_id)
    head, _, message = body.partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    write("../signed", f"{head}\n{signature}\n\n{message}\n")
    git("update-ref", "HEAD", git("hash-object", "-t", "commit", "-w", "../signed"))


def test_no_program_of_a_hostile_repository_runs_whatever_is_asked(tmp_path: Path) -> None:
    canaries = tmp_path / "canaries"
    trapped(canaries)
    sign(git("-c", "core.fsmonitor=", "rev-parse", "HEAD"))
    for mark in canaries.glob("*.ran"):
        mark.unlink()

    assert "+two" in told("git_diff", range="HEAD~1")
    assert told("git_log").startswith("2 commits.")
    assert told("git_log", path="README.md", range="HEAD~1..HEAD").startswith("1 commit ")
    assert "README.md:1| six" in told("grep", pattern="six")
    assert "README.md" in told("glob", pattern="*")
    assert told("read", path="README.md")

    assert list(canaries.glob("*.ran")) == []


def test_the_traps_catch_an_unguarded_git(tmp_path: Path) -> None:
    canaries = tmp_path / "canaries"
    trapped(canaries)
    git("config", "core.excludesFile", os.devnull)
    sign(git("rev-parse", "HEAD"))

    for setting in ("diff.external", "diff.trap.command", "diff.trap.textconv"):
        git("diff", "HEAD~1", "HEAD", check=False)
        git("config", "--unset", setting)
    git("status", check=False)
    git("log", "-1", check=False)

    caught = {mark.stem for mark in canaries.glob("*.ran")}
    assert {"fsmonitor", "external", "command", "textconv", "process", "clean", "gpg"} - caught == set()


def test_a_fifo_that_somebody_writes_to_is_not_opened(box: Toolbox) -> None:
    assert box.call("read", {"path": "fifo"}).failed
    with pytest.raises(OSError, match="No such device"):
        # Nobody reads it: a writer that does not wait is refused.
        os.open("fifo", os.O_WRONLY | os.O_NONBLOCK)
