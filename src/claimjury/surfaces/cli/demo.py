"""`claimjury demo`: the whole main job on an example that ships with the project."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from claimjury.surfaces.cli import options as opt

if TYPE_CHECKING:
    from claimjury.jury.verify import VerifyOptions
    from claimjury.surfaces.cli.display import Display

__all__ = ["demo"]

_FIRST_LINE: Final = (
    "Scripted demo: no model is called and no key is read. What is settled is settled for real, by the tools that a real run "
    "takes. The jurors below are scripts that answer over real HTTP on this machine."
)
_Items = list[Mapping[str, Any] | str]
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
    """Judge ten claims about a small program with a real bug: four are settled by tools, six go to scripted jurors, or to real ones (--live).

    Exit status: 0 when the demo ran, whatever the verdicts; with --live that of `verify`.
    """
    from claimjury.surfaces.cli.display import Display
    from claimjury.testing.demo import make_work_tree

    display = Display(
        output_format="json" if as_json else "text", report=report, quiet=quiet, verbose=verbose
    )
    with tempfile.TemporaryDirectory(prefix="claimjury-demo-", ignore_cleanup_errors=True) as folder:
        items, options = _example(make_work_tree(Path(folder).resolve()))
        return _live(items, options, display) if live else _scripted(items, options, display)


def _live(items: _Items, options: VerifyOptions, display: Display) -> int:
    from claimjury.jury.verify import plan_verify
    from claimjury.settings.load import load_settings
    from claimjury.surfaces.cli.running import ask_the_jury
    from claimjury.surfaces.keeping import keeping

    loaded = load_settings(os.environ)
    asked = loaded.options()
    asked.update(options)
    # Kept and counted as any other run: it costs the same.
    with keeping(loaded.settings) as keeper:
        return ask_the_jury(lambda: plan_verify(items, **asked), display, keeper=keeper)


def _scripted(items: _Items, options: VerifyOptions, display: Display) -> int:
    from claimjury.jury.verify import plan_verify
    from claimjury.surfaces.cli.running import ask_the_jury
    from claimjury.surfaces.cli.streams import say
    from claimjury.testing import ScriptedOllama
    from claimjury.testing.demo import DEMO_PANEL, demo_scripts

    say(_FIRST_LINE)
    with ScriptedOllama(demo_scripts(), catalogue=[]) as server:
        options["cloud"] = server.cloud
        options["panel"] = DEMO_PANEL
        status = ask_the_jury(lambda: plan_verify(items, **options), display)
    say(f"The demo ran. `claimjury verify` with these verdicts exits with {status}.")
    return 0


def _example(folder: Path) -> tuple[_Items, VerifyOptions]:
    """Give the claims of the example and the options that send its files, which lie in a work tree."""
    from claimjury.evidence.reference import load_reference
    from claimjury.jury.verify import VerifyOptions
    from claimjury.surfaces.cli.claims_file import load_claims_file
    from claimjury.testing.demo import EXAMPLE

    options = VerifyOptions(
        source_paths=[folder / "ttl_cache.py", folder / "test_ttl_cache.py"],
        reference=load_reference(EXAMPLE / "test_output.txt"),
        roots=[folder],
        base="main" if (folder / ".git").exists() else None,
    )
    items = [*load_claims_file(EXAMPLE / "settled.json"), *load_claims_file(EXAMPLE / "claims.json")]
    return items, options
