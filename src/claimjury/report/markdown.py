"""The report as Markdown, for a pull request or a page: the same order and words as the text report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from claimjury.jury.gate import exit_status
from claimjury.jury.result import ClaimResult, SeatResult, VerifyResult
from claimjury.report.quoting import INJECTED, MEANING, found_line, has_quotes, quote_place, said_line
from claimjury.report.wording import (
    ACTIONS,
    CEILING,
    SCRIPTED,
    THIN,
    WHY,
    cost_line,
    count_line,
    dissent_first,
    exit_line,
    explain_exclusion,
    explain_warning,
    is_dissent,
    prior_line,
    proof_line,
    seat_notes,
    settled_line,
    tree_line,
    was_line,
    worst_first,
)
from claimjury.text import clean_line, show_bytes

__all__ = ["escape_markdown", "render_markdown"]

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>#|~!{}()+-])")


def escape_markdown(text: str) -> str:
    """Give a stranger's text as text: no markup, no link, no image, nobody notified, on one line."""
    escaped = _SPECIAL.sub(r"\\\1", clean_line(text))
    return (
        escaped.replace("&", "&amp;")
        .replace("@", "&#64;")
        .replace("://", ":&#47;&#47;")
        .replace("www.", "www&#46;")
    )


def render_markdown(result: VerifyResult) -> str:
    """Give the report as Markdown that ends with a newline."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: VerifyResult) -> Iterator[str]:
    yield "## claimjury"
    yield ""
    if result.scripted:
        yield f"**{SCRIPTED}**"
        yield ""
    yield f"**{result.summary}.**"
    for claim in worst_first(result):
        yield ""
        yield from _claim(claim, len(result.panel))
    yield ""
    if result.panel:
        yield from _panel(result)
        yield ""
    if result.tree is not None:
        yield f"- {escape_markdown(tree_line(result.tree))}"
    for aimed in result.injections or ():
        where = f"{escape_markdown(aimed.source)}:{aimed.line} {aimed.rule}"
        yield f"- {INJECTED} {where}: {escape_markdown(aimed.excerpt)}"
    if has_quotes(result):
        yield f"- {MEANING}"
    for warning in result.warnings:
        yield f"- Warning: {escape_markdown(explain_warning(warning))}"
    for row in result.egress:
        files = ", ".join(map(escape_markdown, row.files)) or "no file"
        yield f"- Sent: {show_bytes(row.bytes)} to {escape_markdown(row.host)} ({row.vendor}), {files}"
    if result.cost_usd is not None:
        yield f"- Cost: {escape_markdown(cost_line(result.cost_usd, result.cost_source))}"
    yield f"- {exit_line(exit_status(result), result)}"
    yield ""
    yield f"*{CEILING if result.panel else settled_line(result)}*"


def _claim(claim: ClaimResult, seats: int) -> Iterator[str]:
    yield f"### {escape_markdown(count_line(claim, seats))}"
    yield ""
    yield f"**{escape_markdown(claim.id)}**: {escape_markdown(claim.statement)}"
    yield ""
    if claim.standing is not None:
        reasons = "; ".join(THIN[reason] for reason in claim.standing.reasons or ())
        yield f"- {claim.standing.grade}{f': {reasons}' if reasons else ''}"
    yield from _settling(claim)
    for missing in claim.missing or ():
        yield f"- Would settle it: {escape_markdown(missing)}"
    if claim.agent_action is not None:
        yield f"- Next: {ACTIONS[claim.agent_action]} (`{claim.agent_action}`)"
    if claim.was is not None:
        yield f"- Before: {escape_markdown(was_line(claim.was))}"
    if claim.prior_runs:
        yield f"- Asked before: {escape_markdown(prior_line(claim))}"
    for vote in dissent_first(claim):
        who = f"{escape_markdown(vote.model)} ({vote.family}), {vote.severity}"
        mark = ", **dissent**" if is_dissent(vote, claim) else ""
        said = f", **{said_line(vote)}**" if vote.said else ""
        yield f"- {vote.verdict} by {who}{mark}{said}: {escape_markdown(vote.rationale)}"
        for quote in vote.quotes or ():
            where = f"{escape_markdown(quote_place(quote))}, {found_line(quote)}"
            yield f"  - {where}: {escape_markdown(clean_line(quote.text))}"


def _settling(claim: ClaimResult) -> Iterator[str]:
    for proof in claim.proof or ():
        yield f"- Proof: {escape_markdown(proof_line(proof))}"
    if claim.why is not None:
        yield f"- Why: {WHY[claim.why]}"
    if claim.why == "not_settled" and claim.not_settled is not None:
        yield f"- Not settled: {escape_markdown(claim.not_settled)}"
    if claim.would_settle is not None:
        yield f"- Would settle it: {escape_markdown(claim.would_settle)}"


def _panel(result: VerifyResult) -> Iterator[str]:
    yield "| seat | family | what came of it |"
    yield "|---|---|---|"
    for seat in result.panel:
        yield f"| {escape_markdown(seat.model)} | {seat.family} | {_seat(seat)} |"


def _seat(seat: SeatResult) -> str:
    if not seat.included:
        detail = f". {escape_markdown(seat.detail)}" if seat.detail else ""
        said = f"**excluded**: {escape_markdown(explain_exclusion(seat.exclude_reason or ''))}{detail}"
        return "; ".join([said, *map(escape_markdown, seat_notes(seat))])
    notes = [f"{seat.verdicts_returned} vote(s)"]
    if seat.reasked:
        notes.append(f"asked again for {', '.join(map(escape_markdown, seat.reasked))}")
    if seat.truncated:
        notes.append("cut at the output limit")
    notes += map(escape_markdown, seat_notes(seat))
    return ", ".join(notes)
