"""All settlers' grammars as one: a statement is read whole, in one way only, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from claimjury.settlers.outcome import Reading, Silent
from claimjury.settlers.words import Piece, pieces

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

__all__ = ["COMMON", "Grammar", "Shapes"]

_KINDS: Final = ("PATH", "NAME", "OPTION", "VERSION", "INT", "TEXT", "CHURN", "WORD")
_UNKNOWN: Final = "UNKNOWN_FORM"
_OF_KIND: Final = "OF_KIND_"
_AGENTLESS: Final = re.compile(r"_agent\? \(([^()]*)\)")
_GROUP: Final = re.compile(r"\(([^()]*)\)")
_LEFT_OUT: Final = re.compile(r"(\b[a-z_]+|\"[a-z-]+\")\?")
_KIND: Final = re.compile(rf"\b({'|'.join(_KINDS)})\b")
_Part = tuple[str, str, bool]
_Parts = tuple[_Part, ...]
_Place = tuple[str, int | None]
_Places = tuple[_Place, ...]
Shapes = dict[tuple[str, tuple[str, ...]], tuple[list[_Places], int]]
"""What forms make of kinds of tokens, whatever the tokens are: the readings, and where one ended without any."""
_IN_WORDS: Final = {
    word: str(number)
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 2
    )
}
"""Counts alone are said in words. "One" is not among them: it may be one of several."""
COMMON: Final = r"""
_the: "the"
_pass: "all"? ("pass" | "passes" | "passed" | _is "passing" | "succeed" | "succeeds") _now? | _is "green"
_now: turned | still
!turned: "now"
!still: "still"
!longer: "longer"
!any_more: "any" "more" | "anymore" | "any" "longer"
_change: one_commit | published | "change" | "changes" | "diff"
!one_commit: "commit" | "patch"
!published: "pr" | "branch" | "changeset" | "pull" "request"
_agent: ("this" | "the") _change | "i" | "we"
_here: ("in" | "by" | "with") ("this" | "the") _change
_be: "was" | "were" | ("has" | "have") "been"
_there_is: "there" ("is" | "are") _now?
_is: "is" _now?
_not_any_more: any_more
_file_noun: ("source" | "test" | "config" | "configuration" | "script" | "markdown" | "log" | "lock")? "file" | "script" | "module" | "document"
_dir_noun: "directory" | "folder"
_new: "the" | "a" | "an" | ("a" | "the")? "new"
!known_file: "readme" | "changelog"
path: _the? known_file | (_the? _file_noun)? PATH | _the PATH | _the? PATH "file" | _the? _file_noun (NAME | TEXT) | _the? NAME "file"
directory: _the? _dir_noun (PATH | NAME | TEXT) | _the? (PATH | NAME) _dir_noun
place: path | directory
name: NAME
!number: INT | "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten" | "eleven" | "twelve"
_paths: path ("," path)* ((",")? "and" path)?
_places: place ("," place)* ((",")? "and" place)?
_in_repo: in_repo
in_repo: ("in" | "inside" | "within" | "from") (_the ("repo" | "repository" | "tree" | "project" | "codebase" | "code" "base" | "source" "tree" | "work" "tree"))
"""


class Grammar:
    """The rules of some settlers together with what they share."""

    def __init__(self, rules: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Take each settler's grammar with the names of its forms."""
        self._forms = tuple(form for _, names in rules for form in names)
        text = "\n".join([COMMON, *(text for text, _ in rules), f"%declare {' '.join(_KINDS)} {_UNKNOWN}\n"])
        # A word in quotes gives its terminal its own name in capitals: `"option"` would be taken for OPTION.
        self._text = _unfolded(_KIND.sub(rf"{_OF_KIND}\1", _AGENTLESS.sub(_with_agent, text)))

    def read(self, statement: str, shapes: Shapes | None = None) -> Reading | Silent:
        """Give the one complete reading of a statement, or why there is none.

        Args:
            statement: It.
            shapes: What came of statements before: one of the same kinds of tokens is parsed once.
        """
        cut = tuple(pieces(statement))
        if not cut:
            return Silent(reason="It is empty.")
        parser = _built(self._text, self._forms)
        kinds = parser.kinds(cut)
        forms, at = parser.candidates(kinds)
        shapes = {} if shapes is None else shapes
        readings: list[tuple[str, _Parts]] = []
        for form in forms:
            if (form, kinds) not in shapes:
                shapes[form, kinds] = parser.parse(form, kinds)
            found, failed = shapes[form, kinds]
            readings += [(form, _told(places, cut)) for places in found]
            at = max(at, failed)
        return _only(list(dict.fromkeys(readings)), cut, at)


class _Parser:
    """Lark, asked for one form at a time, and only for those whose words a statement is made of."""

    def __init__(self, text: str, forms: Sequence[str]) -> None:
        from lark import Lark

        self._lark = Lark(text, parser="earley", lexer=_lexer(), ambiguity="explicit", start=list(forms))
        self._words = {one.pattern.value: one.name for one in self._lark.terminals}
        self._alphabets = _alphabets(self._lark, forms)

    def kinds(self, cut: Sequence[Piece]) -> tuple[str, ...]:
        """Give words of the grammar as themselves, and other tokens by their form."""
        return tuple(map(self._name, cut))

    def _name(self, piece: Piece) -> str:
        if piece.kind == "MARK":
            return self._words.get(piece.text, _UNKNOWN)
        form = f"{_OF_KIND}{piece.kind}"
        return self._words.get(piece.text, form) if piece.kind == "WORD" else form

    def candidates(self, kinds: Sequence[str]) -> tuple[list[str], int]:
        """Give the forms that know every token, and where the last of them was lost."""
        left = list(self._alphabets)
        for at, kind in enumerate(kinds):
            knowing = [form for form in left if kind in self._alphabets[form]]
            if not knowing:
                return [], at
            left = knowing
        return left, 0

    def parse(self, form: str, kinds: Sequence[str]) -> tuple[list[_Places], int]:
        """Give the readings of one form, by the places of their tokens, and where it ended without one."""
        from lark import Token
        from lark.exceptions import UnexpectedEOF, UnexpectedInput
        from lark.visitors import CollapseAmbiguities

        tokens = [Token(kind, kind, start_pos=at, line=1, column=at) for at, kind in enumerate(kinds)]
        try:
            tree = self._lark.parse(tokens, start=form)
        except UnexpectedEOF:
            return [], len(tokens)
        except UnexpectedInput as error:
            return [], getattr(getattr(error, "token", None), "start_pos", 0) or 0
        whole = CollapseAmbiguities().transform(tree)
        return [tuple(_places(one)) for one in whole], 0


def _alphabets(lark: Lark, forms: Sequence[str]) -> dict[str, frozenset[str]]:
    """Give, by form, every terminal that can be in it."""
    uses: dict[str, set[str]] = {}
    ends: dict[str, set[str]] = {}
    for rule in lark.rules:
        name = _plain(rule.origin.name)
        for symbol in rule.expansion:
            (ends if symbol.is_term else uses).setdefault(name, set()).add(_plain(symbol.name))
    return {form: frozenset(_reached(form, uses, ends)) for form in forms}


def _plain(name: Any) -> str:
    return str(getattr(name, "value", name))


def _reached(form: str, uses: Mapping[str, set[str]], ends: Mapping[str, set[str]]) -> set[str]:
    seen, wait, found = {form}, [form], set[str]()
    while wait:
        name = wait.pop()
        found |= ends.get(name, set())
        fresh = uses.get(name, set()) - seen
        seen |= fresh
        wait += fresh
    return found


def _with_agent(match: re.Match[str]) -> str:
    """Let the present stand only with who does it: "creates `a.json`" may be what a program does when it runs."""
    words = [word.strip() for word in match[1].split("|")]
    done = [word for word in words if not word.strip('"').endswith("s")]
    return (
        f"(_agent ({' | '.join(words)}) | ({' | '.join(done)}))" if done else f"_agent ({' | '.join(words)})"
    )


def _unfolded(text: str) -> str:
    """Write each group, and each part that may be left out, as a rule of its own.

    Lark would write a rule once for each way through its groups, and eight that may be left out make 256 rules of one.
    """
    made: dict[str, str] = {}

    def group(match: re.Match[str]) -> str:
        return made.setdefault(match[1].strip(), f"_group_{len(made)}")

    def left_out(match: re.Match[str]) -> str:
        return made.setdefault(f"{match[1]} |", f"_group_{len(made)}")

    # A parenthesis within quotes is a word of the grammar; the innermost group goes first.
    written = text.replace('"("', "OPENING").replace('")"', "CLOSING")
    while (shorter := _GROUP.sub(group, written)) != written:
        written = shorter
    written = _LEFT_OUT.sub(left_out, written)
    rules = [f"{name}: {_LEFT_OUT.sub(left_out, body)}" for body, name in list(made.items())]
    rules += [f"{name}: {body}" for body, name in list(made.items())[len(rules) :]]
    whole = "\n".join([written, *rules, ""])
    return whole.replace("OPENING", '"("').replace("CLOSING", '")"')


@lru_cache(maxsize=4)
def _built(text: str, forms: tuple[str, ...]) -> _Parser:
    return _Parser(text, forms)


def _lexer() -> Any:
    from lark.lexer import Lexer

    class Given(Lexer):
        """Takes tokens as they are given."""

        def __init__(self, conf: Any) -> None:
            """Need nothing."""

        def lex(self, tokens: Any, parser_state: Any = None) -> Iterator[Token]:  # noqa: ARG002
            yield from tokens

    return Given


def _only(readings: Sequence[tuple[str, _Parts]], cut: Sequence[Piece], at: int) -> Reading | Silent:
    if not readings:
        words = " ".join(piece.text for piece in cut[at : at + 3])
        return Silent(
            reason=f"No settler understands the whole of it{f', from {words!r} on' if words else ': it ends too early'}."
        )
    if len(readings) > 1:
        names = ", ".join(sorted({form for form, _ in readings}))
        return Silent(reason=f"It can be read in more than one way ({names}).")
    form, parts = readings[0]
    texts: dict[str, tuple[str, ...]] = {}
    for name, text, _ in parts:
        texts[name] = (*texts.get(name, ()), text)
    return Reading(form=form, parts=texts, quoted=frozenset(text for _, text, quoted in parts if quoted))


def _places(form: Tree[Any]) -> Iterator[_Place]:
    """Give the named parts of a form by the places of their tokens: its rules with one token, and its tokens, by name."""
    from lark import Tree

    for child in form.children:
        if isinstance(child, Tree):
            inner = list(_places(child))
            name = str(child.data)
            if name == "place":
                yield from inner
            else:
                yield from ((name, at) for _, at in inner or [(name, None)])
        else:
            yield child.type.removeprefix(_OF_KIND).casefold(), child.start_pos


def _told(places: _Places, cut: Sequence[Piece]) -> _Parts:
    """Give parts by what stands at their places."""
    return tuple((name, "", False) if at is None else _told_at(name, cut[at]) for name, at in places)


def _told_at(name: str, piece: Piece) -> _Part:
    text = _IN_WORDS.get(piece.text, piece.text) if name == "number" else piece.text
    return name, text, piece.quoted
