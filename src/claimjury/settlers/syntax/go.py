"""What a Go file defines and uses."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from claimjury.settlers.syntax.literals import UNKNOWN, Unknown, number, plain_string
from claimjury.settlers.syntax.reading import Handlers, Reader, child, children, line_of
from claimjury.settlers.syntax.values import Import, Kind, Parameters, Value

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["GoReader"]

_SYSTEMS: Final = "aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|unix|wasip1|windows"
_MACHINES: Final = "386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm"
_TAGGED: Final = re.compile(f"_(?:{_SYSTEMS}|{_MACHINES})(?:_test)?$")
_BUILD: Final = re.compile(r"//\s*\+build\s|//go:build\s")
_DIRECTIVE: Final = re.compile(r"//go:(linkname|generate|embed)\b")
_SIMPLE: Final[dict[str, Value]] = {"true": True, "false": False}


class GoReader(Reader):
    """Reads Go."""

    def handlers(self) -> Handlers:
        self._named: dict[int, str] = {}
        if _TAGGED.search(PurePosixPath(self.parsed.path).stem):
            self.condition_around()
        return {
            **dict.fromkeys(
                ("identifier", "field_identifier", "type_identifier", "package_identifier", "label_name"),
                self.name,
            ),
            "comment": self._comment,
            "import_spec": self._import,
            "const_spec": self._const,
            "var_spec": self._var,
            **dict.fromkeys(("type_spec", "type_alias"), self._type),
            **dict.fromkeys(("struct_type", "interface_type"), self._body),
            "field_declaration": self._field,
            **dict.fromkeys(("method_elem", "method_spec"), self._element),
            "function_declaration": self._function,
            "method_declaration": self._method,
            "func_literal": lambda node: self.open(self._named.pop(node.id, ""), "function"),
            "call_expression": self._call,
            "type_conversion_expression": self._conversion,
        }

    def _comment(self, node: Node) -> None:
        text = self.text(node)
        if self.parent() == "source_file" and _BUILD.match(text):
            self.condition_around()
        elif match := _DIRECTIVE.match(text):
            self.hides(f"go:{match[1]}", node)

    def _import(self, node: Node) -> None:
        module = self.text(child(node, "path"))[1:-1]
        alias = self.text(child(node, "name")) or None
        name = "*" if alias == "." else None
        self.imports.append(
            Import(module=module, name=name, alias=None if name else alias, line=line_of(node))
        )
        if name:
            self.hides("star_import", node)
        elif module == "C":
            self.hides("cgo", node)
        else:
            self.bind(alias or module.rpartition("/")[2])

    def _values(self, node: Node) -> list[Node]:
        return children(child(node, "value"))

    def _const(self, node: Node) -> None:
        names = [one for one in node.children_by_field_name("name") if one.type == "identifier"]
        values = self._values(node)
        for place, name in enumerate(names):
            text = self.text(name)
            if self.scope.kind == "function":
                self.bind(text)
                continue
            self.define(node, name, "constant")
            # Without a value of its own it repeats the one before it, in which iota may stand.
            if len(values) == len(names):
                found = self._literal(values[place])
                if not isinstance(found, Unknown):
                    self.constant(text, values[place], found)

    def _var(self, node: Node) -> None:
        names = [one for one in node.children_by_field_name("name") if one.type == "identifier"]
        values = self._values(node)
        lone = values[0] if len(names) == len(values) == 1 else None
        for name in names:
            if lone is not None and lone.type == "func_literal":
                self.define(node, name, "function", parameters=self._parameters(lone))
                self._named[lone.id] = self.text(name)
                if self.scope.kind == "module":
                    # Any file of the package can give it another function.
                    self.bind(self.text(name))
            elif self.scope.kind == "module":
                self.define(node, name, "variable")
            else:
                self.bind(self.text(name))

    def _literal(self, node: Node) -> Value | Unknown:
        text = self.text(node)
        if node.type in ("int_literal", "float_literal", "unary_expression"):
            return number(text, octal=True)
        if node.type == "interpreted_string_literal":
            return plain_string(text, '"')
        if node.type == "raw_string_literal":
            return text[1:-1].replace("\r", "")
        return _SIMPLE.get(node.type, UNKNOWN)

    def _type(self, node: Node) -> None:
        name, what = child(node, "name"), child(node, "type")
        if name is None or what is None:
            return
        kinds: dict[str, Kind] = {"struct_type": "struct", "interface_type": "interface"}
        text = self.define(node, name, kinds.get(what.type, "type"), bases=self._embedded(what))
        self._named[what.id] = text

    def _embedded(self, what: Node) -> tuple[str, ...]:
        if what.type == "interface_type":
            return tuple(self.short(one) for one in children(what, "type_elem", "constraint_elem"))
        fields = (
            [one for part in children(what, "field_declaration_list") for one in part.named_children]
            if what.type == "struct_type"
            else []
        )
        return tuple(
            self.short(child(one, "type"))
            for one in fields
            if one.type == "field_declaration" and child(one, "name") is None
        )

    def _body(self, node: Node) -> None:
        # What a type without a name lists are no members of what it stands in.
        name = self._named.pop(node.id, "")
        self.open(name, "class" if name else "function")

    def _field(self, node: Node) -> None:
        if self.scope.kind == "class":
            for name in node.children_by_field_name("name"):
                if name.type == "field_identifier":
                    self.define(node, name, "field")

    def _element(self, node: Node) -> None:
        name = child(node, "name")
        if name is not None and self.scope.kind == "class":
            self.define(node, name, "method", parameters=self._parameters(node))

    def _function(self, node: Node) -> None:
        if name := child(node, "name"):
            self.define(node, name, "function", parameters=self._parameters(node))
            self.open(self.text(name), "function")

    def _method(self, node: Node) -> None:
        name, receivers = child(node, "name"), children(child(node, "receiver"), "parameter_declaration")
        if name is None or not receivers:
            return
        owner = self._receiver_type(child(receivers[0], "type"))
        self.define(
            node,
            name,
            "method",
            scope=(owner,),
            parameters=self._parameters(node, receiver=self.short(receivers[0])),
        )
        self.open(owner, "class")
        self.open(self.text(name), "function")

    def _receiver_type(self, node: Node | None) -> str:
        while node is not None and node.type in ("pointer_type", "parenthesized_type", "generic_type"):
            node = node.named_children[0] if node.named_children else None
        return self.short(node)

    def _parameters(self, node: Node, receiver: str | None = None) -> Parameters:
        names: list[str] = []
        required, variadic = 0, False
        for one in children(child(node, "parameters")):
            if one.type not in ("parameter_declaration", "variadic_parameter_declaration"):
                continue
            own = [self.text(name) for name in one.children_by_field_name("name") if name.is_named] or [""]
            names += own
            if one.type == "variadic_parameter_declaration":
                variadic = True
            else:
                required += len(own)
        return Parameters(names=tuple(names), receiver=receiver, required=required, variadic=variadic)

    def _call(self, node: Node) -> None:
        callee = child(node, "function")
        if callee is not None and callee.type == "type_instantiation_expression":
            callee = child(callee, "type")
        if callee is None:
            return
        if callee.type in ("identifier", "type_identifier"):
            self.call(callee, callee)
        elif callee.type == "selector_expression":
            text, last = self.call(callee, child(callee, "field")), self.text(child(callee, "field"))
            if text.startswith("reflect.") or text == "plugin.Open":
                self.hides(text, node)
            elif last in ("MethodByName", "FieldByName"):
                self.hides(last, node)
        elif callee.type == "index_expression":
            self.hides("computed_call", node)

    def _conversion(self, node: Node) -> None:
        # `f[int](x)` is a call where `f` is a function, and the syntax does not say which it is.
        what = child(node, "type")
        if what is not None and what.type == "generic_type":
            self.call(child(what, "type"), child(what, "type"))
