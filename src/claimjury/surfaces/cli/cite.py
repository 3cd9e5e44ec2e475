"""`claimjury cite`: the citations of a text, held against the repository. Nothing is sent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from claimjury.surfaces.cli import options as opt

__all__ = ["cite"]

MAX_BYTES: Final = 50_000_000
Format = Literal["text", "json", "github"]
TextFile = Annotated[
    str | None, typer.Argument(metavar="FILE", show_default=False, help="A text, or - for standard input.")
]
Text = Annotated[str | None, typer.Option("--text", metavar="TEXT", help="The text itself.")]
Root = Annotated[
    Path | None,
    typer.Option("--root", metavar="DIR", help="The repository. Default: the git work tree around here."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 10 where a citation is broken.")]
OutputFormat = Annotated[Format, typer.Option("--format", help="github annotates FILE in a workflow's log.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show sound citations too.")]


def cite(
    file: TextFile = None,
    text: Text = None,
    root: Root = None,
    strict: Strict = False,
    output_format: OutputFormat = "text",
    as_json: opt.Json = False,
    verbose: Verbose = False,
) -> int:
    """Check that the places which a text cites exist, and that what it names stands there. Sends nothing.

    Exit status: 0, broken citations or none; with --strict 10 where one is broken; 2 usage or bad input.
    """
    from claimjury.evidence.citing.checking import check_citations
    from claimjury.report import citations
    from claimjury.surfaces.cli.outputs import print_json
    from claimjury.surfaces.cli.streams import emit

    folder = _root(root)
    said = _text(file, text)
    # A link of a document is relative to that; a path of an agent to where it works.
    beside = [] if file in (None, "-") else [Path(file).parent]
    checked = check_citations(said, folder, [*beside, Path.cwd()])
    status = 10 if strict and any(one.broken for one in checked) else 0
    if as_json or output_format == "json":
        print_json({**citations.as_json(checked, said), "exit_status": status})
    elif output_format == "github":
        document = file if file not in (None, "-") else None
        emit(citations.as_annotations(checked, said, document, strict=strict))
    else:
        emit(citations.as_text(checked, said, verbose=verbose))
    return status


def _root(given: Path | None) -> Path:
    """Give the repository.

    Raises:
        ConfigInvalid: It is no folder, or is a whole disk or a home.
    """
    from claimjury.evidence.git import work_tree
    from claimjury.evidence.roots import resolve_roots

    here = Path.cwd()
    return resolve_roots([given or work_tree(here) or here])[0]


def _text(file: str | None, text: str | None) -> str:
    from claimjury.errors import InvalidRequest
    from claimjury.text import clean_line

    if (file is None) == (text is None):
        raise InvalidRequest(
            "There is no text to check." if file is None else "A file and --text are both given.",
            hint="Name a file, give - for standard input, or --text TEXT.",
        )
    if file is None:
        return text or ""
    shown = clean_line(file)
    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 1) if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise InvalidRequest(
            f"The text {shown} cannot be read: {error.strerror or type(error).__name__}.",
            hint="Check the path.",
        ) from error
    if len(data) > MAX_BYTES:
        raise InvalidRequest(f"The text {shown} has more than {MAX_BYTES:,} bytes.", hint="Cut it.")
    return data.decode("utf-8-sig", errors="replace")
