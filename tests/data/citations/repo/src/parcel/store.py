"""Keep parcels in SQLite."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager

SCHEMA = """
CREATE TABLE IF NOT EXISTS parcel (
    serial TEXT PRIMARY KEY,
    carrier TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'announced',
    updated_at REAL NOT NULL
)
"""


class ParcelStore:
    def __init__(self, path=":memory:"):
        self._db = sqlite3.connect(path)
        self._db.row_factory = sqlite3.Row
        self._db.execute(SCHEMA)

    @contextmanager
    def transaction(self):
        try:
            yield self._db
        except Exception:
            self._db.rollback()
            raise
        self._db.commit()

    def upsert(self, serial, carrier, state, now):
        with self.transaction() as db:
            db.execute(
                "INSERT INTO parcel VALUES (?, ?, ?, ?) "
                "ON CONFLICT(serial) DO UPDATE SET state = excluded.state, "
                "updated_at = excluded.updated_at",
                (serial, carrier, state, now),
            )

    def find(self, serial):
        row = self._db.execute(
            "SELECT * FROM parcel WHERE serial = ?", (serial,)
        ).fetchone()
        return dict(row) if row else None

    def stale_since(self, moment):
        rows = self._db.execute(
            "SELECT serial FROM parcel WHERE updated_at < ? ORDER BY serial", (moment,)
        )
        return [row["serial"] for row in rows]

    def close(self):
        self._db.close()
