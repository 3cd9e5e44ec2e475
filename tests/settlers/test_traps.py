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

LOAD = "def load(a):\n    return a\n"
LOAD2 = "def load(a, b):\n    return a\n"
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
    Trap("a private function", "The private function `load` exists.", None, {"a.py": LOAD}),
    Trap("an exported function", "Added the exported function `load`.", None, {"a.py": LOAD}),
    Trap(
        "a public method",
        "The public method `run` exists.",
        None,
        {"a.py": "class A:\n    def run(self):\n        return 1\n"},
    ),
    Trap(
        "new, and nothing looks at the change",
        "There is a new function `load` in `a.py`.",
        None,
        {"a.py": LOAD + "\n\nX = 1\n"},
        {"a.py": LOAD},
    ),
    Trap(
        "a new function is added",
        "Added the new function `load` to `a.py`.",
        YES,
        {"a.py": LOAD},
        {"a.py": "X = 1\n"},
    ),
    Trap("let is no constant", "The constant `retryCount` exists.", None, {"a.js": "let retryCount = 3\n"}),
    Trap("a field is no constant", "Added the constant `size`.", None, {"a.js": "class A { size = 1 }\n"}),
    Trap(
        "a field of Java is no constant",
        "Removed the constant `count`.",
        None,
        {"A.java": "class A {\n}\n"},
        {"A.java": "class A {\n  int count;\n}\n"},
    ),
    Trap(
        "var of Go is no constant", "The constant `Max` exists.", None, {"a.go": "package a\n\nvar Max = 1\n"}
    ),
    Trap(
        "a variable of Python is no constant", "The constant `debug` exists.", None, {"a.py": "debug = 1\n"}
    ),
    Trap("a constant by its capitals", "The constant `MAX_SIZE` exists.", YES, {"a.py": "MAX_SIZE = 1\n"}),
    Trap("const is a constant", "The constant `retryCount` exists.", YES, {"a.js": "const retryCount = 3\n"}),
    Trap("a class is no enum", "The enum `Foo` exists.", None, {"a.py": "class Foo(Bar):\n    pass\n"}),
    Trap(
        "a class with an enum for its base",
        "The enum `Foo` exists.",
        YES,
        {"a.py": "class Foo(enum.IntEnum):\n    A = 1\n"},
    ),
    Trap("a class is no struct", "The struct `Foo` exists.", None, {"a.ts": "class Foo {}\n"}),
    Trap("a union is no struct", "The struct `Foo` exists.", None, {"a.rs": "union Foo { a: u8, b: i8 }\n"}),
    Trap("a struct", "The struct `Foo` exists.", YES, {"a.rs": "pub struct Foo { a: u8 }\n"}),
    Trap(
        "a helper is no test",
        "The test `helper_x` exists.",
        None,
        {"a.py": "def helper_x():\n    return 1\n"},
    ),
    Trap(
        "a test of a test file",
        "The test `test_x` exists.",
        YES,
        {"test_a.py": "def test_x():\n    assert f()\n"},
    ),
    Trap(
        "a macro is no function",
        "The function `mk` exists.",
        None,
        {"a.rs": "macro_rules! mk { () => {} }\n"},
    ),
    Trap("an interface is no type of its own", "The type `Foo` exists.", None, {"a.ts": "class Foo {}\n"}),
    Trap(
        "still takes what it did not",
        "`load` still takes 2 parameters.",
        None,
        {"a.py": LOAD2},
        {"a.py": LOAD},
    ),
    Trap(
        "still takes what it did",
        "`load` still takes 2 parameters.",
        YES,
        {"a.py": LOAD2 + "\n\nX = 1\n"},
        {"a.py": LOAD2},
    ),
    Trap("still exists, and is new", "The function `load` still exists.", None, {"a.py": LOAD}),
    Trap(
        "no longer exists, and never did", "The function `load` no longer exists.", None, {"a.py": "X = 1\n"}
    ),
    Trap(
        "no longer defined in a file that never did",
        "The function `load` is no longer defined in `a.py`.",
        None,
        {"a.py": "X = 1\n"},
        {"a.py": "Y = 1\n"},
    ),
    Trap(
        "now takes what it took",
        "`load` now takes 2 parameters.",
        None,
        {"a.py": LOAD2 + "\n\nX = 1\n"},
        {"a.py": LOAD2},
    ),
    Trap("now takes more", "`load` now takes 2 parameters.", YES, {"a.py": LOAD2}, {"a.py": LOAD}),
    Trap("now exists, and did", "The function `load` now exists.", None, {"a.py": LOAD2}, {"a.py": LOAD}),
    Trap(
        "now accepts what it accepted",
        "`load` now accepts a `b` parameter.",
        None,
        {"a.py": LOAD2 + "\n\nX = 1\n"},
        {"a.py": LOAD2},
    ),
    Trap(
        "one line for another",
        "`TIMEOUT` was renamed to `COLOR`.",
        None,
        {"a.py": "COLOR = 'red'\n"},
        {"a.py": "TIMEOUT = 30\n"},
    ),
    Trap(
        "one function of a line for another",
        "`parse_date` was renamed to `send_mail`.",
        None,
        {"a.py": "def send_mail(m): return smtp.send(m)\n"},
        {"a.py": "def parse_date(s): return datetime.strptime(s, F)\n"},
    ),
    Trap(
        "one empty class for another",
        "The class `Timeout` was renamed to `NotFound`.",
        None,
        {"a.py": "class NotFound(Exception): pass\n"},
        {"a.py": "class Timeout(Exception): pass\n"},
    ),
    Trap(
        "one empty class for another, in two lines",
        "The class `Timeout` was renamed to `NotFound`.",
        None,
        {"a.py": "class NotFound(Exception):\n    pass\n"},
        {"a.py": "class Timeout(Exception):\n    pass\n"},
    ),
    Trap(
        "a method of another class is no other name",
        "The method `start` was renamed to `stop`.",
        None,
        {
            "a.py": "class A:\n    x = 1\n\n\nclass B:\n    def stop(self):\n        self.a()\n        return self.b()\n"
        },
        {
            "a.py": "class A:\n    x = 1\n\n    def start(self):\n        self.a()\n        return self.b()\n\n\nclass B:\n    y = 1\n"
        },
    ),
    Trap(
        "a field for another",
        "`A.size` was renamed to `A.color`.",
        None,
        {"a.py": "class A:\n    color = 1\n"},
        {"a.py": "class A:\n    size = 1\n"},
    ),
    Trap(
        "three lines of which two are common ones",
        "The function `old` was renamed to `new`.",
        None,
        {"a.py": "def new(x):\n    y = g(x)\n    return y\n"},
        {"a.py": "def old(x):\n    y = f(x)\n    return y\n"},
    ),
    Trap(
        "bound by an import",
        "The function `connect` exists in `p/__init__.py`.",
        None,
        {"p/__init__.py": "from ._core import _connect as connect\n"},
    ),
    Trap(
        "bound by an import, denied",
        "The function `connect` does not exist.",
        None,
        {"p/__init__.py": "from ._core import _connect as connect\n"},
    ),
    Trap(
        "bound by an import, added",
        "Added the function `connect`.",
        None,
        {"p/__init__.py": "from ._core import _connect as connect\n"},
    ),
    Trap(
        "taken from elsewhere instead",
        "The function `load` was removed.",
        None,
        {"a.py": "from .b import load_v2 as load\n"},
        {"a.py": LOAD},
    ),
    Trap(
        "JavaScript takes it under the name",
        "`connect` is not defined in `a.js`.",
        None,
        {"a.js": "import { _c as connect } from './c'\n"},
    ),
    Trap(
        "TypeScript takes it under the name",
        "The function `load` was removed.",
        None,
        {"a.ts": "namespace N { export function f() {} }\nimport load = N.f;\n"},
        {"a.ts": "export function load() {}\n"},
    ),
    Trap(
        "a class of another package",
        "The class `Session` exists in `a.py`.",
        None,
        {"a.py": "from requests import Session\n"},
    ),
    Trap(
        "a function of Python itself",
        "The function `print` does not exist in `a.py`.",
        None,
        {"a.py": "x = 1\n"},
    ),
    Trap("an error of Python itself", "The class `ValueError` exists in `a.py`.", None, {"a.py": "x = 1\n"}),
    Trap(
        "a name that is put together",
        "The function `load_x` does not exist in `a.py`.",
        None,
        {"a.py": "globals()['load_' + 'x'] = print\n"},
    ),
    Trap(
        "a module that makes its names",
        "The function `load` exists in `a.py`.",
        None,
        {"a.py": "def __getattr__(name):\n    return 1\n"},
    ),
    Trap(
        "a star import may bring it",
        "The function `load` exists in `a.py`.",
        None,
        {"a.py": "from b import *\n"},
    ),
    Trap(
        "a macro of C puts it together",
        "The function `do_load` exists.",
        None,
        {"a.c": "#define F(x) void do_##x(void) {}\nF(load)\n"},
    ),
    Trap("other case", "The function `load` does not exist in `a.py`.", None, {"a.py": "Load = 1\n"}),
    Trap(
        "an escaped name",
        "The function `load` does not exist in `a.js`.",
        None,
        {"a.js": "function \\u006coad() {}\n"},
    ),
    Trap(
        "a module that gives another one whole",
        "The function `load` exists in `a.js`.",
        None,
        {"a.js": "module.exports = require('./b')\n"},
    ),
    Trap(
        "another normal form of a name",
        "The function `caf\u00e9` exists in `a.py`.",
        None,
        {"a.py": "def cafe\u0301():\n    return 1\n"},
    ),
    Trap(
        "the statement in another normal form",
        "Added the function `cafe\u0301`.",
        None,
        {"a.py": "def caf\u00e9():\n    return 1\n"},
    ),
    Trap(
        "conflict markers",
        "The function `load` exists in `a.py`.",
        None,
        {"a.py": "<<<<<<< a\nx = 1\n=======\nx = 2\n>>>>>>> b\n"},
    ),
    Trap(
        "a file of no language that is read",
        "The function `load` exists in `a.kt`.",
        None,
        {"a.kt": "val x = 1\n"},
    ),
    Trap(
        "a function that became a method",
        "`old` was removed.",
        None,
        {"a.py": "class C:\n    def old(self):\n        return 1\n"},
        {"a.py": "def old():\n    return 1\n"},
    ),
    Trap(
        "a function that became nested",
        "`old` was removed.",
        None,
        {"a.py": "def outer():\n    def old():\n        return 1\n    return old\n"},
        {"a.py": "def old():\n    return 1\n"},
    ),
    Trap(
        "an attribute that became a constant",
        "Removed the constant `LIMIT`.",
        None,
        {"a.py": "LIMIT = 1\n\n\nclass A:\n    pass\n"},
        {"a.py": "class A:\n    LIMIT = 1\n"},
    ),
    Trap(
        "a constant that became an attribute",
        "Added the constant `LIMIT`.",
        None,
        {"a.py": "class A:\n    LIMIT = 1\n"},
        {"a.py": "LIMIT = 1\n\n\nclass A:\n    pass\n"},
    ),
    Trap(
        "a method that was pulled up",
        "Removed the method `B.run`.",
        None,
        {"a.py": "class A:\n    def run(self):\n        return 1\n\n\nclass B(A):\n    x = 1\n"},
        {"a.py": "class A:\n    x = 1\n\n\nclass B(A):\n    def run(self):\n        return 1\n"},
    ),
    Trap(
        "a lambda that became a function",
        "Added the function `old`.",
        None,
        {"a.py": "def old():\n    return 1\n"},
        {"a.py": "old = lambda: 1\n"},
    ),
    Trap(
        "a named tuple that became a class",
        "Added `Point`.",
        None,
        {"a.py": "class Point:\n    x = 1\n"},
        {"a.py": "from collections import namedtuple\n\nPoint = namedtuple('Point', 'x')\n"},
    ),
    Trap(
        "a function within a function",
        "`a.py` defines `inner`.",
        None,
        {"a.py": "def outer():\n    def inner():\n        return 1\n    return inner\n"},
    ),
    Trap(
        "a class within a test",
        "Added the class `Fake`.",
        None,
        {"test_a.py": "def test_a():\n    class Fake:\n        x = 1\n    assert Fake\n"},
    ),
    Trap(
        "a class within a test of JavaScript",
        "The class `Fake` exists.",
        None,
        {"a.test.js": "it('x', () => { class Fake {} })\n"},
    ),
    Trap(
        "deleted again",
        "The function `load` exists.",
        None,
        {"a.py": "def load():\n    return 1\n\n\ndel load\n"},
    ),
    Trap(
        "bound to something else again",
        "The function `load` exists.",
        None,
        {"a.py": "def load():\n    return 1\n\n\nload = None\n"},
    ),
    Trap(
        "an argument that may be left out",
        "`load` accepts 1 argument.",
        None,
        {"a.py": "def load(a, b=1):\n    return a\n"},
    ),
    Trap(
        "more arguments than it can take",
        "`load` accepts 3 arguments.",
        NO,
        {"a.py": "def load(a, b=1):\n    return a\n"},
    ),
    Trap("just as many arguments", "`load` takes 2 arguments.", YES, {"a.py": LOAD2}),
    Trap(
        "no argument has to be given",
        "`load` takes no arguments.",
        None,
        {"a.py": "def load(a=1):\n    return a\n"},
    ),
    Trap(
        "a parameter with its type",
        "`load` has the parameter `a: int`.",
        None,
        {"a.py": "def load(a: int):\n    return a\n"},
    ),
    Trap(
        "a parameter with its default",
        "`load` has the parameter `a=1`.",
        None,
        {"a.py": "def load(a=1):\n    return a\n"},
    ),
    Trap(
        "an argument may be a value",
        "`load` accepts the argument `fast`.",
        None,
        {"a.py": "def load(mode):\n    return mode\n"},
    ),
    Trap(
        "the receiver is a parameter",
        "`A.load` takes the parameter `self`.",
        None,
        {"a.py": "class A:\n    def load(self, a):\n        return a\n"},
    ),
    Trap(
        "the receiver of Go is a parameter to some",
        "`Load` takes the parameter `s`.",
        None,
        {"a.go": "package a\n\nfunc (s S) Load(a int) {}\n"},
    ),
    Trap(
        "parameters without names",
        "`Load` takes the parameter `a`.",
        None,
        {"a.go": "package a\n\ntype L interface { Load(int, string) }\n"},
    ),
    Trap(
        "what is taken apart",
        "`Button` accepts a `label` parameter.",
        None,
        {"a.tsx": "export function Button(props: Props) { return null }\n"},
    ),
    Trap(
        "options of JavaScript",
        "`load` accepts a `timeout` argument.",
        None,
        {"a.js": "function load(a, opts) {}\n"},
    ),
    Trap(
        "a variable of a type",
        "`load` takes 2 parameters.",
        None,
        {"a.ts": "const load: Loader = (a) => 1\n"},
    ),
    Trap(
        "a function that gives a function",
        "`load` takes 2 parameters.",
        None,
        {"a.js": "const load = (a) => (b) => 1\n"},
    ),
    Trap(
        "this among the parameters",
        "`load` has 1 parameter.",
        None,
        {"a.ts": "function load(this: Window, a, b?) {}\n"},
    ),
    Trap(
        "types before the parameters",
        "`Load` has 2 parameters.",
        None,
        {"a.go": "package a\n\nfunc Load[T, U any](a T) {}\n"},
    ),
    Trap(
        "overloads along the bases",
        "`B.load` takes 1 parameter.",
        None,
        {"B.java": "class A { void load(int a) {} }\nclass B extends A { void load(int a, int b) {} }\n"},
    ),
    Trap(
        "a star import after it",
        "`load` takes 1 parameter.",
        None,
        {"a.py": "def load(a):\n    return a\n\n\nfrom fast import *\n"},
    ),
    Trap("arguments, and one name", "`load` takes the arguments `a`.", None, {"a.py": LOAD2}),
    Trap(
        "added from a file",
        "Added `load` from `b.py`.",
        None,
        {"a.py": "from b import load\n"},
        {"b.py": LOAD, "a.py": "x = 1\n"},
    ),
    Trap("removed to a file", "Removed `load` to `b.py`.", None, {"b.py": LOAD}, {"b.py": "x = 1\n"}),
    Trap(
        "neither at the base nor now",
        "I removed the function `one_f`.",
        None,
        {"a.py": "x = 2\n"},
        {"a.py": "x = 1\n"},
    ),
    Trap("only a decorator is gone", "Removed `load`.", None, {"a.py": LOAD}, {"a.py": "@cached\n" + LOAD}),
    Trap(
        "only an overload is new",
        "Added the function `load`.",
        None,
        {"a.py": "@overload\ndef load(a: int): ...\n" + LOAD},
        {"a.py": LOAD},
    ),
    Trap(
        "only an overload was there",
        "Added the function `load`.",
        None,
        {"a.pyi": "@overload\ndef load(a: int): ...\ndef load(a): ...\n"},
        {"a.pyi": "@overload\ndef load(a: int): ...\n"},
    ),
    Trap(
        "an enum's member is no constant",
        "The constant `Red` exists.",
        None,
        {"a.rs": "enum Color { Red, Green }\n"},
    ),
    Trap(
        "a rename of a whole method",
        "The method `start` was renamed to `begin`.",
        YES,
        {"a.py": "class A:\n    def begin(self):\n        self.a()\n        return self.b()\n"},
        {"a.py": "class A:\n    def start(self):\n        self.a()\n        return self.b()\n"},
    ),
    Trap(
        "a method that is new",
        "Added the method `A.close`.",
        YES,
        {
            "a.py": "class A:\n    def run(self):\n        return 1\n\n    def close(self):\n        return 2\n"
        },
        {"a.py": "class A:\n    def run(self):\n        return 1\n"},
    ),
    Trap(
        "a class that is gone",
        "The class `Old` was removed from `a.ts`.",
        YES,
        {"a.ts": "export class New {}\n"},
        {"a.ts": "export class Old {}\nexport class New {}\n"},
    ),
    Trap(
        "bound by a function for all",
        "The function `load` was removed.",
        None,
        {"a.py": "def init():\n    global load\n    load = print\n"},
        {"a.py": LOAD},
    ),
    Trap(
        "a method that is no test",
        "The test `test_it` exists.",
        None,
        {"test_a.py": "class Fake:\n    def test_it(self):\n        return 1\n"},
    ),
    Trap(
        "it was there, and a file of another language may add it",
        "Added the function `load`.",
        None,
        {"a.py": LOAD, "b.kt": "fun load() {}\n"},
        {"a.py": LOAD},
    ),
    Trap(
        "it is there, and another kind of it is gone",
        "Removed the function `load`.",
        None,
        {"a.py": LOAD, "b.py": "x = 1\n"},
        {"a.py": LOAD, "b.py": "class A:\n    def load(self):\n        return 1\n"},
    ),
    Trap(
        "it was there, and others take it",
        "Added the function `load`.",
        NO,
        {"a.py": LOAD + "\n\nX = 1\n", "b.py": "from a import load\n"},
        {"a.py": LOAD},
    ),
    Trap(
        "another file may define what takes so many",
        "The function `load` takes 2 parameters.",
        None,
        {"a.py": LOAD, "b.kt": "fun load(a: Int, b: Int) {}\n"},
    ),
    Trap(
        "another name for it is kept",
        "The function `load` was renamed to `fetch`.",
        None,
        {
            "a.py": LOAD,
            "b.kt": "fun fetch() {}\n",
            "c.py": "def fetch(x):\n    y = g(x)\n    z = h(y)\n    return z\n",
        },
        {"a.py": LOAD, "b.kt": "fun load() {}\n"},
    ),
    Trap(
        "JavaScript takes what is given",
        "`load` accepts 1 argument.",
        None,
        {"a.js": "function load(a, opts) {}\n"},
    ),
    Trap(
        "a file that makes names may make the new one",
        "`load` was renamed to `fetch_all`.",
        None,
        {"a.py": "globals()['fetch_' + 'all'] = print\n"},
        {"a.py": LOAD + "\n\nglobals()['x'] = 1\n"},
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
