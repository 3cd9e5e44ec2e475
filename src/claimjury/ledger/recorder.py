"""The recorder: the events of a run, written as they come. A ledger that cannot be written costs no verdict."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from claimjury.jury.events import Event, ReplyArrived, RunEnded, RunPlanned, SeatEnded
from claimjury.jury.gate import exit_status
from claimjury.jury.plan import Plan
from claimjury.jury.prompt import PROMPT_VERSION
from claimjury.jury.result import SeatResult, VerifyResult
from claimjury.ledger.questions import claim_questions, digest, run_question
from claimjury.ledger.store import Ledger

__all__ = ["LedgerRecorder"]

_RULES = (
    "polarity",
    "deadline_s",
    "reask",
    "allow_same_family",
    "max_cost_usd",
    "max_tokens",
    "caller_set_rules",
)


class _Forgotten(Exception):
    """The run was forgotten while it ran: what comes now must not be kept."""


class LedgerRecorder:
    """Keeps a run. Each event is one commit, so that an answer is at most one commit from safe.

    Attributes:
        trouble: Why the run is not kept (any more), or None. Once in trouble it writes no more of this run.
    """

    def __init__(self, ledger: Ledger, *, keep_content: bool = True) -> None:
        """Record into `ledger`; without content only hashes, counts and votes are kept."""
        self.trouble: str | None = None
        self._ledger = ledger
        self._keep = keep_content
        self._run_id = ""
        self._places: dict[str, str] = {}

    def record(self, event: Event, /) -> None:
        """Take one event."""
        if self.trouble is not None:
            return
        try:
            match event:
                case RunPlanned():
                    self._planned(event)
                case ReplyArrived():
                    self._replied(event)
                case SeatEnded():
                    self._seated(event.seat)
                case RunEnded():
                    self._ended(event.result)
                case _:
                    pass
        except (sqlite3.Error, OSError, _Forgotten) as error:
            self.trouble = str(error)

    @contextmanager
    def _commit(self) -> Iterator[None]:
        """Write into the run, unless somebody has forgotten it meanwhile."""
        with self._ledger.commit() as rows:
            if rows.execute("SELECT 1 FROM runs WHERE run_id = ?", (self._run_id,)).fetchone() is None:
                raise _Forgotten("it was forgotten while it ran")
            yield

    def _shown_id(self, claim_id: str) -> str:
        """Give a claim's id, or its place where no text is kept: ids are text of the user's too."""
        return claim_id if self._keep else self._places.get(claim_id, "#?")

    def _text(self, text: str) -> str:
        """Keep a text, or only a keyed hash of it."""
        return self._ledger.put(text) if self._keep else self._ledger.keyed_hash(text)

    def _hash(self, plain: str) -> str:
        """Give a hash as it is, or keyed where content is not kept: a plain one lets its text be guessed."""
        return plain if self._keep else self._ledger.keyed_hash(plain)

    def _planned(self, event: RunPlanned) -> None:
        self._run_id, plan = event.run_id, event.plan
        self._places = {claim.id: f"#{place}" for place, claim in enumerate(plan.request.claims, start=1)}
        names = (*_RULES, "panel", "alternates", "author", "warnings")
        request = {name: getattr(plan.request, name) for name in names}
        request["local"] = plan.access.daemon is not None
        row = {
            "run_id": event.run_id,
            "started_at": _now(),
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
            self._evidence(plan)

    def _claims(self, plan: Plan) -> None:
        for position, (claim, question) in enumerate(
            zip(plan.request.claims, claim_questions(plan), strict=True)
        ):
            row = {
                "run_id": self._run_id,
                "position": position,
                "claim_id": self._shown_id(claim.id),
                "statement": claim.statement if self._keep else None,
                "statement_hash": self._hash(digest(claim.statement)),
                "question": self._hash(question),
            }
            self._insert("claims", row)
        self._index("\n".join(claim.statement for claim in plan.request.claims))

    def _evidence(self, plan: Plan) -> None:
        rows: list[dict[str, Any]] = [
            {
                "kind": "source" if source.diff is None else "diff",
                "name": source.shown if self._keep else None,
                "encoding": source.encoding,
                "size": source.bytes,
                "lines": source.lines,
                "file_sha256": self._hash(source.sha256),
                "content_sha256": self._text(source.text),
            }
            for source in plan.sources
        ]
        reference = plan.request.reference
        if reference is not None:
            kept = self._text(reference.text)
            size, lines = len(reference.text.encode()), reference.text.count("\n") + 1
            rows.append(
                {
                    "kind": "reference",
                    "origin": reference.origin,
                    "size": size,
                    "lines": lines,
                    "file_sha256": kept,
                    "content_sha256": kept,
                }
            )
        for position, row in enumerate(rows):
            self._insert("evidence", {"run_id": self._run_id, "position": position, **row})

    def _replied(self, event: ReplyArrived) -> None:
        provenance = {
            name: value
            for name, value in asdict(event.answer).items()
            if name not in ("text", "thinking", "tool_calls")
        }
        with self._commit():
            row = {
                "run_id": self._run_id,
                "model": event.model,
                "turn": event.turn,
                "arrived_at": _now(),
                "text_sha256": self._text(event.answer.text),
                "thinking_sha256": self._text(event.answer.thinking),
                "provenance": json.dumps(provenance),
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
                "ended_at": _now(),
                "record": json.dumps(record),
            }
            self._insert("seats", row)

    def _ended(self, result: VerifyResult) -> None:
        with self._commit():
            row = {
                "run_id": self._run_id,
                "ended_at": _now(),
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

    def _index(self, text: str) -> None:
        if self._keep and text:
            self._ledger.connection.execute("INSERT INTO search VALUES (?, ?)", (self._run_id, text))

    def _insert(self, table: str, row: dict[str, Any]) -> None:
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - names of this file, values bound.
        self._ledger.connection.execute(statement, tuple(row.values()))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
