"""Claims: what is to be judged, read strictly, so that the author's reasoning cannot ride along."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from claimjury.errors import InvalidRequest
from claimjury.text import clean_line, clip
from claimjury.values import Value

__all__ = [
    "MAX_CLAIMS",
    "MAX_ID",
    "MAX_STATEMENT",
    "Claim",
    "parse_claims",
    "read_claims",
]

MAX_CLAIMS: Final = 20
MAX_ID: Final = 64
"""Characters."""
MAX_STATEMENT: Final = 4_000
"""Characters."""
_STATEMENT_KEYS: Final = ("statement", "claim", "finding")
_LIST_ITEM: Final = re.compile(r"^(?P<indent>\s*)(?:[-*+]|\d+[.)])\s+(?P<text>.*)$")
_TASK_BOX: Final = re.compile(r"^\[[ xX]\](?:\s+|$)")
_ONLY_IDS: Final = "Keep only `id` and `statement`: a juror must not see the author's reasoning."


class Claim(Value):
    """One falsifiable statement.

    Attributes:
        id: 1 to 64 characters, unique in a run, trimmed, case-sensitive.
        statement: 1 to 4,000 characters.
    """

    id: str
    statement: str


def parse_claims(items: Iterable[Claim | Mapping[str, Any] | str]) -> tuple[Claim, ...]:
    """Give 1 to 20 claims from strings, mappings or `Claim` objects; ids are minted (`c1`, ...) where absent.

    Raises:
        InvalidRequest: An item cannot be used (its position is named), an id comes twice, there is no claim
            or there are more than 20.
    """
    drafts = [_draft(item, position) for position, item in enumerate(_listed(items), start=1)]
    if not drafts:
        raise InvalidRequest(
            "There is no claim to judge.", hint="Give at least one, for example --claim TEXT."
        )
    if len(drafts) > MAX_CLAIMS:
        raise InvalidRequest(
            f"There are {len(drafts)} claims; a run takes at most {MAX_CLAIMS}.",
            hint=f"Split them into runs of {MAX_CLAIMS}: none is dropped for you.",
        )
    return _with_ids(drafts)


def _listed(items: object) -> Iterable[object]:
    if isinstance(items, (str, Mapping, Claim)):
        return [items]
    if isinstance(items, (bytes, bytearray)) or not isinstance(items, Iterable):
        raise InvalidRequest(
            f"The claims are a {type(items).__name__}, not a list.",
            hint='Give a list of strings, or of {"statement": "..."}.',
        )
    return items


def read_claims(path: Path | None, text: str) -> list[Mapping[str, Any] | str]:
    """Give the raw items of a claims file: a JSON array, JSON lines or a Markdown list.

    The form follows the suffix (`.json`, `.jsonl`, `.md`); with another suffix or none (standard input) it
    follows the text: `[` begins JSON, `{` begins JSON lines, all else is a Markdown list.

    Raises:
        InvalidRequest: The text is not of its form (the line or the position is named), or holds no claim.
    """
    text = text.removeprefix("\ufeff")
    name = "standard input" if path is None else clean_line(str(path))
    items = _READERS[_form(path, text, name)](text, name) if text.strip() else []
    if not items:
        raise InvalidRequest(
            f"{name} holds no claim.", hint="Write one a line, like `- The fix handles an empty list.`"
        )
    return items


def _form(path: Path | None, text: str, name: str) -> str:
    suffix = "" if path is None else path.suffix.lower()
    if suffix in (".yaml", ".yml"):
        raise InvalidRequest(
            f"{name} is YAML, which claims are not read from.",
            hint="Use a JSON array, JSON lines, or a Markdown list with one `- claim` a line.",
        )
    if suffix in (".json", ".jsonl"):
        return suffix[1:]
    if suffix == ".ndjson":
        return "jsonl"
    if suffix in (".md", ".markdown"):
        return "markdown"
    first = text.lstrip()[:1]
    return {"[": "json", "{": "jsonl"}.get(first, "markdown")


def _from_json(text: str, name: str) -> list[Mapping[str, Any] | str]:
    try:
        items = json.loads(text, object_pairs_hook=_unique(name))
    except (ValueError, RecursionError) as error:
        raise InvalidRequest(
            f"{name} is not JSON: {error}.",
            hint='It must be an array, like ["The fix handles an empty list."].',
        ) from error
    if not isinstance(items, list):
        raise InvalidRequest(
            f"{name} holds a JSON {_kind(items)}, not an array of claims.",
            hint='Wrap it: [{"statement": "..."}].',
        )
    return items


def _from_jsonl(text: str, name: str) -> list[Mapping[str, Any] | str]:
    items: list[Mapping[str, Any] | str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            items.append(json.loads(line, object_pairs_hook=_unique(f"{name}, line {number}")))
        except (ValueError, RecursionError) as error:
            raise InvalidRequest(
                f"{name}, line {number} is not JSON: {error}.", hint="JSON lines hold one claim a line."
            ) from error
    return items


def _unique(where: str) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """Give a hook that refuses a key which comes twice: Python would take the last, another reader the first."""

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for key, value in pairs:
            if key in fields:
                shown = clip(clean_line(key), 40)
                raise InvalidRequest(
                    f"{where} has an object that gives {shown!r} twice.", hint="Keep one of them."
                )
            fields[key] = value
        return fields

    return build


def _from_markdown(text: str, name: str) -> list[Mapping[str, Any] | str]:
    """Read list items; an indented line below one goes on with it; headings and blank lines part them."""
    items: list[str] = []
    open_item = False
    for number, line in enumerate(text.split("\n"), start=1):
        item = _LIST_ITEM.match(line)
        if item and not item["indent"]:
            items.append(_TASK_BOX.sub("", item["text"].strip(), count=1))
            open_item = True
        elif not line.strip() or line.startswith("#"):
            open_item = False
        elif open_item and line[0] in " \t" and not item:
            items[-1] = f"{items[-1]} {line.strip()}"
        elif item:
            raise InvalidRequest(
                f"{name}, line {number} is a nested list item: {clip(clean_line(line), 60)!r}.",
                hint="Claims are one level: state each by itself, its `-` at the start of the line.",
            )
        else:
            raise InvalidRequest(
                f"{name}, line {number} is not a list item: {clip(clean_line(line), 60)!r}.",
                hint="A claims list has one `- claim` a line; indent a line that goes on with the one above.",
            )
    return list(items)


_READERS: Final[Mapping[str, Callable[[str, str], list[Mapping[str, Any] | str]]]] = {
    "json": _from_json,
    "jsonl": _from_jsonl,
    "markdown": _from_markdown,
}


def _draft(item: object, position: int) -> tuple[str | None, str]:
    """Give the id (where there is one) and the statement of one item."""
    where = f"Claim {position}"
    if isinstance(item, Claim):
        return _checked_id(item.id, where), _checked_statement(item.statement, where)
    if isinstance(item, str):
        return None, _checked_statement(item, where)
    if not isinstance(item, Mapping):
        raise InvalidRequest(
            f"{where} is a JSON {_kind(item)}, not a string or an object.", hint='Use {"statement": "..."}.'
        )
    given = [key for key in _STATEMENT_KEYS if key in item]
    extra = [key for key in item if key not in (*_STATEMENT_KEYS, "id")]
    if extra:
        names = ", ".join(repr(clip(clean_line(str(key)), 40)) for key in extra)
        raise InvalidRequest(f"{where} has the unknown field {names}.", hint=_ONLY_IDS)
    if len(given) != 1:
        found = "none of them" if not given else " and ".join(given)
        raise InvalidRequest(
            f"{where} must have exactly one of `statement`, `claim`, `finding`; it has {found}.",
            hint='Use {"statement": "..."}.',
        )
    ident = None if item.get("id") is None else _checked_id(item["id"], where)
    return ident, _checked_statement(item[given[0]], where)


def _checked_id(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise InvalidRequest(f"{where} has an id that is a JSON {_kind(value)}.", hint='Quote it: "id": "7".')
    ident = value.strip()
    if not 1 <= len(ident) <= MAX_ID:
        raise InvalidRequest(
            f"{where} has an id of {len(ident)} characters; 1 to {MAX_ID} are allowed.",
            hint="Shorten the id.",
        )
    _refuse_surrogates(ident, f"{where} has an id that")
    return ident


def _checked_statement(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise InvalidRequest(
            f"{where} has a statement that is a JSON {_kind(value)}.", hint="It must be a string."
        )
    statement = value.strip()
    if not statement:
        raise InvalidRequest(f"{where} is empty.", hint="State what should be true, in one sentence.")
    if len(statement) > MAX_STATEMENT:
        raise InvalidRequest(
            f"{where} has {len(statement):,} characters; at most {MAX_STATEMENT:,} are allowed.",
            hint="State one thing; put the proof into --source or --reference.",
        )
    _refuse_surrogates(statement, where)
    return statement


def _refuse_surrogates(text: str, what: str) -> None:
    found = next((char for char in text if "\ud800" <= char <= "\udfff"), None)
    if found is not None:
        # Python gives a byte of the command line that the locale cannot decode as one of these (PEP 383).
        by_locale = "\udc80" <= found <= "\udcff"
        raise InvalidRequest(
            f"{what} holds half of a surrogate pair.",
            hint="If it was typed, the terminal's locale (LC_ALL, LANG) is not UTF-8: set one that is, or give "
            "the claims in a UTF-8 file."
            if by_locale
            else "Save the claims as valid UTF-8.",
        )


def _with_ids(drafts: Sequence[tuple[str | None, str]]) -> tuple[Claim, ...]:
    taken: dict[str, int] = {}
    for position, (ident, _) in enumerate(drafts, start=1):
        if ident is None:
            continue
        if ident in taken:
            raise InvalidRequest(
                f"Claims {taken[ident]} and {position} have the same id {clean_line(ident)!r}.",
                hint="Ids must be unique in a run; leave them out and c1, c2, ... are given.",
            )
        taken[ident] = position
    claims: list[Claim] = []
    for position, (ident, statement) in enumerate(drafts, start=1):
        claims.append(Claim(id=ident or _mint(position, taken), statement=statement))
    return tuple(claims)


def _mint(position: int, taken: dict[str, int]) -> str:
    number = position
    while f"c{number}" in taken:
        number += 1
    taken[f"c{number}"] = position
    return f"c{number}"


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case int() | float():
            return "number"
        case Mapping():
            return "object"
        case _:
            return "array" if isinstance(value, Sequence) else type(value).__name__
