"""The form of a receipt of skeptics: what it holds, by name and type. docs/receipts.md describes it for people."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import ConfigDict, Field

from claimjury.jury.result import EgressRow, RunStatus
from claimjury.ledger.receipt_form import EvidenceItem, ReplyRow
from claimjury.models.answers import Answer, ToolCall
from claimjury.skeptics.result import LookedRow, SkepticResult
from claimjury.skeptics.tally import RefuteVerdict
from claimjury.skeptics.tools.replies import Looked
from claimjury.values import Value

__all__ = [
    "REFUTE_SCHEMA",
    "CallRow",
    "OpeningRow",
    "RefuteClaim",
    "RefuteReceipt",
    "RefuteRules",
    "RefuteRun",
    "SkepticRow",
    "ToolAnswer",
    "TurnRow",
    "VerdictRow",
]

REFUTE_SCHEMA: Final = "claimjury-refute-receipt/v1"


class RefuteRun(Value):
    """Which run, when, by what."""

    run_id: str
    started_at: str
    elapsed_ms: int
    status: RunStatus
    claimjury_version: str
    prompt_version: str
    nonce: str
    host: str


class RefuteRules(Value):
    """What the verdict was counted by.

    Attributes:
        models: By the skeptics' places.
        allowance: Tokens that one skeptic may take.
    """

    n: int
    threshold: str
    models: tuple[str, ...]
    allowance: int
    author: tuple[str, ...] | None = None
    deadline_s: float | None = None
    max_cost_usd: float | None = None
    max_tokens: int | None = None


class RefuteClaim(Value):
    """The claim; the hash is of it in UTF-8."""

    statement: str
    sha256: str


class OpeningRow(Value):
    """What a skeptic was told first, by its hashes.

    Attributes:
        tools: False where the model takes none, and the evidence is in the prompt.
        given: Files that are in it.
    """

    tools: bool
    given: tuple[str, ...]
    system_sha256: str
    user_sha256: str
    bytes: int


class CallRow(Value):
    """A tool that a message asks for, as the model wrote it."""

    id: str
    name: str
    arguments: str


class ToolAnswer(Value):
    """What a tool answered, by its hash.

    Attributes:
        position: Of the call among those of its message, counted from 0.
        failed: Nothing was read.
        looked: What was read, by the names of the files themselves.
    """

    position: int
    failed: bool
    looked: tuple[LookedRow, ...]
    text_sha256: str
    bytes: int

    @property
    def reads(self) -> tuple[Looked, ...]:
        """What was read, as the engine has it."""
        return tuple(
            Looked(
                tool=row.tool,
                path=row.path,
                start=row.start,
                end=row.end,
                detail=row.detail,
                files=row.files or (),
            )
            for row in self.looked
        )


class TurnRow(Value):
    """A message of a skeptic: what it was told before, in bytes, the raw reply, its calls and what they gave."""

    sent_bytes: int
    reply: ReplyRow
    calls: tuple[CallRow, ...]
    answers: tuple[ToolAnswer, ...]

    @property
    def answer(self) -> Answer:
        """The message as the engine reads it."""
        calls = tuple(ToolCall(id=row.id, name=row.name, arguments=row.arguments) for row in self.calls)
        return self.reply.answer_with(calls)


class SkepticRow(Value):
    """A skeptic: what the result says of it, and what that follows from."""

    result: SkepticResult
    openings: tuple[OpeningRow, ...]
    turns: tuple[TurnRow, ...]


class VerdictRow(Value):
    """What the skeptics came to; fields are those of `RefuteResult`."""

    verdict: RefuteVerdict
    refuted: int
    refuted_on_evidence: int
    refuted_by_default: int
    faulted: int
    tie: bool
    exit_status: int
    basis: str
    text: str


class RefuteReceipt(Value):
    """A run of skeptics that others can check, offline and without us.

    Attributes:
        manifest: The hash of the canonical JSON of every other part, by its name.
        receipt_sha256: The hash of the canonical JSON of all the rest, the manifest included.
    """

    model_config = ConfigDict(serialize_by_alias=True)

    form: Literal["claimjury-refute-receipt/v1"] = Field(alias="schema")
    run: RefuteRun
    rules: RefuteRules
    claim: RefuteClaim
    evidence: tuple[EvidenceItem, ...]
    skeptics: tuple[SkepticRow, ...]
    verdict: VerdictRow
    scripted: bool
    egress: tuple[EgressRow, ...]
    warnings: tuple[str, ...]
    manifest: dict[str, str]
    receipt_sha256: str
