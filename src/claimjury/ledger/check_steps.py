"""The steps of a check: what was looked at, and whether it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Literal

from claimjury.errors import ConfigInvalid, RequestError
from claimjury.text import clean_line, clip
from claimjury.values import Value

__all__ = ["CheckReport", "Outcome", "Step", "guarded", "guarded_step", "make_step"]

Outcome = Literal["valid", "scripted", "unverified_host", "unchecked", "invalid"]

_SHOWN: Final = 600


class Step(Value):
    """One thing that was checked.

    Attributes:
        name: What.
        state: Whether it fits, or that nothing can be said of it.
        detail: What does not fit, or why it was not checked: one sentence.
    """

    name: str
    state: Literal["fits", "does_not_fit", "not_checked"]
    detail: str | None = None


class CheckReport(Value):
    """What a check of a receipt came to.

    Attributes:
        outcome: `valid`; `unchecked` (it fits, and its settled claims are of another tree than the one at hand); `scripted` or `unverified_host` (it fits, and is no record of verified models); `invalid`.
        run_id: Of the run, as the receipt says; absent where it does not have the form of one.
        host: That was asked, likewise.
        receipt_sha256: The hash to compare with one that was kept elsewhere.
        steps: What was checked, in order.
    """

    outcome: Outcome
    run_id: str | None = None
    host: str | None = None
    receipt_sha256: str | None = None
    steps: tuple[Step, ...]

    @property
    def first_fault(self) -> str:
        """The first thing that does not fit, as a sentence; empty where everything does."""
        faults = (step.detail or step.name for step in self.steps if step.state == "does_not_fit")
        return next(faults, "")


def make_step(name: str, faults: Iterable[str], *, unchecked: str = "") -> Step:
    """Give a step: the first of the faults, else why it was not checked, else that it fits. Words are cleaned."""
    first = next(iter(faults), None)
    if first is not None:
        return Step(name=name, state="does_not_fit", detail=clip(clean_line(first), _SHOWN))
    if unchecked:
        return Step(name=name, state="not_checked", detail=clip(clean_line(unchecked), _SHOWN))
    return Step(name=name, state="fits")


def guarded_step(name: str, check: Callable[[], Iterable[str]]) -> Step:
    """Give the step of a check; a value that it cannot compute with does not fit."""
    return guarded(name, lambda: make_step(name, check()))


def guarded(name: str, step: Callable[[], Step]) -> Step:
    """Give a step; whatever a hostile receipt makes it stumble over does not fit."""
    try:
        return step()
    except ConfigInvalid:
        raise
    except (ArithmeticError, LookupError, RecursionError, RequestError, ValueError) as error:
        return make_step(name, [f"The {name} cannot be computed: {error}."])
