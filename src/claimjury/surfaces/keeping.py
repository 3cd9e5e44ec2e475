"""Keeping a run: the ledger opened for a command, its trouble told, and never a verdict lost to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from claimjury.errors import InvalidRequest
from claimjury.jury.budget import Spent
from claimjury.jury.events import Earlier, Event, Recorder
from claimjury.jury.plan import Plan
from claimjury.jury.result import VerifyResult
from claimjury.ledger.asked_before import earlier_result, with_prior_runs
from claimjury.ledger.reading import StoredRun, find_run, load_run, successor_of
from claimjury.ledger.recorder import LedgerRecorder
from claimjury.ledger.spending import Caps, Spending
from claimjury.ledger.store import Ledger, LedgerUnusable, open_ledger, readable
from claimjury.models.routes import Access
from claimjury.settings.model import Settings
from claimjury.surfaces.cli.streams import say

__all__ = ["NOT_KEPT", "Keeper", "keeping"]


@dataclass(frozen=True, slots=True)
class _Both:
    """Two recorders as one."""

    first: Recorder
    second: Recorder

    def record(self, event: Event, /) -> None:
        """Take one event, the keeper first: what is shown is safe already."""
        self.first.record(event)
        self.second.record(event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    """What a command may do with the ledger.

    Attributes:
        ledger: The open ledger, or None where runs are not kept.
        recorder: What keeps this run, or None.
        spending: What counts this run against the caps of the day, or None.
        trouble: Why the ledger could not be opened, though it was wanted.
    """

    ledger: Ledger | None = None
    recorder: LedgerRecorder | None = None
    spending: Spending | None = None
    trouble: LedgerUnusable | None = None

    def listen(self, screen: Recorder) -> Recorder:
        """Give the recorder of a run that is shown on `screen`."""
        for keeper in (self.spending, self.recorder):
            if keeper is not None:
                screen = _Both(keeper, screen)
        return screen

    def admit(self, worst: Spent) -> None:
        """Count a run against the caps of the day before it asks anybody.

        Raises:
            ClaimjuryError: A cap has no room for it, or cannot be counted.
        """
        if self.spending is not None:
            self.spending.admit(worst)

    def resumed(self, prefix: str, access: Access, *, deadline_s: float | None) -> tuple[Plan, Earlier]:
        """Give the plan of a kept run and what it had heard.

        Raises:
            ClaimjuryError: There is no ledger, no such run, or it cannot go on.
        """
        from claimjury.ledger.resuming import plan_again

        ledger = self._wanted()
        with readable(ledger):
            run_id = find_run(ledger, prefix)
            if successor := successor_of(ledger, run_id):
                raise InvalidRequest(
                    f"The run {run_id} went on as {successor}.",
                    hint=f"Go on with that one, or look at it: `claimjury runs show {successor}`.",
                )
            return plan_again(load_run(ledger, run_id), access, deadline_s=deadline_s)

    def stored(self, prefix: str) -> StoredRun:
        """Give a kept run of a jury.

        Raises:
            ClaimjuryError: There is no ledger, or no such run.
        """
        ledger = self._wanted()
        with readable(ledger):
            return load_run(ledger, find_run(ledger, prefix))

    def answered(self, plan: Plan) -> VerifyResult | None:
        """Give the result of a run that was asked the very same, or None."""
        ledger = self._wanted()
        with readable(ledger):
            return earlier_result(ledger, plan)

    def finish(self, plan: Plan, result: VerifyResult) -> VerifyResult:
        """Give the result with what was asked before, and with the ledger's trouble where there was any."""
        trouble = self.told_trouble(self.recorder.trouble if self.recorder else None)
        result = result.model_copy(update={"warnings": (*result.warnings, *trouble)})
        if self.ledger is None:
            return result
        try:
            return with_prior_runs(self.ledger, plan, result)
        except sqlite3.Error as error:
            say(f"claimjury: earlier runs cannot be read: {error}")
            return result

    def told_trouble(self, trouble: str | None) -> tuple[str, ...]:
        """Say that a run is not kept, by the ledger's trouble or a recorder's; give the warning of it, if any."""
        trouble = self.trouble.message if self.trouble else trouble
        if trouble is None:
            return ()
        say(f"claimjury: this run is not kept: {trouble}")
        return ("ledger_failed",)

    def _wanted(self) -> Ledger:
        if self.ledger is not None:
            return self.ledger
        raise self.trouble or LedgerUnusable("No ledger is kept.", hint="Leave out --no-save.")


NOT_KEPT = Keeper()


@contextmanager
def keeping(settings: Settings) -> Iterator[Keeper]:
    """Open the ledger, where runs are kept or counted. One that cannot be opened is told, and the run goes on without.

    Raises:
        LedgerUnusable: It cannot be opened, and the settings have caps that are counted in it.
    """
    caps = Caps(cost_usd=settings.daily_cost, tokens=settings.daily_tokens, runs=settings.daily_runs)
    if not settings.save and not caps.any:
        yield NOT_KEPT
        return
    with ExitStack() as stack:
        try:
            ledger = stack.enter_context(open_ledger(settings.ledger))
        except LedgerUnusable as error:
            if caps.any:
                raise
            yield Keeper(trouble=error)
            return
        spending = Spending(ledger, caps)
        if not settings.save:
            yield Keeper(spending=spending)
            return
        recorder = LedgerRecorder(ledger, keep_content=settings.keep_content)
        yield Keeper(ledger=ledger, recorder=recorder, spending=spending)
