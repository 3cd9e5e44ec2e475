"""A source is loaded whole, as text, with its hash and counts, each file once and by a name of its own."""

from __future__ import annotations

import errno
import hashlib
import os
import resource
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury.errors import (
    InvalidRequest,
    SourceNotFound,
    SourceNotText,
    SourceTooLarge,
)
from claimjury.evidence.decoding import Decoded, decode
from claimjury.evidence.files import read_file
from claimjury.evidence.sources import Source, count_lines, load_sources
from unit.source_helpers import refusal, write


def test_a_source_is_loaded_whole_with_its_hash_and_its_counts() -> None:
    data = "été\r\nmore\n".encode()
    write("src/a.py", data)

    assert load_sources(["src/a.py"]) == (
        Source(
            path="src/a.py",
            text="été\r\nmore\n",
            sha256=hashlib.sha256(data).hexdigest(),
            bytes=12,
            lines=2,
            encoding="utf-8",
        ),
    )


def test_no_paths_give_no_sources_and_need_no_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")

    assert load_sources([]) == ()


def test_sources_keep_the_order_in_which_they_were_named() -> None:
    for name in "cab":
        write(f"{name}.py")

    assert [source.path for source in load_sources(["c.py", "a.py", "b.py"])] == ["c.py", "a.py", "b.py"]


def test_fifty_sources_are_accepted() -> None:
    names = [str(write(f"{n}.txt")) for n in range(50)]

    assert len(load_sources(names)) == 50


def test_the_51st_source_is_refused_rather_than_dropped() -> None:
    names = [str(write(f"{n}.txt")) for n in range(51)]

    assert refusal(InvalidRequest, *names) == "There are 51 sources; a run takes at most 50."


def test_a_file_named_twice_is_loaded_once_under_its_first_place() -> None:
    write("a.py")
    write("b.py")
    Path("link.py").symlink_to("a.py")

    paths: list[str | Path] = ["a.py", "b.py", "./a.py", Path("a.py").absolute(), "link.py"]

    assert [source.path for source in load_sources(paths)] == ["a.py", "b.py"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", 0),
        ("a", 1),
        ("a\n", 1),
        ("a\nb", 2),
        ("\n", 1),
        ("\n\n", 2),
        ("a\r\nb\r\n", 2),
        ("a\fb\u2028c\x85d\x0be\rf\n", 1),
    ],
)
def test_lines_end_at_a_newline_and_nowhere_else(text: str, lines: int) -> None:
    write("a.txt", text.encode())
    (source,) = load_sources(["a.txt"])

    assert source.lines == count_lines(text) == lines
    assert source.text == text


@given(st.text().filter(lambda text: "\0" not in text and not text.startswith("\ufeff")))
def test_text_comes_back_from_its_bytes_unchanged(text: str) -> None:
    assert decode(text.encode(), "x") == Decoded(text=text, encoding="utf-8")
    assert decode(b"\xef\xbb\xbf" + text.encode(), "x") == Decoded(text=text, encoding="utf-8-sig")


def test_only_one_byte_order_mark_is_taken_off() -> None:
    assert decode(b"\xef\xbb\xbf\xef\xbb\xbfa", "x") == Decoded(text="\ufeffa", encoding="utf-8-sig")


@pytest.mark.parametrize("data", [b"ab\0", "ab".encode("utf-16-be")[1:3], b"ab\0\xff"])
def test_a_binary_source_is_refused_at_its_first_nul(data: bytes) -> None:
    write("a.bin", data)

    assert refusal(SourceNotText, "a.bin") == f"The source a.bin is binary: byte {data.index(0)} is NUL."


def test_a_source_over_the_limit_of_bytes_is_refused() -> None:
    with write("big.txt").open("r+b") as file:
        file.truncate(50_000_001)

    message = refusal(SourceTooLarge, "big.txt")

    assert message == "The source big.txt has 50,000,001 bytes; at most 50,000,000 bytes are read."


def test_a_source_at_the_limit_of_bytes_is_read() -> None:
    with write("big.txt").open("r+b") as file:
        file.truncate(50_000_000)

    assert refusal(SourceNotText, "big.txt") == "The source big.txt is binary: byte 2 is NUL."


def test_a_missing_source_is_refused() -> None:
    message = refusal(SourceNotFound, "absent.py")

    assert message == "The source absent.py cannot be read: No such file or directory."


def test_a_name_too_long_for_any_file_is_refused() -> None:
    assert "cannot be read" in refusal(SourceNotFound, "x" * 5000)


def test_links_that_form_a_loop_are_refused() -> None:
    Path("a").symlink_to("b")
    Path("b").symlink_to("a")

    assert "The source a cannot be read" in refusal(SourceNotFound, "a")


def test_a_link_that_takes_the_place_of_a_checked_source_is_refused() -> None:
    write("secret.txt")
    Path("a.py").symlink_to("secret.txt")

    with pytest.raises(SourceNotFound) as caught:
        read_file(Path("a.py"), "a.py")

    assert caught.value.message == f"The source a.py cannot be read: {os.strerror(errno.ELOOP)}."
    assert caught.value.hint == "Check the path and its permissions."


def test_a_source_that_the_system_cannot_open_is_refused_with_its_reason() -> None:
    write("a.py")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        with pytest.raises(SourceNotFound) as caught:
            read_file(Path("a.py"), "a.py")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert caught.value.message == f"The source a.py cannot be read: {os.strerror(errno.EMFILE)}."


@pytest.mark.parametrize("paths", ["src/dates.py", b"src", Path("src/dates.py"), 5, None, {"a.py"}, ""])
def test_sources_that_are_no_list_are_refused(paths: Any) -> None:
    with pytest.raises(InvalidRequest) as caught:
        load_sources(paths)

    assert caught.value.message == f"The sources are a {type(paths).__name__}, not a list."
    assert caught.value.hint == 'Give a list of paths: ["src/dates.py"].'


@pytest.mark.parametrize("item", [5, None, b"a.py", ["a.py"]])
def test_a_source_that_is_no_path_is_refused_by_its_position(item: Any) -> None:
    write("a.py")

    with pytest.raises(InvalidRequest) as caught:
        load_sources(["a.py", item])

    assert caught.value.message == f"Source 2 is a {type(item).__name__}, not a path."
    assert caught.value.hint == 'Give a list of paths: ["src/dates.py"].'


@pytest.mark.parametrize("path", ["a\0b.py", "a\ud800.py"])
def test_a_path_that_no_file_can_have_is_refused(path: str) -> None:
    assert "holds a character that no path can hold, such as NUL" in refusal(InvalidRequest, path)


def test_a_fifo_is_refused_without_waiting_for_a_writer() -> None:
    os.mkfifo("pipe")

    assert refusal(SourceNotText, "pipe") == "The source pipe is a FIFO, not a regular file."


def test_a_socket_is_refused() -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")

        assert refusal(SourceNotText, "s") == "The source s is not a regular file."


def test_a_device_is_refused_even_below_an_allowed_root() -> None:
    message = refusal(SourceNotText, "/dev/null", roots=[Path("/dev")])

    assert message == "The source /dev/null is a device, not a regular file."


def test_a_refused_file_leaves_no_handle_open() -> None:
    Path("src").mkdir()
    os.mkfifo("pipe")
    before = len(list(Path("/dev/fd").iterdir()))

    for path in ["src", "pipe"]:
        refusal(SourceNotText, path)

    assert len(list(Path("/dev/fd").iterdir())) == before


def test_two_roots_with_one_name_in_both_are_led_by_the_roots_names() -> None:
    write("one/a.py")
    write("two/a.py")
    write("two/b.py")

    sources = load_sources(["one/a.py", "two/a.py", "two/b.py"], roots=[Path("one"), Path("two")])

    assert [source.path for source in sources] == ["one/a.py", "two/a.py", "b.py"]


def test_two_files_never_share_a_name_even_where_their_roots_do() -> None:
    write("one/src/a.py")
    write("two/src/a.py")

    sources = load_sources(["one/src/a.py", "two/src/a.py"], roots=[Path("one/src"), Path("two/src")])

    assert [source.path for source in sources] == ["one/src/a.py", "two/src/a.py"]


@pytest.mark.skipif(os.uname().sysname == "Darwin", reason="its file systems refuse such a name")
def test_a_name_that_is_not_utf8_is_refused_before_it_can_break_the_result() -> None:
    write(os.fsdecode(b"a\xff.py"))

    message = refusal(InvalidRequest, os.fsdecode(b"a\xff.py"))

    assert message == "The name of the source a\\xff.py is not UTF-8."
