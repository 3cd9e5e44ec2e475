from __future__ import annotations

import pytest

from claimjury.settlers.syntax import Call, Constant, Definition, Export, Import, Parameters
from settlers.syntax.outlining import described, kinds, parameters_of, read, the


def test_a_function_is_told_with_its_parameters_and_lines() -> None:
    found = read("a.py", "\ndef parse(text: str, *, strict: bool = False) -> int:\n    return 1\n")
    assert found.definitions == (
        Definition(
            name="parse",
            kind="function",
            line=2,
            end_line=3,
            parameters=Parameters(names=("text", "strict"), required=1),
        ),
    )


def test_the_markers_of_position_and_keyword_are_no_parameters() -> None:
    found = read("a.py", "def f(a, /, b, *, c, d=1): ...")
    assert parameters_of(found, "f") == Parameters(names=("a", "b", "c", "d"), required=3)


def test_stars_are_parameters_that_nobody_must_give() -> None:
    found = read("a.py", "async def f(a, *args: int, b, **kwargs: str): ...")
    assert parameters_of(found, "f") == Parameters(
        names=("a", "args", "b", "kwargs"), required=2, variadic=True
    )


def test_the_receiver_of_a_method_is_not_among_its_parameters() -> None:
    source = """
    class Store:
        def close(self, hard=False): ...
        @classmethod
        def open(cls, path): ...
        @staticmethod
        def check(path): ...
        @property
        def size(self) -> int: ...
        def odd(*args): ...
    """
    found = read("a.py", source)
    assert the(found, "close").scope == ("Store",)
    assert parameters_of(found, "close") == Parameters(names=("hard",), receiver="self")
    assert parameters_of(found, "open") == Parameters(names=("path",), receiver="cls", required=1)
    assert parameters_of(found, "check") == Parameters(names=("path",), required=1)
    assert parameters_of(found, "size").certain
    assert not parameters_of(found, "odd").certain


def test_a_decorator_that_is_not_known_leaves_the_parameters_uncertain() -> None:
    found = read("a.py", "@app.command('x')\n@retry(3)\ndef f(a): ...\n")
    assert not parameters_of(found, "f").certain
    assert the(found, "f").decorators == ("app.command", "retry")
    assert the(found, "f").line == 3


def test_overloads_are_marked_and_leave_all_of_the_name_uncertain() -> None:
    source = """
    from typing import overload
    @overload
    def f(a: int) -> int: ...
    @overload
    def f(a: str) -> str: ...
    def f(a): return a
    """
    found = read("a.py", source)
    assert [one.overload for one in found.definitions] == [True, True, False]
    assert [one.parameters.certain for one in found.definitions if one.parameters] == [False] * 3


def test_a_function_that_is_bound_again_has_uncertain_parameters() -> None:
    found = read("a.py", "def f(a): ...\nf = wrap(f)\n")
    assert [one.parameters.certain for one in found.definitions if one.parameters] == [False]


@pytest.mark.parametrize(
    "source",
    [
        "if TYPE_CHECKING:\n    def f(): ...\n",
        "try:\n    import x\nexcept ImportError:\n    def f(): ...\n",
        "with suppress(E):\n    def f(): ...\n",
        "match x:\n    case 1:\n        def f(): ...\n",
        "if x:\n    class A:\n        def f(self): ...\n",
    ],
)
def test_what_is_defined_under_a_condition_says_so(source: str) -> None:
    assert the(read("a.py", source), "f").conditional


def test_what_follows_a_condition_is_not_conditional() -> None:
    assert not the(read("a.py", "if x:\n    y()\ndef f(): ...\n"), "f").conditional


def test_nested_functions_and_classes_have_their_scope() -> None:
    source = """
    def outer():
        def inner(self): ...
        class Local:
            def method(self): ...
    def inner(): ...
    """
    assert described(read("a.py", source)) == [
        "function outer",
        "function outer.inner",
        "class outer.Local",
        "method outer.Local.method",
        "function inner",
    ]


def test_a_lambda_that_has_a_name_is_a_function() -> None:
    assert parameters_of(read("a.py", "double = lambda x, *y: x\n"), "double") == Parameters(
        names=("x", "y"), required=1, variadic=True
    )


def test_fields_are_declared_in_a_class_or_set_on_the_receiver() -> None:
    source = """
    @dataclass(frozen=True)
    class Point(Base):
        x: int
        y: int = 0
        def __post_init__(self):
            self.z = self.x
            other.w = 1
    """
    found = read("a.py", source)
    assert described(found)[1:] == [
        "field Point.x",
        "field Point.y",
        "method Point.__post_init__",
        "field Point.z",
    ]
    assert the(found, "Point").bases == ("Base",)
    assert kinds(found) == ["generated"]


def test_a_literal_constant_is_told_with_its_type() -> None:
    found = read("a.py", 'A = 30\nB: Final = 30.0\nC = "30"\nD = None\nE = -0x1F\nF = 30_000\nG = True\n')
    assert [(one.name, one.value, type(one.value)) for one in found.constants] == [
        ("A", 30, int),
        ("B", 30.0, float),
        ("C", "30", str),
        ("D", None, type(None)),
        ("E", -31, int),
        ("F", 30_000, int),
        ("G", True, bool),
    ]
    assert all(one.certain for one in found.constants)
    assert found.constants[0] == Constant(name="A", value=30, text="30", line=1)


@pytest.mark.parametrize(
    "source", ["A = 60 * 60", "A = int(os.getenv('T', 30))", "A = f'{x}'", "A = b'x'", "A: int", "A = [1]"]
)
def test_what_is_computed_is_no_constant(source: str) -> None:
    assert read("a.py", source + "\n").constants == ()


@pytest.mark.parametrize(
    "more",
    [
        "A = 2",
        "A += 1",
        "if x:\n    A = 2",
        "try:\n    from b import A\nexcept ImportError: pass",
        "for A in x: pass",
        "with x as (A, b): pass",
        "def f():\n    global A\n    A = 2",
        "def A(): ...",
        "(A := 3)",
        "del A",
        "A, b = 1, 2",
        "[*A] = x",
        "match x:\n    case [A, 1]: pass",
        "match x:\n    case {'k': int() as A}: pass",
        "import A.b",
    ],
)
def test_a_constant_that_is_bound_elsewhere_too_is_uncertain(more: str) -> None:
    found = read("a.py", f"A = 1\n{more}\n")
    assert [(one.assignments, one.certain) for one in found.constants if one.value == 1] == [(2, False)]


def test_a_constant_under_a_condition_is_uncertain_and_a_local_one_is_none() -> None:
    found = read("a.py", "if x:\n    A = 1\ndef f():\n    A = 2\n")
    assert [(one.value, one.certain) for one in found.constants] == [(1, False)]


def test_a_constant_of_a_class_has_its_scope() -> None:
    found = read("a.py", "class A:\n    x = 1\nx = 2\n")
    assert [(one.scope, one.value, one.certain) for one in found.constants] == [
        (("A",), 1, True),
        ((), 2, True),
    ]


def test_imports_keep_module_name_and_alias() -> None:
    source = "import a.b as c, d\nfrom .m import (x as y, z)\nfrom e import *\n"
    found = read("a.py", source)
    assert found.imports == (
        Import(module="a.b", alias="c", line=1),
        Import(module="d", line=1),
        Import(module=".m", name="x", alias="y", line=2),
        Import(module=".m", name="z", line=2),
        Import(module="e", name="*", line=3),
    )
    assert found.dynamic == (("star_import", 3),)


def test_what_all_lists_is_exported() -> None:
    found = read("a.py", '__all__ = ["a", "b"]\n')
    assert found.exports == (Export(name="a", line=1), Export(name="b", line=1))
    assert kinds(read("a.py", '__all__ = ["a"]\n__all__ += other.__all__\n')) == ["__all__"]


def test_calls_are_told_by_last_name_and_path() -> None:
    found = read("a.py", "foo(1)\na.b.foo(bar())\nx()\\\n  .y()\n")
    assert found.calls == (
        Call(name="foo", text="foo", line=1),
        Call(name="foo", text="a.b.foo", line=2),
        Call(name="bar", text="bar", line=2),
        Call(name="y", text="?.y", line=4),
        Call(name="x", text="x", line=3),
    )


def test_names_in_comments_and_strings_are_no_code() -> None:
    found = read("a.py", "# foo\n'''foo'''\nx = f'foo {bar}'\nbar.foo\nfoo; foo\n")
    assert found.names == {"x": (3,), "bar": (3, 4), "foo": (4, 5)}


def test_an_identifier_is_taken_by_its_normal_form() -> None:
    assert "file" in read("a.py", "\ufb01le = 1\n").names


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("def __getattr__(name): ...", "__getattr__"),
        ("setattr(x, 'y', 1)", "setattr"),
        ("getattr(x, name)()", "getattr"),
        ("exec(code)", "exec"),
        ("globals()['x'] = 1", "globals"),
        ("importlib.import_module(x)", "import_module"),
        ("handlers[name]()", "computed_call"),
        ("P = namedtuple('P', 'x')", "namedtuple"),
        ("A = type('A', (), {})", "type"),
        ("Store.close = _close", "attribute_assignment"),
        ("class A(metaclass=M): ...", "generated"),
    ],
)
def test_what_hides_definitions_or_uses_is_named(source: str, kind: str) -> None:
    assert kind in kinds(read("a.py", source + "\n"))


def test_a_literal_getattr_hides_nothing() -> None:
    assert kinds(read("a.py", "getattr(x, 'y')\n")) == []


def test_a_type_statement_defines_a_type() -> None:
    assert described(read("a.py", "type Pair[T] = tuple[T, T]\n")) == ["type Pair"]
