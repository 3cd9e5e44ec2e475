"""`claimjury verify`."""

from __future__ import annotations

from typing import Any, Final

from claimjury.surfaces.cli import options as opt

__all__ = ["EXITS", "verify"]

EXITS: Final = (
    "Exit status: 0 every claim CONFIRMED and firm; 10 refuted; 20 undecided, contested, weak or thin; 2 usage or bad input; "
    "3 no key or SDK; 4 no juror reached; 5 deadline or budget; 70 our fault; 130 interrupted."
)


_Options = tuple[str, object, object]
_EVIDENCE: Final[tuple[_Options, ...]] = (
    ("claims", opt.ClaimsFile, None),
    ("claim", opt.ClaimTexts, None),
    ("source", opt.Sources, None),
    ("diff", opt.Diff, None),
    ("reference", opt.ReferenceFile, None),
    ("root", opt.Roots, None),
    ("allow_secrets", opt.AllowSecrets, False),
    ("redact", opt.Redact, False),
    ("strip_comments", opt.StripComments, False),
)
_SETTLING: Final[tuple[_Options, ...]] = (
    ("settle_only", opt.SettleOnly, False),
    ("no_settle", opt.NoSettle, False),
    ("check", opt.Check, False),
    ("base", opt.Base, None),
    ("lint", opt.Lint, False),
)
_PANEL: Final[tuple[_Options, ...]] = (
    ("panel", opt.Panel, None),
    ("author", opt.Author, None),
    ("alternates", opt.Alternates, None),
    ("allow_same_family", opt.AllowSameFamily, False),
    ("local", opt.Local, False),
)
_RULES: Final[tuple[_Options, ...]] = (
    ("min_refute_votes", opt.MinRefuteVotes, None),
    ("polarity", opt.Polarity, None),
    ("require_quotes", opt.RequireQuotes, False),
    ("no_reask", opt.NoReask, False),
    ("deadline", opt.Deadline, None),
    ("max_cost", opt.MaxCost, None),
    ("max_tokens", opt.MaxTokens, None),
)
_OUTPUT: Final[tuple[_Options, ...]] = (
    ("output_format", opt.Format, None),
    ("as_json", opt.Json, False),
    ("output", opt.OutputFile, None),
    ("report", opt.ReportFile, None),
    ("dry_run", opt.DryRun, False),
    ("quiet", opt.Quiet, False),
    ("verbose", opt.Verbose, False),
)
_KEEPING: Final[tuple[_Options, ...]] = (
    ("ledger", opt.LedgerFile, None),
    ("no_save", opt.NoSave, False),
    ("no_content", opt.NoContent, False),
    ("resume", opt.Resume, None),
    ("reuse", opt.Reuse, False),
)


@opt.with_options(*_EVIDENCE, *_SETTLING, *_PANEL, *_RULES, *_OUTPUT, *_KEEPING)
def verify(**given: Any) -> int:
    """Settle what a tool can decide, and ask a panel of models of other vendors which other claims the evidence supports."""
    from claimjury.surfaces.cli.running import judge_options

    return judge_options(given)
