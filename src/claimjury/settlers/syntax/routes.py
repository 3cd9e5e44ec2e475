"""Routes of a server that a file declares by literals; whether a prefix may stand before them is told with each.

Flask, FastAPI, Starlette and Django; Express, Koa, Fastify and Hono. `routes_compiled.py` has Go, Rust and Java.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimjury.settlers.syntax.ecma import FUNCTIONS
from claimjury.settlers.syntax.parsing import parse
from claimjury.settlers.syntax.reading import Handlers, child, children
from claimjury.settlers.syntax.routes_compiled import GoRoutes, JavaRoutes, RustRoutes
from claimjury.settlers.syntax.routing import RouteReader
from claimjury.settlers.syntax.values import Language, Route, Unreadable

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["routes"]

_VERBS: Final = frozenset({"get", "post", "put", "delete", "patch", "head", "options", "trace"})
_ANY: Final = frozenset({"route", "api_route"})
_TABLES: Final = frozenset({"add_url_rule", "add_api_route", "add_route", "Route"})
_SCRIPT_NAMES: Final = frozenset({"app", "router", "server", "fastify"})
_MAX_CHAIN: Final = 20
_ROUTERS: Final = frozenset(
    {"express.Router", "Router", "KoaRouter", "express", "fastify", "Fastify", "Hono", "Elysia", "polka"}
)


def routes(path: str, data: bytes) -> tuple[Route, ...] | Unreadable:
    """Give the routes that a file declares.

    Args:
        path: Its name, whose ending says the language.
        data: Its bytes.
    """
    parsed = parse(path, data)
    if isinstance(parsed, Unreadable):
        return parsed
    return _READERS[parsed.language](parsed).routes()


class _PythonRoutes(RouteReader):
    apps = frozenset(
        {"FastAPI", "fastapi.FastAPI", "Flask", "flask.Flask", "Starlette", "Quart", "quart.Quart", "Sanic"}
        | {"Bottle", "bottle.Bottle", "Litestar"}
    )

    def handlers(self) -> Handlers:
        return {
            "assignment": self._assignment,
            "parameters": self._parameters,
            "decorator": self._decorator,
            "call": self._call,
        }

    def _assignment(self, node: Node) -> None:
        left, right = child(node, "left"), child(node, "right")
        if left is not None and left.type == "identifier":
            self.make(left, right)

    def _parameters(self, node: Node) -> None:
        for one in node.named_children:
            self.hide([one, *children(one, "identifier")])

    def _decorator(self, node: Node) -> None:
        call = next(iter(children(node, "call")), None)
        callee = child(call, "function") if call is not None else None
        if call is None or callee is None or callee.type != "attribute":
            return
        name = self.text(child(callee, "attribute"))
        if name not in _VERBS and name not in _ANY:
            return
        owner = self.brief(child(callee, "object"))
        for method in [name.upper()] if name in _VERBS else self._methods(call):
            self._first(call, method, name, owner=owner)

    def _first(self, call: Node, method: str | None, name: str, *, owner: str | None) -> None:
        """Note the route whose path is the first argument, or the one that is called `path` or `rule`."""
        for one in self.arguments(call)[:1]:
            value = one
            if one.type == "keyword_argument":
                value = (
                    (child(one, "value") or one) if self.text(child(one, "name")) in ("path", "rule") else one
                )
            path = self.string(value) if value.type == "string" else None
            # A path of Flask's may have parts to fill in; a name, as tools of agents take, is no path.
            if path is not None and path.startswith("/"):
                self.add(path, one, method, name, owner=owner, mounted=owner is None)

    def _methods(self, call: Node) -> list[str | None]:
        for one in self.arguments(call):
            value = child(one, "value") if one.type == "keyword_argument" else None
            if value is not None and self.text(child(one, "name")) == "methods":
                texts = [self.string(part) for part in children(value)]
                return [None if text is None else text.upper() for text in texts] or [None]
        return [None]

    def _call(self, node: Node) -> None:
        callee, arguments = child(node, "function"), self.arguments(node)
        text = self.brief(callee)
        name = text.rpartition(".")[2]
        if name in (
            "mount",
            "host",
            "include_router",
            "register_blueprint",
            "Mount",
            "run_simple",
            "DispatcherMiddleware",
        ):
            self.hide(arguments)
            self.hide([part for one in arguments for part in children(one, "identifier")])
        elif name in _TABLES and len(arguments) > 1 and self.parent() != "decorator":
            owner = text.rpartition(".")[0] or None
            for method in self._methods(node):
                self._first(node, method, name, owner=None if name == "Route" else owner)
        elif (
            text == "path" and len(arguments) > 1 and b"django" in self.data and arguments[0].type == "string"
        ):
            # What `include` names may stand before it, and Django's own paths begin without a slash.
            self.add(self.string(arguments[0]), arguments[0], None, "path", mounted=True)


class _ScriptRoutes(RouteReader):
    apps = frozenset({"express", "fastify", "Fastify", "Hono", "polka"})

    def handlers(self) -> Handlers:
        return {
            "variable_declarator": lambda node: self.make(child(node, "name"), child(node, "value")),
            "assignment_expression": self._assignment,
            "formal_parameters": self._parameters,
            "arrow_function": self._arrow,
            "call_expression": self._call,
        }

    def _assignment(self, node: Node) -> None:
        left = child(node, "left")
        if left is not None and left.type == "identifier":
            self.make(left, child(node, "right"))

    def _parameters(self, node: Node) -> None:
        for one in node.named_children:
            self.hide([one, *children(one, "identifier")])

    def _arrow(self, node: Node) -> None:
        if one := child(node, "parameter"):
            self.hide([one])

    def _call(self, node: Node) -> None:
        callee, arguments = child(node, "function"), self.arguments(node)
        if callee is None or callee.type != "member_expression":
            return
        name, owner = self.text(child(callee, "property")), child(callee, "object")
        if name in ("use", "register", "route", "mount"):
            self.hide(arguments)
        if owner is None or (name not in _VERBS and name != "all"):
            return
        method = None if name == "all" else name.upper()
        if owner.type == "call_expression":
            self._chained(owner, method, name)
        elif owner.type == "identifier" and len(arguments) > 1 and arguments[0].type == "string":
            path = self.string(arguments[0])
            if path is not None and path.startswith("/") and self._is_router(self.text(owner), arguments[-1]):
                self.add(path, arguments[0], method, name, owner=self.text(owner))

    def _is_router(self, owner: str, last: Node) -> bool:
        """Whether a name is a server's and not a client's, which has the same methods."""
        if owner in self.made:
            return self.made[owner] in _ROUTERS
        return owner in _SCRIPT_NAMES and last.type in FUNCTIONS | {"identifier", "member_expression"}

    def _chained(self, owner: Node, method: str | None, name: str) -> None:
        """Note `app.route("/x").get(…)`, and each further method of the chain."""
        for _ in range(_MAX_CHAIN):
            callee = child(owner, "function")
            inner = child(callee, "object") if callee is not None else None
            if callee is None or inner is None or callee.type != "member_expression":
                return
            if self.text(child(callee, "property")) == "route":
                arguments = self.arguments(owner)
                path = self.string(arguments[0]) if len(arguments) == 1 else None
                if inner.type == "identifier" and path is not None and path.startswith("/"):
                    self.add(path, arguments[0], method, name, owner=self.text(inner))
                return
            if self.text(child(callee, "property")) not in _VERBS | {"all"}:
                return
            owner = inner


_READERS: Final[dict[Language, type[RouteReader]]] = {
    "python": _PythonRoutes,
    "javascript": _ScriptRoutes,
    "typescript": _ScriptRoutes,
    "tsx": _ScriptRoutes,
    "go": GoRoutes,
    "rust": RustRoutes,
    "java": JavaRoutes,
}
