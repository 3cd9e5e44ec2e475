"""Every shape of reply that a single call can show, over real HTTP: counted, asked again once, or excluded."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from claimjury import exit_status, verify_claims
from claimjury.testing import Reply, ScriptedOllama
from jury.helpers import CLAIM, CONFIRM, FIRST, TRIO, ask, trio

VOTE: Final = {"id": "c1", "rationale": "Line 3 decides it.", "verdict": "REFUTED", "severity": "high"}
BALLOT: Final = json.dumps({"verdicts": [VOTE]})
PRETTY: Final = json.dumps({"verdicts": [VOTE]}, indent=2)
DECOY: Final = json.dumps({"finding": {"verdict": "CONFIRMED", "id": "c1"}, "verdicts": [VOTE]})

COUNTED: Final = {
    "whole reply": BALLOT,
    "pretty printed": PRETTY,
    "json fence": f"```json\n{PRETTY}\n```",
    "bare fence": f"```\n{BALLOT}\n```",
    "tilde fence": f"~~~\n{BALLOT}\n~~~",
    "unclosed fence": f"```json\n{BALLOT}",
    "upper case fence": f"```JSON\n{BALLOT}\n```",
    "prose around": f"I have read the file.\n\n{BALLOT}\n\nLet me know if you need more.",
    "prose with braces around": f"The set {{1, 2}} and {{}} are fine. {BALLOT} Done {{.",
    "think before": f"<think>Maybe [it] {{holds}}?</think>\n{BALLOT}",
    "think with a draft before": f'<think>{{"verdicts": [{{"id": "c1", "verdict": "CONFIRMED", "rationale": "x"}}]}}</think>{BALLOT}',
    "think closed only": f"so it is refuted</think>\n{BALLOT}",
    "reasoning glued in front": f"Reasoning: []{BALLOT}",
    "byte-order mark": f"\ufeff{BALLOT}",
    "zero-width characters": BALLOT.replace(": ", ":\u200b "),
    "nested": json.dumps({"result": {"ballot": {"verdicts": [VOTE]}}}),
    "in a list": json.dumps([{"verdicts": [VOTE]}]),
    "stringified": json.dumps({"response": BALLOT}),
    "stringified list": json.dumps({"verdicts": json.dumps([VOTE])}),
    "a string of JSON": json.dumps(BALLOT),
    "decoy object first": DECOY,
    "unclosed array": BALLOT.replace("]}", "}"),
    "never closed": BALLOT[:-2],
    "line comment": PRETTY.replace("{\n", "{ // my ballot\n", 1),
    "block comment": BALLOT.replace("[", "[ /* one */ ", 1),
    "trailing commas": BALLOT.replace("}]}", ",}, ]}"),
    "raw newline in a string": BALLOT.replace("Line 3 decides it.", "Line 3\ndecides it."),
    "raw tab in a string": BALLOT.replace("Line 3 decides it.", "Line 3\tdecides it."),
    "verdict in lower case": BALLOT.replace("REFUTED", " refuted "),
    "further fields": json.dumps({"verdicts": [{**VOTE, "confidence": 0.9}], "notes": "x"}),
    "bad severity": BALLOT.replace('"high"', '"enormous"'),
    "no severity": BALLOT.replace(', "severity": "high"', ""),
    "another run's nonce": json.dumps({"nonce": "feedfacefeedface", "verdicts": [VOTE]}),
    "garbage among the entries": json.dumps({"verdicts": [4, None, "x", [], VOTE]}),
}

ASKED_AGAIN: Final = {
    "empty": "",
    "blanks": " \n\t ",
    "prose": "I refute c1: line 3.",
    "refusal": "I'm sorry, I can't help with that.",
    "only a thought": f"<think>{BALLOT}",
    "a thought and prose": f"<think>{BALLOT}</think> So I refute it.",
    "a bare list": json.dumps([VOTE]),
    "a bare entry": json.dumps(VOTE),
    "another key": json.dumps({"results": [VOTE]}),
    "a mapping by id": json.dumps({"verdicts": {"c1": VOTE}}),
    "cut in a string": BALLOT[: BALLOT.index("decides")],
    "cut in the verdict": BALLOT[: BALLOT.index("REFU") + 4],
    "unknown id": BALLOT.replace("c1", "c9"),
    "id in another case": BALLOT.replace("c1", "C1"),
    "numeric id": BALLOT.replace('"c1"', "1"),
    "verdict outside the three": BALLOT.replace("REFUTED", "PROBABLY FALSE"),
    "verdict missing": json.dumps({"verdicts": [{"id": "c1", "rationale": "x"}]}),
    "empty rationale": BALLOT.replace("Line 3 decides it.", "  "),
    "rationale of another type": json.dumps({"verdicts": [{**VOTE, "rationale": ["x"]}]}),
    "two verdicts in one entry": BALLOT.replace(
        '"verdict": "REFUTED"', '"verdict": "REFUTED", "verdict": "CONFIRMED"'
    ),
    "gibberish": "[PAD][PAD][PAD]" * 50,
    "a tool call as text": "<|tool_calls_begin|>verify<|tool_sep|>{}",
}


@pytest.mark.parametrize("shape", COUNTED)
async def test_what_a_juror_clearly_said_is_counted(shape: str) -> None:
    with ScriptedOllama({FIRST: [Reply(content=COUNTED[shape])]}) as server:
        result = await verify_claims([CLAIM], panel=[FIRST], cloud=server.cloud)
    assert [vote.verdict for vote in result.claims[0].jurors] == ["REFUTED"]
    assert result.panel[0].attempts == 1


@pytest.mark.parametrize("shape", ASKED_AGAIN)
async def test_what_is_no_clear_vote_is_asked_for_once_more(shape: str) -> None:
    with ScriptedOllama({FIRST: [Reply(content=ASKED_AGAIN[shape]), CONFIRM]}) as server:
        result = await verify_claims([CLAIM], panel=[FIRST], cloud=server.cloud)
    assert [vote.verdict for vote in result.claims[0].jurors] == ["CONFIRMED"]
    assert result.panel[0].attempts == 2


@pytest.mark.parametrize("shape", ASKED_AGAIN)
async def test_what_is_no_clear_vote_twice_excludes_the_seat_and_no_other(shape: str) -> None:
    result = await ask(trio(Reply(content=ASKED_AGAIN[shape])))
    seat = result.panel[0]
    assert (seat.included, seat.exclude_reason, seat.attempts) == (False, "no_valid_verdicts", 2)
    assert seat.raw_sample is not None
    assert result.claims[0].confirm_votes == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/html"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": ""},
    ],
    ids=["html", "wrong charset", "none"],
)
async def test_a_wrong_content_type_costs_no_vote(headers: dict[str, str]) -> None:
    result = await ask(trio(Reply(content=BALLOT, headers=headers)))
    assert result.panel[0].included


async def test_empty_content_after_long_thinking_with_a_normal_stop_is_asked_for_once_more() -> None:
    silent = Reply(content="", thinking="Let me think. " * 2_000)
    result = await ask(trio([silent, CONFIRM]))
    assert (result.panel[0].included, result.panel[0].attempts) == (True, 2)


async def test_a_slow_drip_is_cut_at_the_deadline_and_the_others_count() -> None:
    dripping = Reply(content=BALLOT + " " * 5_000, drip=True)
    result = await ask(trio(dripping), deadline_s=1.0)
    assert [seat.exclude_reason for seat in result.panel] == ["deadline", None, None]
    assert result.status == "partial"
    assert exit_status(result) == 20


async def test_a_slow_drip_that_ends_in_time_counts() -> None:
    result = await ask(trio(Reply(content=BALLOT, drip=True)))
    assert result.panel[0].included


async def test_the_portal_of_a_hotel_is_named_and_not_taken_for_an_answer() -> None:
    page = b"<!doctype html><title>Welcome to the hotel</title><form>Room number</form>"
    result = await ask(trio(Reply(body=page, headers={"Content-Type": "text/html"})))
    assert result.panel[0].exclude_reason == "call_failed:BAD_RESPONSE"
    assert "Welcome to the hotel" in (result.panel[0].detail or "")
    assert "captive portal" in (result.panel[0].detail or "")


@pytest.mark.parametrize(
    "body",
    [
        b'{"model": "deepseek-v4-pro", "message": {"content": "x"}, "done": true}{"error": "late"}',
        b'{"StatusCode": 503, "Status": "503 Service Unavailable", "error": "overloaded"}\n',
        b'{"error": {"message": "nested", "code": 500}}',
    ],
    ids=["glued to the end", "status object", "nested"],
)
async def test_an_error_under_status_200_is_a_failed_call(body: bytes) -> None:
    result = await ask(trio(Reply(body=body)))
    assert result.panel[0].exclude_reason == "call_failed:SERVER_ERROR"


async def test_text_from_jurors_that_names_other_failures_is_just_text() -> None:
    votes: dict[str, Any] = {
        "verdicts": [{**VOTE, "rationale": "429 quota exceeded; unauthorized; CONFIRMED by nobody"}]
    }
    result = await ask(dict.fromkeys(TRIO, [Reply(content=json.dumps(votes))]))
    assert result.claims[0].verdict == "REFUTED"
