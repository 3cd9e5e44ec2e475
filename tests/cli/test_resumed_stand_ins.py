"""Going on with a run of which a stand-in has a seat."""

from __future__ import annotations

from typing import Any

import pytest

from claimjury.testing import Asked, Reply, Script, ScriptedOllama, ballot
from cli.helpers import Cli
from jury.helpers import CLAIM, CONFIRM, TRIO

MINIMAX, GEMMA = "minimax-m3:cloud", "gemma4:31b-cloud"
REFUSED = Reply(status=401, error="unauthorized")
OTHER = Reply(content=ballot({"c1": "CONFIRMED"}), served="other:1b")


def rows(ran: dict[str, Any]) -> dict[str, tuple[str | None, bool]]:
    return {
        seat["model"]: (seat.get("stands_in_for"), seat.get("replayed", False))
        for seat in ran["result"]["panel"]
    }


@pytest.mark.parametrize("fault", [REFUSED, OTHER])
def test_a_stand_in_keeps_its_seat_and_its_vote_and_who_fell_out_is_not_asked_again(
    cli: Cli, fault: Reply
) -> None:
    up = False

    def flaky(_asked: Asked) -> Reply:
        return CONFIRM if up else REFUSED

    scripts: dict[str, Script] = {
        TRIO[0]: [CONFIRM],
        TRIO[1]: [fault],
        TRIO[2]: flaky,
        MINIMAX: [CONFIRM],
        GEMMA: flaky,
    }
    with ScriptedOllama(scripts) as server:
        cli.use(server)
        first = cli("verify", "--claim", CLAIM, "--alternates", f"{MINIMAX},{GEMMA}", "--json").json
        up, before = True, len(server.asked)
        again = cli("verify", "--resume", "last", "--json")
        asked = {asked.body["model"] for asked in server.asked[before:]}
        exported = cli("runs", "export", "last", "--receipt", "receipt.json")
        receipt = cli("receipt", "verify", "receipt.json")
    fell = first["result"]["panel"][-2:]
    taken = next(seat["stands_in_for"] for seat in fell if seat["model"] == MINIMAX)
    left = next(model for model in TRIO[1:] if model != taken)
    assert rows(again.json)[MINIMAX] == (taken, True)
    assert rows(again.json)[taken] == (None, True)
    assert taken.removesuffix(":cloud") not in asked
    assert {"minimax-m3", "deepseek-v4-pro"}.isdisjoint(asked)
    assert left.removesuffix(":cloud") in asked or fault is OTHER
    assert again.json["result"]["claims"][0]["confirm_votes"] == 3
    leaving = [line for line in again.err.splitlines() if "sending" in line]
    assert leaving
    assert not [line for line in leaving if TRIO[0] in line or taken in line or MINIMAX in line]
    assert (exported.status, receipt.status) == (0, 20), receipt.out


def test_a_seat_that_is_asked_for_the_rest_of_its_votes_is_named_by_the_line_that_says_what_leaves(
    cli: Cli,
) -> None:
    up = False

    def half(asked: Asked) -> Reply:
        if asked.turn == 0:
            return Reply('{"verdicts": []}')
        return CONFIRM if up else REFUSED

    with ScriptedOllama({**dict.fromkeys(TRIO, [CONFIRM]), TRIO[1]: half}) as server:
        cli.use(server)
        cli("verify", "--claim", CLAIM)
        up, before = True, len(server.asked)
        again = cli("verify", "--resume", "last", "--json")
        assert [asked.body["model"] for asked in server.asked[before:]] == [TRIO[1].removesuffix(":cloud")]
    assert f"to each of {TRIO[1]} at" in again.err
