"""A skeptic's talk, gone through once more: which message was told what, and where it ended. Pure.

It follows `Pass`: a message that asks for tools is served; the first that gives a verdict ends the talk, unless the
answer was not of the model that was asked, or its host had cut what was sent. One without a verdict is asked once more.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from claimjury.ledger.receipt_form import BYTES_PER_TOKEN, MIN_SEEN_SHARE
from claimjury.ledger.refute_receipt_form import SkepticRow, TurnRow
from claimjury.models.answers import Answer
from claimjury.models.served import served_model_fault
from claimjury.skeptics.limits import MAX_ROUNDS
from claimjury.skeptics.prompts import VERDICT_ONLY
from claimjury.skeptics.retold import CUT_CONTEXT, NO_VERDICT, other_model, told_again, told_for_verdict
from claimjury.skeptics.verdict import SaidVerdict, read_verdict

__all__ = ["Talk", "talk_of"]


@dataclass(slots=True, kw_only=True)
class Talk:
    """A talk as its messages give it.

    Attributes:
        verdict: What it ends in, or None where no message holds a verdict that counts.
        fault: Why a message ended it without one; empty where none did.
        rounds: How often tools were run; the larger where the last round may have been cut off at its first call.
        doubtful_round: Whether the last of them may not have begun.
        odd: What cannot have come so, as sentences.
    """

    row: SkepticRow
    nonce: str
    verdict: SaidVerdict | None = None
    fault: str = ""
    rounds: int = 0
    doubtful_round: bool = False
    odd: list[str] = field(default_factory=list)
    _size: int = 0
    _ended: bool = False
    _closing: bool = False
    _asked_again: bool = False

    def take(self, number: int, turn: TurnRow) -> None:
        """Take the next message, counted from 1."""
        if self._ended:
            self._wrong(f"{self._message(number)} comes after the one that ended its talk.")
            return
        if turn.sent_bytes != self._size:
            self._wrong(f"`sent_bytes` of {self._message(number)} is not what was told before it.")
        answer = turn.answer
        self.fault = self._fault_of(answer, turn.sent_bytes)
        if self.fault:
            self._ended = True
            self._refuse_answers(number, turn)
        elif answer.tool_calls and not self._closing and self._served(number, turn):
            self._serve(turn, answer)
        else:
            self._refuse_answers(number, turn)
            self._read(answer)

    def _message(self, number: int) -> str:
        return f"message {number} of skeptic {self.row.result.place}"

    def _wrong(self, sentence: str) -> None:
        self.odd.append(f"{sentence[0].upper()}{sentence[1:]}")

    def _fault_of(self, answer: Answer, sent_bytes: int) -> str:
        """Say why an answer is not of the model that was asked, or why its host did not have all that was sent."""
        said = self.row.result
        fault = served_model_fault(said.model, answer, provider=said.provider)
        if fault is not None:
            return other_model(fault)
        seen = answer.prompt_tokens
        return (
            CUT_CONTEXT if seen is not None and seen < MIN_SEEN_SHARE * sent_bytes / BYTES_PER_TOKEN else ""
        )

    def _served(self, number: int, turn: TurnRow) -> bool:
        """Whether the calls of a message were run. That none was is the end of searching, which comes after a round."""
        positions = [said.position for said in turn.answers]
        if positions != list(range(len(positions))) or len(positions) > len(turn.calls):
            self._wrong(f"The answers of tools to {self._message(number)} are not those of its calls.")
        return bool(positions) or self.rounds == 0

    def _serve(self, turn: TurnRow, answer: Answer) -> None:
        self.rounds += 1
        self._size += told_again(answer) + sum(said.bytes for said in turn.answers)
        # A round that was cut off ends the talk; its skeptic broke down.
        self._ended = len(turn.answers) < len(turn.calls)
        self._closing = self.rounds >= MAX_ROUNDS

    def _refuse_answers(self, number: int, turn: TurnRow) -> None:
        if turn.answers:
            self._wrong(f"{self._message(number)} has answers of tools, and none was run for it.")

    def _read(self, answer: Answer) -> None:
        calls = bool(answer.tool_calls)
        said = None if calls or answer.truncated else read_verdict(answer.text, self.nonce)
        if said is not None:
            self.verdict, self._ended = said, True
        elif self._asked_again:
            self.fault, self._ended = NO_VERDICT, True
        else:
            # A round that was cut off at its first call looks like the end of searching.
            self.doubtful_round = calls and not self._closing
            self._asked_again = self._closing = True
            self._size += told_for_verdict(answer, VERDICT_ONLY.format(nonce=self.nonce))


def talk_of(row: SkepticRow, nonce: str) -> Talk:
    """Go through the messages of a skeptic.

    Raises:
        ValueError: A message has no text that can be read.
    """
    talk = Talk(row=row, nonce=nonce, _size=row.openings[-1].bytes if row.openings else 0)
    for number, turn in enumerate(row.turns, start=1):
        talk.take(number, turn)
    return talk
