"""Verdicts: the seats' votes, the tally and the grounds put together into the result."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from claimjury.claims import Claim
from claimjury.evidence.sources import Source, count_lines
from claimjury.jury.aimed import MAX_ROWS, aimed_warnings
from claimjury.jury.counting import ClaimVerdict, Seated, Sent, count_claims, seats_are_weak
from claimjury.jury.plan import Plan
from claimjury.jury.prompt import PROMPT_VERSION
from claimjury.jury.request import SEAT_TIMEOUT_S
from claimjury.jury.result import (
    ClaimResult,
    CostSource,
    EgressRow,
    EvidenceRow,
    InjectionRow,
    JurorParams,
    JurorVote,
    Params,
    Redaction,
    ReferenceRow,
    RunStatus,
    SeatResult,
    Usage,
    VerifyResult,
)
from claimjury.jury.settled import with_settled, with_verdicts_before
from claimjury.jury.votes import Vote

__all__ = ["Heard", "Outcome", "conclude", "evidence_rows", "reference_row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A settled seat and its votes by claim id, which count only where the seat is included."""

    seat: SeatResult
    votes: Mapping[str, Vote]

    @property
    def seated(self) -> Seated:
        """The seat as it is counted."""
        seat = self.seat
        return Seated(
            model=seat.model,
            family=seat.family,
            included=seat.included,
            votes=self.votes,
            local=seat.backend == "local",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a run brought back."""

    run_id: str
    status: RunStatus
    heard: Sequence[Heard]
    jurors: Mapping[str, JurorParams]
    bytes_by_host: Mapping[str, int]
    evidence_hosts: frozenset[str]
    scripted: bool
    resumed_from: str | None
    warnings: Sequence[str]
    elapsed_ms: int
    aimed: Sequence[InjectionRow] = ()


def conclude(plan: Plan, outcome: Outcome) -> VerifyResult:
    """Tally a run."""
    asked = plan.request.claims
    seats = [heard.seated for heard in outcome.heard]
    statements = {claim.id: claim.statement for claim in asked}
    verdicts = count_claims(statements, seats, _sent(plan, outcome), plan.request.min_refute_votes)
    judged = [_claim(claim, verdict, outcome.heard) for claim, verdict in zip(asked, verdicts, strict=True)]
    claims = with_verdicts_before(plan.follows, with_settled(plan.settling, judged))
    weak = seats_are_weak(seats) and not plan.idle
    panel = tuple(heard.seat for heard in outcome.heard)
    return VerifyResult(
        run_id=outcome.run_id,
        status=outcome.status,
        claims=claims,
        panel=panel,
        summary=_summary(claims, panel, weak=weak),
        min_refute_votes=plan.request.min_refute_votes,
        weak=weak,
        prompt_version=PROMPT_VERSION,
        params=_params(plan, outcome.jurors),
        evidence=tuple(evidence_rows(plan)),
        reference=reference_row(plan),
        injections=tuple(outcome.aimed[:MAX_ROWS]) or None,
        egress=tuple(_egress(plan, outcome)),
        scripted=True if outcome.scripted else None,
        local=True if any(seat.local and seat.included for seat in seats) else None,
        tree=plan.settling.tree if plan.settling else None,
        resumed_from=outcome.resumed_from,
        warnings=(*plan.warnings, *outcome.warnings, *aimed_warnings(outcome.aimed)),
        tokens_in=_sum(panel, lambda usage: usage.tokens_in),
        tokens_out=_sum(panel, lambda usage: usage.tokens_out),
        cost_usd=_cost(panel),
        cost_source=_cost_source(panel),
        elapsed_ms=outcome.elapsed_ms,
    )


def _claim(claim: Claim, verdict: ClaimVerdict, heard: Sequence[Heard]) -> ClaimResult:
    jurors = tuple(_juror_vote(row.seat, row.votes[claim.id]) for row in heard if _counts(row, claim.id))
    return ClaimResult(statement=claim.statement, jurors=jurors, **dict(verdict))


def _counts(row: Heard, claim_id: str) -> bool:
    return row.seat.included and claim_id in row.votes


def _juror_vote(seat: SeatResult, vote: Vote) -> JurorVote:
    return JurorVote(
        model=seat.model,
        family=seat.family,
        verdict=vote.verdict,
        severity=vote.severity,
        rationale=vote.rationale,
        missing=vote.missing,
        quotes=vote.quotes,
        grounded=vote.grounded,
        said=vote.said,
    )


def _sent(plan: Plan, outcome: Outcome) -> Sent:
    shown = [
        path for source in plan.sources for path in (source.diff.files if source.diff else [source.path])
    ]
    doubtful = any(
        heard.seat.included and not plan.routes[heard.seat.model].host.trusted for heard in outcome.heard
    )
    return Sent(
        sources=len(plan.sources),
        files=tuple(shown),
        reference=plan.request.reference.origin if plan.request.reference else None,
        unverified_host=doubtful,
        caller_set_rules=plan.request.caller_set_rules,
    )


def _summary(claims: Sequence[ClaimResult], panel: Sequence[SeatResult], *, weak: bool) -> str:
    verdicts = [claim.verdict for claim in claims]
    seated = sum(seat.included and seat.backend == "cloud" for seat in panel)
    who = f"panel {seated}/{len(panel)} cloud-served{_local_tail(panel)}" if panel else "no juror was asked"
    text = (
        f"{verdicts.count('CONFIRMED')} confirmed, {verdicts.count('REFUTED')} refuted, "
        f"{verdicts.count('NEEDS_REVIEW')} needs review across {len(claims)} claim(s); {who}"
    )
    settled = sum(claim.settled_by is not None for claim in claims)
    text += f"; {settled} settled without a model" if settled else ""
    if not weak:
        return text
    why = "a local model sat" if _local_tail(panel) else "fewer than 2 known families sat"
    return f"{text}; WEAK: {why}"


def _local_tail(panel: Sequence[SeatResult]) -> str:
    local = sum(seat.included and seat.backend == "local" for seat in panel)
    return f", {local} local" if local else ""


def _params(plan: Plan, jurors: Mapping[str, JurorParams]) -> Params:
    return Params(
        polarity=plan.request.polarity,
        reask=plan.request.reask,
        require_quotes=True if plan.request.require_quotes else None,
        seat_timeout_s=SEAT_TIMEOUT_S,
        deadline_s=plan.request.deadline_s,
        author=plan.request.author or None,
        alternates=plan.request.alternates or None,
        allow_same_family=True if plan.request.allow_same_family else None,
        caller_set_rules=True if plan.request.caller_set_rules else None,
        max_cost_usd=plan.request.max_cost_usd,
        max_tokens=plan.request.max_tokens,
        prompt_sha256=plan.prompt.sha256,
        jurors=dict(jurors),
    )


def evidence_rows(plan: Plan) -> list[EvidenceRow]:
    """Give the sources as they are sent."""
    return [_evidence_row(source) for source in plan.sources]


def _evidence_row(source: Source) -> EvidenceRow:
    first, last = source.excerpt or (None, None)
    return EvidenceRow(
        path=source.path,
        sha256=source.sha256,
        bytes=source.bytes,
        lines=source.lines,
        encoding=source.encoding,
        replaced=source.replaced or None,
        start_line=first,
        end_line=last,
        commits=(source.diff.old, source.diff.new) if source.diff else None,
        files=source.diff.files if source.diff else None,
        stripped=source.stripped,
        redacted=_redactions(source.redacted),
    )


def reference_row(plan: Plan) -> ReferenceRow | None:
    """Give the reference as it is sent."""
    reference = plan.request.reference
    if reference is None:
        return None
    data = reference.text.encode()
    return ReferenceRow(
        origin=reference.origin,
        sha256=hashlib.sha256(data).hexdigest(),
        bytes=len(data),
        lines=count_lines(reference.text),
        redacted=_redactions(reference.redacted),
    )


def _redactions(rows: Sequence[tuple[int, str]]) -> tuple[Redaction, ...] | None:
    return tuple(Redaction(line=line, rule=rule) for line, rule in rows) or None


def _egress(plan: Plan, outcome: Outcome) -> list[EgressRow]:
    """Say what left; files are named only where a prompt was handed to a connection."""
    files = tuple(dict.fromkeys(source.path for source in plan.sources))
    return [
        EgressRow(
            host=host,
            vendor=plan.vendor_of(host),
            files=files if host in outcome.evidence_hosts else (),
            bytes=count,
        )
        for host, count in outcome.bytes_by_host.items()
    ]


def _sum(seats: Sequence[SeatResult], figure: Callable[[Usage], int | None]) -> int | None:
    """Add a figure of all seats that were answered; a sum with an unknown part is unknown."""
    counts = [figure(seat.usage) if seat.usage else None for seat in seats if seat.served_model or seat.usage]
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


def _cost(seats: Sequence[SeatResult]) -> float | None:
    """Add up what the seats cost; a sum with an unknown part is unknown."""
    if _cost_source(seats) in (None, "unknown"):
        return None
    return round(sum(seat.cost_usd or 0.0 for seat in seats), 6)


def _cost_source(seats: Sequence[SeatResult]) -> CostSource | None:
    """Give the least sure source among the seats."""
    said = {seat.cost_source for seat in seats}
    ranked: tuple[CostSource, ...] = ("unknown", "price_list", "reported")
    return next((source for source in ranked if source in said), None)
