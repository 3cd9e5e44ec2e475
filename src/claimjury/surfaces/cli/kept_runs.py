"""The ledger as commands read it: the one that the flag or the settings name, and errors in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimjury.ledger.reading import StoredRun
    from claimjury.ledger.refutations import StoredRefutation
    from claimjury.ledger.store import Ledger

__all__ = ["any_runs", "opened_ledger", "stored_runs"]


@contextmanager
def opened_ledger(ledger: Path | None) -> Iterator[Ledger]:
    """Open the ledger of a flag, else of the settings, for reading what is there."""
    import os

    from claimjury.ledger.store import open_ledger, readable
    from claimjury.settings.load import load_settings

    path = load_settings(os.environ).settings.ledger if ledger is None else ledger
    with open_ledger(path, create=False) as opened, readable(opened):
        yield opened


def stored_runs(ledger: Path | None, *ids: str) -> list[StoredRun]:
    """Give runs of juries whole, by their ids, the beginnings of their ids, or `last`."""
    from claimjury.ledger.reading import find_run, load_run

    with opened_ledger(ledger) as opened:
        return [load_run(opened, find_run(opened, run_id)) for run_id in ids]


def any_runs(ledger: Path | None, *ids: str) -> list[StoredRun | StoredRefutation]:
    """Give runs of either engine whole."""
    from claimjury.ledger.reading import find_run, kind_of, load_run
    from claimjury.ledger.refutations import load_refutation

    with opened_ledger(ledger) as opened:
        found = [find_run(opened, run_id) for run_id in ids]
        return [
            load_run(opened, run_id)
            if kind_of(opened, run_id) == "verify"
            else load_refutation(opened, run_id)
            for run_id in found
        ]
