"""A source is decoded by an encoding that the result names; a guess and a loss are said, a binary is refused."""

from __future__ import annotations

import codecs
import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury import plan_verify
from claimjury.errors import SourceNotFound, SourceNotText
from claimjury.evidence.decoding import decode
from claimjury.evidence.files import read_file
from claimjury.evidence.sources import load_sources
from claimjury.report.wording import explain_warning
from jury.helpers import CONFIRM, ask, trio

WESTERN = "# Die Größe wird später geprüft; siehe “Köln” – 25 °C\nx = 1\n"
CHINESE = '# 返回结果列表\nprint("错误：文件不存在")\n'


def refused(data: bytes) -> str:
    with pytest.raises(SourceNotText) as caught:
        decode(data, "a.txt")
    assert caught.value.hint
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "codec", "named"),
    [
        (WESTERN, "cp1252", "cp1252"),
        ("# café\n", "cp1252", "cp1252"),
        ("# it’s “so”\n", "cp1252", "cp1252"),
        ("# © 2020\n", "cp1252", "cp1252"),
        ("x = 1\n" * 50_000 + "# naïve\n", "cp1252", "cp1252"),
        (CHINESE, "gbk", "gbk"),
        ("# 你好\nx = 1\n", "gbk", "gbk"),
        ("// 用户名不能为空；密码长度必须大于8位\n", "gbk", "gbk"),
        ("# これはテストです。日本語のコメント\n", "cp932", "cp932"),
        ("# これはテストです。日本語のコメント\n", "euc_jp", "euc_jp"),
        ("# 이것은 테스트 파일입니다\n", "cp949", "cp949"),
        ("# 這是一個測試文件，用於檢測編碼\n", "big5", "big5"),
        ("# Это тестовый файл для проверки кодировки\n", "cp1251", "cp1251"),
        ("# Zażółć gęślą jaźń\n", "cp1250", "cp1250"),
    ],
)
def test_a_legacy_encoding_is_guessed_named_and_warned_of(text: str, codec: str, named: str) -> None:
    Path("a.py").write_bytes(text.encode(codec))

    plan = plan_verify(["c"], source_paths=["a.py"])

    (source,) = plan.sources
    assert (source.text, source.encoding, source.guessed, source.replaced) == (text, named, True, 0)
    assert plan.warnings[0] == f"encoding_guessed:a.py:{named}"
    assert explain_warning(plan.warnings[0]).endswith(f"was guessed: a.py:{named}")


@pytest.mark.parametrize("mark", ["utf-16-le", "utf-16-be"])
def test_utf16_with_its_mark_is_read_and_nothing_is_guessed(mark: str) -> None:
    text = "größer\r\n返回\r\n😀\n"
    bom = codecs.BOM_UTF16_LE if mark == "utf-16-le" else codecs.BOM_UTF16_BE
    data = bom + text.encode(mark)
    Path("a.txt").write_bytes(data)

    plan = plan_verify(["c"], source_paths=["a.txt"])

    (source,) = plan.sources
    assert (source.text, source.encoding, source.lines) == (text, "utf-16", 3)
    assert (source.sha256, source.bytes) == (hashlib.sha256(data).hexdigest(), len(data))
    assert plan.warnings == ()


@pytest.mark.parametrize(
    "data",
    [
        "plain\n".encode("utf-16-le"),
        "plain\n".encode("utf-16-be"),
        "plain\n".encode("utf-32"),
        b"\x7fELF\x02\x01\x01\0",
        codecs.BOM_UTF16_LE + "a\0b".encode("utf-16-le"),
    ],
)
def test_utf16_without_its_mark_and_every_other_nul_is_binary(data: bytes) -> None:
    assert refused(data).startswith("The source a.txt is binary: ")


@pytest.mark.parametrize(
    "data",
    [
        b"\x1f\x8b\x08\x08\x01\x02\xff\xfe\xfd",
        bytes(value for value in range(1, 256)) * 4,
        b"\x89PNG\r\n\x1a\n" + b"\xde\x01\xad" * 20,
    ],
)
def test_bytes_that_are_no_text_are_refused(data: bytes) -> None:
    assert refused(data) == "The source a.txt is binary: it holds control characters, and is not UTF-8."


def test_an_encoding_that_cannot_be_told_is_refused_with_the_first_wrong_byte_and_what_to_type() -> None:
    with pytest.raises(SourceNotText) as caught:
        decode(b"ab\x81\xff\x81\x8d\xff\xff\x9d\n", "a.txt", noun="reference")

    assert caught.value.message == (
        "The reference a.txt is not UTF-8 (byte 2 is 0x81), and its encoding cannot be told."
    )
    assert "`iconv -f ENCODING -t utf-8`" in caught.value.hint


def test_a_broken_byte_in_utf8_is_replaced_counted_and_said() -> None:
    Path("a.py").write_bytes("# größer und später, und so \ufffd weiter\n".encode() + b"# \xff\xfe\n")

    plan = plan_verify(["c"], source_paths=["a.py"])

    (source,) = plan.sources
    # The character that stood in the file already is none of the two.
    assert (source.encoding, source.replaced, source.text.count("\ufffd")) == ("utf-8", 2, 3)
    assert plan.warnings == ("encoding_guessed:a.py:utf-8", "characters_replaced:a.py:2")
    assert '"a.py" (2 undecodable, shown as U+FFFD)>>>' in plan.prompt.user


def test_a_marked_file_is_what_its_mark_says_even_where_it_is_broken() -> None:
    utf8 = decode(codecs.BOM_UTF8 + b"caf\xe9 and so on, at length\n", "x")
    utf16 = decode(codecs.BOM_UTF16_LE + "cut in two".encode("utf-16-le")[:-1], "x")

    assert (utf8.encoding, utf8.replaced, utf8.guessed) == ("utf-8-sig", 1, False)
    assert (utf16.text, utf16.encoding, utf16.replaced) == ("cut in tw\ufffd", "utf-16", 1)


def test_a_marked_file_that_is_mostly_broken_is_refused() -> None:
    assert "cannot be told" in refused(codecs.BOM_UTF8 + b"\xe9\xe8 \xe9" * 20)
    assert "cannot be told" in refused(codecs.BOM_UTF16_LE + b"\x00\xd8a\x01" * 20)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_a_mark_is_enough_to_read_any_text_unchanged(text: str) -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        decoded = decode(text.encode(encoding), "x")
        assert (decoded.text, decoded.encoding, decoded.replaced, decoded.guessed) == (
            text,
            encoding,
            0,
            False,
        )


@given(st.binary(max_size=200))
def test_whatever_the_bytes_are_the_named_encoding_gives_the_text_or_they_are_refused(data: bytes) -> None:
    try:
        decoded = decode(data, "x")
    except SourceNotText:
        return
    assert data.decode(decoded.encoding, "replace") == decoded.text
    assert decoded.replaced == 0 or "\ufffd" in decoded.text
    assert "\0" not in decoded.text


async def test_the_result_names_each_encoding_and_counts_what_was_replaced_or_is_silent() -> None:
    Path("old.py").write_bytes(WESTERN.encode("cp1252"))
    Path("new.py").write_text("x = 1\n", encoding="utf-8")
    Path("torn.py").write_bytes("# größer, später\n".encode() + b"# \xff\n")

    result = await ask(trio(CONFIRM), source_paths=["old.py", "new.py", "torn.py"])

    rows = [row.to_json() for row in result.evidence]
    assert [row["encoding"] for row in rows] == ["cp1252", "utf-8", "utf-8"]
    assert [row.get("replaced") for row in rows] == [None, None, 1]
    assert set(rows[1]) == {"path", "sha256", "bytes", "lines", "encoding"}
    assert "encoding_guessed:old.py:cp1252" in result.warnings


def test_odd_line_ends_come_through_and_end_no_line() -> None:
    text = "a\r\nb\fc\u2028d\x85e\rf\n"
    Path("a.txt").write_bytes(text.encode())
    (source,) = load_sources(["a.txt"])

    assert (source.text, source.lines) == (text, 2)


def test_a_line_of_two_megabytes_is_one_line() -> None:
    Path("a.js").write_bytes(b"x=1;" * 500_000 + "//é".encode("cp1252"))
    (source,) = load_sources(["a.js"])

    assert (source.lines, len(source.text), source.encoding) == (1, 2_000_003, "cp1252")


def test_a_file_that_changes_while_it_is_read_is_read_once_more() -> None:
    path = Path("a.txt")
    path.write_bytes(b"old")
    contents = [b"newer"]

    def read(handle: int) -> bytes:
        os.lseek(handle, 0, os.SEEK_SET)
        data = os.read(handle, 100)
        if contents:
            path.write_bytes(contents.pop())
        return data

    assert read_file(path, "a.txt", read=read) == b"newer"


def test_a_file_that_changes_each_time_it_is_read_is_an_error_that_says_so() -> None:
    path = Path("a.txt")
    path.write_bytes(b"x")
    reads = 0

    def read(handle: int) -> bytes:
        nonlocal reads
        reads += 1
        path.write_bytes(b"x" * (reads + 1))
        return b"x"

    with pytest.raises(SourceNotFound) as caught:
        read_file(path, "a.txt", read=read)

    assert caught.value.message == "The source a.txt cannot be read: it changed while it was read, twice."
    assert caught.value.retryable
    assert reads == 2


def test_a_change_that_keeps_the_size_is_seen_by_its_time() -> None:
    path = Path("a.txt")
    path.write_bytes(b"one")
    times = [(1, 1)]

    def read(handle: int) -> bytes:
        os.lseek(handle, 0, os.SEEK_SET)
        data = os.read(handle, 100)
        if times:
            path.write_bytes(b"two")
            os.utime(path, times.pop())
        return data

    assert read_file(path, "a.txt", read=read) == b"two"
