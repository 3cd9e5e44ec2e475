"""`claimjury-hook stop`: reads what a host says on standard input, answers JSON, and always exits with 0.

Exit 2 would hold a turn up, and a parser of options exits so on a wrong one; hence none is used here. Whatever goes wrong
is no reason to stop anybody, unless the user's own settings say so (`hook_fail`). Until there is a citation to look at,
only the standard library is imported.
"""

from __future__ import annotations

import json
import os
import sys
from threading import Lock, Timer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["main"]

MAX_INPUT = 20_000_000
"""Bytes."""
MAX_MESSAGE = 1_000_000
"""Characters; a longer message is not looked at."""
TIMEOUT_S: float = 8
"""Seconds, within those that hosts grant a hook."""
_GRACE_S = 1
"""Seconds more, in which it is looked up whether the user wants the turn held up."""
_answering = Lock()
"""Held by whoever answers, for good: there is one answer."""


def main() -> None:
    """Answer one hook."""
    remember = None
    try:
        _open_closed()
        _watch()
        answer, remember = _answer(sys.argv[1:])
    except BaseException as error:  # noqa: BLE001 - a hook that fails must not hold a turn up.
        answer = _failed(error)
    _end(answer, remember)


def _end(answer: Mapping[str, Any], remember: Callable[[], None] | None = None) -> None:
    """Write the answer, where nobody else does, keep that it was said, and end the process with 0."""
    _answering.acquire()
    try:
        with open(1, "wb", closefd=False) as out:
            out.write(json.dumps(answer).encode() + b"\n")
        if remember is not None:
            remember()
        if sys.stderr is not None:
            sys.stderr.flush()
        if git := sys.modules.get("claimjury.evidence.git"):
            git.end_running()
    except BaseException:  # noqa: BLE001, S110 - there is nobody left to tell.
        pass
    os._exit(0)


def _open_closed() -> None:
    """Open what the host closed: else the next file that is read would be its standard output."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _watch() -> None:
    """End the hook after `TIMEOUT_S` from without: an exception could be caught by what it interrupts."""
    for seconds, end in ((TIMEOUT_S, _expired), (TIMEOUT_S + _GRACE_S, _gone)):
        timer = Timer(seconds, end)
        timer.daemon = True
        timer.start()


def _expired() -> None:
    _end(_failed(TimeoutError(f"it took over {TIMEOUT_S} s")))


def _gone() -> None:
    """End it where even that does not end."""
    if _answering.acquire(blocking=False):
        _answering.release()
        _end({})
    os._exit(0)


def _answer(args: list[str]) -> tuple[Mapping[str, Any], Callable[[], None] | None]:
    from claimjury.surfaces.hooks.off import is_off

    if is_off(os.environ.get("CLAIMJURY_HOOK", "")):
        return {}, None
    with open(0, "rb", closefd=False) as said:
        given = json.loads(said.read(MAX_INPUT).decode("utf-8", "replace") or "{}")
    if not isinstance(given, dict) or not _may_say_something(given):
        return {}, None
    from claimjury.surfaces.hooks.hosts import host_of, turn_of
    from claimjury.surfaces.hooks.looking import look

    named = args[args.index("--host") + 1] if "--host" in args[:-1] else None
    end = turn_of(given, host_of(given, named))
    return ({}, None) if len(end.message) > MAX_MESSAGE else look(end)


def _may_say_something(given: Mapping[str, Any]) -> bool:
    """Whether a message may cite something; where the host gives a transcript alone, that is not known yet."""
    from claimjury.evidence.citing.quick import may_cite

    message = given.get("last_assistant_message") or ""
    if message:
        return isinstance(message, str) and not given.get("stop_hook_active") and may_cite(message)
    return not given.get("stop_hook_active")


def _failed(error: BaseException) -> Mapping[str, Any]:
    """Say on standard error what went wrong, and let the turn end, unless the user wants it held up."""
    try:
        if sys.stderr is not None:
            what = f"{type(error).__name__}: {error}"
            sys.stderr.write(f"claimjury-hook: a fault of its own, nothing was checked: {what}\n")
        from claimjury.surfaces.hooks.looking import fails_closed

        if fails_closed():
            reason = "claimjury-hook failed, and your settings (hook_fail) hold a turn up then. CLAIMJURY_HOOK=off turns it off."
            return {"decision": "block", "reason": reason}
    except BaseException:  # noqa: BLE001, S110 - there is nobody left to tell.
        pass
    return {}
