"""Routes of Go (net/http, gin, chi, echo, fiber), Rust (axum, actix, Rocket) and Java (Spring, JAX-RS)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from claimjury.settlers.syntax.reading import Handlers, child, children
from claimjury.settlers.syntax.routing import RouteReader

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["GoRoutes", "JavaRoutes", "RustRoutes"]

_VERBS: Final = frozenset({"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"})
_ROUTERS: Final = frozenset(
    {"gin.Default", "gin.New", "echo.New", "fiber.New", "chi.NewRouter", "chi.NewMux", "mux.NewRouter"}
    | {"httprouter.New", "http.NewServeMux"}
)
_PATTERN: Final = re.compile(r"(?:([A-Z]+)[ \t]+)?([^/\s]*)(/\S*)")
_SPRING: Final = {f"{verb.capitalize()}Mapping": verb for verb in ("GET", "POST", "PUT", "DELETE", "PATCH")}
_CHAIN: Final = re.compile(r"\b(get|post|put|delete|patch|head|options|trace|any)(?:::<[^>]*>)?\s*\(")
_MAX_CHAIN: Final = 100


class GoRoutes(RouteReader):
    """Reads Go."""

    apps = frozenset({"gin.Default", "gin.New", "echo.New", "fiber.New", "httprouter.New"})

    def handlers(self) -> Handlers:
        return {
            **dict.fromkeys(("short_var_declaration", "assignment_statement"), self._assignment),
            "var_spec": self._var,
            "parameter_declaration": lambda node: self.hide(node.children_by_field_name("name")),
            "call_expression": self._call,
        }

    def _assignment(self, node: Node) -> None:
        names, values = children(child(node, "left")), children(child(node, "right"))
        for place, name in enumerate(names):
            self.make(name, values[place] if len(values) == len(names) else None)

    def _var(self, node: Node) -> None:
        values = children(child(node, "value"))
        for name in node.children_by_field_name("name"):
            self.make(name, values[0] if len(values) == 1 else None)

    def _call(self, node: Node) -> None:
        callee, arguments = child(node, "function"), self.arguments(node)
        if callee is None or callee.type != "selector_expression":
            return
        name, owner = self.text(child(callee, "field")), self.brief(child(callee, "operand"))
        if name in ("Mount", "Handle", "StripPrefix", "Use"):
            self.hide(arguments)
        path = self.string(arguments[0]) if len(arguments) > 1 else None
        if path is None or not owner:
            return
        if name in ("HandleFunc", "Handle") and (
            owner == "http" or self.made.get(owner) == "http.NewServeMux"
        ):
            self._pattern(path, arguments[0], name, owner)
        elif path.startswith("/") and (
            name in _VERBS or (name.upper() in _VERBS and self.made.get(owner) in _ROUTERS)
        ):
            self.add(path, arguments[0], name.upper(), name, owner=owner)

    def _pattern(self, text: str, node: Node, name: str, owner: str) -> None:
        """Note a pattern of net/http, in which a method and a host may stand before the path."""
        if match := _PATTERN.fullmatch(text):
            prefixed = owner != "http" or bool(match[2]) or b"StripPrefix" in self.data
            self.add(match[3], node, match[1], name, mounted=prefixed)


class RustRoutes(RouteReader):
    """Reads Rust."""

    def handlers(self) -> Handlers:
        # The routes of a file that serves them itself, and nests none, have no prefix.
        self._serves = bool(
            re.search(rb"\baxum::serve\(|\binto_make_service\(", self.data)
        ) and not re.search(rb"\bnest(?:_service)?\(|\bscope\(|\bmount\(", self.data)
        return {"call_expression": self._call, "attribute_item": self._attribute}

    def _call(self, node: Node) -> None:
        callee, arguments = child(node, "function"), self.arguments(node)
        if callee is None or callee.type != "field_expression" or len(arguments) != 2:
            return
        path = self.string(arguments[0])
        if self.text(child(callee, "field")) != "route" or path is None or not path.startswith("/"):
            return
        for method in self._methods(arguments[1]):
            self.add(path, arguments[0], method, "route", mounted=not self._serves)

    def _methods(self, handler: Node) -> list[str | None]:
        """Give the methods of `get(a).post(b)`, the first last."""
        methods: list[str | None] = []
        at: Node | None = handler
        for _ in range(_MAX_CHAIN):
            if at is None or at.type != "call_expression":
                break
            callee = child(at, "function")
            last = self.text(child(callee, "field") or child(callee, "name") or callee) if callee else ""
            if _CHAIN.fullmatch(f"{last}("):
                methods.append(None if last == "any" else last.upper())
            at = child(callee, "value") if callee is not None and callee.type == "field_expression" else None
        return methods[::-1] or [None]

    def _attribute(self, node: Node) -> None:
        attribute = next(iter(children(node, "attribute")), None)
        if attribute is None or not attribute.named_children:
            return
        name = self.text(attribute.named_children[0]).rpartition("::")[2]
        tokens = children(child(attribute, "arguments"))
        path = self.string(tokens[0]) if tokens and name.upper() in _VERBS else None
        if path is not None and path.startswith("/"):
            self.add(path, tokens[0], name.upper(), f"#[{name}]", mounted=True)


class JavaRoutes(RouteReader):
    """Reads Java."""

    def handlers(self) -> Handlers:
        self._classes: list[tuple[int, bool | None]] = []
        return {
            **dict.fromkeys(("class_declaration", "interface_declaration"), self._class),
            "method_declaration": self._method,
        }

    def _annotations(self, node: Node) -> dict[str, Node]:
        return {
            self.text(child(one, "name")).rpartition(".")[2]: one
            for group in children(node, "modifiers")
            for one in children(group, "annotation", "marker_annotation")
        }

    def _class(self, node: Node) -> None:
        names = self._annotations(node).keys()
        plain = "RestController" in names or "Controller" in names
        prefixed = not plain or bool(
            names & {"RequestMapping", "Path"} or children(node, "superclass", "super_interfaces")
        )
        # The interface of a client has the same annotations, and serves nothing.
        client = any(name.endswith(("Client", "HttpExchange")) for name in names)
        self._classes.append((node.end_byte, None if client else prefixed))

    def _method(self, node: Node) -> None:
        while self._classes and self._classes[-1][0] <= node.start_byte:
            self._classes.pop()
        mounted = self._classes[-1][1] if self._classes else True
        if mounted is None:
            return
        annotations = self._annotations(node)
        for name, one in annotations.items():
            if name in _SPRING:
                self._paths(one, [_SPRING[name]], name, mounted=mounted)
            elif name == "RequestMapping":
                self._paths(one, self._methods(one), name, mounted=mounted)
            elif name == "Path" and (verbs := sorted(annotations.keys() & _VERBS)):
                self._paths(one, list(verbs), name, mounted=True)

    def _values(self, annotation: Node, *keys: str) -> list[Node]:
        found: list[Node] = []
        for one in children(child(annotation, "arguments")):
            pair = one.type == "element_value_pair"
            if pair and self.text(child(one, "key")) not in keys:
                continue
            value = child(one, "value") if pair else one if "value" in keys else None
            if value is not None:
                found += children(value) if value.type == "element_value_array_initializer" else [value]
        return found

    def _methods(self, annotation: Node) -> list[str | None]:
        return [self.text(one).rpartition(".")[2] for one in self._values(annotation, "method")] or [None]

    def _paths(
        self, annotation: Node, methods: list[str | None] | list[str], name: str, *, mounted: bool
    ) -> None:
        for value in self._values(annotation, "value", "path"):
            for method in methods:
                self.add(self.string(value), value, method, f"@{name}", mounted=mounted)
