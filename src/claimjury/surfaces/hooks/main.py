"""`claimjury-hook stop`: reads what a host says on standard input, answers JSON, and always exits with 0.

Exit 2 would hold a turn up, and a parser of options exits so on a wrong one; hence none is used here. Whatever goes wrong
is no reason to stop anybody, unless the user's own settings say so (`hook_fail`). Until there is a citation to look at,
only the standard library is imported.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["main"]

MAX_INPUT = 20_000_000
"""Bytes."""
MAX_MESSAGE = 1_000_000
"""Characters; a longer message is not looked at."""
TIMEOUT_S = 8
"""Seconds, within those that hosts grant a hook."""


def main() -> None:
    """Answer one hook."""
    answer: Mapping[str, Any] = {}
    try:
        answer = _answer(sys.argv[1:])
    except BaseException as error:  # noqa: BLE001 - a hook that fails must not hold a turn up.
        answer = _failed(error)
    try:
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        pass
    os._exit(0)


def _answer(args: list[str]) -> Mapping[str, Any]:
    if os.environ.get("CLAIMJURY_HOOK", "").strip().lower() == "off":
        return {}
    given = json.loads(sys.stdin.buffer.read(MAX_INPUT).decode("utf-8", "replace") or "{}")
    if not isinstance(given, dict) or not _may_say_something(given):
        return {}
    _set_alarm()
    from claimjury.surfaces.hooks.hosts import host_of, turn_of
    from claimjury.surfaces.hooks.looking import look

    named = args[args.index("--host") + 1] if "--host" in args[:-1] else None
    end = turn_of(given, host_of(given, named))
    return {} if len(end.message) > MAX_MESSAGE else look(end)


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
        what = f"{type(error).__name__}: {error}"
        sys.stderr.write(f"claimjury-hook: a fault of its own, nothing was checked: {what}\n")
        from claimjury.surfaces.hooks.looking import fails_closed

        if fails_closed():
            reason = "claimjury-hook failed, and your settings (hook_fail) hold a turn up then. CLAIMJURY_HOOK=off turns it off."
            return {"decision": "block", "reason": reason}
    except BaseException:  # noqa: BLE001, S110 - as above: there is nobody left to tell.
        pass
    return {}


def _set_alarm() -> None:
    """Raise TimeoutError after `TIMEOUT_S`, where the system has alarms."""
    import signal

    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _expired)
        signal.alarm(TIMEOUT_S)


def _expired(*_: object) -> None:
    raise TimeoutError(f"it took over {TIMEOUT_S} s")
