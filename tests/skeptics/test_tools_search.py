"""A search says what it found, what it left out, and which files it did not search: absence is a claim too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from claimjury.skeptics.tools import listing, searching
from claimjury.skeptics.tools.limits import MAX_MATCHES, MAX_MATCHES_PER_FILE, MAX_REPLY_BYTES
from claimjury.skeptics.tools.toolbox import Looked
from skeptics.tool_helpers import call, refused, told, write
from unit.git_helpers import commit, git, repository

ON_DISK = "Searched: 1 file on disk.\nNot searched: nothing."


def rows(text: str) -> list[str]:
    return [row for row in text.split("\n") if "| " in row]


# grep


def test_lines_that_match_have_their_file_and_number() -> None:
    write("src/a.py", "import os\n\ndef work():\n    return os\n")

    reply = call("grep", pattern=r"\bos$")

    assert (
        reply.text == f"2 lines match in 1 file:\nsrc/a.py:1| import os\nsrc/a.py:4|     return os\n{ON_DISK}"
    )
    assert reply.looked == (
        Looked(tool="grep", path=None, start=None, end=None, detail=r"\bos$", files=("src/a.py",)),
    )


def test_nothing_found_says_how_much_was_searched() -> None:
    write("a.py")

    assert told("grep", pattern="absent") == f"No line matches in 1 file.\n{ON_DISK}"


@pytest.mark.parametrize(
    ("pattern", "numbers"),
    [
        ("^b", [2]),
        ("b$", [1, 2]),
        ("^$", [3]),
        ("", None),
        ("x*", [1, 2, 3, 4]),
        (r"[^q]", [1, 2, 4]),
        (r"b\nb", []),
        (r"(?s)b.b", []),
        (r"\s+", []),
        ("É", []),
        ("(?i)É", [4]),
        ("$", [1, 2, 3, 4]),
    ],
)
@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_match_is_within_one_line(pattern: str, numbers: list[int] | None, end: str, newline: str) -> None:
    write("a.txt", newline.join(["ab", "b", "", "é"]) + end)

    reply = call("grep", pattern=pattern)

    assert reply.failed is (numbers is None)
    found = [int(row.split(":")[1].split("|")[0]) for row in rows(reply.text)]
    assert found == (numbers or [])


def test_a_pattern_with_a_line_end_says_that_it_matches_none() -> None:
    write("a.py")

    assert "The pattern holds \\n: single lines are matched" in told("grep", pattern=r"a\nb")


def test_case_is_ignored_where_it_is_asked_for() -> None:
    write("a.py", "Größe\n")

    assert "No line matches" in told("grep", pattern="GRÖSSE|GRÖßE")
    assert "a.py:1| Größe" in told("grep", pattern="GRÖSSE|GRÖßE", ignore_case=True)


@pytest.mark.parametrize("pattern", ["(", "a**", "(?=x)", r"(a)\1", "[", "\\", "a{2000}", "(?m)*", "a)(b"])
def test_a_pattern_that_is_none_is_refused_with_the_reason(pattern: str) -> None:
    assert "RE2's syntax has no look-around" in refused("grep", pattern=pattern)


def test_a_pattern_that_would_take_too_much_is_refused() -> None:
    assert refused("grep", pattern="(?:.{1,30}){1,30}").startswith("The pattern takes too much to match.")


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|a)*b", r"(.*)*(.*)*(.*)*x", r"(?:a?){30}a{30}b"])
def test_a_pattern_that_backtracks_for_ever_elsewhere_ends_over_a_big_line(pattern: str) -> None:
    write("big.txt", "a" * 2_000_000 + "!\n")

    assert "Searched: 1 file" in told("grep", pattern=pattern)


def test_of_a_long_line_what_stands_around_the_match_is_shown_and_the_gutter_says_so() -> None:
    write("big.js", "é" * 1_000_000 + "needle" + "é" * 1_000_000)

    (row,) = rows(told("grep", pattern="needle"))

    assert row.startswith("big.js:1 (characters 999,901-1,000,300 of 2,000,006)| é")
    assert "needle" in row


def test_matches_over_the_limit_of_a_file_are_counted() -> None:
    write("a.txt", "x\n" * 100)
    write("b.txt", "x\n")

    text = told("grep", pattern="x")

    assert text.startswith("101 lines match in 2 files:")
    assert len(rows(text)) == MAX_MATCHES_PER_FILE + 1
    assert "\nLeft out: 70 matching lines, of a.txt (70).\n" in text


def test_matches_over_the_limit_in_all_are_counted_by_file() -> None:
    for number in range(30):
        write(f"{number:02}.txt", "x\n" * 10)

    text = told("grep", pattern="x")

    assert text.startswith("300 lines match in 30 files:")
    assert len(rows(text)) == MAX_MATCHES
    assert "\nLeft out: 100 matching lines, of 20.txt (10), 21.txt (10)" in text


def test_a_count_that_was_given_up_says_or_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MAX_COUNTED", 50)
    write("a.txt", "x\n" * 100)

    assert told("grep", pattern="x").startswith("50 lines or more match in 1 file:")


def test_a_reply_stays_within_its_bytes_whatever_the_names() -> None:
    for number in range(250):
        write(f"{'ü' * 100}{number}/{'日' * 80}.txt", "日" * 500 + "\n")
        write(f"{'ü' * 100}{number}/{'日' * 60}.pem", "\n")

    assert len(told("grep", pattern="日").encode()) <= MAX_REPLY_BYTES
    assert len(told("glob", pattern="**").encode()) <= MAX_REPLY_BYTES


def test_what_cannot_be_searched_is_counted_by_its_reason() -> None:
    repository()
    commit({"a.py": "needle\n", "gone.py": "needle\n", "sub.py": "needle\n", ".env": "needle\n"})
    write("new.py", "needle\n")
    write("b.bin", b"needle\0")
    write("huge.txt", b"needle" * 1_000_000)
    write("ignored/c.py", "needle\n")
    write(".gitignore", "ignored/\n")
    Path("link.py").symlink_to("a.py")
    os.mkfifo("fifo")
    Path("gone.py").unlink()
    repository("nested")
    commit({"d.py": "needle\n"}, at="nested")

    text = told("grep", pattern="needle")

    assert [row.partition(":")[0] for row in rows(text)] == ["a.py", "new.py", "sub.py"]
    searched, skipped, denied = text.split("\n")[-3:]
    assert searched == (
        "Searched: 4 files that git tracks, or that are new and not ignored (ignored files are left out)."
    )
    assert skipped == (
        "Not searched: 1 denied (named like secrets, git's own, or kept back by .claimjuryignore), 1 binary or of no known encoding,"
        " 1 over 5,000,000 bytes, 1 symbolic links (what they lead to counts under its own name),"
        " 1 in git's index but not on disk, 1 other repositories."
    )
    assert denied == "Denied: .env."


def test_outside_of_git_all_files_are_searched_and_what_is_denied_as_a_folder_is_said() -> None:
    write("a.py", "needle\n")
    write(".ssh/config", "needle\n")
    write("b/.git/config", "needle\n")
    Path("out").symlink_to("..")
    os.mkfifo("fifo")

    text = told("grep", pattern="needle")

    assert [row.partition(":")[0] for row in rows(text)] == ["a.py"]
    assert "Searched: 1 file on disk." in text
    assert (
        "Not searched: 2 denied (named like secrets, git's own, or kept back by .claimjuryignore), 1 symbolic links"
        in text
    )
    assert "1 not regular files" in text


def test_a_name_that_is_not_utf8_is_counted() -> None:
    Path(os.fsdecode(b"caf\xe9.py")).write_text("needle\n", encoding="utf-8")

    assert "Not searched: 1 with a name that is not UTF-8, or no path" in told("grep", pattern="needle")


def test_files_over_the_limit_or_the_time_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        write(name, "needle\n")
    monkeypatch.setattr(listing, "MAX_FILES", 2)
    assert "Searched: 2 files on disk.\nNot searched: 1 over the limit of 50,000 files." in told(
        "grep", pattern="needle"
    )
    monkeypatch.setattr(searching, "SEARCH_S", -1)

    text = told("grep", pattern="needle")

    assert text.startswith("No line matches in 0 files.")
    assert "2 left when 20 seconds were over" in text


def test_a_search_stays_within_its_path_and_its_glob() -> None:
    repository()
    commit({"src/a.py": "needle\n", "src/b.ts": "needle\n", "srcs/c.py": "needle\n"})

    def found(**scope: str) -> list[str]:
        return [row.partition(":")[0] for row in rows(told("grep", pattern="needle", **scope))]

    assert found(path="src") == ["src/a.py", "src/b.ts"]
    assert found(path="./src/") == ["src/a.py", "src/b.ts"]
    assert found(path="src/a.py") == ["src/a.py"]
    assert found(path="src", glob="*.ts") == ["src/b.ts"]
    assert found(glob="src*/*.py") == ["src/a.py", "srcs/c.py"]
    assert call("grep", pattern="x", path="src", glob="*.py").looked == (
        Looked(tool="grep", path="src", start=None, end=None, detail="x in *.py"),
    )


@pytest.mark.parametrize("path", [".env", "..", "/etc", "absent", "b.bin", ".git"])
def test_a_path_that_cannot_be_searched_is_refused(path: str) -> None:
    write(".env")
    write("b.bin", b"\0")
    write(".git/config")

    assert refused("grep", pattern="x", path=path)


def test_without_git_or_where_git_refuses_all_files_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    repository()
    commit({"a.py": "needle\n"})
    monkeypatch.setenv("PATH", "")

    assert "Searched: 1 file on disk." in told("grep", pattern="needle")


@pytest.mark.parametrize("kind", ["--stage", "--others"])
def test_where_git_cannot_list_the_reply_says_what_to_do(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script = f"""case "$*" in
      *rev-parse*) pwd;;
      *{kind}*) exit 3;;
    esac"""
    write("fake/git", f"#!/bin/sh\n{script}\n").chmod(0o755)
    monkeypatch.setenv("PATH", str(Path("fake").absolute()))

    assert refused("grep", pattern="x").endswith(" Name a smaller folder with path.")


def test_a_name_in_the_index_that_leads_out_is_counted_and_not_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("../outside.txt", "needle\n")
    script = """case "$*" in
      *rev-parse*) pwd;;
      *--stage*) printf '100644 0 0\\t../outside.txt\\0';;
    esac"""
    write("fake/git", f"#!/bin/sh\n{script}\n").chmod(0o755)
    monkeypatch.setenv("PATH", str(Path("fake").absolute()))

    text = told("grep", pattern="needle")

    assert text.startswith("No line matches in 0 files.")
    assert "Not searched: 1 with a name that is not UTF-8, or no path below the root." in text


def test_a_work_tree_that_the_config_puts_elsewhere_is_not_listed(tmp_path: Path) -> None:
    repository()
    commit({"a.py": "needle\n"})
    git("config", "core.worktree", str(tmp_path / "elsewhere"))
    write("../elsewhere/b.py", "needle\n")

    assert [row.partition(":")[0] for row in rows(told("grep", pattern="needle"))] == ["a.py"]


def test_the_engine_of_patterns_is_loaded_by_a_search_alone() -> None:
    script = (
        "import sys; from pathlib import Path; from claimjury.skeptics.tools.toolbox import Toolbox, TOOLS;"
        "box = Toolbox(Path()); box.call('read', {'path': 'a.py'}); print('re2' in sys.modules);"
        "box.call('grep', {'pattern': 'x'}); print('re2' in sys.modules)"
    )
    write("a.py")

    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)

    assert done.stdout.split() == ["False", "True"]


# glob


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*.py", ["a.py", "src/b.py", "src/deep/c.py"]),
        ("./*.py", ["a.py", "src/b.py", "src/deep/c.py"]),
        ("src/*.py", ["src/b.py"]),
        ("src/**/*.py", ["src/b.py", "src/deep/c.py"]),
        ("src/", ["src/[id].ts", "src/b.py", "src/deep/c.py", "src/größe.ts"]),
        ("**/c.*", ["src/deep/c.py"]),
        ("?.py", ["a.py", "src/b.py", "src/deep/c.py"]),
        ("[!ab].py", ["src/deep/c.py"]),
        ("[a-b].py", ["a.py", "src/b.py"]),
        ("*.{ts,md}", ["src/[id].ts", "src/größe.ts"]),
        ("{a,src/{b,x}}.py", ["a.py", "src/b.py"]),
        ("größe.ts", ["src/größe.ts"]),
        ("[[]id].ts", ["src/[id].ts"]),
        ("*.rs", []),
    ],
)
def test_a_glob_matches_as_it_says(pattern: str, names: list[str]) -> None:
    repository()
    commit(dict.fromkeys(("a.py", "src/b.py", "src/deep/c.py", "src/größe.ts", "src/[id].ts"), "x\n"))

    found = [row.partition("| ")[2] for row in rows(told("glob", pattern=pattern))]

    assert found == names


def test_a_name_that_looks_like_a_note_is_a_numbered_row_and_an_odd_one_is_quoted() -> None:
    write("Left out: 9 names.")
    write("a\nb.py")

    assert told("glob", pattern="*") == (
        '2 files match.\n1| Left out: 9 names.\n2| "a\\nb.py"\nListed are the files on disk.\nNot listed: nothing.'
    )


def test_names_over_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MAX_LISTED", 3)
    for name in "edcba":
        write(name)

    text = told("glob", pattern="*")

    assert text.startswith("5 files match.\n1| a\n2| b\n3| c\nLeft out: 2 names. Narrow the pattern.")


def test_a_huge_folder_is_listed_in_part_with_the_count_of_the_rest() -> None:
    folder = write("many/0").parent
    for number in range(1, 5_000):
        (folder / str(number)).symlink_to("0")

    assert "Left out: 4,000 names." in told("glob", pattern="many/*")
    assert "4,999 symbolic links" in told("grep", pattern="x")


def test_denied_and_missing_files_are_named_or_counted_and_not_listed() -> None:
    repository()
    commit({"a.py": "x\n", "gone.py": "x\n", ".env": "SECRET\n"})
    Path("gone.py").unlink()

    text = told("glob", pattern="*")

    assert text.startswith("1 file matches.\n1| a.py\n")
    assert (
        "Not listed: 1 denied (named like secrets, git's own, or kept back by .claimjuryignore), 1 in git's index but not on disk."
        in text
    )
    assert text.endswith("Denied: .env.")


@pytest.mark.parametrize("pattern", ["/etc/*", "../*", "src/../../*", "{a", "a}", "[z-a]"])
def test_a_glob_that_is_none_or_leads_out_is_refused(pattern: str) -> None:
    assert refused("glob", pattern=pattern)
    assert refused("grep", pattern="x", glob=pattern)
