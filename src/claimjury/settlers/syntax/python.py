"""What a Python file defines and uses."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from claimjury.settlers.syntax.literals import Unknown, python_literal
from claimjury.settlers.syntax.parsing import Parsed
from claimjury.settlers.syntax.reading import Handlers, Reader, child, children, line_of, nodes_within
from claimjury.settlers.syntax.values import Export, Import, Parameters

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["PythonReader"]

_TARGETS: Final = frozenset(
    {"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "parenthesized_expression"}
    | {"as_pattern_target", "expression_list", "tuple", "list"}
)
_HARMLESS: Final = re.compile(
    r"(?:(?:builtins\.)?(?:staticmethod|classmethod|property)"
    r"|(?:abc\.)?abstractmethod|(?:typing\.|typing_extensions\.)?(?:override|final)"
    r"|\w+\.(?:setter|getter|deleter))"
)
_OVERLOAD: Final = re.compile(r"(?:typing\.|typing_extensions\.|t\.)?overload")
_HIDING: Final = frozenset(
    {"setattr", "delattr", "exec", "eval", "globals", "locals", "vars", "__import__", "import_module"}
    | {"namedtuple", "NamedTuple", "make_dataclass", "create_model", "new_class", "__setattr__", "attrgetter"}
    | {"methodcaller", "import_string", "iter_entry_points", "entry_points"}
)
_HOOKS: Final = frozenset({"__getattr__", "__getattribute__", "__dir__", "__missing__", "__class_getitem__"})
_IMPLICIT: Final = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_LITERALS: Final = frozenset(
    {"integer", "float", "string", "concatenated_string", "true", "false", "none", "unary_operator"}
)
_SPLATS: Final = frozenset({"list_splat_pattern", "dictionary_splat_pattern"})
_MAX_CHAIN: Final = 50
_MARKS: Final = frozenset({"positional_separator", "keyword_separator", "comment"})


class PythonReader(Reader):
    """Reads Python."""

    def __init__(self, parsed: Parsed) -> None:
        super().__init__(parsed)
        self._receivers: dict[int, str] = {}

    def handlers(self) -> Handlers:
        conditions = (
            *("if_statement", "try_statement", "for_statement", "while_statement", "with_statement"),
            *("match_statement", "conditional_expression"),
        )
        return {
            **dict.fromkeys(conditions, self.condition),
            "identifier": self._identifier,
            "function_definition": self._function,
            "class_definition": self._class,
            "assignment": self._assignment,
            "augmented_assignment": self._left,
            "named_expression": self._walrus,
            "for_statement": self._for,
            "as_pattern_target": self._target,
            "delete_statement": self._target,
            "global_statement": self._global,
            "type_alias_statement": self._alias,
            "import_statement": self._import,
            "import_from_statement": self._import_from,
            "future_import_statement": self._import_from,
            "call": self._call,
        }

    def last_line(self, node: Node) -> int:
        # The grammar counts the comments that follow a block to it; Python does not.
        while parts := [one for one in node.children if one.type != "comment"]:
            node = parts[-1]
        return node.end_point.row + 1

    def _identifier(self, node: Node) -> None:
        text = self.text(node)
        # Python takes identifiers by their NFKC form.
        name = text if text.isascii() else unicodedata.normalize("NFKC", text)
        self.note(name, line_of(node))
        if name in ("__dict__", "__globals__"):
            self.hides(name, node)
        if self._captures():
            self.bind(name)

    def _captures(self) -> bool:
        """Whether the name at hand is bound by a pattern of `case`."""
        if self.parent() == "dotted_name":
            return self.parent(2) == "case_pattern" and self.path[-1].named_child_count == 1
        return self.parent() in ("as_pattern", "splat_pattern", "case_pattern") and (
            self.parent() != "as_pattern" or self.field is None
        )

    def _decorators(self) -> tuple[str, ...]:
        if self.parent() != "decorated_definition":
            return ()
        names = []
        for decorator in children(self.path[-1], "decorator"):
            what = decorator.named_children[0] if decorator.named_children else None
            called = child(what, "function") if what is not None and what.type == "call" else what
            names.append(self.brief(called) or "?")
        return tuple(names)

    def _function(self, node: Node) -> None:
        name = child(node, "name")
        if name is None:
            return
        decorators = self._decorators()
        method = self.scope.kind == "class"
        overload = any(_OVERLOAD.fullmatch(one) for one in decorators)
        static = any(one.removeprefix("builtins.") == "staticmethod" for one in decorators)
        certain = all(_HARMLESS.fullmatch(one) for one in decorators)
        found = _Parameters(self, child(node, "parameters"))
        bound = method and (not static or self.text(name) in _IMPLICIT)
        parameters = found.parameters(bound=bound, certain=certain)
        text = self.define(
            node,
            name,
            "method" if method else "function",
            parameters=parameters,
            overload=overload,
            decorators=decorators,
        )
        if text in _HOOKS:
            self.hides(text, node)
        self.open(text, "function")
        if parameters.receiver and "classmethod" not in decorators:
            self._receivers[len(self.path)] = parameters.receiver

    def _class(self, node: Node) -> None:
        name = child(node, "name")
        if name is None:
            return
        bases = tuple(self.short(one) for one in children(child(node, "superclasses")))
        decorators = self._decorators()
        text = self.define(node, name, "class", decorators=decorators, bases=bases)
        if decorators or any(one.startswith("metaclass") for one in bases):
            self.hides("generated", node)
        self.open(text, "class")

    def _assignment(self, node: Node) -> None:
        left, right = child(node, "left"), child(node, "right")
        if left is None:
            return
        right = _value(right)
        if left.type != "identifier":
            self._unpack(left, node)
            return
        name = self.text(left)
        if right is not None and right.type == "lambda":
            self._lambda(node, left, right)
        elif self.scope.kind != "function":
            # `x: int` binds nothing in a module, and declares a field in a class.
            if right is not None or self.scope.kind == "class":
                self._variable(node, left, name)
            self._literal(name, right)
        else:
            self.bind(name)
        if name == "__all__" and self.scope.kind == "module":
            self._all(right, node)

    def _variable(self, node: Node, left: Node, name: str) -> None:
        if self.scope.kind == "class":
            self.define(node, left, "field")
        else:
            self.define(node, left, "constant" if name.isupper() else "variable")

    def _lambda(self, node: Node, left: Node, right: Node) -> None:
        method = self.scope.kind == "class"
        found = _Parameters(self, child(right, "parameters"))
        self.define(
            node,
            left,
            "method" if method else "function",
            parameters=found.parameters(bound=False, certain=not method),
        )

    def _literal(self, name: str, right: Node | None) -> None:
        if right is None or right.type not in _LITERALS:
            return
        value = python_literal(self.text(right))
        if not isinstance(value, Unknown):
            self.constant(name, right, value)

    def _unpack(self, left: Node, node: Node) -> None:
        for one in nodes_within(left, _TARGETS):
            if one.type == "identifier":
                if self.scope.kind == "function":
                    self.bind(self.text(one))
                else:
                    self._variable(node, one, self.text(one))
            elif one.type == "attribute":
                self._bind_attribute(one)
                self._attribute(one, node)

    def _attribute(self, target: Node, node: Node) -> None:
        """Note a field that a method sets on its receiver; on anything else, an attribute hides."""
        owner, name = child(target, "object"), child(target, "attribute")
        if owner is None or name is None:
            return
        scopes = self.scopes
        if (
            len(scopes) > 1
            and scopes[-1].kind == "function"
            and scopes[-2].kind == "class"
            and self._receivers.get(scopes[-1].depth) == self.text(owner)
        ):
            self.define(node, name, "field", scope=scopes[-2].names, conditional=True)
        elif self.scope.kind != "function":
            self.hides("attribute_assignment", node)

    def _all(self, right: Node | None, node: Node) -> None:
        literal = right is not None and right.type in ("list", "tuple")
        for one in children(right) if literal else ():
            value = python_literal(self.text(one)) if one.type == "string" else None
            if isinstance(value, str):
                self.exports.append(Export(name=value, line=line_of(one)))
            elif one.type != "comment":
                literal = False
        if not literal:
            self.hides("__all__", node)

    def _left(self, node: Node) -> None:
        left = child(node, "left")
        if left is not None:
            self._bind_all(left)
            if self.text(left) == "__all__":
                self.hides("__all__", node)

    def _for(self, node: Node) -> None:
        self.condition()
        self._left(node)

    def _walrus(self, node: Node) -> None:
        if name := child(node, "name"):
            self._bind_all(name)

    def _target(self, node: Node) -> None:
        for one in node.named_children:
            self._bind_all(one)

    def _bind_all(self, target: Node) -> None:
        for one in nodes_within(target, _TARGETS):
            if one.type == "identifier":
                self.bind(self.text(one))
            elif one.type == "attribute":
                self._bind_attribute(one)

    def _bind_attribute(self, target: Node) -> None:
        """Count a binding from outside, or from a method, of what a class may have bound to a literal."""
        owner, name = self.short(child(target, "object")), self.text(child(target, "attribute"))
        self.bind_member(owner, name)

    def _global(self, node: Node) -> None:
        for one in children(node, "identifier"):
            self.bind(self.text(one), ())

    def _alias(self, node: Node) -> None:
        left = child(node, "left")
        names = [] if left is None else list(nodes_within(left, frozenset({"type", "generic_type"})))
        if names and names[0].type == "identifier":
            self.define(node, names[0], "type")

    def _import(self, node: Node) -> None:
        for one in node.children_by_field_name("name"):
            name = child(one, "name") if one.type == "aliased_import" else one
            module, alias = self.text(name), self.text(child(one, "alias")) or None
            self.imports.append(Import(module=module, alias=alias, line=line_of(one)))
            self.bind(alias or module.partition(".")[0])

    def _import_from(self, node: Node) -> None:
        module = self.text(child(node, "module_name")) or "__future__"
        for one in node.children_by_field_name("name"):
            name = child(one, "name") if one.type == "aliased_import" else one
            text, alias = self.text(name), self.text(child(one, "alias")) or None
            self.imports.append(Import(module=module, name=text, alias=alias, line=line_of(one)))
            self.bind(alias or text)
        if children(node, "wildcard_import"):
            self.imports.append(Import(module=module, name="*", line=line_of(node)))
            self.hides("star_import", node)

    def _call(self, node: Node) -> None:
        callee = child(node, "function")
        if callee is None:
            return
        if callee.type in ("identifier", "attribute"):
            last = callee if callee.type == "identifier" else child(callee, "attribute")
            self.call(callee, last)
            self._hiding(node, self.text(last))
        elif callee.type == "subscript":
            self.hides("computed_call", node)

    def _hiding(self, node: Node, name: str) -> None:
        arguments = children(child(node, "arguments"))
        if (
            name in _HIDING
            or (name in ("getattr", "hasattr") and (len(arguments) < 2 or arguments[1].type != "string"))
            or (name == "type" and len(arguments) == 3)
        ):
            self.hides(name, node)


def _value(right: Node | None) -> Node | None:
    """Give what is assigned: in `a = b = 1` the right side of `a` is an assignment too."""
    for _ in range(_MAX_CHAIN):
        if right is None or right.type != "assignment":
            return right
        right = child(right, "right")
    return None


class _Parameters:
    """The parameters of a function, one after the other."""

    def __init__(self, reader: Reader, node: Node | None) -> None:
        self.names: list[str] = []
        self.required: list[bool] = []
        self.positional: list[bool] = []
        self.plain = True
        keyword_only = False
        for one in children(node):
            if one.type in _MARKS:
                keyword_only = keyword_only or one.type == "keyword_separator"
                continue
            inner = child(one, "name") or (one.named_children[0] if one.type == "typed_parameter" else one)
            splat = inner.type in _SPLATS
            name = inner.named_children[0] if splat and inner.named_children else inner
            self.plain = self.plain and name.type == "identifier"
            self.names.append(reader.text(name))
            self.required.append(not splat and not one.type.endswith("default_parameter"))
            self.positional.append(not splat and not keyword_only)
            keyword_only = keyword_only or splat
        self.variadic = any(
            inner.type in _SPLATS for one in children(node) for inner in (one, *children(one, *_SPLATS))
        )

    def parameters(self, *, bound: bool, certain: bool) -> Parameters:
        """Give them, the first taken for the receiver where a method is `bound`."""
        has_receiver = bound and bool(self.names) and self.positional[0]
        start = 1 if has_receiver else 0
        return Parameters(
            names=tuple(self.names[start:]),
            receiver=self.names[0] if has_receiver else None,
            required=sum(self.required[start:]),
            variadic=self.variadic,
            certain=certain and self.plain and (has_receiver or not bound),
        )
