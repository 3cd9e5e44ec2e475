"""A change to a host's file: what it would be, shown before it is made, and made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from claimjury.surfaces.install.diffs import unified_diff
from claimjury.surfaces.install.files import Found, find_file, write_found
from claimjury.surfaces.install.hosts import Host, Scope
from claimjury.surfaces.install.json_text import JsonDocument, new_json
from claimjury.surfaces.install.toml_text import TomlDocument, new_toml

__all__ = ["Action", "Change", "file_text", "plan_change"]

Action = Literal["add", "replace", "remove", "none"]
_SECRET_MAPS: Final = ("env", "headers", "http_headers")
_MIN_SECRET: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What would be done to a host's file.

    Attributes:
        action: What; `none` where all is as it should be.
        found: The file, as it is.
        after: What it would hold.
        old: The entry that stands there now.
    """

    action: Action
    found: Found
    after: str
    old: Any = None

    @property
    def diff(self) -> list[str]:
        """The change, line by line, with what an old entry says of its environment hidden."""
        if self.action == "none":
            return []
        before = None if self.found.data is None else self.found.text
        return unified_diff(before, self.after, str(self.found.path), hidden=tuple(_secrets(self.old)))

    def make(self) -> None:
        """Write it; the errors are those of `write_found`."""
        if self.action != "none":
            write_found(self.found, self.found.encoded(self.after))


def plan_change(
    host: Host, path: Path, name: str, entry: Mapping[str, Any] | None, *, scope: Scope
) -> Change:
    """Read a host's file and say what would be done to it.

    Args:
        host: The host.
        path: Its file.
        name: The name of the entry.
        entry: What it is to be; None to take it out.
        scope: Whose file it is: one of a user is made for that user alone.

    Raises:
        ConfigInvalid: The file is not what the host reads, or cannot be edited without a guess.
        InvalidRequest: It cannot be read or written.
    """
    found = find_file(path, private=scope == "user")
    if found.data is None:
        after = "" if entry is None else file_text(host, name, entry)
        return Change(action="none" if entry is None else "add", found=found, after=after)
    document = _parsed(host, found)
    old = document.entries.get(name)
    present = name in document.entries
    if entry is None:
        after = document.drop(name) if present else found.text
        return Change(action="remove" if present else "none", found=found, after=after, old=old)
    if present and old == entry:
        return Change(action="none", found=found, after=found.text, old=old)
    action: Action = "replace" if present else "add"
    return Change(action=action, found=found, after=document.put(name, entry), old=old)


def file_text(host: Host, name: str, entry: Mapping[str, Any]) -> str:
    """Give the whole text of a host's file that holds this entry alone."""
    if host.form == "toml":
        return new_toml(host.section, name, entry)
    return new_json(host.section, name, entry)


def _parsed(host: Host, found: Found) -> JsonDocument | TomlDocument:
    if host.form == "toml":
        return TomlDocument.parse(found.text, section=host.section, shown=found.shown)
    return JsonDocument.parse(
        found.text, section=host.section, shown=found.shown, comments=host.form == "jsonc"
    )


def _secrets(old: Any) -> Iterator[str]:
    """Give what may be a key in an old entry, as it stands in the file: what it puts into an environment or a header."""
    for name in _SECRET_MAPS:
        values = old.get(name) if isinstance(old, dict) else None
        for value in values.values() if isinstance(values, dict) else ():
            if isinstance(value, str) and len(value) >= _MIN_SECRET and not value.startswith("$"):
                yield value
                yield json.dumps(value)[1:-1]
                yield json.dumps(value, ensure_ascii=False)[1:-1]
