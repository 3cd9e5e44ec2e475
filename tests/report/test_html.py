"""The HTML report: one file that loads nothing, in which no text of a stranger's is ever markup."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from claimjury.jury.result import VerifyResult
from claimjury.report import html, wording
from claimjury.report.html import HtmlRun, render_html
from claimjury.text import clean_line, is_harmful
from report.pages import Page
from report.runs import (
    ARABIC,
    EMOJI,
    HEBREW,
    HOSTILE,
    LONG,
    SOURCE,
    claim,
    demo_run,
    hostile_run,
    many,
    mixed,
    result,
    run,
    seat,
)

ELEMENTS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "script",
        "body",
        "header",
        "nav",
        "main",
        "footer",
        "section",
    ),
    *("article", "h1", "h2", "h3", "h4", "p", "a", "bdi", "span", "strong", "code", "q", "ul", "ol", "li"),
    *("dl", "div", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "details", "summary"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "href", "id", "tabindex", "scope", "dir"),
    *("aria-label", "aria-labelledby", "role", "start", "open", "data-claim", "data-verdict", "data-label"),
}


@pytest.fixture(scope="module")
def demo() -> HtmlRun:
    return demo_run()


PAGES: dict[str, Callable[[], list[HtmlRun]]] = {
    "one": lambda: [run([claim(1, 3)])],
    "twenty": lambda: [run(mixed(20))],
    "500": lambda: many(25),
    "2020": lambda: many(101),
    "hostile": lambda: [hostile_run()],
    "hostile twice": lambda: [hostile_run(), hostile_run()],
    "bare": lambda: [bare()],
    "none": list,
}


@cache
def parsed(name: str) -> Page:
    return Page(render_html(PAGES[name]()))


def bare() -> HtmlRun:
    """Give a run without any field that may be absent."""
    undecided = claim(1, 2, missing=None, why=None, agent_action=None, jurors=[], missing_votes=2)
    silent = seat("glm-5.2:cloud", "zai", served_model=None, usage=None, included=False, verdicts_returned=0)
    part = seat("kimi-k2.7-code:cloud", "moonshot", usage={"tokens_in": 5})
    made = result([undecided], panel=[silent, part], evidence=[], egress=[])
    return HtmlRun(result=made)


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest) -> Page:
    return parsed(request.param)


# What no page does.


def test_no_element_and_no_attribute_is_outside_the_list(page: Page) -> None:
    assert {element.tag for element in page.elements} <= ELEMENTS
    assert {name for element in page.elements for name in element.attributes} <= ATTRIBUTES


def test_nothing_is_loaded_and_every_link_stays_in_the_page(page: Page) -> None:
    ids = {element.attributes.get("id") for element in page.elements}
    for element in page.elements:
        href = element.attributes.get("href")
        assert href is None or (href.startswith("#") and href[1:] in ids)
        assert set(element.attributes.get("aria-labelledby", "").split()) <= ids
    [style], [script] = page.of("style"), page.of("script")
    assert not re.search(r"url\(|@import|https?:", style.text + script.text)


def test_ids_are_unique(page: Page) -> None:
    ids = [element.attributes["id"] for element in page.elements if "id" in element.attributes]
    assert len(ids) == len(set(ids))


def test_every_heading_is_at_most_one_level_below_the_one_before(page: Page) -> None:
    levels = [int(element.tag[1]) for element in page.elements if re.fullmatch(r"h\d", element.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_reader_without_eyes_finds_the_way(page: Page) -> None:
    assert page.of("html", lang="en")
    for landmark in ("header", "main", "footer"):
        assert len([one for one in page.of(landmark) if one.inside == ("html", "body")]) == 1
    first = next(one for one in page.elements if one.tag == "a")
    assert (first.attributes["href"], first.text) == ("#main", "Skip to the verdicts")
    assert all(one.attributes.get("scope") in ("col", "row") for one in page.of("th"))
    named = [*page.of("table"), *page.of("nav"), *page.of("article"), *page.of("section")]
    unnamed = [one for one in named if not {"aria-label", "aria-labelledby"} & set(one.attributes)]
    assert unnamed == []


def test_the_policy_lets_in_the_one_style_and_the_one_script_alone(page: Page) -> None:
    [policy] = [one.attributes["content"] for one in page.elements if "http-equiv" in one.attributes]
    hashes = {}
    for tag in ("style", "script"):
        [element] = page.of(tag)
        digest = hashlib.sha256("".join(element.texts).encode()).digest()
        hashes[tag] = f"'sha256-{base64.b64encode(digest).decode()}'"
    assert policy == (
        f"default-src 'none'; style-src {hashes['style']}; script-src {hashes['script']}; "
        "base-uri 'none'; form-action 'none'"
    )


# Hostile text.


def test_hostile_text_makes_the_same_elements_as_a_plain_word() -> None:
    def shape(word: str) -> list[Any]:
        return [(one.tag, sorted(one.attributes)) for one in Page(render_html([hostile_run(word)])).elements]

    assert shape(HOSTILE) == shape("word")


def test_hostile_text_is_shown_as_text_wherever_it_stands() -> None:
    hostile = hostile_run()
    text = Page(render_html([hostile])).text
    marks = set(re.findall(r"mark\d+\.", str(hostile.result.to_json()))) | {
        "mark901.",
        "mark902.",
        "mark903.",
        "mark904.",
    }
    assert len(marks) > 60
    assert {mark for mark in marks if f"{mark}<script>document" not in text} == set()


def test_no_control_character_no_bidi_override_and_no_workflow_command_reaches_the_file() -> None:
    page = render_html([hostile_run(), run(mixed(20))])
    assert [char for char in page if is_harmful(char)] == []
    assert "##[" not in page
    assert "##vso[" not in page
    page.encode()


def test_a_line_of_evidence_shows_what_could_act_on_a_reader() -> None:
    page = Page(render_html([run([claim(1)])]))
    line = page.at("src/area.py-L2")
    assert "".join(line.texts) == SOURCE.split("\n")[1]
    hostile = hostile_run()
    page = Page(render_html([hostile]))
    [first, *_] = [one.text for one in page.of("code", dir="auto")]
    assert (
        r"\x1b[31mred\x1b]8;;http://evil.example\x07\u202eevil\u2066\x00\ud800##[error]x ##vso[task" in first
    )


def test_a_command_to_copy_is_one_command_whatever_the_run_is_called() -> None:
    runs = [run(mixed(20), run_id=f"x; rm -rf ~ {number}") for number in range(101)]
    assert "claimjury report 'x; rm -rf ~ 100'" in Page(render_html(runs)).text


@pytest.mark.parametrize("text", [ARABIC, HEBREW, EMOJI, LONG])
def test_text_of_any_script_is_whole_and_set_apart_from_ours(text: str) -> None:
    page = Page(render_html([run(mixed(20))]))
    holders = [one for one in page.elements if one.text == clean_line(text) and one.tag != "bdi"]
    assert holders
    assert all(one.attributes.get("dir") == "auto" for one in holders)


# What a page says.


def test_the_demo_says_all_that_its_run_came_to(demo: HtmlRun) -> None:
    page = Page(render_html([demo]))
    for said in (
        f"{demo.result.summary}.",
        wording.SCRIPTED,
        wording.CEILING,
        f"Run {demo.result.run_id}",
        "2026-09-14 10:12 UTC. Took",
        "Exit status 10: at least one claim is refuted.",
        "REFUTED 3 of 4 seats, 1 without a vote (high agreement)",
        "CONFIRMED 2 of 4 seats, 1 against, 1 without a vote (medium agreement)",
        "NEEDS_REVIEW 0 confirm, 0 refute, 3 uncertain, of 4 seats",
        "thin: a juror decided the other way; a seat was excluded or skipped the claim",
        "undecided: the jurors could not decide it from this evidence",
        "Would settle it A timing of `get` on the production machines",
        "A benchmark of `get`.",
        "run what would decide it: claimjury settle RUN -- COMMAND, or claimjury verify --check (run_check)",
        "REFUTED by deepseek-v4-pro:cloud (deepseek), severity medium, dissent",
        "EXCLUDED the host served another model than the one asked for (ministral-3:8b)",
        "included, 6 vote(s); asked again for speed",
        "They count for nothing and are in no figure above.",
        "It looks right to me.",
        demo.result.evidence[0].sha256,
        "19 line(s); from a file",
        "run by this machine",
        f"version {demo.result.prompt_version}",
        "Written by claimjury",
    ):
        assert said in page.text, said
    assert page.of("title")[0].text.startswith("SCRIPTED: claimjury report")
    assert page.at("ttl_cache.py-L39").text.startswith("oldest = max(")
    assert page.at("reference-L19").text == "1 failed, 4 passed in 0.77s"


def test_the_worst_claim_comes_first_and_dissent_before_the_rest(demo: HtmlRun) -> None:
    page = Page(render_html([demo]))
    order = [claim.id for claim in wording.worst_first(demo.result)]
    assert [one.text.split()[0] for one in page.of("th", scope="row")[: len(order)]] == order
    assert [one.attributes["id"] for one in page.of("h4")[: len(order)]] == [
        f"claim-{name}" for name in order
    ]
    [expiry] = page.of("article", aria_labelledby="claim-expiry")
    assert expiry.text.index("dissent") < expiry.text.index("CONFIRMED by")


def test_the_matrix_has_a_row_for_each_claim_and_a_column_for_each_seat(demo: HtmlRun) -> None:
    markup = render_html([demo]).split('<table class="matrix"', 1)[1].split("</table>", 1)[0]
    rows = [Page(f"<table>{row}</tr></table>") for row in re.findall(r"<tr.*?(?=</tr>)", markup)]
    cells = [[one.text for one in row.elements if one.tag in ("th", "td")] for row in rows]
    assert cells[0] == [
        "Claim",
        *(seat.model for seat in demo.result.panel[:3]),
        "mistral-large-3:675b-cloud (excluded)",
    ]
    assert ["expiry", "REFUTED, dissent", "CONFIRMED", "CONFIRMED", "excluded"] in cells
    assert len(cells) == 7


def test_with_findings_a_confirmed_claim_is_the_bad_news() -> None:
    findings = run([claim(1), claim(2, 3)])
    params = findings.result.params.model_copy(update={"polarity": "findings"})
    changed = replace(findings, result=findings.result.model_copy(update={"params": params}))
    page = Page(render_html([changed]))
    assert "here CONFIRMED is the bad news" in page.text
    assert {(one.text, one.attributes["class"]) for one in page.of("strong", class_="badge")} == {
        ("CONFIRMED", "badge bad"),
        ("REFUTED", "badge good"),
    }


def test_fields_that_are_absent_leave_no_hole() -> None:
    page = Page(render_html([bare()]))
    for said in (
        "No juror's vote counts here.",
        "2 included seat(s) gave no vote on it.",
        "None was sent.",
        "Nothing left the machine.",
        "not said by https://ollama.com",
        "5 tokens in, unknown tokens out",
    ):
        assert said in page.text, said
    assert "None" not in page.text.replace("None was sent.", "")
    assert "SCRIPTED" not in page.text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"raw_sample": " "}, "Its reply was empty"),
        ({"raw_sample": "I refuse."}, "It said: I refuse."),
        ({"replayed": True}, "read from an earlier run"),
        ({"truncated": True}, "cut at the output limit"),
        ({"detail": "no such plan"}, "no such plan"),
    ],
)
def test_a_seat_says_what_came_of_it(fields: dict[str, Any], said: str) -> None:
    made = result([claim(1)], panel=[seat("glm-5.2:cloud", "zai", **fields)])
    assert said in Page(render_html([HtmlRun(result=made)])).text


def test_a_run_that_was_cut_short_says_so() -> None:
    assert (
        "interrupted before every seat had answered"
        in Page(render_html([run([claim(1)], status="interrupted")])).text
    )


def test_a_claim_that_was_asked_before_says_so() -> None:
    priors = [
        {"run_id": f"run-{number}", "ended_at": "2026-09-13", "verdict": "REFUTED", "scripted": True}
        for number in range(12)
    ]
    text = Page(render_html([run([claim(1, prior_runs=priors)])])).text
    assert "Asked before REFUTED in 12 run(s), last in run-0" in text
    assert "REFUTED in run run-9, 2026-09-13, SCRIPTED and 2 more" in text


def test_a_run_that_stands_on_another_names_it() -> None:
    text = Page(render_html([run([claim(1)], reused_from="old"), run([claim(1)], resumed_from="half")])).text
    assert "Reused from run old: nothing was sent." in text
    assert "Resumed from run half: the replies that it had were read, not asked for again." in text


# Evidence.


def test_without_its_text_a_source_is_in_the_manifest_alone(demo: HtmlRun) -> None:
    page = Page(render_html([replace(demo, sources={}, reference=None)]))
    assert page.text.count("Its text is not in this file.") == 3
    assert page.of("details") == []
    assert demo.result.evidence[1].sha256 in page.text


def test_a_text_that_is_not_the_one_sent_is_not_shown(demo: HtmlRun) -> None:
    page = Page(render_html([replace(demo, sources={"ttl_cache.py": "one\ntwo"})]))
    assert "The text at hand has 2 lines and 40 were sent, so it is not shown." in page.text


def test_excerpts_of_one_file_keep_their_own_numbers_and_texts() -> None:
    row = {"path": "a.py", "sha256": "ab", "bytes": 9, "lines": 90, "encoding": "utf-8"}
    rows = [{**row, "start_line": 10, "end_line": 11}, {**row, "start_line": 40, "end_line": 40}]
    made = result([claim(1)], evidence=rows)
    page = Page(render_html([HtmlRun(result=made, sources={"a.py:10-11": "x\r\ny\n", "a.py:40-40": "z"})]))
    assert [page.at(f"a.py-lines-10-11-L{line}").text for line in (10, 11)] == ["x", "y"]
    assert page.at("a.py-lines-40-40-L40").text == "z"
    assert "lines 10 to 11 were sent" in page.text


def test_an_empty_source_says_so() -> None:
    row = {"path": "a.py", "sha256": "ab", "bytes": 0, "lines": 0, "encoding": "utf-8"}
    page = Page(render_html([HtmlRun(result=result([claim(1)], evidence=[row]), sources={"a.py": ""})]))
    assert "It is empty." in page.text


def test_the_same_text_in_several_runs_is_in_the_file_once() -> None:
    page = Page(render_html(many(3)))
    assert page.at("run-1-src/area.py-L1").text.startswith("def area")
    assert page.text.count("The same text as in an earlier run.") == 2


def test_more_lines_than_fit_are_named_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MAX_LINES", 1)
    assert (
        "Its 2 lines are not shown: this file holds at most 1 in all."
        in Page(render_html([run([claim(1)])])).text
    )


def test_things_of_one_name_have_anchors_of_their_own() -> None:
    names = ["a b", "a-b", "a?b", "é", "x-L12"]
    paths = ["panel", "claim-a-b", "a", "a-L1", "é"]
    rows = [{"path": path, "sha256": "ab", "bytes": 3, "lines": 1, "encoding": "utf-8"} for path in paths]
    made = result([claim(1, id=name) for name in names], evidence=rows)
    page = Page(render_html([HtmlRun(result=made, sources=dict.fromkeys(paths, "one"))]))
    ids = [element.attributes["id"] for element in page.elements if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    assert {"claim-a-b", "claim-a-b-2", "claim-a-b-3", "claim-x", "claim-x-L12.", "panel", "panel-2"} <= set(
        ids
    )
    assert {"a-L1", "a-L1.-L1"} <= set(ids)


# Sizes.


@pytest.mark.parametrize("runs", [1, 25])
def test_every_claim_of_every_run_is_there(runs: int) -> None:
    page = Page(render_html(many(runs)))
    assert len(page.of("article")) == runs * 20
    assert len([one for one in page.elements if "data-verdict" in one.attributes]) == runs * 20
    assert len(page.of("nav", aria_labelledby="contents")) == (runs > 1)
    assert len([one for one in page.of("li") if "ol" in one.inside and "nav" in one.inside]) == (
        0 if runs == 1 else runs
    )


def test_of_2001_claims_the_last_is_counted_with_the_command_that_shows_it() -> None:
    runs = [*many(100), run([claim(1)], run_id="last")]
    page = Page(render_html(runs))
    assert len(page.of("article")) == 2_000
    assert "2,001 claim(s) in 101 run(s). The 2,000 that need a reader first are shown" in page.text
    assert "last 1 CONFIRMED claimjury report last" in page.text


def test_what_is_counted_instead_of_shown_is_never_worse_than_what_is_shown() -> None:
    runs = [run([claim(n, 0) for n in range(20)], run_id=f"firm-{at}") for at in range(99)]
    bad = [
        run([claim(1, 3), claim(2, 2), claim(3, 1), *(claim(n) for n in range(4, 21))], run_id=f"bad-{at}")
        for at in range(2)
    ]
    page = Page(render_html([*runs, *bad]))
    verdicts = [one.attributes["data-verdict"] for one in page.elements if "data-verdict" in one.attributes]
    assert len(verdicts) == 2_000
    assert (verdicts.count("REFUTED"), verdicts.count("NEEDS_REVIEW")) == (2, 2)
    assert "bad-1 17 CONFIRMED claimjury report bad-1" in page.text
    assert (
        "Of 20 claims 3 are shown. Not shown: 17 CONFIRMED. claimjury report bad-1 shows them." in page.text
    )


@pytest.mark.parametrize("polarity", ["assertions", "findings"])
def test_grades_agree_with_the_order_of_the_other_reports(polarity: Any) -> None:
    made: VerifyResult = run(mixed(20)).result
    made = made.model_copy(update={"params": made.params.model_copy(update={"polarity": polarity})})
    grades = [html._GRADES.index(html._grade(one, made)) for one in wording.worst_first(made)]
    assert grades == sorted(grades)
    assert len(set(grades)) > 2


def test_the_same_runs_give_the_same_bytes_in_another_process() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from report.runs import hostile_run, many\nfrom claimjury.report.html import render_html\n"
        "sys.stdout.buffer.write(render_html([hostile_run(), *many(2)]).encode())"
    )
    root = str(Path(__file__).parent.parent)
    outs = {
        subprocess.run(
            [sys.executable, "-c", script, root],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert outs == {render_html([hostile_run(), *many(2)]).encode()}


@pytest.mark.parametrize(
    "command",
    [
        "import claimjury, claimjury.report.wording",
        "from claimjury.surfaces.cli.main import run; run(['--help'])",
    ],
)
def test_nothing_imports_jinja2_before_a_page_is_asked_for(command: str) -> None:
    script = f"import sys\n{command}\nassert 'jinja2' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
