"""Quotes of jurors, over real HTTP: asked for, read, looked up, shown beside the vote; required where asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimjury import VerifyResult
from claimjury.jury.prompt import build_prompt
from claimjury.jury.quoting import MAX_QUOTES, NO_QUOTE
from claimjury.ledger.checking import check_receipt
from claimjury.ledger.reading import load_run
from claimjury.ledger.receipts import export_receipt
from claimjury.ledger.store import open_ledger
from claimjury.report.html import HtmlRun, render_html
from claimjury.report.markdown import render_markdown
from claimjury.testing import Reply, ballot
from jury.helpers import CONFIRM, TRIO, ask, trio
from ledger.helpers import FILE, kept
from ledger.receipt_helpers import forged

CODE = "def loop():\n    for attempt in range(7):\n        print(attempt)\n"
LINE = "for attempt in range(7):"


def quote(text: Any = LINE, line: Any = 2, source: Any = "loop.py", **rest: Any) -> dict[str, Any]:
    return {"source": source, "start_line": line, "end_line": line, "text": text, **rest}


def citing(*quotes: Any, verdict: str = "CONFIRMED") -> Reply:
    return Reply(content=ballot({"c1": {"verdict": verdict, "quotes": list(quotes)}}))


def evidence() -> dict[str, Any]:
    Path("loop.py").write_text(CODE, encoding="utf-8")
    return {"source_paths": ["loop.py"]}


def first_vote(result: VerifyResult) -> Any:
    return result.claims[0].jurors[0]


def test_a_ballot_asks_for_quotes_and_says_how_they_are_written() -> None:
    prompt = build_prompt([], [], None)
    assert '"quotes": [{"source":' in prompt.user
    assert "without the gutter" in prompt.system
    assert "12 to 500 characters" in prompt.system


async def test_a_quote_stands_beside_its_vote_with_where_it_was_found() -> None:
    result = await ask(trio(citing(quote(), quote(line=3))), **evidence())
    vote = first_vote(result)
    assert vote.grounded is True
    exact, moved = vote.quotes
    assert (exact.found, exact.found_start_line, exact.start_char) == ("exact", 2, CODE.index(LINE))
    assert CODE[exact.start_char : exact.end_char] == LINE
    assert (moved.found, moved.found_start_line, moved.found_end_line) == ("moved", 2, 2)
    for other in result.claims[0].jurors[1:]:
        assert (other.quotes, other.grounded) == (None, None)


async def test_a_made_up_quote_makes_a_vote_ungrounded_and_changes_no_verdict() -> None:
    made_up = quote("for attempt in range(8):")
    result = await ask(trio(citing(made_up)), **evidence())
    vote = first_vote(result)
    assert (vote.grounded, vote.quotes[0].found, vote.verdict) == (False, "absent", "CONFIRMED")
    assert (result.claims[0].verdict, result.claims[0].confirm_votes) == ("CONFIRMED", 3)
    one_of_two = await ask(trio(citing(made_up, quote())), **evidence())
    assert first_vote(one_of_two).grounded is True


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("text", "its quotes are no list"),
        (["text"], "a quote is no object"),
        ([quote(text="")], "a quote has no text"),
        ([quote(text=7)], "a quote has no text"),
        ([quote(source=None)], "a quote has no source"),
        ([quote(line=None)], "a quote has no line numbers"),
        ([quote(line=0)], "a quote has no line numbers"),
        ([quote(line=1.5)], "a quote has no line numbers"),
        ([quote(line=True)], "a quote has no line numbers"),
        ([quote(line="ten")], "a quote has no line numbers"),
        ([quote(line="9" * 5_000)], "a quote has no line numbers"),
        ([quote()] * (MAX_QUOTES + 2), "2 more quotes were not read"),
    ],
)
async def test_a_malformed_quote_is_listed_and_its_vote_stays(bad: Any, said: str) -> None:
    content = ballot({"c1": {"verdict": "CONFIRMED", "quotes": bad}})
    result = await ask(trio(Reply(content=content)), **evidence())
    assert result.claims[0].confirm_votes == 3
    [dropped] = result.panel[0].dropped or ()
    assert (dropped.id, dropped.reason) == ("c1", f"{said}; the vote stays")
    assert result.panel[0].reasked is None


async def test_line_numbers_that_are_digits_and_the_wrong_way_round_are_read() -> None:
    given = {"source": "./loop.py", "start_line": "3", "end_line": " 2 ", "text": LINE}
    [read] = first_vote(await ask(trio(citing(given)), **evidence())).quotes
    assert (read.start_line, read.end_line, read.found) == (2, 3, "exact")


async def test_the_reference_may_be_quoted_by_that_name() -> None:
    cited = quote("7 passed in 0.1 s", 1, "reference")
    result = await ask(trio(citing(cited)), reference="7 passed in 0.1 s\n", **evidence())
    assert first_vote(result).quotes[0].found == "exact"


async def test_a_quote_that_repeats_the_claim_is_not_taken() -> None:
    claim = "The loop ends after 7 attempts."
    result = await ask(trio(citing(quote(claim))), claims=[claim], **evidence())
    assert first_vote(result).quotes[0].found == "rejected:claim_echo"


async def test_what_a_quote_holds_acts_on_no_reader() -> None:
    nasty = quote("\x1b[31mred\x1b[0m \u202eevil <script>alert(1)</script>\n::error::pwn")
    result = await ask(trio(citing(nasty)), **evidence())
    page = render_html([HtmlRun(result=result, sources={"loop.py": CODE})])
    for text in (json.dumps(result.to_json()), page, render_markdown(result)):
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "<script>alert" not in page
    assert "NOT IN THE EVIDENCE" in page


async def test_a_page_leads_from_a_quote_to_its_line() -> None:
    result = await ask(trio(citing(quote(line=3))), **evidence())
    page = render_html([HtmlRun(result=result, sources={"loop.py": CODE})])
    assert '<a href="#loop.py-L2"><bdi>loop.py:3</bdi></a>, found at other lines (2)' in page
    assert 'id="loop.py-L2"' in page
    assert "loop.py:3, found at other lines (2): for attempt" in render_markdown(result).replace("\\", "")


# Required.


async def test_where_quotes_are_required_a_decisive_vote_without_a_found_one_counts_as_uncertain() -> None:
    scripts = {
        TRIO[0]: [citing(quote())],
        TRIO[1]: [citing(quote("for attempt in range(8):"))],
        TRIO[2]: [CONFIRM],
    }
    free = await ask(scripts, **evidence())
    assert (free.claims[0].verdict, free.claims[0].confirm_votes) == ("CONFIRMED", 3)
    held = await ask(scripts, require_quotes=True, **evidence())
    [claim] = held.claims
    assert (claim.verdict, claim.confirm_votes, claim.uncertain_votes) == ("NEEDS_REVIEW", 1, 2)
    assert [vote.verdict for vote in claim.jurors] == ["CONFIRMED", "UNCERTAIN", "UNCERTAIN"]
    assert [vote.said for vote in claim.jurors] == [None, "CONFIRMED", "CONFIRMED"]
    assert claim.missing == (NO_QUOTE,)
    assert held.params.require_quotes is True
    assert free.params.require_quotes is None
    assert "said CONFIRMED, without a quote that was found" in render_markdown(held)


async def test_where_quotes_are_required_an_uncertain_vote_needs_none() -> None:
    unsure = Reply(content=ballot({"c1": {"verdict": "UNCERTAIN", "missing": "A log."}}))
    held = await ask(dict.fromkeys(TRIO, [unsure]), require_quotes=True, **evidence())
    assert [(vote.said, vote.missing) for vote in held.claims[0].jurors] == [(None, "A log.")] * 3


async def test_without_evidence_nothing_can_be_quoted_so_nothing_is_decided_where_quotes_are_required() -> (
    None
):
    held = await ask(dict.fromkeys(TRIO, [citing(quote())]), require_quotes=True)
    assert (held.claims[0].verdict, held.claims[0].uncertain_votes) == ("NEEDS_REVIEW", 3)


# Receipts.


async def receipt(**options: Any) -> bytes:
    scripts = {
        TRIO[0]: [citing(quote())],
        TRIO[1]: [citing(quote(), verdict="REFUTED")],
        TRIO[2]: [citing(quote("x" * 20))],
    }
    result = await kept(scripts, **evidence(), **options)
    with open_ledger(FILE) as ledger:
        return export_receipt(load_run(ledger, result.run_id))


@pytest.mark.parametrize("required", [True, False])
async def test_a_receipt_with_quotes_fits_with_and_without_its_evidence(required: bool) -> None:
    data = await receipt(require_quotes=required)
    assert check_receipt(data).first_fault == ""
    assert check_receipt(data, evidence=Path()).first_fault == ""


def _vote(parts: dict[str, Any], seat: int) -> dict[str, Any]:
    vote: dict[str, Any] = parts["seats"][seat]["votes"][0]
    return vote


async def test_a_found_quote_cannot_be_forged_where_the_evidence_is_at_hand() -> None:
    parts = json.loads(await receipt())
    _vote(parts, 2)["quotes"][0].update(found="exact", found_start_line=2, found_end_line=2)
    data = forged(parts)
    assert check_receipt(data).first_fault == ""
    assert "quotes that were found elsewhere" in check_receipt(data, evidence=Path()).first_fault


async def test_other_words_of_a_quote_or_a_vote_that_counts_against_the_rule_are_found_without_evidence() -> (
    None
):
    parts = json.loads(await receipt())
    _vote(parts, 0)["quotes"][0]["text"] = "for attempt in range(6):"
    assert "other words on record" in check_receipt(forged(parts)).first_fault

    parts = json.loads(await receipt(require_quotes=True))
    third = _vote(parts, 2)
    assert (third["verdict"], third.pop("said"), third.pop("missing")) == ("UNCERTAIN", "CONFIRMED", NO_QUOTE)
    third["verdict"] = "CONFIRMED"
    assert "does not count as its quotes have it" in check_receipt(forged(parts)).first_fault
