"""What git does not show: each is planted, and what it could hide is not settled."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from claimjury.claims import Claim
from claimjury.settlers.settle import settle
from settlers.settle_helpers import changed, said, verdict, write
from unit.git_helpers import git

ONLY = "Only `a.py` was changed."
NOTHING = "Nothing mentions `planted_name`."
BEFORE: dict[str, str | bytes] = {"a.py": "x = 1\n", "b.py": "y = 1\n", "lib/c.py": "z = 1\n"}
AFTER: dict[str, str | bytes | None] = {"a.py": "x = 2\n"}


def plain(folder: Path) -> None:
    """Nothing is hidden."""


def assume_unchanged(folder: Path) -> None:
    git("update-index", "--assume-unchanged", "b.py", at=folder)
    write(folder, {"b.py": "planted_name = 2\n"})


def skip_worktree(folder: Path) -> None:
    git("update-index", "--skip-worktree", "b.py", at=folder)
    write(folder, {"b.py": "planted_name = 2\n"})


def excluded(folder: Path) -> None:
    write(folder, {".git/info/exclude": "hidden.py\n", "hidden.py": "planted_name = 2\n"})


def nested_repository(folder: Path) -> None:
    git("init", "--quiet", "inner", at=folder)
    write(folder, {"inner/d.py": "planted_name = 2\n"})
    git("add", "--all", at=folder / "inner")
    git("commit", "--quiet", "-m", "inner", at=folder / "inner")


def submodule(folder: Path) -> None:
    nested_repository(folder)
    git("add", "inner", at=folder, check=False)


def conflict(folder: Path) -> None:
    git("checkout", "--quiet", "main", at=folder)
    write(folder, {"a.py": "x = 3\n"})
    git("commit", "--quiet", "--all", "-m", "other", at=folder)
    git("checkout", "--quiet", "work", at=folder)
    git("merge", "--quiet", "main", at=folder, check=False)


def converted(folder: Path) -> None:
    write(folder, {".gitattributes": "b.py filter=hide\n", "b.py": "y = 1 # planted_name\n"})
    git("config", "filter.hide.clean", "echo y = 1", at=folder)


BLINDING = [assume_unchanged, skip_worktree, excluded, nested_repository, submodule, conflict]


@pytest.mark.parametrize("blind", BLINDING, ids=lambda blind: blind.__name__)
def test_what_git_does_not_show_leaves_only_and_nothing_open(
    tmp_path: Path, blind: Callable[[Path], None]
) -> None:
    folder = changed(tmp_path / "repo", BEFORE, AFTER)
    assert verdict(folder, ONLY) == "CONFIRMED"
    assert verdict(folder, NOTHING) == "CONFIRMED"
    blind(folder)
    assert verdict(folder, ONLY) != "CONFIRMED"
    assert verdict(folder, NOTHING) != "CONFIRMED"
    assert settle([Claim(id="c", statement=ONLY)], folder, base="main").tree is not None


@pytest.mark.parametrize("blind", BLINDING, ids=lambda blind: blind.__name__)
def test_what_is_unseen_is_named_with_the_tree(tmp_path: Path, blind: Callable[[Path], None]) -> None:
    folder = changed(tmp_path / "repo", BEFORE, AFTER)
    blind(folder)
    tree = settle([Claim(id="c", statement=ONLY)], folder, base="main").tree
    assert tree is not None
    assert tree.unseen


def test_a_file_whose_bytes_are_converted_is_neither_changed_nor_unchanged(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", BEFORE, AFTER)
    converted(folder)
    assert verdict(folder, "`b.py` was not changed.") is None
    assert verdict(folder, "`b.py` was changed.") is None


def test_a_file_that_is_not_tracked_is_a_part_of_the_change(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", BEFORE, AFTER)
    write(folder, {"new.py": "planted_name = 2\n"})
    assert verdict(folder, ONLY) is None
    assert verdict(folder, NOTHING) is None


def test_a_file_of_another_encoding_or_behind_a_diff_attribute_is_searched_too(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", BEFORE, {**AFTER, "d.txt": "planted_name".encode("utf-16")})
    assert verdict(folder, NOTHING) is None
    other = changed(
        tmp_path / "other", BEFORE, {**AFTER, ".gitattributes": "*.py -diff\n", "e.py": "planted_name = 1\n"}
    )
    assert verdict(other, NOTHING) == "REFUTED"


@pytest.mark.parametrize(
    "search",
    ["exit 128", 'echo "error: b.py: Permission denied" >&2; exit 1'],
    ids=["a git without these expressions", "a file that git could not read"],
)
def test_where_git_cannot_search_every_file_is_read_by_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, search: str
) -> None:
    folder = changed(tmp_path / "repo", BEFORE, {**AFTER, "b.py": "planted_name = 1\n"})
    program = tmp_path / "bin" / "git"
    lines = [
        "#!/bin/sh",
        f'case "$*" in *--perl-regexp*) {search};; esac',
        f'exec "{shutil.which("git")}" "$@"',
    ]
    write(tmp_path, {"bin/git": "\n".join([*lines, ""])})
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    assert verdict(folder, NOTHING) == "REFUTED"
    assert verdict(folder, "Nothing mentions `other_name`.") == "CONFIRMED"


def test_a_text_in_a_file_that_is_no_text_is_seen_wherever_the_zero_stands(tmp_path: Path) -> None:
    late = b"x" * 9_000 + b"\nplanted_name\n\0"
    for at, data in enumerate((b"\0planted_name", b"PLANTED_NAME\0", late)):
        folder = changed(tmp_path / f"repo{at}", BEFORE, {**AFTER, "data.bin": data})
        assert verdict(folder, NOTHING) in (None, "REFUTED")


def test_a_file_with_old_times_and_new_bytes_is_seen(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", BEFORE, AFTER)
    times = (folder / "b.py").stat()
    write(folder, {"b.py": "y = 7\n"})
    os.utime(folder / "b.py", ns=(times.st_atime_ns, times.st_mtime_ns))
    git("config", "core.trustctime", "false", at=folder)
    git("config", "core.checkStat", "minimal", at=folder)
    assert verdict(folder, ONLY) == "REFUTED"


def test_no_program_that_a_repository_names_is_run(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", {**BEFORE, ".gitattributes": "*.py diff=evil filter=evil\n"}, AFTER)
    mark = tmp_path / "ran"
    evil = f"touch {mark}; cat"
    for name in (
        "core.fsmonitor",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "core.pager",
        "core.hooksPath",
    ):
        git("config", name, evil, at=folder)
    write(folder, {"b.py": "y = 2\n", "c.py": "planted_name = 1\n"})
    statements = [
        ONLY,
        NOTHING,
        "`b.py` was changed.",
        "The diff is +1/-1.",
        "3 files were changed.",
        "`x` is 2.",
        "Everything is committed.",
    ]
    settle([Claim(id=str(at), statement=text) for at, text in enumerate(statements)], folder, base="main")
    assert not mark.exists()


def test_no_filter_is_run_on_a_file_whose_time_is_that_of_the_index(tmp_path: Path) -> None:
    folder = changed(
        tmp_path / "repo",
        {**BEFORE, ".gitattributes": "a.py filter=one\nb.py filter=two.x\nlib/c.py filter=three\n"},
        AFTER,
    )
    mark = tmp_path / "ran"
    git("config", "filter.one.clean", f"touch {mark}; cat", at=folder)
    git("config", "filter.one.required", "true", at=folder)
    git("config", "filter.two.x.process", f"touch {mark}", at=folder)
    git("config", "filter.three.clean", f"touch {mark}; cat", at=folder)
    # From here on, git has to read each file to know whether it is the one that the index saw.
    os.utime(folder / ".git" / "index", (1, 1))
    assert verdict(folder, "`lib/c.py` was not changed.") == "CONFIRMED"
    assert verdict(folder, ONLY) == "CONFIRMED"
    assert not mark.exists()
    git("diff-files", at=folder, check=False)
    assert mark.exists()


def test_a_filter_that_cannot_be_turned_off_leaves_the_tree_alone(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", {**BEFORE, ".gitattributes": "*.py filter=a=b\n"}, AFTER)
    mark = tmp_path / "ran"
    git("config", "filter.a=b.clean", f"touch {mark}; cat", at=folder)
    os.utime(folder / ".git" / "index", (1, 1))
    found = said(folder, ONLY)
    assert found.verdict is None
    assert "equals sign" in (found.silent or "")
    assert not mark.exists()


def test_a_work_tree_that_lies_elsewhere_is_none(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", BEFORE, AFTER)
    other = tmp_path / "other"
    write(other, {"secret.txt": "planted_name\n"})
    git("config", "core.worktree", str(other), at=folder)
    assert said(folder, "The file `secret.txt` exists.", base=None).verdict is None


def test_a_path_with_a_line_break_in_it_is_one_path(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", {**BEFORE, "od\nd.py": "w = 1\n"}, AFTER)
    assert verdict(folder, ONLY) == "CONFIRMED"
    write(folder, {"od\nd.py": "w = 2\n"})
    assert verdict(folder, ONLY) == "REFUTED"


def test_no_proof_shows_a_secret_of_the_file_that_it_tells_of(tmp_path: Path) -> None:
    key = "AKIA" + "Q3EGRTEXV7KJ2NPD"
    then, now = f'KEY = "{key[:-1]}A"\n', f'KEY = "{key}"  # planted_name\n'
    folder = changed(tmp_path / "repo", {"a.py": then}, {"a.py": now})
    statements = [
        NOTHING,
        f'`KEY` is `"{key[:-1]}B"` in `a.py`.',
        "Line 1 of `a.py` reads `y = 2`.",
        "`a.py` mentions `planted_name`.",
    ]
    rows = [said(folder, text) for text in statements]
    assert [row.verdict for row in rows] == ["REFUTED", "REFUTED", "REFUTED", "CONFIRMED"]
    shown = [one for row in rows for one in row.proof or ()]
    assert not any(key[4:12] in f"{one.text}{one.excerpt}" for one in shown)
    assert "[REDACTED: " in (shown[0].excerpt or "")


def test_no_reason_for_silence_shows_a_secret(tmp_path: Path) -> None:
    key = "AKIA" + "Q3EGRTEXV7KJ2NPD"
    files: dict[str, str | bytes | None] = {
        "a.py": f'KEY = "{key}"\n',
        "b.json": f'{{"gh": "{"x" * 270} {key}"}}\n',
    }
    folder = changed(tmp_path / "repo", BEFORE, files)
    for statement in ("`KEY` is `nope`.", "Line 1 of `a.py` reads `KEY`.", "The key `gh` in `b.json` is 5."):
        row = said(folder, statement)
        assert row.silent is not None
        assert key[4:10] not in row.silent


def test_a_disk_that_keeps_no_modes_changes_none(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", BEFORE, AFTER)
    (folder / "b.py").chmod(0o755)
    assert verdict(folder, "Everything is committed.") == "REFUTED"
    git("config", "core.fileMode", "false", at=folder)
    assert verdict(folder, "Everything is committed.") == "CONFIRMED"


def test_what_the_index_and_the_tree_tell_in_two_ways_is_left_open(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", BEFORE, AFTER)
    old = (folder / "b.py").read_text("utf-8")
    write(folder, {"b.py": "staged = 1\n"})
    git("add", "b.py", at=folder)
    write(folder, {"b.py": old})
    assert verdict(folder, "`b.py` was not changed.") is None
    git("reset", "--quiet", at=folder)
    git("rm", "--quiet", "--cached", "b.py", at=folder)
    assert verdict(folder, "`b.py` was deleted.") is None


def test_line_ends_that_an_editor_changed_are_no_edit_for_sure(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", BEFORE, AFTER)
    data = (folder / "b.py").read_bytes()
    (folder / "b.py").write_bytes(data.replace(b"\n", b"\r\n"))
    assert verdict(folder, "Everything is committed.") is None
    assert verdict(folder, ONLY) is None


def test_each_of_several_names_is_found_whatever_forms_the_others_have(tmp_path: Path) -> None:
    text = "super_max_retries = 1\nneedle_case = 2\nAcmeClient()\n"
    folder = changed(tmp_path / "repo", BEFORE, {**AFTER, "d.py": text})
    names = [
        "super_max_retries",
        "maxretries",
        "max_retries",
        "needle",
        "needle_case",
        "acme-client",
        "nowhere",
    ]
    claims = [Claim(id=name, statement=f"Nothing mentions `{name}`.") for name in names]
    found = {row.id: row.verdict for row in settle(claims, folder, base="main").claims}
    assert found.pop("nowhere") == "CONFIRMED"
    assert found.pop("super_max_retries") == found.pop("needle_case") == "REFUTED"
    assert set(found.values()) == {None}
