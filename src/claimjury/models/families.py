"""Families: the vendor lineage that trained a model, read from its id.

The map is `families.toml` beside this module, where each lineage that a name alone would get wrong has its source. No
catalogue names a vendor that can be trusted, so the id is all there is. An id that no row matches is `unknown`, which
counts as no family at all: nothing is guessed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Generic, TypeVar

__all__ = [
    "UNKNOWN",
    "Lineage",
    "author_family",
    "family_names",
    "family_of",
    "is_router",
    "known_families",
    "lineage_of",
]

UNKNOWN: Final = "unknown"

# A glued version: `qwen2.5vl`, `gemma3n`, Fireworks' `qwen2p5`. More than two letters are another name: `gpt4all`.
_GLUED: Final = r"(?:v?[0-9]+(?:[._p][0-9]+)*[a-z]{0,2})?"
# What `#` stands for. `13b` and `111m` are sizes: `cerebras-gpt-13b` is not of OpenAI's line.
_VERSION: Final = r"(?![0-9]+(?:\.[0-9]+)?[kmbt](?![^\W_]))[0-9]{1,2}(?:\.[0-9]+)*[a-z]{0,2}"
_BEFORE_WORD: Final = r"(?<![^\W_])"
_AFTER_WORD: Final = r"(?![^\W_])"
# Bedrock's inference profiles: `us.anthropic.claude-...`, `global.xai.grok-...`, `us-gov.anthropic...`.
_REGION: Final = re.compile(r"[a-z]{2,6}(?:-gov)?")
# OpenRouter takes `openai/gpt-4o@preset/slug`: the model is named, the preset adds settings.
_PRESET_BEHIND: Final = re.compile(r"(?<=[^/])@preset/.*")
_FINE_TUNE: Final = "ft"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where a model's training comes from.

    Attributes:
        family: The vendor of its base weights, which is the one that counts; `unknown` counts as none.
        kin: Every vendor whose training is in it, `family` included; empty where the family is unknown.
    """

    family: str
    kin: frozenset[str]

    def shares_with(self, other: Lineage) -> bool:
        """Whether some vendor's training is in both; then they are not independent."""
        return not self.kin.isdisjoint(other.kin)


_NOBODY: Final = Lineage(UNKNOWN, frozenset())


def family_of(model: str, own: Mapping[str, str] | None = None) -> str:
    """Give the family of a model id, or `unknown`; see `lineage_of`."""
    return lineage_of(model, own).family


def lineage_of(model: str, own: Mapping[str, str] | None = None) -> Lineage:
    """Give the lineage of a model id as any host writes it.

    Args:
        model: An id, like `glm-5.2:cloud`, `openrouter/z-ai/glm-5.2` or `hf.co/user/GLM-5.2-GGUF:Q4_K_M`.
        own: The user's extension: an id, or a whole-word prefix of ids, to its family. It wins over the map.
    """
    given = model.strip().casefold()
    parsed = _parsed(given)
    if own and (family := _owned(own, (given, parsed.name))):
        return _NOBODY if family == UNKNOWN else Lineage(family, frozenset((family,)))
    if _map().routers.search(parsed.path):
        return _NOBODY
    return _mapped(parsed)


def known_families(models: Iterable[str], own: Mapping[str, str] | None = None) -> list[str]:
    """Give the families among `models`; each once, by name; an unknown family adds none."""
    return sorted({family_of(model, own) for model in models} - {UNKNOWN})


def family_names() -> frozenset[str]:
    """Give every family that the map names."""
    return _map().families


def author_family(author: str, own: Mapping[str, str] | None = None) -> str | None:
    """Give the family of whoever wrote a text: named as a family (`openai`, `Claude`, `Z.ai`) or by a model id.

    Returns:
        The family, or None where `author` names none that is known.
    """
    named = author.strip().casefold()
    families = {_canonical(family) for family in (own or {}).values()} | family_names()
    family = _owned(own or {}, (named,)) or _canonical("-".join(named.split()))
    if family not in families:
        family = family_of(author, own)
    return None if family == UNKNOWN else family


def is_router(model: str) -> bool:
    """Whether an id does not say who answers: a router picks the model, one for each request or several at once."""
    return _map().routers.search(_parsed(model.strip().casefold()).path) is not None


@dataclass(frozen=True, slots=True)
class _Id:
    """An id, taken apart.

    Attributes:
        name: The model's own name, with its tag.
        path: What stands before the name, and the name without its tag, by `/`.
        organisation: The family of the publisher nearest to the name, if it is one that the map knows.
    """

    name: str
    path: str
    organisation: str | None


@dataclass(frozen=True, slots=True)
class _Derived:
    family: str | None
    kin: frozenset[str]


class _Rows(Generic[_T]):
    """Rows of the map as one pattern, so that an id is read once however many rows there are."""

    def __init__(self, rows: Mapping[str, _T]) -> None:
        longest_first = sorted(rows, key=lambda row: (-len(row), row))
        alternatives = "|".join(f"({_expression(row)})" for row in longest_first)
        self._pattern = re.compile(_BEFORE_WORD + (f"(?:{alternatives})" if rows else r"(?!)"))
        self._values = [(len(row), rows[row]) for row in longest_first]

    def at(self, text: str, start: int = 0) -> tuple[int, _T] | None:
        """Give the longest row at `start` of `text`: its length in characters, and what it stands for."""
        match = self._pattern.match(text, start)
        return None if match is None else self._values[(match.lastindex or 0) - 1]

    def within(self, text: str) -> Iterator[tuple[int, _T]]:
        """Give the rows anywhere in `text`, first to last; of two at one place, the longer."""
        for match in self._pattern.finditer(text):
            yield self._values[(match.lastindex or 0) - 1]


@dataclass(frozen=True, slots=True)
class _Map:
    families: frozenset[str]
    organisations: Mapping[str, str]
    aliases: Mapping[str, str]
    hosts: frozenset[str]
    starts: _Rows[str]
    words: _Rows[str]
    closed: _Rows[str]
    derived_starts: _Rows[_Derived]
    derived_words: _Rows[_Derived]
    prefix: re.Pattern[str]
    routers: re.Pattern[str]


@cache
def _map() -> _Map:
    data = tomllib.loads(resources.files(__package__).joinpath("families.toml").read_text(encoding="utf-8"))
    tables: dict[str, dict[str, list[str]]] = data["family"]
    closed = _by_family(tables, "closed")
    organisations = _by_family(tables, "organisations")
    hosts = frozenset(data["hosts"]["names"])
    return _Map(
        families=frozenset(tables),
        organisations=organisations,
        aliases=organisations | _by_family(tables, "aliases"),
        hosts=hosts,
        starts=_Rows(_by_family(tables, "starts") | closed),
        words=_Rows(_by_family(tables, "words")),
        closed=_Rows(closed),
        derived_starts=_Rows(_derived(data["derived"], "starts")),
        derived_words=_Rows(_derived(data["derived"], "words")),
        prefix=re.compile(f"({_any_of({*organisations, *hosts})})[-_.]"),
        routers=re.compile(f"(?:^|/)(?:{'|'.join(map(_router_expression, data['routers']['ids']))})$"),
    )


def _by_family(tables: Mapping[str, Mapping[str, list[str]]], key: str) -> dict[str, str]:
    return {row: family for family, table in tables.items() for row in table.get(key, ())}


def _derived(tables: Iterable[Mapping[str, Any]], key: str) -> dict[str, _Derived]:
    return {
        row: _Derived(table.get("family"), frozenset(table.get("kin", ())))
        for table in tables
        for row in table.get(key, ())
    }


def _any_of(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))


def _expression(row: str) -> str:
    return _spelled(row) + _end(row)


def _spelled(row: str) -> str:
    spelled = {"-": "[-_.]", "#": _VERSION}
    return "".join(spelled.get(char) or re.escape(char) for char in row)


def _end(row: str) -> str:
    """Give the pattern of what may follow a row for the row to stand there as a whole word."""
    if not row[-1].isalnum() and row[-1] != "#":
        return r"(?=[^\W_])"
    if row[-1].isdigit():
        return _AFTER_WORD + r"(?!\.[0-9])"
    return ("" if row[-1] == "#" else _GLUED) + _AFTER_WORD


def _router_expression(row: str) -> str:
    below = "/[^/]+" if row.endswith("/") else ""
    return _spelled(row.removesuffix("/")).replace("[-_.]", "[-_]") + below


def _parsed(given: str) -> _Id:
    """Take a folded id apart: hosts and publishers before the name, however a host joins them to it."""
    segments: list[str] = []
    for piece in _PRESET_BEHIND.sub("", given).split("/"):
        # OpenRouter's `~anthropic/claude-opus-latest` is the newest of a line.
        segments += _split_host(piece.removeprefix("~"))
    segments = [segment for segment in segments if segment] or [""]
    *before, name = [*segments[:-1], *_split_publisher(segments[-1])]
    bare = re.split(r"(?<=.)[:@]", name, maxsplit=1)[0]
    if _FINE_TUNE in before:
        # What follows is the user's organisation and suffix: `ft:gpt-4o-mini-2024-07-18:org::id`.
        name = bare
    known = _map().organisations
    organisation = next((known[segment] for segment in reversed(before) if segment in known), None)
    return _Id(name=name, path="/".join([*before, bare]), organisation=organisation)


def _split_host(piece: str) -> list[str]:
    """Part `host:model`; `mistral:7b` is a model and its tag, though Mistral is a host too."""
    known = _map()
    parts = piece.split(":")
    hosts = 0
    for part in parts[:-1]:
        listed = part in known.hosts or part in known.organisations
        if not listed or known.words.at(part) or known.starts.at(part):
            break
        hosts += 1
    return [*parts[:hosts], ":".join(parts[hosts:])]


def _split_publisher(name: str) -> list[str]:
    """Part Bedrock's `us.anthropic.claude-...` and a re-uploader's `zai-org_GLM-4.6-GGUF`."""
    known = _map().organisations
    for separator in "._":
        head, _, rest = name.partition(separator)
        if rest and head in known:
            return [head, rest]
    region, _, rest = name.partition(".")
    head, _, rest = rest.partition(".")
    if rest and head in known and _REGION.fullmatch(region):
        return [head, rest]
    return [name]


def _mapped(parsed: _Id) -> Lineage:
    known = _map()
    derived = _derived_row(parsed.name)
    if derived.family == UNKNOWN:
        return _NOBODY
    words = [family for _, family in known.words.within(parsed.name)]
    family = derived.family or next(iter(words), None) or _started(parsed.name) or parsed.organisation
    if family is None:
        return _NOBODY
    imitated = {closed for _, closed in known.closed.within(parsed.name)}
    return Lineage(family, frozenset((family, *words, *imitated)) | derived.kin)


def _derived_row(name: str) -> _Derived:
    """Give the longest derived row that matches; of two of one length, that of the name's beginning."""
    known = _map()
    rows = [row for start in _beginnings(name) if (row := known.derived_starts.at(name, start))]
    rows += known.derived_words.within(name)
    return max(rows, key=lambda row: row[0], default=(0, _Derived(None, frozenset())))[1]


def _started(name: str) -> str | None:
    """Give the family whose row begins the name, which may repeat its vendor or host: `openai-gpt-5.6-luna`."""
    known = _map()
    for start in _beginnings(name):
        row = known.starts.at(name, start)
        vendor = known.organisations.get(name[: start - 1]) if start else None
        if row and vendor in (None, row[1]):
            return row[1]
    return None


def _beginnings(name: str) -> list[int]:
    prefix = _map().prefix.match(name)
    return [0, prefix.end()] if prefix else [0]


def _owned(own: Mapping[str, str], spellings: tuple[str, ...]) -> str | None:
    """Give the family that the user's extension gives to one of `spellings`: an exact id first, then the longest prefix."""
    rows = {key.strip().casefold(): family for key, family in own.items() if key.strip()}
    exact = [spelling for spelling in spellings if spelling in rows]
    prefixes = sorted(rows, key=len, reverse=True)
    found = exact or [key for key in prefixes if any(_begins(key, spelling) for spelling in spellings)]
    return _canonical(rows[found[0]]) if found else None


def _begins(key: str, spelling: str) -> bool:
    return spelling.startswith(key) and re.compile(_end(key)).match(spelling, len(key)) is not None


def _canonical(family: str) -> str:
    folded = family.strip().casefold()
    return _map().aliases.get(folded, folded)
