"""Forgetting: a run's content deleted for good, its hashes kept on a tombstone, so that a gap is never silent."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Final

from claimjury.ledger.store import Ledger

__all__ = ["forget_run", "prune_runs"]

_TABLES: Final = ("claims", "evidence", "replies", "seats", "results", "verdicts", "votes", "search", "runs")
_USED: Final = """
    SELECT system_sha256 FROM runs UNION SELECT user_sha256 FROM runs UNION SELECT content_sha256 FROM evidence
    UNION SELECT text_sha256 FROM replies UNION SELECT thinking_sha256 FROM replies
"""


def forget_run(ledger: Ledger, run_id: str, *, reason: str = "forget") -> None:
    """Delete a run and what only it used; leave a tombstone with its hashes. Not to be undone."""
    with ledger.commit() as rows:
        run = rows.execute("SELECT * FROM runs WHERE run_id = ?", (run_id,)).fetchone()
        hashes = {
            "question": run["question"],
            "prompt": run["prompt_sha256"],
            "evidence": [
                row[0] for row in rows.execute("SELECT file_sha256 FROM evidence WHERE run_id = ?", (run_id,))
            ],
            "replies": [
                row[0] for row in rows.execute("SELECT text_sha256 FROM replies WHERE run_id = ?", (run_id,))
            ],
        }
        rows.execute(
            "INSERT INTO tombstones VALUES (?, ?, ?, ?, ?)",
            (
                run_id,
                datetime.now(UTC).isoformat(timespec="milliseconds"),
                run["started_at"],
                reason,
                json.dumps(hashes),
            ),
        )
        for table in _TABLES:
            rows.execute(f"DELETE FROM {table} WHERE run_id = ?", (run_id,))  # noqa: S608 - names of this file.
        rows.execute(f"DELETE FROM content WHERE sha256 NOT IN ({_USED})")  # noqa: S608 - a constant.
    # What was deleted is overwritten in the file (secure_delete); the write-ahead log still holds it until here.
    ledger.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def prune_runs(ledger: Ledger, *, older_than_days: float) -> list[str]:
    """Forget every run that started more than so many days ago; give their ids, the oldest first."""
    limit = (datetime.now(UTC) - timedelta(days=older_than_days)).isoformat(timespec="milliseconds")
    rows = ledger.connection.execute(
        "SELECT run_id FROM runs WHERE started_at < ? ORDER BY started_at", (limit,)
    )
    gone = [str(row["run_id"]) for row in rows.fetchall()]
    for run_id in gone:
        forget_run(ledger, run_id, reason=f"prune --older-than {older_than_days:g}")
    return gone
