"""Citations: what is one, what only looks like one, and what a reader finds who follows it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citing.corpus import make_repository, rows
from claimjury.evidence.citing.checking import BROKEN, Checked, check_citations
from claimjury.evidence.citing.finding import find_citations
from claimjury.evidence.citing.quick import may_cite

# Where the guard says something else than the corpus, and why; the corpus was made without sight of it.
OTHERWISE = {
    # A frame of a stack trace whose file is not here is one of a library: it is not looked into.
    ("f37", "PollService.java", 58): "outside",
    ("m18", "HomeScreen.java", 61): "outside",
    # The text says that it is gone, and so it is.
    ("f18", "docs/release notes.md", 31): "gone",
    ("f22", "lru.py", 16): "gone",
    ("f24", "src/parcel/legacy_store.py", 18): "gone",
    ("m24", "Dockerfile", 19): "gone",
    # Tools say line 0 of a whole file.
    ("f05", "src/parcel/cli.py", 0): "ok",
    # What a sentence says of a symbol is not taken where it holds a `not`, a `was` or a `should`.
    ("f58", "src/parcel/parser.py", 36): "ok",
    ("m02", "cmd/relay/queue.go", 36): "ok",
    ("m16", "Tracker.java", 12): "ok",
    ("m18", "android/src/main/java/com/acme/parcel/Tracker.java", 26): "ok",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_repository(tmp_path_factory.mktemp("cited") / "repo")


def found(checked: list[Checked]) -> list[tuple[Any, ...]]:
    return [
        (one.citation.path, one.citation.line, one.citation.end, one.status, one.moved_to) for one in checked
    ]


def expected(row: dict[str, Any]) -> list[tuple[Any, ...]]:
    wanted = []
    for one in row["expect"]:
        status = OTHERWISE.get((row["id"], one["path"], one["line"]), one["status"])
        moved = one["moved_to"] if status == "moved" else None
        wanted.append((one["path"], one["line"], one["end"], status, moved))
    return wanted


@pytest.mark.parametrize("row", rows("fixtures"), ids=lambda row: f"{row['id']}-{row['kind']}")
def test_each_form_of_a_citation_is_found_and_told_as_what_it_is(
    row: dict[str, Any], repository: Path
) -> None:
    assert found(check_citations(row["text"], repository)) == expected(row)


@pytest.mark.parametrize("row", rows("messages"), ids=lambda row: row["id"])
def test_each_citation_of_a_last_message_is_told_as_what_it_is(row: dict[str, Any], repository: Path) -> None:
    assert found(check_citations(row["text"], repository)) == expected(row)


def test_the_figures_in_the_documentation_are_those_of_the_corpus(repository: Path) -> None:
    """`caught`, `missed` and `false alarms` over the 60 last messages, by the corpus's own labels."""
    counts: Counter[str] = Counter()
    for row in rows("messages"):
        told = {entry[:3]: entry[3] in BROKEN for entry in found(check_citations(row["text"], repository))}
        labels = {(one["path"], one["line"], one["end"]): one["status"] in BROKEN for one in row["expect"]}
        for place, broken in labels.items():
            counts["caught" if told.get(place) else "missed"] += broken
            counts["false alarm" if told.get(place) else "silent"] += not broken
        counts["false alarm"] += sum(broken for place, broken in told.items() if place not in labels)
        counts["flagged"] += any(told.values())
        counts["sound flagged"] += any(told.values()) and not any(labels.values())
    assert counts == {
        "caught": 41,
        "missed": 5,
        "false alarm": 0,
        "silent": 165,
        "flagged": 30,
        "sound flagged": 0,
    }


NOT_ONE = """
At 12:30 we moved to v1.2.3 and python:3.11-slim; node:20 runs on localhost:8080, 127.0.0.1:5432 and [::1]:80.
The ratio is 3:1, the image redis:7, the date 2026-11-30T10:00, the test tests/test_x.py::test_y, the host relay.sh:443.
Mail ann@example.py:22 or git@github.com:acme/relay.git, see https://example.com/src/a.py#L10 and ftp://h/a.py:3.
std::vec, x::int, a:hover, :tada:, key: 12, timeout: 30, main:main, svc.ns:80, ghcr.io/acme/relay:7, 10:2, 1.5:3.
docker run -p 8080:80 -v /data:/data redis:7; `pytest -k a:b`; `sed -n 12p`; example.py; package.json; #12; PR:15.
```
src/a.py:12 is in a fence
```
"""


def test_times_versions_ports_ratios_tags_and_addresses_are_no_citations(repository: Path) -> None:
    assert check_citations(NOT_ONE, repository) == []


def test_a_file_that_git_does_not_track_is_one_all_the_same(repository: Path) -> None:
    (repository / "new.py").write_text("x = 1\n", encoding="utf-8")
    assert found(check_citations("new.py:1 and new.py:2", repository)) == [
        ("new.py", 1, None, "ok", None),
        ("new.py", 2, None, "missing_line", None),
    ]
    (repository / "new.py").unlink()


def test_a_folder_without_git_is_looked_into_too(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "a.py").write_text("def f():\n    pass\n", encoding="utf-8")
    assert found(check_citations("`f` in a.py:1, gone.py:1", tmp_path)) == [
        ("a.py", 1, None, "ok", None),
        ("gone.py", 1, None, "missing_file", None),
    ]


def test_secrets_links_that_lead_out_and_binary_files_are_not_read(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    (tmp_path / "outside.py").write_text("x\n", encoding="utf-8")
    (root / "prod.env").write_text("TOKEN=1\n", encoding="utf-8")
    (root / "link.py").symlink_to(tmp_path / "outside.py")
    (root / "blob.py").write_bytes(b"\0\1\2" * 99)
    (root / "id_rsa.py").symlink_to("link.py")
    text = "prod.env:1 link.py:1 blob.py:1 /etc/passwd.py:1 ../outside.py:1 a/../../outside.py:1"
    statuses = [one.status for one in check_citations(text, root)]
    assert statuses == ["denied", "outside", "unreadable", "outside", "outside", "outside"]


def test_a_pipe_that_is_cited_is_not_waited_for(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.py")
    assert [one.status for one in check_citations("pipe.py:1", tmp_path)] == ["missing_file"]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "a/" * 100_000,
        "a." * 100_000 + ":1",
        "(" * 100_000 + ":1",
        "`" * 100_000,
        "[a](" * 50_000,
        "```\n" * 50_000,
        'File "' * 50_000,
        "<!--" * 50_000,
        "a@" * 50_000,
        '"' * 100_000,
        "x:1 " * 5_000,
    ],
    ids=lambda text: text[:6],
)
def test_a_hostile_text_is_read_in_time_that_grows_as_it_does(text: str) -> None:
    find_citations(text)


@given(st.text(alphabet="ab/.:#L-12`\"'()[] \n\\_*py\u00e9\u2013", max_size=200))
@settings(max_examples=300)
def test_a_citation_is_a_part_of_its_text_and_a_text_that_cites_may_cite(text: str) -> None:
    citations = find_citations(text)
    for one in citations:
        assert text[one.start : one.start + len(one.text)] == one.text
    # A bare word before a number is looked at where the rest of a text is; alone it wakes nobody.
    assert may_cite(text) or not any(one.sure for one in citations)
    assert [one.start for one in citations] == sorted(one.start for one in citations)
