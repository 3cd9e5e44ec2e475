"""A run of skeptics as a job, kept and counted as the command line does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import anyio.to_thread

from claimjury.errors import ClaimjuryError
from claimjury.skeptics.events import RefuteEvent, RefutePlanned
from claimjury.skeptics.plan import RefuteOptions, RefutePlan, plan_refute
from claimjury.skeptics.refute import RefuteListeners, run_refute
from claimjury.skeptics.result import RefuteResult, SkepticResult
from claimjury.surfaces.keeping import keeping
from claimjury.surfaces.keeping_skeptics import SkepticKeeper, keep_skeptics
from claimjury.surfaces.mcp.job import Job
from claimjury.text import clean_line, clip
from claimjury.values import Value

__all__ = ["RunningRefute", "SkepticJob"]

_MAX_SHOWN: Final = 200
_WORDS: Final[Mapping[str, str]] = {
    "--anyway attacks": "`anyway: true` attacks",
    "--across": "`across`",
    "--max-tokens": "`max_tokens`",
    "--model": "`model`",
    "(-n)": "(`n`)",
    "raise -n": "raise `n`",
}


class RunningRefute(Value):
    """A run of skeptics that goes on: it has no verdict yet, for each one that is outstanding may change it.

    Attributes:
        n: How many there are.
        skeptics: Those that ended.
        outstanding: The places of the others, counted from 1.
        sends: What was said to leave. How many bytes left is in the result of the finished run.
        next: What to do now.
    """

    run_id: str
    status: Literal["running"]
    claim: str
    n: int
    skeptics: tuple[SkepticResult, ...]
    outstanding: tuple[int, ...]
    sends: tuple[str, ...]
    warnings: tuple[str, ...]
    elapsed_ms: int
    next: str


@dataclass(slots=True, kw_only=True)
class SkepticJob(Job):
    """A run of skeptics."""

    claim: str
    options: RefuteOptions
    plan: RefutePlan | None = None
    result: RefuteResult | None = None
    skeptics: list[SkepticResult] = field(default_factory=list)
    sends: list[str] = field(default_factory=list)

    @property
    def done(self) -> bool:
        """Whether it has ended, one way or the other."""
        return self.result is not None or self.error is not None

    @property
    def total(self) -> int:
        """How many skeptics are asked."""
        return self.plan.n if self.plan else 0

    @property
    def told(self) -> Sequence[str]:
        """What to say of each skeptic that has ended."""
        return [_came(one) for one in self.skeptics]

    async def work(self) -> None:
        """Do the run."""
        with keeping(self.settings.settings) as keeper:
            plan = await anyio.to_thread.run_sync(lambda: plan_refute(self.claim, **self.options))
            self.plan = plan
            kept = keep_skeptics(keeper, self.settings.settings)
            self.result = kept.finish(await run_refute(plan, self._listeners(kept)))

    def _listeners(self, kept: SkepticKeeper) -> RefuteListeners:
        return RefuteListeners(
            announce=self.sends.append,
            on_skeptic=self._take,
            stop=self.stop,
            admit=kept.keeper.admit,
            recorder=_Both(job=self, kept=kept),
        )

    def _take(self, one: SkepticResult) -> None:
        self.skeptics.append(one)
        self.tell()

    def answer(self) -> dict[str, Any]:
        """Give the result of a run that ended, or which skeptics have ended of one that goes on.

        Raises:
            ClaimjuryError: It ended in an error.
        """
        if self.error is not None:
            raise _in_words_of_tools(self.error)
        return (self.result or self._so_far()).to_json()

    def _so_far(self) -> RunningRefute:
        ended = {one.place for one in self.skeptics}
        return RunningRefute(
            run_id=self.run_id,
            status="running",
            claim=self.plan.claim if self.plan else self.claim,
            n=self.total,
            skeptics=tuple(self.skeptics),
            outstanding=tuple(place for place in range(1, self.total + 1) if place not in ended),
            sends=tuple(self.sends),
            warnings=self.plan.warnings if self.plan else (),
            elapsed_ms=self.elapsed_ms,
            next=f'Call get_run with run_id "{self.run_id}". There is no verdict before its status is not running.',
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Both:
    """Keeps a run, and lets its job know how it is named."""

    job: SkepticJob
    kept: SkepticKeeper

    def record(self, event: RefuteEvent, /) -> None:
        self.kept.record(event)
        if isinstance(event, RefutePlanned):
            self.job.run_id = event.run_id
            self.job.tell()


def _came(one: SkepticResult) -> str:
    word = "refutes" if one.refuted else "does not break it"
    how = "" if one.grounds == "evidence" else f" ({one.grounds})"
    return f"{one.place}. {one.angle} {word}{how}: {clip(clean_line(one.reason), _MAX_SHOWN)}"


def _in_words_of_tools(error: ClaimjuryError) -> ClaimjuryError:
    """Name the arguments of the tool where the engine names the command's options."""
    for option, argument in _WORDS.items():
        error.message = error.message.replace(option, argument)
        error.hint = error.hint.replace(option, argument)
    return error
