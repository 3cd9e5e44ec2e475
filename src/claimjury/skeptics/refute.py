"""`refute_claim`: N skeptics try to break one claim, each from its own angle, all at once. Fail-closed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypedDict, Unpack, cast

import anyio

from claimjury.jury.budget import Spent
from claimjury.jury.plan import refuse_unready
from claimjury.skeptics.events import RefuteRecorder
from claimjury.skeptics.plan import RefuteOptions, RefutePlan, plan_refute
from claimjury.skeptics.result import RefuteResult, SkepticResult

__all__ = ["RefuteListeners", "refute_claim", "refute_claim_sync", "run_refute"]


class RefuteListeners(TypedDict, total=False):
    """Who hears of a run while it goes, and who may end it.

    Attributes:
        on_skeptic: Called with each skeptic as it ends.
        recorder: Gets every event.
        announce: Called with each line that says what leaves, before it does.
        stop: Set it to end the run: what has arrived is kept, the rest counts as faults.
        admit: Called once with what the run may take at most; what it raises ends the run.
    """

    on_skeptic: Callable[[SkepticResult], None] | None
    recorder: RefuteRecorder | None
    announce: Callable[[str], None] | None
    stop: anyio.Event | None
    admit: Callable[[Spent], None] | None


class _Options(RefuteOptions, RefuteListeners):
    pass


async def refute_claim(claim: str, **options: Unpack[_Options]) -> RefuteResult:
    """Have N skeptics try to break one claim about a repository.

    Args:
        claim: One free text.
        **options: See `RefuteOptions` and `RefuteListeners`.

    Returns:
        HOLDS unless more than half of the skeptics refute; each with its reason and what it read. Supporting evidence,
        never proof. `result.exit_status` is for a gate.

    Raises:
        RequestError: The input cannot be used; nothing was sent.
        CloudNotConfigured: There is no key, or no SDK; nothing was sent.
        BudgetExceeded: A limit has no room for one question; nothing was sent.
    """
    listeners = RefuteListeners(
        on_skeptic=options.pop("on_skeptic", None),
        recorder=options.pop("recorder", None),
        announce=options.pop("announce", None),
        stop=options.pop("stop", None),
        admit=options.pop("admit", None),
    )
    rest = cast("RefuteOptions", options)
    plan = await anyio.to_thread.run_sync(lambda: plan_refute(claim, **rest))
    return await run_refute(plan, listeners)


def refute_claim_sync(claim: str, **options: Unpack[_Options]) -> RefuteResult:
    """Do as `refute_claim` does, where no event loop runs."""
    return asyncio.run(refute_claim(claim, **options))


async def run_refute(plan: RefutePlan, listeners: RefuteListeners) -> RefuteResult:
    """Run a plan.

    Raises:
        CloudNotConfigured: There is no key, or no SDK; nothing was sent.
        EvidenceTooLarge: A window that only a catalogue knows is too small; nothing was sent.
    """
    refuse_unready(plan.jury)
    from claimjury.skeptics.session import hold

    return await hold(plan, listeners)
