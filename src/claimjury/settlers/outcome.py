"""What comes of a claim that settlers were asked about: a verdict with its proof, or silence with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from claimjury.evidence.secrets import find_secrets, redact
from claimjury.text import clean_line, clip
from claimjury.values import Value

if TYPE_CHECKING:
    from claimjury.settlers.evidence import Evidence

__all__ = [
    "Decide",
    "Decision",
    "Form",
    "Proof",
    "ProofKind",
    "Reading",
    "Settled",
    "Settlement",
    "Settlements",
    "Settler",
    "Silent",
    "TreeRow",
    "all_of",
    "confirmed",
    "refuted",
    "share_alike",
    "show",
]

ProofKind = Literal["tree", "change", "line", "search", "manifest", "syntax", "run"]
_MAX_EXCERPT: Final = 300


class Proof(Value):
    """One thing that a settled claim rests on.

    Attributes:
        kind: Where it was seen: in the tree, in the change since the base, in a line, by a search, in a manifest, by a parser, or in a
            run of ours.
        text: What was seen, as a sentence.
        path: The file, relative to the top of the work tree.
        line: The first line, counted from 1.
        end_line: The last line.
        excerpt: The line as it stands, cleaned and cut.
        command: What was run.
        exit_status: Of the command.
    """

    kind: ProofKind
    text: str
    path: str | None = None
    line: int | None = None
    end_line: int | None = None
    excerpt: str | None = None
    command: tuple[str, ...] | None = None
    exit_status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A claim that is decided."""

    verdict: Literal["CONFIRMED", "REFUTED"]
    proof: tuple[Proof, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Silent:
    """A claim that is not decided.

    Attributes:
        reason: Why, as a sentence.
        would: The command that would decide it, where one would.
        of_place: It is of the tree or of a run, so that other words for the claim would not end it.
        unchanged: There is no change, as nothing differs from where one would begin.
    """

    reason: str
    would: str | None = None
    of_place: bool = False
    unchanged: bool = False


Decision = Settled | Silent


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A complete parse of a statement.

    Attributes:
        form: The rule that took the whole of it.
        parts: The texts of its named parts, by name, in order.
        quoted: The parts that stood in backticks or quotes.
    """

    form: str
    parts: Mapping[str, tuple[str, ...]]
    quoted: frozenset[str] = frozenset()

    def one(self, name: str) -> str:
        """Give the only text of a part."""
        (text,) = self.parts[name]
        return text

    def maybe(self, name: str) -> str | None:
        """Give the text of a part, or None where it was not said."""
        texts = self.parts.get(name, ())
        return texts[0] if texts else None

    def all(self, name: str) -> tuple[str, ...]:
        """Give every text of a part."""
        return self.parts.get(name, ())


Decide = Callable[[Reading, "Evidence"], Decision]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One form of statement that a settler understands.

    Attributes:
        decide: Decides a reading of it.
        confirms: It may be confirmed.
        refutes: It may be refuted.
        names: Gives the texts that are to be searched for in the tree.
        of_moment: It is of a run, or of where HEAD is, of which the base has none: "now" adds nothing to it.
    """

    decide: Decide
    confirms: bool = True
    refutes: bool = True
    names: Callable[[Reading], Sequence[str]] = field(default=lambda _: ())
    of_moment: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Settler:
    """A kind of claim that is decided without a model.

    Attributes:
        name: As it stands in `settled_by`.
        does: What it settles, in one sentence.
        refuses: What looks like it and is left alone.
        grammar: Its rules, by the names of its forms.
        forms: By name.
    """

    name: str
    does: str
    refuses: str
    grammar: str
    forms: Mapping[str, Form]


def confirmed(*proof: Proof) -> Settled:
    """Give a confirmation with its proof."""
    return Settled(verdict="CONFIRMED", proof=proof)


def refuted(*proof: Proof) -> Settled:
    """Give a refutation with its proof."""
    return Settled(verdict="REFUTED", proof=proof)


def all_of(decisions: Sequence[Decision]) -> Decision:
    """Decide a list: one that is not so refutes it, and one that is not known leaves it open."""
    settled = [one for one in decisions if isinstance(one, Settled)]
    wrong = next((one for one in settled if one.verdict == "REFUTED"), None)
    silent = next((one for one in decisions if isinstance(one, Silent)), None)
    return wrong or silent or confirmed(*(proof for one in settled for proof in one.proof))


def share_alike(before: Sequence[Hashable], after: Sequence[Hashable]) -> float:
    """Give the share of lines that two texts have in common, whatever their order, from 0 to 1; two empty ones are alike."""
    common = sum((Counter(before) & Counter(after)).values())
    return 2 * common / (len(before) + len(after)) if before or after else 1.0


def show(text: str) -> str:
    """Give a text of a repository's for a proof: on one line, without controls, without what has the form of a secret, cut."""
    line = clean_line(text.strip())
    # Before the cut, which would leave the beginning of one.
    return clip(redact(line, find_secrets(line)) if len(line) > _MAX_EXCERPT else line, _MAX_EXCERPT)


class TreeRow(Value):
    """The tree that settlers looked at.

    Attributes:
        head: The full id of the commit that is checked out.
        digest: SHA-256 over the paths, modes and contents of its files.
        dirty: A tracked file differs from the index, or is not tracked.
        base: The full id of the commit that the change is measured from.
        base_why: How it was found.
        unseen: What git does not show, as words.
        directory: Where the run was asked for, relative to the top, which a path that is said may begin at; absent at the top.
        aside: The files that the claims themselves, or the reference, stand in: they are no part of what is claimed about.
    """

    head: str | None = None
    digest: str
    dirty: bool
    base: str | None = None
    base_why: str | None = None
    unseen: tuple[str, ...] | None = None
    directory: str | None = None
    aside: tuple[str, ...] | None = None


class Settlement(Value):
    """What came of one claim.

    Attributes:
        verdict: Absent where no settler decided.
        settled_by: The settler's name.
        proof: What it rests on.
        silent: Why it was not decided.
        would: The command that would decide it.
        of_place: The silence is of the tree or of a run; absent where other words for the claim might end it.
    """

    id: str
    statement: str
    verdict: Literal["CONFIRMED", "REFUTED"] | None = None
    settled_by: str | None = None
    proof: tuple[Proof, ...] | None = None
    silent: str | None = None
    would: str | None = None
    of_place: Literal[True] | None = None


class Settlements(Value):
    """What came of all claims, and the tree that was looked at; absent where none had to be."""

    claims: tuple[Settlement, ...]
    tree: TreeRow | None = None
