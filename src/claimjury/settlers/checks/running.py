"""One program, run to its end or to ours: no shell, no input, a bounded output, and nothing of it left running."""

from __future__ import annotations

import os
import secrets
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import IO, Final

import psutil

from claimjury.settlers.checks.surroundings import MARK, surroundings
from claimjury.text import clean, show_bytes

__all__ = ["MAX_OUTPUT", "Ran", "bounded", "run_program"]

MAX_OUTPUT: Final = 20_000
"""Characters."""
_HALF: Final = MAX_OUTPUT // 2
_CHUNK: Final = 65_536
_LOOK_S: Final = 0.1
_ROUNDS: Final = 20
"""A process may start another while it is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What came of a program.

    Attributes:
        exit_status: None where it was ended by us, or never began.
        ended: Why we ended it.
        fault: Why it could not be started.
    """

    exit_status: int | None = None
    ended: str | None = None
    fault: str | None = None
    output: str = ""
    output_bytes: int = 0
    elapsed_ms: int = 0


class _Kept:
    """The beginning and the end of a stream, and how much it was."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.count = 0

    def add(self, data: bytes) -> None:
        self.count += len(data)
        room = _HALF - len(self.head)
        self.head += data[:room]
        self.tail += data[room:]
        del self.tail[:-_HALF]

    def text(self) -> str:
        left_out = self.count - len(self.head) - len(self.tail)
        gap = f"\n[{show_bytes(left_out)} of {self.count:,} left out here]\n".encode() if left_out else b""
        return clean((bytes(self.head) + gap + bytes(self.tail)).decode("utf-8", "replace"))


def bounded(text: str, limit: int) -> str:
    """Give the beginning and the end of a text, with how much lies between."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[{len(text) - 2 * half:,} characters left out here]\n{text[-half:]}"


def run_program(
    command: Sequence[str],
    *,
    directory: Path,
    environ: Mapping[str, str],
    timeout_s: float,
    stop: Event | None = None,
    plain: bool = True,
) -> Ran:
    """Run a program until it ends, `timeout_s` is over or `stop` is set. What it started ends with it in any case."""
    mark = secrets.token_hex(16)
    began = time.monotonic()
    try:
        process = subprocess.Popen(  # noqa: S603 - no shell, a fixed vector of arguments.
            command,
            cwd=directory,
            env=_surrounded(environ, directory, mark=mark, plain=plain),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return Ran(fault=error.strerror or type(error).__name__)
    kept = _Kept()
    reader = Thread(target=_read, args=(process.stdout, kept), daemon=True)
    try:
        reader.start()
        ended = _wait(process, began + timeout_s, stop)
    finally:
        _end_all(process, mark)
        process.wait()
        reader.join(_LOOK_S * _ROUNDS)
    return Ran(
        exit_status=None if ended else process.returncode,
        ended=ended,
        output=kept.text(),
        output_bytes=kept.count,
        elapsed_ms=round((time.monotonic() - began) * 1000),
    )


def _surrounded(environ: Mapping[str, str], directory: Path, *, mark: str, plain: bool) -> dict[str, str]:
    """Give the environment of a program that runs in a directory, which a shell there would name too."""
    here = {"PWD": str(directory)} if directory.is_absolute() else {}
    return {**surroundings(environ, mark=mark, plain=plain), **here}


def _read(stream: IO[bytes] | None, kept: _Kept) -> None:
    if stream is None:
        return
    with stream:
        while data := os.read(stream.fileno(), _CHUNK):
            kept.add(data)


def _wait(process: subprocess.Popen[bytes], until: float, stop: Event | None) -> str | None:
    """Wait for the end of a program; give why it has to be ended, or None."""
    while True:
        try:
            process.wait(max(0.0, min(_LOOK_S, until - time.monotonic())))
        except subprocess.TimeoutExpired:
            if stop is not None and stop.is_set():
                return "stopped"
            if time.monotonic() >= until:
                return "timeout"
        else:
            return None


def _end_all(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill what a program started: its descendants, its session, and what left both but still carries the mark."""
    for _ in range(_ROUNDS):
        found = set(_started_by(process.pid, mark))
        if not found:
            return
        for one in found:
            with suppress(psutil.Error):
                one.kill()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK_S)
        psutil.wait_procs([one for one in found if one.pid != process.pid], timeout=_LOOK_S)


def _started_by(pid: int, mark: str) -> Iterator[psutil.Process]:
    with suppress(psutil.Error):
        leader = psutil.Process(pid)
        if leader.status() != psutil.STATUS_ZOMBIE and leader.ppid() == os.getpid():
            yield leader
            yield from leader.children(recursive=True)
    for one in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if one.pid != pid and one.status() != psutil.STATUS_ZOMBIE and _belongs(one, pid, mark):
                yield one


def _belongs(one: psutil.Process, pid: int, mark: str) -> bool:
    if hasattr(os, "getsid") and os.getsid(one.pid) == pid:
        return True
    return one.environ().get(MARK) == mark
