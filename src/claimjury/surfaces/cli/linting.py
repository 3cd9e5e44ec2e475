"""`verify --lint`: how claims are stated. No key is needed, nothing is sent, no evidence is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from claimjury.claims import Claim, parse_claims
from claimjury.lint import LintWarning, lint
from claimjury.surfaces.cli.display import Display
from claimjury.surfaces.cli.outputs import write_file
from claimjury.surfaces.cli.streams import emit
from claimjury.text import clean_line, clip, safe_json

__all__ = ["show_lint"]

_BADLY_STATED = 20


def show_lint(items: Any, display: Display) -> int:
    """Print how the claims are stated. Gives 20 where one is badly stated, else 0."""
    rows = [(claim, lint(claim.statement)) for claim in parse_claims(items)]
    status = _BADLY_STATED if any(found for _, found in rows) else 0
    if display.output_format == "json":
        text = (
            safe_json({"lint": [_row(claim, found) for claim, found in rows], "exit_status": status}) + "\n"
        )
    else:
        text = "".join(f"{line}\n" for line in _lines(rows))
    if display.output is not None:
        write_file(display.output, text)
    else:
        emit(text)
    return status


def _row(claim: Claim, found: Sequence[LintWarning]) -> dict[str, Any]:
    warnings = [{"rule": one.rule, "words": one.words, "hint": one.hint} for one in found]
    return {"id": claim.id, "statement": claim.statement, "warnings": warnings}


def _lines(rows: Sequence[tuple[Claim, Sequence[LintWarning]]]) -> list[str]:
    lines = []
    for claim, found in rows:
        for one in found:
            words = f" ({one.words})" if one.words else ""
            lines.append(f"{clean_line(claim.id)}: {one.rule}{words}: {one.hint}")
            lines.append(f"  {clip(clean_line(claim.statement), 200)}")
    bad = sum(bool(found) for _, found in rows)
    return [*lines, f"{len(rows)} claim(s), {bad} badly stated. Nothing was sent."]
