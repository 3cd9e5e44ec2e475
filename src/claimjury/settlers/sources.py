"""A source file of a language that is parsed, with what can be said of a name in it for sure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.evidence import Evidence
from claimjury.settlers.syntax import Definition, Import, Outline, Unreadable, language_of, outline

__all__ = ["Source", "hidden_by", "parse_source", "read_source"]

_HARMLESS: Final = frozenset(
    [
        "computed_call",
        "getattr",
        "hasattr",
        "eval",
        "arguments",
        "import_module",
        "computed_import",
        "escaped_name",
        "forName",
        "load",
    ]
)
"""Kinds that may use a name unseen, and define none in this file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A parsed file."""

    path: str
    outline: Outline

    def defines(self, name: str) -> list[Definition]:
        """Give the definitions of a name."""
        return [one for one in self.outline.definitions if one.name == name]

    def only_defines(self, name: str, line: int) -> bool:
        """Whether a line defines a name and does nothing else with it."""
        return any(one.line == line for one in self.defines(name)) and not self._calls(name, line)

    def calls_plainly(self, name: str, line: int) -> bool:
        """Whether a line calls a name by itself, not as an attribute of something."""
        return any(
            call.text == name for call in self.outline.calls if call.name == name and call.line == line
        )

    def _calls(self, name: str, line: int) -> bool:
        return any(call.name == name and call.line == line for call in self.outline.calls)

    def calls_of(self, name: str) -> list[int]:
        """Give the lines that surely call a name: `x.close()` is no sure call of `close`, and one of `x.close`."""
        said = name.replace("::", ".")
        return [call.line for call in self.outline.calls if call.text.replace("::", ".") == said]

    def knows(self, root: str) -> bool:
        """Whether what a dotted name begins with is what it is said to be: imported, or a class or function of the file."""
        imported = any(
            root in (one.alias, one.name, one.module.split(".")[0]) for one in self.outline.imports
        )
        return imported or any(
            one.kind not in ("variable", "constant", "field") for one in self.defines(root)
        )

    def imports_name_alone(self, name: str) -> bool:
        """Whether a name is imported from a module, and none of that name is."""
        return not self.imports_module(name) and any(one.name == name for one in self.outline.imports)

    def imports_of(self, name: str) -> list[int]:
        """Give the lines that import a module, a name, or a name of a module."""
        said = name.replace("::", ".")
        return [one.line for one in self.outline.imports if said in _said_by(one)]

    def imports_module(self, name: str) -> bool:
        """Whether a line imports a module of that name, or anything of it."""
        return any(one.module == name or one.module.startswith(f"{name}.") for one in self.outline.imports)

    def imports_from(self, name: str, homes: Collection[str]) -> list[int]:
        """Give the lines that import a name from a module that is one of the files."""
        return [
            one.line
            for one in self.outline.imports
            if one.name == name
            and one.alias in (None, name)
            and any(_leads_to(one.module, self.path, home) for home in homes)
        ]

    def binds_otherwise(self, name: str, text: str) -> bool:
        """Whether a file of this text may give a name another meaning than a definition of the module: a parameter, an import, a local."""
        taken = (one.parameters.names for one in self.outline.definitions if one.parameters)
        inner = any(one.scope or one.conditional for one in self.defines(name))
        lines = {*(one.line for one in self.defines(name)), *(one.line for one in self.outline.imports)}
        return inner or any(name in names for names in taken) or _stands_alone(name, text, lines)

    def hides_from_outside(self, one: Definition) -> str | None:
        """Give why a definition may be used from where no name is seen; None where nothing speaks for it."""
        if one.kind not in ("function", "class") or one.scope or one.conditional:
            return "it is no function or class of the module itself"
        if one.bases:
            return f"what it inherits from, {one.bases[0]}, may find it"
        if one.decorators:
            return f"it is decorated by {one.decorators[0]}"
        if _CALLED_UNSEEN.match(one.name):
            return "what is called so may be called by convention"
        return self._given_out(one.name)

    def _given_out(self, name: str) -> str | None:
        """Give how other files may come by what is defined here."""
        language, exports = self.outline.language, self.outline.exports
        if language == "javascript" and not (self.outline.imports or exports):
            return "another script of a page may use it"
        if language in ("rust", "java") or (language == "go" and name[:1].isupper()):
            return "other packages may use it"
        return "it is exported" if any(name in (one.name, one.local) for one in exports) else None

    def doubt(self, name: str, how: str) -> str | None:
        """Give why the absence of a call or an import is not sure."""
        said = name.replace("::", ".")
        plain = said.rpartition(".")[2]
        if how == "import":
            near = [one for one in self.outline.imports if plain in _words_of(one)]
            stars = [one for one in self.outline.imports if one.name == "*"]
            if near or stars:
                return f"line {(near or stars)[0].line} imports something like it, or all of a module."
            if self.outline.dynamic:
                return f"line {self.outline.dynamic[0][1]} ({self.outline.dynamic[0][0]}) may import by a computed name."
            return None
        lines = self.outline.names.get(plain, ())
        if lines:
            return f"it holds the name in line {lines[0]}, which may lead to a call."
        if self.outline.dynamic:
            kind, line = self.outline.dynamic[0]
            return f"line {line} ({kind}) can call by a computed name."
        return None


_CALLED_UNSEEN: Final = re.compile(
    r"(?:test|Test|async_setup|setup|setUp|teardown|tearDown|pytest_|visit_|do_|do[A-Z]|on_|on[A-Z]|handle|get|post|put|delete)|\w*[hH]andler\Z"
    r"|(?:main|init|app|application|lambda_handler|upgrade|downgrade|configure|register|ready|index)\Z|__\w+__\Z"
)


def _stands_alone(name: str, text: str, besides: Collection[int]) -> bool:
    """Whether a name stands anywhere, but in these lines, without a bracket behind it: as a parameter, in a pattern, bound to something."""
    alone = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$(])")
    return any(
        alone.search(line)
        for at, line in enumerate(text.split("\n"), 1)
        if at not in besides and name in line
    )


def hidden_by(outline: Outline) -> str | None:
    """Give what in a file may define a name unseen; None where nothing does."""
    return next(
        (kind for kind, _ in outline.dynamic if kind not in _HARMLESS and not kind.startswith("reflect.")),
        None,
    )


def read_source(path: str, evidence: Evidence) -> Source | None:
    """Give a file as it lies there, parsed whole; None where that cannot be."""
    data = evidence.read(path) if language_of(path) else None
    return None if data is None else parse_source(path, data)


def parse_source(path: str, data: bytes) -> Source | None:
    """Give a file of these bytes, parsed whole; None where that cannot be."""
    found = outline(path, data)
    return None if isinstance(found, Unreadable) or found.broken else Source(path=path, outline=found)


def _said_by(one: Import) -> set[str]:
    module = one.module.replace("::", ".")
    said = {
        module,
        module.lstrip("."),
        *([one.name] if one.name and one.name not in ("*", "default") else []),
    }
    return said | ({f"{module}.{one.name}"} if one.name else set())


def _words_of(one: Import) -> set[str]:
    parts = one.module.replace("::", ".").replace("/", ".").replace("-", ".").split(".")
    return {*parts, *(one.name or "").replace("::", ".").split("."), one.alias or ""}


def _leads_to(module: str, importer: str, home: str) -> bool:
    """Whether a module that one file imports is another file, as far as paths tell."""
    file, beside = PurePosixPath(home), PurePosixPath(importer).parent
    wanted = file.parent if file.stem in ("__init__", "index", "mod", "lib") else file.with_suffix("")
    if "/" in module or module in (".", ".."):
        path = PurePosixPath(posixpath.normpath(beside / re.sub(r"\.[cm]?[jt]sx?\Z", "", module)))
        return module.startswith(".") and path in (wanted, file.with_suffix(""))
    if module.startswith("."):
        rest = module.lstrip(".")
        up = beside.joinpath(*[".."] * (len(module) - len(rest) - 1), *filter(None, rest.split(".")))
        return PurePosixPath(posixpath.normpath(up)) == wanted
    words = tuple(one for one in re.split(r"::|\.", module) if one not in ("crate", "self", "super"))
    above = PurePosixPath(*wanted.parts[: -len(words)])
    if not words or above not in (beside, *beside.parents, *_ROOTS):
        return False
    return wanted.parts[-len(words) :] == words


_ROOTS: Final = (PurePosixPath(), PurePosixPath("src"), PurePosixPath("lib"))
