"""What the tests of the ledger share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from claimjury import VerifyResult, verify_claims
from claimjury.ledger.recorder import LedgerRecorder
from claimjury.ledger.store import open_ledger
from claimjury.testing import Script, ScriptedOllama
from jury.helpers import CLAIM

FILE = Path("ledger.sqlite3")


async def kept(scripts: Mapping[str, Script], *, keep_content: bool = True, **options: Any) -> VerifyResult:
    """Run a panel against these scripts and keep it in `FILE`."""
    with ScriptedOllama(scripts) as server, open_ledger(FILE) as ledger:
        recorder = LedgerRecorder(ledger, keep_content=keep_content)
        chosen = {"panel": list(scripts), "cloud": server.trusted_cloud, **options}
        result = await verify_claims(
            options.pop("claims", [CLAIM]),
            **{k: v for k, v in chosen.items() if k != "claims"},
            recorder=recorder,
        )
        assert recorder.trouble is None
        return result


def all_bytes() -> bytes:
    """Give every byte of the ledger's files."""
    return b"".join(path.read_bytes() for path in sorted(Path().glob("ledger.sqlite3*")))
