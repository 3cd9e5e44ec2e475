"""Spending: what a day's runs have taken, over all surfaces, against the caps of the user's settings.

A run sets its worst case aside before it asks, in the same transaction that looks at the caps, and puts what it took in
its place when it ends. So two runs at once do not pass a cap together, and one that was killed counts as its worst case.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from claimjury.errors import BudgetExceeded, InvalidRequest
from claimjury.jury.budget import Spent
from claimjury.jury.events import Event, RunEnded
from claimjury.ledger.store import Ledger, LedgerUnusable

__all__ = ["Caps", "Spending", "Today", "spent_today"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """What the runs of one day (UTC) may take together; None is no cap.

    Attributes:
        cost_usd: US dollars.
        tokens: Prompts and answers together.
        runs: Runs started.
    """

    cost_usd: float | None = None
    tokens: int | None = None
    runs: int | None = None

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return self != Caps()


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """What today's runs have taken, running ones and those that never ended by their worst case.

    Attributes:
        unpriced: Runs of unknown cost.
    """

    runs: int
    tokens: int
    cost_usd: float
    unpriced: int


class Spending:
    """The spending of one run."""

    def __init__(self, ledger: Ledger, caps: Caps) -> None:
        """Count into `ledger`, against `caps`."""
        self._ledger = ledger
        self._caps = caps
        self._reservation = secrets.token_hex(8)
        self._admitted = False

    def admit(self, worst: Spent) -> None:
        """Set the worst case of a run aside.

        Raises:
            BudgetExceeded: A cap of the day does not have room for it.
            InvalidRequest: The cap is in dollars, and the run's price is not known.
            LedgerUnusable: There are caps, and the ledger cannot be written, so nothing could be counted.
        """
        try:
            with self._ledger.commit() as rows:
                self._refuse(spent_today(rows), worst)
                self._write(rows, "held", worst)
            self._admitted = True
        except (sqlite3.Error, OSError) as error:
            if self._caps.any:
                raise LedgerUnusable(
                    f"The daily caps cannot be counted: {error}.",
                    hint="Mend the ledger, or take the caps out of your settings.",
                ) from error

    def record(self, event: Event, /) -> None:
        """Put what a run took in the place of its worst case, when it ends."""
        if isinstance(event, RunEnded):
            self.settle(event.spent)

    def settle(self, spent: Spent) -> None:
        """Put what a run took in the place of its worst case."""
        if not self._admitted:
            return
        # A ledger that cannot be written costs no verdict; the run then counts as its worst case.
        with suppress(sqlite3.Error, OSError), self._ledger.commit() as rows:
            self._write(rows, "spent", spent)

    def _write(self, rows: sqlite3.Connection, kind: str, spent: Spent) -> None:
        row = (self._reservation, kind, _now(), spent.tokens, spent.cost_usd)
        rows.execute("INSERT INTO spending VALUES (?, ?, ?, ?, ?)", row)

    def _refuse(self, today: Today, worst: Spent) -> None:
        caps = self._caps
        if caps.runs is not None and today.runs + 1 > caps.runs:
            raise _over(f"daily_runs is {caps.runs}, and {today.runs} were started today")
        if caps.tokens is not None and today.tokens + worst.tokens > caps.tokens:
            raise _over(
                f"daily_tokens is {caps.tokens:,}; today took {today.tokens:,}, and this run may take {worst.tokens:,}"
            )
        if caps.cost_usd is None:
            return
        if worst.cost_usd is None or today.unpriced:
            raise InvalidRequest(
                "daily_cost is set, and the price of "
                f"{'this run' if worst.cost_usd is None else 'a run of today'} is not known, so it cannot be counted.",
                hint="Use daily_tokens in your settings instead.",
            )
        if today.cost_usd + worst.cost_usd > caps.cost_usd:
            raise _over(
                f"daily_cost is ${caps.cost_usd:,.2f}; today cost ${today.cost_usd:,.2f}, and this run may cost "
                f"${worst.cost_usd:,.2f}"
            )


def spent_today(rows: sqlite3.Connection) -> Today:
    """Give what the runs of this day (UTC) have taken."""
    # A run belongs to the day on which it began.
    row = rows.execute(
        """
        SELECT count(*) AS runs,
               coalesce(sum(coalesce(spent.tokens, held.tokens)), 0) AS tokens,
               coalesce(sum(CASE WHEN spent.tokens IS NULL THEN held.cost_usd ELSE spent.cost_usd END), 0.0) AS cost,
               coalesce(sum(CASE WHEN spent.tokens IS NULL THEN held.cost_usd IS NULL ELSE spent.cost_usd IS NULL END), 0)
                   AS unpriced
        FROM spending AS held
        LEFT JOIN spending AS spent ON spent.reservation = held.reservation AND spent.kind = 'spent'
        WHERE held.kind = 'held' AND held.at >= ?
        """,
        (f"{datetime.now(UTC):%Y-%m-%d}",),
    ).fetchone()
    return Today(runs=row["runs"], tokens=row["tokens"], cost_usd=row["cost"], unpriced=row["unpriced"])


def _over(what: str) -> BudgetExceeded:
    return BudgetExceeded(
        f"{what}. Nothing was sent.", hint="Wait for tomorrow (UTC), or raise it in your settings."
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
