from __future__ import annotations

import pytest

from claimjury.settlers.syntax import Call, Export, Import, Parameters
from settlers.syntax.outlining import described, kinds, parameters_of, read, the


@pytest.mark.parametrize(
    "source",
    [
        "function f(a, b = 1, ...c) {}",
        "const f = (a, b = 1, ...c) => {}",
        "let f = function (a, b = 1, ...c) {}",
        "var f = async function g(a, b = 1, ...c) {}",
        "export async function f(a, b = 1, ...c) {}",
        "function* f(a, b = 1, ...c) {}",
        "exports.f = function (a, b = 1, ...c) {}",
        "module.exports.f = (a, b = 1, ...c) => {}",
        "module.exports = { f(a, b = 1, ...c) {} }",
        "module.exports = { f: function (a, b = 1, ...c) {} }",
        "module.exports = function f(a, b = 1, ...c) {}",
        "export default function f(a, b = 1, ...c) {}",
    ],
)
def test_a_function_is_one_however_it_gets_its_name(source: str) -> None:
    found = read("a.js", source)
    assert described(found) == ["function f"]
    assert parameters_of(found, "f") == Parameters(names=("a", "b", "c"), required=1, variadic=True)


def test_an_arrow_with_a_single_parameter_has_one() -> None:
    assert parameters_of(read("a.js", "const f = x => x"), "f") == Parameters(names=("x",), required=1)


def test_a_pattern_among_the_parameters_leaves_them_uncertain() -> None:
    found = read("a.js", "function f(a, {b, c}, [d]) {}")
    assert parameters_of(found, "f") == Parameters(names=("a", "", ""), required=3, certain=False)


def test_a_parameter_before_one_that_must_be_given_must_be_given_too() -> None:
    assert parameters_of(read("a.js", "function f(a = 1, b, c = 2) {}"), "f").required == 2


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("export default function (a) {}", "function"),
        ("export default (a) => a", "function"),
        ("export default class {}", "class"),
        ("module.exports = class {}", "class"),
    ],
)
def test_a_default_export_without_a_name_is_called_default(source: str, kind: str) -> None:
    found = read("a.js", source)
    assert described(found) == [f"{kind} default"]
    assert found.exports == (Export(name="default", line=1),)


def test_exports_keep_both_names() -> None:
    source = """export { a as b, c };
export { default as D } from './d';
export * from 'e';
export * as f from 'f';
export const g = 1;
export default h;
exports.i = j;
module.exports = { k, l: m };
"""
    found = read("a.js", source)
    assert [(one.name, one.local, one.module) for one in found.exports] == [
        ("b", "a", None),
        ("c", "c", None),
        ("D", "default", "./d"),
        ("*", None, "e"),
        ("f", "*", "f"),
        ("g", "g", None),
        ("default", "h", None),
        ("i", "j", None),
        ("k", "k", None),
        ("l", "m", None),
    ]
    assert kinds(found) == ["export_star"]


def test_imports_keep_module_name_and_alias() -> None:
    source = """import d, { a as b, c } from 'm';
import * as n from 'n';
import 's';
const { r: s, t } = require('q');
const u = require('v');
"""
    found = read("a.js", source)
    assert found.imports[:7] == (
        Import(module="m", name="default", alias="d", line=1),
        Import(module="m", name="a", alias="b", line=1),
        Import(module="m", name="c", line=1),
        Import(module="n", alias="n", line=2),
        Import(module="s", line=3),
        Import(module="q", name="r", alias="s", line=4),
        Import(module="q", name="t", line=4),
    )
    assert Import(module="v", alias="u", line=5) in found.imports


def test_members_of_a_class_have_its_scope() -> None:
    source = """
    class Store extends Base {
      static limit = 3;
      #secret = 1;
      close = (hard) => {};
      constructor(path) { super(path); }
      get size() { return 1 }
      static async open(path) {}
      'odd-name'() {}
      [computed]() {}
    }
    """
    found = read("a.js", source)
    assert described(found) == [
        "class Store",
        "field Store.limit",
        "field Store.#secret",
        "method Store.close",
        "method Store.constructor",
        "method Store.size",
        "method Store.open",
        "method Store.odd-name",
    ]
    assert kinds(found) == ["computed_name"]
    assert the(found, "Store").bases == ("extends Base",)


def test_methods_of_an_object_have_its_name_as_scope() -> None:
    source = "const api = { get(a) {}, put: (a, b) => 1, limit: 3, inner: { deep() {} } };\n"
    assert described(read("a.js", source)) == [
        "constant api",
        "method api.get",
        "method api.put",
        "field api.limit",
        "field api.inner",
        "method api.inner.deep",
    ]


def test_a_method_of_an_object_without_a_name_is_not_of_the_module() -> None:
    found = read("a.js", "setup({ run() {} }); describe(() => { function helper() {} });\n")
    assert described(found) == ["method <anonymous>.run", "function <anonymous>.helper"]


def test_a_method_that_is_set_on_a_prototype_belongs_to_its_class() -> None:
    assert described(read("a.js", "Store.prototype.close = function (a) {};\n")) == ["method Store.close"]


def test_a_literal_constant_is_told_with_its_type() -> None:
    source = "const A = 30, B = 30.5, C = '30', D = null, E = true, F = 1_000, G = 0x1f, H = `x`, I = -1;\n"
    assert [one.value for one in read("a.js", source).constants] == [
        *(30, 30.5, "30", None, True, 1000, 31, "x", -1)
    ]


@pytest.mark.parametrize(
    "value", ["60 * 60", "process.env.T || 30", "30n", "`${x}`", "017", "'a\\n'", "[1]", "f()"]
)
def test_what_is_computed_or_odd_is_no_constant(value: str) -> None:
    assert read("a.js", f"const A = {value};\n").constants == ()


@pytest.mark.parametrize(
    "more",
    ["A = 2", "A++", "A += 1", "function f() { A = 2 }", "[A] = x", "({ A } = x)", "for (A of x) {}"],
)
def test_a_variable_that_is_bound_elsewhere_too_is_uncertain(more: str) -> None:
    found = read("a.js", f"let A = 1;\n{more};\n")
    assert [one.certain for one in found.constants] == [False]


def test_what_stands_in_a_block_is_conditional() -> None:
    found = read("a.js", "if (x) { function f() {} }\n{ const A = 1; }\ntry { var g = () => 1 } catch {}\n")
    assert [one.conditional for one in found.definitions] == [True, True, True]
    assert [one.certain for one in found.constants] == [False]


def test_variables_of_functions_are_no_definitions_but_functions_in_them_are() -> None:
    found = read("a.js", "function f() { const a = 1; const g = () => 2; }\nfor (let i = 0; i < 1; i++) {}\n")
    assert described(found) == ["function f", "function f.g"]
    assert found.constants == ()


def test_calls_are_told_by_last_name_and_path() -> None:
    found = read("a.js", "foo(1);\na?.b.foo(2);\nnew Foo.Bar();\nx().y();\n")
    assert found.calls[:4] == (
        Call(name="foo", text="foo", line=1),
        Call(name="foo", text="a?.b.foo", line=2),
        Call(name="Bar", text="Foo.Bar", line=3),
        Call(name="y", text="?.y", line=4),
    )


def test_names_in_text_strings_and_comments_are_no_code() -> None:
    source = "// foo\n/* foo */\nconst a = 'foo' + `foo ${bar}`;\nconst b = <Foo title='foo'>foo</Foo>;\n"
    assert read("a.jsx", source).names == {"a": (3,), "bar": (3,), "b": (4,), "Foo": (4,), "title": (4,)}


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("eval(x)", "eval"),
        ("handlers[name]()", "computed_call"),
        ("exports[name] = f", "computed_name"),
        ("Object.defineProperty(exports, 'x', {})", "Object.defineProperty"),
        ("Object.assign(module.exports, x)", "Object.assign"),
        ("module.exports = { ...x }", "export_spread"),
        ("require(name)", "computed_import"),
        ("import(name)", "computed_import"),
        ("Reflect.get(a, b)", "Reflect.get"),
        ("function f() { return arguments }", "arguments"),
        ("const \\u0061b = 1", "escaped_name"),
        ("@Injectable() class A {}", "generated"),
    ],
)
def test_what_hides_definitions_or_uses_is_named(source: str, kind: str) -> None:
    assert kind in kinds(read("a.js", source + ";\n"))


def test_overload_signatures_are_marked_and_uncertain() -> None:
    source = """
    export function f(a: string): void;
    export function f(a: number, b?: number): void;
    export function f(a: any, b?: any) {}
    class A { m(a: string): void; m(a: any) {} }
    """
    found = read("a.ts", source)
    assert [(one.name, one.overload) for one in found.definitions] == [
        *(("f", True), ("f", True), ("f", False), ("A", False), ("m", True), ("m", False))
    ]
    assert not any(one.parameters.certain for one in found.definitions if one.parameters)


def test_a_declaration_without_a_body_is_no_overload() -> None:
    assert not the(read("a.ts", "declare function f(a: string): void;\n"), "f").overload
    assert not the(read("a.d.ts", "export function f(a: string): void;\n"), "f").overload


def test_optional_parameters_need_not_be_given_and_this_is_none() -> None:
    found = read("a.ts", "function f(this: Foo, a: string, b?: number, c = 1, ...d: any[]) {}\n")
    assert parameters_of(found, "f") == Parameters(
        names=("a", "b", "c", "d"), receiver="this", required=1, variadic=True
    )


def test_types_and_their_members_are_definitions() -> None:
    source = """
    interface Reader extends Base { read(n: number): void; size?: number; (x: string): void }
    interface Reader { close(): void }
    type Shape = { area(): number; name: string };
    enum Color { Red, Green = 2, Blue = "b" }
    abstract class A { abstract run(a: number): void; constructor(private store: Store, b: number) {} }
    """
    found = read("a.ts", source)
    assert described(found) == [
        *("interface Reader", "method Reader.read", "field Reader.size"),
        *("interface Reader", "method Reader.close"),
        *("type Shape", "method Shape.area", "field Shape.name"),
        *("enum Color", "constant Color.Red", "constant Color.Green", "constant Color.Blue"),
        *("class A", "method A.run", "method A.constructor", "field A.store"),
    ]
    assert [(one.scope, one.name, one.value) for one in found.constants] == [
        (("Color",), "Green", 2),
        (("Color",), "Blue", "b"),
    ]


def test_namespaces_and_modules_are_scopes_and_export_nothing_of_the_file() -> None:
    source = """
    namespace Outer.Inner { export function f() {} }
    declare module "zz" { export function g(): void }
    declare global { interface Window { x: number } }
    """
    found = read("a.ts", source)
    assert described(found) == [
        *("module Outer.Inner", "function Outer.Inner.f", "module zz", "function zz.g"),
        *("interface global.Window", "field global.Window.x"),
    ]
    assert found.exports == ()


def test_decorators_of_methods_leave_their_parameters_uncertain() -> None:
    found = read("a.ts", "@Dec() class A { @Get('x') m(@Body() b: string) {} n(a: string) {} }\n")
    assert the(found, "A").decorators == ("Dec",)
    assert the(found, "m").decorators == ("Get",)
    assert not parameters_of(found, "m").certain
    assert parameters_of(found, "n").certain


def test_a_type_without_a_name_gives_no_members() -> None:
    assert described(read("a.ts", "function f(a: { b: number; c(): void }) {}\n")) == ["function f"]


def test_tsx_has_its_own_grammar() -> None:
    found = read("a.tsx", "const A = ({ x }: Props) => <B<string> y={foo(x)}>foo</B>;\n")
    assert described(found) == ["function A"]
    assert "foo" in [one.name for one in found.calls]
    assert read("a.ts", "const a = <string>b;\n").names["b"] == (1,)


def test_a_constant_that_is_asserted_stays_one() -> None:
    found = read("a.ts", "export const A = 30 as const;\nexport const B = 'x' satisfies string;\n")
    assert [one.value for one in found.constants] == [30, "x"]
