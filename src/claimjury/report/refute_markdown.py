"""A panel of skeptics as Markdown, for a pull request or a page: the same order and words as its block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from claimjury.report.markdown import escape_markdown
from claimjury.report.quoting import INJECTED
from claimjury.report.wording import SCRIPTED
from claimjury.skeptics.result import RefuteResult, SkepticResult

__all__ = ["refute_envelope", "render_refute_markdown"]


def refute_envelope(result: RefuteResult) -> dict[str, Any]:
    """Give what `claimjury refute --json` prints."""
    return {"refute": result.to_json(), "exit_status": result.exit_status}


def render_refute_markdown(result: RefuteResult) -> str:
    """Give the report as Markdown that ends with a newline."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: RefuteResult) -> Iterator[str]:
    yield "## claimjury refute"
    yield ""
    if result.scripted:
        yield f"**{SCRIPTED}**"
        yield ""
    tie = ", a tie" if result.tie else ""
    yield f"**{result.verdict}**: {result.refuted} of {result.n} skeptics refute{tie}"
    yield (
        f"({result.refuted_on_evidence} on evidence, {result.refuted_by_default} by default, {result.faulted} by a fault)."
    )
    yield ""
    yield f"> {escape_markdown(result.claim)}"
    yield ""
    for one in result.skeptics:
        yield _skeptic(one)
    yield ""
    yield escape_markdown(result.basis)
    for row in result.egress:
        yield f"Sent to {escape_markdown(row.host)} ({escape_markdown(row.vendor)}): {row.bytes:,} bytes."
    for aimed in result.injections or ():
        where = f"{escape_markdown(aimed.source)}:{aimed.line} {aimed.rule}"
        yield f"{INJECTED} {where}: {escape_markdown(aimed.excerpt)}"
    for warning in result.warnings:
        yield f"Warning: {escape_markdown(warning)}."


def _skeptic(one: SkepticResult) -> str:
    word = "refutes" if one.refuted else "does not break it"
    how = {"evidence": "", "default": " by default", "fault": " by a fault"}[one.grounds]
    shown = [
        name
        for row in one.read
        for name in (*([row.path] if row.path and row.start else []), *(row.files or ()))
    ]
    read = ", ".join(dict.fromkeys(map(escape_markdown, shown)))
    return (
        f"{one.place}. **{one.angle}** ({escape_markdown(one.model)}) {word}{how}: {escape_markdown(one.reason)}"
        + (f" Read: {read}." if read else " Read no file.")
    )
