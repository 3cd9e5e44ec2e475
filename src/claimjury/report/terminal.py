"""The text report, for a terminal or a file: verdicts worst first, dissent, panel, warnings, and the ceiling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from claimjury.evidence.quotes import is_found
from claimjury.jury.gate import exit_status
from claimjury.jury.result import ClaimResult, JurorVote, SeatResult, VerifyResult
from claimjury.jury.votes import Quote
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
from claimjury.text import clean_line, clip, show_bytes

__all__ = ["render_text"]

_MAX_QUOTED: Final = 200
_STYLES: Final = {"CONFIRMED": "green", "REFUTED": "red", "NEEDS_REVIEW": "yellow", "UNCERTAIN": "yellow"}


def render_text(result: VerifyResult, *, verbose: bool = False) -> RenderableType:
    """Give the report as a Rich renderable. Every string of a stranger's is text, never markup."""
    return Group(*_parts(result, verbose=verbose))


def _parts(result: VerifyResult, *, verbose: bool) -> Iterator[RenderableType]:
    if result.scripted:
        yield Text(SCRIPTED, style="bold magenta")
    if result.reused_from:
        yield Text(f"Reused from run {result.reused_from}: nothing was sent.", style="bold yellow")
    yield Text(f"{result.summary}.", style="bold")
    for claim in worst_first(result):
        yield Text()
        yield from _claim(claim, result, verbose=verbose)
    yield Text()
    if result.tree is not None:
        yield Text(f"{tree_line(result.tree)}.", style="dim")
    if result.panel:
        yield from _panel(result, verbose=verbose)
    yield from _notes(result, verbose=verbose)
    yield Text()
    yield Text(CEILING if result.panel else settled_line(result), style="italic")
    yield Text(f"{exit_line(exit_status(result), result)}.")


def _claim(claim: ClaimResult, result: VerifyResult, *, verbose: bool) -> Iterator[RenderableType]:
    head = Text(count_line(claim, len(result.panel)), style=f"bold {_color(claim.verdict, result)}")
    yield head
    yield _indented(Text(f"{clean_line(claim.id)}: {clean_line(claim.statement)}"))
    if claim.standing is not None:
        reasons = "; ".join(THIN[reason] for reason in claim.standing.reasons or ())
        yield _indented(Text(f"{claim.standing.grade}{f': {reasons}' if reasons else ''}", style="dim"))
    yield from _settling(claim, verbose=verbose)
    for missing in claim.missing or ():
        yield _indented(Text(f"Would settle it: {clean_line(missing)}"))
    if claim.agent_action is not None:
        yield _indented(Text(f"Next: {ACTIONS[claim.agent_action]} ({claim.agent_action})."))
    if claim.was is not None:
        yield _indented(Text(f"Before: {was_line(claim.was)}.", style="yellow"))
    if claim.prior_runs:
        yield _indented(Text(f"Asked before: {prior_line(claim)}.", style="yellow"))
    for vote in dissent_first(claim):
        yield _indented(_vote(vote, dissent=is_dissent(vote, claim)), 4)
        for quote in vote.quotes or ():
            yield _indented(_quote(quote), 6)


def _settling(claim: ClaimResult, *, verbose: bool) -> Iterator[RenderableType]:
    for proof in claim.proof or ():
        yield _indented(Text(f"Proof: {proof_line(proof)}"))
    if claim.why is not None:
        yield _indented(Text(f"Why: {WHY[claim.why]}."))
    if claim.not_settled is not None and (verbose or claim.why == "not_settled"):
        yield _indented(Text(f"Not settled: {clean_line(claim.not_settled)}", style="dim"))
    if claim.would_settle is not None:
        yield _indented(Text(f"Would settle it: {clean_line(claim.would_settle)}"))


def _color(verdict: str, result: VerifyResult) -> str:
    """Red is bad news: with findings that is CONFIRMED."""
    if result.params.polarity == "findings":
        verdict = {"CONFIRMED": "REFUTED", "REFUTED": "CONFIRMED"}.get(verdict, verdict)
    return _STYLES[verdict]


def _vote(vote: JurorVote, *, dissent: bool) -> Text:
    text = Text()
    text.append(f"{vote.verdict} ", style=_STYLES[vote.verdict])
    text.append(f"{vote.model} ({vote.family}), {vote.severity}", style="bold" if dissent else "dim")
    text.append(", dissent" if dissent else "", style="bold")
    text.append(f", {said}" if (said := said_line(vote)) else "", style="bold yellow")
    text.append(f": {clean_line(vote.rationale)}")
    return text


def _quote(quote: Quote) -> Text:
    text = Text(f"{quote_place(quote)} ", style="dim")
    text.append(found_line(quote), style="dim" if is_found(quote.found) else "bold yellow")
    return text.append(f": {clip(clean_line(quote.text), _MAX_QUOTED)}")


def _panel(result: VerifyResult, *, verbose: bool) -> Iterator[RenderableType]:
    yield Text("Panel", style="bold")
    for seat in result.panel:
        yield _indented(Text(f"{seat.model} ({seat.family}): ").append_text(_seat(seat)))
    if verbose:
        for seat in result.panel:
            for row in seat.dropped or ():
                named = f" {row.id}" if row.id else ""
                yield _indented(Text(f"{seat.model} dropped{named}: {clean_line(row.reason)}", style="dim"))


def _seat(seat: SeatResult) -> Text:
    if not seat.included:
        text = Text()
        text.append("EXCLUDED ", style="bold red")
        text.append(explain_exclusion(seat.exclude_reason or ""))
        for extra in filter(None, [seat.detail, _sample(seat)]):
            text.append(f". {clean_line(extra).rstrip('.')}")
        kept = len(seat.excluded_votes or ())
        text.append(f"; its {kept} vote(s) count for nothing" if kept else "")
        return text.append("".join(f"; {note}" for note in seat_notes(seat)))
    parts = [f"{seat.verdicts_returned} vote(s)", f"{seat.elapsed_ms / 1000:.1f} s"]
    if seat.usage:
        parts.append(f"{_tokens(seat.usage.tokens_in)} in, {_tokens(seat.usage.tokens_out)} out")
    if seat.replayed:
        parts.append("read from an earlier run")
    if seat.reasked:
        parts.append(f"asked again for {', '.join(map(clean_line, seat.reasked))}")
    if seat.truncated:
        parts.append("cut at the output limit")
    parts += seat_notes(seat)
    return Text(", ".join(parts))


def _sample(seat: SeatResult) -> str | None:
    if seat.raw_sample is None:
        return None
    return f"it said {seat.raw_sample!r}" if seat.raw_sample.strip() else "its reply was empty"


def _tokens(count: int | None) -> str:
    return "unknown tokens" if count is None else f"{count:,} tokens"


def _notes(result: VerifyResult, *, verbose: bool) -> Iterator[RenderableType]:
    if result.injections:
        yield Text(INJECTED, style="bold yellow")
    for aimed in result.injections or ():
        where = f"{clean_line(aimed.source)}:{aimed.line} {aimed.rule}"
        yield _indented(Text(f"{where}: {clean_line(aimed.excerpt)}", style="yellow"))
    if has_quotes(result):
        yield Text(MEANING, style="dim")
    for warning in result.warnings:
        yield Text(f"Warning: {clean_line(explain_warning(warning))}", style="yellow")
    for row in result.egress:
        files = ", ".join(map(clean_line, row.files)) or "no file"
        yield Text(f"Sent: {show_bytes(row.bytes)} to {row.host} ({row.vendor}), {files}", style="dim")
    if result.cost_usd is not None:
        yield Text(f"Cost: {cost_line(result.cost_usd, result.cost_source)}", style="dim")
    if verbose:
        yield Text(f"Run {result.run_id}, prompt version {result.prompt_version}", style="dim")
        for model, params in result.params.jurors.items():
            asked = ", ".join(f"{name} {value}" for name, value in params.to_json().items())
            yield _indented(Text(f"{model}: {asked}", style="dim"))


def _indented(text: Text, by: int = 2) -> Padding:
    return Padding(text, (0, 0, 0, by))
