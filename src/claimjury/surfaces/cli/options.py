"""The options of the commands, each declared once, with the help that a user reads."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

__all__ = [
    "REQUIRED",
    "AllowSameFamily",
    "AllowSecrets",
    "Alternates",
    "Author",
    "Base",
    "Check",
    "ClaimTexts",
    "ClaimsFile",
    "Deadline",
    "Diff",
    "DryRun",
    "Format",
    "Json",
    "LedgerFile",
    "Lint",
    "Local",
    "MaxCost",
    "MaxTokens",
    "MinRefuteVotes",
    "NoContent",
    "NoReask",
    "NoSave",
    "NoSettle",
    "OutputFile",
    "Panel",
    "Polarity",
    "Quiet",
    "Redact",
    "ReferenceFile",
    "ReportFile",
    "RequireQuotes",
    "Resume",
    "Reuse",
    "Roots",
    "SettleOnly",
    "Sources",
    "StripComments",
    "Verbose",
    "with_options",
]

ClaimsFile = Annotated[
    str | None,
    typer.Argument(
        metavar="CLAIMS",
        show_default=False,
        help="A .json array, .jsonl or Markdown list of claims, or - for standard input.",
    ),
]
ClaimTexts = Annotated[
    list[str] | None,
    typer.Option("--claim", metavar="TEXT", help="One claim. May be given again; joins CLAIMS."),
]
Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        metavar="PATH",
        help="A file, lines of one (a.py:10-80), or a directory or pattern (tracked files). Again for more, up to 50.",
    ),
]
Diff = Annotated[
    str | None,
    typer.Option(
        "--diff",
        metavar="RANGE",
        help="Send what changed between two commits too: A..B, main...HEAD, or A (up to HEAD). "
        "Uncommitted changes are not in it.",
    ),
]
ReferenceFile = Annotated[
    str | None,
    typer.Option(
        "--reference", metavar="FILE", help="Test output, lint or numbers to measure against; - pipes it in."
    ),
]
Panel = Annotated[
    str | None,
    typer.Option(
        "--panel",
        metavar="ID,ID,...",
        help="1 to 5 model ids, each of another vendor: glm-5.2:cloud is Ollama's, openai/gpt-5.2 a vendor's own. "
        "Default: three flagships.",
    ),
]
Author = Annotated[
    str | None,
    typer.Option(
        "--author",
        metavar="ID|FAMILY",
        help="Who wrote the claims: a model id or a vendor family. No model of that family sits.",
    ),
]
Alternates = Annotated[
    str | None,
    typer.Option(
        "--alternates",
        metavar="ID,ID,...",
        help="Models that stand in, each once, for a seat that falls out, if their family is not used. Default: none.",
    ),
]
AllowSameFamily = Annotated[
    bool,
    typer.Option(
        "--allow-same-family",
        help="Let models of one family sit. They have one common vote: UNCERTAIN where they differ.",
    ),
]
Local = Annotated[
    bool,
    typer.Option(
        "--local",
        help="Ask the Ollama daemon of this machine (OLLAMA_HOST): the models of --panel, or up to three installed ones "
        "of disjoint families. Every verdict is then weak.",
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        metavar="USD",
        help="Refuse the run if it may cost more at worst; models without a known price are refused.",
    ),
]
MaxTokens = Annotated[
    int | None,
    typer.Option("--max-tokens", metavar="N", help="Refuse the run if it may take more tokens at worst."),
]
MinRefuteVotes = Annotated[
    int | None,
    typer.Option("--min-refute-votes", metavar="N", help="How many refutes it takes, 1 to 5. Default: 2."),
]
Polarity = Annotated[
    Literal["assertions", "findings"] | None,
    typer.Option(
        "--as",
        help="What the claims are: with findings CONFIRMED is the bad news (exit status 10). Default: assertions.",
    ),
]
Roots = Annotated[
    list[Path] | None,
    typer.Option("--root", metavar="DIR", help="Where sources may lie. Default: the working directory."),
]
AllowSecrets = Annotated[
    bool,
    typer.Option(
        "--allow-secrets", help="Send sources that are named like secrets (.env, *.pem, id_*, ...)."
    ),
]
Deadline = Annotated[
    float | None,
    typer.Option("--deadline", metavar="SECONDS", help="End the run by then; what has arrived counts."),
]
Redact = Annotated[
    bool,
    typer.Option(
        "--redact",
        help="Send sources and the reference without what has the form of a secret, in place of refusing them.",
    ),
]
StripComments = Annotated[
    bool,
    typer.Option("--strip-comments", help="Send sources without comments and docstrings; line numbers stay."),
]
Lint = Annotated[
    bool,
    typer.Option("--lint", help="Say how the claims are stated, and nothing else: nothing is read or sent."),
]
NoSettle = Annotated[
    bool, typer.Option("--no-settle", help="Ask jurors about every claim, even what a tool could settle.")
]
SettleOnly = Annotated[
    bool,
    typer.Option(
        "--settle-only", help="Settle what a tool can decide, and ask no juror: no key, nothing is sent."
    ),
]
Check = Annotated[
    bool,
    typer.Option(
        "--check",
        help="First run the checks that the project declares (`claimjury check`), which runs its code; they are the reference.",
    ),
]
Base = Annotated[
    str | None,
    typer.Option(
        "--base",
        metavar="REVISION",
        help="Where the change begins that claims speak of; by default where HEAD left the main branch.",
    ),
]
RequireQuotes = Annotated[
    bool,
    typer.Option(
        "--require-quotes",
        help="Count a decisive vote that quotes nothing which stands in the evidence as UNCERTAIN.",
    ),
]
NoReask = Annotated[
    bool | None,
    typer.Option("--no-reask", help="Do not ask a juror once more for votes that its reply lacks."),
]
Format = Annotated[
    Literal["text", "json", "markdown"] | None, typer.Option("--format", help="What to print. Default: text.")
]
Json = Annotated[bool, typer.Option("--json", help="The same as --format json: one object, failures too.")]
OutputFile = Annotated[
    Path | None,
    typer.Option("--output", metavar="FILE", help="Write the report there and not to standard output."),
]
ReportFile = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write a self-contained HTML report there, too."),
]
LedgerFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger", metavar="FILE", help="The ledger of runs. Default: in your user data directory."
    ),
]
NoSave = Annotated[bool, typer.Option("--no-save", help="Do not keep this run.")]
NoContent = Annotated[
    bool,
    typer.Option("--no-content", help="Keep only keyed hashes, counts and votes of this run, no text of it."),
]
Resume = Annotated[
    str | None,
    typer.Option(
        "--resume", metavar="RUN", help="Go on with a run: ask only the seats that have not answered."
    ),
]
Reuse = Annotated[
    bool,
    typer.Option("--reuse", help="Where the very same was asked before, give that answer; nothing is sent."),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Print every byte that would be sent. Needs no key, opens no connection."),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress. What leaves the machine is still said.")
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="More of the run: dropped entries, options.")]


REQUIRED: Final = inspect.Parameter.empty


def with_options(*options: tuple[str, object, object]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command its options: the name of each, its type and its default."""

    def give(command: Callable[..., int]) -> Callable[..., int]:
        parameters = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
            for name, kind, default in options
        ]
        command.__signature__ = inspect.Signature(parameters, return_annotation=int)  # type: ignore[attr-defined]
        command.__annotations__ = {**{name: kind for name, kind, _ in options}, "return": int}
        return command

    return give
