"""What is true is never told as broken: what a text says of a place, what is gone, and the many ways to name a file."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from claimjury.evidence.citing.checking import check_citations
from claimjury.evidence.git import work_tree
from claimjury.report.citations import as_annotations, as_json, as_text

STORE = '''"""Store."""
import json

LIMIT = 5


class Store:
    def get(self, key):
        return self.rows[key]

    # The cache is cleared once
    # the lock is held by us.
    async def close(self, force=False):
        self.rows.clear()
'''
FILES = {
    "src/acme/store.py": STORE,
    "src/acme/__init__.py": "",
    "src/acme/big.ts": "x\n" * 150,
    "services/api/main.ts": "a\n" * 9,
    "services/web/main.ts": "b\n" * 60,
    "docs/index.md": "d\n" * 60,
    "index.md": "r\n" * 5,
    "README.md": "# Acme\n",
    "app/@modal/page.tsx": "p\n" * 9,
    "web/routes/+page.svelte": "p\n" * 9,
    "web/routes/$postId.tsx": "p\n" * 9,
    "data/year=2024/rows.csv": "p\n" * 9,
    ".gitignore": "build/\n",
    "build/report.log": "l\n" * 9,
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("alarms") / "acme"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def statuses(text: str, root: Path, *folders: Path) -> list[str]:
    return [one.status for one in check_citations(text, root, folders)]


@pytest.mark.parametrize(
    "text",
    [
        "There is no `timeout` in src/acme/store.py:8, so a slow client hangs.",
        "The lookup raises a `KeyError` at src/acme/store.py:9.",
        "src/acme/store.py:9 raises `KeyError` when the key is unknown.",
        "It returns `ErrNotFound` at src/acme/store.py:9.",
        'The request fails with "Connection refused by peer" at src/acme/store.py:9.',
        'This breaks the "single source of truth" in src/acme/store.py:4.',
        'The comment "The cache is cleared once the lock is held by us" at src/acme/store.py:11 is right.',
        "`GET /api/users` is defined at src/acme/store.py:8.",
        "`npm run build` (README.md:1) uses vite.",
        "ruff reports `F401` at src/acme/store.py:2.",
        "src/acme/big.ts:12:7: `Type 'string' is not assignable to type 'number'`.",
        "| `HIGH` | src/acme/store.py:9 | unguarded lookup |",
        "| `lookup` | src/acme/store.py:9 | unguarded |",
        "- `P1` src/acme/store.py:9: unguarded lookup.",
        "Fixed the typo `recieve` in README.md:1.",
        "Extracted `parse_header` from src/acme/store.py:8 into its own module.",
        "Got rid of `print` at src/acme/store.py:9.",
        "Swapped `requests` for `httpx` in src/acme/store.py:2.",
        "Consider a `lock` in src/acme/store.py:4.",
        "src/acme/store.py:9 needs a `try` block.",
        "`get` lacks a `default` at src/acme/store.py:8.",
        "src/acme/store.py:9 returns `None` for an unknown key.",
        "The `acme.store` module: `acme.store` (src/acme/store.py:1).",
        "`async def close(self)` in src/acme/store.py:13 has a flag.",
        "`async def close(self, ...)` in src/acme/store.py:13 has a flag.",
        "Set `NODE_ENV` at README.md:1.",
    ],
)
def test_what_is_said_of_a_place_is_not_taken_for_what_stands_there(text: str, repository: Path) -> None:
    assert set(statuses(text, repository)) == {"ok"}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("`get` is defined at src/acme/store.py:1.", "moved"),
        ("`LIMIT = 6` in src/acme/store.py:4.", "not_there"),
        ("`def lookup(self)` at src/acme/store.py:8.", "not_there"),
        ("`Store.fetch` (src/acme/store.py:8) reads a row.", "not_there"),
        ("`StoreError` is declared in src/acme/store.py:4.", "not_there"),
        ('src/acme/store.py:1 says "nothing is kept here".', "not_there"),
    ],
)
def test_an_identifier_a_definition_and_a_text_that_it_says_are_still_looked_for(
    text: str, status: str, repository: Path
) -> None:
    assert statuses(text, repository) == [status]


@pytest.mark.parametrize(
    "text",
    [
        "I removed the dead branch (src/acme/store.py:120-140).",
        "Deleted src/acme/legacy.py:1-80; nothing imported it.",
        "Deleted src/acme/legacy.py:1-80 and src/acme/older.py:1-20.",
        "The bug was in the old `src/acme/legacy.py:40`, which this commit deletes.",
        "It was in src/acme/legacy.py:40.",
        "src/acme/legacy.py:40 is gone.",
        "src/acme/legacy.py:40 was deleted.",
        "The loop was at src/acme/store.py:200.",
        "It used to live at src/acme/legacy.py:3.",
        "Please create src/acme/new.py:1 with a class.",
        "The class should live in src/acme/new.py:1.",
        "src/acme/new.py:1 should be added.",
    ],
)
def test_what_the_text_says_is_gone_or_to_be_made_may_be_absent(text: str, repository: Path) -> None:
    assert set(statuses(text, repository)) == {"gone"}


@pytest.mark.parametrize(
    "text",
    [
        "I removed the cache and added a test in src/acme/test_gone.py:5.",
        "I removed a sleep from src/acme/gone.py:5.",
        "I removed the old tests; the new ones are in src/acme/gone.py:5.",
        "The list is in src/acme/gone.py:5.",
    ],
)
def test_a_word_of_removal_elsewhere_in_the_sentence_hides_nothing(text: str, repository: Path) -> None:
    assert statuses(text, repository) == ["missing_file"]


@pytest.mark.parametrize(
    "text",
    [
        "The loader is in +page.svelte:2.",
        "See `$postId.tsx:3`.",
        "The slot is at `@modal/page.tsx:2`.",
        "Row 2 is off (data/year=2024/rows.csv:2).",
        "See [the loader](web/routes/+page.svelte#L2).",
        "问题在src/acme/store.py:9处，缺少检查。",
        "エラーはsrc/acme/store.py:9で発生します。",
        "오류는store.py:9에서",
        "Shortened: `.../acme/store.py:9`.",
        "Open `acme/src/acme/store.py:9`.",
        "In the diff, b/src/acme/store.py:9 changed.",
        "`$PWD/src/acme/store.py:9` and `${workspaceFolder}/src/acme/store.py:9`.",
        "See [sources](src/acme/) and [docs](docs).",
        "See [index](docs/index.md?plain=1#L10).",
        "src/acme/big.ts:112-15 and big.ts:112\u2013115.",
        "pylint says src/acme/store.py:0, ruff src/acme/__init__.py:1:1.",
        "~~src/acme/store.py:9~~",
    ],
)
def test_a_file_is_found_however_a_text_names_it(text: str, repository: Path) -> None:
    assert set(statuses(text, repository)) == {"ok"}


@pytest.mark.parametrize(
    "text",
    [
        "The log says it at report.log:12.",
        "It comes from `net/http/server.go:1898` in the standard library.",
        "`asyncio/base_events.py:1936` logs it.",
    ],
)
def test_a_file_of_a_library_and_one_that_git_ignores_are_not_looked_into(
    text: str, repository: Path
) -> None:
    assert statuses(text, repository) == ["outside"]


@pytest.mark.parametrize(
    "text",
    [
        "`db.service:5432` and `web.service:8080` are up, `management.server.http:8081` too.",
        "`registry.acme.cc:5001`, `docs.acme.rs:8081`, `vpn.acme.mk:443`, `services/api:8080`.",
        "Slices like `rows[self.r:12]` and `buf[m.c:4]` copy.",
        "Call `handlers[name](self.env)` and `parsers[kind](args.log)`.",
        "Cite as `path/to/file.py:12`, e.g. `foo.py:42` or `${name}.ts:12`; mine: `$HOME/x/notes.md:3`.",
        "git show HEAD~3:src/acme/store.py:300",
    ],
)
def test_hosts_slices_calls_placeholders_and_other_revisions_are_no_citations(
    text: str, repository: Path
) -> None:
    assert statuses(text, repository) == []


def test_a_path_is_relative_to_where_one_works_or_where_the_text_lies_and_then_to_the_root(
    repository: Path,
) -> None:
    docs, web = repository / "docs", repository / "services" / "web"
    assert statuses("[x](./index.md#L40)", repository, docs) == ["ok"]
    assert statuses("[x](../README.md#L1) [y](../src/acme/store.py#L9)", repository, docs) == ["ok", "ok"]
    assert statuses("main.ts:50, ./main.ts:50, src/acme/store.py:9", repository, web) == ["ok"] * 3
    assert statuses("index.md:5", repository, repository / "services") == ["ok"]
    assert statuses("../../../x.py:1", repository, docs) == ["outside"]
    assert statuses("index.md:40", repository.parent / "acme", repository.parent) == ["ambiguous"]


def test_where_another_file_of_the_name_has_what_is_cited_nothing_is_broken(repository: Path) -> None:
    [one] = check_citations("index.md:40", repository)
    assert (one.status, one.others) == ("ambiguous", ("index.md", "docs/index.md"))
    assert statuses("index.md:400", repository) == ["missing_line"]


@pytest.mark.parametrize(
    "text", ["[x](%s.md)" % ("a" * 300), "`%s.py:3`" % ("a" * 255), "[x](a%00b.md)", "[x](src/%ff%fe.md)"]
)
def test_a_name_that_no_disk_has_costs_no_other_citation(text: str, repository: Path) -> None:
    first, *rest = statuses(f"{text} then gone.py:1 and src/acme/store.py:9", repository)
    assert first in ("unreadable", "missing_file")
    assert rest == ["missing_file", "ok"]


@contextmanager
def as_nobody() -> Iterator[None]:
    """Be somebody whom permissions hold, where we are root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_folder_that_may_not_be_entered_costs_no_other_citation() -> None:
    # The folders of `tmp_path` let nobody but their owner in.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        closed = folder / "closed"
        closed.mkdir()
        (folder / "a.py").write_text("x\n", encoding="utf-8")
        closed.chmod(0)
        try:
            with as_nobody():
                assert statuses("closed/x.py:1 and a.py:1", folder) == ["unreadable", "ok"]
        finally:
            closed.chmod(0o700)


def test_an_error_of_the_system_is_of_one_citation_alone(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.is_file

    def refusing(path: Path) -> bool:
        if path.name == "closed.py":
            raise PermissionError
        return real(path)

    monkeypatch.setattr(Path, "is_file", refusing)
    assert statuses("src/closed.py:1 and src/acme/store.py:9", repository) == ["unreadable", "ok"]


def test_a_repository_cannot_move_its_top_to_where_its_folder_is_not(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "other").mkdir()
    subprocess.run(["git", "init", "-q", str(tmp_path / "repo")], check=True)
    subprocess.run(
        ["git", "-C", str(tmp_path / "repo"), "config", "core.worktree", str(tmp_path / "other")], check=True
    )
    assert work_tree(tmp_path / "repo") is None


def test_a_list_of_submodules_that_is_a_pipe_or_all_empty_lines_is_read_or_left_at_once(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.py").write_text("x\n", encoding="utf-8")
    (tmp_path / ".gitmodules").write_text("\n" * 2_000_000 + "\tpath = lib\n", encoding="utf-8")
    assert statuses("a.py:1 lib/x.py:3", tmp_path) == ["ok", "submodule"]
    (tmp_path / ".gitmodules").unlink()
    os.mkfifo(tmp_path / ".gitmodules")
    assert statuses("a.py:1", tmp_path) == ["ok"]


def test_the_lines_of_a_text_are_counted_once_for_all_its_citations(repository: Path) -> None:
    text = "\n" * 2_000_000 + "gone.py:1 "
    [one] = check_citations(text, repository)
    rows = as_json([one] * 20_000, text)["citations"]
    assert {row["at_line"] for row in rows} == {2_000_001}
    assert as_text([one] * 20_000, text).count("line 2000001: gone.py:1") == 20_000
    assert "line=2000001," in as_annotations([one], text, "a.md", strict=True)
