"""`claimjury refute`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimjury.surfaces.cli import options as opt

__all__ = ["refute"]

Claim = Annotated[
    str | None,
    typer.Argument(metavar="CLAIM", show_default=False, help="One claim, or - for standard input."),
]
Count = Annotated[
    int | None, typer.Option("-n", metavar="N", help="How many skeptics, 1 to 9. Default: 3, odd is best.")
]
ModelId = Annotated[
    str | None,
    typer.Option("--model", metavar="ID", help="Who all of them are. Default: the first of the panel."),
]
Across = Annotated[
    str | None,
    typer.Option(
        "--across", metavar="ID,ID,...", help="Give each skeptic the next of these, each of another vendor."
    ),
]
Repo = Annotated[
    Path | None,
    typer.Option("--repo", metavar="DIR", help="What they may read. Default: the git work tree around here."),
]
Transcript = Annotated[
    Path | None,
    typer.Option(
        "--transcript",
        metavar="FILE",
        help="A coding agent's session (Claude Code or Codex JSONL, or plain text): its last message is the claim.",
    ),
]
Anyway = Annotated[bool, typer.Option("--anyway", help="Attack a question or a fragment as it stands.")]
MaxTokens = Annotated[
    int | None,
    typer.Option("--max-tokens", metavar="N", help="Tokens of all calls, shared equally among the skeptics."),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        metavar="USD",
        help="No call is made that might pass it; models without a known price are refused.",
    ),
]


def refute(
    claim: Claim = None,
    n: Count = None,
    model: ModelId = None,
    across: Across = None,
    repo: Repo = None,
    diff: opt.Diff = None,
    source: opt.Sources = None,
    reference: opt.ReferenceFile = None,
    author: opt.Author = None,
    transcript: Transcript = None,
    root: opt.Roots = None,
    allow_secrets: opt.AllowSecrets = False,
    redact: opt.Redact = False,
    strip_comments: opt.StripComments = False,
    deadline: opt.Deadline = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    output_format: opt.Format = None,
    as_json: opt.Json = False,
    output: opt.OutputFile = None,
    ledger: opt.LedgerFile = None,
    no_save: opt.NoSave = False,
    no_content: opt.NoContent = False,
    dry_run: opt.DryRun = False,
    anyway: Anyway = False,
    quiet: opt.Quiet = False,
) -> int:
    """Let skeptics try to break one claim about a repository, each from its own angle, with read-only tools.

    Exit status: 0 HOLDS; 10 REFUTED on evidence; 20 a tie, or REFUTED only by default or fault; 2 usage or bad input; 3 no key or SDK; 4 every skeptic broke down; 5 a limit has no room; 70 our fault; 130 interrupted.
    """
    from claimjury.surfaces.cli.refuting import refute_options

    return refute_options(locals())
