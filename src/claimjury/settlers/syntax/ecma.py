"""What JavaScript and TypeScript take from other files, give to them, and call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimjury.settlers.syntax.literals import UNKNOWN, Unknown, number, plain_string
from claimjury.settlers.syntax.reading import Handlers, Reader, child, children, line_of, nodes_within
from claimjury.settlers.syntax.values import Export, Import, Parameters, Value

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["FUNCTIONS", "PATTERNS", "EcmaReader", "unwrapped"]

FUNCTIONS: Final = frozenset(
    {"arrow_function", "function_expression", "generator_function", "function", "function_declaration"}
)
PATTERNS: Final = frozenset(
    {"object_pattern", "array_pattern", "rest_pattern", "pair_pattern", "object_assignment_pattern"}
    | {"assignment_pattern", "parenthesized_expression"}
)
_WRAPPERS: Final = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression"})
_NAMES: Final = frozenset({"identifier", "shorthand_property_identifier_pattern"})
_HIDING: Final = frozenset(
    {"eval", "Function", "Proxy", "Object.defineProperty", "Object.defineProperties", "require.context"}
)
_SIMPLE: Final[dict[str, Value]] = {"true": True, "false": False, "null": None}


def unwrapped(node: Node | None) -> Node | None:
    """Give an expression without `as`, `satisfies` and parentheses."""
    while node is not None and node.type in _WRAPPERS and node.named_children:
        node = node.named_children[0]
    return node


class EcmaReader(Reader):
    """Reads imports, exports, calls and literals."""

    def handlers(self) -> Handlers:
        return {
            "import_statement": self._import,
            "import_alias": self._import_alias,
            "export_statement": self._export,
            "call_expression": self._call,
            "new_expression": self._new,
            **dict.fromkeys(
                (
                    *("identifier", "property_identifier", "private_property_identifier", "type_identifier"),
                    *("shorthand_property_identifier", "shorthand_property_identifier_pattern"),
                    "statement_identifier",
                ),
                self._identifier,
            ),
        }

    def _identifier(self, node: Node) -> None:
        text = self.text(node)
        self.note(text, line_of(node))
        if "\\" in text:
            self.hides("escaped_name", node)
        elif text == "arguments":
            self.hides("arguments", node)

    def targets(self, pattern: Node) -> list[Node]:
        """Give the names that a pattern binds."""
        found, waiting = [], [pattern]
        while waiting:
            one = waiting.pop()
            if one.type in _NAMES:
                found.append(one)
            elif one.type in ("assignment_pattern", "object_assignment_pattern"):
                waiting += [left] if (left := child(one, "left")) else []
            elif one.type == "pair_pattern":
                waiting += [value] if (value := child(one, "value")) else []
            elif one.type in PATTERNS:
                waiting += reversed(one.named_children)
        return found

    def literal(self, node: Node | None) -> Value | Unknown:
        """Give the value of a literal."""
        if node is None:
            return UNKNOWN
        text = self.text(node)
        if node.type in ("number", "unary_expression"):
            # What 0.5 and 5e-1 share, 5 and 5n do not.
            return number(text)
        if node.type in ("string", "template_string") and "${" not in text:
            return plain_string(text, "\"'`")
        return _SIMPLE.get(node.type, UNKNOWN)

    def string(self, node: Node | None) -> str:
        """Give what a string says; empty where that is not plain."""
        value = self.literal(node) if node is not None and node.type == "string" else UNKNOWN
        return value if isinstance(value, str) else ""

    def _import(self, node: Node) -> None:
        module = self.string(child(node, "source"))
        for clause in children(node, "import_clause", "import_require_clause"):
            for one in clause.named_children:
                if one.type == "identifier":
                    whole = clause.type == "import_require_clause"
                    self._take(
                        module or self.string(child(clause, "source")), None if whole else "default", one, one
                    )
                elif one.type == "namespace_import":
                    self._take(module, None, one.named_children[0], one)
                for specifier in children(one, "import_specifier") if one.type == "named_imports" else ():
                    name, alias = child(specifier, "name"), child(specifier, "alias")
                    self._take(module, self.text(name), alias or name, specifier)
        if not children(node, "import_clause", "import_require_clause"):
            self.imports.append(Import(module=module, line=line_of(node)))

    def _import_alias(self, node: Node) -> None:
        # `import load = N.f` of TypeScript takes a name of a namespace.
        parts = node.named_children
        if len(parts) > 1:
            module, _, name = self.text(parts[-1]).rpartition(".")
            self._take(module, name, parts[0], node)

    def _take(self, module: str, name: str | None, local: Node | None, node: Node) -> None:
        text = self.text(local)
        alias = None if text == name else text
        self.imports.append(Import(module=module, name=name, alias=alias, line=line_of(node)))
        self.bind(text)

    def required(self, name: Node, value: Node | None) -> bool:
        """Note `const a = require("m")` as the import that it is; whether it was one."""
        if (
            value is None
            or value.type != "call_expression"
            or self.brief(child(value, "function")) != "require"
        ):
            return False
        arguments = children(child(value, "arguments"))
        module = self.string(arguments[0]) if len(arguments) == 1 else ""
        if not module:
            return False
        if name.type == "identifier":
            self._take(module, None, name, name)
            return True
        for one in name.named_children:
            if one.type == "shorthand_property_identifier_pattern":
                self._take(module, self.text(one), one, one)
            elif one.type == "pair_pattern":
                for local in self.targets(one):
                    self._take(module, self.text(child(one, "key")), local, one)
        return True

    def _export(self, node: Node) -> None:
        module = self.string(child(node, "source")) or None
        for specifier in nodes_within(node, frozenset({"export_statement", "export_clause"})):
            if specifier.type == "export_specifier":
                local = self.text(child(specifier, "name")) or "default"
                name = self.text(child(specifier, "alias")) or local
                self.give(name, specifier, local, module)
            elif specifier.type == "namespace_export":
                self.give(self.text(specifier.named_children[0]), specifier, "*", module)
        texts = [one.type for one in node.children]
        if "*" in texts and not children(node, "namespace_export"):
            self.give("*", node, None, module)
            self.hides("export_star", node)
        if "default" in texts or "=" in texts:
            self._export_default(node)

    def _export_default(self, node: Node) -> None:
        what = child(node, "value") or child(node, "declaration")
        what = what or next(iter(children(node, "identifier")), None)
        if what is None:
            return
        local = what if what.type == "identifier" else child(what, "name")
        self.give("default", node, self.text(local) or None)
        if local is None:
            self.whole(what)

    def whole(self, what: Node) -> None:
        """Take what a file gives as a whole, without a name of its own."""
        raise NotImplementedError

    def give(self, name: str, node: Node, local: str | None = None, module: str | None = None) -> None:
        """Note an export."""
        self.exports.append(Export(name=name, local=local, module=module, line=line_of(node)))

    def _call(self, node: Node) -> None:
        callee = child(node, "function")
        while callee is not None and callee.type in ("non_null_expression", "instantiation_expression"):
            callee = callee.named_children[0]
        arguments = children(child(node, "arguments"))
        if callee is None:
            return
        if callee.type == "import" or self.brief(callee) == "require":
            if not (arguments and arguments[0].type == "string"):
                self.hides("computed_import", node)
            else:
                self.imports.append(Import(module=self.string(arguments[0]), line=line_of(node)))
        self._called(callee, node, arguments)

    def _new(self, node: Node) -> None:
        if callee := child(node, "constructor"):
            self._called(callee, node, children(child(node, "arguments")))

    def _called(self, callee: Node, node: Node, arguments: list[Node]) -> None:
        if callee.type == "identifier":
            text = self.call(callee, callee)
        elif callee.type == "member_expression":
            text = self.call(callee, child(callee, "property"))
        elif callee.type == "subscript_expression":
            self.hides("computed_call", node)
            return
        else:
            return
        first = self.brief(arguments[0]) if arguments else ""
        if (
            text in _HIDING
            or text.startswith("Reflect.")
            or (text == "Object.assign" and ("exports" in first or "prototype" in first))
        ):
            self.hides(text, node)

    def parameters(self, function: Node, *, certain: bool = True) -> Parameters:
        """Give the parameters of a function."""
        single = child(function, "parameter")
        nodes = [single] if single else children(child(function, "parameters"))
        names, required, receiver, variadic = [], 0, None, False
        for one in nodes:
            if one.type in ("comment", "decorator"):
                continue
            typed = one.type in ("required_parameter", "optional_parameter")
            pattern = (child(one, "pattern") if typed else one) or one
            optional = one.type in ("optional_parameter", "assignment_pattern") or (
                typed and child(one, "value") is not None
            )
            pattern = (child(pattern, "left") if pattern.type == "assignment_pattern" else pattern) or pattern
            if pattern.type == "this":
                receiver = "this"
                continue
            rest = pattern.type == "rest_pattern"
            name = pattern.named_children[0] if rest and pattern.named_children else pattern
            variadic = variadic or rest
            certain = certain and name.type == "identifier"
            names.append(self.text(name) if name.type == "identifier" else "")
            # Before one that must be given, all must be.
            required = len(names) if not optional and not rest else required
        return Parameters(
            names=tuple(names), receiver=receiver, required=required, variadic=variadic, certain=certain
        )
