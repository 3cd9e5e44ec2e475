from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimjury.settlers.syntax import Outline, Unreadable, language_of, outline

PATHS = ["a.py", "a.js", "a.ts", "a.tsx", "a.go", "a.rs", "A.java"]
PIECES = st.sampled_from(
    [
        "def",
        "class",
        "func",
        "fn",
        "impl",
        "trait",
        "interface",
        "export",
        "default",
        "import",
        "from",
        "const",
        "let",
        "var",
        "type",
        "enum",
        "struct",
        "mod",
        "use",
        "pub",
        "static",
        "final",
        "package",
        "@",
        "#",
        "!",
        "=",
        "=>",
        ":",
        ";",
        ",",
        ".",
        "*",
        "**",
        "...",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        "a",
        "b",
        "f",
        "A",
        "self",
        "1",
        "'x'",
        '"y"',
        "`",
        "\\",
        "\n",
        "\n\t",
        "|",
        "&",
        "async",
        "return",
        "if",
        "else",
        "try",
        "global",
        "lambda",
        "macro_rules!",
        "namespace",
        "module.exports",
        "exports",
        "get",
        "set",
        "new",
        "record",
    ]
)


@settings(max_examples=60, deadline=None)
@given(path=st.sampled_from(PATHS), data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_give_an_outline_or_a_reason(path: str, data: bytes) -> None:
    assert isinstance(outline(path, data), Outline | Unreadable)


@settings(max_examples=150, deadline=None)
@given(path=st.sampled_from(PATHS), pieces=st.lists(PIECES, max_size=40))
def test_any_words_of_the_languages_give_an_outline(path: str, pieces: list[str]) -> None:
    assert isinstance(outline(path, " ".join(pieces).encode()), Outline)


@pytest.mark.parametrize("path", PATHS)
def test_deep_nesting_overflows_nothing(path: str) -> None:
    assert isinstance(outline(path, b"x = " + b"(" * 5_000 + b"1" + b")" * 5_000), Outline)
    assert isinstance(outline(path, b"a" + b".b()" * 5_000), Outline)


def test_a_large_file_is_read_in_linear_time() -> None:
    data = b"def f(a, b):\n    return g(a).h(b, [1, 2, 'x'])\n\n" * 10_000
    start = time.process_time()
    found = outline("a.py", data)
    assert isinstance(found, Outline)
    assert len(found.definitions) == 10_000
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("a.rb", b"", "its language is not known"),
        ("a.py", b"\xff", "it is not UTF-8"),
        ("a.py", b"a\0b", "it is binary"),
        ("a.py", b"#" * 2_000_001, "it has over 2,000,000 bytes"),
    ],
)
def test_a_file_that_is_not_read_says_why(path: str, data: bytes, reason: str) -> None:
    assert outline(path, data) == Unreadable(reason=reason)


@pytest.mark.parametrize(
    ("path", "data"),
    [("a.py", b"def f(:\n"), ("a.py", b"x = (1\n"), ("a.js", b"let = ;"), ("a.go", b"func"), ("a.rs", b"fn")],
)
def test_a_file_that_does_not_parse_is_broken(path: str, data: bytes) -> None:
    found = outline(path, data)
    assert isinstance(found, Outline)
    assert found.broken


def test_a_language_is_told_by_the_ending() -> None:
    assert language_of("src/a.d.ts") == "typescript"
    assert language_of("a.tsx") == "tsx"
    assert language_of("a.jsx") == "javascript"
    assert language_of("Makefile") is None


def test_a_mark_of_byte_order_is_no_part_of_the_code() -> None:
    found = outline("a.py", b"\xef\xbb\xbfx = 1\r\ny = 2\r\n")
    assert isinstance(found, Outline)
    assert (found.broken, found.names) == (False, {"x": (1,), "y": (2,)})


def test_no_grammar_is_loaded_before_a_file_of_it_is_parsed() -> None:
    code = (
        "import sys; from claimjury.settlers.syntax import outline; "
        "assert not [name for name in sys.modules if name.startswith('tree_sitter')]; "
        "outline('a.py', b'x'); assert 'tree_sitter_go' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
