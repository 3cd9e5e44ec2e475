"""The form of a receipt: what it holds, by name and type. docs/receipts.md describes it for people."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, Literal

import rfc8785
from pydantic import ConfigDict, Field

from claimjury.claims import MAX_CLAIMS
from claimjury.evidence.reference import Origin
from claimjury.jury.ballot import Dropped
from claimjury.jury.counting import ClaimVerdict
from claimjury.jury.result import CostSource, EgressRow, JurorParams, Polarity, Redaction, RunStatus, Usage
from claimjury.jury.standing import CONSTANT_VOTER_CLAIMS
from claimjury.jury.tally import MIN_CONFIRM_VOTES, MIN_FAMILIES
from claimjury.jury.votes import Vote
from claimjury.models.answers import Answer, ToolCall
from claimjury.models.routes import Backend
from claimjury.settlers.outcome import Proof, TreeRow
from claimjury.values import Value

__all__ = [
    "BYTES_PER_TOKEN",
    "MIN_SEEN_SHARE",
    "SCHEMA",
    "THRESHOLDS",
    "ClaimRow",
    "EvidenceItem",
    "PromptHashes",
    "Receipt",
    "ReceiptRun",
    "ReplyRow",
    "Rules",
    "SeatRow",
    "Thresholds",
    "canonical",
    "manifest_of",
    "text_sha256",
    "whole_sha256",
]

SCHEMA: Final = "claimjury-receipt/v1"
# Those of jury/seat.py, held equal by a test: importing it would cost every check half a second of pydantic-ai.
MIN_SEEN_SHARE: Final = 0.4
BYTES_PER_TOKEN: Final = 4
_HASHES: Final = ("manifest", "receipt_sha256")


class ReceiptRun(Value):
    """Which run, when, by what.

    Attributes:
        claim_ids: Of all its claims, in their order, where some went to no juror.
    """

    run_id: str
    started_at: str
    elapsed_ms: int
    status: RunStatus
    claimjury_version: str
    prompt_version: str
    nonce: str
    host: str
    resumed_from: str | None = None
    claim_ids: tuple[str, ...] | None = Field(default=None, max_length=MAX_CLAIMS)


class Thresholds(Value):
    """The fixed numbers of the rules."""

    min_confirm_votes: int
    min_families: int
    constant_voter_claims: int
    min_seen_share: float
    bytes_per_token: int


THRESHOLDS: Final = Thresholds(
    min_confirm_votes=MIN_CONFIRM_VOTES,
    min_families=MIN_FAMILIES,
    constant_voter_claims=CONSTANT_VOTER_CLAIMS,
    min_seen_share=MIN_SEEN_SHARE,
    bytes_per_token=BYTES_PER_TOKEN,
)


class Rules(Value):
    """What the verdicts were counted by."""

    min_refute_votes: int
    polarity: Polarity
    panel: tuple[str, ...]
    reask: bool
    seat_timeout_s: float
    deadline_s: float | None = None
    author: tuple[str, ...] | None = None
    alternates: tuple[str, ...] | None = None
    allow_same_family: Literal[True] | None = None
    caller_set_rules: Literal[True] | None = None
    require_quotes: Literal[True] | None = None
    max_cost_usd: float | None = None
    max_tokens: int | None = None
    thresholds: Thresholds


class ClaimRow(Value):
    """A claim; the hash is of its statement in UTF-8."""

    id: str
    statement: str
    sha256: str


class SettledRow(ClaimRow):
    """A claim that no juror was asked about.

    Attributes:
        verdict: What a settler decided; absent where none did.
        settled_by: The settler.
        proof: What it rests on.
        not_settled: Why none did.
    """

    verdict: Literal["CONFIRMED", "REFUTED"] | None = None
    settled_by: str | None = None
    proof: tuple[Proof, ...] | None = None
    not_settled: str | None = None


class EvidenceItem(Value):
    """A source, a diff or the reference, by its hashes. Its text is not in the receipt.

    Attributes:
        name: Relative to its root; absent for the reference.
        origin: Of the reference.
        file_sha256: Of the bytes of the whole file or diff.
        content_sha256: Of the text that was sent, in UTF-8.
        size: Bytes of the whole.
        lines: Of the whole.
        start_line: The first line of an excerpt.
        end_line: The last line of an excerpt.
        commits: The older and the newer commit of a diff.
        files: The paths that a diff shows.
        stripped: Lines that lost a comment or a docstring; absent where none was taken out.
        redacted: Secrets that were taken out.
    """

    kind: Literal["source", "diff", "reference"]
    name: str | None = None
    origin: Origin | None = None
    file_sha256: str
    content_sha256: str
    size: int
    lines: int
    encoding: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    commits: tuple[str, str] | None = None
    files: tuple[str, ...] | None = None
    stripped: int | None = None
    redacted: tuple[Redaction, ...] | None = None


class PromptHashes(Value):
    """The prompt by its hashes; `sha256` is of the system text, a NUL byte and the user text."""

    system_sha256: str
    user_sha256: str
    sha256: str
    bytes: int


class ReplyRow(Value):
    """One raw reply, whole, and what the host said of it.

    Attributes:
        text: As it came. A text that is no valid Unicode (half a surrogate pair) stands in `text_base64` instead.
        text_base64: The same in UTF-8, the halves encoded as if they were characters.
        sha256: Of the text, so encoded.
    """

    text: str | None = None
    text_base64: str | None = None
    sha256: str
    host: str
    served_model: str | None = None
    remote_model: str | None = None
    remote_host: str | None = None
    done_reason: str | None = None
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    request_id: str | None = None
    fingerprint: str | None = None
    cost_usd: float | None = None
    scripted: bool

    @classmethod
    def of(cls, answer: Answer) -> ReplyRow:
        """Give the row of an answer; what it thought aloud is left out, it holds no vote."""
        valid = answer.text.encode("utf-8", "replace").decode() == answer.text
        return cls(
            text=answer.text if valid else None,
            text_base64=None if valid else base64.b64encode(_encoded(answer.text)).decode(),
            sha256=text_sha256(answer.text),
            host=answer.host,
            served_model=answer.served_model,
            remote_model=answer.remote_model,
            remote_host=answer.remote_host,
            done_reason=answer.done_reason,
            prompt_tokens=answer.prompt_tokens,
            output_tokens=answer.output_tokens,
            request_id=answer.request_id,
            fingerprint=answer.fingerprint,
            cost_usd=answer.cost_usd,
            scripted=answer.scripted,
        )

    @property
    def raw(self) -> str:
        """The text.

        Raises:
            ValueError: It is in neither field, or `text_base64` is not what it says.
        """
        if (self.text is None) == (self.text_base64 is None):
            raise ValueError("a reply has its text once")
        if self.text is not None:
            return self.text
        return base64.b64decode(self.text_base64 or "", validate=True).decode("utf-8", "surrogatepass")

    @property
    def answer(self) -> Answer:
        """The reply as the jury reads it."""
        return self.answer_with(())

    def answer_with(self, calls: tuple[ToolCall, ...]) -> Answer:
        """Give the reply as a message of a skeptic, with the tools that it asks for."""
        return Answer(
            text=self.raw,
            served_model=self.served_model,
            remote_model=self.remote_model,
            remote_host=self.remote_host,
            host=self.host,
            done_reason=self.done_reason,
            prompt_tokens=self.prompt_tokens,
            output_tokens=self.output_tokens,
            request_id=self.request_id,
            fingerprint=self.fingerprint,
            cost_usd=self.cost_usd,
            scripted=self.scripted,
            tool_calls=calls,
        )


class SeatRow(Value):
    """A seat with its replies. Fields are those of `SeatResult`; `votes` are the ones that count."""

    model: str
    family: str
    served_model: str | None = None
    included: bool
    exclude_reason: str | None = None
    verdicts_returned: int
    votes: tuple[Vote, ...]
    excluded_votes: tuple[Vote, ...] | None = None
    dropped: tuple[Dropped, ...] | None = None
    raw_sample: str | None = None
    usage: Usage | None = None
    attempts: int
    reasked: tuple[str, ...] | None = None
    replayed: Literal[True] | None = None
    truncated: Literal[True] | None = None
    backend: Backend
    provider: str = "ollama"
    host: str
    request_id: str | None = None
    fingerprint: str | None = None
    digest: str | None = None
    stands_in_for: str | None = None
    family_source: Literal["settings"] | None = None
    cost_usd: float | None = None
    cost_source: CostSource | None = None
    params: JurorParams | None = None
    replies: tuple[ReplyRow, ...]


class Receipt(Value):
    """A run that others can check, offline and without us.

    Attributes:
        settled: The claims that no juror was asked about; absent where all were.
        tree: The tree that settlers looked at.
        manifest: The hash of the canonical JSON of every other part, by its name.
        receipt_sha256: The hash of the canonical JSON of all the rest, the manifest included.
    """

    model_config = ConfigDict(serialize_by_alias=True)

    form: Literal["claimjury-receipt/v1"] = Field(alias="schema")
    run: ReceiptRun
    rules: Rules
    claims: tuple[ClaimRow, ...] = Field(max_length=MAX_CLAIMS)
    settled: tuple[SettledRow, ...] | None = Field(default=None, max_length=MAX_CLAIMS)
    tree: TreeRow | None = None
    evidence: tuple[EvidenceItem, ...]
    prompt: PromptHashes
    seats: tuple[SeatRow, ...]
    verdicts: tuple[ClaimVerdict, ...]
    weak: bool
    scripted: bool
    unverified_host: bool
    egress: tuple[EgressRow, ...]
    warnings: tuple[str, ...]
    manifest: dict[str, str]
    receipt_sha256: str


def canonical(value: Any) -> bytes:
    """Give the canonical JSON (RFC 8785) of JSON-ready data.

    Raises:
        ValueError: A number or a string has no canonical form.
    """
    return rfc8785.dumps(value)


def manifest_of(parts: Mapping[str, Any]) -> dict[str, str]:
    """Give the hash of each part of a receipt by its name, those of the hashes themselves left out."""
    return {name: sha256(canonical(part)).hexdigest() for name, part in parts.items() if name not in _HASHES}


def whole_sha256(parts: Mapping[str, Any]) -> str:
    """Give the hash of a receipt: of all that is not this hash."""
    rest = {name: part for name, part in parts.items() if name != "receipt_sha256"}
    return sha256(canonical(rest)).hexdigest()


def text_sha256(text: str) -> str:
    """Give the SHA-256 of a text in UTF-8, hexadecimal."""
    return sha256(_encoded(text)).hexdigest()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
