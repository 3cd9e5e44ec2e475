"""Who sits: one seat a family, none for the author's, and a stand-in for a seat that falls out."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimjury import InvalidRequest, plan_verify, verify_claims
from claimjury.jury.counting import Seated, Sent, count_claims, seats_are_weak
from claimjury.jury.gate import exit_status
from claimjury.jury.votes import Vote, VoteWord
from claimjury.models.routes import Access
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import CLAIM, CONFIRM, REFUTE, TRIO

DEEPSEEK, KIMI, GLM = TRIO
MINIMAX, OLD_GLM, NOVEL = "minimax-m3:cloud", "glm-5.1:cloud", "novel-1:cloud"
GONE = Reply(status=410, error="it was retired")
OTHER = Reply(content=ballot({"c1": "CONFIRMED"}), served="other:1b")


async def ask(scripts: dict[str, Any], *, panel: list[str], **options: Any) -> tuple[Any, ScriptedOllama]:
    listed = {model: said if isinstance(said, list) else [said] for model, said in scripts.items()}
    with ScriptedOllama(listed, catalogue=[]) as server:
        result = await verify_claims([CLAIM], panel=panel, cloud=server.trusted_cloud, **options)
    return result, server


def asked(server: ScriptedOllama) -> list[str]:
    return sorted(str(request.body["model"]) for request in server.asked)


async def test_a_second_seat_of_a_family_is_excluded_before_it_is_asked() -> None:
    result, server = await ask(
        dict.fromkeys([DEEPSEEK, GLM, OLD_GLM], CONFIRM), panel=[DEEPSEEK, GLM, OLD_GLM]
    )
    seat = result.panel[2]
    assert (seat.model, seat.included, seat.exclude_reason, seat.attempts) == (
        OLD_GLM,
        False,
        "duplicate_family",
        0,
    )
    assert seat.detail == "glm-5.2:cloud sits for the family zai already."
    assert asked(server) == ["deepseek-v4-pro", "glm-5.2"]
    assert "glm-5.1" not in result.params.jurors
    assert result.claims[0].standing.reasons == ("seat_missing", "no_evidence")


@pytest.mark.parametrize("author", ["zai", "glm-5.3:cloud", "GLM-4.6", "hf.co/someone/GLM-4.6-GGUF", "z.ai"])
async def test_the_authors_family_never_sits(author: str) -> None:
    result, server = await ask(dict.fromkeys(TRIO, CONFIRM), panel=list(TRIO), author=author)
    assert result.panel[2].exclude_reason == "author_family"
    assert asked(server) == ["deepseek-v4-pro", "kimi-k2.7-code"]
    assert result.params.author == ("zai",)


async def test_a_distillation_sits_beside_neither_of_its_lineages() -> None:
    distilled = "deepseek-r1-distill-llama-70b"
    for twin in (DEEPSEEK, "llama3.3:70b"):
        result, server = await ask({twin: CONFIRM, distilled: CONFIRM}, panel=[twin, distilled])
        assert result.panel[1].exclude_reason == "duplicate_family"
        assert distilled not in asked(server)


async def test_models_of_unknown_families_may_sit_together_and_add_no_family() -> None:
    result, _ = await ask({NOVEL: CONFIRM, "novel-2": CONFIRM}, panel=[NOVEL, "novel-2"])
    assert [seat.included for seat in result.panel] == [True, True]
    assert result.weak
    assert {f"family_unknown:{NOVEL}", "family_unknown:novel-2"} <= set(result.warnings)


async def test_the_users_own_map_gives_a_model_a_family_and_the_result_says_whose_word_it_is() -> None:
    with ScriptedOllama({NOVEL: [CONFIRM], GLM: [CONFIRM], DEEPSEEK: [CONFIRM]}) as server:
        access = Access(cloud=server.trusted_cloud, families={"novel": "zai"})
        result = await verify_claims([CLAIM], panel=[GLM, NOVEL, DEEPSEEK], access=access)
    assert (result.panel[1].family, result.panel[1].family_source) == ("zai", "settings")
    assert result.panel[1].exclude_reason == "duplicate_family"
    assert f"family_from_settings:{NOVEL}=zai" in result.warnings


def test_an_author_of_no_known_family_is_refused_since_nothing_could_be_kept_off() -> None:
    with pytest.raises(InvalidRequest, match="of no family that is known"):
        plan_verify([CLAIM], author="someone-at-acme")
    with pytest.raises(InvalidRequest, match="The author is empty"):
        plan_verify([CLAIM], author=" ")


def test_a_panel_of_which_nobody_may_sit_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="Nobody of the panel may sit"):
        plan_verify([CLAIM], panel=[GLM], author="zai")
    assert plan_verify([CLAIM], panel=[GLM], author="zai", alternates=[KIMI]).barred


async def test_seats_of_one_family_have_one_common_vote_where_they_are_let_sit() -> None:
    panel = [GLM, OLD_GLM, DEEPSEEK]
    result, _ = await ask(dict.fromkeys(panel, CONFIRM), panel=panel, allow_same_family=True)
    claim = result.claims[0]
    assert (claim.verdict, claim.confirm_votes, len(claim.jurors)) == ("CONFIRMED", 2, 3)
    assert "family_shares_vote:zai" in result.warnings
    assert result.params.allow_same_family is True


async def test_a_family_that_disagrees_with_itself_is_uncertain() -> None:
    panel = [GLM, OLD_GLM, DEEPSEEK]
    result, _ = await ask(
        {GLM: CONFIRM, OLD_GLM: REFUTE, DEEPSEEK: CONFIRM}, panel=panel, allow_same_family=True
    )
    claim = result.claims[0]
    counts = (claim.confirm_votes, claim.refute_votes, claim.uncertain_votes)
    assert (claim.verdict, counts) == ("NEEDS_REVIEW", (1, 0, 1))


async def test_a_panel_of_one_family_alone_is_weak_and_confirms_nothing() -> None:
    result, _ = await ask({GLM: CONFIRM, OLD_GLM: CONFIRM}, panel=[GLM, OLD_GLM], allow_same_family=True)
    assert result.weak
    assert result.claims[0].verdict == "NEEDS_REVIEW"


@pytest.mark.parametrize(
    ("fault", "reason"), [(GONE, "call_failed:MODEL_RETIRED"), (OTHER, "served_model_mismatch:other:1b")]
)
async def test_an_alternate_takes_over_a_seat_that_fell_out_and_both_are_shown(
    fault: Reply, reason: str
) -> None:
    scripts = {DEEPSEEK: CONFIRM, KIMI: CONFIRM, GLM: fault, MINIMAX: CONFIRM}
    result, server = await ask(scripts, panel=list(TRIO), alternates=[MINIMAX])
    assert [seat.model for seat in result.panel] == [*TRIO, MINIMAX]
    assert (result.panel[2].exclude_reason, result.panel[3].stands_in_for) == (reason, GLM)
    assert result.claims[0].confirm_votes == 3
    assert result.claims[0].standing.grade == "thin"
    assert "minimax-m3" in asked(server)


async def test_an_alternate_takes_over_a_seat_that_its_family_keeps_off() -> None:
    scripts = dict.fromkeys([DEEPSEEK, GLM, OLD_GLM, MINIMAX], CONFIRM)
    result, server = await ask(scripts, panel=[DEEPSEEK, GLM, OLD_GLM], alternates=[MINIMAX])
    assert [(seat.model, seat.stands_in_for) for seat in result.panel][-1] == (MINIMAX, OLD_GLM)
    assert asked(server) == ["deepseek-v4-pro", "glm-5.2", "minimax-m3"]


async def test_without_a_fault_no_alternate_is_asked() -> None:
    scripts = dict.fromkeys([*TRIO, MINIMAX], CONFIRM)
    result, server = await ask(scripts, panel=list(TRIO), alternates=[MINIMAX])
    assert asked(server) == ["deepseek-v4-pro", "glm-5.2", "kimi-k2.7-code"]
    assert [seat.model for seat in result.panel] == list(TRIO)
    assert MINIMAX not in result.params.jurors
    assert result.params.alternates == (MINIMAX,)


async def test_an_alternate_of_a_family_that_sits_is_passed_over_and_one_of_the_fallen_family_is_not() -> (
    None
):
    scripts = {DEEPSEEK: CONFIRM, KIMI: CONFIRM, GLM: GONE, OLD_GLM: CONFIRM, "kimi-k3:cloud": CONFIRM}
    result, _ = await ask(scripts, panel=list(TRIO), alternates=["kimi-k3:cloud", OLD_GLM])
    assert [seat.model for seat in result.panel] == [*TRIO, OLD_GLM]


async def test_an_alternate_of_the_authors_family_never_stands_in() -> None:
    scripts = {DEEPSEEK: CONFIRM, KIMI: GONE, MINIMAX: CONFIRM}
    result, server = await ask(scripts, panel=[DEEPSEEK, KIMI], alternates=[MINIMAX], author="minimax")
    assert [seat.model for seat in result.panel] == [DEEPSEEK, KIMI]
    assert "minimax-m3" not in asked(server)


async def test_each_seat_is_taken_over_once_and_each_alternate_stands_in_once() -> None:
    scripts = {DEEPSEEK: GONE, KIMI: GONE, MINIMAX: GONE, "gemma4:31b": CONFIRM, "nemotron-3-super": CONFIRM}
    alternates = [MINIMAX, "gemma4:31b", "nemotron-3-super"]
    result, server = await ask(scripts, panel=[DEEPSEEK, KIMI], alternates=alternates)
    taken = {seat.model: seat.stands_in_for for seat in result.panel if seat.stands_in_for}
    assert set(taken) == {MINIMAX, "gemma4:31b"}
    assert sorted(taken.values()) == sorted([DEEPSEEK, KIMI])
    assert "nemotron-3-super" not in asked(server)


async def test_what_an_alternate_is_sent_is_said_before_it_is_asked() -> None:
    events: list[Any] = []

    class Recorder:
        def record(self, event: Any, /) -> None:
            events.append(event)

    scripts = {DEEPSEEK: CONFIRM, KIMI: GONE, MINIMAX: CONFIRM}
    await ask(scripts, panel=[DEEPSEEK, KIMI], alternates=[MINIMAX], recorder=Recorder())
    names = [type(event).__name__ for event in events]
    lines = [event.line for event in events if type(event).__name__ == "EgressAnnounced"]
    assert [MINIMAX in line for line in lines] == [False, True]
    last = max(place for place, name in enumerate(names) if name == "EgressAnnounced")
    assert names.index("SeatTakenOver") < last
    assert [event.model for event in events[last:] if type(event).__name__ == "SeatAsked"] == [MINIMAX]


async def test_a_deadline_is_no_reason_to_ask_somebody_else() -> None:
    gate = threading.Event()
    scripts = {
        DEEPSEEK: CONFIRM,
        KIMI: Reply(content=ballot({"c1": "CONFIRMED"}), gate=gate),
        MINIMAX: CONFIRM,
    }
    result, server = await ask(scripts, panel=[DEEPSEEK, KIMI], alternates=[MINIMAX], deadline_s=0.5)
    gate.set()
    assert result.panel[1].exclude_reason == "deadline"
    assert "minimax-m3" not in asked(server)


@pytest.mark.parametrize(
    ("alternates", "said"),
    [
        ([GLM], "is an alternate and on the panel"),
        (["GLM-5.2"], "is an alternate and on the panel"),
        ([NOVEL], "The family of the alternate 'novel-1:cloud' is unknown"),
        (["openrouter/auto"], "who votes must be known"),
        (["a", "b", "c", "d", "e", "f"], "There are 6 alternates"),
    ],
)
def test_an_alternate_that_could_not_stand_in_is_refused(alternates: list[str], said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        plan_verify([CLAIM], alternates=alternates)


async def test_when_everybody_who_was_asked_failed_no_juror_could_be_reached() -> None:
    result, _ = await ask({GLM: GONE}, panel=[GLM, OLD_GLM])
    assert [seat.exclude_reason for seat in result.panel] == ["call_failed:MODEL_RETIRED", "duplicate_family"]
    assert exit_status(result) == 4


WORDS = st.sampled_from(["CONFIRMED", "REFUTED", "UNCERTAIN", None])
SEATS = st.lists(
    st.tuples(
        st.sampled_from(["zai", "deepseek", "moonshot", "unknown"]), WORDS, st.booleans(), st.booleans()
    ),
    min_size=1,
    max_size=6,
)
SENT = Sent(sources=1, files=("a.py",), reference=None, unverified_host=False)
RANK = {"REFUTED": 0, "NEEDS_REVIEW": 1, "CONFIRMED": 2}


def seated(rows: list[tuple[str, VoteWord | None, bool, bool]]) -> list[Seated]:
    return [
        Seated(
            model=f"m{place}",
            family=family,
            included=included,
            local=local,
            votes={} if word is None else {"c1": Vote(id="c1", verdict=word, severity="low", rationale="r")},
        )
        for place, (family, word, included, local) in enumerate(rows)
    ]


def count(rows: list[tuple[str, VoteWord | None, bool, bool]]) -> Any:
    return count_claims({"c1": "a claim"}, seated(rows), SENT, 2)[0]


@given(SEATS)
def test_a_family_counts_once_however_many_of_it_sit(rows: list[Any]) -> None:
    claim = count(rows)
    voters = {
        family if family != "unknown" else f"#{place}"
        for place, (family, word, included, _) in enumerate(rows)
        if included and word
    }
    assert claim.confirm_votes + claim.refute_votes + claim.uncertain_votes == len(voters)
    assert claim.missing_votes == sum(included and word is None for _, word, included, _ in rows)


@given(SEATS, st.randoms(use_true_random=False))
def test_the_order_of_seats_changes_nothing_with_families_that_share_a_vote(
    rows: list[Any], random: Any
) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert count(rows) == count(shuffled)


@given(SEATS, st.sampled_from(["zai", "deepseek", "moonshot"]))
def test_another_vote_of_a_family_never_turns_a_verdict_to_its_own_side_against_the_family(
    rows: list[Any], family: str
) -> None:
    before = RANK[count(rows).verdict]
    refuted = RANK[count([*rows, (family, "REFUTED", True, False)]).verdict]
    confirmed = RANK[count([*rows, (family, "CONFIRMED", True, False)]).verdict]
    assert refuted <= before or before == 0
    assert confirmed >= before or before == 2


@given(SEATS)
def test_removing_a_seat_or_a_vote_never_makes_a_verdict_firm(rows: list[Any]) -> None:
    whole = count(rows).standing
    for place, (family, _, included, local) in enumerate(rows):
        if not included:
            continue
        for less in ((family, None, True, local), (family, rows[place][1], False, local)):
            after = count([*rows[:place], less, *rows[place + 1 :]]).standing
            assert after is None or after.grade == "thin" or (whole is not None and whole.grade == "firm")


@given(SEATS)
def test_a_local_seat_makes_every_verdict_weak_and_thin_and_never_of_high_confidence(rows: list[Any]) -> None:
    rows = [*rows, ("google", "CONFIRMED", True, True)]
    claim = count(rows)
    assert claim.weak
    assert seats_are_weak(seated(rows))
    assert claim.confidence != "high"
    assert claim.standing is None or "local" in claim.standing.reasons
