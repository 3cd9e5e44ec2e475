"""Options of a command line that a file declares by literals; those that a library derives from names are not told.

argparse, optparse, pytest, click and Typer; commander and yargs; Go's flag and pflag; clap; picocli and JCommander.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from claimjury.settlers.syntax.literals import quoted
from claimjury.settlers.syntax.parsing import parse
from claimjury.settlers.syntax.reading import Handlers, Reader, child, children, line_of
from claimjury.settlers.syntax.values import Option, Unreadable

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["options"]

# What a file that declares options by a call must speak of: Selenium has an `add_argument` too, and much has an `Option`.
_PYTHON: Final = {
    "add_argument": rb"\bargparse\b(?s:(?!.*\bselenium\b))",
    "add_option": rb"\boptparse\b",
    "addoption": rb"\bpytest\w*\b",
    "option": rb"\b(?:click|typer|rich_click|cloup)\b",
    "Option": rb"\b(?:click|typer|rich_click|cloup)\b",
}
_CLICK: Final = frozenset({"", "click", "typer", "rich_click", "cloup", "asyncclick"})
_PARSER: Final = re.compile(
    r"(?i:parser|group|\bsub)[^.]*\Z|\A(?:argparse\.)?ArgumentParser\(|\.add_\w*(?:parser|group)\("
)
_MADE: Final = re.compile(
    rb"^([^\n=]{1,200})=[^\n]{0,200}?(?:Parser|add_parser|add_argument_group|add_mutually_exclusive_group|OptionGroup)\b",
    re.MULTILINE,
)
_ANNOTATED: Final = re.compile(rb"\b(\w{1,100})\s{0,5}:\s{0,5}[\w.\"']{0,100}Parser\b")
_LIBRARIES: Final = re.compile(
    rb"(?i)\b(?:commander|yargs|cac|sade|caporal|vorpal|oclif|cleye)\b|program|command|\bcli\b"
)
_YARGS_CHAIN: Final = re.compile(r"\(?\s*(?:await\s+)?(?:yargs\w*|y|require\(\s*['\"]yargs)\b")
_COMMANDER: Final = frozenset({"option", "requiredOption", "Option"})
_FLAG: Final = re.compile(
    r"(?:String|Bool|Int|Int8|Int16|Int32|Int64|Uint|Uint8|Uint16|Uint32|Uint64|Float32|Float64|Duration|Count|IP"
    r"|StringSlice|StringArray|IntSlice|BoolSlice|StringToString|StringToInt|Text|Func|BoolFunc)?(Var)?(P)?"
)
_FLAG_SETS: Final = re.compile(rb"\b(\w+)(?:,\s*\w+)?\s*:?=\s*(\w+)\.NewFlagSet\(")
_IMPORTED: Final = re.compile(rb'(?:\b(?!import\b)(\w+)\s+)?"(flag|github\.com/spf13/pflag)"')
_YARGS: Final = re.compile(rb"""(?:from\s*|require\(\s*|import\s*)['"]yargs(?:/yargs)?['"]""")
_NAME: Final = re.compile(r"-{1,2}[A-Za-z0-9?@#][\w.:-]*")
_LOOK_BACK: Final = 2_000
"""Bytes: a chain of calls is looked through so far for the call that it began with."""


def options(path: str, data: bytes) -> tuple[Option, ...] | Unreadable:
    """Give the options that a file declares.

    Args:
        path: Its name, whose ending says the language.
        data: Its bytes.
    """
    parsed = parse(path, data)
    if isinstance(parsed, Unreadable):
        return parsed
    reader = _OptionReader(parsed)
    reader.run(reader.handlers())
    return tuple(reader.found)


class _OptionReader(Reader):
    """Reads the options of one file."""

    def handlers(self) -> Handlers:
        self.found: list[Option] = []
        self._spoken = {name for name, word in _PYTHON.items() if re.search(word, self.data)}
        made = [*_MADE.findall(self.data), *_ANNOTATED.findall(self.data)]
        self._parsers = {name for left in made for name in re.findall(r"[\w.]+", left.decode())}
        match self.parsed.language:
            case "python":
                return {"call": self._python}
            case "javascript" | "typescript" | "tsx":
                self._yargs = bool(_YARGS.search(self.data))
                self._commands = bool(_LIBRARIES.search(self.data))
                return {"call_expression": self._script, "new_expression": self._script}
            case "go":
                self._flags = self._flag_packages()
                return {"call_expression": self._go}
            case "rust":
                self._long: list[tuple[int, Node]] = []
                return {
                    "attribute_item": self._rust_attribute,
                    "field_declaration": self._rust_field,
                    "call_expression": self._rust_call,
                }
            case "java":
                return {"annotation": self._java}

    def _add(self, name: str, node: Node, declared_by: str) -> None:
        if _NAME.fullmatch(name) and not self.undecided:
            self.found.append(Option(name=name, line=line_of(node), declared_by=declared_by))

    def _string(self, node: Node | None) -> str | None:
        return None if node is None else quoted(self.text(node))

    def _takes_options(self, name: str, callee: Node) -> bool:
        """Whether what a method is called of is a parser of options, as far as its name or its assignment tells."""
        at = child(callee, "object") if callee.type == "attribute" else None
        if name in ("option", "Option"):
            return self.short(at) in _CLICK
        if at is None:
            return False
        owner = self.data[max(at.start_byte, at.end_byte - _LOOK_BACK) : at.end_byte].decode(errors="ignore")
        return owner in self._parsers or _PARSER.search(owner) is not None

    def _python(self, node: Node) -> None:
        callee = child(node, "function")
        last = child(callee, "attribute") if callee is not None and callee.type == "attribute" else callee
        name = self.text(last) if last is not None and last.type == "identifier" else ""
        if callee is None or name not in self._spoken:
            return
        if not self._takes_options(name, callee):
            return
        for one in children(child(node, "arguments"), "string"):
            # click and Typer write the two sides of a switch as `--on/--off`.
            parts = (self._string(one) or "").split("/" if name in ("option", "Option") else "\n")
            for part in parts:
                self._add(part.strip(), one, name)

    def _script(self, node: Node) -> None:
        callee = child(node, "function") or child(node, "constructor")
        last = (
            child(callee, "property") if callee is not None and callee.type == "member_expression" else callee
        )
        name = self.text(last) if last is not None and last.type.endswith("identifier") else ""
        arguments = children(child(node, "arguments"))
        if name not in _COMMANDER or not arguments or (name == "Option") != (node.type == "new_expression"):
            return
        text = self._string(arguments[0]) or ""
        if text.startswith("-") and (self._commands or name == "Option"):
            for part in re.split(r"[ ,|]+", text):
                self._add(part, arguments[0], name)
        elif text and self._yargs and name == "option" and _YARGS_CHAIN.match(self.short(callee)):
            self._add(f"--{text}" if len(text) > 1 else f"-{text}", arguments[0], name)

    def _flag_packages(self) -> dict[str, str]:
        """Give what the names of flag packages and flag sets write before an option."""
        dashes = {
            (alias or module.rpartition(b"/")[2]).decode(): "-" if module == b"flag" else "--"
            for alias, module in _IMPORTED.findall(self.data)
        }
        for name, package in _FLAG_SETS.findall(self.data):
            if package.decode() in dashes:
                dashes[name.decode()] = dashes[package.decode()]
        return dashes

    def _go(self, node: Node) -> None:
        callee = child(node, "function")
        if callee is None or callee.type != "selector_expression":
            return
        owner, name = child(callee, "operand"), self.text(child(callee, "field"))
        match = _FLAG.fullmatch(name)
        dashes = self._dashes(owner)
        if match is None or dashes is None or not name:
            return
        arguments = children(child(node, "arguments"))
        at = 1 if match[1] else 0
        if text := self._string(arguments[at]) if len(arguments) > at else None:
            self._add(f"{dashes}{text}", arguments[at], name)
        if match[2] and len(arguments) > at + 1 and (text := self._string(arguments[at + 1])):
            self._add(f"-{text}", arguments[at + 1], name)

    def _dashes(self, owner: Node | None) -> str | None:
        if owner is not None and owner.type == "identifier":
            return self._flags.get(self.text(owner))
        if owner is not None and owner.type == "call_expression":
            method = child(owner, "function")
            field = child(method, "field") if method and method.type == "selector_expression" else None
            return "--" if self.text(field) in ("Flags", "PersistentFlags", "LocalFlags") else None
        return None

    def _rust_attribute(self, node: Node) -> None:
        attribute = next(iter(children(node, "attribute")), None)
        name = self.text(attribute.named_children[0]) if attribute and attribute.named_children else ""
        tokens = child(attribute, "arguments") if attribute else None
        if name not in ("arg", "clap", "structopt") or tokens is None:
            return
        parts = [one for one in tokens.children if one.type not in ("(", ")")]
        for place, one in enumerate(parts):
            key = self.text(one) if one.type == "identifier" else ""
            before = parts[place - 1].type if place else ","
            if key not in ("long", "short") or before != ",":
                continue
            given = parts[place + 2] if len(parts) > place + 2 and parts[place + 1].type == "=" else None
            if given is not None:
                self._add(f"{'--' if key == 'long' else '-'}{self._string(given) or ''}", one, name)
            elif (key == "long" and b"rename_all" not in self.data) and (
                len(parts) == place + 1 or parts[place + 1].type == ","
            ):
                self._long.append((len(self.path), one))

    def _rust_field(self, node: Node) -> None:
        name = self.text(child(node, "name")).removeprefix("r#").strip("_").replace("_", "-")
        for depth, one in self._long:
            if depth == len(self.path) and name == name.lower():
                self._add(f"--{name}", one, "long")
        self._long.clear()

    def _rust_call(self, node: Node) -> None:
        callee = child(node, "function")
        name = self.text(child(callee, "field")) if callee and callee.type == "field_expression" else ""
        arguments = children(child(node, "arguments"))
        if callee is None or name not in ("long", "short") or len(arguments) != 1:
            return
        start = max(callee.start_byte, callee.end_byte - _LOOK_BACK)
        text = self._string(arguments[0])
        if text and re.search(rb"\bArg::", self.data[start : callee.end_byte]):
            self._add(f"{'--' if name == 'long' else '-'}{text}", arguments[0], name)

    def _java(self, node: Node) -> None:
        name = self.text(child(node, "name")).rpartition(".")[2]
        if name not in ("Option", "Parameter"):
            return
        for pair in children(child(node, "arguments"), "element_value_pair"):
            value = child(pair, "value")
            if self.text(child(pair, "key")) != "names" or value is None:
                continue
            for one in children(value) if value.type == "element_value_array_initializer" else [value]:
                self._add(self._string(one) or "", one, f"@{name}")
