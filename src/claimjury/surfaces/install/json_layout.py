"""How a JSON file is laid out, so that what is put into it looks as its neighbours do."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from claimjury.surfaces.install.json_reading import JsonMember, JsonObject, ReadJson
from claimjury.surfaces.install.splices import newline_of

__all__ = ["JsonLayout"]

_COLON: Final = re.compile(r"[ \t]*:[ \t]*")
_UNIT: Final = "  "


@dataclass(frozen=True, slots=True)
class JsonLayout:
    """The layout of one file: line ends, indents, what stands around colons and commas."""

    read: ReadJson

    def member(self, held: JsonObject, key: str, value: Any) -> str:
        """Give a member as it would stand in this object."""
        return f"{json.dumps(key)}{self._colon}{self.value(held, value)}"

    def value(self, held: JsonObject, value: Any) -> str:
        """Give the value of a member of this object: on lines of its own with their indent, or all on one."""
        if not self.on_lines(held):
            return json.dumps(value, ensure_ascii=False, separators=(f",{self.gap(held)}", self._colon))
        text = json.dumps(value, ensure_ascii=False, indent=self._unit, separators=(",", self._colon))
        return text.replace("\n", self.line_start(held))

    def on_lines(self, held: JsonObject) -> bool:
        """Whether the members of an object stand on lines of their own; those of an empty one do if it or the file does."""
        if not held.members:
            inner = self.read.text[held.start : held.close]
            return "\n" in inner or held is self.read.top or self.on_lines(self.read.top)
        first = held.members[0]
        return self.own_indent(first) is not None and "\n" in self.read.text[held.start : first.start]

    def line_start(self, held: JsonObject) -> str:
        """Give the line break and the indent before a member of this object."""
        owns = [self.own_indent(member) for member in (*held.members[-1:], *held.members[:1])]
        known = [own for own in owns if own is not None]
        return self.newline + (known[0] if known else self._outer(held) + self._unit)

    def line_end(self, held: JsonObject) -> str:
        """Give the line break and the indent before the closing brace of this object."""
        return self.newline + self._outer(held)

    def own_indent(self, member: JsonMember) -> str | None:
        """Give the blanks before a member where nothing else stands before it on its line; else None."""
        before = self.read.text[self.read.text.rfind("\n", 0, member.start) + 1 : member.start]
        return None if before.strip(" \t") else before

    def comma_after(self, held: JsonObject, member: JsonMember) -> int:
        """Give where the comma after a member stands, -1 where there is none."""
        following = [other.start for other in held.members if other.start > member.start]
        return self.read.bare.find(",", member.end, min(following, default=held.close))

    def gap(self, held: JsonObject) -> str:
        """Give what stands between a comma and the next member, where all stand on one line."""
        for first, second in pairwise(held.members):
            between = self.read.text[self.comma_after(held, first) + 1 : second.start]
            if not between.strip(" \t"):
                return between
        return " " if self._colon.endswith((" ", "\t")) else ""

    @property
    def newline(self) -> str:
        """How lines end."""
        return newline_of(self.read.text)

    @property
    def _unit(self) -> str:
        """One step of indent: how much deeper than its object the first member on a line of its own stands."""
        for held in filter(None, (self.read.top, self.read.section)):
            if held.members and self.on_lines(held):
                own, outer = self.own_indent(held.members[0]) or "", self._outer(held)
                if own.startswith(outer):
                    return own[len(outer) :]
        return _UNIT

    @property
    def _colon(self) -> str:
        for member in self.read.top.members[:1]:
            between = self.read.text[member.key_end : member.value_start]
            if _COLON.fullmatch(between):
                return between
        return ": "

    def _outer(self, held: JsonObject) -> str:
        """Give the indent of the line on which an object begins."""
        line = self.read.text[self.read.text.rfind("\n", 0, held.start) + 1 :].split("\n", 1)[0]
        return line[: len(line) - len(line.lstrip(" \t"))]
