"""`claimjury demo`: the whole main job on an example that ships with the project."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from claimjury.surfaces.cli import options as opt

if TYPE_CHECKING:
    from claimjury.jury.verify import VerifyOptions

__all__ = ["demo"]

_FIRST_LINE: Final = (
    "Scripted demo: no model is called and no key is read. The jurors below are scripts that answer over real HTTP "
    "on this machine, through the code that a real run takes."
)
Live = Annotated[
    bool, typer.Option("--live", help="Ask the real default panel. Needs OLLAMA_API_KEY, and costs.")
]


def demo(
    live: Live = False,
    as_json: opt.Json = False,
    report: opt.ReportFile = None,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> int:
    """Judge six claims about a small program with a real bug, with scripted jurors, or with real ones (--live).

    Exit status: 0 when the demo ran, whatever the verdicts; with --live that of `verify`.
    """
    from claimjury.jury.verify import plan_verify
    from claimjury.settings.load import load_settings
    from claimjury.surfaces.cli.display import Display
    from claimjury.surfaces.cli.running import ask_the_jury
    from claimjury.surfaces.cli.streams import say
    from claimjury.surfaces.keeping import keeping
    from claimjury.testing import ScriptedOllama
    from claimjury.testing.demo import DEMO_PANEL, demo_scripts

    display = Display(
        output_format="json" if as_json else "text", report=report, quiet=quiet, verbose=verbose
    )
    items, options = _example()
    if live:
        loaded = load_settings(os.environ)
        asked = loaded.options()
        asked.update(options)
        # Kept and counted as any other run: it costs the same.
        with keeping(loaded.settings) as keeper:
            return ask_the_jury(lambda: plan_verify(items, **asked), display, keeper=keeper)
    say(_FIRST_LINE)
    with ScriptedOllama(demo_scripts(), catalogue=[]) as server:
        options["cloud"] = server.cloud
        options["panel"] = DEMO_PANEL
        status = ask_the_jury(lambda: plan_verify(items, **options), display)
    say(f"The demo ran. `claimjury verify` with these verdicts exits with {status}.")
    return 0


def _example() -> tuple[list[Mapping[str, Any] | str], VerifyOptions]:
    """Give the claims of the example and the options that send its files."""
    from claimjury.evidence.reference import load_reference
    from claimjury.jury.verify import VerifyOptions
    from claimjury.surfaces.cli.claims_file import load_claims_file
    from claimjury.testing.demo import EXAMPLE

    options = VerifyOptions(
        source_paths=[EXAMPLE / "ttl_cache.py", EXAMPLE / "test_ttl_cache.py"],
        reference=load_reference(EXAMPLE / "test_output.txt"),
        roots=[EXAMPLE],
    )
    return load_claims_file(EXAMPLE / "claims.json"), options
