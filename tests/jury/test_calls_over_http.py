"""What a host can answer to a call, and what becomes of the seat."""

from __future__ import annotations

import threading

import pytest

from claimjury import Cloud, exit_status, verify_claims
from claimjury.errors import CallError
from claimjury.jury.events import SeatQueued, SeatRetried
from claimjury.models.calls import _backoff
from claimjury.models.failures import retry_after
from claimjury.testing import Asked, Reply, ScriptedOllama, ballot
from jury.helpers import CLAIM, CONFIRM, FIRST, TRIO, Heard, ask, trio

QUOTA = "you (someone) have reached your weekly usage limit, or add extra usage: https://ollama.com/settings"


@pytest.mark.parametrize(
    ("reply", "code", "attempts"),
    [
        pytest.param(Reply(status=400, error="missing request body"), "BAD_RESPONSE", 1, id="bad_request"),
        pytest.param(Reply(status=401, error="unauthorized"), "AUTH_FAILED", 1, id="unauthorized"),
        pytest.param(
            Reply(status=402, error="this model uses extra usage only"), "PAYMENT_REQUIRED", 1, id="payment"
        ),
        pytest.param(
            Reply(status=403, error="this model requires a subscription"), "PLAN_LOCKED", 1, id="plan"
        ),
        pytest.param(Reply(status=404, error="model 'x' not found"), "OLLAMA_MODEL_MISSING", 1, id="missing"),
        pytest.param(Reply(status=408, error="timeout"), "TIMEOUT", 1, id="timeout"),
        pytest.param(
            Reply(status=410, error="x was retired at 2026-07-15"), "MODEL_RETIRED", 1, id="retired"
        ),
        pytest.param(Reply(status=413, error="too large"), "BAD_RESPONSE", 1, id="too_large"),
        pytest.param(Reply(status=418, error="teapot"), "BAD_RESPONSE", 1, id="teapot"),
        pytest.param(Reply(status=429, error=QUOTA), "QUOTA_EXHAUSTED", 1, id="quota"),
        pytest.param(Reply(status=429, error="slow down"), "RATE_LIMITED", 3, id="rate"),
        pytest.param(Reply(status=499, error="request canceled"), "BAD_RESPONSE", 1, id="canceled"),
        pytest.param(
            Reply(status=500, error="Internal Server Error (ref: 1)"), "SERVER_ERROR", 3, id="internal"
        ),
        pytest.param(Reply(status=502, error=""), "SERVER_ERROR", 3, id="gateway"),
        pytest.param(
            Reply(status=503, error="Server overloaded, please retry shortly"),
            "SERVER_ERROR",
            3,
            id="overloaded",
        ),
        pytest.param(
            Reply(status=504, body=b"<html>gateway</html>"), "SERVER_ERROR", 3, id="gateway_timeout"
        ),
        pytest.param(Reply(status=524, body=b""), "SERVER_ERROR", 3, id="cdn_timeout"),
        pytest.param(Reply(hang_up=True), "UNREACHABLE", 3, id="dropped"),
        pytest.param(Reply(content="half", cut=True), "BAD_RESPONSE", 3, id="no_done"),
        pytest.param(
            Reply(content="half of it", error="upstream failed"), "SERVER_ERROR", 3, id="error_line"
        ),
        pytest.param(
            Reply(body=b'{"message":{"content":"x"},"done":false}\n{"message"'),
            "BAD_RESPONSE",
            3,
            id="cut_object",
        ),
        pytest.param(
            Reply(body=b"<html>Please log in</html>", headers={"Content-Type": "text/html"}),
            "BAD_RESPONSE",
            1,
            id="html",
        ),
        pytest.param(Reply(body=b"[1, 2]"), "BAD_RESPONSE", 1, id="a_list"),
        pytest.param(Reply(body=b""), "BAD_RESPONSE", 3, id="empty"),
        pytest.param(
            Reply(body=b"ok", headers={"Content-Length": "5000"}), "UNREACHABLE", 3, id="short_body"
        ),
        pytest.param(
            Reply(body=b"not gzip", headers={"Content-Encoding": "gzip"}), "BAD_RESPONSE", 1, id="bad_gzip"
        ),
    ],
)
async def test_a_failed_call_excludes_its_seat_with_its_own_code(
    reply: Reply, code: str, attempts: int
) -> None:
    result = await ask(trio(reply))
    seat = result.panel[0]
    assert (seat.included, seat.exclude_reason, seat.attempts) == (False, f"call_failed:{code}", attempts)
    assert seat.detail
    assert result.claims[0].verdict == "CONFIRMED"
    assert result.claims[0].confirm_votes == 2


@pytest.mark.parametrize(
    "fault", [Reply(status=429, error="slow down"), Reply(status=503), Reply(hang_up=True)]
)
async def test_a_burst_of_two_faults_costs_no_vote(fault: Reply) -> None:
    heard = Heard()
    result = await ask(trio([fault, fault, CONFIRM]), recorder=heard)
    assert result.panel[0].included
    assert result.panel[0].attempts == 3
    assert len(heard.of(SeatRetried)) == 2


async def test_words_of_failure_in_a_successful_reply_change_nothing() -> None:
    rationale = "The test for 429 usage limit and quota exhausted errors, unauthorized included, passes."
    vote = {"verdict": "CONFIRMED", "rationale": rationale}
    result = await ask(trio(Reply(content=ballot({"c1": vote}))))
    assert result.claims[0].confirm_votes == 3


async def test_all_seats_are_asked_at_the_same_time() -> None:
    together = threading.Barrier(3)
    reply = Reply(content=ballot({"c1": "CONFIRMED"}), gate=together)
    result = await ask(dict.fromkeys(TRIO, [reply]))
    assert [seat.included for seat in result.panel] == [True, True, True]
    assert not together.broken


@pytest.mark.parametrize("slots", [1, 2])
async def test_a_plan_with_fewer_slots_queues_the_seats_and_loses_none(slots: int) -> None:
    heard = Heard()
    result = await ask(dict.fromkeys(TRIO, [CONFIRM]), slots=slots, recorder=heard)
    assert [seat.included for seat in result.panel] == [True, True, True]
    assert [seat.attempts for seat in result.panel] == [1, 1, 1]


async def test_a_queued_seat_is_shown_as_queued() -> None:
    arrived = threading.Event()

    def first(_asked: Asked) -> Reply:
        return Reply(content=ballot({"c1": "CONFIRMED"}), gate=arrived)

    class Opener(Heard):
        def record(self, event: object, /) -> None:
            super().record(event)  # type: ignore[arg-type]
            if len(self.of(SeatQueued)) == 2:
                arrived.set()

    heard = Opener()
    result = await ask(dict.fromkeys(TRIO, first), slots=1, recorder=heard)
    assert {event.model for event in heard.of(SeatQueued)} < set(TRIO)
    assert [seat.included for seat in result.panel] == [True, True, True]


async def test_a_slot_that_somebody_else_holds_for_good_ends_as_rate_limited() -> None:
    busy = Reply(status=429, error="timed out waiting for a concurrent request slot")
    result = await ask(trio(busy))
    assert result.panel[0].exclude_reason == "call_failed:RATE_LIMITED"
    assert result.claims[0].confirm_votes == 2


async def test_a_redirect_is_not_followed() -> None:
    with ScriptedOllama({FIRST: [CONFIRM]}) as elsewhere:
        moved = Reply(status=307, body=b"", headers={"Location": f"{elsewhere.url}/api/chat"})
        result = await ask({FIRST: [moved]})
        assert elsewhere.paths == []
    assert result.panel[0].exclude_reason == "call_failed:BAD_RESPONSE"
    assert "redirect" in (result.panel[0].detail or "")


async def test_a_reply_over_the_limit_is_refused_and_not_read_to_its_end() -> None:
    result = await ask(trio(Reply(body=b" " * 100_000_000)))
    assert result.panel[0].exclude_reason == "call_failed:RESPONSE_TOO_LARGE"


async def test_a_port_where_nobody_listens_is_unreachable_and_the_run_exits_with_4() -> None:
    with ScriptedOllama({}) as gone:
        cloud = gone.cloud
    result = await verify_claims([CLAIM], cloud=cloud)
    assert {seat.exclude_reason for seat in result.panel} == {"call_failed:UNREACHABLE"}
    assert exit_status(result) == 4
    assert result.scripted is None


async def test_a_juror_that_hangs_times_out_once_and_takes_nobody_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("claimjury.jury.session.SEAT_TIMEOUT_S", 0.3)
    never = threading.Event()
    with ScriptedOllama(trio(Reply(gate=never))) as server:
        result = await verify_claims([CLAIM], cloud=server.cloud)
        never.set()
        assert len(server.requests_of(FIRST)) == 1
    assert result.panel[0].exclude_reason == "call_failed:TIMEOUT"
    assert result.claims[0].verdict == "CONFIRMED"
    assert result.status == "complete"


async def test_the_deadline_keeps_what_has_arrived_and_excludes_the_rest() -> None:
    never = threading.Event()
    with ScriptedOllama(
        {**trio(CONFIRM), TRIO[1]: [Reply(gate=never)], TRIO[2]: [Reply(gate=never)]}
    ) as server:
        result = await verify_claims([CLAIM], cloud=server.cloud, deadline_s=0.8)
        never.set()
    assert [seat.exclude_reason for seat in result.panel] == [None, "deadline", "deadline"]
    assert result.status == "partial"
    assert exit_status(result) == 5


async def test_the_deadline_in_a_re_ask_keeps_the_first_reply() -> None:
    never = threading.Event()
    first = Reply(content=ballot({"c1": "CONFIRMED"}))
    with ScriptedOllama({FIRST: [first, Reply(gate=never)]}) as server:
        result = await verify_claims([CLAIM, "Two."], panel=[FIRST], cloud=server.cloud, deadline_s=0.8)
        never.set()
    assert result.panel[0].included
    assert [claim.confirm_votes for claim in result.claims] == [1, 0]


@pytest.fixture
def dead_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")


async def test_loopback_is_never_asked_through_a_proxy(dead_proxy: None) -> None:
    assert (await ask({FIRST: [CONFIRM]})).panel[0].included


async def test_the_key_goes_to_a_trusted_host_and_not_to_loopback_by_itself() -> None:
    with ScriptedOllama({FIRST: [CONFIRM]}) as server:
        await verify_claims([CLAIM], panel=[FIRST], cloud=server.cloud)
        await verify_claims([CLAIM], panel=[FIRST], cloud=server.trusted_cloud)
        headers = [asked.headers.get("authorization") for asked in server.asked]
    assert headers == [None, "Bearer no-key-but-a-script"]


async def test_a_key_that_the_host_echoes_reaches_neither_result_nor_message() -> None:
    key = "sk-canary-0123456789"
    echo = Reply(status=401, error=f"bad key {key}")
    leaky = Reply(
        content=ballot({"c1": {"verdict": "CONFIRMED", "rationale": f"The key is {key}."}}), served=key
    )
    with ScriptedOllama({FIRST: [echo], TRIO[1]: [leaky]}) as server:
        cloud = Cloud(host=server.url, api_key=key, trusted_hosts=(server.url,))
        result = await verify_claims([CLAIM], panel=TRIO[:2], cloud=cloud)
    assert key not in result.model_dump_json()
    assert "[key]" in result.model_dump_json()


async def test_no_key_takes_the_mark_off_a_scripted_answer() -> None:
    with ScriptedOllama({FIRST: [CONFIRM]}) as server:
        cloud = Cloud(host=server.url, api_key="claimjury_scripted", trusted_hosts=(server.url,))
        result = await verify_claims([CLAIM], panel=[FIRST], cloud=cloud)
    assert result.scripted is True


@pytest.mark.parametrize(
    "reply",
    [
        Reply(ballot({"c1": "CONFIRMED"}), fields={"claimjury_scripted": False}),
        Reply(body=b'{"model": "deepseek-v4-pro", "message": {"content": "{}"}, "done": true}'),
        Reply(ballot({"c1": "CONFIRMED"}), headers={"X-Claimjury-Scripted": ""}),
    ],
    ids=["field", "whole body", "header"],
)
async def test_no_script_takes_its_own_mark_off(reply: Reply) -> None:
    assert (await ask({FIRST: [reply]})).scripted is True


def test_retry_after_is_read_as_seconds_or_as_a_date() -> None:
    assert retry_after({"retry-after": "7"}) == 7
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    assert [retry_after({"retry-after": value}) for value in ("", "soon", "nan", "inf")] == [None] * 4
    assert retry_after({}) is None


async def test_a_wish_to_wait_is_honoured_unless_it_outlasts_the_time_left() -> None:
    import anyio

    def busy(seconds: float | None) -> CallError:
        return CallError("RATE_LIMITED", "busy", retryable=True, retry_after_s=seconds)

    with anyio.move_on_after(60):
        assert _backoff(busy(7)) == 7
        assert _backoff(busy(None)) is True
        assert _backoff(busy(3_600)) is False
    assert _backoff(CallError("AUTH_FAILED", "no")) is False
    assert _backoff(ValueError()) is False
