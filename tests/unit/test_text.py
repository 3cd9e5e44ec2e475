"""Text from strangers cannot act on a terminal, a reader's eye, or a CI runner."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from claimjury.text import clean, clean_line, clip, fold_blanks, is_harmful, safe_json, show_bytes

# Pieces that become dangerous next to each other: openings, closings, escapes and blanks of every kind.
PIECES = [
    *["::", ":", "error", "add-mask", " file=a:b,c=d", "##", "#", "[", "]", "vso[", "VSO[", "vs", "o["],
    *["\x1b", "\x1b[31m", "\x1b]0;t\x07", "\x1b]8;;u", "\x9b1m", "\x9d", "\x9c", "\x07", "\r", "\n", "\r\n"],
    *[
        "\u2028",
        "\x85",
        "\x0c",
        "\u00a0",
        "\u3000",
        "\u202e",
        "\u2066",
        "\u200f",
        "\ue000",
        "\ud800",
        "\x7f",
        "\0",
    ],
    *[" ", "\t", "a", "é", "😀", "שלום"],
]
hostile = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)
BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def obeyed_by_github(line: str) -> bool:
    """Whether actions/runner would look for a command's name in a line (ActionCommand.cs), name not checked."""
    start = line.lstrip()
    begins = start.startswith("::") and "::" in start[2:] and re.match(r"[A-Za-z][\w-]*( |::)", start[2:])
    return bool(begins) or "##[" in line


def harm_in(text: str) -> list[str]:
    found = [
        char
        for char in text
        if char not in "\n\t" and unicodedata.category(char) in ("Cc", "Cs", "Co", "Zl", "Zp")
    ]
    found += [char for char in text if char in BIDI]
    found += [line for line in text.split("\n") if obeyed_by_github(line) or "##vso[" in line.casefold()]
    return found


@given(hostile)
@example("::error::::error::x")
@example("##[a]##[b]x")
@example("##vs##[a]o[task.setvariable]x")
@example("#" + "##[a]" + "#[b]")
@example("\x1b[\x1b[31m31m")
def test_cleaned_text_holds_nothing_that_acts(text: str) -> None:
    assert harm_in(clean(text)) == []


@given(hostile)
@example("::error::::error::x")
@example("  x \n##[a\n]")
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert clean_line(clean_line(text)) == clean_line(text)


@given(hostile)
@example("##[a\nb]")
@example("::error\nfile=x::boom")
def test_a_cleaned_line_is_one_line_that_does_not_act(text: str) -> None:
    line = clean_line(text)

    assert harm_in(line) == []
    assert line.splitlines() in ([], [line])
    assert line == " ".join(line.split())


@given(st.text(alphabet=st.characters(categories=["L", "N", "Sm", "So", "Zs"])))
def test_harmless_text_is_left_as_it_is(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    ("given", "cleaned"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;https://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9dtitle\x9cafter", "after"),
        ("\x1bPq#0\x1b\\sixel", "sixel"),
        ("\x1bcreset", "reset"),
        ("a\rb", "ab"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("a\u2028b\u2029c\x85d", "a b c d"),
        ("a\x0cb\x00c\x7fd", "abcd"),
        ("user\u202etxt.exe", "usertxt.exe"),
        ("\ue000\ud800x", "x"),
        ("👩\u200d💻 שלום", "👩\u200d💻 שלום"),
    ],
)
def test_control_and_bidi_characters_are_taken_out(given: str, cleaned: str) -> None:
    assert clean(given) == cleaned


@pytest.mark.parametrize(
    ("given", "cleaned"),
    [
        ("::error file=a.py,line=1::boom", "boom"),
        ("::error title=C:x::boom", "boom"),
        (" \t\u00a0::add-mask::x", "x"),
        ("first\n::set-output name=a::b", "first\nb"),
        ("::error::::warning:: ::debug::x", "x"),
        ("##[group]x", "x"),
        ("##vso[task.complete result=Succeeded]x", "x"),
        ("see ##[add-path]/tmp", "see  /tmp"),
        ("see ##VSO[task.prependpath]/tmp", "see  /tmp"),
        ("open ##[add-path /tmp", "open  add-path /tmp"),
    ],
)
def test_workflow_commands_are_taken_out_where_runners_read_them(given: str, cleaned: str) -> None:
    assert clean(given) == cleaned


@pytest.mark.parametrize(
    "text",
    ["std::vector::iterator", "use a::b", ":: alone", "::error without an end", "## [x]", "C# [a]", "x[0]##"],
)
def test_text_that_no_runner_obeys_stays(text: str) -> None:
    assert clean(text) == text


def test_blanks_are_folded_to_one() -> None:
    assert fold_blanks("  a\t\n b\u00a0 c ") == "a b c"


def test_a_text_within_the_limit_is_not_clipped() -> None:
    assert clip("abc", 3) == "abc"


def test_a_clipped_text_says_how_long_it_was() -> None:
    assert clip("a" * 1234, 3) == "aaa [cut: 1,234 characters in all]"


@pytest.mark.parametrize(("count", "shown"), [(0, "0 bytes"), (1, "1 byte"), (1234, "1,234 bytes")])
def test_bytes_are_shown_for_people(count: int, shown: str) -> None:
    assert show_bytes(count) == shown


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | hostile.map(lambda text: text.replace("\ud800", "")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)


@given(values, st.sampled_from([None, 2]))
def test_safe_json_says_the_same_and_acts_on_nothing(value: object, indent: int | None) -> None:
    dumped = safe_json(value, indent=indent)

    assert json.loads(dumped) == value
    assert not [char for char in dumped if is_harmful(char)]
    assert harm_in(dumped) == []


@given(st.characters())
def test_safe_json_gives_every_single_character_back(char: str) -> None:
    assert json.loads(safe_json([char])) == [char]


def test_half_of_a_surrogate_pair_is_escaped_in_json() -> None:
    assert safe_json("\ud800") == '"\\ud800"'


def test_harmless_letters_stay_readable_in_json() -> None:
    assert safe_json(["é", "😀"], indent=None) == '["é", "😀"]'


@pytest.mark.parametrize("char", ["\x7f", "\x9b", "\u202e", "\u2028", "\U000f0000"])
def test_a_harmful_character_is_escaped_in_json(char: str) -> None:
    dumped = safe_json(char)

    assert dumped.isascii()
    assert json.loads(dumped) == char


def test_a_runner_command_is_escaped_in_json() -> None:
    dumped = safe_json("x ##[add-path]/tmp ##vso[task.setvariable]y")

    assert "##" not in dumped
    assert json.loads(dumped) == "x ##[add-path]/tmp ##vso[task.setvariable]y"


@pytest.mark.parametrize("char", ["\n", "\t", "a", "\u200d", "😀", "ש"])
def test_ordinary_characters_are_not_harmful(char: str) -> None:
    assert not is_harmful(char)
