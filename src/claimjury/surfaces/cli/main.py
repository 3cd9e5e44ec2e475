"""The entry of `claimjury`: commands, and the one place where an error becomes a message and an exit status."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

import typer

from claimjury.errors import ClaimjuryError, CloudNotConfigured, InternalError, InvalidRequest
from claimjury.surfaces.cli.check import check
from claimjury.surfaces.cli.cite import cite
from claimjury.surfaces.cli.config import config
from claimjury.surfaces.cli.demo import demo
from claimjury.surfaces.cli.doctor import doctor
from claimjury.surfaces.cli.install import install
from claimjury.surfaces.cli.mcp import mcp
from claimjury.surfaces.cli.panel import panel
from claimjury.surfaces.cli.receipt import receipt
from claimjury.surfaces.cli.refute import refute
from claimjury.surfaces.cli.report import report
from claimjury.surfaces.cli.runs import runs
from claimjury.surfaces.cli.schema import schema
from claimjury.surfaces.cli.settle import settle
from claimjury.surfaces.cli.streams import emit, prepare_streams, say, settle_streams
from claimjury.surfaces.cli.tally_block import tally_block
from claimjury.surfaces.cli.verify import EXITS, verify

__all__ = ["app", "main", "run"]

app = typer.Typer(
    name="claimjury",
    help="A second opinion on claims, by a jury of models of other vendors. Supporting evidence, never proof.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(epilog=EXITS)(verify)
app.command()(refute)
app.command()(demo)
app.command()(config)
app.command()(doctor)
app.command()(mcp)
app.command()(install)
app.command()(report)
app.command()(schema)
app.command()(tally_block)
app.command()(cite)
app.command()(check)
app.command()(settle)
app.add_typer(panel)
app.add_typer(runs)
app.add_typer(receipt)


def _show_version(value: bool) -> None:
    if value:
        from claimjury.surfaces.cli.version import version_line

        emit(version_line() + "\n")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show versions and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line and exit with its status."""
    sys.exit(run(sys.argv[1:]))


def run(args: Sequence[str]) -> int:
    """Run one command line and give its exit status; no exception leaves, 1 is never given."""
    prepare_streams()
    try:
        return _run(args)
    finally:
        settle_streams()


def _run(args: Sequence[str]) -> int:
    try:
        status = app(list(args), standalone_mode=False)
    except KeyboardInterrupt:
        return 130
    except ClaimjuryError as error:
        return _failed(error, as_json=_wants_json(args))
    except SystemExit:
        # typer leaves so where the reader of a help page has left.
        return 2
    except Exception as error:  # noqa: BLE001 - the outermost edge: every fault gets a status of its own.
        return _failed(_translated(error, args), as_json=_wants_json(args))
    return status if isinstance(status, int) else 0


def _wants_json(args: Sequence[str]) -> bool:
    """Whether a failure is told as JSON: by flag, else as the settings say, where they can be read."""
    if "--json" in args or "--format=json" in args or ("--format", "json") in pairwise(args):
        return True
    if "--format" in args or not args or args[0] != "verify":
        return False
    from claimjury.settings.load import load_settings

    try:
        return load_settings(os.environ).settings.format == "json"
    except Exception:  # noqa: BLE001 - it is asked while a failure is told, which must not be lost to another one.
        return False


def _translated(error: Exception, args: Sequence[str]) -> ClaimjuryError:
    """Give a usage error of the parser's, or a fault of ours, as one of the tree."""
    show = getattr(error, "format_message", None)
    if show is not None:
        said = str(show()).rstrip() if args else "Name a command."
        return InvalidRequest(
            said if said.endswith((".", "?", "!")) else f"{said}.",
            hint="`claimjury --help` lists commands and options.",
        )
    if os.environ.get("CLAIMJURY_TRACEBACK"):
        say("".join(traceback.format_exception(error)).rstrip())
    return InternalError(
        f"A fault of claimjury itself: {type(error).__name__}: {str(error).rstrip('.')}.",
        hint="Please report it. CLAIMJURY_TRACEBACK=1 shows where it happened.",
    )


def _failed(error: ClaimjuryError, *, as_json: bool) -> int:
    from claimjury.text import clean_line

    if as_json:
        from claimjury.report.envelope import error_envelope
        from claimjury.surfaces.cli.outputs import print_json

        print_json(error_envelope(error))
    elif isinstance(error, CloudNotConfigured) and error.settled:
        from claimjury.surfaces.cli.settled import print_settled

        print_settled(error.settled)
    say(f"claimjury: {error.code}: {clean_line(error.message)}")
    if error.hint:
        say(f"  {clean_line(error.hint)}")
    return error.exit_status
