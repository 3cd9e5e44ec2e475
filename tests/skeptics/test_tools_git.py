"""A skeptic sees commits and what they changed, without what is denied."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimjury.skeptics.tools import history
from claimjury.skeptics.tools.limits import MAX_REPLY_BYTES
from claimjury.skeptics.tools.toolbox import Looked, Toolbox
from skeptics.tool_helpers import call, refused, told, write
from unit.git_helpers import commit, git, repository


def changed() -> tuple[str, str]:
    repository()
    old = commit({"src/a.py": "one\n", "b.py": "one\n"})
    new = commit({"src/a.py": "two\n", "b.py": "two\n"})
    return old, new


# git_diff


def test_a_diff_names_its_commits_and_files_and_numbers_its_lines() -> None:
    old, new = changed()

    reply = call("git_diff", range="HEAD~1", path="src/a.py")

    assert reply.text.startswith(
        f"From {old} to {new}, 1 file differ. Shown: src/a.py.\n1| diff --git a/src/a.py"
    )
    assert "\n6| -one\n7| +two\nWhat is not committed is in no diff" in reply.text
    assert reply.looked == (
        Looked(
            tool="git_diff",
            path="src/a.py",
            start=None,
            end=None,
            detail=f"{old}..{new}",
            files=("src/a.py",),
        ),
    )


@pytest.mark.parametrize("wanted", ["HEAD~1", "HEAD~1..", "HEAD~1..HEAD", "HEAD~1...HEAD", "{old}..{new}"])
def test_a_range_is_resolved_to_two_ids(wanted: str) -> None:
    old, new = changed()

    assert told("git_diff", range=wanted.format(old=old, new=new)).startswith(f"From {old} to {new}, 2 files")


def test_three_dots_start_where_the_second_left_the_first() -> None:
    base, _ = changed()
    git("checkout", "--quiet", "-b", "side", base)
    side = commit({"c.py": "x\n"})

    assert told("git_diff", range="main...side").startswith(f"From {base} to {side}, 1 file")
    assert told("git_log", range="main...side").startswith("2 commits.\n")
    assert told("git_log", range="main..side").startswith("1 commit.\n")


@pytest.mark.parametrize(
    "wanted",
    ["absent", "HEAD:b.py", "--output=x", "--all", "-p", "HEAD\0", "HEAD --", "^HEAD", "HEAD^!", "..", "..."],
)
@pytest.mark.parametrize("tool", ["git_diff", "git_log"])
def test_a_range_that_names_no_commit_is_refused_and_never_an_option(tool: str, wanted: str) -> None:
    changed()

    assert refused(tool, range=wanted)
    assert not Path("x").exists()


def test_commits_without_a_common_ancestor_have_no_three_dots() -> None:
    changed()
    git("checkout", "--quiet", "--orphan", "alone")
    commit({"c.py": "x\n"})

    assert refused("git_diff", range="main...alone").startswith("The commits of main...alone have no common")


def test_where_nothing_differs_the_reply_says_so() -> None:
    _, new = changed()

    assert told("git_diff", range="HEAD..HEAD").startswith(f"Nothing differs between {new} and {new}.")
    assert told("git_diff", range="HEAD~1", path="absent").startswith("Nothing differs between")


def test_denied_files_are_left_out_of_a_diff_and_said_to_be() -> None:
    changed()
    commit({"b.py": "three\n", ".env": "SECRET\n", "deploy/id_rsa": "SECRET\n"})

    text = told("git_diff", range="HEAD~1")

    assert "3 files differ. Shown: b.py." in text
    assert "+three" in text
    assert "\nLeft out, since they are named like secrets or kept back: .env, deploy/id_rsa.\n" in text
    assert "SECRET" not in text


def test_a_file_that_became_a_folder_does_not_carry_the_secrets_of_the_folder() -> None:
    repository()
    commit({"conf": "x\n", "b.py": "x\n"})
    Path("conf").unlink()
    commit({"conf/.env": "SECRET\n", "b.py": "y\n"})

    text = told("git_diff", range="HEAD~1")

    assert "SECRET" not in text
    assert "kept back: conf, conf/.env." in text
    assert "+y" in text


def test_a_diff_of_nothing_but_denied_files_shows_none() -> None:
    changed()
    commit({".env": "SECRET\n"})

    text = told("git_diff", range="HEAD~1")

    assert "None can be shown.\nLeft out, since they are named like secrets or kept back: .env." in text
    assert "SECRET" not in text


def test_too_many_files_beside_denied_ones_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_MAX_SEPARATE", 1)
    changed()
    commit({"src/a.py": "3\n", "b.py": "3\n", ".env": "x\n"})

    assert refused("git_diff", range="HEAD~1").endswith("Narrow it with path.")
    assert told("git_diff", range="HEAD~1", path="src")


def test_a_long_diff_is_cut_and_says_how_much_of_it_was_shown() -> None:
    changed()
    commit({f"{number}.txt": f"{number}\n" * 3_000 for number in range(10_000, 10_005)})

    text = told("git_diff", range="HEAD~1")

    assert len(text.encode()) <= MAX_REPLY_BYTES
    assert "\nLeft out: the diff goes on. Shown are 3 of 5 files, the last in part." in text


def test_a_line_of_two_megabytes_in_a_diff_is_clipped() -> None:
    changed()
    commit({"big.js": "x" * 2_000_000})

    text = told("git_diff", range="HEAD~1")

    assert "Left out: the diff goes on. Shown are 1 of 1 file" in text


def test_binary_files_are_named_and_what_is_no_utf8_is_replaced() -> None:
    changed()
    commit({"a.bin": b"\0\1", "latin.txt": b"caf\xe9\n", "forced.bin": b"a\0b\n"})
    commit({".gitattributes": "forced.bin diff\n"})

    text = told("git_diff", range="HEAD~2..HEAD~1")

    assert "Binary files /dev/null and b/a.bin differ" in text
    assert "+caf\ufffd" in text
    assert "+a\ufffdb" in text
    assert "What is no UTF-8, or NUL, is shown as U+FFFD." in text


def test_a_root_within_a_repository_shows_what_lies_below_it() -> None:
    changed()
    box = Toolbox(Path("src"))

    diff = box.call("git_diff", {"range": "HEAD~1"}).text
    log = box.call("git_log", {}).text
    out = box.call("git_diff", {"range": "HEAD~1", "path": "../b.py"})

    assert "Shown: src/a.py." in diff
    assert "b.py" not in diff
    assert log.startswith("2 commits.")
    assert out.failed
    assert box.call("grep", {"pattern": "two"}).text.startswith("1 line matches in 1 file:\na.py:1| two")


# git_log


def test_a_log_gives_commits_with_their_messages_indented() -> None:
    old, new = changed()
    git("commit", "--quiet", "--allow-empty", "--message=Subject\n\ncommit 123\nauthor me")
    last = git("rev-parse", "HEAD")
    date = git("log", "-1", "--format=%aI")

    reply = call("git_log", limit=1)

    assert reply.text == (
        f"1 commit.\ncommit {last}\nparents {new}\ndate {date}\nauthor A\n    | Subject\n    | \n    | commit 123\n"
        "    | author me\nLeft out: older commits. Go on with range set to the parent of the last one."
    )
    assert reply.looked == (Looked(tool="git_log", path=None, start=None, end=None, detail=last),)
    text = told("git_log")
    assert text.startswith("3 commits.\n")
    assert f"commit {old}\nparents none\n" in text
    assert "Left out" not in text


def test_a_log_of_a_path_gives_the_commits_that_touch_it_even_where_it_is_gone() -> None:
    changed()
    Path("b.py").unlink()
    commit({})

    assert told("git_log", path="b.py").startswith("3 commits that touch b.py (renames are not followed).\n")
    assert told("git_log", path="src").startswith("2 commits that touch src")
    assert told("git_log", path="absent").startswith("0 commits that touch absent")


def test_a_long_message_and_a_long_log_are_cut_and_say_so() -> None:
    repository()
    for number in range(60):
        git("commit", "--quiet", "--allow-empty", f"--message={number}" + "x" * 100_000)

    text = told("git_log", limit=60)

    assert len(text.encode()) <= MAX_REPLY_BYTES
    assert "[cut: 100,002 characters in all]" in text
    assert text.endswith("Left out: older commits. Go on with range set to the parent of the last one.")
    assert text.startswith("9 commits.")


def test_a_replaced_commit_is_shown_as_it_is() -> None:
    old, new = changed()
    git("replace", new, old)

    assert f"commit {new}\nparents {old}" in told("git_log")


@pytest.mark.parametrize("tool", ["git_diff", "git_log"])
@pytest.mark.parametrize("path", ["/etc", "../x", "a/../../x", ".git/config", ".env", "a\0b", ".ssh"])
def test_a_path_that_leads_out_or_is_denied_is_refused(tool: str, path: str) -> None:
    changed()

    assert refused(tool, range="HEAD~1", path=path)


@pytest.mark.parametrize("path", [":(exclude)src", ":/", "*", "--", "-p", ":!b.py"])
def test_a_path_is_taken_by_its_letters(path: str) -> None:
    changed()

    assert told("git_diff", range="HEAD~1", path=path).startswith("Nothing differs")


@pytest.mark.parametrize("tool", ["git_diff", "git_log"])
def test_without_a_repository_or_a_commit_the_reply_says_so(tool: str, tmp_path: Path) -> None:
    assert refused(tool, range="HEAD") == "This is no git repository. Use read, grep and glob."
    repository()
    assert refused(tool, range="HEAD").startswith("HEAD names no commit of this repository.")
    (tmp_path / "elsewhere").mkdir()
    git("config", "core.worktree", str(tmp_path / "elsewhere"))
    assert refused(tool, range="HEAD") == "This is no git repository. Use read, grep and glob."


def test_what_git_complains_of_does_not_tell_where_the_repository_lies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("fake/git", f"#!/bin/sh\necho 'fatal: {Path.cwd()}/x is broken' >&2\nexit 3\n").chmod(0o755)
    monkeypatch.setenv("PATH", str(Path("fake").absolute()))

    assert refused("git_log").startswith("git failed: fatal: the repository/x is broken.")
