from __future__ import annotations

import pytest

from claimjury.settlers.syntax import Call, Import, Parameters
from settlers.syntax.outlining import described, kinds, parameters_of, read, the


def in_class(source: str) -> str:
    return f"class A {{\n{source}\n}}\n"


def test_a_method_stands_in_its_class() -> None:
    found = read(
        "A.java", in_class("public <X> int close(final boolean hard, List<X> xs) throws E { return 1; }")
    )
    assert described(found) == ["class A", "method A.close"]
    assert parameters_of(found, "close") == Parameters(names=("hard", "xs"), required=2)


def test_a_variadic_parameter_need_not_be_given() -> None:
    found = read("A.java", in_class("void f(int a, String... rest) {}"))
    assert parameters_of(found, "f") == Parameters(names=("a", "rest"), required=1, variadic=True)


def test_a_receiver_is_not_among_the_parameters() -> None:
    found = read("A.java", in_class("void f(A this, int a) {}"))
    assert parameters_of(found, "f") == Parameters(names=("a",), receiver="A this", required=1)


def test_overloads_are_several_definitions_whose_parameters_are_uncertain() -> None:
    found = read("A.java", in_class("void f(int a) {}\nvoid f(int a, int b) {}\nvoid g() {}"))
    assert [
        (one.name, one.parameters.names, one.parameters.certain)
        for one in found.definitions
        if one.parameters
    ] == [("f", ("a",), False), ("f", ("a", "b"), False), ("g", (), True)]


def test_a_constructor_has_the_name_of_its_class() -> None:
    assert described(read("A.java", in_class("A(int a) {}"))) == ["class A", "method A.A"]


def test_the_components_of_a_record_are_its_parameters_and_fields() -> None:
    found = read(
        "A.java", "record Point(int x, int... y) implements I { static int n; Point { } void m() {} }\n"
    )
    assert described(found) == [
        *("class Point", "field Point.x", "field Point.n", "method Point.Point", "method Point.m"),
    ]
    assert found.definitions[0].parameters == Parameters(names=("x", "y"), required=1, variadic=True)


def test_interfaces_enums_and_annotations_have_members() -> None:
    source = """
    interface In extends Base { int K = 5; void q(int a); default void r() {} }
    enum En { ONE, TWO(2) { void z() {} }; private final int v; En(int v) {} void m() {} }
    @interface Ann { String value() default "x"; }
    """
    found = read("A.java", source)
    assert described(found) == [
        *("interface In", "constant In.K", "method In.q", "method In.r"),
        *("enum En", "constant En.ONE", "constant En.TWO", "method En.TWO.z"),
        *("field En.v", "method En.En", "method En.m"),
        *("interface Ann", "method Ann.value"),
    ]
    assert the(found, "In").bases == ("extends Base",)


def test_a_static_final_literal_is_a_constant() -> None:
    source = """public static final int A = 30, B = -1;
static final long C = 30L;
final static String D = "x";
static final boolean E = true;
static final double F = 1.5d;
static final float G = 3f;
static final int H = 017;
static final int I = 0x1F;"""
    found = read("A.java", in_class(source))
    assert [one.value for one in found.constants] == [30, -1, 30, "x", True, 1.5, 3.0, 15, 31]
    assert isinstance(found.constants[6].value, float)
    assert {one.scope for one in found.constants} == {("A",)}


@pytest.mark.parametrize(
    "source",
    [
        "static final int A = 60 * 60;",
        "final int A = 1;",
        "static int A = 1;",
        "static final char A = 'c';",
        'static final String A = "a" + "b";',
        'static final String A = "\\n";',
        "static final int A;",
        'static final String A = """\n  x""";',
        "void f() { final int A = 1; }",
    ],
)
def test_what_can_change_or_is_computed_is_no_constant(source: str) -> None:
    assert read("A.java", in_class(source)).constants == ()


def test_members_of_nested_and_anonymous_classes_have_their_scope() -> None:
    source = "class In { void z() {} }\nvoid f() { new Runnable() { public void run() {} }; class L { void m() {} } }"
    assert described(read("A.java", in_class(source))) == [
        *("class A", "class A.In", "method A.In.z", "method A.f"),
        *("method A.f.<anonymous>.run", "class A.f.L", "method A.f.L.m"),
    ]


def test_annotations_are_named_and_those_that_write_members_hide_them() -> None:
    found = read("A.java", '@Data @Entity(name = "x") class A { @Override public void f() {} }\n')
    assert the(found, "A").decorators == ("Data", "Entity")
    assert the(found, "f").decorators == ("Override",)
    assert kinds(found) == ["generated"]


def test_imports_are_taken_apart() -> None:
    found = read(
        "A.java", "import java.util.List;\nimport static a.B.c;\nimport static a.M.*;\nimport x.*;\n"
    )
    assert found.imports == (
        Import(module="java.util", name="List", line=1),
        Import(module="a.B", name="c", line=2),
        Import(module="a.M", name="*", line=3),
        Import(module="x", name="*", line=4),
    )
    assert kinds(found) == ["star_import", "star_import"]


def test_calls_are_told_by_last_name_and_path() -> None:
    found = read("A.java", in_class("void f() { foo(1); a.b(2).c(); new Q(1); new p.R<>(); }"))
    assert found.calls == (
        Call(name="foo", text="foo", line=2),
        Call(name="c", text="c", line=2),
        Call(name="b", text="a.b", line=2),
        Call(name="Q", text="Q", line=2),
        Call(name="R", text="p.R", line=2),
    )


def test_names_in_comments_and_strings_are_no_code() -> None:
    found = read("A.java", '// foo\n/** foo */\nclass A { String s = "foo" + bar; Object o = Foo::baz; }\n')
    assert found.names == {
        "A": (3,),
        "String": (3,),
        "s": (3,),
        "bar": (3,),
        "Object": (3,),
        "o": (3,),
        "Foo": (3,),
        "baz": (3,),
    }


@pytest.mark.parametrize(
    "source", ['Class.forName("x")', 'x.getClass().getDeclaredMethod("m")', "ServiceLoader.load(X.class)"]
)
def test_reflection_is_named(source: str) -> None:
    assert len(kinds(read("A.java", in_class(f"void f() {{ {source}; }}")))) == 1
