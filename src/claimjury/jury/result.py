"""The result of a run, complete by itself. A field that does not apply is absent, not null."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from claimjury.evidence.injection_rules import Rule
from claimjury.evidence.reference import Origin
from claimjury.jury.ballot import Dropped
from claimjury.jury.standing import AgentAction, Standing, Why
from claimjury.jury.tally import Confidence
from claimjury.jury.votes import Quote, Severity, Verdict, Vote, VoteWord
from claimjury.models.answers import Answer
from claimjury.models.routes import Backend
from claimjury.models.traits import Think
from claimjury.settlers.outcome import Proof, TreeRow
from claimjury.values import Value

__all__ = [
    "UNTHINKING_TEMPERATURE",
    "ClaimResult",
    "CostSource",
    "EgressRow",
    "EvidenceRow",
    "InjectionRow",
    "JurorParams",
    "JurorVote",
    "Params",
    "Polarity",
    "PriorRun",
    "Redaction",
    "ReferenceRow",
    "RunStatus",
    "SeatResult",
    "Usage",
    "VerifyResult",
    "usage_of",
]

UNTHINKING_TEMPERATURE: Final = 0.2
"""What a model is asked with where it does not think; a thinking one is left to its own."""
CostSource = Literal["reported", "price_list", "unknown"]
"""Where a cost comes from; that of several seats is the least sure of theirs."""
Polarity = Literal["assertions", "findings"]
RunStatus = Literal["complete", "partial", "interrupted"]
"""`partial`: the deadline ended the run before every seat had answered."""


class JurorVote(Value):
    """One included juror's vote on the claim that it stands under.

    Attributes:
        verdict: As it counts.
        quotes: What it cites, and where that was found; absent where it cites nothing.
        grounded: Whether at least one quote was found; absent where it cites nothing. It means that the text exists.
        said: What the juror said, where quotes are required and none was found, so that the vote counts as UNCERTAIN.
    """

    model: str
    family: str
    verdict: VoteWord
    severity: Severity
    rationale: str
    missing: str | None = None
    quotes: tuple[Quote, ...] | None = None
    grounded: bool | None = None
    said: VoteWord | None = None


class PriorRun(Value):
    """What an earlier run said of the same claim with the same evidence, panel and rules.

    Attributes:
        ended_at: When, in UTC.
        scripted: Its jurors were scripts.
    """

    run_id: str
    ended_at: str
    verdict: Verdict
    scripted: Literal[True] | None = None


class ClaimResult(Value):
    """One claim and what the panel made of it.

    Attributes:
        confidence: Agreement among those who voted, never to be read without direction and count.
        missing_votes: Included seats that skipped the claim.
        weak: Fewer than 2 known families voted on it.
        contested: A threshold was met and blocked by the other side.
        standing: What the verdict rests on; absent for NEEDS_REVIEW, which has the next three instead.
        why: Why it is undecided.
        missing: What the jurors said would decide it.
        agent_action: What an agent should do about it.
        prior_runs: The same question asked before, the newest first; absent where it was not, or no ledger is kept.
        was: What the run said of it that this one follows (`claimjury settle`).
        settled_by: The settler that decided it without a model; no juror was asked, and no vote moves it.
        proof: What a settled verdict rests on.
        not_settled: Why no settler decided it, where one understood it, or where no juror was asked.
        would_settle: The command that would.
    """

    id: str
    statement: str
    verdict: Verdict
    confidence: Confidence
    refute_votes: int
    confirm_votes: int
    uncertain_votes: int
    missing_votes: int
    weak: bool
    contested: bool
    jurors: tuple[JurorVote, ...]
    standing: Standing | None = None
    why: Why | None = None
    missing: tuple[str, ...] | None = None
    agent_action: AgentAction | None = None
    prior_runs: tuple[PriorRun, ...] | None = None
    was: PriorRun | None = None
    settled_by: str | None = None
    proof: tuple[Proof, ...] | None = None
    not_settled: str | None = None
    would_settle: str | None = None

    @property
    def judged(self) -> bool:
        """Whether jurors were asked about it."""
        return self.settled_by is None and self.why != "not_settled"


class Usage(Value):
    """Tokens of a seat's calls, as the host reported them; a figure that it did not report is absent."""

    tokens_in: int | None = None
    tokens_out: int | None = None


def usage_of(answers: Sequence[Answer]) -> Usage | None:
    """Add up what hosts counted; a sum with an unknown part is unknown."""
    usage = Usage(
        tokens_in=_total([answer.prompt_tokens for answer in answers]),
        tokens_out=_total([answer.output_tokens for answer in answers]),
    )
    return usage if answers and usage != Usage() else None


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


class SeatResult(Value):
    """A juror's place on the panel and what came of it.

    Attributes:
        served_model: The model that the host said it served; absent where no answer came or it did not say.
        exclude_reason: Of the closed set; absent where the seat is included.
        detail: For a failed call, what the host said, cleaned.
        verdicts_returned: Valid votes that count: 0 for an excluded seat.
        raw_sample: The first 200 characters of the first reply, where no vote could be read from it.
        dropped: Entries of its replies that are no votes, and why.
        excluded_votes: The votes of an excluded seat, kept apart; they count for nothing.
        attempts: How often the host was asked, re-ask included.
        reasked: The claim ids that were asked once more.
        replayed: A reply was read from an earlier run, not asked for again; `attempts` and egress do not count it.
        truncated: The reply was cut at the output limit.
        backend: `local` where the model ran on this machine.
        provider: `ollama`, `daemon`, or the first segment of the model's id.
        host: The base URL that was asked.
        request_id: The host's own name of the first answer, where it gives one.
        fingerprint: Of the backend of the first answer, where the host gives one.
        digest: Of a local model, as the daemon lists it.
        stands_in_for: The seat that this one, an alternate, has taken over.
        family_source: `settings` where the family is the word of the user's own settings.
        cost_usd: What the seat's calls cost, in US dollars; absent where it is not known.
        cost_source: `reported` by the host, of a `price_list`, or `unknown`; absent where nothing was asked for money.
    """

    model: str
    family: str
    served_model: str | None = None
    included: bool
    exclude_reason: str | None = None
    detail: str | None = None
    verdicts_returned: int
    raw_sample: str | None = None
    dropped: tuple[Dropped, ...] | None = None
    excluded_votes: tuple[Vote, ...] | None = None
    usage: Usage | None = None
    elapsed_ms: int
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


class Redaction(Value):
    """A secret that was taken out of what was sent: where it stood, and its form."""

    line: int
    rule: str


class InjectionRow(Value):
    """A place of what was sent that is aimed at whoever judges it, found by rules. No verdict hangs on it.

    Attributes:
        source: The source's name, `reference`, or `claim` and its id.
        line: Counted from 1.
        rule: What it looks like.
        excerpt: The line, cleaned and cut.
    """

    source: str
    line: int
    rule: Rule
    excerpt: str


class EvidenceRow(Value):
    """One source as it was sent.

    Attributes:
        path: Its name: relative to its root, or `diff <id>..<id>`.
        sha256: Of the bytes of the whole file, or of the diff.
        bytes: Size of the whole file, or of the diff.
        lines: Of the whole file, or of the diff.
        replaced: Characters that stand for bytes which could not be decoded; absent where there are none.
        start_line: The first line of an excerpt, counted from 1; absent where all was sent.
        end_line: The last line of an excerpt.
        commits: Full ids of the older and the newer commit of a diff.
        files: The paths that a diff shows.
        stripped: Lines that lost a comment or a docstring; absent where none was to be taken out, or no lexer knows the file.
        redacted: Secrets that were taken out of it.
    """

    path: str
    sha256: str
    bytes: int
    lines: int
    encoding: str
    replaced: int | None = None
    start_line: int | None = None
    end_line: int | None = None
    commits: tuple[str, str] | None = None
    files: tuple[str, ...] | None = None
    stripped: int | None = None
    redacted: tuple[Redaction, ...] | None = None


class ReferenceRow(Value):
    """The reference as it was sent: where it came from, what it was, and the secrets that were taken out."""

    origin: Origin
    sha256: str
    bytes: int
    lines: int
    redacted: tuple[Redaction, ...] | None = None


class EgressRow(Value):
    """What left the machine for one host.

    Attributes:
        vendor: Who runs the host.
        files: Names of the sources that were in it.
        bytes: Size of all request bodies handed to the network, retries and re-asks included; headers are not.
    """

    host: str
    vendor: str
    files: tuple[str, ...]
    bytes: int


class JurorParams(Value):
    """What one juror was asked with.

    Attributes:
        num_predict: Tokens of the answer, thinking included, at most.
        num_ctx: Tokens of context that a local model was loaded with.
    """

    sent_model: str
    num_predict: int
    think: Think | None = None
    temperature: float | None = None
    num_ctx: int | None = None


class Params(Value):
    """What the run was asked with, enough to recompute its verdicts from its votes."""

    polarity: Polarity
    reask: bool
    require_quotes: Literal[True] | None = None
    seat_timeout_s: float
    deadline_s: float | None = None
    author: tuple[str, ...] | None = None
    alternates: tuple[str, ...] | None = None
    allow_same_family: Literal[True] | None = None
    caller_set_rules: Literal[True] | None = None
    max_cost_usd: float | None = None
    max_tokens: int | None = None
    prompt_sha256: str
    jurors: dict[str, JurorParams]


class VerifyResult(Value):
    """What a run of the jury came to: supporting evidence, never proof.

    Attributes:
        local: A model of this machine sat: every verdict is weak and thin.
        tree: The tree that settlers looked at; absent where none did.
        cost_usd: Of all seats, in US dollars; absent where that of one is not known.
        resumed_from: The run whose replies were read and not asked for again.
        reused_from: The run whose result this is, word for word; nothing was sent.
    """

    run_id: str
    status: RunStatus
    claims: tuple[ClaimResult, ...]
    panel: tuple[SeatResult, ...]
    summary: str
    min_refute_votes: int
    weak: bool
    prompt_version: str
    params: Params
    evidence: tuple[EvidenceRow, ...]
    reference: ReferenceRow | None = None
    injections: tuple[InjectionRow, ...] | None = None
    egress: tuple[EgressRow, ...]
    scripted: Literal[True] | None = None
    local: Literal[True] | None = None
    tree: TreeRow | None = None
    resumed_from: str | None = None
    reused_from: str | None = None
    warnings: tuple[str, ...]
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    cost_source: CostSource | None = None
    elapsed_ms: int

    @property
    def judged(self) -> tuple[ClaimResult, ...]:
        """The claims that jurors were asked about, in their order."""
        return tuple(claim for claim in self.claims if claim.judged)
