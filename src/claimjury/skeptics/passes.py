"""A pass: one skeptic, from its opening to its verdict. It starts fresh and sees nobody else's words."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import anyio
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    SystemPromptPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.tools import ToolDefinition

from claimjury.evidence.window import estimate_tokens
from claimjury.jury.accounts import Account, paused
from claimjury.jury.budget import Purse, call_worst
from claimjury.jury.connections import Juror
from claimjury.jury.prompt import Prompt
from claimjury.jury.result import InjectionRow, JurorParams
from claimjury.jury.seat import BYTES_PER_TOKEN, MIN_SEEN_SHARE
from claimjury.models.answers import Answer, CallFailure, OutOfBudget, ToolCall
from claimjury.models.calls import Lane, Request, Turn, Watch, converse
from claimjury.models.served import served_model_fault
from claimjury.skeptics.aimed import aimed_in_reply
from claimjury.skeptics.events import RefuteEvent, SkepticOpened, SkepticReplied, ToolReturned
from claimjury.skeptics.grounds import after_reading
from claimjury.skeptics.limits import MAX_PARALLEL, MAX_ROUNDS, PASS_TIMEOUT_S, TOOL_TIMEOUT_S
from claimjury.skeptics.plan import Bare
from claimjury.skeptics.prompts import ANSWER_NOW, VERDICT_ONLY
from claimjury.skeptics.result import CitationRow
from claimjury.skeptics.retold import CUT_CONTEXT, NO_VERDICT, other_model, told_again, told_for_verdict
from claimjury.skeptics.tally import Finding
from claimjury.skeptics.tools.replies import Looked, ToolReply
from claimjury.skeptics.tools.toolbox import TOOLS_BYTES, Toolbox
from claimjury.skeptics.verdict import SaidVerdict, read_verdict
from claimjury.text import clean_line

__all__ = ["Pass"]

_LOG: Final = logging.getLogger("claimjury")
_NO_TOOLS: Final = re.compile(
    r"\b(?:not support|unsupported|no support)\w*\b.{0,60}\btool|\btool.{0,60}\bnot (?:be )?support",
    re.IGNORECASE,
)
_NOT_RUN: Final = "This call was not run."
_TOO_MANY: Final = ToolReply(text="Not run: too many at once.", failed=True, looked=())


@dataclass(slots=True, kw_only=True)
class Pass:
    """One skeptic. `run` drives it; `finding` says what came of it, however far it got.

    Attributes:
        opening: What it is told, with tools.
        bare: What it is told where its model takes none: the evidence is in it.
        given: Files that it has without asking; of a bare opening, its own.
        window: Tokens of prompt and answer together.
        allowance: Tokens of all its calls; the purse is that of the run.
        tell: Told each event.
    """

    place: int
    claim: str
    juror: Juror
    params: JurorParams
    toolbox: Toolbox
    tools: Sequence[ToolDefinition]
    opening: Prompt
    bare: Callable[[], Bare]
    given: tuple[str, ...]
    lane: Lane
    purse: Purse
    window: int
    allowance: int
    tell: Callable[[RefuteEvent], None]
    finding: Finding | None = None
    citations: tuple[CitationRow, ...] = ()
    _cited: tuple[tuple[str, int], ...] = ()
    looked: list[Looked] = field(default_factory=list)
    aimed: list[InjectionRow] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    failed_calls: int = 0
    rounds: int = 0
    attempts: int = 0
    began: float = field(default_factory=time.monotonic)
    ended: float | None = None
    _history: list[ModelMessage] = field(default_factory=list)
    _bytes: int = 0
    _thought: int = 0
    _tokens: int = 0
    _closing: bool = False
    _account: Account = field(init=False)
    _scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)

    def __post_init__(self) -> None:
        self._account = Account(self.purse, self.juror.route)

    async def run(self) -> None:
        """Ask until there is a verdict, a fault, or no time."""
        self._scope.deadline = anyio.current_time() + PASS_TIMEOUT_S
        with self._scope:
            try:
                self._begin(self.opening)
                self.settle(await self._talk())
            except Exception as error:  # noqa: BLE001 - the edge of a skeptic: what fails here is its fault alone.
                _LOG.exception("Skeptic %s failed by a fault of claimjury.", self.place)
                self.settle(_fault(f"a fault of claimjury itself: {type(error).__name__}"))
        if self._scope.cancelled_caught:
            self.settle(_fault(f"there was no verdict within {PASS_TIMEOUT_S:g} s"))

        if self._cited:
            # A verdict that is in is looked up, whatever ends meanwhile.
            with anyio.CancelScope(shield=True):
                self.citations = await anyio.to_thread.run_sync(self._look_up)

    def _look_up(self) -> tuple[CitationRow, ...]:
        lines = {path: self.toolbox.lines_of(path) for path, _ in self._cited}
        return tuple(
            CitationRow(path=clean_line(path), line=line, exists=1 <= line <= lines[path])
            for path, line in self._cited
        )

    def settle(self, finding: Finding) -> None:
        """End it with a finding, unless it has one."""
        if self.finding is None:
            self.finding, self.ended = finding, time.monotonic()

    def _begin(self, prompt: Prompt) -> None:
        rules, case = SystemPromptPart(content=prompt.system), UserPromptPart(content=prompt.user)
        self._history, self._bytes = [ModelRequest(parts=[rules, case])], prompt.bytes
        opened = SkepticOpened(place=self.place, prompt=prompt, given=self.given, tools=bool(self.tools))
        self.tell(opened)

    async def _talk(self) -> Finding:
        asked_again = False
        while True:
            turn = await self._ask()
            if isinstance(turn, Finding):
                return turn
            calls = turn.answer.tool_calls
            if calls and not self._closing:
                await self._serve(turn)
                continue
            # What was cut off might have said otherwise.
            said = (
                None if calls or turn.answer.truncated else read_verdict(turn.answer.text, self.opening.nonce)
            )
            if said is not None:
                return self._weighed(said)
            if asked_again:
                return _fault(NO_VERDICT)
            asked_again = True
            self._ask_for_verdict(turn)

    def _weighed(self, said: SaidVerdict) -> Finding:
        self._cited = said.citations
        return after_reading(said.finding, self.claim, self.looked, self.given)

    @property
    def _needed(self) -> int:
        """Tokens that the next call may take: all it was told, the offer of tools, and its answer."""
        offered = TOOLS_BYTES if self.tools else 0
        return estimate_tokens(self._bytes + offered) + self.params.num_predict

    @property
    def _plain(self) -> int:
        """Bytes that its host must have counted: many hosts leave out what was thought in earlier turns."""
        return self._bytes - self._thought

    def _think(self, answer: Answer) -> None:
        size = len(answer.thinking.encode("utf-8", "surrogatepass"))
        self._bytes += size
        self._thought += size

    async def _ask(self) -> Turn | Finding:
        """Ask once. A model that takes no tools is asked anew with the evidence in its prompt."""
        if self._needed > self.window:
            return _fault(f"its context of {self.window:,} tokens has no room for another answer")
        outcome = await self._converse()
        if isinstance(outcome, CallFailure) and self._refuses_tools(outcome):
            bare = await anyio.to_thread.run_sync(self.bare)
            self.given, self.tools = bare.given, ()
            self.aimed += bare.aimed
            self._begin(bare.prompt)
            if self._needed > min(self.window, self.allowance):
                return _fault(
                    f"its model takes no tools, and the files that the claim names take {self._needed:,} tokens"
                )
            outcome = await self._converse()
        if isinstance(outcome, OutOfBudget):
            return _fault("budget: there was no room for another call")
        if isinstance(outcome, CallFailure):
            return _fault(f"the call failed ({outcome.code}): {outcome.message}")
        return self._checked(outcome)

    async def _converse(self) -> Turn | CallFailure | OutOfBudget:
        request = Request(
            model=self.juror.client_model,
            messages=list(self._history),
            settings=self.juror.settings,
            tools=self.tools,
        )
        outcome = await converse(request, lane=self.lane, watch=self._watch())
        if isinstance(outcome, CallFailure) and outcome.thinking_refused:
            self.juror = replace(self.juror, settings=self.juror.unthinking)
            request = replace(request, settings=self.juror.unthinking)
            outcome = await converse(request, lane=self.lane, watch=self._watch())
        return outcome

    def _refuses_tools(self, failure: CallFailure) -> bool:
        return bool(self.tools) and not self.answers and _NO_TOOLS.search(failure.message) is not None

    def _checked(self, turn: Turn) -> Turn | Finding:
        answer, route = turn.answer, self.juror.route
        turns = len(self.answers)
        self.answers.append(answer)
        self.tell(SkepticReplied(place=self.place, turn=turns, sent_bytes=self._plain, answer=answer))
        fault = served_model_fault(route.model, answer, provider=route.provider)
        if fault is not None:
            return _fault(other_model(fault))
        if answer.prompt_tokens is not None:
            self._tokens += answer.prompt_tokens + (answer.output_tokens or 0)
            if answer.prompt_tokens < MIN_SEEN_SHARE * self._plain / BYTES_PER_TOKEN:
                return _fault(CUT_CONTEXT)
        else:
            self._tokens += self._needed
        return turn

    async def _serve(self, turn: Turn) -> None:
        """Run the calls of a message in their order, and give what they say."""
        self.rounds += 1
        self._bytes += told_again(turn.answer)
        self._think(turn.answer)
        parts: list[Any] = []
        for place, call in enumerate(turn.answer.tool_calls):
            reply = _TOO_MANY if place >= MAX_PARALLEL else self._fitting(await self._in_time(call))
            self.aimed += await anyio.to_thread.run_sync(aimed_in_reply, reply)
            self._tell_returned(place, call, reply)
            self.looked += reply.looked
            self.failed_calls += reply.failed
            self._bytes += len(reply.text.encode())
            parts.append(_returned(call, reply.text))
        if self.rounds >= MAX_ROUNDS or self._spent_out():
            self._closing = True
            parts.append(UserPromptPart(content=ANSWER_NOW))
        self._history += [turn.response, ModelRequest(parts=parts)]

    def _tell_returned(self, position: int, call: ToolCall, reply: ToolReply) -> None:
        turn = len(self.answers) - 1
        self.tell(ToolReturned(place=self.place, turn=turn, position=position, call=call, reply=reply))

    async def _in_time(self, call: ToolCall) -> ToolReply:
        with anyio.move_on_after(TOOL_TIMEOUT_S):
            return await anyio.to_thread.run_sync(self._run, call, abandon_on_cancel=True)
        text = f"This took over {TOOL_TIMEOUT_S:g} s and was given up. Ask for less: a path, or a simpler pattern."
        return ToolReply(text=text, failed=True, looked=())

    def _run(self, call: ToolCall) -> ToolReply:
        try:
            arguments = json.loads(call.arguments)
            json.dumps(arguments, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            text = "The arguments are no JSON object that can be read. Call the tool again."
            return ToolReply(text=text, failed=True, looked=())
        return self.toolbox.call(call.name, arguments)

    def _fitting(self, reply: ToolReply) -> ToolReply:
        """Give a reply, or where the model's window has no room for it, how much there is. It is never cut."""
        # Of its allowance, half is kept: what is read now is sent again with the verdict.
        left = min(self.window, (self.allowance - self._tokens) // 2)
        room = max(0, left - self._needed) * 3
        size = len(reply.text.encode())
        if size <= room:
            return reply
        text = f"This would take {size:,} bytes, and your context has room for about {room:,}. Ask for less, or decide."
        return ToolReply(text=text, failed=True, looked=())

    def _spent_out(self) -> bool:
        """Whether another round and the verdict would not fit its allowance or its window."""
        after = self._needed
        return self._tokens + 2 * after > self.allowance or after + self.params.num_predict // 4 > self.window

    def _ask_for_verdict(self, turn: Turn) -> None:
        self._closing = True
        calls = [_returned(call, _NOT_RUN) for call in turn.answer.tool_calls]
        text = VERDICT_ONLY.format(nonce=self.opening.nonce)
        self._bytes += told_for_verdict(turn.answer, text)
        self._history += [turn.response, ModelRequest(parts=[*calls, UserPromptPart(content=text)])]

    def _watch(self) -> Watch:
        def attempted(change: int) -> None:
            self.attempts += change

        return Watch(
            attempted=attempted,
            pause=lambda: paused(self._scope),
            may_ask=self._may_ask,
            took=self._account.took,
        )

    def _may_ask(self) -> bool:
        offered = TOOLS_BYTES if self.tools else 0
        worst = call_worst(self.juror.route, self._bytes + offered, self.params)
        return self._account.hold(worst)


def _returned(call: ToolCall, text: str) -> ToolReturnPart:
    return ToolReturnPart(tool_name=call.name, content=text, tool_call_id=call.id)


def _fault(reason: str) -> Finding:
    return Finding(refuted=True, grounds="fault", reason=reason)
