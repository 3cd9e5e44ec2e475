"""Claims: what is to be judged, read strictly, so that the author's reasoning cannot ride along."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from claimjury.errors import InvalidRequest, SourceNotFound
from claimjury.text import clean_line, clip
from claimjury.values import Value

__all__ = [
    "MAX_CLAIMS",
    "MAX_ID",
    "MAX_STATEMENT",
    "Claim",
    "load_claims_file",
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
    if isinstance(items, (str, Mapping, Claim)):
        items = [items]
    drafts = [_draft(item, position) for position, item in enumerate(items, start=1)]
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


def read_claims(path: Path | None, text: str) -> list[Mapping[str, Any] | str]:
    """Give the raw items of a claims file: a JSON array, JSON lines or a Markdown list.

    The form follows the suffix (`.json`, `.jsonl`, `.md`); with another suffix or none (standard input) it
    follows the text: `[` begins JSON, `{` begins JSON lines, all else is a Markdown list.

    Raises:
        InvalidRequest: The text is not of its form; the line or the position is named.
    """
    text = text.removeprefix("\ufeff")
    name = "standard input" if path is None else clean_line(str(path))
    match _form(path, text):
        case "json":
            return _from_json(text, name)
        case "jsonl":
            return _from_jsonl(text, name)
        case _:
            return _from_markdown(text, name)


def load_claims_file(path: Path) -> list[Mapping[str, Any] | str]:
    """Give the raw items of the claims file at `path`.

    Raises:
        SourceNotFound: There is no such file, or it cannot be read.
        InvalidRequest: It is not UTF-8, or not of its form.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRequest(
            f"{clean_line(str(path))} is not UTF-8 (byte {error.start}).",
            hint="Save the claims file as UTF-8.",
        ) from error
    except (OSError, ValueError) as error:
        raise SourceNotFound(
            f"The claims file {clean_line(str(path))} cannot be read: {getattr(error, 'strerror', error)}.",
            hint="Check the path, or use --claim TEXT.",
        ) from error
    return read_claims(path, text)


def _form(path: Path | None, text: str) -> str:
    suffix = "" if path is None else path.suffix.lower()
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
        items = json.loads(text)
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
            items.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise InvalidRequest(
                f"{name}, line {number} is not JSON: {error}.", hint="JSON lines hold one claim a line."
            ) from error
    return items


def _from_markdown(text: str, name: str) -> list[Mapping[str, Any] | str]:
    """Read list items; an indented line below one goes on with it; headings and blank lines part them."""
    items: list[str] = []
    open_item = False
    for number, line in enumerate(text.split("\n"), start=1):
        item = _LIST_ITEM.match(line)
        if item and not item["indent"]:
            items.append(item["text"].strip())
            open_item = True
        elif not line.strip() or line.startswith("#"):
            open_item = False
        elif open_item and line[0] in " \t" and not item:
            items[-1] = f"{items[-1]} {line.strip()}"
        else:
            raise InvalidRequest(
                f"{name}, line {number} is not a list item: {clip(clean_line(line), 60)!r}.",
                hint="A claims list has one `- claim` a line; indent a line that goes on with the one above.",
            )
    return list(items)


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
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise InvalidRequest(
            f"{what} holds half of a surrogate pair.", hint="Save the claims as valid UTF-8."
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
