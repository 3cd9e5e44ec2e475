"""TOML: one table is put at the end, replaced in its place or taken out, and nothing else moves.

The parser is the standard library's, and it gives positions too: a TOML file is a list of expressions, each of whole
lines, and no beginning of an expression is one itself, so the shortest run of lines that `tomllib` takes is one.

tomlkit 0.15.2 keeps every byte of a file that it does not change, but not of one that it does: a table that it adds goes
between the next table and the comment above that, lines end otherwise than the file's, and with a table that it takes
out goes the comment above the next one.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from claimjury.errors import ConfigInvalid, InternalError
from claimjury.surfaces.install.splices import Splice, newline_of, spliced

__all__ = ["TomlDocument", "new_toml"]

_Kind = Literal["header", "pair", "other"]
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_PROBE: Final = "claimjury-probe"
"""A key that is tried, to see whether a table can be added to."""


def new_toml(section: str, name: str, entry: Mapping[str, Any], *, newline: str = "\n") -> str:
    """Give the text of one entry: its table, each line ended."""
    lines = [f"[{section}.{name}]", *(f"{key} = {_value(value)}" for key, value in entry.items())]
    return "".join(line + newline for line in lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Expression:
    """One expression of a file.

    Attributes:
        kind: What it is; `other` is an empty line or a comment.
        start: Where its first line begins.
        end: Where its last line ends, line break included.
        path: The table of a header; of a pair its table and its key, as far down as there is only one.
    """

    kind: _Kind
    start: int
    end: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlDocument:
    """A host's TOML file.

    Attributes:
        text: What it holds, without a byte-order mark.
        value: What it says.
        section: The table that holds the entries.
        shown: The file's name, for messages.
    """

    text: str
    value: Mapping[str, Any]
    section: str
    shown: str

    @classmethod
    def parse(cls, text: str, *, section: str, shown: str) -> TomlDocument:
        """Parse the text of a file.

        Raises:
            ConfigInvalid: It is not TOML, or the section is no table.
        """
        try:
            value = _loads(text)
        except (ValueError, RecursionError) as error:
            raise ConfigInvalid(f"{shown} is not TOML: {error}.", hint="Correct or move it.") from error
        if not isinstance(value.get(section, {}), dict):
            raise ConfigInvalid(f"`{section}` in {shown} is no table.", hint="Correct it there.")
        return cls(text=text, value=value, section=section, shown=shown)

    @property
    def entries(self) -> Mapping[str, Any]:
        """The entries by name."""
        entries: Mapping[str, Any] = self.value.get(self.section, {})
        return entries

    def put(self, name: str, entry: Mapping[str, Any]) -> str:
        """Give the text with the entry's table at its end, or in the place of the one of its name.

        Raises:
            ConfigInvalid: The entries stand in an inline table, which cannot be added to.
        """
        entries = {**self.entries, name: dict(entry)}
        if name not in self.entries:
            return self._checked(self._appended(name, entry), entries)
        own = self._own(name)
        if not own or own[0].kind != "header":
            dropped = self.drop(name)
            return TomlDocument.parse(dropped, section=self.section, shown=self.shown).put(name, entry)
        table = new_toml(self.section, name, entry, newline=newline_of(self.text))
        if own[0].end == len(self.text) and not self.text.endswith("\n"):
            table = table.rstrip("\r\n")
        first = Splice(own[0].start, own[0].end, table)
        return self._checked(spliced(self.text, [first, *self._cuts(own[1:])]), entries)

    def drop(self, name: str) -> str:
        """Give the text without the tables and keys of this entry.

        Raises:
            ConfigInvalid: The entries stand in an inline table.
            KeyError: There is no such entry.
        """
        if name not in self.entries:
            raise KeyError(name)
        rest = {key: value for key, value in self.entries.items() if key != name}
        return self._checked(spliced(self.text, self._cuts(self._own(name))), rest)

    def _checked(self, text: str, entries: Mapping[str, Any]) -> str:
        """Read the result once more: it says what was meant, and of all else what it said before."""
        try:
            after = _loads(text)
        except tomllib.TOMLDecodeError:
            after = {}
        if {self.section: {}, **after} != {**self.value, self.section: dict(entries)}:
            if self._is_inline():
                raise ConfigInvalid(
                    f"`{self.section}` in {self.shown} is an inline table, which is not edited here.",
                    hint=f"Write its entries as [{self.section}.NAME] first, or edit it yourself.",
                )
            raise InternalError("An edit of TOML went wrong; it was not written.", hint="Please report it.")
        return text

    def _is_inline(self) -> bool:
        pairs = [one for one in self._expressions() if one.kind == "pair" and one.path[0] == self.section]
        return any(_is_closed(self.text[one.start : one.end], self.section) for one in pairs)

    def _appended(self, name: str, entry: Mapping[str, Any]) -> str:
        """Put a table at the end, after one empty line; a file that ends without a line break still does."""
        newline = newline_of(self.text)
        table = new_toml(self.section, name, entry, newline=newline)
        if not self.text:
            return table
        if self.text.endswith("\n"):
            return self.text + newline + table
        return self.text + newline * 2 + table.rstrip("\r\n")

    def _own(self, name: str) -> list[_Expression]:
        """Give what belongs to an entry: its tables, each to its last key, and its keys in tables of others."""
        own: list[_Expression] = []
        inside = False
        for one in self._expressions():
            mine = one.path[:2] == (self.section, name)
            if one.kind == "header":
                inside = mine
                own += [one] if mine else []
            elif one.kind == "pair" and inside:
                own[-1] = _Expression(kind="header", start=own[-1].start, end=one.end, path=own[-1].path)
            elif one.kind == "pair" and mine and not _is_closed(self.text[one.start : one.end], self.section):
                own.append(one)
        return own

    def _cuts(self, own: list[_Expression]) -> list[Splice]:
        """Give what takes these out: a table with the one empty line before it."""
        cuts = []
        for one in own:
            before = self.text[: one.start]
            if one.kind == "header" and before.endswith(("\n\n", "\n\r\n")):
                before = before.removesuffix("\n").removesuffix("\r")
            if one.end == len(self.text) and not self.text.endswith("\n"):
                before = before.removesuffix("\n").removesuffix("\r")
            cuts.append(Splice(len(before), one.end))
        return cuts

    def _expressions(self) -> Iterator[_Expression]:
        table: tuple[str, ...] = ()
        start = end = 0
        for line in _LINE.findall(self.text):
            end += len(line)
            source = self.text[start:end]
            try:
                path = _path(_loads(source))
            except tomllib.TOMLDecodeError:
                continue
            kind = _kind(source)
            if kind == "header":
                table = path
            full = table if kind == "header" else (*table, *path)
            yield _Expression(kind=kind, start=start, end=end, path=full)
            start = end


def _loads(text: str) -> dict[str, Any]:
    # As text, NaN is like itself, and 1.0 stays what it was.
    return tomllib.loads(text, parse_float=str)


def _kind(source: str) -> _Kind:
    source = source.strip()
    if not source or source.startswith("#"):
        return "other"
    return "header" if source.startswith("[") else "pair"


def _path(value: Any) -> tuple[str, ...]:
    """Give the keys down a value as far as each table has only one."""
    if not isinstance(value, dict) or len(value) != 1:
        return ()
    [(key, inner)] = value.items()
    return (key, *_path(inner))


def _is_closed(source: str, section: str) -> bool:
    """Whether a pair gives the section as an inline table, so that no key can be added to it."""
    if section not in _loads(source):
        return False
    try:
        _loads(f"{source.rstrip()}\n{section}.{_PROBE} = 1\n")
    except tomllib.TOMLDecodeError:
        return True
    return False


def _value(value: Any) -> str:
    # What JSON writes for text without control characters, for whole numbers and for lists of them is TOML, too.
    return json.dumps(value, ensure_ascii=False)
