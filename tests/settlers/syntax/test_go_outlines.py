from __future__ import annotations

import pytest

from claimjury.settlers.syntax import Call, Import, Parameters
from settlers.syntax.outlining import described, kinds, parameters_of, read, the


def go(source: str, path: str = "a.go") -> str:
    return f"package main\n\n{source}\n"


def test_parameters_that_share_a_type_are_counted_one_by_one() -> None:
    found = read("a.go", go("func f(a, b int, c string) error { return nil }"))
    assert parameters_of(found, "f") == Parameters(names=("a", "b", "c"), required=3)
    assert (the(found, "f").line, the(found, "f").end_line) == (3, 3)


def test_parameters_without_a_name_are_counted() -> None:
    assert parameters_of(read("a.go", go("func f(int, string) {}")), "f") == Parameters(
        names=("", ""), required=2
    )


def test_a_variadic_parameter_need_not_be_given() -> None:
    found = read("a.go", go("func f(a int, rest ...string) {}\nfunc g(...int) {}"))
    assert parameters_of(found, "f") == Parameters(names=("a", "rest"), required=1, variadic=True)
    assert parameters_of(found, "g") == Parameters(names=("",), variadic=True)


def test_results_are_no_parameters() -> None:
    assert parameters_of(read("a.go", go("func f() (n int, err error) { return }")), "f") == Parameters()


@pytest.mark.parametrize("receiver", ["s Store", "s *Store", "*Store", "s *Store[K, V]", "Store[K]"])
def test_a_method_stands_in_the_type_of_its_receiver(receiver: str) -> None:
    found = read("a.go", go(f"func ({receiver}) Close(hard bool) error {{ return nil }}"))
    assert described(found) == ["method Store.Close"]
    assert parameters_of(found, "Close") == Parameters(names=("hard",), receiver=receiver, required=1)


def test_types_of_parameters_are_no_parameters() -> None:
    found = read("a.go", go("func Map[T any, U comparable](xs []T, f func(T, int) U) []U { return nil }"))
    assert parameters_of(found, "Map").names == ("xs", "f")


def test_types_and_their_members_are_definitions() -> None:
    source = """type Store struct { a, b int; Base; *q.Ptr; inner struct { deep int } }
type Reader interface { Read(p []byte, n int) (int, error); Closer }
type Alias = Store
type Pair[K comparable] struct{}"""
    found = read("a.go", go(source))
    assert described(found) == [
        *("struct Store", "field Store.a", "field Store.b", "field Store.inner"),
        *("interface Reader", "method Reader.Read", "type Alias", "struct Pair"),
    ]
    assert the(found, "Store").bases == ("Base", "q.Ptr")
    assert the(found, "Reader").bases == ("Closer",)
    assert parameters_of(found, "Read").names == ("p", "n")


def test_constants_of_a_group_are_told_but_those_of_iota_have_no_value() -> None:
    source = """const A = 1
const (
	B = iota
	C
	D string = "x"
	E, F = 2, 2.5
	G = 'a'
	H = 60 * time.Second
	I = `raw`
	J = 0755
	K = true
)"""
    found = read("a.go", go(source))
    assert [(one.name, one.value) for one in found.constants] == [
        *(("A", 1), ("D", "x"), ("E", 2), ("F", 2.5), ("I", "raw"), ("J", 0o755), ("K", True))
    ]
    assert [one.name for one in found.definitions] == list("ABCDEFGHIJK")


def test_a_variable_is_no_constant_since_any_file_of_the_package_may_set_it() -> None:
    found = read("a.go", go("var Timeout = 30\nvar (\n\tX int\n\tY = f()\n)"))
    assert found.constants == ()
    assert described(found) == ["variable Timeout", "variable X", "variable Y"]


def test_a_function_in_a_variable_has_uncertain_parameters() -> None:
    found = read("a.go", go("var now = func(a int) {}"))
    assert described(found) == ["function now"]
    assert not parameters_of(found, "now").certain


def test_names_in_functions_are_no_definitions() -> None:
    assert described(read("a.go", go("func f() { var a = 1; const b = 2; c := 3; _ = a }"))) == ["function f"]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.go", "//go:build linux\n\npackage main\n\nfunc f() {}\n"),
        ("a.go", "// +build !windows\n\npackage main\n\nfunc f() {}\n"),
        ("a_windows.go", "package main\n\nfunc f() {}\n"),
        ("a_linux_arm64_test.go", "package main\n\nfunc f() {}\n"),
    ],
)
def test_what_is_built_for_some_systems_only_is_conditional(path: str, source: str) -> None:
    assert the(read(path, source), "f").conditional


def test_what_is_built_everywhere_is_not_conditional() -> None:
    assert not the(read("a_test.go", go("// linux\nfunc f() {}")), "f").conditional


def test_imports_keep_module_and_alias() -> None:
    found = read("a.go", go('import (\n\t"fmt"\n\tal "x/y"\n\t. "dot"\n\t_ "side"\n)'))
    assert found.imports == (
        Import(module="fmt", line=4),
        Import(module="x/y", alias="al", line=5),
        Import(module="dot", name="*", line=6),
        Import(module="side", alias="_", line=7),
    )
    assert kinds(found) == ["star_import"]


def test_calls_are_told_by_last_name_and_path() -> None:
    found = read("a.go", go("func f() { foo(1); go s.bar(2); a.b().c(); gen[int](3) }"))
    assert found.calls == (
        Call(name="foo", text="foo", line=3),
        Call(name="bar", text="s.bar", line=3),
        Call(name="c", text="?.c", line=3),
        Call(name="b", text="a.b", line=3),
        Call(name="gen", text="gen", line=3),
    )


def test_names_in_comments_and_strings_are_no_code() -> None:
    found = read("a.go", go('// foo\nvar a = "foo" + `foo` + bar.Foo'))
    assert found.names == {"main": (1,), "a": (4,), "bar": (4,), "Foo": (4,)}


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("func f() { reflect.ValueOf(x) }", "reflect.ValueOf"),
        ("func f() { v.MethodByName(n) }", "MethodByName"),
        ("func f() { handlers[n]() }", "computed_call"),
        ("//go:linkname f runtime.f\nfunc f()", "go:linkname"),
        ('import "C"', "cgo"),
    ],
)
def test_what_hides_definitions_or_uses_is_named(source: str, kind: str) -> None:
    assert kind in kinds(read("a.go", go(source)))
