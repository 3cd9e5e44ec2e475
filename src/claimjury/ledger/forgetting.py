"""Forgetting: a run's content deleted for good, its hashes kept on a tombstone, so that a gap is never silent."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Final

from claimjury.ledger.store import Ledger

__all__ = ["forget_run", "prune_runs"]

_TABLES: Final = (
    *("claims", "evidence", "replies", "seats", "results", "verdicts", "votes", "search", "runs"),
    *("openings", "messages", "tool_calls", "skeptics", "refutation_results", "refutations"),
)
_USED: Final = """
    SELECT system_sha256 FROM runs UNION SELECT user_sha256 FROM runs UNION SELECT content_sha256 FROM evidence
    UNION SELECT text_sha256 FROM replies UNION SELECT thinking_sha256 FROM replies
    UNION SELECT system_sha256 FROM openings UNION SELECT user_sha256 FROM openings
    UNION SELECT text_sha256 FROM messages UNION SELECT thinking_sha256 FROM messages
    UNION SELECT calls_sha256 FROM messages UNION SELECT text_sha256 FROM tool_calls
"""

_HASHES: Final = {
    "question": "SELECT question FROM runs WHERE run_id = ?1 UNION SELECT claim_hash FROM refutations WHERE run_id = ?1",
    "prompt": "SELECT prompt_sha256 FROM runs WHERE run_id = ?1 UNION SELECT user_sha256 FROM openings WHERE run_id = ?1",
    "evidence": "SELECT file_sha256 FROM evidence WHERE run_id = ?1",
    "replies": "SELECT text_sha256 FROM replies WHERE run_id = ?1 UNION SELECT text_sha256 FROM messages WHERE run_id = ?1",
}


def forget_run(ledger: Ledger, run_id: str, *, reason: str = "forget") -> bool:
    """Delete a run and what only it used; leave a tombstone with its hashes. Not to be undone.

    Returns:
        Whether the bytes are overwritten in the file too; not yet, where another program is reading it.
    """
    _forget(ledger, run_id, reason)
    return _overwrite(ledger)


def prune_runs(ledger: Ledger, *, older_than_days: float) -> tuple[list[str], bool]:
    """Forget every run that started more than so many days ago.

    Returns:
        Their ids, the oldest first, and whether the bytes are overwritten too.
    """
    limit = (datetime.now(UTC) - timedelta(days=older_than_days)).isoformat(timespec="milliseconds")
    rows = ledger.connection.execute(
        "SELECT run_id FROM all_runs WHERE started_at < ? ORDER BY started_at", (limit,)
    )
    old = [str(row["run_id"]) for row in rows.fetchall()]
    reason = f"prune --older-than {older_than_days:g}"
    return [run_id for run_id in old if _forget(ledger, run_id, reason)], _overwrite(ledger)


def _forget(ledger: Ledger, run_id: str, reason: str) -> bool:
    """Delete a run; tell whether it was there still, since another process may forget it at the same time."""
    with ledger.commit() as rows:
        run = rows.execute("SELECT started_at FROM all_runs WHERE run_id = ?", (run_id,)).fetchone()
        if run is None:
            return False
        hashes = {name: _column(ledger, query, run_id) for name, query in _HASHES.items()}
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        tombstone = (run_id, now, run["started_at"], reason, json.dumps(hashes))
        rows.execute("INSERT INTO tombstones VALUES (?, ?, ?, ?, ?)", tombstone)
        for table in _TABLES:
            rows.execute(f"DELETE FROM {table} WHERE run_id = ?", (run_id,))  # noqa: S608 - names of this file.
        rows.execute(f"DELETE FROM content WHERE sha256 NOT IN ({_USED})")  # noqa: S608 - a constant.
    return True


def _column(ledger: Ledger, query: str, run_id: str) -> list[str]:
    return [str(row[0]) for row in ledger.connection.execute(query, (run_id,))]


def _overwrite(ledger: Ledger) -> bool:
    """Overwrite what was deleted: rows are (secure_delete), the full-text index keeps its words until it is rebuilt,
    and the write-ahead log keeps everything until it is emptied, which waits for other readers.
    """
    with ledger.commit() as rows:
        rows.execute("INSERT INTO search (search) VALUES ('rebuild')")
    busy, *_ = ledger.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy
