"""JSON, plain and with comments: one entry is put in, replaced or taken out by splices, and nothing else moves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from claimjury.errors import InternalError
from claimjury.surfaces.install.json_layout import JsonLayout
from claimjury.surfaces.install.json_reading import JsonMember, JsonObject, ReadJson, read_json
from claimjury.surfaces.install.splices import Splice, spliced

__all__ = ["JsonDocument", "new_json"]


def new_json(section: str, name: str, entry: Mapping[str, Any] | list[Any]) -> str:
    """Give the whole text of a file that holds one entry."""
    return json.dumps({section: {name: entry}}, ensure_ascii=False, indent=2) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonDocument:
    """A host's JSON file.

    Attributes:
        read: What stands where in it.
        layout: How it is laid out.
        section: The key of the object that holds the entries.
        comments: Whether the host reads comments and trailing commas.
    """

    read: ReadJson
    layout: JsonLayout
    section: str
    comments: bool

    @classmethod
    def parse(cls, text: str, *, section: str, shown: str, comments: bool) -> JsonDocument:
        """Parse the text of a file; the arguments and what is refused are those of `read_json`."""
        read = read_json(text, section=section, shown=shown, comments=comments)
        return cls(read=read, layout=JsonLayout(read), section=section, comments=comments)

    @property
    def entries(self) -> Mapping[str, Any]:
        """The entries by name; none where there is no section."""
        entries: Mapping[str, Any] = self.read.value.get(self.section, {})
        return entries

    def put(self, name: str, entry: Mapping[str, Any] | list[Any]) -> str:
        """Give the text with the entry at the end of its section, or in the place of the one of its name."""
        held, value = self.read.section, entry if isinstance(entry, list) else dict(entry)
        if held is None:
            splices = self._added(self.read.top, self.section, {name: value})
        elif (old := held.named(name)) is not None:
            splices = [Splice(old.value_start, old.end, self.layout.value(held, value))]
        else:
            splices = self._added(held, name, value)
        return self._checked(splices, {**self.entries, name: value})

    def drop(self, name: str) -> str:
        """Give the text without the entry of this name. Its section stays, empty if need be.

        Raises:
            KeyError: There is none.
        """
        held = self.read.section
        if held is None or (member := held.named(name)) is None:
            raise KeyError(name)
        rest = {key: value for key, value in self.entries.items() if key != name}
        return self._checked(self._removed(held, member), rest)

    def _checked(self, splices: list[Splice], entries: Mapping[str, Any]) -> str:
        """Make the edit and read it once more: it says what was meant, and of all else what it said before."""
        text = spliced(self.read.text, splices)
        after = read_json(text, section=self.section, shown="The result", comments=self.comments)
        if after.value != {**self.read.value, self.section: dict(entries)}:
            raise InternalError("An edit of JSON went wrong; it was not written.", hint="Please report it.")
        return text

    def _added(self, held: JsonObject, key: str, value: Any) -> list[Splice]:
        """Give what puts a member at the end of an object."""
        member = self.layout.member(held, key, value)
        if not held.members:
            return [self._filled(held, member)]
        last = held.members[-1]
        comma = self.layout.comma_after(held, last)
        at = last.end if comma < 0 else comma + 1
        if self.layout.on_lines(held):
            # A comment on the line of the last member is about that one.
            at, lead = self._after_comments(at), self.layout.line_start(held)
        else:
            lead = self.layout.gap(held)
        if comma < 0:
            return [Splice(last.end, last.end, ","), Splice(at, at, lead + member)]
        return [Splice(at, at, f"{lead}{member},")]

    def _filled(self, held: JsonObject, member: str) -> Splice:
        """Give what puts the first member into an object, after the comments that it holds."""
        ends = [end for at, end in self.read.comments.items() if held.start < at < held.close]
        at = max(ends, default=held.start + 1)
        if not self.layout.on_lines(held):
            return Splice(at, at, f"{self.layout.gap(held) if ends else ''}{member}")
        put = self.layout.line_start(held) + member
        if "\n" in self.read.text[at : held.close]:
            return Splice(at, at, put)
        return Splice(at, held.close, put + self.layout.line_end(held))

    def _removed(self, held: JsonObject, member: JsonMember) -> list[Splice]:
        """Give what takes a member out, with one comma and, where it stands alone on its lines, with those."""
        index, comma = held.members.index(member), self.layout.comma_after(held, member)
        start, end, stop = self._stretch(held, member, member.end if comma < 0 else comma + 1)
        cut = [Splice(start, member.end), Splice(end, stop)]
        if comma >= 0:
            cut.insert(1, Splice(comma, comma + 1))
        elif index > 0:
            before = self.layout.comma_after(held, held.members[index - 1])
            cut.insert(0, Splice(before, before + 1))
        elif (start, self.read.text[stop : held.close]) == (held.start + 1, self.layout.line_end(held)):
            # An object that was empty before is as it was.
            return [Splice(start, held.close)]
        return cut

    def _stretch(self, held: JsonObject, member: JsonMember, end: int) -> tuple[int, int, int]:
        """Give where the blanks before a member begin that go with it, where it ends, and the blanks after it."""
        text, first = self.read.text, member is held.members[0]
        if self.layout.own_indent(member) is None:
            if first and len(held.members) > 1:
                return member.start, end, self._on(end)
            return self._back(member.start), end, end
        line_end = text.find("\n", end)
        rest = text[end : line_end if line_end >= 0 else None].strip(" \t\r")
        start = text.rfind("\n", 0, member.start)
        start -= text[start - 1 : start] == "\r"
        # What follows on this line would become part of a comment that ends the line before.
        if not rest or (rest.startswith("}") and not self._ends_comment(start)):
            return start, end, end
        return member.start, end, self._on(end)

    def _ends_comment(self, at: int) -> bool:
        return any(
            end == at and self.read.text.startswith("//", begin) for begin, end in self.read.comments.items()
        )

    def _after_comments(self, at: int) -> int:
        while (start := self._on(at)) in self.read.comments:
            at = self.read.comments[start]
        return at

    def _on(self, at: int) -> int:
        while self.read.text[at] in " \t":
            at += 1
        return at

    def _back(self, at: int) -> int:
        while self.read.text[at - 1] in " \t":
            at -= 1
        return at
