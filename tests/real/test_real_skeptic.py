"""One skeptic of a real model, end to end: it shows that the loop carries, and nothing of what the model is worth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimjury.ledger.checking import check_receipt
from claimjury.ledger.refutations import load_refutation
from claimjury.ledger.refute_receipts import export_refutation
from claimjury.ledger.refute_recorder import LedgerRefuteRecorder
from claimjury.ledger.store import open_ledger
from claimjury.models.hosts import Cloud
from claimjury.models.providers import ProviderHost, make_server
from claimjury.models.routes import Access
from claimjury.skeptics.block import parse_block
from claimjury.skeptics.refute import refute_claim
from real.model_server import ModelServer
from skeptics.helpers import CLAIM, repository

SMOLLM = "lab/smollm2:135m"
VERDICT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "nonce": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
        "reason": {"type": "string", "minLength": 4, "maxLength": 40},
        "basis": {"enum": ["evidence", "cannot_verify"]},
        "refuted": {"type": "boolean"},
    },
    "required": ["nonce", "reason", "basis", "refuted"],
    "additionalProperties": False,
}

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def skeptic() -> Iterator[ModelServer]:
    """Serve a model that writes verdicts; of its own it writes no JSON."""
    with ModelServer(answer_schema=VERDICT) as server:
        yield server


async def test_one_pass_of_a_real_model_ends_with_a_finding_that_is_kept_and_can_be_checked(
    skeptic: ModelServer,
) -> None:
    host = ProviderHost.of(make_server("lab", f"{skeptic.url}/v1"), {}, trusted_hosts=(skeptic.url,))
    access = Access(cloud=Cloud(), hosts={"lab": host}, windows={SMOLLM: 8_192})
    with open_ledger(Path("ledger.sqlite3")) as ledger:
        recorder = LedgerRefuteRecorder(ledger)
        result = await refute_claim(
            CLAIM, n=1, model=SMOLLM, repo=repository(), access=access, recorder=recorder
        )
        assert recorder.trouble is None
        receipt = export_refutation(load_refutation(ledger, result.run_id))

    [one] = result.skeptics
    assert (one.model, one.served_model, one.angle) == (SMOLLM, "smollm2:135m", "factual")
    # What it says is chance. That it was heard is not: it asked, answered, and its tokens were counted.
    assert one.attempts >= 1
    assert one.usage is not None
    assert "the call failed" not in one.reason
    assert one.grounds in ("default", "evidence", "fault")
    assert parse_block(result.text).block.tally.refuted == result.refuted
    assert result.scripted is None
    assert check_receipt(receipt).first_fault == ""
