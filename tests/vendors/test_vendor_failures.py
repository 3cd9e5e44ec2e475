"""What vendors' hosts answer when they refuse: their documented error bodies, and bodies that nobody documents."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimjury import verify_claims
from claimjury.jury.gate import exit_status
from claimjury.models.limits import MAX_ATTEMPTS
from jury.helpers import CLAIM
from vendors.vendor_host import KEY, Say, VendorHost

MODELS = {
    "openai": "openai/gpt-5.2",
    "anthropic": "anthropic/claude-opus-5",
    "google": "google/gemini-2.5-flash",
}
ROWS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "vendor_errors.json").read_text(encoding="utf-8")
)
CASES = [
    pytest.param(vendor, row, id=f"{vendor} {row['case']}") for vendor, rows in ROWS.items() for row in rows
]
STATUSES = [400, 401, 402, 403, 404, 408, 409, 410, 413, 429, 500, 502, 503, 529]
BODIES = [
    *[b"", b"null", b"[]", b"{}", b"<html>busy</html>", b'{"error": null}', b'{"error": []}'],
    *[b'{"error": "plain"}', b'{"error": {"message": null, "code": 7}}', b'{"error": {"message": {"a": 1}}}'],
    *[b"\xff\xfe\x00", b"[[" * 5_000, b'{"detail": [{"msg": "no"}]}'],
]


def refusal(row: dict[str, Any]) -> Say:
    body = row["body"] if isinstance(row["body"], str) else json.dumps(row["body"])
    kind = "text/html" if isinstance(row["body"], str) else "application/json"
    return Say(
        status=row["status"],
        body=body.encode(),
        headers={"Content-Type": kind, **row.get("headers", {}), "retry-after": "0"},
    )


async def ask(vendor: str, say: Say) -> tuple[Any, VendorHost]:
    model = MODELS[vendor]
    with VendorHost({model.split("/", 1)[1]: say}) as host:
        result = await verify_claims([CLAIM], panel=[model], access=host.access())
    return result, host


@pytest.mark.parametrize(("vendor", "row"), CASES)
async def test_a_vendors_own_error_body_becomes_our_code(vendor: str, row: dict[str, Any]) -> None:
    result, host = await ask(vendor, refusal(row))
    seat = result.panel[0]
    assert seat.exclude_reason == f"call_failed:{row['code']}"
    assert seat.attempts == len(host.heard) == (MAX_ATTEMPTS if row["retryable"] else 1)
    assert exit_status(result) == 4
    assert f"answered {row['status']} for" in (seat.detail or "")
    assert row["source"]


def test_every_status_of_the_list_is_among_the_fixtures_of_every_vendor() -> None:
    for vendor, rows in ROWS.items():
        assert set(STATUSES) <= {row["status"] for row in rows}, vendor
        assert {"RATE_LIMITED", "QUOTA_EXHAUSTED"} <= {row["code"] for row in rows if row["status"] == 429}


@pytest.mark.parametrize("vendor", MODELS)
@pytest.mark.parametrize("status", [200, 204, 307, 418, 400, 401, 403, 404, 429, 500, 529])
async def test_no_status_with_any_body_makes_a_run_raise(vendor: str, status: int) -> None:
    for body in BODIES:
        kind = "text/html" if body.startswith(b"<") else "application/json"
        headers = {"Content-Type": kind, "retry-after": "0", "location": "https://elsewhere.example/v1"}
        result, _ = await ask(
            vendor, Say(status=status, body=b"" if status == 204 else body, headers=headers)
        )
        seat = result.panel[0]
        assert not seat.included
        if status != 200:
            assert (seat.exclude_reason or "").startswith("call_failed:"), (status, body, seat.exclude_reason)
            assert seat.detail


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    vendor=st.sampled_from(sorted(MODELS)),
    body=st.binary(max_size=200) | st.text(max_size=200).map(str.encode),
)
async def test_no_body_under_status_200_makes_a_run_raise_or_casts_a_vote(vendor: str, body: bytes) -> None:
    result, _ = await ask(vendor, Say(body=body))
    assert result.panel[0].included is False
    assert result.claims[0].jurors == ()


async def test_a_redirect_is_not_followed_and_the_key_goes_nowhere_else() -> None:
    with VendorHost({}) as thief:
        for vendor in MODELS:
            headers = {"location": f"{thief.url}/v1/steal"}
            result, _ = await ask(vendor, Say(status=307, body=b"", headers=headers))
            assert "which was not followed" in (result.panel[0].detail or "")
    assert thief.heard == []


async def test_a_host_that_cannot_be_reached_is_unreachable() -> None:
    with VendorHost({}) as host:
        access = host.access()
    for model in MODELS.values():
        result = await verify_claims([CLAIM], panel=[model], access=access)
        assert result.panel[0].exclude_reason == "call_failed:UNREACHABLE"
        assert result.egress == ()


async def test_a_reply_that_is_too_large_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimjury.models.vendors.witness.MAX_REPLY_BYTES", 1_000)
    for vendor in MODELS:
        result, _ = await ask(vendor, Say(text="x" * 2_000))
        assert result.panel[0].exclude_reason == "call_failed:RESPONSE_TOO_LARGE"


async def test_a_reply_that_expands_without_end_is_not_read_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import gzip

    monkeypatch.setattr("claimjury.models.vendors.witness.MAX_REPLY_BYTES", 1_000)
    bomb = gzip.compress(b"x" * 1_000_000)
    for vendor in MODELS:
        result, _ = await ask(vendor, Say(body=bomb, headers={"Content-Encoding": "gzip"}))
        assert result.panel[0].exclude_reason == "call_failed:RESPONSE_TOO_LARGE"


async def test_the_deadline_ends_a_seat_that_is_still_thinking() -> None:
    gate = threading.Event()
    with VendorHost({"gpt-5.2": Say(votes={"c1": "CONFIRMED"}, gate=gate)}) as host:
        result = await verify_claims([CLAIM], panel=["openai/gpt-5.2"], access=host.access(), deadline_s=0.3)
        gate.set()
    assert result.status == "partial"
    assert result.panel[0].exclude_reason == "deadline"


@pytest.mark.parametrize("vendor", MODELS)
async def test_a_key_that_a_host_echoes_is_in_no_result(vendor: str) -> None:
    for say in (
        Say(
            status=401,
            body=json.dumps({"error": {"message": f"bad key {KEY}", "code": 401, "status": KEY}}).encode(),
        ),
        Say(text=f"{KEY} " * 3, served=KEY, headers={"x-request-id": KEY}),
        Say(votes={"c1": KEY}),
    ):
        result, _ = await ask(vendor, say)
        assert KEY not in result.model_dump_json()
