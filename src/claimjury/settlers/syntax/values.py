"""What a source file says, as values: definitions, parameters, constants, imports, calls, options and routes. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "Call",
    "Constant",
    "Definition",
    "Export",
    "Import",
    "Kind",
    "Language",
    "Option",
    "Outline",
    "Parameters",
    "Route",
    "Unreadable",
    "Value",
]

Language = Literal["python", "javascript", "typescript", "tsx", "go", "rust", "java"]
Kind = Literal[
    "function",
    "method",
    "class",
    "interface",
    "type",
    "enum",
    "struct",
    "trait",
    "constant",
    "variable",
    "field",
    "macro",
    "module",
]
Value = int | float | str | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A file that was not read, and why."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """The parameters of a definition.

    Attributes:
        names: In order, without the receiver; empty for one that has no name.
        receiver: `self`, `cls`, `&self` or the receiver of a Go method, as it is written.
        required: How many a caller must give.
        variadic: Whether one takes what is left over: `*args`, `**kwargs`, `...rest`.
        certain: Whether callers see these: false where a decorator, an overload or a pattern may have changed them.
    """

    names: tuple[str, ...] = ()
    receiver: str | None = None
    required: int = 0
    variadic: bool = False
    certain: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """What a file defines, at one place; a name may have several.

    Attributes:
        name: Its last name.
        kind: What it is by syntax.
        scope: The names of what it stands in, the outermost first.
        line: The line of its name, counted from 1.
        end_line: The line that it ends on.
        parameters: Absent where it is not called.
        conditional: Whether it may be absent at run time: under `if`, `try`, `cfg` or a build tag.
        overload: Whether it is a signature without a body, of a function that has others.
        decorators: The names of its decorators, annotations or attributes.
        bases: What it inherits from, as it is written.
        local: Whether it stands within a function or an object without a name, where others do not see it.
        rebound: Whether its name is bound, or deleted, by more than definitions, so that it may not stay what it is.
    """

    name: str
    kind: Kind
    scope: tuple[str, ...] = ()
    line: int
    end_line: int
    parameters: Parameters | None = None
    conditional: bool = False
    overload: bool = False
    decorators: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    local: bool = False
    rebound: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """A name that a file takes from elsewhere.

    Attributes:
        module: As it is written.
        name: What is taken of it; absent for the whole, `*` for all its names, `default` for a default export.
        alias: The name it has here, where that is another.
        line: Counted from 1.
    """

    module: str
    name: str | None = None
    alias: str | None = None
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A name that a file lists as its own to others: `__all__`, `export { a as b }`, `module.exports`, `pub use`.

    Attributes:
        name: What others see; `*` for all names of the module, `default` for a default export.
        local: The name it has here or in `module`, where it has one.
        module: Where it comes from, where that is another.
        line: Counted from 1.
    """

    name: str
    local: str | None = None
    module: str | None = None
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call by name.

    Attributes:
        name: The last name of what is called.
        text: All of it, as in `a.b.c`; of what is called on more than a path of names, `?.` and the last name.
        line: The line of the last name.
    """

    name: str
    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A name of the module, a class or a type that is bound to a literal.

    Attributes:
        name: Its name.
        scope: The class that it stands in; empty for the module.
        value: The literal's value, of its own type: `30`, `30.0` and `"30"` differ.
        text: The literal as it is written.
        line: Counted from 1.
        assignments: How often the name is bound in its scope, under `if` and `try` too.
        conditional: Whether this binding may not happen.
    """

    name: str
    scope: tuple[str, ...] = ()
    value: Value
    text: str
    line: int
    assignments: int = 1
    conditional: bool = False

    @property
    def certain(self) -> bool:
        """Whether nothing in this file gives the name another value."""
        return self.assignments == 1 and not self.conditional


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What a file defines and uses.

    Attributes:
        language: The grammar it was parsed with.
        definitions: In the order of the file.
        imports: In the order of the file.
        exports: In the order of the file.
        calls: In the order of the file.
        constants: Every binding of a name to a literal; see `Constant.certain`.
        names: Each identifier in code, and the lines that have it; comments and strings are no code.
        broken: Whether the parser met what it does not understand.
        dynamic: What hides definitions or uses from a reader: its kind and its line.
        bound: The names that the module binds, by definitions, imports or in any other way.
    """

    language: Language
    definitions: tuple[Definition, ...] = ()
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    calls: tuple[Call, ...] = ()
    constants: tuple[Constant, ...] = ()
    names: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    broken: bool = False
    dynamic: tuple[tuple[str, int], ...] = ()
    bound: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of a command line, declared by a literal.

    Attributes:
        name: With its dashes: `--x`, `-x`.
        line: Counted from 1.
        declared_by: The call or the annotation that declares it, as in `add_argument`.
    """

    name: str
    line: int
    declared_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A route of a server, declared by a literal.

    Attributes:
        method: In capitals; absent where the declaration does not restrict it.
        path: As it is written.
        line: Counted from 1.
        declared_by: The call, decorator or annotation that declares it.
        mounted: Whether a prefix may stand before the path.
    """

    method: str | None
    path: str
    line: int
    declared_by: str
    mounted: bool
