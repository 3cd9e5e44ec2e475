"""The ledger's schema, as ordered, named migrations. docs/ledger.md describes each table.

Append-only: a row is never changed. What happens later (a reply, a result, a run that is forgotten) is a row of its own;
only `forget` and `prune` delete, and leave a tombstone with the hashes of what was there. `spending` names no run and
outlives it: what was paid for is paid for.
"""

from __future__ import annotations

from typing import Final

__all__ = ["MIGRATIONS"]

MIGRATIONS: Final[tuple[tuple[str, str], ...]] = (
    (
        "0001_runs",
        """
        CREATE TABLE content (
            sha256 TEXT PRIMARY KEY,
            size INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
        CREATE TABLE runs (
            run_id TEXT PRIMARY KEY,
            started_at TEXT NOT NULL,
            version TEXT NOT NULL,
            prompt_version TEXT NOT NULL,
            question TEXT NOT NULL,
            nonce TEXT NOT NULL,
            system_sha256 TEXT NOT NULL,
            user_sha256 TEXT NOT NULL,
            prompt_sha256 TEXT NOT NULL,
            host TEXT NOT NULL,
            min_refute_votes INTEGER NOT NULL,
            request TEXT NOT NULL,
            params TEXT NOT NULL,
            asked TEXT NOT NULL,
            content_kept INTEGER NOT NULL,
            resumed_from TEXT
        ) STRICT;
        CREATE INDEX runs_by_question ON runs (question);
        CREATE INDEX runs_by_start ON runs (started_at);
        CREATE TABLE claims (
            run_id TEXT NOT NULL,
            position INTEGER NOT NULL,
            claim_id TEXT NOT NULL,
            statement TEXT,
            statement_hash TEXT NOT NULL,
            question TEXT NOT NULL,
            PRIMARY KEY (run_id, position)
        ) STRICT;
        CREATE INDEX claims_by_question ON claims (question);
        CREATE TABLE evidence (
            run_id TEXT NOT NULL,
            position INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('source', 'diff', 'reference')),
            name TEXT,
            origin TEXT,
            encoding TEXT,
            size INTEGER NOT NULL,
            lines INTEGER NOT NULL,
            file_sha256 TEXT NOT NULL,
            content_sha256 TEXT NOT NULL,
            PRIMARY KEY (run_id, position)
        ) STRICT;
        CREATE TABLE replies (
            run_id TEXT NOT NULL,
            model TEXT NOT NULL,
            turn INTEGER NOT NULL,
            arrived_at TEXT NOT NULL,
            text_sha256 TEXT NOT NULL,
            thinking_sha256 TEXT NOT NULL,
            provenance TEXT NOT NULL,
            PRIMARY KEY (run_id, model, turn)
        ) STRICT;
        CREATE TABLE seats (
            run_id TEXT NOT NULL,
            model TEXT NOT NULL,
            family TEXT NOT NULL,
            included INTEGER NOT NULL,
            exclude_reason TEXT,
            ended_at TEXT NOT NULL,
            record TEXT NOT NULL,
            PRIMARY KEY (run_id, model)
        ) STRICT;
        CREATE TABLE results (
            run_id TEXT PRIMARY KEY,
            ended_at TEXT NOT NULL,
            status TEXT NOT NULL,
            exit_status INTEGER NOT NULL,
            summary TEXT NOT NULL,
            weak INTEGER NOT NULL,
            scripted INTEGER NOT NULL,
            result TEXT
        ) STRICT;
        CREATE TABLE verdicts (
            run_id TEXT NOT NULL,
            claim_id TEXT NOT NULL,
            verdict TEXT NOT NULL,
            confidence TEXT NOT NULL,
            standing TEXT,
            confirm_votes INTEGER NOT NULL,
            refute_votes INTEGER NOT NULL,
            uncertain_votes INTEGER NOT NULL,
            PRIMARY KEY (run_id, claim_id)
        ) STRICT;
        CREATE TABLE votes (
            run_id TEXT NOT NULL,
            model TEXT NOT NULL,
            claim_id TEXT NOT NULL,
            verdict TEXT NOT NULL,
            severity TEXT NOT NULL,
            counted INTEGER NOT NULL,
            rationale TEXT,
            PRIMARY KEY (run_id, model, claim_id)
        ) STRICT;
        CREATE TABLE tombstones (
            run_id TEXT PRIMARY KEY,
            forgotten_at TEXT NOT NULL,
            started_at TEXT NOT NULL,
            reason TEXT NOT NULL,
            hashes TEXT NOT NULL
        ) STRICT;
        CREATE VIRTUAL TABLE search USING fts5 (run_id UNINDEXED, body);
        """,
    ),
    (
        "0002_spending",
        """
        CREATE TABLE spending (
            reservation TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('held', 'spent')),
            at TEXT NOT NULL,
            tokens INTEGER NOT NULL,
            cost_usd REAL,
            PRIMARY KEY (reservation, kind)
        ) STRICT;
        CREATE INDEX spending_by_time ON spending (at);
        """,
    ),
    (
        "0003_refutations",
        """
        CREATE TABLE refutations (
            run_id TEXT PRIMARY KEY,
            started_at TEXT NOT NULL,
            version TEXT NOT NULL,
            prompt_version TEXT NOT NULL,
            claim TEXT,
            claim_hash TEXT NOT NULL,
            nonce TEXT NOT NULL,
            host TEXT NOT NULL,
            n INTEGER NOT NULL,
            request TEXT NOT NULL,
            content_kept INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX refutations_by_start ON refutations (started_at);
        CREATE TABLE openings (
            run_id TEXT NOT NULL,
            place INTEGER NOT NULL,
            tools INTEGER NOT NULL,
            model TEXT NOT NULL,
            given TEXT,
            bytes INTEGER NOT NULL,
            system_sha256 TEXT NOT NULL,
            user_sha256 TEXT NOT NULL,
            PRIMARY KEY (run_id, place, tools)
        ) STRICT;
        CREATE TABLE messages (
            run_id TEXT NOT NULL,
            place INTEGER NOT NULL,
            turn INTEGER NOT NULL,
            arrived_at TEXT NOT NULL,
            sent_bytes INTEGER NOT NULL,
            text_sha256 TEXT NOT NULL,
            thinking_sha256 TEXT NOT NULL,
            calls_sha256 TEXT NOT NULL,
            provenance TEXT NOT NULL,
            PRIMARY KEY (run_id, place, turn)
        ) STRICT;
        CREATE TABLE tool_calls (
            run_id TEXT NOT NULL,
            place INTEGER NOT NULL,
            turn INTEGER NOT NULL,
            position INTEGER NOT NULL,
            name TEXT NOT NULL,
            failed INTEGER NOT NULL,
            looked TEXT,
            text_sha256 TEXT NOT NULL,
            PRIMARY KEY (run_id, place, turn, position)
        ) STRICT;
        CREATE TABLE skeptics (
            run_id TEXT NOT NULL,
            place INTEGER NOT NULL,
            angle TEXT NOT NULL,
            model TEXT NOT NULL,
            family TEXT NOT NULL,
            refuted INTEGER NOT NULL,
            grounds TEXT NOT NULL,
            ended_at TEXT NOT NULL,
            record TEXT NOT NULL,
            PRIMARY KEY (run_id, place)
        ) STRICT;
        CREATE TABLE refutation_results (
            run_id TEXT PRIMARY KEY,
            ended_at TEXT NOT NULL,
            status TEXT NOT NULL,
            exit_status INTEGER NOT NULL,
            verdict TEXT NOT NULL,
            summary TEXT NOT NULL,
            scripted INTEGER NOT NULL,
            result TEXT
        ) STRICT;
        CREATE VIEW all_runs AS
            SELECT runs.run_id, 'verify' AS kind, started_at, host, coalesce(status, 'unfinished') AS status,
                exit_status, summary, scripted,
                (SELECT count(*) FROM claims WHERE claims.run_id = runs.run_id) AS claims
            FROM runs LEFT JOIN results USING (run_id)
            UNION ALL
            SELECT run_id, 'refute', started_at, host, coalesce(status, 'unfinished'), exit_status, summary, scripted, 1
            FROM refutations LEFT JOIN refutation_results USING (run_id);
        """,
    ),
    (
        "0004_settled_claims",
        """
        ALTER TABLE claims ADD COLUMN settled_by TEXT;
        ALTER TABLE claims ADD COLUMN settlement TEXT;
        """,
    ),
)
