"""The recorder of skeptics: what each was told, said and read, written as it comes."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import version
from typing import Final

from claimjury.ledger.questions import digest
from claimjury.ledger.store import Ledger
from claimjury.ledger.writing import RunWriter, now
from claimjury.skeptics.events import (
    RefuteEnded,
    RefuteEvent,
    RefutePlanned,
    SkepticEnded,
    SkepticOpened,
    SkepticReplied,
    ToolReturned,
)
from claimjury.skeptics.plan import RefutePlan
from claimjury.skeptics.prompts import PROMPT_VERSION
from claimjury.skeptics.result import RefuteResult
from claimjury.text import show_harmful

__all__ = ["LedgerRefuteRecorder"]

_RULES: Final = ("author", "deadline_s", "max_cost_usd", "max_tokens")
_CONTENT: Final = ("reason", "read", "citations")


class LedgerRefuteRecorder(RunWriter):
    """Keeps a run of skeptics. Each event is one commit."""

    def __init__(self, ledger: Ledger, *, keep_content: bool = True) -> None:
        """Record into `ledger`; without content only hashes, counts and findings are kept."""
        super().__init__(ledger, keep_content=keep_content)
        self._models: dict[int, str] = {}

    def record(self, event: RefuteEvent, /) -> None:
        """Take one event."""
        self._write(lambda: self._take(event))

    def _take(self, event: RefuteEvent) -> None:
        match event:
            case RefutePlanned():
                self._planned(event)
            case SkepticOpened():
                self._opened(event)
            case SkepticReplied():
                self._replied(event)
            case ToolReturned():
                self._returned(event)
            case SkepticEnded():
                self._skeptic(event)
            case RefuteEnded():
                self._ended(event.result)

    def _planned(self, event: RefutePlanned) -> None:
        self._run_id, plan = event.run_id, event.plan
        self._models = {place: plan.route(place).model for place in range(1, plan.n + 1)}
        row = {
            "run_id": event.run_id,
            "started_at": now(),
            "version": version("claimjury"),
            "prompt_version": PROMPT_VERSION,
            "claim": plan.claim if self._keep else None,
            "claim_hash": self._hash(digest(plan.claim)),
            "nonce": plan.nonce if self._keep else "",
            "host": ", ".join(plan.jury.hosts),
            "n": plan.n,
            "request": json.dumps(self._request(plan)),
            "content_kept": self._keep,
        }
        with self._ledger.commit():
            self._insert("refutations", row)
            self._evidence(plan.jury.sources, plan.jury.request.reference)
            self._index(plan.claim)

    def _request(self, plan: RefutePlan) -> dict[str, object]:
        request = {name: getattr(plan.jury.request, name) for name in _RULES}
        return {**request, "models": list(self._models.values()), "allowance": plan.allowance}

    def _opened(self, event: SkepticOpened) -> None:
        with self._commit():
            row = {
                "run_id": self._run_id,
                "place": event.place,
                "tools": event.tools,
                "model": self._models[event.place],
                "given": json.dumps(event.given) if self._keep else None,
                "bytes": event.prompt.bytes,
                "system_sha256": self._text(event.prompt.system),
                "user_sha256": self._text(event.prompt.user),
            }
            self._insert("openings", row)

    def _replied(self, event: SkepticReplied) -> None:
        with self._commit():
            row = {
                "run_id": self._run_id,
                "place": event.place,
                "turn": event.turn,
                "arrived_at": now(),
                "sent_bytes": event.sent_bytes,
                "calls_sha256": self._text(json.dumps([asdict(call) for call in event.answer.tool_calls])),
                **self._answer(event.answer),
            }
            self._insert("messages", row)

    def _returned(self, event: ToolReturned) -> None:
        looked = [asdict(row) for row in event.reply.looked]
        with self._commit():
            row = {
                "run_id": self._run_id,
                "place": event.place,
                "turn": event.turn,
                "position": event.position,
                # A model may write half a surrogate pair, which SQLite takes no text with.
                "name": show_harmful(event.call.name) if self._keep else "",
                "failed": event.reply.failed,
                "looked": json.dumps(looked) if self._keep else None,
                "text_sha256": self._text(event.reply.text),
            }
            self._insert("tool_calls", row)

    def _skeptic(self, event: SkepticEnded) -> None:
        one = event.skeptic
        record = one.to_json()
        if not self._keep:
            record = {name: value for name, value in record.items() if name not in _CONTENT}
        with self._commit():
            row = {
                "run_id": self._run_id,
                "place": one.place,
                "angle": one.angle,
                "model": one.model,
                "family": one.family,
                "refuted": one.refuted,
                "grounds": one.grounds,
                "ended_at": now(),
                "record": json.dumps(record),
            }
            self._insert("skeptics", row)

    def _ended(self, result: RefuteResult) -> None:
        with self._commit():
            row = {
                "run_id": self._run_id,
                "ended_at": now(),
                "status": result.status,
                "exit_status": result.exit_status,
                "verdict": result.verdict,
                "summary": f"{result.verdict}: {result.refuted} of {result.n} skeptics refute",
                "scripted": bool(result.scripted),
                "result": json.dumps(result.to_json()) if self._keep else None,
            }
            self._insert("refutation_results", row)
            self._index("\n".join(one.reason for one in result.skeptics))
