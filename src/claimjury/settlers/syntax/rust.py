"""What a Rust file defines and uses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from claimjury.settlers.syntax.literals import UNKNOWN, Unknown, number, plain_string
from claimjury.settlers.syntax.reading import Handlers, Reader, child, children, line_of
from claimjury.settlers.syntax.values import Export, Import, Kind, Parameters, Value

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["RustReader"]

_NUMBER: Final = r"[iu](?:8|16|32|64|128|size)|f(?:32|64)"
_RAW: Final = re.compile(r'r(#*)"(.*)"\1', re.DOTALL)
_HARMLESS: Final = frozenset(
    {"allow", "warn", "deny", "expect", "forbid", "cfg", "cfg_attr", "cold", "deprecated", "derive", "doc"}
    | {"ignore", "inline", "must_use", "no_mangle", "non_exhaustive", "repr", "should_panic", "test"}
    | {"target_feature", "track_caller", "default", "automatically_derived", "rustfmt::skip", "macro_export"}
    | {"macro_use", "path", "link", "link_name", "export_name", "unsafe", "serde", "error", "from", "source"}
)
_TYPES: Final[dict[str, Kind]] = {
    "struct_item": "struct",
    "union_item": "struct",
    "enum_item": "enum",
    "trait_item": "trait",
    "type_item": "type",
    "associated_type": "type",
}
_PLAIN: Final = (
    *("use_declaration", "let_declaration", "expression_statement", "match_arm", "macro_invocation"),
    *("extern_crate_declaration", "foreign_mod_item"),
)


class RustReader(Reader):
    """Reads Rust."""

    def handlers(self) -> Handlers:
        self._attributes: list[str] = []
        return {
            **dict.fromkeys(
                ("identifier", "type_identifier", "field_identifier", "shorthand_field_identifier"),
                self._identifier,
            ),
            **dict.fromkeys(_PLAIN, self._item),
            **dict.fromkeys(_TYPES, self._type),
            **dict.fromkeys(("function_item", "function_signature_item"), self._function),
            **dict.fromkeys(("const_item", "static_item"), self._constant),
            "attribute_item": self._attribute,
            "inner_attribute_item": self._inner,
            "impl_item": self._impl,
            "field_declaration": self._field,
            "enum_variant": self._variant,
            "mod_item": self._mod,
            "macro_definition": self._macro,
            "macro_invocation": self._invocation,
            "closure_expression": lambda _: self.open("", "function"),
            "use_declaration": self._use,
            "extern_crate_declaration": self._crate,
            "call_expression": self._call,
        }

    def _identifier(self, node: Node) -> None:
        # The name of a lifetime is no use of what has the same name.
        if self.parent() not in ("lifetime", "label"):
            self.note(self.text(node).removeprefix("r#"), line_of(node))

    def _attribute(self, node: Node) -> None:
        self._attributes.append(self._attribute_name(node))

    def _attribute_name(self, node: Node) -> str:
        attribute = next(iter(children(node, "attribute")), None)
        path = attribute.named_children[0] if attribute is not None and attribute.named_children else None
        name = self.brief(path) or "?"
        if name == "derive":
            self.hides("derive", node)
        elif name not in _HARMLESS:
            self.hides("attribute_macro", node)
        return name

    def _inner(self, node: Node) -> None:
        if self._attribute_name(node) == "cfg":
            self.condition_around()

    def _item(self, _node: Node) -> tuple[str, ...]:
        """Take the attributes that stand before an item."""
        attributes, self._attributes = tuple(self._attributes), []
        if "cfg" in attributes:
            self.condition()
        return attributes

    def _type(self, node: Node) -> None:
        attributes, name = self._item(node), child(node, "name")
        if name is None:
            return
        bases = tuple(self.short(one) for one in children(child(node, "bounds")))
        text = self.define(node, name, _TYPES[node.type], decorators=attributes, bases=bases)
        self._exported(text, node)
        self.open(text, "class")

    def _exported(self, name: str, node: Node) -> None:
        if len(self.scopes) == 1 and children(node, "visibility_modifier"):
            self.exports.append(Export(name=name, local=name, line=line_of(node)))

    def _impl(self, node: Node) -> None:
        self._item(node)
        self.open(self._type_name(child(node, "type")), "class")

    def _type_name(self, node: Node | None) -> str:
        if node is not None and node.type == "generic_type":
            node = child(node, "type")
        if node is not None and node.type == "scoped_type_identifier":
            node = child(node, "name")
        return self.short(node)

    def _function(self, node: Node) -> None:
        attributes, name = self._item(node), child(node, "name")
        if name is None:
            return
        text = self.define(
            node,
            self.text(name).removeprefix("r#"),
            "method" if self.scope.kind == "class" else "function",
            parameters=self._parameters(node, certain=_HARMLESS.issuperset(attributes)),
            decorators=attributes,
        )
        self._exported(text, node)
        self.open(text, "function")

    def _parameters(self, node: Node, *, certain: bool) -> Parameters:
        names: list[str] = []
        receiver, variadic = None, False
        for one in children(child(node, "parameters"), "self_parameter", "parameter", "variadic_parameter"):
            pattern = child(one, "pattern")
            if one.type == "self_parameter" or (pattern is not None and pattern.type == "self"):
                receiver = self.text(one)
            elif one.type == "variadic_parameter":
                variadic = True
            else:
                plain = pattern is not None and (pattern.type == "identifier" or not pattern.is_named)
                certain = certain and plain
                names.append(self.text(pattern) if plain else "")
        # A variadic one of C is no parameter with a name, so what callers may give is not certain.
        return Parameters(
            names=tuple(names),
            receiver=receiver,
            required=len(names),
            variadic=variadic,
            certain=certain and not variadic,
        )

    def _constant(self, node: Node) -> None:
        self._item(node)
        name = child(node, "name")
        if name is None or self.scope.kind == "function":
            return
        mutable = bool(children(node, "mutable_specifier"))
        text = self.define(node, name, "variable" if mutable else "constant")
        self._exported(text, node)
        value = child(node, "value")
        found = self._literal(value) if value is not None and not mutable else UNKNOWN
        if value is not None and not isinstance(found, Unknown):
            self.constant(text, value, found)

    def _literal(self, node: Node) -> Value | Unknown:
        text = self.text(node)
        if node.type in ("integer_literal", "float_literal", "unary_expression"):
            return number(text, suffixes=_NUMBER)
        if node.type == "string_literal":
            return plain_string(text, '"')
        if node.type == "raw_string_literal":
            match = _RAW.fullmatch(text)
            return match[2] if match else UNKNOWN
        return text == "true" if node.type == "boolean_literal" else UNKNOWN

    def _field(self, node: Node) -> None:
        self._item(node)
        name = child(node, "name")
        if name is not None and self.scope.kind == "class":
            self.define(node, name, "field")

    def _variant(self, node: Node) -> None:
        self._item(node)
        if name := child(node, "name"):
            text = self.define(node, name, "constant")
            value = child(node, "value")
            found = self._literal(value) if value is not None else UNKNOWN
            if value is not None and not isinstance(found, Unknown):
                self.constant(text, value, found)
            self.open(text, "class")

    def _mod(self, node: Node) -> None:
        self._item(node)
        if name := child(node, "name"):
            text = self.define(node, name, "module")
            self._exported(text, node)
            self.open(text, "module")

    def _macro(self, node: Node) -> None:
        self._item(node)
        if name := child(node, "name"):
            self.define(node, name, "macro")
            self.hides("macro_rules", node)

    def _invocation(self, node: Node) -> None:
        self._item(node)
        macro = child(node, "macro")
        if macro is None:
            return
        self.call(macro, child(macro, "name") if macro.type == "scoped_identifier" else macro)
        at = 2 if self.parent() == "expression_statement" else 1
        if self.parent(at) in ("source_file", "declaration_list"):
            self.hides("item_macro", node)

    def _use(self, node: Node) -> None:
        self._item(node)
        public = bool(children(node, "visibility_modifier"))
        argument = child(node, "argument")
        waiting = [(argument, "")] if argument is not None else []
        while waiting:
            one, prefix = waiting.pop()
            if one.type == "scoped_use_list":
                path = self._joined(prefix, self.text(child(one, "path")))
                waiting += [(part, path) for part in reversed(children(child(one, "list")))]
            elif one.type == "use_list":
                waiting += [(part, prefix) for part in reversed(one.named_children)]
            else:
                self._used(one, prefix, public=public)

    def _joined(self, prefix: str, path: str) -> str:
        return f"{prefix}::{path}" if prefix and path else prefix or path

    def _used(self, node: Node, prefix: str, *, public: bool) -> None:
        if node.type in ("line_comment", "block_comment"):
            return
        alias: str | None = None
        path, star = node, node.type == "use_wildcard"
        if node.type == "use_as_clause":
            alias, path = self.text(child(node, "alias")), child(node, "path") or node
        elif star and node.named_children:
            path = node.named_children[0]
        text = (
            "" if path.type == "self" and prefix else self.text(path) if path.type != "use_wildcard" else ""
        )
        whole = self._joined(prefix, text)
        module, _, name = (whole, "", "*") if star else whole.rpartition("::")
        if not module:
            module, name = name, ""
        self.imports.append(Import(module=module, name=name or None, alias=alias, line=line_of(node)))
        local = alias or name or module
        if star:
            self.hides("star_import", node)
        else:
            self.bind(local)
        if public:
            self.exports.append(
                Export(name="*" if star else local, local=name or None, module=module, line=line_of(node))
            )

    def _crate(self, node: Node) -> None:
        self._item(node)
        name, alias = self.text(child(node, "name")), self.text(child(node, "alias")) or None
        self.imports.append(Import(module=name, alias=alias, line=line_of(node)))
        self.bind(alias or name)

    def _call(self, node: Node) -> None:
        callee = child(node, "function")
        if callee is not None and callee.type == "generic_function":
            callee = child(callee, "function")
        if callee is None:
            return
        if callee.type == "identifier":
            name = self.text(callee).removeprefix("r#")
            self.calls_named(name, name, callee)
        elif callee.type in ("field_expression", "scoped_identifier"):
            self.call(callee, child(callee, "field") or child(callee, "name"))
        elif callee.type == "index_expression":
            self.hides("computed_call", node)
