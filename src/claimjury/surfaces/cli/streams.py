"""The streams of the command line: what is said gets out whole, or its failure costs neither answer nor status.

A stream may be missing (`>&-`), full, closed by its reader, or of an encoding that lacks a character.
"""

from __future__ import annotations

import codecs
import errno
import json
import os
import sys
from contextlib import suppress
from typing import Final, TextIO

__all__ = ["emit", "prepare_streams", "say", "settle_streams"]

_ESCAPE: Final = "claimjury.escape"


def prepare_streams() -> None:
    r"""Let every character out: one that the stream's encoding lacks is written as `\uXXXX`, as in JSON."""
    codecs.register_error(_ESCAPE, _escaped)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=_ESCAPE)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return json.dumps(lacking)[1:-1], error.end


def say(line: str) -> None:
    """Say one line on standard error, if there is one."""
    _write(sys.stderr, line + "\n")


def emit(text: str) -> None:
    """Put a report out on standard output; where that fails, on standard error, so that it is not lost.

    A reader that left (`| head`) had enough: nothing more is said then.
    """
    failure = _write(sys.stdout, text)
    if failure is None or failure.errno == errno.EPIPE:
        return
    say(f"claimjury: standard output cannot be written ({failure.strerror}); the report follows here.")
    _write(sys.stderr, text)


def _write(stream: TextIO | None, text: str) -> OSError | None:
    if stream is None or stream.closed:
        return OSError(errno.EBADF, "it is closed")
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        _detach(stream)
        return error
    return None


def settle_streams() -> None:
    """Flush what is left, so that the interpreter does not fail on it at exit with a status of its own."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            try:
                stream.flush()
            except OSError:
                _detach(stream)


def _detach(stream: TextIO) -> None:
    """Let what is still buffered go nowhere: the interpreter flushes once more at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
