"""The result of a panel of skeptics, as JSON has it. Supporting evidence, never proof."""

from __future__ import annotations

from typing import Literal

from claimjury.jury.result import (
    CostSource,
    EgressRow,
    EvidenceRow,
    InjectionRow,
    ReferenceRow,
    RunStatus,
    Usage,
)
from claimjury.skeptics.angles import AngleName
from claimjury.skeptics.tally import Grounds, RefuteStatus, RefuteVerdict
from claimjury.values import Value

__all__ = ["CitationRow", "LookedRow", "RefuteResult", "SkepticResult"]


class LookedRow(Value):
    """What one tool call read.

    Attributes:
        tool: The tool.
        path: The file or folder, relative to the repository.
        start: The first line that was shown.
        end: The last one.
        detail: The pattern or the range.
        files: Files of which a search or a diff showed lines.
    """

    tool: str
    path: str | None = None
    start: int | None = None
    end: int | None = None
    detail: str | None = None
    files: tuple[str, ...] | None = None


class CitationRow(Value):
    """A place that a skeptic cites, and whether there is such a line."""

    path: str
    line: int
    exists: bool


class SkepticResult(Value):
    """What one skeptic did and came to.

    Attributes:
        place: Counted from 1.
        family_source: `settings` where the family is the word of the user's own settings.
        refuted: Whether it counts as refuting.
        grounds: `evidence`, `default` (it could not verify, hedged, or read nothing), `fault` (it broke down).
        reason: One sentence.
        read: What its tools read, in order.
        failed_calls: Tool calls that were refused or could not be run.
        citations: The places that it cites.
        tools: False where the model takes no tools, and got the evidence in its prompt.
        rounds: Rounds of tool calls.
        attempts: Calls of the model, retries included.
        usage: Tokens of all its calls.
        elapsed_ms: From its first call to its verdict.
    """

    place: int
    angle: AngleName
    model: str
    family: str
    family_source: Literal["settings"] | None = None
    provider: str
    host: str
    served_model: str | None = None
    refuted: bool
    grounds: Grounds
    reason: str
    read: tuple[LookedRow, ...]
    failed_calls: int
    citations: tuple[CitationRow, ...] | None = None
    tools: bool
    rounds: int
    attempts: int
    usage: Usage | None = None
    cost_usd: float | None = None
    cost_source: CostSource | None = None
    elapsed_ms: int


class RefuteResult(Value):
    """What a panel of skeptics came to.

    Attributes:
        verdict: HOLDS unless more than half of the skeptics refute.
        n: How many skeptics there were.
        refuted: How many count as refuting, on whatever grounds.
        tie: Exactly half refute.
        evidence: What every skeptic was given without asking.
        injections: Places that a skeptic was shown and that are aimed at whoever judges them.
        basis: What was checked, or that nothing could be.
        text: The same as a block, byte for byte as the text output has it.
        warnings: Codes.
    """

    run_id: str
    claim: str
    verdict: RefuteVerdict
    n: int
    refuted: int
    refuted_on_evidence: int
    refuted_by_default: int
    faulted: int
    tie: bool
    threshold: str
    skeptics: tuple[SkepticResult, ...]
    evidence: tuple[EvidenceRow, ...]
    reference: ReferenceRow | None = None
    injections: tuple[InjectionRow, ...] | None = None
    basis: str
    text: str
    status: RunStatus
    exit_status: RefuteStatus | Literal[130]
    egress: tuple[EgressRow, ...]
    scripted: Literal[True] | None = None
    warnings: tuple[str, ...]
    elapsed_ms: int
    note: str = "Supporting evidence, never proof."
