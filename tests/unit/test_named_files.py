"""Which files a sentence names, in the words of real claims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury.jury.named_files import named_files, names_unsent_file


@pytest.mark.parametrize(
    ("statement", "files"),
    [
        ("src/app.py retries three times.", ["src/app.py"]),
        ("The parser in `lib/parse.ts` handles an empty list", ["lib/parse.ts"]),
        ("All of it lives in app.py.", ["app.py"]),
        ("app.py:42 and app.py:43 both raise; so does (util.go)", ["app.py", "util.go"]),
        ("'a.py', \"b.rs\" and c.tsx, in this order", ["a.py", "b.rs", "c.tsx"]),
        ("app.py's loop ends", ["app.py"]),
        ("See ./run.sh and ../conf/base.yaml", ["run.sh", "../conf/base.yaml"]),
        ("C:\\repo\\src\\app.py is read, ..\\b.go is not", ["C:/repo/src/app.py", "../b.go"]),
        (".\\build\\out.json is written", ["build/out.json"]),
        ("/etc/app/main.conf is the default", ["/etc/app/main.conf"]),
        (".eslintrc.json and tsconfig.base.json agree", [".eslintrc.json", "tsconfig.base.json"]),
        ("my-module_2.test.js covers it", ["my-module_2.test.js"]),
        ("größe.py and src/日本.md are read", ["größe.py", "src/日本.md"]),
        ("main.c includes main.h", ["main.c", "main.h"]),
        ("@scope/pkg/index.d.ts exports it", ["@scope/pkg/index.d.ts"]),
        ("See https://example.com/a/b.html, then read c.md", ["c.md"]),
    ],
)
def test_the_files_that_a_claim_names_are_found(statement: str, files: list[str]) -> None:
    assert named_files(statement) == files


@pytest.mark.parametrize(
    "statement",
    [
        "It works on inputs, e.g. an empty list, i.e. [].",
        "Since v1.2 and Python 3.11.4 it takes 0.5 s.",
        "It uses os.path and asyncio.sleep, not time.time.",
        "Node.js, Next.js 15 and NODE.JS are supported.",
        "The host example.com answers, as does api.example.org.",
        "Docs are at https://example.com/guide/app.py and git+ssh://host/repo/x.go.",
        "It runs at 10:30, 9 a.m. or 5 p.m, never at 9:30a.m. or 5p.m.",
        "No console.log is left; math.log is used.",
        "response.json() is awaited and list.sh(1) is not.",
        "obj.method raises ValueError...",
        "backup.py.bak and app.pyc are ignored.",
        "self.client.closed is True, etc.",
        "It matches *.py and .py alike.",
        "The ratio is 3.5:1, approx. 2x.",
        "README has no ending, nor has Makefile.",
        "",
    ],
)
def test_ordinary_words_with_dots_name_no_file(statement: str) -> None:
    assert named_files(statement) == []


def test_a_file_named_twice_is_given_once_at_its_first_place() -> None:
    assert named_files("b.py calls a.py, ./b.py calls itself, .\\a.py does not") == ["b.py", "a.py"]


@pytest.mark.parametrize(
    ("statement", "sent"),
    [
        ("app.py retries", ["src/app.py"]),
        ("src/app.py retries", ["app.py"]),
        ("App.py retries", ["src/APP.py"]),
        ("C:\\repo\\src\\app.py retries", ["src/app.py"]),
        ("/repo/src/app.py retries", ["src/app.py"]),
        ("a.py calls b.py", ["b.py", "lib/a.py", "c.py"]),
        ("It retries, e.g. in Node.js", []),
    ],
)
def test_a_file_that_was_sent_is_met(statement: str, sent: list[str]) -> None:
    assert not names_unsent_file(statement, sent)


@pytest.mark.parametrize(
    ("statement", "sent"),
    [
        ("app.py retries", []),
        ("app.py retries", ["src/myapp.py"]),
        ("app.py retries", ["app.pyi", "app/py"]),
        ("src/app.py retries", ["lib/app.py"]),
        ("a.py calls b.py", ["a.py"]),
        ("app.py retries", ["app.py/other.txt"]),
    ],
)
def test_a_file_that_was_not_sent_is_reported(statement: str, sent: list[str]) -> None:
    assert names_unsent_file(statement, sent)


def test_the_paths_sent_may_come_from_an_iterator() -> None:
    assert not names_unsent_file("a.py calls b.py", iter(["a.py", "b.py"]))


words = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True)


@given(st.lists(words, min_size=1, max_size=3), st.sampled_from(["py", "go", "json", "yaml"]), st.booleans())
def test_a_path_in_a_sentence_is_found_whole_with_either_slash(
    parts: list[str], ending: str, windows: bool
) -> None:
    path = "/".join(parts) + f".{ending}"
    written = path.replace("/", "\\") if windows else path

    assert named_files(f"In `{written}`, the loop ends.") == [path]
    assert names_unsent_file(f"{written} is right", ["other.txt"])
    assert not names_unsent_file(f"{written} is right", [f"root/{path}"])


@given(st.text(alphabet="ab.py/\\:+@- ", max_size=80))
def test_a_name_is_always_a_part_of_its_sentence(statement: str) -> None:
    slashed = statement.replace("\\", "/")

    assert all(name in slashed for name in named_files(statement))
