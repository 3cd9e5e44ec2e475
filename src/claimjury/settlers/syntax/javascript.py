"""What a JavaScript or TypeScript file defines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimjury.settlers.syntax.ecma import FUNCTIONS, EcmaReader, unwrapped
from claimjury.settlers.syntax.literals import Unknown
from claimjury.settlers.syntax.parsing import Parsed
from claimjury.settlers.syntax.reading import Handlers, child, children
from claimjury.settlers.syntax.values import Kind

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["JavaScriptReader"]

_CONDITIONS: Final = (
    *("if_statement", "try_statement", "for_statement", "for_in_statement", "while_statement"),
    *("do_statement", "switch_statement", "with_statement"),
)
_MODULE: Final = "<module>"
_TYPES: Final[dict[str, Kind]] = {
    "interface_declaration": "interface",
    "type_alias_declaration": "type",
    "enum_declaration": "enum",
}


class JavaScriptReader(EcmaReader):
    """Reads JavaScript, TypeScript and TSX."""

    def __init__(self, parsed: Parsed) -> None:
        super().__init__(parsed)
        self._named: dict[int, str] = {}
        self._decorators: list[str] = []
        self._ambient = len(parsed.data) if parsed.path.endswith((".d.ts", ".d.mts", ".d.cts")) else 0

    def handlers(self) -> Handlers:
        return {
            **super().handlers(),
            **dict.fromkeys(_CONDITIONS, self.condition),
            **dict.fromkeys(("function_declaration", "generator_function_declaration"), self._function),
            **dict.fromkeys(FUNCTIONS - {"function_declaration"}, self._expression),
            **dict.fromkeys(("class_declaration", "abstract_class_declaration", "class"), self._class),
            **dict.fromkeys(
                ("method_definition", "method_signature", "abstract_method_signature"), self._method
            ),
            **dict.fromkeys(
                ("field_definition", "public_field_definition", "property_signature"), self._field
            ),
            **dict.fromkeys(_TYPES, self._type),
            **dict.fromkeys(("internal_module", "module"), self._namespace),
            "function_signature": self._signature,
            "variable_declarator": self._declarator,
            "for_in_statement": self._for,
            "object": self._object,
            "object_type": self._object_type,
            "pair": self._pair,
            "spread_element": self._spread,
            "assignment_expression": self._assignment,
            "augmented_assignment_expression": self._rebound,
            "update_expression": self._rebound,
            "enum_assignment": self._enum_member,
            "enum_body": self._enum_body,
            "ambient_declaration": self._declare,
            "decorator": self._decorator,
            "statement_block": self._block,
            "class_static_block": lambda _: self.open("static", "function"),
            "required_parameter": self._parameter_field,
        }

    def _exported(self, name: str, node: Node, up: int = 1) -> None:
        if self.parent(up) == "ambient_declaration":
            up += 1
        # What a namespace exports is not the file's.
        if (
            len(self.scopes) == 1
            and self.parent(up) == "export_statement"
            and "default" not in (one.type for one in self.path[-up].children)
        ):
            self.give(name, node, name)

    def _function(self, node: Node) -> None:
        name = child(node, "name")
        if name is None:
            return
        self.define(node, name, "function", parameters=self.parameters(node))
        self._exported(self.text(name), node)
        self.open(self.text(name), "function")

    def _signature(self, node: Node) -> None:
        if name := child(node, "name"):
            overload = node.start_byte >= self._ambient
            self.define(node, name, "function", parameters=self.parameters(node), overload=overload)
            self._exported(self.text(name), node)

    def _expression(self, node: Node) -> None:
        self.open(self._named.pop(node.id, "") or self.text(child(node, "name")), "function")

    def _taken_decorators(self, node: Node) -> tuple[str, ...]:
        waiting, self._decorators = self._decorators, []
        own = [self._decorator_name(one) for one in children(node, "decorator")]
        if self.parent() == "export_statement":
            own += [self._decorator_name(one) for one in children(self.path[-1], "decorator")]
        return (*waiting, *own)

    def _decorator_name(self, node: Node) -> str:
        what = node.named_children[0] if node.named_children else None
        return self.brief(child(what, "function") if what and what.type == "call_expression" else what) or "?"

    def _decorator(self, node: Node) -> None:
        # Of a method, they stand before it in the body of the class.
        if self.parent() == "class_body":
            self._decorators.append(self._decorator_name(node))

    def _class(self, node: Node) -> None:
        bases = tuple(self.short(one) for one in children(node, "class_heritage"))
        decorators = self._taken_decorators(node)
        name = child(node, "name")
        if node.type != "class" and name is not None:
            self.define(node, name, "class", bases=bases, decorators=decorators)
            self._exported(self.text(name), node)
        if decorators:
            self.hides("generated", node)
        self.open(self._named.pop(node.id, "") or self.text(name), "class")

    def _member_name(self, node: Node) -> str:
        name = child(node, "name") or child(node, "property") or child(node, "key")
        if name is None:
            return ""
        if name.type == "computed_property_name":
            self.hides("computed_name", node)
            return ""
        return self.string(name) if name.type == "string" else self.text(name)

    def _method(self, node: Node) -> None:
        name, decorators = self._member_name(node), self._taken_decorators(node)
        if name and self.scope.kind != "function":
            overload = node.type == "method_signature" and self.parent() == "class_body"
            self.define(
                node,
                name,
                "method" if self.scope.kind == "class" else "function",
                parameters=self.parameters(node, certain=not decorators),
                overload=overload and node.start_byte >= self._ambient,
                decorators=decorators,
            )
            if self.parent() == "object" and self.scope.kind == "module":
                self.give(name, node, name)
        self.open(name, "function")

    def _field(self, node: Node) -> None:
        name, decorators = self._member_name(node), self._taken_decorators(node)
        value = unwrapped(child(node, "value"))
        if not name or self.scope.kind != "class":
            return
        if value is not None and value.type in FUNCTIONS:
            certain = not decorators
            self.define(
                node,
                name,
                "method",
                parameters=self.parameters(value, certain=certain),
                decorators=decorators,
            )
            self._named[value.id] = name
            return
        self.define(node, name, "field", decorators=decorators)
        self._literal(name, value)

    def _parameter_field(self, node: Node) -> None:
        pattern = child(node, "pattern")
        if pattern is not None and children(node, "accessibility_modifier") and len(self.scopes) > 1:
            self.define(node, self.text(pattern), "field", scope=self.scopes[-2].names)

    def _literal(self, name: str, value: Node | None) -> None:
        found = self.literal(value)
        if value is not None and not isinstance(found, Unknown):
            self.constant(name, value, found)

    def _type(self, node: Node) -> None:
        name = child(node, "name")
        if name is None:
            return
        bases = tuple(self.short(one) for one in children(node, "extends_type_clause"))
        text = self.define(node, name, _TYPES[node.type], bases=bases)
        self._exported(text, node)
        value = child(node, "value")
        if node.type != "type_alias_declaration":
            self.open(text, "class")
        elif value is not None and value.type == "object_type":
            self._named[value.id] = text

    def _object_type(self, node: Node) -> None:
        # What a type without a name lists are no members of what it stands in.
        name = self._named.pop(node.id, "")
        self.open(name, "class" if name else "function")

    def _enum_body(self, node: Node) -> None:
        for one in children(node, "property_identifier", "string"):
            name = self.text(one) if one.type == "property_identifier" else self.string(one)
            self.define(one, name, "constant")

    def _enum_member(self, node: Node) -> None:
        if name := self._member_name(node):
            self.define(node, name, "constant")
            self._literal(name, child(node, "value"))

    def _namespace(self, node: Node) -> None:
        name = child(node, "name")
        if name is None:
            return
        text = self.string(name) if name.type == "string" else self.text(name)
        self.define(node, text, "module")
        for part in [text] if name.type == "string" else text.split("."):
            self.open(part.strip(), "module")

    def _declare(self, node: Node) -> None:
        self._ambient = max(self._ambient, node.end_byte)
        if children(node, "statement_block"):
            self.open("global", "module")

    def _declarator(self, node: Node) -> None:
        name, value = child(node, "name"), unwrapped(child(node, "value"))
        if name is None or self.required(name, value):
            return
        if name.type != "identifier":
            for one in self.targets(name):
                self._variable(one, node)
            return
        text = self.text(name)
        if value is not None and value.type in FUNCTIONS | {"class"}:
            self._bound_to(name, text, node, value)
            self._exported(text, node, 2)
            return
        if value is not None and value.type == "object":
            self._named[value.id] = text
        self._variable(name, node)
        if self.scope.kind == "module" and self.parent(2) != "for_statement":
            self._literal(text, value)

    def _variable(self, name: Node, node: Node) -> None:
        text = self.text(name)
        if self.scope.kind == "function" or self.parent(2) == "for_statement":
            self.bind(text)
            return
        fixed = self.path[-1].child_count > 0 and self.path[-1].child(0).type == "const"
        self.define(node, name, "constant" if fixed else "variable")
        self._exported(text, node, 2)

    def _bound_to(
        self, name: Node | str, text: str, node: Node, value: Node, scope: tuple[str, ...] | None = None
    ) -> None:
        """Note a name that is given to a function or a class."""
        self._named[value.id] = text
        if value.type == "class":
            bases = tuple(self.short(one) for one in children(value, "class_heritage"))
            self.define(node, name, "class", scope=scope, bases=bases)
        else:
            method = bool(scope) if scope is not None else self.scope.kind == "class"
            kind: Kind = "method" if method else "function"
            self.define(node, name, kind, scope=scope, parameters=self.parameters(value))

    def whole(self, what: Node) -> None:
        if what.type in FUNCTIONS | {"class"}:
            self._bound_to("default", "default", what, what)
        else:
            self._named[what.id] = "default"

    def _block(self, _node: Node) -> None:
        # What `let` and `const` bind in it ends with it.
        if self.parent() in ("program", "statement_block"):
            self.condition()

    def _for(self, node: Node) -> None:
        self.condition()
        if left := child(node, "left"):
            self._bind_all(left)

    def _object(self, node: Node) -> None:
        name = self._named.pop(node.id, "")
        if name != _MODULE:
            self.open(name, "class")

    def _pair(self, node: Node) -> None:
        name, value = self._member_name(node), unwrapped(child(node, "value"))
        if not name or value is None:
            return
        if value.type in FUNCTIONS:
            self._bound_to(name, name, node, value)
        elif not self.scope.in_function and "<anonymous>" not in self.scope.names:
            if value.type != "identifier" or self.scope.kind == "class":
                self.define(node, name, "field" if self.scope.kind == "class" else "variable")
            if value.type == "object":
                self._named[value.id] = name

    def _spread(self, node: Node) -> None:
        if self.parent() == "object" and self.scope.kind == "module":
            self.hides("export_spread", node)

    def _rebound(self, node: Node) -> None:
        if target := child(node, "left") or child(node, "argument"):
            self._bind_all(target)

    def _bind_all(self, target: Node) -> None:
        """Count a binding, which may be of the module's own variable wherever it stands."""
        for one in [target] if target.type == "identifier" else self.targets(target):
            self.bind(self.text(one), ())
            if self.scope.names:
                self.bind(self.text(one))
        if target.type == "member_expression":
            owner, name = self.short(child(target, "object")), self.text(child(target, "property"))
            self.bind_member(owner, name)

    def _assignment(self, node: Node) -> None:
        left, right = child(node, "left"), unwrapped(child(node, "right"))
        if left is None or right is None:
            return
        if left.type == "subscript_expression":
            self.hides("computed_name", node)
        owner = self.brief(child(left, "object")) if left.type == "member_expression" else ""
        if self.brief(left) == "module.exports":
            self._exports_whole(right, node)
        elif owner in ("exports", "module.exports"):
            self._exports_one(self.text(child(left, "property")), left, right)
        elif right.type in FUNCTIONS | {"class"} and (owner or left.type == "identifier"):
            self._assigned_function(owner, left, node, right)
        else:
            self._bind_all(left)
            if owner and self.scope.kind == "module":
                self.hides("attribute_assignment", node)

    def _assigned_function(self, owner: str, left: Node, node: Node, right: Node) -> None:
        name = child(left, "property") if owner else left
        if name is None:
            return
        parts = tuple(part for part in owner.split(".") if part not in ("this", "prototype"))
        scope = parts or (self.scope.names if owner else ())
        self._bound_to(name, self.text(name), node, right, scope)

    def _exports_one(self, name: str, node: Node, value: Node) -> None:
        local = self.text(value) if value.type == "identifier" else name
        self.give(name, node, local)
        if value.type in FUNCTIONS | {"class"}:
            self._bound_to(name, name, node, value, ())
        elif value.type != "identifier":
            self.define(node, name, "variable", scope=())

    def _exports_whole(self, value: Node, node: Node) -> None:
        if value.type == "object":
            self._named[value.id] = _MODULE
            for one in children(value, "shorthand_property_identifier"):
                self.give(self.text(one), one, self.text(one))
            for one in children(value, "pair"):
                key, given = child(one, "key"), child(one, "value")
                if key is not None and key.type in ("property_identifier", "string"):
                    name = self.string(key) if key.type == "string" else self.text(key)
                    is_name = given is not None and given.type == "identifier"
                    self.give(name, one, self.text(given) if is_name else name)
            return
        own = child(value, "name") if value.type in FUNCTIONS | {"class"} else None
        local = self.text(own) if own else self.text(value) if value.type == "identifier" else None
        self.give("default", node, local)
        if own is not None:
            self._bound_to(own, self.text(own), node, value, ())
        elif local is None:
            self.whole(value)
