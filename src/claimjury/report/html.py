"""The report as one HTML file: runs with their votes and evidence, for a reader who was not there.

It loads nothing, works without script, and holds no string of a stranger's as markup. Two things see to that, so
that no template can forget: the environment escapes by itself, and its `finalize` cleans every value that is
printed. Jinja2 is imported with this module, so import it late.
"""

from __future__ import annotations

import base64
import hashlib
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from claimjury.jury.gate import exit_status
from claimjury.jury.result import ClaimResult, EvidenceRow, RunStatus, VerifyResult
from claimjury.jury.votes import Quote
from claimjury.report import quoting, wording
from claimjury.report.refute_html import HtmlRefutation, shown_refutations
from claimjury.text import clean, clean_line, show_bytes, show_harmful

__all__ = ["MAX_CLAIMS", "MAX_LINES", "HtmlRun", "render_html"]

MAX_CLAIMS: Final = 2_000
"""Claims shown in one file, worst first; browsers choke on reports that inline everything (prowler#1928)."""
MAX_LINES: Final = 40_000
"""Lines of evidence shown in one file."""
_OPEN_LINES: Final = 200
"""Up to so many lines a source is shown unfolded, where the file holds one run."""
_MAX_PRIORS: Final = 10
"""Earlier runs of one claim that are listed; of more, only the number."""
_TEMPLATES: Final = Path(__file__).parent / "templates"
_UNSAFE_IN_ID: Final = re.compile(r"[^A-Za-z0-9._/-]+")
_LINE_ANCHOR: Final = re.compile(r"-L\d+$")
_SECTIONS: Final = (
    *("run", "warnings", "verdicts", "votes", "claims", "panel", "excluded-votes", "dropped"),
    *("evidence", "egress", "rules"),
)
"""Ids of the headings of a run, behind its prefix."""
_GRADES: Final = ("bad", "undecided", "thin", "firm")
"""Of claims, those that need a reader first."""
_STATUS: Final[dict[RunStatus, str]] = {
    "complete": "complete",
    "partial": "partial: the deadline ended it before every seat had answered",
    "interrupted": "interrupted before every seat had answered",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlRun:
    """A run for the report.

    Attributes:
        result: What it came to.
        sources: The text of each source as it was sent, by its path in `result.evidence`; of an excerpt by
            `path:start-end`, or by its path where the run has one excerpt of that file. What is not here is listed
            in the manifest alone.
        started_at: When it was started, as it is to be shown.
        reference: The text of the reference as it was sent.
    """

    result: VerifyResult
    sources: Mapping[str, str] = field(default_factory=dict)
    started_at: str | None = None
    reference: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """A claim in this file, under its anchor."""

    claim: ClaimResult
    anchor: str
    grade: str

    @property
    def votes(self) -> dict[str, Any]:
        return {vote.model: vote for vote in self.claim.jurors}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    """The numbered lines of a source, or why there are none."""

    name: str
    anchor: str
    first: int = 1
    lines: Sequence[str] = ()
    same_as: str | None = None
    absent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """A run in this file: what is shown of it, and the counts of what is not."""

    html: HtmlRun
    prefix: str
    shown: Sequence[_Shown]
    left_out: Mapping[str, int]
    texts: Sequence[_Text]

    @property
    def result(self) -> VerifyResult:
        return self.html.result

    def anchor_of(self, quote: Quote) -> str | None:
        """Give the anchor of the line where a quote was found, if this page shows it."""
        if quote.found_start_line is None:
            return None
        for text in self.texts:
            last = text.first + len(text.lines) - 1
            if text.name.partition(":")[0] == quote.source and text.first <= quote.found_start_line <= last:
                return f"{text.anchor}-L{quote.found_start_line}"
        return None

    @property
    def command(self) -> str:
        return f"claimjury report {shlex.quote(clean_line(self.result.run_id))}"


def render_html(reports: Sequence[HtmlRun], refutations: Sequence[HtmlRefutation] = ()) -> str:
    """Give one HTML page of these runs, in their order, each with its claims worst first; then those of skeptics.

    The same runs give the same bytes. Of more than `MAX_CLAIMS` claims the worst are shown, and the rest counted
    by run beside the command that shows them.
    """
    in_all = len(reports) + len(refutations)
    runs, attacked = _runs(reports, single=in_all == 1), shown_refutations(refutations, single=in_all == 1)
    shown = [run for run in runs if run.shown or not run.result.claims]
    page = _environment().get_template("page.html.j2")
    return page.render(
        runs=shown,
        refutations=attacked,
        runs_in_all=in_all,
        counted=[run for run in runs if run.left_out],
        claims=sum(len(run.result.claims) for run in runs) + len(attacked),
        claims_shown=sum(len(run.shown) for run in runs) + len(attacked),
        scripted=[1 for run in runs if run.result.scripted] + [1 for run in attacked if run.result.scripted],
        version=version("claimjury"),
        **_assets(),
    )


def _runs(reports: Sequence[HtmlRun], *, single: bool) -> list[_Run]:
    anchors, texts = _Anchors(), _Texts()
    prefixes = [""] * len(reports) if single else [f"run-{number + 1}-" for number in range(len(reports))]
    for prefix in prefixes:
        anchors.reserve(prefix)
    runs = []
    for html, prefix, chosen in zip(reports, prefixes, _chosen(reports), strict=True):
        shown = [
            _Shown(claim=claim, anchor=anchors.give(f"{prefix}claim-", claim.id), grade=grade)
            for claim, grade in chosen
        ]
        kept = {id(one.claim) for one in shown}
        rest = [claim for claim in html.result.claims if id(claim) not in kept]
        runs.append(
            _Run(
                html=html,
                prefix=prefix,
                shown=shown,
                left_out=Counter(claim.verdict for claim in rest),
                texts=list(texts.of(html, prefix, anchors)) if shown else (),
            )
        )
    return runs


def _chosen(reports: Sequence[HtmlRun]) -> list[list[tuple[ClaimResult, str]]]:
    """Give the claims of each run that are shown, worst first: of all runs together, the worst `MAX_CLAIMS`."""
    graded = [
        [(claim, _grade(claim, html.result)) for claim in wording.worst_first(html.result)]
        for html in reports
    ]
    room, last = MAX_CLAIMS, dict[str, int]()
    counts = Counter(grade for run in graded for _, grade in run)
    for grade in _GRADES:
        last[grade] = min(counts[grade], room)
        room -= last[grade]
    chosen: list[list[tuple[ClaimResult, str]]] = []
    for run in graded:
        chosen.append([])
        for claim, grade in run:
            if last[grade]:
                last[grade] -= 1
                chosen[-1].append((claim, grade))
    return chosen


def _grade(claim: ClaimResult, result: VerifyResult) -> str:
    """Give how much a claim needs a reader, in the order of `worst_first`."""
    bad = "REFUTED" if result.params.polarity == "assertions" else "CONFIRMED"
    if claim.verdict == bad:
        return "bad"
    return claim.standing.grade if claim.standing else "undecided"


class _Anchors:
    """Gives each thing an id of its own, readable and the same for the same runs.

    No id but a line's ends as those of lines do (`-L12`), so ids of lines are unique where those of texts are.
    """

    def __init__(self) -> None:
        self._given = {"main", "contents", "not-shown"}

    def reserve(self, prefix: str) -> None:
        """Take the ids of a run's headings."""
        self._given.update(f"{prefix}{section}" for section in _SECTIONS)

    def give(self, prefix: str, name: str) -> str:
        base = f"{prefix}{_UNSAFE_IN_ID.sub('-', name).strip('-') or 'x'}"
        if _LINE_ANCHOR.search(base):
            base += "."
        anchor, count = base, 1
        while anchor in self._given:
            count += 1
            anchor = f"{base}-{count}"
        self._given.add(anchor)
        return anchor


class _Texts:
    """Turns the texts of runs into numbered lines, each text once, while there is room."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, int, str], str] = {}
        self._room = MAX_LINES

    def of(self, html: HtmlRun, prefix: str, anchors: _Anchors) -> Iterator[_Text]:
        for row in html.result.evidence:
            name = _name(row)
            text = html.sources.get(name, html.sources.get(row.path))
            first = row.start_line or 1
            sent = row.lines if row.start_line is None else (row.end_line or first) - first + 1
            yield self._one(name, text, first, sent, anchors.give(prefix, name.replace(":", "-lines-")))
        reference = html.result.reference
        if reference is not None:
            anchor = anchors.give(prefix, "reference")
            yield self._one("reference", html.reference, 1, reference.lines, anchor)

    def _one(self, name: str, text: str | None, first: int, sent: int, anchor: str) -> _Text:
        if text is None:
            return _Text(name=name, anchor=anchor, absent="Its text is not in this file.")
        lines = _split(text)
        if len(lines) != sent:
            why = f"The text at hand has {len(lines):,} lines and {sent:,} were sent, so it is not shown."
            return _Text(name=name, anchor=anchor, absent=why)
        key = (name, first, text)
        if key in self._seen:
            return _Text(name=name, anchor=anchor, same_as=self._seen[key])
        if len(lines) > self._room:
            why = f"Its {len(lines):,} lines are not shown: this file holds at most {MAX_LINES:,} in all."
            return _Text(name=name, anchor=anchor, absent=why)
        self._room -= len(lines)
        self._seen[key] = anchor
        return _Text(name=name, anchor=anchor, first=first, lines=lines)


def _name(row: EvidenceRow) -> str:
    if row.start_line is None:
        return row.path
    return f"{row.path}:{row.start_line}-{row.end_line}"


def _split(text: str) -> list[str]:
    r"""Give the lines of a text as a fence numbers them: a line ends at \n or \r\n only."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


@cache
def _environment() -> Environment:
    env = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        finalize=_printed,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters.update(lines=_lines, code=_code, code_lines=_code_lines, seconds=_seconds, size=show_bytes)
    env.globals.update(
        w=wording,
        quoting=quoting,
        exit_status=exit_status,
        status=_STATUS,
        tally=_tally,
        max_claims=MAX_CLAIMS,
        max_priors=_MAX_PRIORS,
        open_lines=_OPEN_LINES,
    )
    return env


@cache
def _assets() -> dict[str, Markup]:
    """Give our style and script with the policy that lets these two in, by hash, and nothing else."""
    style = (_TEMPLATES / "report.css").read_text(encoding="utf-8")
    script = (_TEMPLATES / "report.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    # Markup is right here: these are files of ours, and no part of them comes from a run.
    return {"style": Markup(style), "script": Markup(script), "policy": Markup(policy)}  # noqa: S704


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _printed(value: Any) -> Any:
    """Give what a template prints: every string cleaned and on one line, unless a filter below made it."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return _cleaned(value)
    return value


@lru_cache(maxsize=8_192)
def _cleaned(text: str) -> str:
    """Give a text cleaned and on one line; a blank at an end stays, which keeps the words around it apart."""
    before, after = text[:1] == " ", text[-1:] == " "
    return f"{' ' * before}{clean_line(text)}{' ' * after}"


def _lines(text: str) -> Markup:
    """Give a text cleaned, with its line ends."""
    return escape(clean(text).strip())


def _code(line: str) -> Markup:
    r"""Give a line of evidence with nothing left out: what could act on a reader is shown, like `\x1b`.

    A workflow command in it (`##[group]`, `##vso[…]`) reads the same and is obeyed by no runner that prints this file.
    """
    return Markup(str(escape(show_harmful(line))).replace("##", "#&#35;"))  # noqa: S704 - escaped on this line


def _code_lines(text: str) -> Markup:
    """Give an excerpt with its line ends, as `_code` gives each of its lines."""
    return Markup("\n").join(map(_code, text.split("\n")))


def _seconds(ms: int) -> str:
    return f"{ms / 1000:,.1f} s"


def _tally(counts: Mapping[str, int]) -> str:
    """Give counts of verdicts in words: `2 REFUTED, 1 CONFIRMED`."""
    words = ("REFUTED", "NEEDS_REVIEW", "CONFIRMED")
    return ", ".join(f"{counts[word]:,} {word}" for word in words if counts.get(word)) or "no claim"
