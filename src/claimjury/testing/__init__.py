"""Scripted jurors over real HTTP, for claimjury's own tests and for yours.

    from claimjury.testing import Reply, ScriptedOllama, ballot

    with ScriptedOllama({"glm-5.2:cloud": [Reply(ballot({"c1": "CONFIRMED"}))]}) as server:
        result = verify_claims_sync(["..."], panel=["glm-5.2:cloud"], cloud=server.cloud)

Every answer is marked: a result that rests on one says `scripted: true`, and no option takes that off.
"""

from __future__ import annotations

from claimjury.testing.scripts import Asked, Reply, Script, ballot
from claimjury.testing.server import ScriptedOllama

__all__ = ["Asked", "Reply", "Script", "ScriptedOllama", "ballot"]
