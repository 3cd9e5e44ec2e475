"""The tests of a run of ours, as its witness wrote them down: read strictly, since the project's code could write there too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from claimjury.evidence.secrets import find_secrets, redact
from claimjury.settlers.checks.outcome import CaseOutcome, Suite, SuiteCase
from claimjury.text import clean_line, clip

__all__ = ["NARROWED_TO_NOTHING", "RECORD", "Record", "read_record", "suite_of"]

RECORD: Final = "record.json"
NARROWED_TO_NOTHING: Final = ("--collect-only", "--setup-only", "--setup-plan")
_MAX_BYTES: Final = 200_000_000
_MAX_ID: Final = 1_000
_Count = Annotated[int, Field(ge=0)]


class Record(BaseModel):
    """What the witness writes.

    Attributes:
        items: Tests by their ids.
        modules: What could not be collected, or was skipped whole.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    items: Mapping[str, CaseOutcome]
    modules: Mapping[str, Literal["error", "skipped"]]
    selected: _Count
    deselected: _Count
    flaky: _Count
    reruns: _Count
    subtests: _Count
    unexpected: _Count
    narrowed: list[str]


def read_record(folder: Path) -> Record | None:
    """Give what the witness wrote, or None where there is nothing that could be its."""
    try:
        with (folder / RECORD).open("rb") as file:
            return Record.model_validate_json(file.read(_MAX_BYTES))
    except (OSError, ValidationError):
        return None


def suite_of(record: Record) -> Suite:
    """Give the tests of a record."""
    outcomes: dict[str, CaseOutcome] = {**record.modules, **record.items}
    counts = Counter(outcomes.values())
    return Suite(
        collected=record.selected + record.deselected,
        passed=counts["passed"],
        failed=counts["failed"],
        errors=counts["error"],
        skipped=counts["skipped"],
        xfailed=counts["xfailed"],
        xpassed=counts["xpassed"],
        deselected=record.deselected,
        not_run=max(0, record.selected - len(record.items)),
        reruns=record.reruns,
        marked_flaky=record.flaky,
        subtests=record.subtests,
        unexpected=record.unexpected,
        cases=tuple(
            SuiteCase(id=_shown(name), outcome=outcome) for name, outcome in sorted(outcomes.items())
        ),
    )


def _shown(name: str) -> str:
    """Give a test's id; the parameters in it are whatever the project has there, and may be a secret."""
    shown = clip(clean_line(name), _MAX_ID)
    return redact(shown, find_secrets(shown)) if "[" in shown else shown
