"""More ways in which a settler could be wrong: texts in other forms, names that are bound twice, files that took another name."""

from __future__ import annotations

from pathlib import Path

import pytest

from settlers.settle_helpers import changed, verdict
from settlers.test_traps import NO, YES, Trap

WORDS = '"connection refused by host"'
LINES = [
    *(
        Trap(
            f"a text in another form: {name}",
            f"`a.py` no longer contains {WORDS}.",
            None,
            {"a.py": text},
            {"a.py": f"{WORDS.strip(chr(34))}\n"},
        )
        for name, text in {
            "two lines of a comment": "# the connection refused\n# by host\n",
            "a quoted block": "> connection refused\n> by host\n",
            "two parts of a string": "x = ('connection refused ' f'by host')\n",
            "HTML": "connection <b>refused</b>&nbsp;by host\n",
            "a link": "[connection](http://x.y/z) refused by host\n",
            "a dash": "connection refused \u2013 by host\n",
        }.items()
    ),
    Trap(
        "the text is nowhere",
        f"`a.py` no longer contains {WORDS}.",
        YES,
        {"a.py": "refused by a host\n"},
        {"a.py": f"{WORDS.strip(chr(34))}\n"},
    ),
    Trap("the text never was", f"`a.py` no longer contains {WORDS}.", None, {"a.py": "refused by a host\n"}),
    Trap("a typographic quote", '`b.md` contains "it\'s".', None, {"b.md": "so it\u2019s\n"}),
    Trap("the stop is the sentence's", '`b.md` contains "Hello world."', None, {"b.md": "Hello world\n"}),
    Trap(
        "a longer option", "`a.sh` contains the text `--verbose`.", None, {"a.sh": "run --verbose-errors\n"}
    ),
    Trap(
        "a part of a version",
        "`r.txt` no longer contains 1.2.",
        None,
        {"r.txt": "foo==1.2.3\n"},
        {"r.txt": "foo==1.2\n"},
    ),
    Trap("a part of a line", "`a.py` contains the line `import os`.", None, {"a.py": "import os.path\n"}),
    Trap("a line that is no such line", "`r.txt` has no line `foo`.", None, {"r.txt": "foo-bar==1\n"}),
    Trap("a whole line", "`a.py` contains the line `import os`.", YES, {"a.py": "import os\nimport re\n"}),
    Trap(
        "a pointer to another store mentions nothing",
        "`a.json` does not mention `acme`.",
        None,
        {"a.json": "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n"},
    ),
    Trap(
        "a fixture is no test",
        "`test_a.py` has 2 test functions.",
        None,
        {"test_a.py": "@pytest.fixture\ndef test_data():\n    pass\n\n\ndef test_a():\n    pass\n"},
    ),
    Trap(
        "a number that Python would not read",
        f"`test_a.py` has {'9' * 5000} test functions.",
        None,
        {"test_a.py": "def test_a():\n    pass\n"},
    ),
    Trap(
        "git ignores half of a folder",
        "`logs/` contains 4 files.",
        None,
        {".gitignore": "*.log\n", "logs/a": "x", "logs/b": "x", "logs/a.log": "x", "logs/b.log": "x"},
    ),
]

CLI = (
    "import argparse\n\np = argparse.ArgumentParser()\ns = p.add_subparsers()\n"
    "a = s.add_parser('a')\nb = s.add_parser('b')\n"
)
ONE, TWO = "a.add_argument('--x-ray')\n", "b.add_argument('--x-ray')\n"
OPTIONS = [
    Trap(
        "a subcommand more has the option",
        "Added the option `--x-ray` to `cli.py`.",
        None,
        {"cli.py": CLI + ONE + TWO},
        {"cli.py": CLI + ONE},
    ),
    Trap(
        "a subcommand less has the option",
        "Removed the option `--x-ray` from `cli.py`.",
        None,
        {"cli.py": CLI + ONE},
        {"cli.py": CLI + ONE + TWO},
    ),
    Trap(
        "the option came with its file",
        "Added the option `--x-ray` to `main.py`.",
        None,
        {"cli.py": None, "main.py": CLI + ONE},
        {"cli.py": CLI + ONE},
    ),
    Trap(
        "the option went with its file",
        "Removed the option `--x-ray` from `cli.py`.",
        None,
        {"cli.py": None, "main.py": CLI + ONE},
        {"cli.py": CLI + ONE},
    ),
    Trap(
        "the option's name stands in another file now",
        "Removed the option `--x-ray` from `cli.py`.",
        None,
        {"cli.py": CLI + "from flags import F\n\na.add_argument(F)\n", "flags.py": "F = '--x-ray'\n"},
        {"cli.py": CLI + ONE},
    ),
    Trap(
        "an option is new, and told of",
        "Added the option `--x-ray` to `cli.py`.",
        YES,
        {"cli.py": CLI + ONE, "README.md": "Use --x-ray.\n", "tests/test_cli.py": "run('--x-ray')\n"},
        {"cli.py": CLI},
    ),
    Trap("only a test declares it", "The option `--x-ray` exists.", None, {"tests/test_a.py": CLI + ONE}),
    Trap(
        "it is never declared", "The option `--x-ray` exists.", None, {"a.py": f"{CLI}if False:\n    {ONE}"}
    ),
    Trap(
        "a browser takes arguments",
        "The option `--headless` exists.",
        None,
        {"a.py": "import argparse\n\nChromeOptions().add_argument('--headless')\n"},
    ),
    Trap(
        "another object has options",
        "The option `--verbose` exists.",
        None,
        {"a.js": "const yargs = require('yargs')\nx.option('verbose')\n"},
    ),
    Trap(
        "only a test has the route",
        "There is a route `/x`.",
        None,
        {"tests/test_a.py": "app = FastAPI()\n\n\n@app.get('/x')\ndef x(): ...\n"},
    ),
    Trap(
        "a route that is never made",
        "There is a route `/x`.",
        None,
        {"a.py": "app = FastAPI()\nif False:\n    @app.get('/x')\n    def x(): ...\n"},
    ),
    *(
        Trap(
            f"a module that gives what it likes: {text!r}",
            "`index.js` exports `foo`.",
            None,
            {"index.js": text},
        )
        for text in (
            "module.exports = require('./lib')\n",
            "__exportStar(require('./lib'), exports)\n",
            "module.exports = Object.assign({}, require('x'))\n",
            "merge(exports, x)\n",
            "module.exports = make()\n",
        )
    ),
    *(
        Trap(
            f"a package that may not give it: {text!r}",
            "`a/__init__.py` exports `b`.",
            None,
            {"a/__init__.py": text},
        )
        for text in (
            "import sys\nsys.modules[__name__] = x\n",
            "__getattr__, __dir__, __all__ = attach(__name__, ['x'])\n",
            "if TYPE_CHECKING:\n    from a.x import b\n",
            "def f():\n    from a.x import b\n",
            "from a.x import b\n\ndel b\n",
        )
    ),
    Trap(
        "a name for one crate",
        "`src/lib.rs` exports `foo`.",
        None,
        {"src/lib.rs": "pub(crate) use x::foo;\n"},
    ),
    Trap("a script lists all", "`index.js` exports `foo`.", NO, {"index.js": "export function bar() {}\n"}),
]
CLASS = "@dataclass\nclass A:\n    x: int = 1\n\n\n"

VALUES = [
    *(
        Trap(f"another binding: {text!r}", f"`timeout` is 60 in `{path}`.", None, {path: text})
        for path, text in (
            ("a.py", "timeout = 30\nx = Client(timeout=60)\n"),
            ("a.py", "timeout = 30\n\n\ndef f():\n    timeout = 60\n"),
            ("a.py", "timeout = 30\n\n\ndef f(timeout=60): ...\n"),
            ("a.js", "const timeout = 30\nf({ timeout: 60 })\n"),
            ("a.go", "package a\n\nvar timeout = 30\nvar c = Config{timeout: 60}\n"),
        )
    ),
    Trap(
        "a field that is given",
        "`retries` is 5.",
        None,
        {"a.py": "@dataclass\nclass C:\n    retries: int = 3\n", "b.py": "C(retries=5)\n"},
    ),
    Trap(
        "a class below binds it anew",
        "`DEBUG` is `True`.",
        None,
        {"a.py": "class Dev:\n    DEBUG = True\n\n\nclass Prod(Dev):\n    DEBUG = not True\n"},
    ),
    *(
        Trap(f"{said} against {value}", f"`T` is {said}.", None, {"a.py": f"T = {value}\n"})
        for value, said in (
            ("'30s'", "30"),
            ("':8080'", "8080"),
            ("'v3'", "3"),
            ("'1.2.0'", "1.2"),
            ("'v1.2.0'", "`1.2.0`"),
            ("True", "1"),
            ("0o644", "0644"),
        )
    ),
    Trap("an octal of Java", "`T` is 10.", None, {"A.java": "class A {\n  static final int T = 010;\n}\n"}),
    *(
        Trap(
            f"a part of a text went: {said}",
            said,
            None,
            {"a.py": f"T = '{now}'\n"},
            {"a.py": f"T = '{then}'\n"},
        )
        for said, then, now in (
            ("Changed `T` from 1.2 to 1.3.", "1.2.0", "1.3.0"),
            ('Changed `T` from "http" to "https".', "http://x", "https://x"),
            ("`T` was raised from 10 to 20.", "10s", "20s"),
        )
    ),
    Trap("it fell", "`T` was raised from 5 to 3.", None, {"a.py": "T = 3\n"}, {"a.py": "T = 5\n"}),
    Trap("it was lowered", "`T` was lowered from 5 to 3.", YES, {"a.py": "T = 3\n"}, {"a.py": "T = 5\n"}),
    Trap(
        "a long version of a build",
        "`T` is `1.2.4`.",
        None,
        {"a.py": f"T = '1.2.3-{'0f3a' * 10} (dirty)'\n"},
    ),
    Trap(
        "a bundle of one line",
        "`LIMIT` is 3.",
        None,
        {"a.py": "LIMIT = 3\n", "b.js": "a(LIMIT);" * 30_000 + "\n"},
    ),
    *(
        Trap(
            f"a class is made and {what} too", "`LIMIT` is 3.", None, {"a.py": f"{CLASS}LIMIT = 3\n{code}\n"}
        )
        for what, code in (("code run", "exec('x')"), ("all imported", "from local_settings import *"))
    ),
    *(
        Trap(
            f"{said}, bound in {path}: {text!r}",
            f"`LIMIT` is {said}.",
            None,
            {"a.py": "LIMIT = 3\n", path: text},
        )
        for path, text in (
            ("Makefile", "LIMIT ?= 5\n"),
            ("a.c", "#define LIMIT 5\n"),
            ("a.php", "<?php define('LIMIT', 5);\n"),
            ("Dockerfile", "ENV LIMIT 5\n"),
            ("a.xml", "<LIMIT>5</LIMIT>\n"),
            ("b.py", "patch.multiple(a, LIMIT=5)\n"),
            ("b.py", "a.X, a.LIMIT = 4, 5\n"),
        )
        for said in (3, 5)
    ),
    Trap(
        "it is only read elsewhere",
        "`LIMIT` is 3.",
        YES,
        {
            "a.py": "LIMIT = 3\n",
            "b.py": "from a import LIMIT\n\nif x > LIMIT:\n    f(LIMIT, key=2)\n",
            "c.md": "LIMIT\n",
        },
    ),
    Trap("a number without an end", f"`LIMIT` is {'9' * 5000}.", None, {"a.py": "LIMIT = 3\n"}),
]

TWICE = '{"x": [{"name": "first"}, {"name": "last"}]}'
PORTS = "[client]\nport = 1\n[server]\nport = 5\n"
INI = '[x]\nmode = fast ; note\nname = "foo"\npath = %(base)s/x\non = yes\nempty =\nsrc = ./src\n'
KEYS = [
    *(
        Trap(
            f"tables in a list: {name}, {path}",
            f"The key `name` in `{path}` is `{name}`.",
            None,
            {path: text},
        )
        for name in ("first", "last")
        for path, text in (("b.json", TWICE), ("b.toml", "[[x]]\nname='first'\n[[x]]\nname='last'\n"))
    ),
    *(
        Trap(
            f"the key stands deeper: {said}", said, None, {"package.json": '{"repository": {"type": "git"}}'}
        )
        for said in (
            "`package.json` has no key `type`.",
            "The key `type` in `package.json` is `module`.",
        )
    ),
    Trap("two depths", "The key `port` in `a.toml` is 5.", None, {"a.toml": "port=1\n[server]\nport=5\n"}),
    Trap(
        "a table more has the key",
        "Added the key `port` to `a.toml`.",
        None,
        {"a.toml": PORTS},
        {"a.toml": "[server]\nport = 5\n"},
    ),
    Trap(
        "a table less has the key",
        "Removed the key `port` from `a.toml`.",
        None,
        {"a.toml": "[server]\nport = 5\n"},
        {"a.toml": PORTS},
    ),
    Trap(
        "the key came with its file",
        "Added the key `port` to `b.json`.",
        None,
        {"a.json": None, "b.json": '{"port": 1}'},
        {"a.json": '{"port": 1}'},
    ),
    Trap("an octal of TOML", "The key `mode` in `a.toml` is 0644.", None, {"a.toml": "mode = 0o644\n"}),
    Trap("a v before a version", "The key `v` in `a.toml` is `1.2.0`.", None, {"a.toml": "v = 'v1.2.0'\n"}),
    *(
        Trap(f"a value of INI: {said}", f"The setting {said}.", None, {"a.ini": INI})
        for said in (
            "`mode` in `a.ini` is `fast`",
            "`name` in `a.ini` is `foo`",
            "`path` in `a.ini` is `a/x`",
            "`on` in `a.ini` is `true`",
            "`src` in `a.ini` is `src/`",
            "`empty` is set in `a.ini`",
            "`empty` is not set in `a.ini`",
        )
    ),
    *(
        Trap(
            f"null is {said}",
            f"The setting `token` is {said} in `a.json`.",
            None,
            {"a.json": '{"token": null}'},
        )
        for said in ("set", "not set")
    ),
    Trap(
        "a range of versions",
        "The key `d.react` in `a.json` is `18.2.0`.",
        None,
        {"a.json": '{"d": {"react": "^18.2.0"}}'},
    ),
    Trap(
        "dashes or underscores",
        "`setup.cfg` has no key `long-description`.",
        None,
        {"setup.cfg": "[metadata]\nlong_description = x\n"},
    ),
    Trap("a value without an end", f"The key `x` in `a.toml` is {'9' * 5000}.", None, {"a.toml": "x = 1\n"}),
]
TRAPS = [*LINES, *OPTIONS, *VALUES, *KEYS]


@pytest.mark.parametrize("trap", TRAPS, ids=[trap.name for trap in TRAPS])
def test_a_trap_is_seen(tmp_path: Path, trap: Trap) -> None:
    folder = changed(tmp_path, {**trap.then}, trap.now)
    assert verdict(folder, trap.statement) == trap.verdict
