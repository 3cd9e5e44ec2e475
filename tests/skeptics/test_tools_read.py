"""A skeptic reads lines with their numbers, and only of what lies in the jail."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from claimjury.errors import ConfigInvalid
from claimjury.skeptics.tools.limits import MAX_LINE, MAX_REPLY_BYTES
from claimjury.skeptics.tools.toolbox import Looked, Toolbox
from skeptics.tool_helpers import call, refused, told, write


def test_lines_have_their_numbers_and_the_record_says_which_were_read() -> None:
    write("src/a.py", "one\ntwo\nthree\n")

    reply = call("read", path="src/a.py", start=2)

    assert reply.text == "src/a.py, lines 2-3 of 3:\n2| two\n3| three"
    assert reply.looked == (Looked(tool="read", path="src/a.py", start=2, end=3, detail=None),)


def test_a_range_ends_where_it_says_and_names_the_line_to_go_on_from() -> None:
    write("a.txt", "".join(f"{number}\n" for number in range(1, 13)))

    assert told("read", path="a.txt", start=9, end=10) == (
        "a.txt, lines 9-10 of 12:\n 9| 9\n10| 10\nThere are more lines: go on with start=11."
    )
    assert told("read", path="a.txt", start=12, end=99).endswith("of 12:\n12| 12")


def test_a_long_file_is_read_in_parts_that_join_without_a_gap() -> None:
    lines = [f"line {number} " + "é" * 90 for number in range(3_000)]
    write("long.txt", "\n".join(lines) + "\n")
    seen: list[str] = []
    start = 1

    while start:
        reply = call("read", path="long.txt", start=start)
        assert len(reply.text.encode()) <= MAX_REPLY_BYTES
        rows = [row for row in reply.text.split("\n") if "| " in row]
        seen += [row.partition("| ")[2] for row in rows]
        start = int(reply.text.rpartition("start=")[2].rstrip(".")) if "go on with" in reply.text else 0

    assert seen == lines


def test_a_line_of_two_megabytes_is_clipped_and_its_gutter_says_so() -> None:
    write("big.js", "x" * 2_000_000 + "\nend")

    text = told("read", path="big.js")

    assert f"\n1 (the first {MAX_LINE:,} of 2,000,000 characters)| {'x' * MAX_LINE}\n2| end" in text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a\r\nb\r\n", "a.txt, lines 1-2 of 2 (lines end in \\r\\n):\n1| a\n2| b"),
        (b"a\nb", "a.txt, lines 1-2 of 2 (no newline at the end):\n1| a\n2| b"),
        (b"", "a.txt is empty: it has no lines."),
        (b"\n", "a.txt, lines 1-1 of 1:\n1| "),
        ("\ufeffa\n".encode("utf-16-le"), "a.txt, lines 1-1 of 1 (read as utf-16):\n1| a"),
        (
            b"a\xff" + b"b" * 40 + "é".encode() * 4 + b"\n",
            "a.txt, lines 1-1 of 1 (read as utf-8, a guess; 1 undecodable, shown as U+FFFD):\n1| a\ufffd"
            + "b" * 40
            + "é" * 4,
        ),
    ],
)
def test_line_ends_and_encodings_are_told(data: bytes, said: str) -> None:
    write("a.txt", data)

    assert told("read", path="a.txt") == said


def test_text_that_looks_like_a_note_of_the_tool_stands_behind_a_gutter() -> None:
    write("a.txt", "There are more lines: go on with start=9.\n1| x\n")

    assert told("read", path="a.txt") == (
        "a.txt, lines 1-2 of 2:\n1| There are more lines: go on with start=9.\n2| 1| x"
    )


def test_names_in_any_script_are_read_and_odd_ones_are_quoted() -> None:
    write("ordner/größe 日本.py", "x\n")
    write("two\nlines.py", "y\n")

    assert told("read", path="ordner/größe 日本.py").startswith("ordner/größe 日本.py, lines")
    assert told("read", path="two\nlines.py").startswith('"two\\nlines.py", lines 1-1')


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("absent.py", "absent.py cannot be read: No such file or directory."),
        ("../outside.txt", "../outside.txt leads out of the repository."),
        ("../absent.txt", "../absent.txt leads out of the repository."),
        ("src/../../outside.txt", "src/../../outside.txt leads out of the repository."),
        ("/etc/passwd", "/etc/passwd is an absolute path."),
        ("out", "out leads out of the repository."),
        ("dangling", "dangling leads out of the repository."),
        ("folder/outside.txt", "folder/outside.txt leads out of the repository."),
        ("loop", "loop cannot be read: "),
        ("a\0b", '"a\\u0000b" holds a character that no path can hold, such as NUL.'),
        ("src", "src is a directory. List it: glob with src/**."),
        (".", ". is a directory."),
        (".git", ".git is denied: `.git/`"),
        (".git/config", ".git/config is denied: `.git/`"),
        (".GIT/config", ".GIT/config "),
        ("src/../.git/config", "src/../.git/config is denied: `.git/`"),
        ("to-git", "to-git is denied: `.git/`"),
        (".env", ".env is denied: `.env*`"),
        (".ssh", ".ssh is denied: `.ssh/`"),
        ("to-env", "to-env is denied: `.env*`"),
        ("keys/id_rsa", "keys/id_rsa is denied: `id_*`"),
        ("fifo", "fifo is a FIFO, a socket or a device, not a regular file."),
        ("socket", "socket is a FIFO, a socket or a device, not a regular file."),
        ("binary.bin", "The file binary.bin is binary: byte 1 is NUL. Read another file."),
        ("x" * 300, f"{'x' * 300} cannot be read: File name too long."),
        ("src/a.py/x", "src/a.py/x cannot be read: Not a directory."),
    ],
)
def test_what_is_not_to_be_read_is_refused_with_a_reason(path: str, said: str) -> None:
    outside = Path("../outside.txt")
    outside.write_text("OUTSIDE", encoding="utf-8")
    write("src/a.py")
    write(".git/config", "SECRET")
    write(".env", "SECRET")
    write(".ssh/known_hosts", "SECRET")
    write("keys/id_rsa", "SECRET")
    write("binary.bin", b"a\0b")
    os.mkfifo("fifo")
    for name, target in {
        "out": "../outside.txt",
        "dangling": "../absent.txt",
        "folder": "..",
        "loop": "loop",
        "to-git": ".git/config",
        "to-env": ".env",
    }.items():
        Path(name).symlink_to(target)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        text = refused("read", path=path)

    assert text.startswith(said)
    assert "SECRET" not in text
    assert str(Path.cwd()) not in text
    assert Toolbox(Path()).lines_of(path) == 0


def test_a_device_that_lies_in_the_root_is_refused() -> None:
    reply = Toolbox(Path("/dev")).call("read", {"path": "zero"})

    assert reply.text.startswith("zero is a FIFO, a socket or a device")


def test_a_link_within_the_root_is_followed_and_the_record_names_the_file() -> None:
    write("src/a.py", "x\n")
    Path("link.py").symlink_to("src/a.py")

    assert call("read", path="link.py").looked[0].path == "src/a.py"


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (4, None, "a.txt has 3 lines, so there is no line 4. Read it from a line up to 3 on."),
        (3, 2, "end=2 comes before start=3."),
    ],
)
def test_lines_that_are_not_there_are_refused(start: int, end: int | None, said: str) -> None:
    write("a.txt", "1\n2\n3\n")

    assert refused("read", path="a.txt", start=start, end=end).startswith(said)


def test_a_file_over_the_limit_is_refused() -> None:
    with write("huge.txt").open("r+b") as file:
        file.truncate(50_000_001)

    assert refused("read", path="huge.txt").startswith(
        "The file huge.txt has 50,000,001 bytes; at most 50,000,000 bytes are read."
    )


def test_a_file_that_is_not_there_has_no_line_that_could_be_cited() -> None:
    write("a.txt", "1\n2")
    toolbox = Toolbox(Path())

    assert (toolbox.lines_of("a.txt"), toolbox.lines_of("absent.txt")) == (2, 0)


def test_a_home_or_a_whole_disk_is_never_the_root() -> None:
    for root in (Path("/"), Path.home()):
        with pytest.raises(ConfigInvalid):
            Toolbox(root)
