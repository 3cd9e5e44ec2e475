"""What the tests of the jury share: a panel of three, one claim, and a run of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from claimjury import VerifyResult, verify_claims
from claimjury.jury.events import Event
from claimjury.testing import Reply, Script, ScriptedOllama, ballot

TRIO: Final = ("deepseek-v4-pro:cloud", "kimi-k2.7-code:cloud", "glm-5.2:cloud")
FIRST: Final = TRIO[0]
CLAIM: Final = "The loop ends after 7 attempts."
CONFIRM: Final = Reply(content=ballot({"c1": "CONFIRMED"}))
REFUTE: Final = Reply(content=ballot({"c1": "REFUTED"}))


class Heard:
    """A recorder that keeps every event."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def record(self, event: Event, /) -> None:
        self.events.append(event)

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


def trio(first: Script | Reply, **rest: Script) -> dict[str, Script]:
    """Script the first juror; the two others confirm."""
    scripts: dict[str, Script] = dict.fromkeys(TRIO, [CONFIRM])
    return {**scripts, FIRST: [first] if isinstance(first, Reply) else first, **rest}


async def ask(scripts: Mapping[str, Script], *, claims: Any = (CLAIM,), **options: Any) -> VerifyResult:
    """Run the trio against these scripts."""
    server_options = {
        name: options.pop(name) for name in ("catalogue", "details", "plans", "slots") if name in options
    }
    with ScriptedOllama(scripts, **server_options) as server:
        return await verify_claims(claims, cloud=server.cloud, **{"panel": list(scripts), **options})
