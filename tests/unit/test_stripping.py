"""Stripping: a source without what its author says of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
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


@settings(max_examples=20, deadline=None)
@given(
    st.text(alphabet="#\"'\\\n\r abc(){}:=/*", max_size=200),
    st.sampled_from(["a.py", "a.c", "a.js", "a.rb", "a.html"]),
)
def test_no_line_is_lost_or_made(text: str, name: str) -> None:
    found = stripped(text, name)
    assert found is not None or name == "a.py"
    assert found is None or found[0].count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "code",
    [
        'rows = run(\n    """DELETE FROM users""",\n    limit=3,\n)\n',
        'def f():\n    return (\n        \'a\'\n        """b {c}"""\n    )\n',
        "x = [\n    '''one''',\n    '''two''',\n]\n",
    ],
)
def test_a_string_that_is_an_argument_or_an_item_is_code_and_stays(code: str) -> None:
    assert stripped(code, "a.py") == (code, 0)


def test_a_string_that_stands_for_nothing_goes_wherever_it_stands() -> None:
    assert stripped('x: int = 1\n"""It is safe."""\ny = "é"; "verified"\n', "a.py") == (
        'x: int = 1\n\ny = "é";\n',
        2,
    )


@pytest.mark.parametrize(
    ("name", "text", "bare"),
    [
        ("a.py", "#!/bin/env python\n# -*- coding: utf-8 -*-\n", None),
        ("a.py", "x = 1  # noqa: E501 as all agree\n", "x = 1  # noqa: E501\n"),
        ("a.py", "x = []  # type: list[int]\n", None),
        ("a.py", "x = []  # type: it was checked\n", "x = []\n"),
        ("a.py", "import a  # type: ignore[import] # fine\n", "import a  # type: ignore[import]\n"),
        (
            "a.go",
            "//go:build linux\n\n//go:embed x.txt\nvar x string // fine\n",
            "//go:build linux\n\n//go:embed x.txt\nvar x string\n",
        ),
        (
            "Dockerfile",
            "# syntax=docker/dockerfile:1\n# fine\nFROM a\n",
            "# syntax=docker/dockerfile:1\n\nFROM a\n",
        ),
        ("a.ts", "// @ts-ignore since it is fine\nlet a = 1;\n", "// @ts-ignore\nlet a = 1;\n"),
        ("a.js", "/* eslint-disable no-eval */\neval(a);\n", None),
        (
            "a.html",
            "<!-- fine --><!--[if IE]><p>y</p><![endif]-->\n",
            "             <!--[if IE]><p>y</p><![endif]-->\n",
        ),
        ("a.sh", "#!/bin/sh\n# fine\nls # fine\n", "#!/bin/sh\n\nls\n"),
    ],
)
def test_what_a_tool_obeys_stays_and_no_more_of_its_comment(name: str, text: str, bare: str | None) -> None:
    found = stripped(text, name)
    assert found is not None
    assert found[0] == (text if bare is None else bare)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.mcschema", "<!--"),
        ("x.robot", "*** Settings ***\nA  b\n"),
        ("a.py", "print 'two'  # of another Python\n"),
        ("a.py", "x = 1  # old Mac\ry = 2\n"),
        ("a.js", "a = 1; // b\n" * 30_000),
    ],
)
def test_what_cannot_be_taken_apart_for_certain_or_in_time_is_not_stripped(name: str, text: str) -> None:
    assert stripped(text, name) is None


def test_a_lexer_that_hangs_is_ended_and_its_file_sent_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimjury.evidence.stripping._MAX_SECONDS", 0.0)
    assert stripped("int a; // fine\n", "a.c") is None
