"""A job: one run that goes on beside the calls that ask for it, with what is known of it so far."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

from claimjury.errors import ClaimjuryError, InternalError
from claimjury.settings.load import Loaded

__all__ = ["Job"]


@dataclass(slots=True, kw_only=True)
class Job(ABC):
    """One run: what it has said so far, and its end.

    Attributes:
        settings: The operator's.
        stop: Set it to end the run; what has arrived is kept.
        run_id: Empty until the run is planned.
        error: What it ended in, if it did.
        changes: How often something was new.
        answered: The changes that the last answer knew of.
    """

    settings: Loaded
    stop: anyio.Event = field(default_factory=anyio.Event)
    run_id: str = ""
    error: ClaimjuryError | None = None
    changes: int = 0
    answered: int = 0
    _began: float = field(default_factory=time.monotonic)
    _changed: anyio.Event = field(default_factory=anyio.Event)

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether it has ended, one way or the other."""

    @property
    @abstractmethod
    def total(self) -> int:
        """How many are asked."""

    @property
    @abstractmethod
    def told(self) -> Sequence[str]:
        """What to say of each that has ended, in the order of their ends."""

    @abstractmethod
    def answer(self) -> dict[str, Any]:
        """Give the result of a run that ended, or what is known of one that goes on.

        Raises:
            ClaimjuryError: It ended in an error.
        """

    def told_answer(self) -> dict[str, Any]:
        """Give the answer, and remember what it knew: whoever asks next is told of what is new since.

        Raises:
            ClaimjuryError: It ended in an error.
        """
        self.answered = self.changes
        return self.answer()

    @abstractmethod
    async def work(self) -> None:
        """Do the run. What it raises becomes `error`."""

    async def run(self) -> None:
        """Run to the end. Whatever goes wrong becomes `error`."""
        try:
            await self.work()
        except ClaimjuryError as error:
            self.error = error
        except Exception as error:  # noqa: BLE001 - the edge of a job: a fault of ours must not end the server.
            self.error = InternalError(
                f"A fault of claimjury itself: {type(error).__name__}.", hint="Please report it."
            )
        finally:
            self.tell()

    def tell(self) -> None:
        """Wake whoever waits for something new."""
        self.changes += 1
        self._changed.set()
        self._changed = anyio.Event()

    async def wait(self, seconds: float, *, seen: int) -> bool:
        """Wait until something is new since `seen` changes, or for so many seconds; say whether it is."""
        with anyio.move_on_after(seconds):
            while self.changes == seen and not self.done:
                await self._changed.wait()
        return self.changes != seen

    @property
    def elapsed_ms(self) -> int:
        """How long it has gone on."""
        return round((time.monotonic() - self._began) * 1000)
