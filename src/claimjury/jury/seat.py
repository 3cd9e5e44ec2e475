"""One seat: ask, read, ask once more for what is missing, and say what came of it. Never raises."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import anyio
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)

from claimjury.errors import CallError
from claimjury.jury.accounts import Account, cost_of, paused
from claimjury.jury.ballot import Ballot, Dropped, read_ballot
from claimjury.jury.budget import Purse, Spent
from claimjury.jury.connections import Juror
from claimjury.jury.events import (
    Event,
    ReplyArrived,
    SeatAsked,
    SeatEnded,
    SeatQueued,
    SeatReasked,
    SeatRetried,
)
from claimjury.jury.prompt import Prompt, correction
from claimjury.jury.quoting import QuoteCheck
from claimjury.jury.result import SeatResult, usage_of
from claimjury.jury.votes import Vote
from claimjury.models.answers import Answer, CallFailure, OutOfBudget
from claimjury.models.calls import Lane, Request, Watch, call
from claimjury.models.hosts import Host
from claimjury.models.limits import MAX_ATTEMPTS
from claimjury.models.served import fallback_advice, served_model_fault
from claimjury.text import clean_line

__all__ = ["MIN_SEEN_SHARE", "SeatRun"]

_LOG: Final = logging.getLogger("claimjury")
MIN_SEEN_SHARE: Final = 0.4
BYTES_PER_TOKEN: Final = 4
_SAMPLE: Final = 200
_NO_ROOM: Final = "The run's budget has no room for another call of it."


@dataclass(slots=True, kw_only=True)
class SeatRun:
    """The life of one seat. `run` drives it; `settle` says what came of it, however far it got.

    Attributes:
        worst: What one call of it may take at most.
        quotes: What quotes are looked up in.
        stands_in_for: The model whose seat it has taken over.
        digest: Of a local model, as the daemon lists it.
        earlier: Its replies in an earlier run, which are read and not asked for again.
        fallen: How it ended there, where a stand-in has its seat: it is not asked again.
    """

    juror: Juror
    prompt: Prompt
    ids: Sequence[str]
    lane: Lane
    emit: Callable[[Event], None]
    reask: bool
    timeout_s: float
    purse: Purse
    worst: Spent
    quotes: QuoteCheck | None = None
    stands_in_for: str | None = None
    digest: str | None = None
    earlier: list[Answer] = field(default_factory=list)
    fallen: SeatResult | None = None
    replays: int = 0
    answers: list[Answer] = field(default_factory=list)
    votes: dict[str, Vote] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)
    reasked: tuple[str, ...] = ()
    attempts: int = 0
    thinking_refused: bool = False
    exclude_reason: str | None = None
    detail: str | None = None
    result: SeatResult | None = None
    _account: Account = field(init=False)
    _began: float = field(default_factory=time.monotonic)
    _scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)

    def __post_init__(self) -> None:
        self._account = Account(self.purse, self.juror.route)

    async def run(self) -> None:
        """Ask within the time limit, then settle."""
        self._scope.deadline = anyio.current_time() + self.timeout_s
        if not self.earlier and self.fallen is None:
            self.emit(SeatAsked(model=self.juror.model))
        with self._scope:
            await self._ask_guarded()
        cut = self._scope.cancelled_caught
        if cut and not self.answers:
            self.settle("call_failed:TIMEOUT", f"There was no answer within {self.timeout_s:g} s.")
        else:
            self.settle()

    def settle(self, reason: str | None = None, detail: str | None = None) -> SeatResult:
        """End the seat: `reason` excludes it unless a reply with votes had already arrived."""
        if self.result is None:
            if self.exclude_reason is None and not self.votes:
                self.exclude_reason, self.detail = reason or self._voteless(), detail
            self.result = self._as_result()
            self.emit(SeatEnded(seat=self.result, votes=tuple(self.votes.values())))
        return self.result

    @property
    def model(self) -> str:
        """Who sits, as the panel names it."""
        return self.juror.model

    @property
    def _host(self) -> Host:
        return self.juror.route.host

    @property
    def scripted(self) -> bool:
        """Whether any answer came from the scripted server."""
        return any(answer.scripted for answer in self.answers)

    async def _ask_guarded(self) -> None:
        """Keep a fault of ours inside this seat: it must not cost the other seats their paid answers."""
        try:
            await self._ask()
        except Exception as error:  # noqa: BLE001 - the edge of a seat: whatever fails here is this seat's alone.
            _LOG.exception("The seat of %s failed by a fault of claimjury.", self.juror.model)
            self.exclude_reason = "call_failed:BAD_RESPONSE"
            self.detail = f"A fault of claimjury itself while reading the reply: {type(error).__name__}."

    async def _ask(self) -> None:
        answer = await self._call(self._opening())
        if answer is None:
            return
        self.exclude_reason = self._fault(answer)
        if self.exclude_reason is not None and self.exclude_reason.startswith("local_fallback:"):
            self.detail = fallback_advice(self.juror.route.provider)
        self._read(answer, self.ids)
        missing = tuple(ident for ident in self.ids if ident not in self.votes)
        if missing and self.reask and self.exclude_reason is None:
            await self._ask_again(answer, missing)

    async def _ask_again(self, first: Answer, missing: tuple[str, ...]) -> None:
        """Ask once more for the missing ids. Whatever goes wrong here, the first reply stands."""
        self.reasked = missing
        self.emit(SeatReasked(model=self.juror.model, ids=missing))
        text = correction(self.prompt, missing, self._faults(first))
        again: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart(content=text)])]
        reply: list[ModelMessage] = (
            [ModelResponse(parts=[TextPart(content=first.text)])] if first.text else []
        )
        answer = await self._call([*self._opening(), *reply, *again], keep_failure=False)
        if answer is None or self._fault(answer):
            return
        self._read(answer, missing)

    def _opening(self) -> list[ModelMessage]:
        rules, case = SystemPromptPart(content=self.prompt.system), UserPromptPart(content=self.prompt.user)
        return [ModelRequest(parts=[rules, case])]

    async def _call(self, messages: list[ModelMessage], *, keep_failure: bool = True) -> Answer | None:
        turn = len(self.answers)
        if self.earlier:
            self.replays += 1
            return self._heard(self.earlier.pop(0), turn)
        if self.fallen is not None:
            if keep_failure:
                self.exclude_reason, self.detail = self.fallen.exclude_reason, self.fallen.detail
            return None
        outcome = await self._ask_host(messages)
        if isinstance(outcome, CallFailure) and outcome.thinking_refused and not self.thinking_refused:
            self.thinking_refused = True
            outcome = await self._ask_host(messages)
        if isinstance(outcome, OutOfBudget):
            if keep_failure:
                self.exclude_reason, self.detail = "budget", _NO_ROOM
            return None
        if isinstance(outcome, CallFailure):
            if keep_failure:
                self.exclude_reason = f"call_failed:{outcome.code}"
                self.detail = f"{outcome.message} {outcome.hint}".strip()
            return None
        return self._heard(outcome, turn)

    def _heard(self, answer: Answer, turn: int) -> Answer:
        self.emit(ReplyArrived(model=self.juror.model, turn=turn, answer=answer))
        self.answers.append(answer)
        return answer

    async def _ask_host(self, messages: list[ModelMessage]) -> Answer | CallFailure | OutOfBudget:
        """Call, without asking for thinking once the host has refused it: what is known of a model can be old."""
        settings = self.juror.unthinking if self.thinking_refused else self.juror.settings
        request = Request(
            model=self.juror.client_model,
            messages=messages,
            settings=settings,
            attempts=MAX_ATTEMPTS - 1 if self.thinking_refused and not self.answers else MAX_ATTEMPTS,
        )
        return await call(request, lane=self.lane, watch=self._watch())

    def _read(self, answer: Answer, ids: Sequence[str]) -> None:
        """Take the votes on `ids`. The key is looked for once more here: the ballot is JSON inside the reply."""
        ballot: Ballot = read_ballot(answer.text, self.ids, self.prompt.nonce, self.quotes)
        self.dropped += map(self._host.scrub, ballot.dropped)
        for ident, vote in ballot.votes.items():
            if ident in ids:
                self.votes[ident] = self._host.scrub(vote)
            else:
                self.dropped.append(Dropped(id=ident, reason="not asked again; its first vote stands"))

    def _faults(self, answer: Answer) -> list[str]:
        """Say what was wrong with the first reply, for the juror."""
        if answer.truncated:
            return ["it was cut at the output limit; keep it short."]
        if not answer.text.strip():
            return ["it was empty."]
        if not self.votes and not self.dropped:
            return ['it held no JSON object with a "verdicts" list.']
        named = [f"{row.id or 'an entry'}: {row.reason}." for row in self.dropped[: len(self.ids)]]
        return [*named, "the ids below have no usable entry."]

    def _fault(self, answer: Answer) -> str | None:
        provider = self.juror.route.provider
        return served_model_fault(self.model, answer, provider=provider) or self._unseen(
            answer, self.prompt.bytes
        )

    def _unseen(self, answer: Answer, sent_bytes: int) -> str | None:
        """Whether the host counted far fewer tokens than were sent: the context was cut without a word."""
        if answer.prompt_tokens is None:
            return None
        seen = answer.prompt_tokens >= MIN_SEEN_SHARE * sent_bytes / BYTES_PER_TOKEN
        return None if seen else "evidence_not_seen"

    def _voteless(self) -> str:
        truncated = any(answer.truncated for answer in self.answers)
        return "reply_truncated" if truncated else "no_valid_verdicts"

    def _watch(self) -> Watch:
        model = self.juror.model

        def retrying(error: CallError) -> None:
            self.emit(SeatRetried(model=model, code=error.code))

        def attempted(change: int) -> None:
            self.attempts += change

        return Watch(
            attempted=attempted,
            queued=lambda: self.emit(SeatQueued(model=model)),
            retrying=retrying,
            pause=lambda: paused(self._scope),
            may_ask=self._may_ask,
            took=self._account.took,
        )

    def _may_ask(self) -> bool:
        """Set the worst case of a call aside; the re-ask's prompt holds the first reply and a correction too."""
        again = sum(answer.output_tokens or 0 for answer in self.answers)
        worst = Spent(tokens=self.worst.tokens + again, cost_usd=self.worst.cost_usd)
        return self._account.hold(worst)

    def _as_result(self) -> SeatResult:
        included = self.exclude_reason is None
        ordered = tuple(self.votes[ident] for ident in self.ids if ident in self.votes)
        first = self.answers[0] if self.answers else None
        voteless = self.exclude_reason in ("no_valid_verdicts", "reply_truncated")
        cost_usd, cost_source = cost_of(self.juror.route, self.answers[self.replays :])
        route = self.juror.route
        return SeatResult(
            model=route.model,
            family=route.family,
            served_model=first.served_model if first else None,
            included=included,
            exclude_reason=self.exclude_reason,
            detail=self.detail,
            verdicts_returned=len(ordered) if included else 0,
            raw_sample=clean_line(first.text[:_SAMPLE]) if first and voteless else None,
            dropped=tuple(self.dropped) or None,
            excluded_votes=None if included else ordered or None,
            usage=usage_of(self.answers),
            elapsed_ms=round((time.monotonic() - self._began) * 1000),
            attempts=self.attempts,
            reasked=self.reasked or None,
            replayed=True if self.replays or self.fallen else None,
            truncated=True if any(answer.truncated for answer in self.answers) else None,
            backend=route.backend,
            provider=route.provider,
            host=first.host if first else route.host.host,
            request_id=first.request_id if first else None,
            fingerprint=first.fingerprint if first else None,
            digest=self.digest,
            stands_in_for=self.stands_in_for,
            family_source="settings" if route.own_family else None,
            cost_usd=cost_usd,
            cost_source=cost_source,
        )
