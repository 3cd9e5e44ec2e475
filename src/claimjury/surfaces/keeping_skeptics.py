"""Keeping a run of skeptics: recorded, counted against the caps of the day, and never a verdict lost to it."""

from __future__ import annotations

from dataclasses import dataclass

from claimjury.ledger.refute_recorder import LedgerRefuteRecorder
from claimjury.settings.model import Settings
from claimjury.skeptics.events import RefuteEnded, RefuteEvent
from claimjury.skeptics.result import RefuteResult
from claimjury.surfaces.keeping import Keeper

__all__ = ["SkepticKeeper", "keep_skeptics"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SkepticKeeper:
    """What keeps a run of skeptics, and counts it.

    Attributes:
        keeper: The ledger, as it was opened.
        recorder: What keeps the run, or None where runs are not kept.
    """

    keeper: Keeper
    recorder: LedgerRefuteRecorder | None

    def record(self, event: RefuteEvent, /) -> None:
        """Take one event."""
        if self.recorder is not None:
            self.recorder.record(event)
        if isinstance(event, RefuteEnded) and self.keeper.spending is not None:
            self.keeper.spending.settle(event.spent)

    def finish(self, result: RefuteResult) -> RefuteResult:
        """Give the result with the ledger's trouble where there was any."""
        trouble = self.keeper.told_trouble(self.recorder.trouble if self.recorder else None)
        return result.model_copy(update={"warnings": (*result.warnings, *trouble)})


def keep_skeptics(keeper: Keeper, settings: Settings) -> SkepticKeeper:
    """Give what keeps a run of skeptics in the ledger that `keeping` has opened."""
    kept = keeper.ledger
    recorder = None if kept is None else LedgerRefuteRecorder(kept, keep_content=settings.keep_content)
    return SkepticKeeper(keeper=keeper, recorder=recorder)
