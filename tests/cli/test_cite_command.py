"""`claimjury cite`: the guard on the command line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from citing.corpus import make_repository
from cli.helpers import Cli

BROKEN = "See `lookup()` at src/parcel/cache.py:27.\nThe file web/src/api.ts:999 ends before, and docs/none.md:1 is new.\n"


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make_repository(tmp_path / "repo")
    monkeypatch.chdir(folder)
    return folder


def test_what_is_broken_is_told_line_by_line_and_nothing_is_held_up(cli: Cli) -> None:
    ran = cli("cite", "--text", BROKEN)
    assert ran.status == 0
    assert ran.out.splitlines() == [
        "line 2: web/src/api.ts:999: The file has 36 lines.",
        "line 2: docs/none.md:1: There is no such file.",
        "3 citations, 2 broken.",
    ]
    assert "line 1: src/parcel/cache.py:27: ok." in cli("cite", "--text", BROKEN, "-v").out


def test_strict_exits_with_10_where_one_is_broken_and_with_0_where_none_is(cli: Cli) -> None:
    assert cli("cite", "--text", BROKEN, "--strict").status == 10
    assert cli("cite", "--text", BROKEN.splitlines()[0], "--strict").status == 0
    assert cli("cite", "--text", "vendor/lib/x.py:3 /usr/lib/a.py:3", "--strict").status == 0


def test_json_has_each_citation_the_counts_and_the_exit_status(cli: Cli) -> None:
    value = cli("cite", "--text", BROKEN, "--strict", "--json").json
    assert (value["counts"], value["broken"], value["exit_status"]) == (
        {"missing_file": 1, "missing_line": 1, "ok": 1},
        2,
        10,
    )
    sound, line, _ = value["citations"]
    assert sound == {
        "text": "src/parcel/cache.py:27",
        "at_line": 1,
        "path": "src/parcel/cache.py",
        "line": 27,
        "status": "ok",
        "broken": False,
        "file": "src/parcel/cache.py",
        "lines_in_file": 62,
    }
    assert (line["at_line"], line["status"], line["lines_in_file"]) == (2, "missing_line", 36)
    assert "says nothing of whether the text is right" in value["note"]
    assert cli("cite", "--text", BROKEN, "--format", "json").json["broken"] == 2


def test_github_annotates_the_document_where_the_citation_stands_and_counts_what_is_left_out(
    cli: Cli,
) -> None:
    Path("notes, 1%.md").write_text(BROKEN, encoding="utf-8")
    ran = cli("cite", "notes, 1%.md", "--format", "github")
    assert ran.out.splitlines()[0] == (
        "::warning file=notes%2C 1%25.md,line=2,title=claimjury cite::web/src/api.ts:999: The file has 36 lines."
    )
    many = " ".join(f"gone{number}.py:1" for number in range(30))
    lines = cli("cite", "--text", many, "--format", "github", "--strict").out.splitlines()
    assert lines[0].startswith("::error title=claimjury cite::gone0.py:1")
    assert lines[10:] == [
        "::error title=claimjury cite::20 more citations are broken",
        "30 citations, 30 broken.",
    ]


def test_a_text_comes_from_a_file_or_from_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("m.md").write_bytes("\ufeff".encode() + BROKEN.encode())
    assert "3 citations, 2 broken." in cli("cite", "m.md").out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BROKEN.encode() + b"\xff")))
    assert "3 citations, 2 broken." in cli("cite", "-").out
    assert cli("cite", "--text", "Nothing is cited.").out == "0 citations, 0 broken.\n"


def test_another_repository_is_named_by_its_root(
    cli: Cli, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "web")
    assert "3 citations, 2 broken." in cli("cite", "--text", BROKEN).out
    # There, docs/ is no folder, and the file may be one of a library.
    assert "3 citations, 2 broken, 1 not looked into." in cli("cite", "--text", BROKEN, "--root", ".").out
    monkeypatch.chdir(repository.parent)
    assert "3 citations, 2 broken." in cli("cite", "--text", BROKEN, "--root", "repo").out


def test_a_link_of_a_document_is_relative_to_its_folder(cli: Cli) -> None:
    Path("docs/more.md").write_text("[x](./api.md#L1) and [y](../README.md#L1)", encoding="utf-8")
    assert "2 citations, 0 broken." in cli("cite", "docs/more.md").out
    assert "2 citations, 0 broken." not in cli("cite", "--text", "[x](./api.md#L1) and [y](../x.md)").out


def test_what_a_text_holds_acts_on_no_terminal_and_no_runner(cli: Cli) -> None:
    nasty = "gone\x1b[31m.py:1 and a\u202eb.py:2\n::error::pwn evil.py:3\n"
    for form in ("text", "json", "github"):
        out = cli("cite", "--text", nasty, "--format", form).out
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert "::error::pwn" not in out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "There is no text to check"),
        (("a.md", "--text", "x"), "both given"),
        (("gone.md",), "The text gone.md cannot be read"),
        (("--text", "a.py:1", "--root", "/"), "is too wide"),
        (("--text", "a.py:1", "--root", "gone"), "does not exist"),
        (("--text", "a.py:1", "--format", "xml"), "xml"),
    ],
)
def test_bad_input_is_told_with_what_to_do(cli: Cli, args: tuple[str, ...], said: str) -> None:
    ran = cli("cite", *args)
    assert ran.status == 2
    assert said in ran.err


def test_a_failure_is_one_json_object_too(cli: Cli) -> None:
    assert json.loads(cli("cite", "gone.md", "--json").out)["error"]["code"] == "INVALID_REQUEST"
