"""What a Java file defines and uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimjury.settlers.syntax.literals import UNKNOWN, Unknown, number, plain_string
from claimjury.settlers.syntax.reading import Handlers, Reader, child, children, line_of
from claimjury.settlers.syntax.values import Import, Kind, Parameters, Value

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["JavaReader"]

_TYPES: Final[dict[str, Kind]] = {
    "class_declaration": "class",
    "record_declaration": "class",
    "interface_declaration": "interface",
    "annotation_type_declaration": "interface",
    "enum_declaration": "enum",
}
_NUMBERS: Final = frozenset(
    {"decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal"}
    | {"decimal_floating_point_literal", "unary_expression"}
)
_SIMPLE: Final[dict[str, Value]] = {"true": True, "false": False, "null_literal": None}
_HIDING: Final = frozenset(
    {
        "forName",
        "getMethod",
        "getMethods",
        "getDeclaredMethod",
        "getDeclaredMethods",
        "getField",
        "findVirtual",
    }
    | {
        "getDeclaredField",
        "getDeclaredFields",
        "getConstructor",
        "getDeclaredConstructor",
        "newProxyInstance",
    }
    | {"findStatic"}
)
# Lombok, AutoValue, Immutables and MapStruct write members that no source shows.
_GENERATING: Final = frozenset(
    {"Data", "Value", "Getter", "Setter", "Builder", "SuperBuilder", "With", "AllArgsConstructor"}
    | {
        "NoArgsConstructor",
        "RequiredArgsConstructor",
        "ToString",
        "EqualsAndHashCode",
        "Slf4j",
        "Log4j2",
        "Delegate",
    }
    | {"UtilityClass", "FieldDefaults", "Accessors", "Cleanup", "AutoValue", "Mapper", "Generated"}
)


class JavaReader(Reader):
    """Reads Java."""

    def handlers(self) -> Handlers:
        return {
            "identifier": self.name,
            "type_identifier": self.name,
            **dict.fromkeys(_TYPES, self._type),
            "import_declaration": self._import,
            **dict.fromkeys(("method_declaration", "annotation_type_element_declaration"), self._method),
            **dict.fromkeys(
                ("constructor_declaration", "compact_constructor_declaration"), self._constructor
            ),
            **dict.fromkeys(("field_declaration", "constant_declaration"), self._field),
            "enum_constant": self._enum_constant,
            "method_invocation": self._call,
            "object_creation_expression": self._new,
        }

    def _modifiers(self, node: Node) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Give the words and the annotations that stand before a declaration."""
        words: list[str] = []
        annotations: list[str] = []
        for one in (part for group in children(node, "modifiers") for part in group.children):
            if one.type in ("marker_annotation", "annotation"):
                annotations.append(self.text(child(one, "name")))
            else:
                words.append(one.type)
        return tuple(words), tuple(annotations)

    def _type(self, node: Node) -> None:
        name = child(node, "name")
        if name is None:
            return
        _, annotations = self._modifiers(node)
        bases = tuple(
            self.short(one) for one in children(node, "superclass", "super_interfaces", "extends_interfaces")
        )
        record = node.type == "record_declaration"
        text = self.define(
            node,
            name,
            _TYPES[node.type],
            parameters=self._parameters(node) if record else None,
            decorators=annotations,
            bases=bases,
        )
        self._generating(annotations, node)
        self.open(text, "class")
        for one in children(child(node, "parameters"), "formal_parameter") if record else ():
            if component := child(one, "name"):
                self.define(one, component, "field")

    def _generating(self, annotations: tuple[str, ...], node: Node) -> None:
        if any(one.rpartition(".")[2] in _GENERATING for one in annotations):
            self.hides("generated", node)

    def _import(self, node: Node) -> None:
        path = next(iter(children(node, "scoped_identifier", "identifier")), None)
        text = "".join(self.text(path).split())
        star = bool(children(node, "asterisk"))
        module, _, name = (text, "", "*") if star else text.rpartition(".")
        self.imports.append(Import(module=module or name, name=name if module else None, line=line_of(node)))
        if star:
            self.hides("star_import", node)
        else:
            self.bind(name)

    def _method(self, node: Node) -> None:
        name = child(node, "name")
        if name is None:
            return
        _, annotations = self._modifiers(node)
        self._generating(annotations, node)
        self.define(node, name, "method", parameters=self._parameters(node), decorators=annotations)
        self.open(self.text(name), "function")

    def _constructor(self, node: Node) -> None:
        name = child(node, "name")
        if name is None:
            return
        # A compact one has the components of its record as its parameters.
        whole = node.type == "constructor_declaration"
        parameters = self._parameters(node) if whole else None
        _, annotations = self._modifiers(node)
        self.define(node, name, "method", parameters=parameters, decorators=annotations)
        self.open(self.text(name), "function")

    def _parameters(self, node: Node) -> Parameters:
        names: list[str] = []
        receiver, variadic = None, False
        for one in children(child(node, "parameters")):
            if one.type == "receiver_parameter":
                receiver = self.text(one)
            elif one.type == "formal_parameter":
                names.append(self.text(child(one, "name")))
            elif one.type == "spread_parameter":
                variadic = True
                declared = children(one, "variable_declarator")
                names.append(self.text(child(declared[0], "name")) if declared else "")
        return Parameters(
            names=tuple(names), receiver=receiver, required=len(names) - variadic, variadic=variadic
        )

    def _field(self, node: Node) -> None:
        words, annotations = self._modifiers(node)
        self._generating(annotations, node)
        # What an interface declares is static and final without the words.
        fixed = node.type == "constant_declaration" or ("static" in words and "final" in words)
        for one in node.children_by_field_name("declarator"):
            name, value = child(one, "name"), child(one, "value")
            if name is None:
                continue
            text = self.define(node, name, "constant" if fixed else "field", decorators=annotations)
            found = self._literal(value) if value is not None and fixed else UNKNOWN
            if value is not None and not isinstance(found, Unknown):
                self.constant(text, value, found)

    def _literal(self, node: Node) -> Value | Unknown:
        text = self.text(node)
        if node.type in _NUMBERS:
            return number(text, suffixes="[lLfFdD]", octal=True)
        if node.type == "string_literal" and not text.startswith('"""'):
            return plain_string(text, '"')
        return _SIMPLE.get(node.type, UNKNOWN)

    def _enum_constant(self, node: Node) -> None:
        if name := child(node, "name"):
            self.open(self.define(node, name, "constant"), "class")

    def _call(self, node: Node) -> None:
        name, owner = child(node, "name"), child(node, "object")
        if name is None:
            return
        last = self.text(name)
        before = self.brief(owner)
        self.calls_named(last, f"{before}.{last}" if before else last, name)
        if last in _HIDING or (last, before) == ("load", "ServiceLoader"):
            self.hides(last, node)

    def _new(self, node: Node) -> None:
        kind = child(node, "type")
        if kind is not None and kind.type == "generic_type" and kind.named_children:
            kind = kind.named_children[0]
        if kind is not None:
            last = kind.named_children[-1] if kind.type == "scoped_type_identifier" else kind
            self.call(kind, last)
        if children(node, "class_body"):
            self.open("", "class")
