"""`claimjury verify`."""

from __future__ import annotations

from claimjury.surfaces.cli import options as opt

__all__ = ["verify"]


def verify(
    claims: opt.ClaimsFile = None,
    claim: opt.ClaimTexts = None,
    source: opt.Sources = None,
    reference: opt.ReferenceFile = None,
    panel: opt.Panel = None,
    min_refute_votes: opt.MinRefuteVotes = 2,
    polarity: opt.Polarity = "assertions",
    root: opt.Roots = None,
    allow_secrets: opt.AllowSecrets = False,
    deadline: opt.Deadline = None,
    no_reask: opt.NoReask = False,
    output_format: opt.Format = "text",
    as_json: opt.Json = False,
    output: opt.OutputFile = None,
    dry_run: opt.DryRun = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> int:
    """Ask a panel of models of other vendors which claims the evidence supports.

    Exit status: 0 every claim CONFIRMED and firm; 10 refuted; 20 undecided, contested, weak or thin; 2 usage or
    bad input; 3 no key; 4 no juror reached; 5 deadline; 70 our fault; 130 interrupted.
    """
    from claimjury.jury.verify import VerifyOptions, plan_verify
    from claimjury.surfaces.cli.dry_run import show_plan
    from claimjury.surfaces.cli.inputs import read_claim_items, read_reference, refuse_two_stdin, split_panel
    from claimjury.surfaces.cli.outputs import check_writable
    from claimjury.surfaces.cli.running import Display, ask_the_jury, show_result

    display = Display(as_json=as_json or output_format == "json", output=output, quiet=quiet, verbose=verbose)
    refuse_two_stdin(claims, reference)
    check_writable(output)
    items = read_claim_items(claims, claim)
    chosen = VerifyOptions(
        source_paths=source or [],
        reference=read_reference(reference),
        panel=split_panel(panel),
        min_refute_votes=min_refute_votes,
        polarity=polarity,
        roots=root,
        allow_secrets=allow_secrets,
        deadline_s=deadline,
        reask=not no_reask,
    )
    if dry_run:
        return show_plan(plan_verify(items, **chosen), display)
    return show_result(ask_the_jury(items, chosen, display), display)
