"""`claimjury mcp`: the MCP server, for coding agents."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["mcp"]

Roots = Annotated[
    list[Path] | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="The project that callers may name files of. Default: the Git work tree of the working directory.",
    ),
]
Http = Annotated[
    bool,
    typer.Option("--http", help="Serve Streamable HTTP on loopback instead of standard input and output."),
]
Host = Annotated[str, typer.Option("--host", help="With --http: the loopback address to serve on.")]
Port = Annotated[
    int, typer.Option("--port", min=0, max=65_535, help="With --http: the port; 0 for a free one.")
]


def mcp(root: Roots = None, http: Http = False, host: Host = "127.0.0.1", port: Port = 8765) -> int:
    """Serve the jury to coding agents over MCP; your settings are a floor for every caller.

    Exit status: 0 the client has ended; 2 a setting cannot be used; 3 the extra is not installed; 130 stopped by a signal.
    """
    import anyio

    from claimjury.models.installed import is_installed

    if not is_installed("mcp"):
        from claimjury.errors import CloudNotConfigured

        raise CloudNotConfigured(
            "The MCP server needs the SDK `mcp`, which is not installed.", hint="pip install 'claimjury[mcp]'"
        )
    with _without_collections():
        from claimjury.surfaces.mcp.serving import serve_http, serve_stdio

    if http:
        return anyio.run(lambda: serve_http(root, host=host, port=port))
    return anyio.run(serve_stdio, root)


@contextmanager
def _without_collections() -> Iterator[None]:
    """Import without looking for garbage: there is none, and the search takes a seventh of the time to a first answer."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()
