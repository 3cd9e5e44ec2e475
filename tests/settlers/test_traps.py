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
    Trap("a function that is nowhere", "The function `close` exists.", NO, {"a.py": "x = 1\n"}),
    Trap("a class that is nowhere", "The class `Cache` does not exist.", YES, {"a.py": "x = 1\n"}),
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
        "The function `gone` does not exist.",
        YES,
        {"a.md": "Use `gone`.\n"},
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
        None,
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

CARGO = '[dependencies]\nserde = "1.0"\n'
NPM = '{"name": "a", "version": "1.0.0", "dependencies": {"react": "^18.2.0", "left-pad": "1.3.0"}}'
MORE_DEPENDENCIES = [
    Trap("a version within a range", "`package.json` uses `react` 18.3.1.", None, {"package.json": NPM}),
    Trap("an exact version", "`package.json` uses `left-pad` 1.3.1.", NO, {"package.json": NPM}),
    Trap("a range of Cargo pins nothing", "`Cargo.toml` pins `serde` to 1.0.", None, {"Cargo.toml": CARGO}),
    Trap(
        "an address",
        "`package.json` uses `x-y` 2.0.0.",
        None,
        {"package.json": NPM.replace("1.3.0", "github:f/x").replace("left-pad", "x-y")},
    ),
    Trap(
        "the extras are said with it",
        "`pyproject.toml` depends on `uvicorn[standard]`.",
        None,
        {"pyproject.toml": PYPROJECT.replace("rich", "uvicorn[standard]")},
    ),
    Trap(
        "a version is said with it",
        "`package.json` depends on `left-pad@1.3.0`.",
        None,
        {"package.json": NPM},
    ),
    Trap(
        "Cargo writes both ways",
        "`serde_json` is a dependency in `Cargo.toml`.",
        YES,
        {"Cargo.toml": CARGO.replace("serde", "serde-json")},
    ),
    Trap(
        "what Python it wants is no dependency",
        "`pyproject.toml` requires `python` 3.11.",
        None,
        {"pyproject.toml": PYPROJECT + 'requires-python = ">=3.11"\n'},
    ),
    Trap(
        "a script is declared too",
        "`package.json` declares `lint-fix`.",
        None,
        {"package.json": '{"scripts": {"lint-fix": "x"}}'},
    ),
    Trap(
        "a dependency for development",
        "The project depends on `jest`.",
        None,
        {"package.json": '{"devDependencies": {"jest": "1.0.0"}}'},
    ),
    Trap(
        "a lower version is no upgrade",
        "Upgraded `rich` from 13.0.0 to 12.0.0.",
        None,
        {"pyproject.toml": PYPROJECT.replace("13", "12")},
        {"pyproject.toml": PYPROJECT},
    ),
    Trap(
        "another version of a range",
        "Bumped `react` to 19.0.0.",
        None,
        {"package.json": NPM.replace("^18.2.0", "^19.1.0")},
        {"package.json": NPM},
    ),
    Trap(
        "a bump that was made",
        "Bumped `left-pad` from 1.3.0 to 1.4.0.",
        YES,
        {"package.json": NPM.replace("1.3.0", "1.4.0")},
        {"package.json": NPM},
    ),
    Trap(
        "an indirect one",
        "No new dependency was added.",
        None,
        {"go.mod": "module a\n\nrequire x.org/b v1.0.0 // indirect\n"},
        {"go.mod": "module a\n"},
    ),
    Trap(
        "more extras",
        "No new dependency was added.",
        None,
        {"pyproject.toml": PYPROJECT.replace("rich", "rich[jupyter]")},
        {"pyproject.toml": PYPROJECT},
    ),
    Trap(
        "an image installs more",
        "No new dependency was added.",
        None,
        {"Dockerfile": "RUN pip install x\n"},
        {"pyproject.toml": PYPROJECT},
    ),
    Trap(
        "never there",
        "`flask-x` is no longer a dependency in `pyproject.toml`.",
        None,
        {"pyproject.toml": PYPROJECT + "\n"},
        {"pyproject.toml": PYPROJECT},
    ),
    Trap(
        "VERSION says another one",
        "The version is 1.0.0.",
        None,
        {"VERSION": "1.0.0\n", "pyproject.toml": PYPROJECT},
    ),
]

PLACES = [
    Trap("a branch has a slash too", "`feature/login` was deleted.", None, {"a.py": "x = 1\n"}),
    Trap("so has a package", "Added `@types/node`.", None, {"a.py": "x = 1\n"}),
    Trap("so has a route", "`api/users` exists.", None, {"a.py": "x = 1\n"}),
    Trap("so has an import path", "`golang.org/x/net` was added.", None, {"a.py": "x = 1\n"}),
    Trap("a path with a line", "`src/a.py:12` exists.", None, {"src/a.py": "x = 1\n"}),
    Trap("a path without its ending", "Added `src/utils/date`.", None, {"src/utils/date.ts": "x\n"}),
    Trap(
        "a folder said as a path",
        "Deleted `src/legacy`.",
        None,
        {"src/legacy/a.py": None, "src/b.py": "x\n"},
        {"src/legacy/a.py": "x\n"},
    ),
    Trap("no such file where others are", "`src/b.py` was added.", NO, {"src/a.py": "x = 1\n"}),
    Trap(
        "no such file in a folder that is none",
        "The file `docs/DESIGN.md` was created.",
        NO,
        {"src/a.py": "x = 1\n"},
    ),
    Trap(
        "a bare name of several files",
        "`package.json` was changed.",
        None,
        {"web/package.json": "[]"},
        {"package.json": "{}", "web/package.json": "{}"},
    ),
    Trap(
        "only a bare name of several files",
        "Only `package.json` was changed.",
        YES,
        {"web/package.json": "[]"},
        {"package.json": "{}", "web/package.json": "{}"},
    ),
    Trap(
        "a folder that is ignored",
        "The directory `node_modules` exists.",
        None,
        {".gitignore": "node_modules\n", "web/node_modules/a.js": "x"},
    ),
    Trap(
        "renamed beside itself",
        "Renamed `docs/intro.md` to `README.md`.",
        YES,
        {"docs/intro.md": None, "docs/README.md": "a\nb\nc\n"},
        {"README.md": "# x\n", "docs/intro.md": "a\nb\nc\n"},
    ),
    Trap(
        "the old file leads to the new one",
        "Renamed `a.py` to `b.py`.",
        None,
        {"a.py": "from b import *\n", "b.py": "x = 1\ny = 2\n"},
        {"a.py": "x = 1\ny = 2\n"},
    ),
    Trap(
        "two copies of the old one",
        "Renamed `a.py` to `b.py`.",
        None,
        {"a.py": None, "b.py": "x = 1\n", "c.py": "x = 1\n"},
        {"a.py": "x = 1\n"},
    ),
    Trap(
        "only line ends differ",
        "Only `b.py` was changed.",
        None,
        {"a.py": "x = 1\r\n", "b.py": "2\n"},
        {"a.py": "x = 1\n", "b.py": "1\n"},
    ),
]

MORE_MENTIONS = [
    Trap(
        "a definition is no reference",
        "Nothing references `helper`.",
        None,
        {"a.py": "def helper():\n    pass\n"},
    ),
    Trap(
        "a dotted name is used by its last",
        "There are no references to `utils.helper`.",
        None,
        {"b.py": "from utils import helper\n"},
    ),
    Trap(
        "a file does by its last name",
        "`b.py` does not mention `utils.helper`.",
        None,
        {"b.py": "from utils import helper\n"},
    ),
    Trap(
        "a method of a text",
        "Nothing calls `join`.",
        None,
        {"a.py": "def join(x):\n    pass\n\n\nprint(', '.join([]))\n"},
    ),
    Trap("a method of what is made", "`a.py` does not call `run`.", None, {"a.py": "make().run()\n"}),
    Trap(
        "a parameter without a name of its own",
        "Nothing calls `next`.",
        None,
        {"a.js": "function next() {}\napp.use((req, res, next) => next())\n"},
    ),
    Trap(
        "a lambda's parameter",
        "Nothing calls `cb`.",
        None,
        {"a.py": "def cb():\n    pass\n\n\nf = lambda cb: cb()\n"},
    ),
    Trap(
        "a pattern of Rust", "Nothing calls `cb`.", None, {"a.rs": "fn cb() {}\nfn f() { g(|cb| cb()); }\n"}
    ),
    Trap(
        "a text that is broken over lines",
        '`a.md` does not mention "very old text".',
        None,
        {"a.md": "a very\nold text\n"},
    ),
    Trap("a longer package", "Nothing mentions `react`.", None, {"a.json": '{"react-dom": 1}\n'}),
    Trap("a longer option", "Nothing mentions `--verbose`.", None, {"a.sh": "x --verbose-errors\n"}),
    Trap("the name of a folder", "There is no mention of `acme`.", None, {"acme/__init__.py": ""}),
    Trap(
        "names that are put together",
        "`cmd_build` is unused.",
        None,
        {"a.py": "def cmd_build():\n    pass\n", "b.py": "globals()['cmd_' + x]()\n"},
    ),
    Trap(
        "a class that a framework finds",
        "`FooPlugin` is unused.",
        None,
        {"a.py": "class FooPlugin(Plugin):\n    pass\n"},
    ),
    Trap("a packed file", "Nothing mentions `acme`.", None, {"a.zip": b"PK\x03\x04"}),
    Trap(
        "imported by a computed name",
        "`a.py` does not import `yaml`.",
        None,
        {"a.py": "import importlib\nimportlib.import_module('ya' + 'ml')\n"},
    ),
    Trap(
        "what is called without its name",
        "`a.py` does not call `__enter__`.",
        None,
        {"a.py": "with x:\n    pass\n"},
    ),
    Trap("it is still so", "`a.py` still exists.", None, {"a.py": "x\n"}),
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
TRAPS = [
    *MENTIONS,
    *SYMBOLS,
    *PROSE,
    *LINES,
    *DEPENDENCIES,
    *MORE_DEPENDENCIES,
    *PLACES,
    *MORE_MENTIONS,
    *OPTIONS,
    *VALUES,
    *KEYS,
    *STATE,
]


@pytest.mark.parametrize("trap", TRAPS, ids=[trap.name for trap in TRAPS])
def test_a_trap_is_seen(tmp_path: Path, trap: Trap) -> None:
    folder = changed(tmp_path, {**trap.then}, trap.now)
    assert verdict(folder, trap.statement) == trap.verdict
