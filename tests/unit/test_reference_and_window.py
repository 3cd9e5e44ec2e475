"""The reference says where it comes from; what does not fit a window is refused with numbers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury.errors import (
    EvidenceTooLarge,
    InvalidRequest,
    RequestError,
    SourceDenied,
    SourceNotFound,
    SourceNotText,
)
from claimjury.evidence.reference import Reference, load_reference
from claimjury.evidence.sources import Source
from claimjury.evidence.window import estimate_tokens, refuse_too_large


def refused_reference(text: Any) -> str:
    with pytest.raises(InvalidRequest) as caught:
        Reference(text=text)
    assert caught.value.hint
    return caught.value.message


def source(path: str, size: int) -> Source:
    return Source(path=path, text="", sha256="", bytes=size, lines=0, encoding="utf-8")


def test_a_reference_handed_over_as_text_is_headed_as_not_verified() -> None:
    reference = Reference(text="3 passed")

    assert reference.origin == "caller"
    assert reference.heading == "supplied by the party that asks; not verified"


def test_a_reference_of_a_file_is_headed_as_not_watched() -> None:
    Path("out.txt").write_text("3 passed\n")

    reference = load_reference(Path("out.txt"))

    assert reference == Reference(text="3 passed\n", origin="file")
    assert reference.heading == "read from a file; nobody watched how it was made"


def test_a_reference_of_20000_characters_is_accepted() -> None:
    assert len(Reference(text="é" * 20_000).text) == 20_000


def test_a_reference_of_20001_characters_is_refused_rather_than_cut() -> None:
    message = refused_reference("é" * 20_001)

    assert message == "The reference has 20,001 characters; at most 20,000 are allowed."


@pytest.mark.parametrize("blank", ["", " \n\t", "\u3000"])
def test_a_blank_reference_is_refused(blank: str) -> None:
    assert refused_reference(blank) == "The reference is empty."


@pytest.mark.parametrize(("value", "kind"), [(b"3 passed", "bytes"), (None, "NoneType"), (["x"], "list")])
def test_a_reference_that_is_no_text_is_refused(value: object, kind: str) -> None:
    assert refused_reference(value) == f"The reference is a {kind}, not text."


def test_half_of_a_surrogate_pair_in_a_reference_is_refused() -> None:
    assert refused_reference("x\udfff") == "The reference holds half of a surrogate pair."


@pytest.mark.parametrize("text", ["a\r\nb\r\n", "10%\r20%\rdone\n", "a\fb\u2028c"])
def test_a_reference_keeps_its_line_ends(text: str) -> None:
    Path("out.txt").write_bytes(text.encode())

    assert load_reference(Path("out.txt")).text == text


def test_a_byte_order_mark_is_not_part_of_a_reference() -> None:
    Path("out.txt").write_bytes(b"\xef\xbb\xbf3 passed")

    assert load_reference(Path("out.txt")).text == "3 passed"


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252", "utf-8-sig"])
def test_a_reference_is_decoded_as_a_source_is(encoding: str) -> None:
    text = "3 passed, größte Abweichung für Köln überschritten, später geprüft\r\n" * 5
    Path("out.txt").write_bytes(text.encode(encoding))

    assert load_reference(Path("out.txt")).text == text


def refused_file(kind: type[RequestError], path: str | Path) -> str:
    with pytest.raises(kind) as caught:
        load_reference(Path(path))
    assert caught.value.hint
    return caught.value.message


def test_a_binary_reference_is_refused() -> None:
    Path("out.bin").write_bytes(b"ab\0")

    assert refused_file(SourceNotText, "out.bin") == "The reference out.bin is binary: byte 2 is NUL."


def test_a_reference_is_a_regular_file_and_nothing_else_is_waited_for() -> None:
    os.mkfifo("pipe")
    Path("logs").mkdir()

    assert refused_file(SourceNotText, "pipe") == "The reference pipe is a FIFO, not a regular file."
    assert refused_file(SourceNotText, "logs") == "The reference logs is a directory, not a regular file."
    assert (
        refused_file(SourceNotText, "/dev/zero") == "The reference /dev/zero is a device, not a regular file."
    )


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd")
def test_a_reference_of_a_pipe_by_the_shell_is_called_a_pipe_and_not_missing() -> None:
    reading, writing = os.pipe()
    try:
        message = refused_file(SourceNotText, f"/dev/fd/{reading}")
    finally:
        os.close(reading)
        os.close(writing)

    assert message == f"The reference /dev/fd/{reading} is a FIFO, not a regular file."


def test_a_large_reference_file_is_refused_without_being_read_whole() -> None:
    with Path("out.txt").open("wb") as file:
        file.truncate(10**12)

    assert (
        refused_file(InvalidRequest, "out.txt")
        == "The reference has over 20,000 characters; at most 20,000 are allowed."
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_reference_file_of_20000_characters_is_accepted_whatever_their_bytes(encoding: str) -> None:
    Path("out.txt").write_bytes(("\U0001f600" * 20_000).encode(encoding))

    assert len(load_reference(Path("out.txt")).text) == 20_000


def test_a_reference_file_of_20001_characters_is_refused_with_their_count() -> None:
    Path("out.txt").write_text("x" * 20_001)

    assert (
        refused_file(InvalidRequest, "out.txt")
        == "The reference has 20,001 characters; at most 20,000 are allowed."
    )


def test_a_reference_that_is_named_like_a_secret_is_refused_by_any_name_of_it() -> None:
    Path(".env").write_text("KEY=hunter2\n")
    Path("out.txt").symlink_to(".env")

    for name in (".env", "out.txt"):
        message = refused_file(SourceDenied, name)
        assert message == f"The reference {name} is denied: `.env*` names files that hold secrets."


def test_a_reference_that_is_named_like_a_secret_is_read_where_that_is_allowed() -> None:
    Path(".env").write_text("MODE=test\n")

    assert load_reference(Path(".env"), allow_secrets=True).text == "MODE=test\n"


def test_a_reference_may_lie_outside_of_the_roots(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_text("3 passed\n")

    assert load_reference(out).text == "3 passed\n"


@pytest.mark.parametrize("path", ["absent.txt", "a\0b"])
def test_a_reference_that_cannot_be_read_is_refused(path: str) -> None:
    with pytest.raises(SourceNotFound) as caught:
        load_reference(Path(path))

    assert caught.value.code == "SOURCE_PATH_NOT_FOUND"
    assert caught.value.message.startswith("The reference ")
    assert "cannot be read: " in caught.value.message


def test_a_missing_reference_is_named_without_its_control_characters() -> None:
    with pytest.raises(SourceNotFound) as caught:
        load_reference(Path("\x1b[2Jabsent.txt"))

    assert caught.value.message == "The reference absent.txt cannot be read: No such file or directory."


@pytest.mark.parametrize("blank", [b"", b"\xef\xbb\xbf", b"\r\n"])
def test_an_empty_reference_file_is_refused(blank: bytes) -> None:
    Path("out.txt").write_bytes(blank)

    with pytest.raises(InvalidRequest, match="The reference is empty"):
        load_reference(Path("out.txt"))


@pytest.mark.parametrize(("size", "tokens"), [(0, 0), (1, 1), (3, 1), (4, 2), (300_000, 100_000)])
def test_tokens_are_estimated_at_three_bytes_each_rounded_up(size: int, tokens: int) -> None:
    assert estimate_tokens(size) == tokens


@given(st.integers(0, 10**9))
def test_an_estimate_is_never_below_the_bytes_it_stands_for(size: int) -> None:
    assert 3 * estimate_tokens(size) - 2 <= size <= 3 * estimate_tokens(size)


def test_a_prompt_that_fills_the_window_to_the_last_token_is_accepted() -> None:
    refuse_too_large(3 * 900, output_tokens=100, window=1000, model="m", sources=[])


def test_a_prompt_one_token_over_the_window_is_refused_with_every_number() -> None:
    with pytest.raises(EvidenceTooLarge) as caught:
        refuse_too_large(2701, output_tokens=100, window=1000, model="glm-5.2:cloud", sources=[])

    assert caught.value.code == "EVIDENCE_TOO_LARGE"
    assert caught.value.message == (
        "The prompt has about 901 tokens (2,701 bytes) and the answer may take 100; glm-5.2:cloud takes 1,000 in all."
    )
    assert caught.value.hint == (
        "Send fewer or smaller files, excerpts of them (PATH:FIRST-LAST), or leave that model off the panel (--panel). Nothing was cut or sent."
    )


def test_the_five_largest_sources_are_named_where_the_prompt_is_too_large() -> None:
    sources = [source(f"{size}.py", size) for size in (3, 1, 6, 4, 2, 5)]

    with pytest.raises(EvidenceTooLarge) as caught:
        refuse_too_large(10_000, output_tokens=1, window=10, model="m", sources=sources)

    assert caught.value.hint.startswith(
        "Largest sources: 6.py (6 bytes), 5.py (5 bytes), 4.py (4 bytes), 3.py (3 bytes), 2.py (2 bytes). Send"
    )
