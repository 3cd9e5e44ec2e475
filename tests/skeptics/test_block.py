"""The skeptics' block: byte for byte as written, read back whole, read kindly, and never believed."""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from claimjury.errors import InvalidRequest
from claimjury.skeptics.angles import AngleName, angle_of
from claimjury.skeptics.block import THRESHOLD, Block, Difference, Skeptic, parse_block, render_block
from claimjury.skeptics.escapes import escaped, unescaped
from claimjury.skeptics.tally import Finding, Grounds
from claimjury.text import is_harmful

AGENT = Path(__file__).parent.parent.parent / "agents" / "claim-verifier.md"
BLOCK = """\
VERDICT: HOLDS
Panel: N=3, refuted=1/3, threshold=majority-refute (REFUTED iff refuted*2 > N)
Claim: the cache drops an entry once its time is over
Skeptics:
  1. [factual] refuted=true -- cache.py:41 keeps it until the next read.
  2. [logical] refuted=false -- The claim says once, not at once.
  3. [steelman] refuted=false -- It stands in its strongest reading.
Basis: cache.py and its tests were read.
"""


def skeptic(place: int, *, refuted: bool, reason: str, grounds: Grounds = "evidence") -> Skeptic:
    return Skeptic(
        angle=angle_of(place).name, finding=Finding(refuted=refuted, grounds=grounds, reason=reason)
    )


PANEL = Block(
    claim="the cache drops an entry once its time is over",
    skeptics=(
        skeptic(1, refuted=True, reason="cache.py:41 keeps it until the next read."),
        skeptic(2, refuted=False, reason="The claim says once, not at once."),
        skeptic(3, refuted=False, reason="It stands in its strongest reading."),
    ),
    basis="cache.py and its tests were read.",
)

# Surrogates, too: a model's JSON can hold half of a pair.
texts = st.text(st.characters(exclude_categories=())) | st.text(
    "ab\\nxuU\n\r\t *_`#[:-.>e0\u2028\u202e\x1b\xa0"
)
markers = st.sampled_from(["", "fault:", "by default: ", "**Fault:** ", "`by default`: ", "##vso[a]"])
reasons = st.builds(str.__add__, markers, texts)


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    grounds: st.SearchStrategy[Grounds] = st.sampled_from(get_args(Grounds))
    found = st.builds(Finding, refuted=st.booleans(), grounds=grounds, reason=reasons).filter(
        lambda finding: finding.refuted or finding.grounds == "evidence"
    )
    skeptics = st.builds(Skeptic, angle=st.sampled_from(get_args(AngleName)), finding=found)
    listed = draw(st.lists(skeptics, min_size=1, max_size=9))
    return Block(claim=draw(reasons), skeptics=tuple(listed), basis=draw(texts))


def refusal(text: str) -> tuple[str, str]:
    with pytest.raises(InvalidRequest) as caught:
        parse_block(text)
    return caught.value.message, caught.value.hint


def changed(old: str, new: str) -> str:
    assert old in BLOCK
    return BLOCK.replace(old, new, 1)


def test_a_block_is_rendered_byte_for_byte_in_its_fixed_form() -> None:
    assert render_block(PANEL).encode() == BLOCK.encode()


@given(blocks())
@example(Block(claim="", skeptics=(skeptic(1, refuted=True, reason=""),), basis=""))
@example(Block(claim=r"\e", skeptics=(skeptic(1, refuted=True, reason=r"\n"),), basis=" "))
def test_a_rendered_block_reads_back_as_the_same_and_agrees_with_itself(block: Block) -> None:
    read = parse_block(render_block(block))
    assert (read.block, read.differences) == (block, ())
    assert render_block(read.block) == render_block(block)
    assert (read.said.verdict, read.said.n, read.said.refuted) == (
        block.tally.verdict,
        block.tally.n,
        block.tally.refuted,
    )


@given(blocks())
def test_a_block_is_always_five_lines_and_one_a_skeptic_with_nothing_harmful_in_them(block: Block) -> None:
    text = render_block(block)
    assert len(text.splitlines()) == text.count("\n") == 5 + len(block.skeptics)
    assert not any(is_harmful(char) for char in text)
    assert "\t" not in text
    assert "##[" not in text
    assert "##vso[" not in text


@given(blocks(), texts)
def test_a_block_is_found_in_prose_and_in_a_fence(block: Block, prose: str) -> None:
    before = escaped(prose)
    text = f"I looked. {before}\n\n```text\n{render_block(block)}```\n\nThat is all. {before}\n"
    assert parse_block(text).block == block


@given(texts)
def test_a_text_is_escaped_onto_one_line_and_back(text: str) -> None:
    line = escaped(text)
    assert unescaped(line) == text
    assert line == line.strip()
    assert line
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in line)


@given(texts)
def test_no_text_makes_the_reader_fail_otherwise_than_by_a_refusal(text: str) -> None:
    for whole in (text, BLOCK.replace("N=3", text), BLOCK.replace("[factual]", text), text + BLOCK):
        with suppress(InvalidRequest):
            parse_block(whole)


def test_a_backslash_that_begins_no_escape_stays_as_an_agent_wrote_it() -> None:
    assert unescaped(r"C:\Users\alice and \d+ and \Uffffffff") == r"C:\Users\alice and \d+ and \Uffffffff"


@pytest.mark.parametrize(
    "text",
    [
        BLOCK.replace("\n", "\r\n"),
        BLOCK.removesuffix("\n"),
        BLOCK.replace("\n", "\n\n"),
        BLOCK.replace("\n", "   \n"),
        "".join(f"> {line}\n" for line in BLOCK.split("\n")),
        "".join(f"      {line}\n" for line in BLOCK.split("\n")),
        f"Here it is.\n\n~~~\n{BLOCK}~~~\nVerdict: I would not merge it.\n",
        f"Verdict: see below\n{BLOCK}",
        BLOCK.replace("refuted=1/3, ", " refuted = 1 / 3 ,  ").replace("N=3", "N = 3"),
        BLOCK.replace("refuted*2", r"refuted\*2"),
        BLOCK.replace("VERDICT: HOLDS", "**VERDICT: HOLDS**"),
        BLOCK.replace("VERDICT: HOLDS", "## VERDICT: **HOLDS**"),
        BLOCK.replace("Claim:", "**Claim:**").replace("Basis:", "**Basis**:"),
        BLOCK.replace("[factual] refuted=true --", "**[factual]** `refuted=true` —"),
        BLOCK.replace("  1. [factual] refuted=true", "- 1) [ Factual/Empirical ] Refuted: TRUE"),
        BLOCK.replace(" -- ", " - "),
        BLOCK.replace("N=3", "**N=3**"),
    ],
)
def test_what_agents_and_editors_do_to_a_block_is_forgiven(text: str) -> None:
    read = parse_block(text)
    assert (read.block, read.differences) == (PANEL, ())


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "There is no block: no line begins with `VERDICT:`.", "VERDICT: HOLDS"),
        ("It holds.\n", "There is no block: no line begins with `VERDICT:`.", "VERDICT: HOLDS"),
        (BLOCK * 2, "There are two blocks: lines 1 and 9 both begin with `VERDICT:`.", "one block at a time"),
        (f"VERDICT: HOLDS | REFUTED\n{BLOCK}", "There are two blocks: lines 1 and 2", "leave drafts"),
        (changed("VERDICT: HOLDS", "VERDICT: PROBABLY"), "Line 1: `VERDICT: PROBABLY` gives no verdict.", "HOLDS"),
        (changed("VERDICT: HOLDS", "VERDICT:"), "Line 1: nothing stands after `VERDICT:`.", "HOLDS"),
        (changed("Panel:", "Pannel:"), "Line 2 should be `Panel:`, and is `Pannel: N=3", "Panel: N=3, refuted=1/3"),
        (changed("N=3, ", ""), "Line 2 is not of its form: `Panel: refuted=1/3", "Panel: N=3, refuted=1/3"),
        (changed(", threshold=" + THRESHOLD, ""), "Line 2 is not of its form", "threshold=majority-refute"),
        (changed("N=3", "N=٣"), "Line 2 is not of its form", "N=3"),
        (changed(BLOCK.split("\n")[2] + "\n", ""), "Line 3 should be `Claim:`, and is `Skeptics:`.", "on one line"),
        (changed("Skeptics:\n", ""), "Line 4 should be `Skeptics:`, and is `1. [factual]", "`Skeptics:`"),
        (changed("Skeptics:", "Skeptics: three"), "Line 4: there is something after `Skeptics:`.", "Skeptics:"),
        (changed("Basis: cache.py and its tests were read.\n", ""), "The block ends with line 7, before `Basis:`.", "Basis:"),
        (changed("Basis: cache.py and its tests were read.", "Basis:"), "Line 8: nothing stands after `Basis:`.", "Basis"),
        (changed("Basis:", "```\nBasis:"), "Line 8 is neither a skeptic's nor `Basis:`: ```", "one line of its own"),
        (changed("until the", "until\n  the"), "Line 6 is neither a skeptic's nor `Basis:`: `the next read.`.", r"`\n`"),
        (changed("  2. ", "  1. "), "Line 6: number 1 comes again.", "1, 2, 3"),
        (changed("  2. ", "  3. "), "Line 6: skeptic 2 is missing before it.", "none is ever dropped"),
        (changed("[logical]", "[vibes]"), "Line 6: 'vibes' is no angle.", "factual, logical, steelman"),
        (changed("refuted=true", "refuted=maybe"), "Line 5: refuted is 'maybe'.", "`refuted=true` or `refuted=false`"),
        (changed("[factual] refuted=true", "factual: true"), "Line 5 is not of the form of a skeptic's", "1. [factual]"),
        (changed(" -- The claim says once, not at once.", ""), "Line 6: skeptic 2 gives no reason after `--`.", "one sentence"),
        (changed("The claim says once, not at once.", "fault:"), "Line 6: nothing stands after `fault:`.", "what failed"),
    ],
)  # fmt: skip
def test_what_is_malformed_is_told_with_its_line_and_how_to_correct_it(
    text: str, message: str, hint: str
) -> None:
    said, advice = refusal(text)
    assert message in said
    assert hint in advice


def test_what_follows_the_basis_is_prose_like_all_else_around_a_block() -> None:
    read = parse_block(changed("its tests", "its\ntests"))
    assert (read.block.skeptics, read.block.basis) == (PANEL.skeptics, "cache.py and its")


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_skeptic_outside_of_the_block_is_not_dropped_in_silence(where: str) -> None:
    stray = "4. [provenance] refuted=true -- Nobody saw the source.\n"
    message, hint = refusal(stray + BLOCK if where == "before" else BLOCK + "\n" + stray)
    assert (
        message == f"Line {1 if where == 'before' else 10} is a skeptic's, and stands outside of the block."
    )
    assert "leave drafts out" in hint


def test_a_block_without_skeptics_never_holds() -> None:
    lines = [line for line in BLOCK.split("\n") if "refuted=t" not in line and "refuted=f" not in line]
    message, _ = refusal("\n".join(lines))
    assert message == "No skeptic stands below line 4."


@pytest.mark.parametrize(
    ("text", "difference"),
    [
        (
            changed("VERDICT: HOLDS", "VERDICT: REFUTED"),
            Difference(field="verdict", line=1, said="REFUTED", recomputed="HOLDS"),
        ),
        (changed("N=3", "N=5"), Difference(field="n", line=2, said="5", recomputed="3")),
        (
            changed("refuted=1/3", "refuted=0/3"),
            Difference(field="refuted", line=2, said="0/3", recomputed="1/3"),
        ),
        (
            changed("refuted=1/3", "refuted=1/5"),
            Difference(field="refuted", line=2, said="1/5", recomputed="1/3"),
        ),
        (
            changed("refuted*2 > N", "refuted == N"),
            Difference(
                field="threshold",
                line=2,
                said="majority-refute (REFUTED iff refuted == N)",
                recomputed=THRESHOLD,
            ),
        ),
    ],
)
def test_what_a_block_says_of_itself_is_compared_with_its_lines(text: str, difference: Difference) -> None:
    read = parse_block(text)
    assert read.differences == (difference,)
    assert read.block == PANEL


@pytest.mark.parametrize("marker", ["fault: ", "by default: "])
def test_a_line_that_says_false_for_a_default_or_a_fault_counts_as_refuted_and_is_a_difference(
    marker: str,
) -> None:
    read = parse_block(changed("The claim says once", f"{marker}the file could not be read"))
    assert (read.block.tally.verdict, read.block.tally.refuted) == ("REFUTED", 2)
    assert [difference.field for difference in read.differences] == ["verdict", "refuted", "skeptic"]
    assert read.differences[-1].line == 6


@pytest.mark.parametrize(
    ("reason", "grounds"),
    [
        ("by default: nothing was read.", "default"),
        ("By default: nothing was read.", "default"),
        ("**by default:** nothing was read.", "default"),
        ("fault: grep timed out.", "fault"),
        ("The default: nothing was read.", "evidence"),
        ("by default the loop ends early.", "evidence"),
        ("default: x", "evidence"),
        ("faulty: x", "evidence"),
    ],
)
def test_grounds_are_taken_from_the_two_markers_alone(reason: str, grounds: Grounds) -> None:
    read = parse_block(changed("cache.py:41 keeps it until the next read.", reason))
    assert read.block.skeptics[0].finding.grounds == grounds


def test_a_skeptics_own_words_never_read_as_grounds_that_it_did_not_have() -> None:
    block = Block(claim="c", skeptics=(skeptic(1, refuted=True, reason="fault: it is line 3's."),), basis="b")
    assert "-- \\x66ault: it is line 3's." in render_block(block)
    assert parse_block(render_block(block)).block.tally.refuted_on_evidence == 1


def test_angles_out_of_their_order_are_named() -> None:
    read = parse_block(changed("[logical]", "[provenance]"))
    assert (read.out_of_order, read.differences) == ((2,), ())
    assert parse_block(BLOCK).out_of_order == ()


def agent_file() -> tuple[dict[str, str], str]:
    """Give the front matter and the body. Each value is on one line, and plain to any reader of YAML."""
    _, front, body = AGENT.read_text(encoding="utf-8").split("---\n", 2)
    rows = dict(line.split(": ", 1) for line in front.splitlines())
    assert not any(": " in value or " #" in value or value[0] in "\"'[{>|*&!%@`" for value in rows.values())
    return rows, body


def test_the_agent_file_names_itself_when_to_use_it_and_only_tools_that_read() -> None:
    front, _ = agent_file()
    assert list(front) == ["name", "description", "tools", "model"]
    assert front["name"] == AGENT.stem
    assert "Use it before" in front["description"]
    assert "Do not use it" in front["description"]
    assert front["tools"] == "Read, Grep, Glob, Bash(git diff*), Bash(git log*)"
    assert front["model"] == "inherit"


def test_the_block_that_the_agent_file_shows_is_read_and_agrees_with_itself() -> None:
    _, body = agent_file()
    read = parse_block(body)
    assert (read.differences, read.out_of_order) == ((), ())
    assert [row.finding.grounds for row in read.block.skeptics] == ["evidence", "evidence", "default"]
    assert (read.block.tally.verdict, read.block.tally.exit_status) == ("REFUTED", 20)
    assert render_block(read.block) in body


def test_the_agent_file_names_the_angles_in_their_order_and_the_markers() -> None:
    _, body = agent_file()
    places = [body.index(f"{place}. **{angle_of(place).name}**") for place in range(1, 6)]
    assert places == sorted(places)
    for words in (
        "`by default:`",
        "`fault:`",
        "supporting evidence, not proof",
        "not independent",
        "no sub-agent",
    ):
        assert words in body
