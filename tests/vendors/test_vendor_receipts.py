"""Receipts of panels with vendors' seats and stand-ins: what they say of families and costs is checked."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from claimjury import verify_claims
from claimjury.jury.events import Listeners
from claimjury.jury.verify import run_plan
from claimjury.ledger.reading import load_run
from claimjury.ledger.receipts import export_receipt
from claimjury.ledger.recorder import LedgerRecorder
from claimjury.ledger.resuming import plan_again
from claimjury.ledger.store import open_ledger
from claimjury.testing import Reply
from jury.helpers import CLAIM, CONFIRM, TRIO
from ledger.helpers import FILE
from ledger.receipt_helpers import check, forged, stored_run
from vendors.vendor_host import Say, VendorHost

GROK = "openrouter/x-ai/grok-4"
MINIMAX = "minimax-m3:cloud"


def costing(usd: float, votes: dict[str, str]) -> Say:
    usage = {"prompt_tokens": 5_000, "completion_tokens": 50, "total_tokens": 5_050, "cost": usd}
    return Say(votes=votes, fields={"usage": usage})


async def grok_run(host: VendorHost) -> str:
    with open_ledger(FILE) as ledger:
        result = await verify_claims(
            [CLAIM], panel=[GROK], access=host.access(), recorder=LedgerRecorder(ledger)
        )
    return result.run_id


def receipt_of(run_id: str) -> dict[str, Any]:
    with open_ledger(FILE) as ledger:
        parts: dict[str, Any] = json.loads(export_receipt(load_run(ledger, run_id)))
    return parts


def fault_of(parts: dict[str, Any], **seat: Any) -> str:
    changed = copy.deepcopy(parts)
    changed["seats"][-1].update(seat)
    changed["seats"][-1] = {name: value for name, value in changed["seats"][-1].items() if value is not None}
    return check(forged(changed)).first_fault


async def test_a_cost_that_a_host_reported_stands_in_the_receipt_as_it_was_reported() -> None:
    with VendorHost({"x-ai/grok-4": costing(0.25, {"c1": "CONFIRMED"})}) as host:
        parts = receipt_of(await grok_run(host))
    assert (parts["seats"][0]["cost_usd"], parts["seats"][0]["cost_source"]) == (0.25, "reported")
    assert fault_of(parts) == ""
    said = f"`cost_usd` of the seat of {GROK} is not what its replies report."
    assert fault_of(parts, cost_usd=0.01) == said
    assert fault_of(parts, cost_usd=0.01, cost_source="price_list") == said
    assert fault_of(parts, cost_usd=None, cost_source="unknown") == said


async def test_a_run_that_goes_on_counts_what_it_paid_itself_and_its_receipt_fits() -> None:
    again = Say(status=401, body=b'{"error":{"message":"bad key"}}')
    with VendorHost({"x-ai/grok-4": [costing(0.25, {}), again]}) as host:
        run_id = await grok_run(host)
        host.scripts = {"x-ai/grok-4": costing(0.5, {"c1": "CONFIRMED"})}
        with open_ledger(FILE) as ledger:
            plan, earlier = plan_again(load_run(ledger, run_id), host.access())
            result = await run_plan(lambda: plan, Listeners(recorder=LedgerRecorder(ledger), earlier=earlier))
    [seat] = result.panel
    assert (seat.included, seat.replayed, seat.cost_usd, seat.cost_source) == (True, True, 0.5, "reported")
    assert seat.usage is not None
    assert seat.usage.tokens_in == 10_000
    parts = receipt_of(result.run_id)
    assert check(forged(parts)).first_fault == ""
    assert fault_of(parts, cost_usd=0.6) != ""


@pytest.mark.parametrize("family", ["minimax", "zai"])
async def test_a_stand_in_of_the_authors_family_is_found_in_a_receipt(family: str) -> None:
    scripts = {**dict.fromkeys(TRIO, [CONFIRM]), TRIO[1]: [Reply(status=410)], MINIMAX: [CONFIRM]}
    parts = json.loads(export_receipt(await stored_run(scripts, panel=list(TRIO), alternates=[MINIMAX])))
    assert parts["seats"][-1]["stands_in_for"] == TRIO[1]
    assert fault_of(parts) == ""
    parts["rules"]["author"] = [family]
    assert fault_of(parts) != ""


async def test_a_stand_in_that_shares_a_family_with_a_seat_is_found_in_a_receipt() -> None:
    scripts = {**dict.fromkeys(TRIO, [CONFIRM]), TRIO[1]: [Reply(status=410)], MINIMAX: [CONFIRM]}
    parts = json.loads(export_receipt(await stored_run(scripts, panel=list(TRIO), alternates=[MINIMAX])))
    assert "its family may not" in fault_of(parts, family="zai", family_source="settings")
