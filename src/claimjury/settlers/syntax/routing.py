"""What the routes of a file need: which names stand for a whole application, and which may be put under a prefix."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from claimjury.settlers.syntax.literals import quoted
from claimjury.settlers.syntax.reading import Reader, child, children, line_of
from claimjury.settlers.syntax.values import Route

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Found", "RouteReader"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A route, and the name of the object that decides whether it is mounted; none where that is known."""

    route: Route
    owner: str | None


class RouteReader(Reader):
    """Reads the routes of one file; a language adds which calls make an application."""

    apps: frozenset[str] = frozenset()

    def routes(self) -> tuple[Route, ...]:
        """Read the file, once."""
        self.found: list[Found] = []
        self.made: dict[str, str] = {}
        self.assigned: Counter[str] = Counter()
        self.hidden: set[str] = set()
        self.run(self.handlers())
        return tuple(
            one.route if one.owner is None else replace(one.route, mounted=not self._is_app(one.owner))
            for one in self.found
        )

    def _is_app(self, owner: str) -> bool:
        """Whether a name means an application wherever it stands in this file, and nothing puts it under another."""
        return self.made.get(owner) in self.apps and self.assigned[owner] == 1 and owner not in self.hidden

    def string(self, node: Node | None) -> str | None:
        """Give what a string says, where it is plain."""
        return None if node is None else quoted(self.text(node))

    def make(self, name: Node | None, value: Node | None) -> None:
        """Note that a name is given a value."""
        if name is None:
            return
        text = self.text(name)
        self.assigned[text] += 1
        if value is not None and value.type in ("await_expression", "await") and value.named_children:
            value = value.named_children[-1]
        if value is not None:
            callee = child(value, "function") or child(value, "constructor")
            self.made[text] = self.brief(callee)

    def hide(self, nodes: list[Node]) -> None:
        """Note names that stand for something else somewhere, or that are handed on to what may add a prefix."""
        self.hidden.update(self.text(one) for one in nodes if one.type == "identifier")

    def add(
        self,
        path: str | None,
        node: Node,
        method: str | None,
        declared_by: str,
        *,
        owner: str | None = None,
        mounted: bool = False,
    ) -> None:
        """Note a route that no condition decides of; where it has an owner, that decides whether it is mounted."""
        if path is not None and not self.undecided:
            route = Route(
                method=method, path=path, line=line_of(node), declared_by=declared_by, mounted=mounted
            )
            self.found.append(Found(route=route, owner=owner))

    def arguments(self, call: Node) -> list[Node]:
        """Give the arguments of a call, comments left out."""
        return [one for one in children(child(call, "arguments")) if not one.type.endswith("comment")]
