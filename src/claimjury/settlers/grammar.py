"""All settlers' grammars as one: a statement is read whole, in one way only, or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from claimjury.settlers.outcome import Reading, Silent
from claimjury.settlers.words import Piece, pieces

if TYPE_CHECKING:
    from lark import Lark, Tree

__all__ = ["COMMON", "Grammar"]

_KINDS: Final = ("PATH", "NAME", "OPTION", "VERSION", "INT", "TEXT", "CHURN", "WORD")
_UNKNOWN: Final = "UNKNOWN"
COMMON: Final = r"""
_the: "the"
_pass: "all"? ("pass" | "passes" | "passed" | _is "passing" | "succeed" | "succeeds") _now? | _is "green"
_now: "now" | "still"
_change: "commit" | "change" | "changes" | "pr" | "patch" | "diff" | "branch" | "changeset" | "pull" "request"
_agent: ("this" | "the") _change | "i" | "we"
_here: ("in" | "by" | "with") ("this" | "the") _change
_be: "is" | "are" | "was" | "were" | ("has" | "have") "been" | ("is" | "are") "now"
_is: "is" _now?
_not_any_more: "any" "more" | "anymore" | "any" "longer"
_file_noun: ("source" | "test" | "config" | "configuration" | "script" | "markdown" | "log" | "lock")? "file" | "script" | "module" | "document"
_dir_noun: "directory" | "folder"
_new: "the" | "a" | "an" | ("a" | "the")? "new"
path: (_the? _file_noun)? PATH | _the? PATH "file" | _the? _file_noun (NAME | TEXT) | _the? NAME "file"
directory: _the? _dir_noun (PATH | NAME | TEXT) | _the? (PATH | NAME) _dir_noun
place: path | directory
name: NAME
number: INT
_paths: path ("," path)* ((",")? "and" path)?
_places: place ("," place)* ((",")? "and" place)?
_in_place: ("in" | "inside" | "within" | "under" | "of" | "from" | "to" | "into") place
_in_repo: ("in" | "inside" | "within" | "from") (_the ("repo" | "repository" | "tree" | "project" | "codebase" | "code" "base" | "source" "tree" | "work" "tree"))
"""


@dataclass(frozen=True, slots=True)
class _Cut:
    """A statement in the form that the parser takes."""

    pieces: tuple[Piece, ...]


class Grammar:
    """The rules of some settlers together with what they share."""

    def __init__(self, rules: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Take each settler's grammar with the names of its forms."""
        forms = [form for _, names in rules for form in names]
        texts = (text for text, _ in rules)
        self._text = "\n".join(
            [f"start: {' | '.join(forms)}", COMMON, *texts, f"%declare {' '.join(_KINDS)} {_UNKNOWN}\n"]
        )
        self._parser: Lark | None = None

    def read(self, statement: str) -> Reading | Silent:
        """Give the one complete reading of a statement, or why there is none."""
        from lark.exceptions import UnexpectedEOF, UnexpectedInput

        cut = _Cut(tuple(pieces(statement)))
        if not cut.pieces:
            return Silent(reason="It is empty.")
        self._parser = self._parser or _built(self._text)
        try:
            tree = self._parser.parse(cut)
        except UnexpectedEOF:
            return Silent(reason="No settler understands it: it ends too early.")
        except UnexpectedInput as error:
            return Silent(reason=_not_understood(cut.pieces, getattr(error, "token", None)))
        return _one_reading(tree)


@lru_cache(maxsize=4)
def _built(text: str) -> Lark:
    from lark import Lark

    return Lark(text, parser="earley", lexer=_lexer(), ambiguity="explicit")


def _lexer() -> Any:
    from lark import Token
    from lark.lexer import Lexer

    class Cutter(Lexer):
        """Gives words of the grammar as themselves, and other tokens by their form."""

        def __init__(self, conf: Any) -> None:
            self._words = {one.pattern.value: one.name for one in conf.terminals if one.pattern is not None}

        def lex(self, cut: Any, parser_state: Any = None) -> Iterator[Token]:  # noqa: ARG002
            for at, piece in enumerate(cut.pieces):
                kind = piece.kind
                if kind in ("WORD", "MARK"):
                    kind = self._words.get(piece.text, "WORD" if kind == "WORD" else _UNKNOWN)
                yield Token(kind, piece.text, start_pos=at, line=1, column=at, end_line=int(piece.quoted))

    return Cutter


def _not_understood(cut: Sequence[Piece], token: Any) -> str:
    at = getattr(token, "start_pos", None)
    words = " ".join(piece.text for piece in cut[at : at + 3]) if isinstance(at, int) else ""
    return f"No settler understands the whole of it{f', from {words!r} on' if words else ''}."


def _one_reading(tree: Tree[Any]) -> Reading | Silent:
    readings = list(dict.fromkeys(_key(reading) for reading in _readings(tree)))
    if len(readings) > 1:
        names = ", ".join(sorted({form for form, _ in readings}))
        return Silent(reason=f"It can be read in more than one way ({names}).")
    form, parts = readings[0]
    texts: dict[str, tuple[str, ...]] = {}
    for name, text, _ in parts:
        texts[name] = (*texts.get(name, ()), text)
    return Reading(form=form, parts=texts, quoted=frozenset(text for _, text, quoted in parts if quoted))


def _key(form: Tree[Any]) -> tuple[str, tuple[tuple[str, str, bool], ...]]:
    return str(form.data), tuple(_parts(form))


def _readings(tree: Tree[Any]) -> Iterator[Tree[Any]]:
    from lark.visitors import CollapseAmbiguities

    for whole in CollapseAmbiguities().transform(tree):
        yield whole.children[0]


def _parts(form: Tree[Any]) -> Iterator[tuple[str, str, bool]]:
    """Give the named parts of a form: its rules with one token, and its tokens, by name."""
    from lark import Tree

    for child in form.children:
        if isinstance(child, Tree):
            inner = list(_parts(child))
            name = str(child.data)
            if name == "place":
                yield from inner
            else:
                for _, text, quoted in inner:
                    yield name, text, quoted
        else:
            yield str(child.type).casefold(), str(child), bool(child.end_line)
