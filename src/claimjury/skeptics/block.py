r"""The block of a panel of skeptics: one text that people, agents and gates read alike. Pure.

    VERDICT: HOLDS
    Panel: N=3, refuted=1/3, threshold=majority-refute (REFUTED iff refuted*2 > N)
    Claim: the cache drops an entry once its time is over
    Skeptics:
      1. [factual] refuted=false -- cache.py:41 deletes it on the next read.
      2. [logical] refuted=true -- by default: "once" can be read two ways.
      3. [steelman] refuted=false -- It stands in its strongest reading.
    Basis: cache.py and its tests were read.

Rendered, it is the same bytes for the same findings, and reads back as the same values. A text stays on its line:
a backslash, and whatever could break, move or reorder the line, is written as an escape of Python's (`\n`, `\u202e`).
A reason begins with `by default:` or `fault:` where those are its grounds.

Read, it may come from a coding agent: blanks, bold, quote marks, a fence and prose around it are forgiven. What it
says of itself is not believed: the verdict and the counts are made from the skeptics' lines, and differences named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NoReturn

from claimjury.errors import InvalidRequest
from claimjury.skeptics.angles import ANGLES, AngleName, angle_named, angle_of
from claimjury.skeptics.escapes import escape_of, escaped, unescaped
from claimjury.skeptics.tally import Finding, Grounds, RefuteTally, RefuteVerdict, tally
from claimjury.text import clean_line, clip, fold_blanks

__all__ = ["THRESHOLD", "Block", "Difference", "ReadBlock", "Said", "Skeptic", "parse_block", "render_block"]

THRESHOLD: Final = "majority-refute (REFUTED iff refuted*2 > N)"
_MARKERS: Final[dict[Grounds, str]] = {"evidence": "", "default": "by default: ", "fault": "fault: "}
_MARKER: Final = re.compile(
    r"[*_`]{0,3}(?P<word>by default|fault)[*_`]{0,3}:[*_`]{0,3}\s*(?P<reason>.*)", re.IGNORECASE | re.DOTALL
)

_VERDICTS: Final[dict[str, RefuteVerdict]] = {"holds": "HOLDS", "refuted": "REFUTED"}
_FORMS: Final = {
    "VERDICT": "VERDICT: HOLDS` or `VERDICT: REFUTED",
    "Panel": f"Panel: N=3, refuted=1/3, threshold={THRESHOLD}",
    "Claim": "Claim: the claim, on one line",
    "Skeptics": "Skeptics:",
    "Basis": "Basis: what was checked, or that nothing could be",
}
_SKEPTIC_FORM: Final = (
    "Write each skeptic on one line of its own, as `  1. [factual] refuted=true -- one sentence`; a newline inside "
    r"a text is written `\n`."
)
_PREFIX: Final = re.compile(r"\s*(?:(?:>|#{1,6}\s|[-*+]\s)\s*)*")
_DECORATION: Final = "*_`"
_PANEL: Final = re.compile(
    r"N ?= ?([0-9]{1,4}) ?, ?refuted ?= ?([0-9]{1,4}) ?/ ?([0-9]{1,4}) ?, ?threshold ?= ?(.+)", re.IGNORECASE
)
_SEPARATOR: Final = re.compile(r"-{2,}|[\u2013\u2014]|(?<=\s)-(?=\s)")
_NUMBERED: Final = re.compile(r"[0-9]+[.)]")
_SKEPTIC: Final = re.compile(r"([0-9]{1,4})[.)] ?\[([^\]]*)\] ?refuted ?[=:] ?(\S*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skeptic:
    """One line of a block: the angle, and what came of it."""

    angle: AngleName
    finding: Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A panel of skeptics on one claim. Verdict and counts are always those of its skeptics.

    Attributes:
        claim: The claim as it was asked.
        skeptics: In their order; at least one.
        basis: What was checked, or that nothing could be.
    """

    claim: str
    skeptics: tuple[Skeptic, ...]
    basis: str

    @property
    def tally(self) -> RefuteTally:
        """What the skeptics come to."""
        return tally([skeptic.finding for skeptic in self.skeptics])


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a block says of itself."""

    verdict: RefuteVerdict
    n: int
    refuted: int
    out_of: int
    threshold: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where a block says something else than its skeptics' lines come to.

    Attributes:
        field: What differs. `skeptic`: a line that says `refuted=false` and gives a default or a fault as its reason.
        line: The number of the line in the text, from 1.
        said: What stands there.
        recomputed: What it comes to.
    """

    field: Literal["verdict", "n", "refuted", "threshold", "skeptic"]
    line: int
    said: str
    recomputed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBlock:
    """A block as read from a text.

    Attributes:
        block: The panel; its tally is recomputed from the lines.
        said: What the block says of itself.
        differences: Where the two differ. A block that has any decides nothing.
        out_of_order: Places whose angle is not the one that the fixed order gives.
    """

    block: Block
    said: Said
    differences: tuple[Difference, ...]
    out_of_order: tuple[int, ...]


def render_block(block: Block) -> str:
    """Give the text of a block, ending with a newline; `parse_block` reads the same block from it."""
    counted = block.tally
    skeptics = [_skeptic_line(place, skeptic) for place, skeptic in enumerate(block.skeptics, start=1)]
    panel = f"N={counted.n}, refuted={counted.refuted}/{counted.n}, threshold={THRESHOLD}"
    lines = [
        f"VERDICT: {counted.verdict}",
        f"Panel: {panel}",
        f"Claim: {escaped(block.claim)}",
        "Skeptics:",
        *skeptics,
        f"Basis: {escaped(block.basis)}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _skeptic_line(place: int, skeptic: Skeptic) -> str:
    finding = skeptic.finding
    reason = escaped(finding.reason)
    if finding.grounds == "evidence" and _MARKER.match(reason):
        # A skeptic's own words must not read as grounds that it did not have.
        reason = escape_of(reason[0]) + reason[1:]
    said = str(finding.refutes).lower()
    return f"  {place}. [{skeptic.angle}] refuted={said} -- {_MARKERS[finding.grounds]}{reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    number: int
    text: str
    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    line: int
    skeptic: Skeptic


def parse_block(text: str) -> ReadBlock:
    """Read the one block of a text, and recompute it from its skeptics' lines.

    Raises:
        InvalidRequest: There is no block, or there are two, or a line is not of its form. The message names the
            line, the hint says how it should read.
    """
    lines = list(_lines(text))
    start = _only_start(lines)
    reader = _Reader(lines[start:])
    verdict, panel = reader.take("VERDICT"), reader.take("Panel")
    said = _said(verdict, panel)
    claim = unescaped(reader.take("Claim").value)
    reader.take("Skeptics")
    found = reader.skeptics()
    basis = unescaped(reader.take("Basis").value)
    _refuse_strays([*lines[:start], *reader.rest])
    block = Block(claim=claim, skeptics=tuple(row.skeptic for row in found), basis=basis)
    own = _own_differences(said, block.tally, verdict.number, panel.number)
    return ReadBlock(
        block=block,
        said=said,
        differences=(*own, *_line_differences(found)),
        out_of_order=_out_of_order(block.skeptics),
    )


def _lines(text: str) -> Iterator[_Line]:
    # Only \n and \r\n end a line: what else Python would split at can stand inside a text.
    for number, whole in enumerate(text.split("\n"), start=1):
        bare = _PREFIX.sub("", whole, count=1).rstrip()
        head, colon, value = bare.partition(":")
        label = head.strip(_DECORATION + " ").casefold() if colon else ""
        yield _Line(number=number, text=bare, label=label, value=_undecorated(head, value.strip()))


def _undecorated(head: str, value: str) -> str:
    """Give the value of `**Label:** value` or `**Label: value**` without the marks that the label opened."""
    opened = head[: len(head) - len(head.lstrip(_DECORATION))]
    if not opened or head.rstrip().endswith(opened):
        return value
    if value.startswith(opened):
        return value[len(opened) :].strip()
    return value.removesuffix(opened).strip()


def _only_start(lines: Sequence[_Line]) -> int:
    starts = [place for place, line in enumerate(lines) if _is_start(line)]
    if not starts:
        _malformed("There is no block: no line begins with `VERDICT:`.", _first_form("VERDICT"))
    if len(starts) > 1:
        first, second = (lines[place].number for place in starts[:2])
        _malformed(
            f"There are two blocks: lines {first} and {second} both begin with `VERDICT:`.",
            "Give one block at a time; leave drafts and templates out.",
        )
    return starts[0]


def _is_start(line: _Line) -> bool:
    """Whether a line opens a block; `Verdict: I think so` in the prose around one does not."""
    return line.label == "verdict" and (
        "VERDICT" in line.text.partition(":")[0] or _verdict_word(line) is not None
    )


def _verdict_word(line: _Line) -> RefuteVerdict | None:
    return _VERDICTS.get(line.value.strip(_DECORATION + ".").casefold())


class _Reader:
    """Takes the lines of a block one after the other, each in its place."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        self.rest = [line for line in lines if line.text]
        self._last = lines[0].number

    def take(self, label: str) -> _Line:
        """Take the next line, which must have this label."""
        if not self.rest:
            _malformed(f"The block ends with line {self._last}, before `{label}:`.", _first_form(label))
        line = self.rest.pop(0)
        self._last = line.number
        if line.label != label.casefold():
            _malformed(f"Line {line.number} should be `{label}:`, and is {_shown(line)}.", _first_form(label))
        if bool(line.value) is (label == "Skeptics"):
            _malformed(
                f"Line {line.number}: {'there is something' if line.value else 'nothing stands'} after `{label}:`.",
                _first_form(label),
            )
        return line

    def skeptics(self) -> list[_Found]:
        """Take the skeptics' lines, which are numbered from 1 without a gap."""
        found: list[_Found] = []
        while self.rest and self.rest[0].label != "basis":
            line = self.rest.pop(0)
            self._last = line.number
            found.append(_skeptic(line, len(found) + 1))
        if not found:
            _malformed(f"No skeptic stands below line {self._last}.", _SKEPTIC_FORM)
        return found


def _skeptic(line: _Line, place: int) -> _Found:
    where = f"Line {line.number}"
    if not _NUMBERED.match(line.text.lstrip(_DECORATION)):
        _malformed(f"{where} is neither a skeptic's nor `Basis:`: {_shown(line)}.", _SKEPTIC_FORM)
    head, reason = _parts(line)
    match = _SKEPTIC.fullmatch(head)
    if match is None:
        _malformed(f"{where} is not of the form of a skeptic's: {_shown(line)}.", _SKEPTIC_FORM)
    number, name, word = int(match[1]), match[2].strip(), match[3].casefold()
    if number != place:
        what = f"number {number} comes again" if number < place else f"skeptic {place} is missing before it"
        _malformed(f"{where}: {what}.", "Number the skeptics 1, 2, 3, ...; none is ever dropped.")
    angle = angle_named(name)
    if angle is None:
        names = ", ".join(angle.name for angle in ANGLES)
        _malformed(f"{where}: {clean_line(name)!r} is no angle.", f"The angles are {names}, in this order.")
    if word not in ("true", "false"):
        _malformed(
            f"{where}: refuted is {clip(clean_line(word), 40)!r}.", "Write `refuted=true` or `refuted=false`."
        )
    if not reason:
        _malformed(f"{where}: skeptic {number} gives no reason after `--`.", _SKEPTIC_FORM)
    finding = _finding(reason, refuted=word == "true", where=where)
    return _Found(line=line.number, skeptic=Skeptic(angle=angle.name, finding=finding))


def _parts(line: _Line) -> tuple[str, str]:
    """Give what stands before the dash, without bold and spare blanks, and what stands after it."""
    pieces = _SEPARATOR.split(line.text, maxsplit=1)
    head = fold_blanks("".join(char for char in pieces[0] if char not in _DECORATION))
    return head, pieces[1].strip() if len(pieces) > 1 else ""


def _finding(reason: str, *, refuted: bool, where: str) -> Finding:
    match = _MARKER.match(reason)
    if match is None:
        return Finding(refuted=refuted, grounds="evidence", reason=unescaped(reason))
    if not match["reason"]:
        _malformed(
            f"{where}: nothing stands after `{match['word']}:`.",
            "Say what failed, or what could not be seen.",
        )
    grounds: Grounds = "fault" if match["word"].casefold() == "fault" else "default"
    return Finding(refuted=refuted, grounds=grounds, reason=unescaped(match["reason"]))


def _refuse_strays(lines: Sequence[_Line]) -> None:
    """Refuse a skeptic's line outside of the block: left out of the count, it would be a dropped skeptic."""
    stray = next((line for line in lines if _SKEPTIC.fullmatch(_parts(line)[0])), None)
    if stray is not None:
        _malformed(
            f"Line {stray.number} is a skeptic's, and stands outside of the block.",
            "Put every skeptic below `Skeptics:` and above `Basis:`; leave drafts out.",
        )


def _said(verdict: _Line, panel: _Line) -> Said:
    word = _verdict_word(verdict)
    if word is None:
        _malformed(f"Line {verdict.number}: {_shown(verdict)} gives no verdict.", _first_form("VERDICT"))
    match = _PANEL.fullmatch(fold_blanks(panel.value.replace("**", "").replace("`", "")))
    if match is None:
        _malformed(f"Line {panel.number} is not of its form: {_shown(panel)}.", _first_form("Panel"))
    n, refuted, out_of = (int(match[place]) for place in (1, 2, 3))
    return Said(verdict=word, n=n, refuted=refuted, out_of=out_of, threshold=match[4])


def _own_differences(said: Said, counted: RefuteTally, verdict: int, panel: int) -> list[Difference]:
    rows: list[tuple[Literal["verdict", "n", "refuted", "threshold"], int, str, str]] = [
        ("verdict", verdict, said.verdict, counted.verdict),
        ("n", panel, str(said.n), str(counted.n)),
        ("refuted", panel, f"{said.refuted}/{said.out_of}", f"{counted.refuted}/{counted.n}"),
    ]
    if _squeezed(said.threshold) != _squeezed(THRESHOLD):
        rows.append(("threshold", panel, said.threshold, THRESHOLD))
    return [
        Difference(field=field, line=line, said=own, recomputed=right)
        for field, line, own, right in rows
        if own != right
    ]


def _line_differences(found: Sequence[_Found]) -> list[Difference]:
    return [
        Difference(field="skeptic", line=row.line, said="refuted=false", recomputed="refuted=true")
        for row in found
        if row.skeptic.finding.refutes and not row.skeptic.finding.refuted
    ]


def _squeezed(threshold: str) -> str:
    # Markdown writes the sign of multiplication as `\*` where it would begin emphasis.
    return "".join(threshold.replace("\\", "").split()).casefold()


def _out_of_order(skeptics: Sequence[Skeptic]) -> tuple[int, ...]:
    places = enumerate(skeptics, start=1)
    return tuple(place for place, skeptic in places if skeptic.angle != angle_of(place).name)


def _first_form(label: str) -> str:
    return f"Write it as `{_FORMS[label]}`."


def _shown(line: _Line) -> str:
    return f"`{clip(clean_line(line.text), 80)}`"


def _malformed(message: str, hint: str) -> NoReturn:
    raise InvalidRequest(message, hint=hint)
