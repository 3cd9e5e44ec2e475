"""Reading: runs listed, searched, shown whole, and the questions that were asked before."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from claimjury.errors import InvalidRequest, UnknownRun
from claimjury.jury.result import SeatResult, VerifyResult
from claimjury.ledger.store import Ledger
from claimjury.models.answers import Answer
from claimjury.settlers.outcome import Settlement

__all__ = [
    "EvidenceRecord",
    "Kind",
    "PriorVerdict",
    "RunLine",
    "StoredRun",
    "find_run",
    "kind_of",
    "list_runs",
    "load_answer",
    "load_evidence",
    "load_run",
    "prior_verdicts",
    "search_runs",
    "successor_of",
    "unknown",
]

Kind = Literal["verify", "refute"]
"""The engine: a jury, or skeptics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """One run, as a list shows it. `exit_status` and `summary` are None where it did not end."""

    run_id: str
    kind: Kind
    started_at: str
    status: str
    claims: int
    exit_status: int | None
    summary: str | None
    scripted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRecord:
    """One source, diff or reference of a run. `text` is None where content was not kept."""

    kind: str
    name: str | None
    origin: str | None
    file_sha256: str
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """A run as it is kept.

    Attributes:
        row: The row of `runs`.
        claims: Id and statement of each that jurors were asked about, in order; a statement is None where content was not
            kept.
        settlements: What settlers said of each claim, in the order of all of them; empty where none was asked.
        evidence: In the order of the prompt.
        replies: By model, in the order of their turns.
        seats: Seats that ended, in the panel's order, then those of stand-ins.
        result: What it came to, or None where it did not end or content was not kept.
        ended: The row of `results` without the result, or None where it did not end.
        system: The rules as sent, or None where content was not kept.
        user: The rest of the prompt as sent, or None where content was not kept.
    """

    row: dict[str, Any]
    claims: tuple[tuple[str, str | None], ...]
    settlements: tuple[Settlement, ...]
    evidence: tuple[EvidenceRecord, ...]
    replies: dict[str, tuple[Answer, ...]]
    seats: tuple[SeatResult, ...]
    result: VerifyResult | None
    ended: dict[str, Any] | None
    system: str | None
    user: str | None

    @property
    def request(self) -> dict[str, Any]:
        """What was asked, beside claims and evidence."""
        value: dict[str, Any] = json.loads(self.row["request"])
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorVerdict:
    """What an earlier run said of the same question."""

    run_id: str
    ended_at: str
    verdict: str
    scripted: bool


def list_runs(ledger: Ledger, *, limit: int = 20) -> list[RunLine]:
    """Give the last runs, the newest first."""
    rows = ledger.connection.execute(
        "SELECT * FROM all_runs ORDER BY started_at DESC, run_id DESC LIMIT ?", (limit,)
    )
    return [_line(row) for row in rows]


def search_runs(ledger: Ledger, text: str, *, limit: int = 20) -> list[RunLine]:
    """Give the runs in whose claims, rationales or reasons all words of `text` stand, the newest first."""
    words = " ".join(f'"{word.replace(chr(34), chr(34) * 2)}"' for word in text.split())
    if not words:
        return []
    chosen = "WHERE run_id IN (SELECT run_id FROM search WHERE search MATCH ?)"
    query = f"SELECT * FROM all_runs {chosen} ORDER BY started_at DESC LIMIT ?"  # noqa: S608 - a constant.
    return [_line(row) for row in ledger.connection.execute(query, (words, limit))]


def find_run(ledger: Ledger, prefix: str) -> str:
    """Give the one run whose id begins with `prefix`; `last` is the newest.

    Raises:
        UnknownRun: There is none, it was forgotten, or there are several.
    """
    if not prefix.strip():
        raise UnknownRun(
            "The id of the run is empty.",
            hint="Check the variable that it came from; `claimjury runs` lists them.",
        )
    if prefix == "last":
        newest = list_runs(ledger, limit=1)
        if newest:
            return newest[0].run_id
    pattern = prefix.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    found = [
        row["run_id"]
        for row in ledger.connection.execute(
            "SELECT run_id FROM all_runs WHERE run_id LIKE ? ESCAPE '\\' LIMIT 3", (pattern,)
        )
    ]
    if len(found) == 1 or prefix in found:
        return prefix if prefix in found else str(found[0])
    if found:
        raise UnknownRun(
            f"Several runs begin with {prefix!r}: {', '.join(found)}.", hint="Give more of the id."
        )
    raise unknown(ledger, prefix)


def kind_of(ledger: Ledger, run_id: str) -> Kind:
    """Give whose run it is.

    Raises:
        UnknownRun: It is not there, or not any more.
    """
    row = ledger.connection.execute("SELECT kind FROM all_runs WHERE run_id = ?", (run_id,)).fetchone()
    if row is None:
        raise unknown(ledger, run_id)
    kind: Kind = row["kind"]
    return kind


def load_run(ledger: Ledger, run_id: str) -> StoredRun:
    """Give a run of a jury whole, as it was at one moment.

    Raises:
        UnknownRun: It is not there, or not any more.
        InvalidRequest: It is a run of skeptics.
    """
    with ledger.snapshot() as rows:
        row = rows.execute("SELECT * FROM runs WHERE run_id = ?", (run_id,)).fetchone()
        if row is None and kind_of(ledger, run_id) == "refute":
            raise InvalidRequest(
                f"The run {run_id} is one of skeptics: it has one verdict by a fixed rule, and no votes of a jury.",
                hint=f"`claimjury runs show {run_id}` shows it; runs export and receipt verify count it again.",
            )
        return _load(ledger, dict(row))


def _load(ledger: Ledger, row: dict[str, Any]) -> StoredRun:
    rows, run_id = ledger.connection, row["run_id"]
    ended = rows.execute("SELECT * FROM results WHERE run_id = ?", (run_id,)).fetchone()
    claims = rows.execute("SELECT * FROM claims WHERE run_id = ? ORDER BY position", (run_id,)).fetchall()
    return StoredRun(
        row=row,
        claims=tuple((claim["claim_id"], claim["statement"]) for claim in claims if claim["question"]),
        settlements=tuple(
            Settlement.model_validate_json(claim["settlement"]) for claim in claims if claim["settlement"]
        ),
        evidence=load_evidence(ledger, run_id),
        replies=_replies(ledger, run_id),
        seats=_seats(ledger, run_id, json.loads(row["request"])["panel"]),
        result=None
        if ended is None or ended["result"] is None
        else VerifyResult.model_validate_json(ended["result"]),
        ended=None if ended is None else {name: ended[name] for name in ended.keys() if name != "result"},  # noqa: SIM118 - a Row is no mapping.
        system=ledger.get(row["system_sha256"]),
        user=ledger.get(row["user_sha256"]),
    )


def prior_verdicts(
    ledger: Ledger, questions: Sequence[str], *, before: str | None = None
) -> list[tuple[PriorVerdict, ...]]:
    """Give, for each claim's question, what earlier runs said of it, the newest first; `before` leaves a run out."""
    query = """
        SELECT claims.run_id, ended_at, verdict, scripted FROM claims
        JOIN verdicts ON verdicts.run_id = claims.run_id AND verdicts.claim_id = claims.claim_id
        JOIN results ON results.run_id = claims.run_id
        WHERE claims.question IN (?, ?) AND claims.run_id IS NOT ? ORDER BY ended_at DESC LIMIT 20
    """
    return [
        tuple(
            PriorVerdict(
                run_id=row["run_id"],
                ended_at=row["ended_at"],
                verdict=row["verdict"],
                scripted=bool(row["scripted"]),
            )
            for row in ledger.connection.execute(query, (*ledger.hashes_of(question), before))
        )
        for question in questions
    ]


def _line(row: sqlite3.Row) -> RunLine:
    return RunLine(
        run_id=row["run_id"],
        kind=row["kind"],
        started_at=row["started_at"],
        status=row["status"],
        claims=row["claims"],
        exit_status=row["exit_status"],
        summary=row["summary"],
        scripted=bool(row["scripted"]),
    )


def load_evidence(ledger: Ledger, run_id: str) -> tuple[EvidenceRecord, ...]:
    """Give what a run was told of the world, in the order of the prompt."""
    rows = ledger.connection.execute("SELECT * FROM evidence WHERE run_id = ? ORDER BY position", (run_id,))
    return tuple(_evidence(ledger, row) for row in rows)


def _evidence(ledger: Ledger, row: sqlite3.Row) -> EvidenceRecord:
    return EvidenceRecord(
        kind=row["kind"],
        name=row["name"],
        origin=row["origin"],
        file_sha256=row["file_sha256"],
        text=ledger.get(row["content_sha256"]),
    )


def _replies(ledger: Ledger, run_id: str) -> dict[str, tuple[Answer, ...]]:
    rows = ledger.connection.execute(
        "SELECT * FROM replies WHERE run_id = ? ORDER BY model, turn", (run_id,)
    ).fetchall()
    replies: dict[str, tuple[Answer, ...]] = {}
    for row in rows:
        answer = load_answer(ledger, row)
        if answer is not None:
            replies[row["model"]] = (*replies.get(row["model"], ()), answer)
    return replies


def load_answer(ledger: Ledger, row: sqlite3.Row, **more: Any) -> Answer | None:
    """Give what a model said, or None where its text is not kept."""
    text, thinking = ledger.get(row["text_sha256"]), ledger.get(row["thinking_sha256"])
    if text is None:
        return None
    return Answer(text=text, thinking=thinking or "", **json.loads(row["provenance"]), **more)


def _seats(ledger: Ledger, run_id: str, panel: Sequence[str]) -> tuple[SeatResult, ...]:
    rows = ledger.connection.execute("SELECT model, record FROM seats WHERE run_id = ?", (run_id,))
    seats = {row["model"]: SeatResult.model_validate_json(row["record"]) for row in rows}
    order = dict.fromkeys([*panel, *seats])
    return tuple(seats[model] for model in order if model in seats)


def successor_of(ledger: Ledger, run_id: str) -> str | None:
    """Give the run that went on with this one, or None."""
    query = "SELECT run_id FROM runs WHERE resumed_from = ? ORDER BY started_at DESC LIMIT 1"
    row = ledger.connection.execute(query, (run_id,)).fetchone()
    return None if row is None else str(row["run_id"])


def unknown(ledger: Ledger, run_id: str) -> UnknownRun:
    """Give the error of a run that is not there."""
    gone = ledger.connection.execute(
        "SELECT forgotten_at FROM tombstones WHERE run_id = ?", (run_id,)
    ).fetchone()
    if gone is not None:
        return UnknownRun(
            f"The run {run_id} was forgotten at {gone['forgotten_at']}.",
            hint="Its hashes are kept, its content is not.",
        )
    return UnknownRun(f"There is no run {run_id!r} in {ledger.path}.", hint="`claimjury runs` lists them.")
