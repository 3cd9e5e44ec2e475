from __future__ import annotations

import pytest

from claimjury.settlers.syntax import Call, Parameters
from settlers.syntax.outlining import described, kinds, parameters_of, read, the


def test_a_function_is_told_with_its_parameters() -> None:
    found = read("a.rs", "pub async fn parse<'a, T: Foo>(text: &'a str, mut n: i32, _: T) -> T {}\n")
    assert parameters_of(found, "parse") == Parameters(names=("text", "n", "_"), required=3)


@pytest.mark.parametrize(
    "receiver", ["self", "&self", "&mut self", "&'a self", "mut self", "self: Box<Self>"]
)
def test_the_receiver_of_a_method_is_not_among_its_parameters(receiver: str) -> None:
    found = read("a.rs", f"impl Store {{ fn close({receiver}, hard: bool) {{}} }}\n")
    assert described(found) == ["method Store.close"]
    assert parameters_of(found, "close") == Parameters(names=("hard",), receiver=receiver, required=1)


@pytest.mark.parametrize(
    "head", ["impl<T> Store<T>", "impl fmt::Display for a::Store<u8>", "impl<T> Tr<T> for Store"]
)
def test_what_an_impl_holds_stands_in_its_type(head: str) -> None:
    assert described(read("a.rs", f"{head} {{ fn new() -> Self {{}} }}\n")) == ["method Store.new"]


def test_a_pattern_among_the_parameters_leaves_them_uncertain() -> None:
    found = read("a.rs", "fn f(a: i32, (b, c): (i32, i32)) {}\n")
    assert parameters_of(found, "f") == Parameters(names=("a", ""), required=2, certain=False)


def test_types_and_their_members_are_definitions() -> None:
    source = """
    pub struct Point<T> { pub x: T, y: i32 }
    struct Pair(i32, u8);
    union Bits { a: u32 }
    enum Shape { Dot, Line(i32), Box { w: i32 }, Odd = 3 }
    trait Area: Base { type Out; const N: i32 = 1; fn area(&self) -> i32; fn twice(&self) {} }
    type Alias = Point<i32>;
    """
    assert described(read("a.rs", source)) == [
        *("struct Point", "field Point.x", "field Point.y", "struct Pair", "struct Bits", "field Bits.a"),
        *("enum Shape", "constant Shape.Dot", "constant Shape.Line", "constant Shape.Box"),
        *("field Shape.Box.w", "constant Shape.Odd"),
        *("trait Area", "type Area.Out", "constant Area.N", "method Area.area", "method Area.twice"),
        "type Alias",
    ]


def test_a_literal_constant_is_told_with_its_type() -> None:
    source = """
    const A: u32 = 30;
    pub const B: f64 = 1.5f64;
    static C: &str = "x";
    const D: &str = r#"y"z"#;
    const E: bool = true;
    const F: i32 = -1_000i32;
    const G: f32 = 3f32;
    const H: u64 = 0x1f32;
    """
    found = read("a.rs", source)
    assert [one.value for one in found.constants] == [30, 1.5, "x", 'y"z', True, -1000, 3.0, 0x1F32]
    assert isinstance(found.constants[6].value, float)
    assert all(one.certain for one in found.constants)


@pytest.mark.parametrize(
    "source",
    [
        "const A: u32 = 60 * 60;",
        "static mut A: i32 = 1;",
        "const A: char = 'c';",
        'const A: &str = "a\\n";',
        "const A: T = T::new(1);",
        "fn f() { const A: i32 = 1; }",
        'const A: &[u8] = b"x";',
    ],
)
def test_what_is_computed_odd_or_local_is_no_constant(source: str) -> None:
    assert read("a.rs", source + "\n").constants == ()


def test_what_is_under_cfg_is_conditional_and_what_follows_is_not() -> None:
    source = """
    #[cfg(unix)]
    fn a() {}
    fn b() {}
    #[cfg(test)]
    mod tests { #[test] fn c() {} }
    mod d { #![cfg(x)] fn e() {} }
    fn f() { #[cfg(x)] let a = 1; fn g() {} }
    """
    found = read("a.rs", source)
    assert [one.name for one in found.definitions if one.conditional] == ["a", "tests", "c", "e"]
    assert all(one.conditional for one in read("a.rs", "#![cfg(unix)]\nfn a() {}\n").definitions)


def test_nested_modules_and_functions_are_scopes() -> None:
    found = read("a.rs", "mod m { pub mod n { fn f() { fn g() {} } } }\nmod other;\n")
    assert described(found) == [
        "module m",
        "module m.n",
        "function m.n.f",
        "function m.n.f.g",
        "module other",
    ]


def test_macros_and_derives_hide_items() -> None:
    source = """
    macro_rules! make { ($x:ident) => { fn $x() {} } }
    #[derive(Debug)] struct A;
    lazy_static! { static ref B: i32 = 1; }
    fn f() { vec![1]; }
    """
    found = read("a.rs", source)
    assert kinds(found) == ["macro_rules", "derive", "item_macro"]
    assert described(found) == ["macro make", "struct A", "function f"]


def test_an_attribute_that_is_not_known_leaves_the_parameters_uncertain() -> None:
    found = read("a.rs", "#[tokio::main]\nasync fn f(a: i32) {}\n#[inline]\n#[must_use]\nfn g(a: i32) {}\n")
    assert not parameters_of(found, "f").certain
    assert parameters_of(found, "g").certain
    assert the(found, "f").decorators == ("tokio::main",)
    assert kinds(found) == ["attribute_macro"]


def test_uses_are_taken_apart() -> None:
    source = "use std::{io, fmt::{self, Debug as D}, a::*};\nuse x;\nextern crate foo as bar;\n"
    found = read("a.rs", source)
    assert [(one.module, one.name, one.alias) for one in found.imports] == [
        ("std", "io", None),
        ("std", "fmt", None),
        ("std::fmt", "Debug", "D"),
        ("std::a", "*", None),
        ("x", None, None),
        ("foo", None, "bar"),
    ]
    assert kinds(found) == ["star_import"]


def test_what_is_public_is_exported_under_its_new_name() -> None:
    found = read("a.rs", "pub use crate::q as r;\npub use a::*;\npub fn f() {}\nfn g() {}\n")
    assert [(one.name, one.local, one.module) for one in found.exports] == [
        ("r", "q", "crate"),
        ("*", "*", "a"),
        ("f", "f", None),
    ]


def test_calls_are_told_by_last_name_and_path() -> None:
    found = read(
        "a.rs", "fn f() { foo(1); a::b::c(2); x.y().z(3); Vec::<i32>::new(); go::<T>(); mac!(q(1)); }\n"
    )
    assert [(one.name, one.text) for one in found.calls] == [
        *(("foo", "foo"), ("c", "a::b::c"), ("z", "?.z"), ("y", "x.y"), ("new", "?.new"), ("go", "go")),
        ("mac", "mac"),
    ]
    assert found.calls[0] == Call(name="foo", text="foo", line=1)


def test_names_in_macros_are_code_and_those_in_comments_strings_and_lifetimes_are_not() -> None:
    source = '// foo\n/* foo */\nfn f<\'foo>() { print!("foo {}", bar); r#type() }\n'
    assert read("a.rs", source).names == {"f": (3,), "print": (3,), "bar": (3,), "type": (3,)}
