"""The recorder: the events of a run, written as they come. A ledger that cannot be written costs no verdict."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import version

from claimjury.jury.events import Event, ReplyArrived, RunEnded, RunPlanned, SeatEnded
from claimjury.jury.gate import exit_status
from claimjury.jury.plan import Plan
from claimjury.jury.prompt import PROMPT_VERSION
from claimjury.jury.result import SeatResult, VerifyResult
from claimjury.ledger.questions import claim_questions, digest, run_question
from claimjury.ledger.store import Ledger
from claimjury.ledger.writing import RunWriter, now

__all__ = ["LedgerRecorder"]

_RULES = (
    "polarity",
    "deadline_s",
    "reask",
    "require_quotes",
    "allow_same_family",
    "max_cost_usd",
    "max_tokens",
    "caller_set_rules",
)


class LedgerRecorder(RunWriter):
    """Keeps a run of a jury. Each event is one commit, so that an answer is at most one commit from safe."""

    def __init__(self, ledger: Ledger, *, keep_content: bool = True) -> None:
        """Record into `ledger`; without content only hashes, counts and votes are kept."""
        super().__init__(ledger, keep_content=keep_content)
        self._places: dict[str, str] = {}

    def record(self, event: Event, /) -> None:
        """Take one event."""
        match event:
            case RunPlanned():
                self._write(lambda: self._planned(event))
            case ReplyArrived():
                self._write(lambda: self._replied(event))
            case SeatEnded():
                self._write(lambda: self._seated(event.seat))
            case RunEnded():
                self._write(lambda: self._ended(event.result))
            case _:
                pass

    def _shown_id(self, claim_id: str) -> str:
        """Give a claim's id, or its place where no text is kept: ids are text of the user's too."""
        return claim_id if self._keep else self._places.get(claim_id, "#?")

    def _planned(self, event: RunPlanned) -> None:
        self._run_id, plan = event.run_id, event.plan
        self._places = {claim.id: f"#{place}" for place, claim in enumerate(plan.claims, start=1)}
        names = (*_RULES, "panel", "alternates", "author", "warnings")
        request = {name: getattr(plan.request, name) for name in names}
        request["local"] = plan.access.daemon is not None
        if plan.settling is not None:
            tree = plan.settling.tree
            request["settling"] = {
                "only": plan.settling.only,
                "tree": tree.to_json() if tree and self._keep else None,
            }
        row = {
            "run_id": event.run_id,
            "started_at": now(),
            "version": version("claimjury"),
            "prompt_version": PROMPT_VERSION,
            "question": self._hash(run_question(plan)),
            "nonce": plan.prompt.nonce if self._keep else "",
            "prompt_sha256": self._hash(plan.prompt.sha256),
            "host": ", ".join(plan.hosts),
            "min_refute_votes": plan.request.min_refute_votes,
            "request": json.dumps(request),
            "params": json.dumps({model: params.to_json() for model, params in event.params.items()}),
            "asked": json.dumps(asdict(plan.asked)) if self._keep else "{}",
            "content_kept": self._keep,
            "resumed_from": event.resumed_from,
        }
        with self._ledger.commit():
            row["system_sha256"] = self._text(plan.prompt.system)
            row["user_sha256"] = self._text(plan.prompt.user)
            self._insert("runs", row)
            self._claims(plan)
            self._evidence(plan.sources, plan.request.reference)

    def _claims(self, plan: Plan) -> None:
        questions = claim_questions(plan)
        for position, claim in enumerate(plan.claims):
            settlement = plan.settling.rows.get(claim.id) if plan.settling else None
            row = {
                "run_id": self._run_id,
                "position": position,
                "claim_id": self._shown_id(claim.id),
                "statement": claim.statement if self._keep else None,
                "statement_hash": self._hash(digest(claim.statement)),
                # A settled claim was asked of nobody, so no later run has asked the same.
                "question": self._hash(questions[claim.id]) if claim.id in questions else "",
                "settled_by": settlement.settled_by if settlement else None,
                "settlement": json.dumps(settlement.to_json()) if settlement and self._keep else None,
            }
            self._insert("claims", row)
        self._index("\n".join(claim.statement for claim in plan.claims))

    def _replied(self, event: ReplyArrived) -> None:
        with self._commit():
            row = {
                "run_id": self._run_id,
                "model": event.model,
                "turn": event.turn,
                "arrived_at": now(),
                **self._answer(event.answer),
            }
            self._insert("replies", row)

    def _seated(self, seat: SeatResult) -> None:
        record = seat.to_json()
        if not self._keep:
            record = {
                name: value
                for name, value in record.items()
                if name not in ("raw_sample", "dropped", "detail", "excluded_votes", "reasked")
            }
        with self._commit():
            row = {
                "run_id": self._run_id,
                "model": seat.model,
                "family": seat.family,
                "included": seat.included,
                "exclude_reason": seat.exclude_reason,
                "ended_at": now(),
                "record": json.dumps(record),
            }
            self._insert("seats", row)

    def _ended(self, result: VerifyResult) -> None:
        with self._commit():
            row = {
                "run_id": self._run_id,
                "ended_at": now(),
                "status": result.status,
                "exit_status": exit_status(result),
                "summary": result.summary,
                "weak": result.weak,
                "scripted": bool(result.scripted),
                "result": json.dumps(result.to_json()) if self._keep else None,
            }
            self._insert("results", row)
            self._verdicts(result)

    def _verdicts(self, result: VerifyResult) -> None:
        words: list[str] = []
        for claim in result.claims:
            row = {
                "run_id": self._run_id,
                "claim_id": self._shown_id(claim.id),
                "verdict": claim.verdict,
                "confidence": claim.confidence,
                "standing": None if claim.standing is None else claim.standing.grade,
                "confirm_votes": claim.confirm_votes,
                "refute_votes": claim.refute_votes,
                "uncertain_votes": claim.uncertain_votes,
            }
            self._insert("verdicts", row)
            for vote in claim.jurors:
                self._vote(vote.model, claim.id, vote.verdict, vote.severity, vote.rationale, counted=True)
                words.append(vote.rationale)
        for seat in result.panel:
            for kept in seat.excluded_votes or ():
                self._vote(seat.model, kept.id, kept.verdict, kept.severity, kept.rationale, counted=False)
        self._index("\n".join(words))

    def _vote(
        self, model: str, claim_id: str, verdict: str, severity: str, rationale: str, *, counted: bool
    ) -> None:
        row = {
            "run_id": self._run_id,
            "model": model,
            "claim_id": self._shown_id(claim_id),
            "verdict": verdict,
            "severity": severity,
            "counted": counted,
            "rationale": rationale if self._keep else None,
        }
        self._insert("votes", row)
