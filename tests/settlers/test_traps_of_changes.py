"""Ways to be wrong about what came, went, stayed or moved, and about names that are words or packages of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from settlers.settle_helpers import changed, verdict, write
from settlers.test_traps import NO, YES, Trap
from unit.git_helpers import git

OLD: dict[str, str | bytes] = {
    "a.py": "import logging\nimport gone\n\nlogging.info(1)\n",
    "README.md": "Use `--dry-run` and old_flag.\n",
    "src/old.py": "x = 1\n",
    "src/gone.py": "y = 2\n",
    "limits.py": "LIMIT = 3\nMOST = 4\n",
}
NEW: dict[str, str | bytes | None] = {
    "a.py": "import logging\nimport fresh\n\nlogging.info(1)\n",
    "README.md": "Use `--dry-run` and new_flag.\n",
    "src/gone.py": None,
    "b.py": "z = 3\n",
    "limits.py": "LIMIT = 3\nMOST = 5\n",
}
OF_TIME = [
    Trap(f"time: {statement}", statement, wanted, NEW, OLD)
    for statement, wanted in [
        ("`a.py` now imports `logging`.", None),
        ("`a.py` now imports `fresh`.", YES),
        ("`a.py` now imports `nothing_at_all`.", NO),
        ("`a.py` still imports `logging`.", YES),
        ("`a.py` still imports `fresh`.", None),
        ("`a.py` no longer imports `never_there`.", None),
        ("`a.py` no longer imports `gone`.", YES),
        ("`a.py` no longer imports `logging`.", NO),
        ("`README.md` now mentions `--dry-run`.", None),
        ("`README.md` now mentions `new_flag`.", YES),
        ("`README.md` no longer mentions `--verbose`.", None),
        ("`README.md` no longer mentions `old_flag`.", YES),
        ("Nothing mentions `old_flag` any more.", YES),
        ("Nothing mentions `never_there` any more.", None),
        ("There are no mentions of `never_there` left.", None),
        ("No mention of `never_there` remains.", None),
        ("`never_there` has no callers left.", None),
        ("`src/old.py` now exists.", None),
        ("`b.py` now exists.", YES),
        ("`src/olld.py` is gone.", None),
        ("`src/olld.py` no longer exists.", None),
        ("`src/gone.py` is gone.", YES),
        ("`src/old.py` still exists.", YES),
        ("`b.py` still exists.", None),
        ("`LIMIT` is now 3.", None),
        ("`MOST` is now 5.", YES),
        ("`LIMIT` is still 3.", YES),
        ("`MOST` is still 4.", NO),
        ("There are now 2 files in `src/`.", None),
    ]
]
MOVED = [
    Trap(
        "a renamed file is no new one",
        "Added `new.py`.",
        None,
        {"old.py": None, "new.py": "a = 1\n"},
        {"old.py": "a = 1\n"},
    ),
    Trap(
        "a renamed file was not deleted",
        "Deleted `old.py`.",
        None,
        {"old.py": None, "new.py": "a = 1\n"},
        {"old.py": "a = 1\n"},
    ),
    Trap(
        "of a rename one end is named",
        "Only `new.py` was changed.",
        None,
        {"old.py": None, "new.py": "a = 1\n"},
        {"old.py": "a = 1\n"},
    ),
    Trap(
        "what was deleted was not changed",
        "Only `old.py` was changed.",
        None,
        {"old.py": None},
        {"old.py": "a = 1\n", "b.py": "b\n"},
    ),
    Trap(
        "two empty files",
        "Renamed `a/__init__.py` to `b/__init__.py`.",
        None,
        {"a/__init__.py": None, "b/__init__.py": ""},
        {"a/__init__.py": ""},
    ),
    Trap(
        "files that share nothing were not renamed",
        "Two files were added.",
        YES,
        {"old.py": None, "b.py": "def f():\n    pass\n", "c.py": "class C:\n    pass\n"},
        {"old.py": "a = 1\nb = 2\n"},
    ),
    Trap(
        "a test that moved is not new",
        "1 new test function was added to `tests/test_b.py`.",
        None,
        {
            "tests/test_a.py": "def test_y():\n    pass\n",
            "tests/test_b.py": "def test_z():\n    pass\n\n\ndef test_x():\n    pass\n",
        },
        {
            "tests/test_a.py": "def test_x():\n    pass\n\n\ndef test_y():\n    pass\n",
            "tests/test_b.py": "def test_z():\n    pass\n",
        },
    ),
    *(
        Trap(
            f"a function under a new name: {statement}",
            statement,
            None,
            {"a.py": "def beta(a):\n    b = a * 2\n    c = b + 1\n    return c\n"},
            {"a.py": "def alpha(a):\n    b = a * 2\n    c = b + 1\n    return c\n"},
        )
        for statement in ("Added the function `beta`.", "Removed the function `alpha`.", "`beta` is new.")
    ),
]
TWINS: dict[str, str | bytes] = {
    "config.py": "A = 1\n",
    "src/config.py": "A = 1\n",
    "tests/a.py": "a\n",
    "pkg/tests/t.py": "t\n",
}
TWINS_NOW: dict[str, str | bytes | None] = {
    "src/config.py": "import yaml\n\n\ndef load():\n    yaml.x()\n",
    "pkg/tests/t.py": "u\n",
    "src/utils/y.py": "y\n",
}
OF_TWINS = [
    Trap(f"of a bare name: {statement}", statement, None, TWINS_NOW, TWINS)
    for statement in (
        "`config.py` imports `yaml`.",
        "`config.py` does not import `yaml`.",
        "`config.py` defines the function `load`.",
        "There is no function `load` in `config.py`.",
        "Line 1 of `config.py` reads `import yaml`.",
        "Nothing in `tests/` was changed.",
        "The directory `tests` is unchanged.",
        "Only `tests/` and `src/` were changed.",
        "Added 2 files to `tests/`.",
    )
]
PARAMETERS: dict[str, str | bytes | None] = {
    "a.py": "def render(ctx: Context, s: str, p: Path):\n    return p\n\n\ndef gen(a, b=2):\n    return a\n\n\ndef f(a, **kw):\n    return a\n\n\ndef g(a, timeout_ms, retries):\n    return a\n"
}
PARAMETERS_THEN: dict[str, str | bytes] = {
    "a.py": "def render(ctx: Context, s: str, p: Path):\n    return p\n\n\ndef gen(a, b=2):\n    return a\n\n\ndef f(a, timeout=1):\n    return a\n\n\ndef g(a, timeout):\n    return a\n"
}
OF_PARAMETERS = [
    Trap(f"parameters: {statement}", statement, wanted, PARAMETERS, PARAMETERS_THEN)
    for statement, wanted in [
        ("`render` takes a `Context` parameter.", None),
        ("`render` accepts a `str` parameter.", None),
        ("`render` takes a `ctx` parameter.", YES),
        ("`gen` takes a single argument.", None),
        ("`gen` takes one argument.", None),
        ("`gen` takes one parameter.", NO),
        ("`gen` takes two parameters.", YES),
        ("Removed the `timeout` parameter from `f`.", None),
        ("Added the `timeout_ms` parameter to `g`.", None),
        ("Removed the `timeout` parameter from `g`.", None),
        ("Added the `b` argument to `gen`.", None),
        ("Added the `b` parameter to `gen`.", None),
    ]
]
PROSE = {
    "README.md": "To build the docs, run make. The queue is fast.\n",
    "a.py": "def build():\n    return 1\n",
}
OF_WORDS = [
    Trap(f"a word of prose: {statement}", statement, None, {**PROSE})
    for statement in (
        "`README.md` mentions the function `build`.",
        "`README.md` does not mention the function `build`.",
        "Nothing mentions the function `run`.",
        "Nothing mentions the module `queue`.",
    )
] + [
    Trap(
        "a word that is code",
        "`README.md` mentions the function `build`.",
        YES,
        {"README.md": "Call `build()`.\n"},
    ),
    Trap("a name with a sign and braces", "Nothing mentions `$TOKEN`.", None, {"a.sh": "echo ${TOKEN}\n"}),
    Trap(
        "a package is imported with underscores",
        "There are no mentions of `acme-client`.",
        None,
        {"a.py": "import acme_client\n"},
    ),
    Trap("a name in camel case", "Nothing mentions `max_retries`.", None, {"a.js": "const maxRetries = 1\n"}),
    Trap(
        "a name that Markdown escapes", "Nothing mentions `planted_name`.", None, {"a.md": "planted\\_name\n"}
    ),
]
OTHERS: dict[str, str | bytes | None] = {
    "a.py": "from .models import requests\n\nx = requests\n",
    "c.py": "requests = {}\n\n\ndef f(k):\n    return requests.get(k)\n",
    "b.py": "class B:\n    def f(self, k):\n        return self.requests.get(k)\n",
    "d.js": "import { axios } from './mock'\naxios.get(1)\n",
    "e.py": "from .load import load\n\nload()\n",
    "load.py": "def load():\n    return 1\n",
}
OF_OTHERS = [
    Trap(f"another thing of that name: {statement}", statement, wanted, OTHERS)
    for statement, wanted in [
        ("`a.py` imports `requests`.", None),
        ("`a.py` does not import `requests`.", None),
        ("`c.py` calls `requests.get`.", None),
        ("`c.py` does not call `requests.get`.", None),
        ("`b.py` does not call `requests.get`.", None),
        ("`d.js` does not import `axios`.", None),
        ("`e.py` imports `load`.", YES),
        ("`e.py` calls `load`.", YES),
    ]
]
UNSEEN = [
    Trap(
        f"used unseen: {name}",
        "Nothing calls `cmd_build`.",
        None,
        {"cmds.py": "def cmd_build():\n    return 1\n", "main.py": text},
    )
    for name, text in {
        "getmembers": "import cmds, inspect\ninspect.getmembers(cmds)\n",
        "vars": "import cmds\nfor one in vars(cmds).values(): one()\n",
        "__dict__": "import cmds\ncmds.__dict__['cmd_' + x]()\n",
        "fire": "import fire\nfire.Fire()\n",
    }.items()
] + [
    Trap("a tool calls it", "`deploy` is unused.", None, {"fabfile.py": "def deploy():\n    return 1\n"}),
    Trap(
        "a page calls it",
        "`startGame` is unused.",
        None,
        {"game.js": "function startGame() {\n  return 1\n}\n"},
    ),
    Trap(
        "an inherited test",
        "There is no test `test_r` in `tests/test_b.py`.",
        None,
        {"tests/test_b.py": "from base import R\n\n\nclass TestB(R):\n    x = 1\n"},
    ),
    Trap(
        "a module that gives names",
        "The class `Thing` exists in `p/__init__.py`.",
        None,
        {
            "p/__init__.py": "import lazy\n\n__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)\n"
        },
    ),
    Trap(
        "a member of an enum is no constant",
        "Added the constant `RED`.",
        None,
        {"a.py": "import enum\n\n\nclass Color(enum.Enum):\n    RED = 1\n"},
    ),
    Trap(
        "a route that is mounted elsewhere",
        "There is a route `/users`.",
        None,
        {
            "users.js": "const express = require('express')\nconst app = express()\napp.get('/users', f)\nmodule.exports = app\n",
            "server.js": "main.use('/api', require('./users'))\n",
        },
    ),
    Trap(
        "a value that changed to itself",
        "Changed `LIMIT` from 5 to 5.",
        None,
        {"a.py": "LIMIT = 5\nX = 2\n"},
        {"a.py": "LIMIT = 5\nX = 1\n"},
    ),
]
FILES_OF = [
    Trap(
        "what stands beside tests is none",
        "Added 5 test files to `tests/unit`.",
        None,
        dict.fromkeys(
            (
                "tests/unit/__init__.py",
                "tests/unit/conftest.py",
                "tests/unit/test_a.py",
                "tests/unit/test_b.py",
                "tests/unit/data.json",
            ),
            "1\n",
        ),
    ),
    Trap(
        "test files alone",
        "Two test files were added under `tests/unit`.",
        YES,
        dict.fromkeys(("tests/unit/test_a.py", "tests/unit/test_b.py"), "1\n"),
    ),
    Trap(
        "only line ends",
        "No Python files were changed.",
        None,
        {"a.py": "a\r\n", "b.md": "c\n"},
        {"a.py": "a\n", "b.md": "b\n"},
    ),
    Trap(
        "a file that some would count",
        "Only Python files were changed.",
        None,
        {"a.py": "2\n", "n.ipynb": "{ }\n"},
        {"a.py": "1\n", "n.ipynb": "{}\n"},
    ),
    Trap(
        "one that is none",
        "Only Python files were changed.",
        NO,
        {"a.py": "2\n", "b.md": "2\n"},
        {"a.py": "1\n", "b.md": "1\n"},
    ),
    Trap("none of them", "No Go files were changed.", YES, {"a.py": "2\n"}, {"a.py": "1\n"}),
    Trap("one that is new", "No Go files were changed.", None, {"a.go": "package a\n"}),
]
SAID_OTHERWISE = [
    Trap(
        "a list of parameters over lines",
        "The signature of `f` is unchanged.",
        NO,
        {"a.js": "function f(\n  a,\n  b,\n  c,\n) {\n  return a\n}\n"},
        {"a.js": "function f(\n  a,\n  b,\n) {\n  return a\n}\n"},
    ),
    Trap(
        "a parameter that is taken apart",
        "The signature of `f` is unchanged.",
        None,
        {"a.js": "function f({\n  a,\n  c,\n}) {\n  return a\n}\n"},
        {"a.js": "function f({\n  a,\n  b,\n}) {\n  return a\n}\n"},
    ),
    Trap(
        "a default that changed",
        "The signature of `f` is unchanged.",
        None,
        {"a.py": "def f(a=1):\n    return a\n"},
        {"a.py": "def f(a=2):\n    return a\n"},
    ),
    Trap(
        "the body alone",
        "The signature of `f` is unchanged.",
        YES,
        {"a.py": "def f(a):\n    return 2\n"},
        {"a.py": "def f(a):\n    return 1\n"},
    ),
    Trap("an interface is not extended", "`A` extends `B`.", None, {"A.java": "class A implements B {\n}\n"}),
    Trap(
        "a class of another's class", "`A` is a subclass of `C`.", None, {"a.py": "class A(B):\n    pass\n"}
    ),
    Trap("a metaclass", "`A` is a subclass of `C`.", None, {"a.py": "class A(metaclass=M):\n    pass\n"}),
    Trap("a class of none", "`A` is a subclass of `C`.", NO, {"a.py": "class A:\n    pass\n"}),
    Trap(
        "a fragment of the changelog",
        "Updated the changelog.",
        None,
        {"changelog.d/1.md": "x\n"},
        {"CHANGELOG.md": "1\n"},
    ),
    Trap("the changelog", "Updated the changelog.", YES, {"CHANGELOG.md": "2\n"}, {"CHANGELOG.md": "1\n"}),
    Trap(
        "a README in two languages",
        "Updated the README.",
        None,
        {"README.zh.md": "x\n", "README.md": "# x\n"},
    ),
    Trap(
        "what is added to a function is no member",
        "Added `retries` to `fetch`.",
        None,
        {"a.py": "def fetch(retries):\n    return retries\n"},
        {"a.py": "def fetch():\n    return 1\n"},
    ),
    Trap(
        "a parametrized test is several",
        "Added 1 tests to `test_a.py`.",
        None,
        {"test_a.py": "import pytest\n\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test_b(n):\n    pass\n"},
    ),
    Trap(
        "a constant that stayed",
        "`LIMIT` was not changed.",
        YES,
        {"a.py": "LIMIT = 5\nX = 2\n"},
        {"a.py": "LIMIT = 5\nX = 1\n"},
    ),
    Trap(
        "a constant that did not stay",
        "`LIMIT` is unchanged.",
        NO,
        {"a.py": "LIMIT = 6\n"},
        {"a.py": "LIMIT = 5\n"},
    ),
]
SAID_OTHERWISE += [
    Trap("an option of one letter", "Nothing mentions `-q`.", YES, {"a.sh": "run --fast quickly\n"}),
    Trap("an option of one letter that stands there", "Nothing mentions `-q`.", NO, {"a.sh": "run -q\n"}),
    Trap(
        "a name of a parameter in Go",
        "The signature of `F` is unchanged.",
        None,
        {"a.go": "package a\n\nfunc F(_ int) int {\n\\treturn 1\n}\n"},
        {"a.go": "package a\n\nfunc F(a int) int {\n\\treturn 1\n}\n"},
    ),
    Trap(
        "what is given is said in further lines",
        "The signature of `f` is unchanged.",
        None,
        {"a.ts": "function f(a: number): {\n  b: string\n} {\n  return x\n}\n"},
        {"a.ts": "function f(a: number): {\n  b: number\n} {\n  return x\n}\n"},
    ),
    Trap(
        "a decorator came",
        "The signature of `C.s` is unchanged.",
        None,
        {"a.py": "class C:\n    @staticmethod\n    def s(a, b):\n        return a\n"},
        {"a.py": "class C:\n    def s(a, b):\n        return a\n"},
    ),
    Trap(
        "another spelling of a value",
        "`LIMIT` is unchanged.",
        None,
        {"a.py": "LIMIT = 1_000\n"},
        {"a.py": "LIMIT = 1000\n"},
    ),
    Trap(
        "another type of a constant",
        "`LIMIT` is unchanged.",
        None,
        {"a.rs": "pub const LIMIT: u64 = 5;\n"},
        {"a.rs": "pub const LIMIT: u32 = 5;\n"},
    ),
    Trap(
        "two were changed and one was added",
        "Two files were changed.",
        None,
        {"a.md": "2\n", "b.md": "2\n", "c.md": "2\n"},
        {"a.md": "1\n", "b.md": "1\n"},
    ),
    Trap("a root of all classes", "`A` is a subclass of `object`.", None, {"a.py": "class A:\n    pass\n"}),
    Trap(
        "a module that is brought in unseen",
        "`widget` is unused.",
        None,
        {"src/plugins/widget.ts": "export const x = 1\n", "src/a.ts": "import.meta.glob('./plugins/*.ts')\n"},
    ),
    Trap("a template of a file", "No YAML files were changed.", None, {"config.yml.j2": "a: 1\n"}),
    Trap(
        "two README of which both changed",
        "`README.md` mentions `--flag`.",
        None,
        {"README.md": "# y\n", "packages/a/README.md": "--flag\n"},
        {"packages/a/README.md": "x\n"},
    ),
    Trap(
        "inherited tests",
        "Added 3 tests to `tests/test_x.py`.",
        None,
        {
            "tests/test_x.py": "from base import Base\n\n\nclass TestTwo(Base):\n    def test_a(self):\n        pass\n"
        },
        {"tests/test_x.py": ""},
    ),
    Trap(
        "tests with a patch",
        "`test_x.py` has 1 test function.",
        YES,
        {"test_x.py": "def test_a(monkeypatch):\n    monkeypatch.setattr('time.sleep', None)\n"},
    ),
    Trap(
        "a branch is no folder",
        "Two files were added to `main`.",
        None,
        {"src/main/a.java": "class A {}\n", "b.md": "b\n", "c.md": "c\n"},
    ),
    Trap(
        "a keyword of a class",
        "`A` is a subclass of `ABCMeta`.",
        None,
        {"a.py": "import abc\n\n\nclass A(metaclass=abc.ABCMeta):\n    pass\n"},
    ),
    Trap("days and seconds", "`DAYS` is 7.", None, {"a.py": "DAYS = 604800\n"}),
    Trap(
        "a function within a test",
        "Added 1 tests to `test_x.py`.",
        YES,
        {"test_x.py": "def test_a():\n    def test_view():\n        pass\n"},
    ),
]
TRAPS = [
    *SAID_OTHERWISE,
    *OF_TIME,
    *MOVED,
    *OF_TWINS,
    *OF_PARAMETERS,
    *OF_WORDS,
    *OF_OTHERS,
    *UNSEEN,
    *FILES_OF,
]


@pytest.mark.parametrize("trap", TRAPS, ids=[trap.name for trap in TRAPS])
def test_a_trap_is_seen(tmp_path: Path, trap: Trap) -> None:
    folder = changed(tmp_path, {"README.md": "# x\n", **trap.then}, trap.now)
    assert verdict(folder, trap.statement) == trap.verdict


def test_what_git_ignores_is_not_in_the_repository(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", {".gitignore": "build/\n"}, {"a.py": "a\n"})
    write(folder, {"build/x": "1\n", "notes.txt": "1\n"})
    for statement in (
        "The repository contains a directory `build`.",
        "There is no directory `build` in the repo.",
        "The repository contains `notes.txt`.",
        "`notes.txt` does not exist in the repo.",
    ):
        assert verdict(folder, statement) is None, statement
    assert verdict(folder, "`a.py` exists in the repo.") == YES


def test_of_a_link_that_became_a_file_what_it_holds_is_searched(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", {"a.py": "a\n"}, {"b.py": "b\n"})
    (folder / "link.py").symlink_to("a.py")
    git("add", "--all", at=folder)
    git("commit", "--quiet", "-m", "link", at=folder)
    (folder / "link.py").unlink()
    write(folder, {"link.py": "planted_name = 1\n"})
    assert verdict(folder, "Nothing mentions `planted_name`.") == NO


def test_a_name_that_differs_by_its_case_alone_is_listed_whatever_the_config_says(tmp_path: Path) -> None:
    folder = changed(tmp_path / "repo", {"b.py": "b\n"}, {"a.py": "a\n"})
    git("config", "core.ignoreCase", "true", at=folder)
    write(folder, {"B.py": "planted_name = 1\n"})
    for statement in (
        "Nothing mentions `planted_name`.",
        "Only `a.py` was changed.",
        "Everything is committed.",
    ):
        assert verdict(folder, statement) is None, statement


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04\0x", b"\x1f\x8b\0x", b"\x28\xb5\x2f\xfd\0x"], ids=["zip", "gzip", "zstd"]
)
def test_what_is_packed_under_any_name_was_not_searched(tmp_path: Path, data: bytes) -> None:
    folder = changed(tmp_path / "repo", {"a.py": "a\n"}, {"l.data": data})
    assert verdict(folder, "Nothing mentions `planted_name`.") is None
