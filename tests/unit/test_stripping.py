"""Stripping: a source without what its author says of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury import plan_verify
from claimjury.evidence.sources import load_sources
from claimjury.evidence.stripping import stripped

PYTHON = '''#!/usr/bin/env python
"""It is correct.

Verified."""
import os  # safe


def f(x):
    """Never raises."""
    # reviewed
    return "# no comment"  # always
'''


def test_comments_and_docstrings_go_and_every_line_keeps_its_number() -> None:
    found = stripped(PYTHON, "a.py")
    assert found is not None
    text, lines = found
    assert lines == 6
    assert text.split("\n") == [
        "#!/usr/bin/env python",
        "",
        "",
        "",
        "import os",
        "",
        "",
        "def f(x):",
        "",
        "",
        '    return "# no comment"',
        "",
    ]


@pytest.mark.parametrize(
    ("name", "text", "bare"),
    [
        ("a.c", '#include <x.h>\nint f(void) { /* ok\n fine */ return 1; }\nchar *s = "// no";\n', None),
        ("a.ts", "const a = 1; // yes\n/** @safe */\nexport { a };\n", "const a = 1;\n\nexport { a };\n"),
        ("a.go", "// F is safe.\nfunc F() int { return 1 }\n", "\nfunc F() int { return 1 }\n"),
        ("a.yaml", "# ok\nkey: value # fine\n", "\nkey: value\n"),
        ("a.py", "x = 1  # one\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n"),
        ("a.py", "x = '''a  \nb'''\n", "x = '''a  \nb'''\n"),
    ],
)
def test_directives_strings_line_ends_and_columns_stay(name: str, text: str, bare: str | None) -> None:
    found = stripped(text, name)
    assert found is not None
    if bare is not None:
        assert found[0] == bare
    else:
        assert "#include <x.h>" in found[0]
        assert '"// no"' in found[0]
        assert "ok" not in found[0]
        assert "         return 1;" in found[0]


@pytest.mark.parametrize("name", ["notes.md", "LICENSE", "a.txt", "b.unknown"])
def test_what_no_lexer_knows_and_prose_stays_whole_and_is_told(name: str) -> None:
    assert stripped("# Title\n", name) is None
    Path(name).write_text("# Title\n", encoding="utf-8")
    plan = plan_verify(["It is so and so."], source_paths=[name], strip_comments=True)
    assert f"not_stripped:{name}" in plan.warnings
    assert "# Title" in plan.prompt.user


def test_a_run_says_which_sources_were_stripped_and_an_excerpt_keeps_its_lines() -> None:
    Path("a.py").write_text(PYTHON, encoding="utf-8")
    plan = plan_verify(["f returns a string."], source_paths=["a.py:8-11"], strip_comments=True)
    [source] = plan.sources
    assert (source.stripped, source.first_line) == (6, 8)
    assert "(lines 8-11 of 11; without comments and docstrings)" in plan.prompt.user
    assert '11|     return "# no comment"' in plan.prompt.user
    assert "Never raises" not in plan.prompt.user
    assert load_sources(["a.py"])[0].sha256 == source.sha256


@given(
    st.text(alphabet="#\"'\\\n\r abc(){}:=/*", max_size=200),
    st.sampled_from(["a.py", "a.c", "a.js", "a.rb", "a.html"]),
)
def test_no_line_is_lost_or_made(text: str, name: str) -> None:
    found = stripped(text, name)
    assert found is not None
    assert found[0].count("\n") == text.count("\n")
