"""Each row is a way in which a settler could be wrong. The right verdict, or silence, is beside it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from settlers.settle_helpers import changed, verdict

Files = dict[str, str | bytes]
NO, YES = "REFUTED", "CONFIRMED"


class Trap(NamedTuple):
    """A tree, what is said of it, and what may be decided."""

    name: str
    statement: str
    verdict: str | None
    now: dict[str, str | bytes | None]
    then: Files = {"README.md": "# x\n"}  # noqa: RUF012 - never changed


MENTIONS = [
    Trap(
        "a variable of a shell mentions the name",
        "Nothing mentions `TOKEN`.",
        None,
        {"a.sh": "echo $TOKEN\n"},
    ),
    Trap("the name in other case", "Nothing mentions `acme`.", None, {"a.md": "Acme is old.\n"}),
    Trap("a part of a longer word", "Nothing mentions `acme`.", None, {"a.py": "import acme_client\n"}),
    Trap("another normal form", "Nothing mentions `café`.", None, {"a.md": "cafe\u0301\n"}),
    Trap(
        "latin-1 and a name that is no ASCII",
        "Nothing mentions `café`.",
        None,
        {"a.txt": "café\n".encode("latin-1")},
    ),
    Trap("nothing at all", "Nothing mentions `acme`.", YES, {"a.md": "A text.\n"}),
    Trap(
        "a method is called by whom it inherits from",
        "Nothing calls `run`.",
        None,
        {"a.py": "class A(B):\n    def run(self):\n        pass\n"},
    ),
    Trap(
        "a decorator hands it on",
        "Nothing calls `index`.",
        None,
        {"a.py": "@app.get('/')\ndef index():\n    pass\n"},
    ),
    Trap(
        "a test is called by its runner",
        "`test_a` is unused.",
        None,
        {"test_a.py": "def test_a():\n    pass\n"},
    ),
    Trap("main is called by convention", "Nothing calls `main`.", None, {"a.py": "def main():\n    pass\n"}),
    Trap("Go exports by a capital", "`Run` is unused.", None, {"a.go": "package a\n\nfunc Run() {}\n"}),
    Trap("an export of a module", "`run` is unused.", None, {"a.ts": "export function run() {}\n"}),
    Trap(
        "nobody calls a function of the module",
        "Nothing calls `lonely`.",
        YES,
        {"a.py": "def lonely():\n    pass\n"},
    ),
    Trap(
        "recursion is no use from outside",
        "Nothing calls `walk`.",
        None,
        {"a.py": "def walk(n):\n    walk(n - 1)\n"},
    ),
    Trap(
        "a parameter of the same name is called",
        "Nothing calls `cb`.",
        None,
        {"a.py": "def cb():\n    pass\n\n\ndef f(cb):\n    cb()\n"},
    ),
    Trap(
        "a local of the same name is called",
        "Nothing calls `cb`.",
        None,
        {"a.py": "def cb():\n    pass\n\n\ndef f(g):\n    cb = g\n    cb()\n"},
    ),
    Trap(
        "the name is imported from another module",
        "Nothing calls `run`.",
        None,
        {"a/util.py": "def run():\n    pass\n", "b.py": "from other.util import run\n\nrun()\n"},
    ),
    Trap(
        "it is imported and called",
        "Nothing calls `run`.",
        NO,
        {"a/util.py": "def run():\n    pass\n", "b.py": "from a.util import run\n\nrun()\n"},
    ),
    Trap(
        "a relative import that leads there",
        "Nothing imports `run`.",
        NO,
        {"a/util.py": "def run():\n    pass\n", "a/b.py": "from .util import run\n"},
    ),
    Trap(
        "a relative import that leads elsewhere",
        "Nothing imports `run`.",
        None,
        {"a/util.py": "def run():\n    pass\n", "c/b.py": "from .util import run\n"},
    ),
    Trap(
        "JavaScript imports by a path",
        "Nothing imports `run`.",
        NO,
        {"a/util.js": "export function run() {}\n", "a/b.js": "import { run } from './util.js'\n"},
    ),
    Trap("a call through a text", "`a.py` does not call `run`.", None, {"a.py": "getattr(x, 'run')()\n"}),
    Trap("a longer name is no call of it", "`a.py` does not call `run`.", YES, {"a.py": "run_all()\n"}),
]

SYMBOLS = [
    Trap("without a kind nothing is missing", "`print` exists.", None, {"a.py": "x = 1\n"}),
    Trap("without a kind no absence is shown", "`Cache` does not exist.", None, {"a.py": "x = 1\n"}),
    Trap("a method is inherited", "The method `close` exists.", None, {"a.py": "class A(B):\n    pass\n"}),
    Trap(
        "a dotted name is inherited",
        "The function `A.close` exists.",
        None,
        {"a.py": "class A(B):\n    pass\n"},
    ),
    Trap("a function that is nowhere", "The function `close` exists.", None, {"a.py": "x = 1\n"}),
    Trap("a class that is nowhere", "The class `Cache` does not exist.", None, {"a.py": "x = 1\n"}),
    Trap("a function that a file has not", "The function `close` exists in `a.py`.", NO, {"a.py": "x = 1\n"}),
    Trap(
        "a class that a file has not", "The class `Cache` does not exist in `a.py`.", YES, {"a.py": "x = 1\n"}
    ),
    Trap(
        "Lombok and derives define unseen",
        "The class `ABuilder` does not exist.",
        None,
        {"A.java": "@Builder\nclass A {}\n"},
    ),
    Trap(
        "git ignores a source",
        "The function `build` does not exist.",
        None,
        {"a.py": "x = 1\n", ".gitignore": "made.py\n", "made.py": "def build(): ...\n"},
    ),
    Trap(
        "neither before nor after, without a kind",
        "Removed `gone`.",
        None,
        {"a.py": "x = 1\n", "b.md": "gone\n"},
    ),
    Trap("removed, and it is new", "`fresh` was removed.", NO, {"a.py": "def fresh():\n    pass\n"}),
    Trap(
        "added, and it was there",
        "Added the function `old`.",
        NO,
        {"a.py": "def old():\n    return 2\n"},
        {"a.py": "def old():\n    return 1\n"},
    ),
    Trap(
        "added, and it moved",
        "Added the function `old`.",
        None,
        {"a.py": None, "b.py": "def old():\n    return 1\n"},
        {"a.py": "def old():\n    return 1\n"},
    ),
    Trap(
        "the old name leads to the new one",
        "`old` was renamed to `new`.",
        None,
        {"a.py": "def new():\n    return 1\n\n\ndef old():\n    return new()\n"},
        {"a.py": "def old():\n    return 1\n"},
    ),
    Trap(
        "renamed to what stands nowhere",
        "`old` was renamed to `newest`.",
        NO,
        {"a.py": "def new():\n    return 1\n"},
        {"a.py": "def old():\n    return 1\n"},
    ),
    Trap(
        "what it takes may be no parameter",
        "`wait` takes `seconds`.",
        None,
        {"a.py": "def wait(ms):\n    pass\n"},
    ),
    Trap(
        "a parameter that is not there",
        "`wait` takes the parameter `seconds`.",
        NO,
        {"a.py": "def wait(ms):\n    pass\n"},
    ),
]

PROSE = [
    Trap(
        "a page that tells of it defines nothing",
        "The function `gone` was removed.",
        YES,
        {"a.py": "x = 1\n", "a.md": "Use `gone`.\n"},
        {"a.py": "def gone():\n    return 1\n"},
    ),
    Trap(
        "renamed, and a change log tells of it",
        "The function `old` was renamed to `new`.",
        YES,
        {"a.py": "def new():\n    return 1\n", "CHANGES.md": "`old` is now `new`.\n"},
        {"a.py": "def old():\n    return 1\n"},
    ),
]

LINES = [
    Trap(
        "a call is mentioned without its brackets",
        "`a.md` does not contain `run()`.",
        None,
        {"a.md": "Call run with care.\n"},
    ),
    Trap("a marked word", "`a.md` does not contain `very old`.", None, {"a.md": "A very **old** text.\n"}),
    Trap(
        "a text that is not there", "`a.md` does not contain `very new`.", YES, {"a.md": "A very old text.\n"}
    ),
    Trap("a line in other marks", "Line 1 of `a.md` reads `a new text`.", None, {"a.md": "A *new* text\n"}),
    Trap(
        "a line that reads otherwise", "Line 1 of `a.md` reads `an old text`.", NO, {"a.md": "A new text\n"}
    ),
    Trap(
        "tests of a file that is gone",
        "Added 1 test function to `test_b.py`.",
        None,
        {"test_a.py": None, "test_b.py": "def test_x():\n    pass\n"},
        {"test_a.py": "def test_x():\n    pass\n"},
    ),
]

PYPROJECT = '[project]\nname = "a"\nversion = "1.2.0"\ndependencies = ["rich==13.0.0"]\n'
DEPENDENCIES = [
    Trap("no manifest is named", "`attrs` is a dependency.", None, {"pyproject.toml": PYPROJECT}),
    Trap(
        "the manifest that is named has it not",
        "`attrs` is a dependency in `pyproject.toml`.",
        NO,
        {"pyproject.toml": PYPROJECT},
    ),
    Trap("a pronoun", "This is a dependency in `pyproject.toml`.", None, {"pyproject.toml": PYPROJECT}),
    Trap("it is there", "`rich` is a dependency.", YES, {"pyproject.toml": PYPROJECT}),
    Trap(
        "setup.py declares what it likes",
        "No new dependency was added.",
        None,
        {"setup.py": "setup(install_requires=['x'])\n", "pyproject.toml": PYPROJECT},
        {"pyproject.toml": PYPROJECT},
    ),
    Trap(
        "nothing declares more",
        "No new dependency was added.",
        YES,
        {"a.py": "x = 1\n"},
        {"pyproject.toml": PYPROJECT},
    ),
    Trap(
        "uv declares in its own table",
        "No new dependency was added.",
        None,
        {"pyproject.toml": PYPROJECT + '[tool.uv]\ndev-dependencies = ["x"]\n'},
        {"pyproject.toml": PYPROJECT},
    ),
    Trap(
        "npm installs it under another name",
        "`left` is a dependency in `package.json`.",
        None,
        {"package.json": '{"dependencies": {"l": "npm:left@1"}}'},
    ),
    Trap(
        "Cargo renames",
        "`left` is a dependency in `Cargo.toml`.",
        None,
        {"Cargo.toml": '[dependencies]\nl = { package = "left" }\n'},
    ),
    Trap(
        "Go replaces",
        "`x.org/left` is a dependency in `go.mod`.",
        None,
        {"go.mod": "module a\n\nreplace x.org/l => x.org/left v1.0.0\n"},
    ),
    Trap(
        "what the build requires",
        "`hatchling` is a dependency.",
        None,
        {"pyproject.toml": PYPROJECT + '[build-system]\nrequires = ["hatchling"]\n'},
    ),
    Trap(
        "a version said in short",
        "Bumped `rich` from 13.0 to 14.",
        None,
        {"pyproject.toml": PYPROJECT.replace("13", "14")},
        {"pyproject.toml": PYPROJECT},
    ),
    Trap("the same version in other digits", "The version is 1.2.", None, {"pyproject.toml": PYPROJECT}),
    Trap("another version", "The version is 1.3.0.", NO, {"pyproject.toml": PYPROJECT}),
    Trap(
        "only the lock file says the version",
        "Bumped `rich` to 14.0.0.",
        None,
        {"uv.lock": "rich 14\n"},
        {"pyproject.toml": PYPROJECT, "uv.lock": "rich 13\n"},
    ),
    Trap(
        "a manifest below has another version",
        "The version is 1.2.0.",
        YES,
        {"pyproject.toml": PYPROJECT, "x/package.json": '{"version": "9.0.0"}'},
    ),
    Trap(
        "a manifest at the top has none",
        "The version is 1.2.0.",
        None,
        {"pyproject.toml": PYPROJECT, "package.json": "{}"},
    ),
    Trap("go.mod without a module", "`x.org/y` is a dependency in `go.mod`.", None, {"go.mod": "module\n"}),
]

OPTIONS = [
    Trap(
        "Selenium takes arguments too",
        "`a.py` accepts the option `--headless`.",
        None,
        {"a.py": "from selenium import webdriver\noptions.add_argument('--headless')\n"},
    ),
    Trap(
        "argparse declares it",
        "`a.py` accepts the option `--x`.",
        YES,
        {"a.py": "import argparse\nparser.add_argument('--x')\n"},
    ),
    Trap(
        "an option that no literal declares",
        "`a.py` does not accept the option `--y`.",
        None,
        {"a.py": "import argparse\nparser.add_argument('--x')\n"},
    ),
    Trap(
        "libraries make --help",
        "`a.py` accepts the option `--help`.",
        None,
        {"a.py": "import argparse\nparser.add_argument('--x')\n"},
    ),
    Trap(
        "a package lists what it exports",
        "`a/__init__.py` exports `b`.",
        None,
        {"a/__init__.py": "from a.x import b, c\n\n__all__ = ['c']\n"},
    ),
]

VALUES = [
    Trap(
        "it is counted up elsewhere",
        "`LIMIT` is 3.",
        None,
        {"a.py": "LIMIT = 3\n", "b.py": "from a import *\nLIMIT += 1\n"},
    ),
    Trap(
        "a test patches it",
        "`LIMIT` is 3.",
        None,
        {"a.py": "LIMIT = 3\n", "b.py": "mock.patch('a.LIMIT', 4)\n"},
    ),
    Trap("it is among the exports", "`LIMIT` is 3.", YES, {"a.py": "__all__ = ['LIMIT']\nLIMIT = 3\n"}),
    Trap("a word is no value", "`LIMIT` is `low`.", None, {"a.py": "LIMIT = 3\n"}),
    Trap(
        "a large number is compared exactly",
        "`LIMIT` is 9007199254740993.",
        NO,
        {"a.py": "LIMIT = 9007199254740992\n"},
    ),
    Trap("a constant of another version", "`VERSION` is `1.3.0`.", NO, {"a.py": 'VERSION = "1.2.0"\n'}),
]

KEYS = [
    Trap(
        "the key stands in a comment", "`a.toml` has no key `port`.", None, {"a.toml": "# port = 1\nx = 1\n"}
    ),
    Trap(
        "two tables have the key",
        "The key `port` in `a.toml` is 1.",
        None,
        {"a.toml": "[a]\nport = 1\n[b]\nport = 2\n"},
    ),
    Trap(
        "a text that looks like a number",
        "The key `port` in `a.toml` is 1.",
        None,
        {"a.toml": "port = '1'\n"},
    ),
    Trap("a key twice", "The key `port` in `a.json` is 1.", None, {"a.json": '{"port": 2, "port": 1}'}),
    Trap("a list", "The key `port` in `a.json` is 1.", None, {"a.json": '{"port": [1]}'}),
    Trap("JSON with comments", "`a.json` has no key `port`.", None, {"a.json": '{"x": 1} // y\n'}),
    Trap("an unquoted word", "The setting `mode` in `a.toml` is fast.", None, {"a.toml": "mode = 'slow'\n"}),
    Trap("a switch", "The setting `mode` in `a.ini` is `off`.", NO, {"a.ini": "[x]\nmode = on\n"}),
    Trap("another number", "The setting `x.mode` in `a.toml` is 3.", NO, {"a.toml": "[x]\nmode = 2\n"}),
]

STATE = [
    Trap("a word that names no branch", "The current branch is `stable`.", None, {"a.py": "x = 1\n"}),
    Trap("another branch", "The current branch is `main`.", NO, {"a.py": "x = 1\n"}),
    Trap("this branch", "The current branch is `work`.", YES, {"a.py": "x = 1\n"}),
]
TRAPS = [*MENTIONS, *SYMBOLS, *PROSE, *LINES, *DEPENDENCIES, *OPTIONS, *VALUES, *KEYS, *STATE]


@pytest.mark.parametrize("trap", TRAPS, ids=[trap.name for trap in TRAPS])
def test_a_trap_is_seen(tmp_path: Path, trap: Trap) -> None:
    folder = changed(tmp_path, {**trap.then}, trap.now)
    assert verdict(folder, trap.statement) == trap.verdict
