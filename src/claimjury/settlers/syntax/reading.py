"""Reading a tree in one pass: the base of the readers, which are told each node and know what stands around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from claimjury.settlers.syntax.parsing import Parsed
from claimjury.settlers.syntax.values import (
    Call,
    Constant,
    Definition,
    Export,
    Import,
    Kind,
    Outline,
    Parameters,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node, TreeCursor

__all__ = ["Handlers", "Reader", "Scope", "child", "children", "line_of", "nodes_within"]

_ANONYMOUS: Final = "<anonymous>"
_MAX_PATH: Final = 200
"""Bytes: a chain of calls has its whole text before each of its names, so long ones are not copied."""
_DEEP: Final = 500
"""Nodes: of what stands deeper, as in a long chain of calls, nothing is told."""
_DECIDED: Final = re.compile(r"\(?\s*(?:.{0,20}\b__name__\b|.{0,20}\brequire\.main\b|import\.meta)")
_MAX_SCOPES: Final = 64
_PATH: Final = re.compile(r"[\w$#]+(?:(?:\?\.|\.|::)[\w$#]+)*")
ScopeKind = Literal["module", "class", "function"]
Handlers = Mapping[str, Callable[["Node"], object]]


_CHOOSING: Final = frozenset(
    [
        "conditional_expression",
        "ternary_expression",
        "boolean_operator",
        "match_statement",
        "match_expression",
        "switch_statement",
        "switch_expression",
        "expression_switch_statement",
    ]
)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a node stands in.

    Attributes:
        names: The names of this and what is around it.
        kind: Where names that are bound in it live.
        depth: The depth of the node that opened it.
        in_function: Whether it, or what it stands in, is a function.
    """

    names: tuple[str, ...]
    kind: ScopeKind
    depth: int
    in_function: bool = False


def child(node: Node, field: str) -> Node | None:
    """Give the child of a field."""
    return node.child_by_field_name(field)


def children(node: Node | None, *types: str) -> list[Node]:
    """Give the named children, of these types where some are given."""
    if node is None:
        return []
    return [one for one in node.named_children if not types or one.type in types]


def line_of(node: Node) -> int:
    """Give the line that a node begins on, counted from 1."""
    return node.start_point.row + 1


def nodes_within(node: Node, into: frozenset[str]) -> Iterator[Node]:
    """Give a node, or instead of those of the types `into` what they hold, in order."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type in into:
            waiting += reversed(one.named_children)
        else:
            yield one


class Reader:
    """Reads one file; a language adds what its nodes mean."""

    def __init__(self, parsed: Parsed) -> None:
        self.parsed = parsed
        self.data = parsed.data
        self.path: list[Node] = []
        self.scopes: list[Scope] = [Scope((), "module", -1)]
        self.definitions: list[Definition] = []
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.calls: list[Call] = []
        self.constants: list[Constant] = []
        self.dynamic: list[tuple[str, int]] = []
        self.bound: Counter[tuple[tuple[str, ...], str]] = Counter()
        self._names: dict[str, dict[int, None]] = {}
        self._conditions: list[int] = []
        self._cursor: TreeCursor = parsed.root.walk()

    def handlers(self) -> Handlers:
        """Give what is called at each type of node, before its children."""
        raise NotImplementedError

    def outline(self) -> Outline:
        """Read the file, once."""
        self.run(self.handlers())
        defined = Counter((one.scope, one.name) for one in self.definitions)
        return Outline(
            language=self.parsed.language,
            definitions=tuple(self._settled(one, defined[one.scope, one.name]) for one in self.definitions),
            imports=tuple(self.imports),
            exports=tuple(self.exports),
            calls=tuple(self.calls),
            constants=tuple(
                replace(one, assignments=self.bound[one.scope, one.name]) for one in self.constants
            ),
            names={name: tuple(lines) for name, lines in self._names.items()},
            broken=self.parsed.broken,
            dynamic=tuple(self.dynamic),
            bound=frozenset(name for scope, name in self.bound if not scope),
        )

    def run(self, handlers: Handlers) -> None:
        """Walk the tree, once."""
        cursor, path = self._cursor, self.path
        while True:
            node = cursor.node
            if node is None:
                return
            if handler := handlers.get(node.type):
                handler(node)
            if cursor.goto_first_child():
                path.append(node)
                continue
            self._leave()
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                path.pop()
                self._leave()

    def _leave(self) -> None:
        depth = len(self.path)
        while self.scopes[-1].depth == depth:
            self.scopes.pop()
        while self._conditions and self._conditions[-1] == depth:
            self._conditions.pop()

    def _settled(self, one: Definition, defined: int) -> Definition:
        """Give a definition whose parameters are certain only where the name means it alone."""
        bound = self.bound[one.scope, one.name]
        if bound <= 1:
            return one
        parameters = replace(one.parameters, certain=False) if one.parameters else None
        return replace(one, parameters=parameters, rebound=bound > defined)

    @property
    def field(self) -> str | None:
        """The field of its parent that the node at hand fills."""
        return self._cursor.field_name

    @property
    def scope(self) -> Scope:
        return self.scopes[-1]

    @property
    def undecided(self) -> bool:
        """Whether the node at hand stands under an `if`, other than one that asks whether the file is what is run, or under what chooses like one."""
        if len(self.path) > _DEEP or any(one.type in _CHOOSING for one in self.path):
            return True
        ifs = (one for one in self.path if one.type in ("if_statement", "if_expression"))
        return any(not _DECIDED.match(self.short(child(one, "condition"))) for one in ifs)

    @property
    def conditional(self) -> bool:
        return bool(self._conditions)

    def parent(self, up: int = 1) -> str:
        """Give the type of what the node at hand stands in, so many levels up; empty above the root."""
        return self.path[-up].type if up <= len(self.path) else ""

    def last_line(self, node: Node) -> int:
        """Give the line that a definition ends on."""
        return node.end_point.row + 1

    def text(self, node: Node | None) -> str:
        """Give what a node's source says; empty where there is none."""
        return "" if node is None else self.data[node.start_byte : node.end_byte].decode()

    def short(self, node: Node | None) -> str:
        """Give the beginning of what a node's source says, where all of it may be long."""
        if node is None:
            return ""
        end = min(node.end_byte, node.start_byte + _MAX_PATH)
        return self.data[node.start_byte : end].decode(errors="ignore")

    def brief(self, node: Node | None) -> str:
        """Give the text of a path of names, blanks left out; empty for anything else."""
        if node is None or node.end_byte - node.start_byte > _MAX_PATH:
            return ""
        text = "".join(self.text(node).split())
        return text if _PATH.fullmatch(text) else ""

    def open(self, name: str, kind: ScopeKind) -> None:
        """Let what follows within the node at hand stand in a scope."""
        outer = self.scope.names
        names = (*outer, name or _ANONYMOUS) if len(outer) < _MAX_SCOPES else outer
        inside = self.scope.in_function or kind == "function"
        self.scopes.append(Scope(names, kind, len(self.path), inside))

    def bind_member(self, owner: str, name: str) -> None:
        """Count a binding of an attribute, which may be what the owner, or a class around, binds to a literal."""
        self.bind(name, (owner,))
        for scope in self.scopes[-_MAX_SCOPES:]:
            if scope.kind == "class":
                self.bind(name, scope.names)

    def condition(self, _node: Node | None = None) -> None:
        """Let what follows within the node at hand be conditional."""
        self._conditions.append(len(self.path))

    def condition_around(self) -> None:
        """Let what follows within the parent of the node at hand be conditional."""
        self._conditions.append(len(self.path) - 1)

    def bind(self, name: str, scope: tuple[str, ...] | None = None) -> None:
        """Count a binding of a name."""
        self.bound[self.scope.names if scope is None else scope, name] += 1

    def name(self, node: Node) -> None:
        """Note an identifier."""
        self.note(self.text(node), line_of(node))

    def note(self, name: str, line: int) -> None:
        """Note a name on a line."""
        self._names.setdefault(name, {})[line] = None

    def hides(self, kind: str, node: Node) -> None:
        """Note what hides definitions or uses."""
        self.dynamic.append((kind, line_of(node)))

    def call(self, callee: Node | None, last: Node | None) -> str:
        """Note a call, and give its text."""
        if callee is None or last is None:
            return ""
        name = self.text(last)
        alone = (callee.start_byte, callee.end_byte) == (last.start_byte, last.end_byte)
        # `", ".join(x)` and `make().run()` are calls of what is not known, and of no function of that name.
        text = self.brief(callee) or (name if alone else f"?.{name}")
        self.calls_named(name, text, last)
        return text

    def calls_named(self, name: str, text: str, node: Node) -> None:
        """Note a call by its names."""
        self.calls.append(Call(name=name, text=text, line=line_of(node)))

    def define(
        self,
        node: Node,
        name: Node | str,
        kind: Kind,
        *,
        scope: tuple[str, ...] | None = None,
        parameters: Parameters | None = None,
        overload: bool = False,
        conditional: bool = False,
        decorators: tuple[str, ...] = (),
        bases: tuple[str, ...] = (),
    ) -> str:
        """Note a definition, which binds its name, and give the name."""
        text = name if isinstance(name, str) else self.text(name)
        self.definitions.append(
            Definition(
                name=text,
                kind=kind,
                scope=self.scope.names if scope is None else scope,
                line=line_of(node if isinstance(name, str) else name),
                end_line=self.last_line(node),
                parameters=parameters,
                conditional=conditional or self.conditional,
                overload=overload,
                decorators=decorators,
                bases=bases,
                local=self.scope.in_function or _ANONYMOUS in self.scope.names,
            )
        )
        self.bind(text, scope)
        return text

    def constant(self, name: str, literal: Node, value: Value, scope: tuple[str, ...] | None = None) -> None:
        """Note a binding to a literal."""
        self.constants.append(
            Constant(
                name=name,
                scope=self.scope.names if scope is None else scope,
                value=value,
                text=self.text(literal),
                line=line_of(literal),
                conditional=self.conditional,
            )
        )
