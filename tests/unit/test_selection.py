"""What a user names is what is sent: excerpts by line, directories and patterns by what git tracks, none dropped."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from claimjury import plan_verify
from claimjury.claims import Claim
from claimjury.errors import (
    InvalidRequest,
    SourceDenied,
    SourceNotFound,
    SourceNotText,
    SourceOutsideRoots,
)
from claimjury.evidence.sources import count_lines, load_sources
from claimjury.jury.prompt import build_prompt
from jury.helpers import CONFIRM, ask, trio
from unit.git_helpers import commit, git, repository
from unit.source_helpers import refusal
from unit.test_fences import hostile

TEN = "".join(f"line {number}\n" for number in range(1, 11))


def write(name: str, text: str = "x\n") -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def loaded(*paths: str | Path) -> list[str]:
    return [source.shown for source in load_sources(paths)]


# Excerpts


def test_an_excerpt_is_sent_with_the_numbers_of_its_file() -> None:
    write("a.py", TEN)

    user = plan_verify(["c"], source_paths=["a.py:8-10"]).prompt.user

    assert re.search(
        r'<<<SOURCE [0-9a-f]+ "a\.py" \(lines 8-10 of 10\)>>>\n 8\| line 8\n 9\| line 9\n10\| line 10\n<<<END',
        user,
    )
    assert "line 7" not in user
    assert "1 excerpt(s): the lines that the marker names, numbered as in the file." in user


def test_one_line_is_an_excerpt_too() -> None:
    write("a.py", TEN)

    (source,) = load_sources([Path("a.py:3")])

    assert (source.text, source.excerpt, source.shown, source.note) == (
        "line 3\n",
        (3, 3),
        "a.py:3",
        "line 3 of 10",
    )


def test_hash_size_and_lines_of_an_excerpt_are_those_of_its_file() -> None:
    write("a.py", TEN)

    whole, excerpt = load_sources(["a.py", "a.py:2-3"])

    assert (excerpt.sha256, excerpt.bytes, excerpt.lines) == (whole.sha256, whole.bytes, whole.lines)
    assert (whole.sent_bytes, excerpt.sent_bytes) == (len(TEN), 14)
    assert (excerpt.path, whole.path) == ("a.py", "a.py")


def test_what_leaves_is_told_by_lines_and_by_the_bytes_that_are_sent() -> None:
    write("a.py", TEN)

    assert (
        "1 file (a.py:2-3 (14 bytes));"
        in plan_verify(["c"], source_paths=["a.py:2-3"]).egress_lines()[0].line
    )


async def test_the_result_says_which_lines_were_sent() -> None:
    write("a.py", TEN)

    result = await ask(trio(CONFIRM), source_paths=["a.py:2-3", "a.py"])

    excerpt, whole = (row.to_json() for row in result.evidence)
    assert (excerpt["path"], excerpt["start_line"], excerpt["end_line"]) == ("a.py", 2, 3)
    assert set(whole) == {"path", "sha256", "bytes", "lines", "encoding"}
    assert result.egress[0].files == ("a.py",)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("a.py:10-11", "The source a.py has 10 lines, so there is no line 11."),
        ("a.py:11", "The source a.py has 10 lines, so there is no line 11."),
        ("one.py:2", "The source one.py has 1 line, so there is no line 2."),
        ("empty.py:1", "The source empty.py has 0 lines, so there is no line 1."),
        ("a.py:0-3", "The source a.py:0-3 names no lines: they count from 1, and the first comes first."),
        ("a.py:5-4", "The source a.py:5-4 names no lines: they count from 1, and the first comes first."),
        ("src:1-2", "The source src:1-2 names lines of more than one file."),
        ("*.py:1-2", "The source *.py:1-2 names lines of more than one file."),
    ],
)
def test_a_range_that_is_none_is_refused_with_what_there_is(path: str, message: str) -> None:
    write("a.py", TEN)
    write("one.py", "x")
    write("empty.py", "")
    Path("src").mkdir()

    assert refusal(InvalidRequest, path) == message


def test_a_file_that_is_literally_named_like_a_range_or_a_pattern_wins() -> None:
    for name in ("a.py", "a.py:2-3", "[id].tsx", "*.md"):
        write(name, TEN)

    assert [(source.path, source.excerpt) for source in load_sources(["a.py:2-3", "[id].tsx", "*.md"])] == [
        ("a.py:2-3", None),
        ("[id].tsx", None),
        ("*.md", None),
    ]


@pytest.mark.parametrize(
    "path", ["C:10", "c:1-2", "a.py:", "a.py:x", "a.py:1-", "a.py:-3", "a.py:1:2:3", "a.py:٣"]
)
def test_what_only_looks_like_a_range_is_a_path(path: str) -> None:
    write("a.py", TEN)
    write("C", TEN)

    assert "cannot be read" in refusal(SourceNotFound, path)


def test_an_excerpt_of_a_windows_path_keeps_its_drive() -> None:
    assert refusal(SourceNotFound, "C:\\src\\a.py:10-12").startswith(
        "The source C:\\src\\a.py cannot be read"
    )


def test_an_excerpt_is_confined_and_denied_like_its_file(tmp_path: Path) -> None:
    (tmp_path / "out.py").write_text(TEN)
    write(".env", TEN)

    assert "lies outside" in refusal(SourceOutsideRoots, f"{tmp_path / 'out.py'}:1-2")
    assert "is denied" in refusal(SourceDenied, ".env:1")


def test_the_same_thing_is_loaded_once_and_overlapping_excerpts_are_two() -> None:
    write("a.py", TEN)
    Path("link.py").symlink_to("a.py")

    paths = ["a.py:1-5", "a.py:4-8", "./a.py:1-5", "a.py", "link.py", "link.py:4-8"]

    assert loaded(*paths) == ["a.py:1-5", "a.py:4-8", "a.py"]


def test_one_file_by_two_spellings_is_loaded_once() -> None:
    # What a file system that folds case does: one file answers to two names.
    write("readme.md")
    os.link("readme.md", "README.md")

    assert loaded("readme.md", "README.md") == ["readme.md"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(hostile, st.integers(1, 20), st.integers(0, 20))
def test_a_fenced_excerpt_comes_back_byte_for_byte(text: str, first: int, more: int) -> None:
    assume(not text.startswith("\ufeff") and "\0" not in text)
    lines = count_lines(text)
    assume(first + more <= lines)
    Path("a.txt").write_bytes(text.encode())

    prompt = build_prompt(
        [Claim(id="c", statement="x")], load_sources([f"a.txt:{first}-{first + more}"]), None
    )

    opening = rf'<<<SOURCE {prompt.nonce} "a\.txt" \((lines? [^;)]*)(; no newline at end)?\)>>>\n'
    found = re.search(rf"{opening}(.*?)<<<END SOURCE {prompt.nonce}>>>\n", prompt.user, re.DOTALL)
    assert found
    noted, unended, body = found.groups()
    assert noted == f"line{f' {first}' if not more else f's {first}-{first + more}'} of {lines}"
    rows = [re.fullmatch(r" *(\d+)\| (.*)", row, re.DOTALL) for row in body.split("\n")[:-1]]
    assert [int(row[1]) for row in rows if row] == list(range(first, first + more + 1))
    sent = "\n".join(row[2] for row in rows if row) + ("" if unended else "\n")
    ended = [*text.split("\n")[: first + more]]
    assert sent == "\n".join(ended[first - 1 :]) + ("" if unended else "\n")
    assert bool(unended) == (first + more == lines and not text.endswith("\n"))


# Directories and patterns


def tree() -> None:
    repository()
    commit(
        {
            "src/b.py": "b\n",
            "src/a.py": "a\n",
            "src/deep/er/c.py": "c\n",
            "src/deep/d.txt": "d\n",
            "docs/[id]/e.md": "e\n",
            ".gitignore": "*.log\n",
        }
    )
    write("src/untracked.py")
    write("src/ignored.log")


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("src", ["src/a.py", "src/b.py", "src/deep/d.txt", "src/deep/er/c.py"]),
        ("src/", ["src/a.py", "src/b.py", "src/deep/d.txt", "src/deep/er/c.py"]),
        ("./src/deep/..", ["src/a.py", "src/b.py", "src/deep/d.txt", "src/deep/er/c.py"]),
        ("src/*.py", ["src/a.py", "src/b.py"]),
        ("src/*", ["src/a.py", "src/b.py"]),
        ("src/**/*.py", ["src/a.py", "src/b.py", "src/deep/er/c.py"]),
        ("**/[cd].*", ["src/deep/d.txt", "src/deep/er/c.py"]),
        ("src/?.py", ["src/a.py", "src/b.py"]),
        ("src/deep/**", ["src/deep/d.txt", "src/deep/er/c.py"]),
        ("docs/[id]/*.md", ["docs/[id]/e.md"]),
        ("docs/[id]", ["docs/[id]/e.md"]),
    ],
)
def test_a_directory_and_a_pattern_stand_for_the_tracked_files_sorted(path: str, names: list[str]) -> None:
    tree()

    assert loaded(path) == names


def test_an_absolute_pattern_and_one_below_a_linked_directory_are_matched() -> None:
    tree()
    Path("near").symlink_to("src")

    assert loaded(f"{Path.cwd()}/src/*.py") == loaded("near/*.py") == ["src/a.py", "src/b.py"]


def test_a_pattern_may_start_above_the_working_directory_but_not_above_the_root(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tree()
    root = Path.cwd()
    monkeypatch.chdir("src/deep")

    assert [source.path for source in load_sources(["../*.py"], roots=[root])] == ["src/a.py", "src/b.py"]
    assert "lies outside" in refusal(SourceOutsideRoots, "../*.py")


def test_a_directory_and_a_file_in_it_are_loaded_once_in_the_order_named() -> None:
    tree()

    assert loaded("src/b.py", "src/*.py", "src/a.py:1") == ["src/b.py", "src/a.py", "src/a.py:1"]


@pytest.mark.parametrize("path", ["src/*.go", "absent/**", "src/a.py/*"])
def test_a_pattern_that_matches_nothing_is_an_error(path: str) -> None:
    tree()

    assert path in refusal(SourceNotFound, path)


def test_a_directory_without_a_tracked_file_is_an_error() -> None:
    tree()
    write("build/out.txt")

    assert refusal(SourceNotFound, "build") == "The directory build holds no tracked file."


def test_outside_a_work_tree_the_files_must_be_named() -> None:
    write("src/a.py")

    assert "The source src is a directory, and lies in no git work tree" in refusal(SourceNotText, "src")
    assert "The pattern src/*.py lies in no git work tree" in refusal(SourceNotFound, "src/*.py")


def test_a_wildcard_followed_by_dots_is_refused() -> None:
    tree()

    assert refusal(InvalidRequest, "src/*/../*.py") == "The pattern src/*/../*.py goes up after a wildcard."


def test_an_empty_path_is_not_the_working_directory() -> None:
    tree()

    assert refusal(SourceNotFound, "") == "A source path is empty."


def test_fifty_matches_are_accepted_and_the_51st_is_refused_with_the_count() -> None:
    repository()
    commit({f"src/{number:02}.py": f"{number}\n" for number in range(50)})
    assert len(loaded("src")) == 50
    commit({"src/50.py": "50\n"})

    assert refusal(InvalidRequest, "src") == (
        "The directory src holds 51 tracked files; a run takes at most 50."
    )
    assert refusal(InvalidRequest, "src/*.py") == (
        "The pattern src/*.py matches 51 tracked files; a run takes at most 50."
    )


def test_more_than_fifty_in_all_are_refused_with_what_each_stands_for() -> None:
    repository()
    commit({f"{name}/{number:02}.py": "x\n" for name in "ab" for number in range(26)})

    assert refusal(InvalidRequest, "a", "b/*.py", "a/00.py") == (
        "There are 52 sources (a stands for 26, b/*.py stands for 26); a run takes at most 50."
    )


def test_a_secret_in_a_directory_or_a_pattern_is_an_error_and_never_dropped() -> None:
    repository()
    commit({"src/a.py": "a\n", "src/.env": "KEY=1\n"})

    for path in ("src", "src/*", "."):
        assert refusal(SourceDenied, path) == (
            "The source src/.env is denied: `.env*` names files that hold secrets."
        )
    assert [source.path for source in load_sources(["src"], allow_secrets=True)] == ["src/.env", "src/a.py"]


@pytest.mark.parametrize("path", [".git", ".git/*", ".git/hooks"])
def test_the_repositorys_own_folder_is_denied(path: str) -> None:
    tree()

    assert "`.git/` names files that hold secrets" in refusal(SourceDenied, path)


def test_a_tracked_link_out_of_the_root_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out.py").write_text("x")
    tree()
    Path("src/out.py").symlink_to(tmp_path / "out.py")
    git("add", "--all")

    assert "The source src/out.py lies outside" in refusal(SourceOutsideRoots, "src")


def test_a_tracked_file_that_is_gone_is_an_error() -> None:
    tree()
    Path("src/a.py").unlink()

    assert "The source src/a.py cannot be read" in refusal(SourceNotFound, "src")


def test_a_submodule_is_an_error(tmp_path: Path) -> None:
    repository(tmp_path / "other")
    commit({"x.py": "x\n"}, at=tmp_path / "other")
    tree()
    git(
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        str(tmp_path / "other"),
        "src/vendor",
    )

    assert "src holds vendor, a submodule" in refusal(SourceNotText, "src")


def test_a_file_in_conflict_is_loaded_once() -> None:
    tree()
    git("checkout", "--quiet", "-b", "other")
    commit({"src/a.py": "theirs\n"})
    git("checkout", "--quiet", "main")
    commit({"src/a.py": "ours\n"})
    with pytest.raises(Exception, match="merge"):
        git("merge", "--quiet", "other")

    assert loaded("src/a*.py") == ["src/a.py"]


def test_a_hostile_name_arrives_clean_in_messages_and_bends_no_line_of_the_prompt() -> None:
    repository()
    name = "a\x1b[2J\u202e[bold]\n::error::x.py"
    commit({name: TEN})

    user = plan_verify(["c"], source_paths=["."]).prompt.user
    line = plan_verify(["c"], source_paths=["*.py"]).egress_lines()[0].line
    message = refusal(InvalidRequest, f"{name}:99")

    for shown in (user.split("<<<END")[0], line, message):
        assert "\x1b" not in shown
        assert "\u202e" not in shown
    assert "\n" not in line + message
    assert "[bold]" in line
    assert "[bold]" in message
