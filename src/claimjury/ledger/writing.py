"""Writing a run into the ledger as it goes: what both engines' recorders share."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from claimjury.evidence.reference import Reference
from claimjury.evidence.sources import Source
from claimjury.ledger.store import Ledger
from claimjury.models.answers import Answer

__all__ = ["RunWriter", "now"]

_LOG: Final = logging.getLogger("claimjury")


class _Forgotten(Exception):
    """The run was forgotten while it ran: what comes now must not be kept."""


class RunWriter:
    """Writes one run.

    Attributes:
        trouble: Why the run is not kept (any more), or None. Once in trouble it writes no more of this run.
    """

    def __init__(self, ledger: Ledger, *, keep_content: bool) -> None:
        """Write into `ledger`; without content only hashes, counts and verdicts are kept."""
        self.trouble: str | None = None
        self._ledger = ledger
        self._keep = keep_content
        self._run_id = ""

    def _write(self, write: Callable[[], None]) -> None:
        """Do one write; a ledger that cannot be written costs no verdict."""
        if self.trouble is not None:
            return
        try:
            write()
        except _Forgotten as error:
            self.trouble = str(error)
        except Exception as error:  # noqa: BLE001 - a row that is missing must be told, whatever it is missing for.
            self.trouble = str(error)
            _LOG.debug("The ledger took a row no more.", exc_info=True)

    @contextmanager
    def _commit(self) -> Iterator[None]:
        """Write into the run, unless somebody has forgotten it meanwhile."""
        with self._ledger.commit() as rows:
            if rows.execute("SELECT 1 FROM all_runs WHERE run_id = ?", (self._run_id,)).fetchone() is None:
                raise _Forgotten("it was forgotten while it ran")
            yield

    def _text(self, text: str) -> str:
        """Keep a text, or only a keyed hash of it."""
        return self._ledger.put(text) if self._keep else self._ledger.keyed_hash(text)

    def _hash(self, plain: str) -> str:
        """Give a hash as it is, or keyed where content is not kept: a plain one lets its text be guessed."""
        return plain if self._keep else self._ledger.keyed_hash(plain)

    def _answer(self, answer: Answer) -> dict[str, Any]:
        """Keep what a model said; give its columns."""
        provenance = {
            name: value
            for name, value in asdict(answer).items()
            if name not in ("text", "thinking", "tool_calls")
        }
        return {
            "text_sha256": self._text(answer.text),
            "thinking_sha256": self._text(answer.thinking),
            "provenance": json.dumps(provenance),
        }

    def _evidence(self, sources: Sequence[Source], reference: Reference | None) -> None:
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
            for source in sources
        ]
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

    def _index(self, text: str) -> None:
        if self._keep and text:
            self._ledger.connection.execute("INSERT INTO search VALUES (?, ?)", (self._run_id, text))

    def _insert(self, table: str, row: dict[str, Any]) -> None:
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - names of this package, values bound.
        self._ledger.connection.execute(statement, tuple(row.values()))


def now() -> str:
    """Give this moment in UTC, as the ledger has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
