"""Serving: over standard input and output, or over HTTP on loopback, to an end that saves what has arrived.

Standard output belongs to the protocol: the SDK moves it aside while it serves, so that whatever prints goes to standard
error.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio

from claimjury.errors import InvalidRequest
from claimjury.models.hosts import is_loopback
from claimjury.settings.load import load_settings
from claimjury.surfaces.cli.streams import say
from claimjury.surfaces.mcp.floor import Floor, find_root
from claimjury.surfaces.mcp.jobs import Jobs
from claimjury.surfaces.mcp.server import make_server
from claimjury.surfaces.mcp.tools import Tools

if TYPE_CHECKING:
    import uvicorn

__all__ = ["serve_http", "serve_stdio"]

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_INTERRUPTED: Final = 130
_PATH: Final = "/mcp"


def _floor(roots: Sequence[Path] | None) -> Floor:
    """Read the operator's settings where the project is, which the server then runs in.

    Raises:
        ConfigInvalid: A setting or a root cannot be used.
    """
    found, why = find_root(roots, Path.cwd())
    if found:
        os.chdir(found[0])
    return Floor(loaded=load_settings(os.environ), roots=found, no_root=why)


async def serve_stdio(roots: Sequence[Path] | None = None) -> int:
    """Serve one client over standard input and output until its end, or a signal.

    Raises:
        ConfigInvalid: A setting or a root cannot be used.
    """
    from mcp.server.stdio import stdio_server

    floor = _floor(roots)
    async with Jobs(floor.loaded) as jobs:
        server = make_server(Tools(floor=floor, jobs=jobs))
        async with anyio.create_task_group() as group:
            group.start_soon(_exit_on_signal, jobs)
            async with stdio_server() as (reader, writer):
                await server.run(reader, writer, server.create_initialization_options())
            group.cancel_scope.cancel()
    return 0


async def _exit_on_signal(jobs: Jobs) -> None:
    """Save, and end the process: the thread that reads standard input waits for a line that may never come."""
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(*_SIGNALS) as signals:
        async for _ in signals:
            await jobs.save()
            sys.stderr.flush()
            os._exit(_INTERRUPTED)


async def serve_http(roots: Sequence[Path] | None = None, *, host: str, port: int) -> int:
    """Serve clients over Streamable HTTP on loopback until a signal.

    Raises:
        InvalidRequest: The host is not this machine.
        ConfigInvalid: A setting or a root cannot be used.
    """
    import uvicorn

    if not is_loopback(host):
        raise InvalidRequest(
            f"{host} is not loopback. Whoever reaches the server spends the operator's money and reads the project.",
            hint="Serve on 127.0.0.1; a tunnel of your own, with authentication, can lead there.",
        )
    floor = _floor(roots)
    async with Jobs(floor.loaded) as jobs:
        app = make_server(Tools(floor=floor, jobs=jobs)).streamable_http_app(
            streamable_http_path=_PATH, host="127.0.0.1"
        )
        config = uvicorn.Config(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=5)
        listening = _bound(config)
        say(f"claimjury: serving MCP at http://{host}:{listening.getsockname()[1]}{_PATH}")
        server = uvicorn.Server(config)
        # Its own handlers raise the signal again once it has ended, before anything is saved.
        server.capture_signals = nullcontext  # type: ignore[method-assign, assignment]
        async with anyio.create_task_group() as group:
            group.start_soon(_end_on_signal, server)
            await server.serve(sockets=[listening])
            group.cancel_scope.cancel()
    return _INTERRUPTED


async def _end_on_signal(server: uvicorn.Server) -> None:
    with anyio.open_signal_receiver(*_SIGNALS) as signals:
        async for _ in signals:
            server.should_exit = True


def _bound(config: uvicorn.Config) -> socket.socket:
    """Give the socket, so that its port is known before it is served on.

    Raises:
        InvalidRequest: The port is taken, or may not be used.
    """
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((config.host, config.port))
        # Whoever reads the address may call at once: the call waits, and is not refused.
        listening.listen(config.backlog)
    except OSError as error:
        listening.close()
        raise InvalidRequest(
            f"Port {config.port} of {config.host} cannot be served on: {error.strerror}.",
            hint="Name another with --port, or 0 for a free one.",
        ) from error
    return listening
