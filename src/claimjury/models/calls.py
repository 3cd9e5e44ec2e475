"""One answer from one model: retried where that helps, queued where the plan has no free slot, never raising.

An outcome is a value: an `Answer`, or a `CallFailure` with a code of the closed set.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Final

import anyio
import stamina
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from claimjury.errors import CallError
from claimjury.models.answers import Answer, CallFailure, OutOfBudget
from claimjury.models.limits import MAX_ATTEMPTS
from claimjury.models.seam import FailedCall, answer_of

# stamina logs each retry as a warning. The events of a run say it; where nobody set logging up, Python would print
# it over the progress display.
logging.getLogger("stamina").addHandler(logging.NullHandler())

__all__ = ["Lane", "Request", "Turn", "Watch", "call", "converse"]

_WAIT_INITIAL_S: Final = 1.0
_WAIT_MAX_S: Final = 20.0
_QUEUE_LIMIT_S: Final = 300.0
"""How long a seat waits for a slot that none of this run's own seats holds."""
_POLL_MAX_S: Final = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked, and of whom."""

    model: Model
    messages: Sequence[ModelMessage]
    settings: ModelSettings
    attempts: int = MAX_ATTEMPTS
    tools: Sequence[ToolDefinition] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An answer, and the response that a longer talk goes on with."""

    answer: Answer
    response: ModelResponse


class Lane:
    """The slots of one host: without limit until the host says that too many calls run at once.

    Then the limit is learned as the number of calls that were running, and the seats beyond it wait in line.
    """

    def __init__(self) -> None:
        self._slots = anyio.CapacityLimiter(math.inf)

    @property
    def full(self) -> bool:
        """Whether a call would have to wait now."""
        return self._slots.available_tokens <= 0

    @property
    def idle(self) -> bool:
        """Whether none of this run's calls is running."""
        return self._slots.borrowed_tokens == 0

    async def take(self, borrower: object) -> None:
        """Wait for a slot."""
        await self._slots.acquire_on_behalf_of(borrower)

    def give_back(self, borrower: object) -> None:
        """Free the slot."""
        self._slots.release_on_behalf_of(borrower)

    def learn(self) -> None:
        """Take the number of calls now running for the limit."""
        self._slots.total_tokens = max(1, self._slots.borrowed_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Who is told how a call goes.

    Attributes:
        attempted: Called with 1 as an attempt begins, and with -1 where the host took it for none, for want of a slot.
        queued: Called when the call has to wait in line.
        retrying: Called with what went wrong before each further attempt.
        pause: Entered while the call waits in line, which is no fault of the seat's.
        may_ask: Asked before each attempt; where it says no, the call ends without it.
        took: Called with what an attempt came to: an answer, or the failure.
    """

    attempted: Callable[[int], None] = lambda _change: None
    queued: Callable[[], None] = lambda: None
    retrying: Callable[[CallError], None] = lambda _error: None
    pause: Callable[[], AbstractContextManager[None]] = nullcontext
    may_ask: Callable[[], bool] = lambda: True
    took: Callable[[Answer | CallError], None] = lambda _outcome: None


class _OutOfBudget(Exception):
    """The budget has no room for another attempt."""


async def call(
    request: Request, *, lane: Lane, watch: Watch | None = None
) -> Answer | CallFailure | OutOfBudget:
    """Ask as `converse` does, for the answer alone."""
    outcome = await converse(request, lane=lane, watch=watch)
    return outcome.answer if isinstance(outcome, Turn) else outcome


async def converse(
    request: Request, *, lane: Lane, watch: Watch | None = None
) -> Turn | CallFailure | OutOfBudget:
    """Ask until there is an answer, a failure that retrying cannot mend, or `MAX_ATTEMPTS` attempts."""
    place = _Place(lane, watch or Watch(), request.attempts)
    try:
        async for attempt in stamina.retry_context(
            on=_backoff,
            attempts=request.attempts,
            timeout=None,
            wait_initial=_WAIT_INITIAL_S,
            wait_max=_WAIT_MAX_S,
        ):
            with attempt:
                return await place.ask(request)
    except CallError as error:
        return CallFailure(code=error.code, message=error.message, hint=error.hint)
    except _OutOfBudget:
        return OutOfBudget()
    raise AssertionError("stamina gave neither an attempt nor an error")


def _backoff(error: Exception) -> bool | float:
    """Whether to try again, or after how many seconds: the host's own wish, unless it outlasts our time."""
    if not isinstance(error, CallError) or not error.retryable:
        return False
    if error.retry_after_s is None:
        return True
    left = anyio.current_effective_deadline() - anyio.current_time()
    return error.retry_after_s if error.retry_after_s < left else False


class _Place:
    """The place of one call in the lane, through all of its attempts."""

    def __init__(self, lane: Lane, watch: Watch, most: int) -> None:
        self._attempts = 0
        self._most = most
        self._lane = lane
        self._watch = watch
        self._polled_s = 0.0

    async def ask(self, request: Request) -> Turn:
        """Ask once a slot is free; a refusal for want of a slot goes back into the line and is no attempt."""
        while True:
            try:
                return await self._ask_in_slot(request)
            except CallError as error:
                if not error.queued or self._polled_s >= _QUEUE_LIMIT_S:
                    self._tell(error)
                    raise
                self._count(-1)
                self._lane.learn()
                self._watch.queued()
                if self._lane.idle:
                    await self._poll(error)

    async def _ask_in_slot(self, request: Request) -> Turn:
        if self._lane.full:
            self._watch.queued()
        with self._watch.pause():
            await self._lane.take(self)
        try:
            if not self._watch.may_ask():
                raise _OutOfBudget
            self._count(1)
            response = await model_request(
                request.model,
                request.messages,
                model_settings=request.settings,
                model_request_parameters=ModelRequestParameters(function_tools=list(request.tools)),
            )
        except FailedCall as error:
            self._watch.took(error.failure)
            raise error.failure from error
        finally:
            self._lane.give_back(self)
        answer = answer_of(response)
        self._watch.took(answer)
        return Turn(answer=answer, response=response)

    def _count(self, change: int) -> None:
        self._attempts += change
        self._watch.attempted(change)

    async def _poll(self, error: CallError) -> None:
        """Wait while somebody else's call holds the only slot of the plan."""
        wait_s = error.retry_after_s or min(_POLL_MAX_S, 2.0 + self._polled_s)
        self._polled_s += wait_s
        with self._watch.pause():
            await anyio.sleep(0 if stamina.is_testing() else wait_s)

    def _tell(self, error: CallError) -> None:
        if self._attempts < self._most and _backoff(error) is not False:
            self._watch.retrying(error)
