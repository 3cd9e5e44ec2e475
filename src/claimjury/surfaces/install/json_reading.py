"""JSON, plain and with comments, read for its positions: where keys, values and comments stand in the text of a file.

The parser is the standard library's. Comments, and a comma before a closing bracket, are overwritten by as many
blanks first, so that what `JSONDecoder.raw_decode` says of positions holds in the text as it stands. It is as strict as
the hosts are: VS Code's `jsonc-parser` reads comments and trailing commas, while Claude Code lost a whole
`~/.claude.json` that held a comment (anthropics/claude-code#69354).

Other parsers were tried: tree-sitter's grammar for JSON knows no trailing commas, and its recovery lost the place in one
of seven generated files; json-five takes all of JSON5, which no host does, and a second for each megabyte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from claimjury.errors import ConfigInvalid
from claimjury.surfaces.install.splices import Splice, spliced

__all__ = ["JsonMember", "JsonObject", "ReadJson", "read_json"]

_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_COMMENT: Final = re.compile(rf"{_STRING}|(//[^\r\n]*|/\*.*?\*/)", re.DOTALL)
_TRAILING: Final = re.compile(rf"{_STRING}|(,)(?=[ \t\r\n]*[}}\]])", re.DOTALL)
_BLANK: Final = " \t\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonMember:
    """One member of an object: where its key and its value begin and end, and what they say."""

    key: str
    start: int
    key_end: int
    value_start: int
    end: int
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonObject:
    """One object: where its braces stand, and its members in order."""

    start: int
    close: int
    members: tuple[JsonMember, ...]

    def named(self, key: str) -> JsonMember | None:
        """Give the member of this key."""
        return next((member for member in self.members if member.key == key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadJson:
    """A file's text and what stands where in it.

    Attributes:
        text: What the file holds, without a byte-order mark.
        value: What it says.
        bare: The text with its comments blanked.
        comments: Where comments begin, and where each ends.
        top: The object at the top.
        section: The object of the section; None where the top has no such key.
    """

    text: str
    value: Mapping[str, Any]
    bare: str
    comments: Mapping[int, int]
    top: JsonObject
    section: JsonObject | None


def read_json(text: str, *, section: str, shown: str, comments: bool) -> ReadJson:
    """Parse the text of a file.

    Args:
        text: Without a byte-order mark.
        section: The key, at the top, of the object that holds the entries.
        shown: The file's name, for messages.
        comments: Whether the host reads comments and trailing commas.

    Raises:
        ConfigInvalid: It is not what the host reads, its top or its section is no object, or a key that matters
            here comes twice.
    """
    spans = {match.start(1): match.end(1) for match in _COMMENT.finditer(text) if match[1]}
    bare = spliced(text, (Splice(at, end, _blanked(text[at:end])) for at, end in spans.items()))
    plain = _without_trailing(bare)
    value = _decoded(plain, shown)
    if not comments and plain != text:
        raise ConfigInvalid(
            f"{shown} holds comments or trailing commas, which its host does not read.",
            hint="Take them out first.",
        )
    if not isinstance(value, dict):
        raise ConfigInvalid(f"{shown} holds no object at its top.", hint="Correct or move it.")
    top = _object(plain, _skip(plain, 0))
    _refuse_twice(top, section, shown)
    member = top.named(section)
    held = None if member is None else _section(plain, member, shown)
    return ReadJson(text=text, value=value, bare=bare, comments=spans, top=top, section=held)


def _section(plain: str, member: JsonMember, shown: str) -> JsonObject:
    if not isinstance(member.value, dict):
        raise ConfigInvalid(f"`{member.key}` in {shown} is no object.", hint="Correct it there.")
    held = _object(plain, member.value_start)
    for entry in held.members:
        _refuse_twice(held, entry.key, shown)
    return held


def _refuse_twice(held: JsonObject, key: str, shown: str) -> None:
    """Refuse an object in which a key comes twice: which one counts is up to whoever reads it."""
    if [member.key for member in held.members].count(key) > 1:
        raise ConfigInvalid(f"{shown} has the key {json.dumps(key)} twice.", hint="Keep one of the two.")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant)


def _decoded(plain: str, shown: str) -> Any:
    try:
        return _DECODER.decode(plain)
    except json.JSONDecodeError as error:
        where = f"{error.msg} (line {error.lineno}, column {error.colno})" if plain.strip() else "it is empty"
        raise ConfigInvalid(f"{shown} is not JSON: {where}.", hint="Correct or move it.") from error
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits, a constant like NaN, brackets nested without end.
        raise ConfigInvalid(f"{shown} cannot be read: {error}.", hint="Correct or move it.") from error


def _blanked(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)


def _without_trailing(bare: str) -> str:
    """Blank the commas before closing brackets, but for those that follow no value."""
    commas = [match.start(1) for match in _TRAILING.finditer(bare) if match[1]]
    return spliced(bare, (Splice(at, at + 1, " ") for at in commas if _before(bare, at) not in "{[,"))


def _before(bare: str, at: int) -> str:
    """Give the last character before `at` that is no blank."""
    at -= 1
    while at > 0 and bare[at] in _BLANK:
        at -= 1
    return bare[at : at + 1]


def _skip(plain: str, at: int) -> int:
    while plain[at] in _BLANK:
        at += 1
    return at


def _object(plain: str, start: int) -> JsonObject:
    """Read an object of a text that is known to be JSON."""
    members = []
    at = _skip(plain, start + 1)
    while plain[at] != "}":
        key, key_end = _DECODER.raw_decode(plain, at)
        value_start = _skip(plain, _skip(plain, key_end) + 1)
        value, end = _DECODER.raw_decode(plain, value_start)
        members.append(
            JsonMember(key=key, start=at, key_end=key_end, value_start=value_start, end=end, value=value)
        )
        at = _skip(plain, end)
        at = _skip(plain, at + 1) if plain[at] == "," else at
    return JsonObject(start=start, close=at, members=tuple(members))
