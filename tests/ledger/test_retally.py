"""Replay: the same votes by other rules. No call is made, and a claim that flips says why."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from claimjury.errors import InvalidRequest
from claimjury.ledger.reading import StoredRun
from claimjury.ledger.replay import retally
from claimjury.testing import Reply, Script, ballot
from jury.helpers import CONFIRM, FIRST, REFUTE, TRIO, trio
from ledger.helpers import FILE, all_bytes
from ledger.receipt_helpers import demo_run, stored_run


async def voted(*verdicts: str, min_refute_votes: int = 2) -> StoredRun:
    """Keep a run in which the jurors of the trio vote so."""
    replies: Sequence[Script] = [[Reply(content=ballot({"c1": verdict}))] for verdict in verdicts]
    scripts = dict(zip(TRIO, replies, strict=True))
    return await stored_run(scripts, min_refute_votes=min_refute_votes, reference="14 passed")


async def test_by_the_runs_own_rules_nothing_flips() -> None:
    stored = await demo_run()
    counted = retally(stored)
    assert stored.result is not None
    assert counted.flips == 0
    assert (counted.min_refute_votes, counted.was) == (2, 2)
    assert [claim.new for claim in counted.claims] == [claim.verdict for claim in stored.result.claims]
    assert [claim.new_standing for claim in counted.claims] == [
        claim.standing for claim in stored.result.claims
    ]
    assert counted.scripted


async def test_a_higher_threshold_takes_a_refutation_back_and_says_why() -> None:
    counted = retally(await voted("REFUTED", "REFUTED", "CONFIRMED"), min_refute_votes=3)
    (claim,) = counted.claims
    assert (claim.old, claim.new, claim.flips, counted.flips) == ("REFUTED", "NEEDS_REVIEW", True, 1)
    assert claim.why == "1 confirm of 2 needed and 2 refutes of 3 needed: neither side has enough."
    assert (claim.confirm_votes, claim.refute_votes) == (1, 2)


async def test_a_lower_threshold_lets_a_lone_dissent_block() -> None:
    counted = retally(await voted("REFUTED", "CONFIRMED", "CONFIRMED"), min_refute_votes=1)
    (claim,) = counted.claims
    assert (claim.old, claim.new) == ("CONFIRMED", "NEEDS_REVIEW")
    assert claim.why == "2 confirms of 2 needed and 1 refute of 1 needed: each side blocks the other."


async def test_a_verdict_that_stays_says_its_count_too() -> None:
    counted = retally(await voted("CONFIRMED", "CONFIRMED", "CONFIRMED"), min_refute_votes=3)
    assert counted.claims[0].why == "3 confirms of 2 needed, against 0 refutes, fewer than the 3 that refute."
    counted = retally(await voted("REFUTED", "REFUTED", "CONFIRMED"))
    assert counted.claims[0].why == "2 refutes of 2 needed, against 1 confirm."


async def test_a_seat_that_is_left_out_counts_as_excluded_and_never_makes_a_verdict_firm() -> None:
    counted = retally(await voted("REFUTED", "CONFIRMED", "CONFIRMED"), drop_seats=[FIRST])
    (claim,) = counted.claims
    assert counted.dropped_seats == (FIRST,)
    assert (claim.new, claim.refute_votes) == ("CONFIRMED", 0)
    assert claim.old_standing is not None
    assert "split" in (claim.old_standing.reasons or ())
    assert claim.new_standing is not None
    assert "seat_missing" in (claim.new_standing.reasons or ())
    assert not counted.weak


async def test_a_seat_may_be_named_without_its_suffix_and_twice() -> None:
    counted = retally(await voted("REFUTED", "REFUTED", "CONFIRMED"), drop_seats=["GLM-5.2", TRIO[2]])
    assert counted.dropped_seats == (TRIO[2],)


async def test_without_most_of_its_seats_a_run_is_weak_and_decides_nothing() -> None:
    counted = retally(await voted("REFUTED", "REFUTED", "REFUTED"), drop_seats=TRIO[:2])
    assert counted.weak
    assert counted.claims[0].new == "NEEDS_REVIEW"


async def test_the_votes_of_an_excluded_seat_never_come_back() -> None:
    spoof = Reply(content=ballot({"c1": "REFUTED"}), served="another-model")
    stored = await stored_run(trio(spoof, **{TRIO[1]: [REFUTE], TRIO[2]: [CONFIRM]}))
    assert retally(stored, min_refute_votes=2).claims[0].refute_votes == 1


async def test_a_seat_that_did_not_sit_is_an_error_that_names_the_panel() -> None:
    with pytest.raises(InvalidRequest, match="No 'gpt-oss' sat") as caught:
        retally(await voted("REFUTED", "REFUTED", "CONFIRMED"), drop_seats=["gpt-oss"])
    assert caught.value.hint == f"Its seats are {', '.join(TRIO)}."


@pytest.mark.parametrize("needed", [0, 6, -1])
async def test_a_threshold_out_of_range_is_refused(needed: int) -> None:
    with pytest.raises(InvalidRequest, match="from 1 to 5"):
        retally(await voted("REFUTED", "REFUTED", "CONFIRMED"), min_refute_votes=needed)


async def test_votes_that_were_not_kept_cannot_be_counted() -> None:
    with pytest.raises(InvalidRequest, match="without its content"):
        retally(await stored_run(trio(CONFIRM), keep_content=False))


async def test_counting_again_leaves_the_ledger_as_it_is() -> None:
    stored = await voted("REFUTED", "REFUTED", "CONFIRMED")
    before = all_bytes()
    retally(stored, min_refute_votes=3)
    assert all_bytes() == before
    assert FILE.exists()
