"""Reading runs of skeptics: each with what every skeptic was told, said and read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from claimjury.ledger.reading import EvidenceRecord, load_answer, load_evidence, unknown
from claimjury.ledger.store import Ledger
from claimjury.models.answers import Answer, ToolCall
from claimjury.skeptics.result import RefuteResult, SkepticResult
from claimjury.skeptics.tools.replies import Looked

__all__ = ["StoredCall", "StoredOpening", "StoredRefutation", "StoredTurn", "load_refutation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredOpening:
    """What a skeptic was told first. The texts are None where content was not kept."""

    place: int
    tools: bool
    given: tuple[str, ...]
    bytes: int
    system: str | None
    user: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCall:
    """What a tool answered to the call at this position of a message. `text` is what left for the host."""

    position: int
    failed: bool
    looked: tuple[Looked, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTurn:
    """A message of a skeptic, and what its calls gave."""

    sent_bytes: int
    answer: Answer
    calls: tuple[StoredCall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRefutation:
    """A run of skeptics as it is kept.

    Attributes:
        row: The row of `refutations`.
        openings: In the order of places; of one place, the later is of a model that takes no tools.
        turns: By place, in their order; empty where content was not kept.
        skeptics: Those that ended; empty where content was not kept.
        result: What it came to, or None where it did not end or content was not kept.
        ended: The row of `refutation_results` without the result, or None where it did not end.
    """

    row: dict[str, Any]
    evidence: tuple[EvidenceRecord, ...]
    openings: tuple[StoredOpening, ...]
    turns: dict[int, tuple[StoredTurn, ...]]
    skeptics: tuple[SkepticResult, ...]
    result: RefuteResult | None
    ended: dict[str, Any] | None

    @property
    def request(self) -> dict[str, Any]:
        """Who was asked, by place, and within which limits."""
        value: dict[str, Any] = json.loads(self.row["request"])
        return value


def load_refutation(ledger: Ledger, run_id: str) -> StoredRefutation:
    """Give a run of skeptics whole, as it was at one moment.

    Raises:
        UnknownRun: It is not there, or not any more.
    """
    with ledger.snapshot() as rows:
        row = rows.execute("SELECT * FROM refutations WHERE run_id = ?", (run_id,)).fetchone()
        if row is None:
            raise unknown(ledger, run_id)
        ended = rows.execute("SELECT * FROM refutation_results WHERE run_id = ?", (run_id,)).fetchone()
        kept = bool(row["content_kept"])
        return StoredRefutation(
            row=dict(row),
            evidence=load_evidence(ledger, run_id),
            openings=_openings(ledger, run_id),
            turns=_turns(ledger, run_id) if kept else {},
            skeptics=_skeptics(ledger, run_id) if kept else (),
            result=RefuteResult.model_validate_json(ended["result"]) if ended and ended["result"] else None,
            ended={name: ended[name] for name in ended.keys() if name != "result"} if ended else None,  # noqa: SIM118 - a Row is no mapping.
        )


def _openings(ledger: Ledger, run_id: str) -> tuple[StoredOpening, ...]:
    query = "SELECT * FROM openings WHERE run_id = ? ORDER BY place, tools DESC"
    return tuple(
        StoredOpening(
            place=row["place"],
            tools=bool(row["tools"]),
            given=tuple(json.loads(row["given"] or "[]")),
            bytes=row["bytes"],
            system=ledger.get(row["system_sha256"]),
            user=ledger.get(row["user_sha256"]),
        )
        for row in ledger.connection.execute(query, (run_id,))
    )


def _turns(ledger: Ledger, run_id: str) -> dict[int, tuple[StoredTurn, ...]]:
    calls = _calls(ledger, run_id)
    turns: dict[int, tuple[StoredTurn, ...]] = {}
    query = "SELECT * FROM messages WHERE run_id = ? ORDER BY place, turn"
    for row in ledger.connection.execute(query, (run_id,)).fetchall():
        made = calls.get((row["place"], row["turn"]), ())
        asked = json.loads(ledger.get(row["calls_sha256"]) or "[]")
        answer = load_answer(ledger, row, tool_calls=tuple(ToolCall(**call) for call in asked))
        if answer is not None:
            turn = StoredTurn(sent_bytes=row["sent_bytes"], answer=answer, calls=made)
            turns[row["place"]] = (*turns.get(row["place"], ()), turn)
    return turns


def _calls(ledger: Ledger, run_id: str) -> dict[tuple[int, int], tuple[StoredCall, ...]]:
    calls: dict[tuple[int, int], tuple[StoredCall, ...]] = {}
    query = "SELECT * FROM tool_calls WHERE run_id = ? ORDER BY place, turn, position"
    for row in ledger.connection.execute(query, (run_id,)).fetchall():
        one = StoredCall(
            position=row["position"],
            failed=bool(row["failed"]),
            looked=tuple(_looked(said) for said in json.loads(row["looked"] or "[]")),
            text=ledger.get(row["text_sha256"]) or "",
        )
        place = (row["place"], row["turn"])
        calls[place] = (*calls.get(place, ()), one)
    return calls


def _looked(said: dict[str, Any]) -> Looked:
    return Looked(**{**said, "files": tuple(said["files"])})


def _skeptics(ledger: Ledger, run_id: str) -> tuple[SkepticResult, ...]:
    rows = ledger.connection.execute("SELECT record FROM skeptics WHERE run_id = ? ORDER BY place", (run_id,))
    return tuple(SkepticResult.model_validate_json(row["record"]) for row in rows)
