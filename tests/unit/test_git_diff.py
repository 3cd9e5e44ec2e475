"""The diff between two commits is evidence like any other, and no program of the repository's runs to make it."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from claimjury import plan_verify
from claimjury.errors import (
    InvalidRequest,
    RequestError,
    SourceDenied,
    SourceNotFound,
    SourceNotText,
    SourceTooLarge,
)
from claimjury.evidence.diff import load_diff
from claimjury.evidence.git import run_git, tracked, unified_diff, work_tree
from claimjury.evidence.sources import DiffRange, Source, load_sources
from claimjury.testing import Reply, ballot
from jury.helpers import TRIO, ask
from unit.git_helpers import commit, git, repository

LONG = "def work():\n" + "".join(f"    step_{number} = {number}\n" for number in range(20)) + "    return 1\n"
OTHER = "\n\ndef rest():\n    return 2\n"


def changed() -> tuple[str, str]:
    """Make a repository of two commits and give their ids: one line in the middle of a long function differs."""
    repository()
    old = commit({"src/a.py": LONG + OTHER, "README.md": "one\n"})
    new = commit({"src/a.py": LONG.replace("step_10 = 10", "step_10 = 11") + OTHER})
    return old, new


def refusal(kind: type[RequestError], wanted: str, roots: list[Path] | None = None) -> str:
    with pytest.raises(kind) as caught:
        load_diff(wanted, roots=roots)
    assert caught.value.hint
    assert caught.value.exit_status == 2
    return caught.value.message


def files_of(source: Source) -> tuple[str, ...]:
    assert source.diff
    return source.diff.files


def test_a_diff_is_a_source_named_by_its_two_commits() -> None:
    old, new = changed()

    source = load_diff(f"{old}..{new}")

    assert source.path == f"diff {old[:7]}..{new[:7]}"
    assert source.kind == "DIFF"
    assert source.note == f"from commit {old} to commit {new}"
    assert source.diff == DiffRange(old=old, new=new, files=("src/a.py",))
    assert source.bytes == len(source.text.encode())
    assert "-    step_10 = 10\n+    step_10 = 11\n" in source.text


def test_the_whole_function_that_a_change_touches_is_in_it_and_no_other() -> None:
    changed()

    text = load_diff("HEAD~1").text

    assert " def work():\n" in text
    assert "     return 1\n" in text
    assert "rest" not in text


@pytest.mark.parametrize(
    ("name", "opening"),
    [
        ("a.rs", "    fn {}() {{"),
        ("a.java", "    public void {}() {{"),
        ("a.rb", "    def {}"),
        ("a.kt", "    fun {}() {{"),
        ("a.php", "    public function {}() {{"),
    ],
)
def test_functions_of_other_languages_are_found_by_gits_own_patterns(name: str, opening: str) -> None:
    repository()
    body = "".join(f"        step {number}\n" for number in range(20))
    start = f"class Top\n{opening.format('first')}\n{body}{opening.format('second')}\n"
    commit({name: f"{start}{body}"})
    commit({name: f"{start}{body.replace('step 15', 'leap 15')}"})

    text = load_diff("HEAD~1").text

    assert f" {opening.format('second')}\n" in text
    assert f" {opening.format('first')}\n" not in text


@pytest.mark.parametrize(
    "wanted", ["{old}", "{old}..", "{old}..HEAD", "{old}...HEAD", "HEAD~1", "v1", "main~..main"]
)
def test_a_range_is_two_commits_or_one_up_to_head(wanted: str) -> None:
    old, new = changed()
    git("tag", "--annotate", "--message=x", "v1", old)

    assert load_diff(wanted.format(old=old)).note == f"from commit {old} to commit {new}"


def test_three_dots_start_where_the_second_left_the_first() -> None:
    base, _ = changed()
    git("checkout", "--quiet", "-b", "side", base)
    side = commit({"side.py": "x\n"})

    source = load_diff("main...side")

    assert source.note == f"from commit {base} to commit {side}"
    assert files_of(source) == ("side.py",)
    assert files_of(load_diff("main..side")) == ("side.py", "src/a.py")


def test_what_is_not_committed_is_not_in_it() -> None:
    changed()
    Path("src/a.py").write_text("changed since")
    Path("new.py").write_text("new")
    git("add", "new.py")

    source = load_diff("HEAD~1")

    assert files_of(source) == ("src/a.py",)
    assert "changed since" not in source.text


@pytest.mark.parametrize(
    "wanted",
    [
        "absent",
        "absent..HEAD",
        "HEAD..absent",
        "HEAD~1:src/a.py",
        "--output=x",
        "--all",
        "-p",
        "HEAD\0",
        "HEAD --",
        "a\n",
    ],
)
def test_a_revision_that_names_no_commit_is_refused_and_never_an_option(wanted: str) -> None:
    changed()

    assert refusal(InvalidRequest, wanted).endswith(" names no commit.")
    assert not Path("x").exists()


@pytest.mark.parametrize("wanted", ["", "..", "..."])
def test_an_empty_range_is_refused(wanted: str) -> None:
    changed()

    assert refusal(InvalidRequest, wanted) == "The range of the diff is empty."


def test_a_diff_in_which_nothing_differs_is_refused() -> None:
    _, new = changed()

    assert refusal(InvalidRequest, "HEAD..HEAD") == (
        f"The diff HEAD..HEAD is empty: no file below the allowed roots differs between {new[:7]} and {new[:7]}."
    )


def test_commits_without_a_common_ancestor_are_refused_for_three_dots() -> None:
    changed()
    git("checkout", "--quiet", "--orphan", "alone")
    commit({"b.py": "x\n"})

    assert refusal(InvalidRequest, "main...alone") == "The commits of main...alone have no common ancestor."


def test_outside_a_work_tree_there_is_no_diff() -> None:
    assert "There is no git work tree at" in refusal(SourceNotFound, "HEAD~1")


def test_only_files_below_the_roots_are_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    repository()
    commit({"in/a.py": "1\n", "out/b.py": "1\n", "in2/c.py": "1\n"})
    commit({"in/a.py": "2\n", "out/b.py": "SECRET\n", "in2/c.py": "2\n"})

    one = load_diff("HEAD~1", roots=[Path("in")])
    two = load_diff("HEAD~1", roots=[Path("in"), Path("in2")])
    monkeypatch.chdir("in")

    assert files_of(one) == files_of(load_diff("HEAD~1")) == ("in/a.py",)
    assert "SECRET" not in one.text
    assert files_of(two) == ("in/a.py", "in2/c.py")


def test_a_root_that_is_named_like_a_pattern_is_a_name() -> None:
    repository()
    commit({"a*/x.py": "1\n", "ab/y.py": "1\n"})
    commit({"a*/x.py": "2\n", "ab/y.py": "2\n"})

    assert files_of(load_diff("HEAD~1", roots=[Path("a*")])) == ("a*/x.py",)


def test_a_repository_below_the_root_is_found_from_the_working_directory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repository("project")
    commit({"a.py": "1\n"}, at="project")
    commit({"a.py": "2\n"}, at="project")
    root = Path.cwd()
    monkeypatch.chdir("project")

    assert files_of(load_diff("HEAD~1", roots=[root])) == ("a.py",)


@pytest.mark.parametrize("name", [".env", "deploy/tls.pem", ".ssh/config"])
def test_a_secret_in_the_diff_is_denied_unless_allowed(name: str) -> None:
    repository()
    old = commit({"a.py": "1\n"})
    new = commit({name: "KEY\n"})

    assert refusal(SourceDenied, "HEAD~1").startswith(
        f"The diff {old[:7]}..{new[:7]} touches {name}, which is denied: "
    )
    assert files_of(load_diff("HEAD~1", allow_secrets=True)) == (name,)


def test_a_secret_that_was_renamed_is_denied_by_its_old_name() -> None:
    repository()
    commit({".env": "KEY=1\n"})
    git("mv", ".env", "settings.txt")
    commit({})

    assert "touches .env" in refusal(SourceDenied, "HEAD~1")


def test_a_rename_is_shown_as_one_and_both_names_count_as_shown() -> None:
    repository()
    commit({"old.py": LONG})
    git("mv", "old.py", "new.py")
    commit({})

    source = load_diff("HEAD~1")

    assert "rename from old.py\nrename to new.py\n" in source.text
    assert files_of(source) == ("new.py", "old.py")


def test_a_binary_file_is_said_to_differ_and_a_file_in_an_old_encoding_is_decoded() -> None:
    repository()
    commit({"a.bin": b"\0\1", "a.txt": "größer und später\n".encode("cp1252")})
    commit({"a.bin": b"\0\2", "a.txt": "größer und früher\n".encode("cp1252")})

    source = load_diff("HEAD~1")

    assert "Binary files a/a.bin and b/a.bin differ\n" in source.text
    assert "+größer und früher\n" in source.text
    assert (source.encoding, source.guessed) == ("cp1252", True)


def test_a_nul_far_down_in_a_diff_is_refused() -> None:
    repository()
    commit({"a.txt": "x\n" * 10_000})
    commit({"a.txt": "x\n" * 10_000 + "\0"})

    assert "is binary: byte" in refusal(SourceNotText, "HEAD~1")


def test_a_diff_over_fifty_megabytes_is_refused_and_read_no_further() -> None:
    repository()
    commit({"a.txt": ""})
    commit({"a.txt": "x" * 78 + "\n"})
    old, new = git("rev-parse", "HEAD~1", "HEAD").split()
    assert len(unified_diff(Path.cwd(), old, new, [], limit=100)) == 101
    commit({"a.txt": ("x" * 999 + "\n") * 50_001})

    assert "at most 50,000,000 bytes are read" in refusal(SourceTooLarge, "HEAD~1")


async def test_the_files_of_a_diff_count_as_sent_and_the_result_names_its_commits() -> None:
    old, new = changed()
    claims = ["In src/a.py, step_10 is 11.", "README.md is right."]

    both = Reply(content=ballot({"c1": "CONFIRMED", "c2": "CONFIRMED"}))
    result = await ask(dict.fromkeys(TRIO, [both]), claims=claims, diff="HEAD~1")

    (row,) = (row.to_json() for row in result.evidence)
    assert (row["path"], row["commits"], row["files"]) == (
        f"diff {old[:7]}..{new[:7]}",
        [old, new],
        ["src/a.py"],
    )
    assert result.egress[0].files == (f"diff {old[:7]}..{new[:7]}",)
    reasons = [claim.standing.reasons for claim in result.claims if claim.standing]
    assert ["named_file_not_sent" in (named or ()) for named in reasons] == [False, True]


def test_the_prompt_says_how_to_read_a_diff_and_what_leaves_names_it() -> None:
    old, new = changed()

    plan = plan_verify(["c"], source_paths=["README.md"], diff="HEAD~1")

    assert f'"diff {old[:7]}..{new[:7]}" (from commit {old} to commit {new})>>>\n' in plan.prompt.user
    assert (
        "1 source file(s), each whole. 1 diff(s) between two commits: lines with - are of the older"
        in plan.prompt.user
    )
    assert (
        f"1 claim, 1 file (README.md (4 bytes)), diff {old[:7]}..{new[:7]} (" in plan.egress_lines()[0].line
    )


def test_hostile_revisions_and_names_arrive_clean_in_messages() -> None:
    repository()
    commit({"a": "1"})
    commit({"x\x1b[2J\u202e[bold].pem": "1"})

    for message in (refusal(InvalidRequest, "\x1b[2J\u202e[bold]\nx"), refusal(SourceDenied, "HEAD~1")):
        assert "[bold]" in message
        assert not any(char in message for char in "\x1b\u202e\n")


# What a repository's config would have run


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def trapped(canaries: Path) -> None:
    """Make two commits in a repository whose config, attributes and hooks all lead to a program of its author's."""
    changed()

    def trap(name: str) -> str:
        return str(
            program(canaries / f"{name}.sh", f"touch '{canaries}/{name}.ran'; cat \"$1\" 2>/dev/null; exit 0")
        )

    settings = {
        "core.fsmonitor": trap("fsmonitor"),
        "core.hooksPath": str(canaries / "hooks"),
        "core.pager": trap("pager"),
        "core.sshCommand": trap("ssh"),
        "core.editor": trap("editor"),
        "core.askPass": trap("askpass"),
        "credential.helper": trap("credential"),
        "pager.ls-files": trap("pager-ls"),
        "pager.diff-tree": trap("pager-diff"),
        "alias.ls-files": f"!{trap('alias-ls')}",
        "alias.diff-tree": f"!{trap('alias-diff')}",
        "alias.rev-parse": f"!{trap('alias-parse')}",
        "diff.external": trap("external"),
        "diff.trap.textconv": trap("textconv"),
        "diff.trap.command": trap("command"),
        "diff.python.textconv": trap("python-textconv"),
        "diff.python.command": trap("python-command"),
        "filter.trap.clean": trap("clean"),
        "filter.trap.smudge": trap("smudge"),
        "filter.long.process": trap("process"),
        "interactive.diffFilter": trap("diff-filter"),
    }
    Path(".gitattributes").write_text("*.md diff=trap filter=trap\n*.py filter=long\n")
    Path(".git/info/attributes").write_text("*.txt diff=trap filter=trap\n")
    commit({"README.md": "two\n", "a.txt": "1\n", "src/a.py": LONG + OTHER})
    commit({"README.md": "three\n", "a.txt": "2\n", "src/a.py": LONG.replace("3", "4") + OTHER})
    for hook in ("post-index-change", "reference-transaction", "pre-commit", "fsmonitor-watchman"):
        for folder in (canaries / "hooks", Path(".git/hooks")):
            program(folder / hook, f"touch '{canaries}/hook-{hook}.ran'")
    for name, value in settings.items():
        git("config", name, value)
    # Same size, new time: git would have to run the clean filter to tell whether it differs.
    Path("README.md").write_text("3three"[:6])
    for ran in canaries.glob("*.ran"):
        ran.unlink()


def ran(canaries: Path) -> set[str]:
    return {path.stem for path in canaries.glob("*.ran")}


def test_no_program_of_the_repository_runs_for_a_listing_or_a_diff(tmp_path: Path) -> None:
    canaries = tmp_path / "canaries"
    trapped(canaries)

    diff = load_diff("HEAD~2")
    dots = load_diff("HEAD~2...HEAD")
    sources = load_sources([".", "**/*.py"])

    assert ran(canaries) == set()
    assert diff.text == dots.text
    assert files_of(diff) == (".gitattributes", "README.md", "a.txt", "src/a.py")
    assert "-one\n+three\n" in diff.text
    assert [source.path for source in sources] == [".gitattributes", "README.md", "a.txt", "src/a.py"]


def test_the_traps_of_that_repository_do_catch_an_unguarded_git(tmp_path: Path) -> None:
    canaries = tmp_path / "canaries"
    trapped(canaries)

    for setting in ("diff.external", "diff.trap.command", "diff.trap.textconv"):
        git("diff", "HEAD~2", "HEAD", check=False)
        git("config", "--unset", setting)
    git("status", check=False)

    assert {"fsmonitor", "external", "command", "textconv", "process", "clean"} - ran(canaries) == set()


def test_a_missing_object_is_not_fetched_by_a_transport_of_the_repository(tmp_path: Path) -> None:
    old, new = changed()
    program(tmp_path / "trap.sh", f"touch '{tmp_path}/transport.ran'")
    for name, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "trap",
        "remote.trap.promisor": "true",
        "remote.trap.url": f"ext::{tmp_path}/trap.sh",
        "remote.trap.uploadpack": f"{tmp_path}/trap.sh",
        "protocol.ext.allow": "always",
        "protocol.file.allow": "always",
    }.items():
        git("config", name, value)
    blob = git("rev-parse", f"{new}:src/a.py")
    (Path(".git/objects") / blob[:2] / blob[2:]).unlink()

    assert refusal(InvalidRequest, f"{old}..{new}").startswith("git failed: ")
    assert not (tmp_path / "transport.ran").exists()
    git("cat-file", "-p", blob, check=False)
    assert (tmp_path / "transport.ran").exists(), "the trap catches an unguarded git"


def test_what_a_commit_holds_is_shown_even_where_the_file_was_changed_behind_gits_back() -> None:
    repository()
    commit({"a.py": "one\n"})
    git("config", "core.checkStat", "minimal")
    git("config", "core.trustCtime", "false")
    Path("a.py").write_text("two\n")
    os.utime("a.py", (1, 1))
    commit({})
    Path("a.py").write_text("six\n")
    os.utime("a.py", (1, 1))

    assert git("status", "--porcelain") == "", "git does not see the change"
    assert "-one\n+two\n" in load_diff("HEAD~1").text


def test_settings_of_the_environment_and_of_the_user_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed()
    plain = load_diff("HEAD~1")
    trap = program(tmp_path / "trap.sh", f"touch '{tmp_path}/ran'")
    repository(tmp_path / "elsewhere")
    (Path.home() / ".gitconfig").write_text(
        f"[diff]\n\texternal = {trap}\n\tnoprefix = true\n[core]\n\tfsmonitor = {trap}\n"
    )
    for name, value in {
        "GIT_DIR": str(tmp_path / "elsewhere" / ".git"),
        "GIT_WORK_TREE": str(tmp_path / "elsewhere"),
        "GIT_EXTERNAL_DIFF": str(trap),
        "GIT_PAGER": str(trap),
        "GIT_DIFF_OPTS": "--unified=0",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(trap),
        "GIT_TRACE": str(tmp_path / "ran"),
    }.items():
        monkeypatch.setenv(name, value)

    assert load_diff("HEAD~1") == plain
    assert [entry.path for entry in tracked(Path.cwd())] == ["README.md", "src/a.py"]
    assert not (tmp_path / "ran").exists()


def test_a_commit_that_is_replaced_locally_is_shown_as_it_is() -> None:
    old, new = changed()
    tree = git("rev-parse", f"{old}^{{tree}}")
    git("replace", new, git("commit-tree", tree, "-p", old, "-m", "nothing to see"))

    assert "+    step_10 = 11\n" in load_diff(f"{old}..{new}").text


def test_a_work_tree_that_the_config_puts_elsewhere_is_none(tmp_path: Path) -> None:
    changed()
    (tmp_path / "elsewhere").mkdir()
    git("config", "core.worktree", str(tmp_path / "elsewhere"))

    assert "There is no git work tree at" in refusal(SourceNotFound, "HEAD~1")


# git itself


def test_without_git_a_file_is_loaded_and_the_rest_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    changed()
    monkeypatch.setenv("PATH", "")

    assert len(load_sources(["src/a.py", "src/a.py:1"])) == 2
    message = "The program git was not found, which a diff, a directory or a pattern needs."
    assert refusal(InvalidRequest, "HEAD~1") == message
    with pytest.raises(InvalidRequest, match="git was not found"):
        load_sources(["src"])


def test_a_git_below_a_relative_entry_of_the_path_is_never_run(monkeypatch: pytest.MonkeyPatch) -> None:
    program(Path("bin/git"), "touch ran")
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", "bin"]))

    assert "git was not found" in refusal(InvalidRequest, "HEAD~1")
    assert not Path("ran").exists()


def git_that(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    monkeypatch.setenv("PATH", str(program(Path("fake/git").absolute(), script).parent))


def test_a_git_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    git_that(monkeypatch, "while :; do :; done")

    with pytest.raises(InvalidRequest, match=r"^git took over 0\.1 s in "):
        run_git(Path.cwd(), "ls-files", timeout_s=0.1)


def test_a_git_that_never_stops_talking_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    git_that(monkeypatch, "while :; do echo out; echo err >&2; done")

    reply = run_git(Path.cwd(), "ls-files", limit=1_000)

    assert len(reply.output) == 1_001
    assert len(reply.complaint) <= 2_000


def test_a_repository_of_another_user_is_told_apart_from_none(monkeypatch: pytest.MonkeyPatch) -> None:
    git_that(monkeypatch, "echo \"fatal: detected dubious ownership in repository at '/x'\" >&2; exit 128")

    assert refusal(InvalidRequest, "HEAD~1") == (
        f"git does not trust the repository at {Path.cwd()}: it belongs to another user."
    )


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can give a file away")
def test_a_repository_that_was_given_away_is_not_trusted() -> None:
    changed()
    for path in (Path(), Path(".git")):
        os.chown(path, 12345, 12345)

    assert "git does not trust the repository" in refusal(InvalidRequest, "HEAD~1")


def test_what_git_complains_of_arrives_clean_and_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    git_that(monkeypatch, "printf 'fatal: \\033[2Jodd\\n::error::x\\n' >&2; exit 3")

    assert refusal(InvalidRequest, "HEAD~1") == "git failed: fatal: odd x."


def test_a_directory_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="git cannot be run in"):
        work_tree(tmp_path / "gone")
