"""A second opinion on claims: settled by models of other vendors than the author's, every vote on record.

`await verify_claims([...], source_paths=[...])` asks a panel; `exit_status(result)` makes a gate of it.
What comes back is supporting evidence, never proof.
"""

from __future__ import annotations

from importlib import import_module

# As `typing.TYPE_CHECKING`, without the import: a hook loads this module at the end of every turn.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from claimjury.claims import Claim, parse_claims
    from claimjury.errors import (
        CallError,
        ClaimjuryError,
        CloudNotConfigured,
        ConfigInvalid,
        EvidenceError,
        InternalError,
        InvalidRequest,
        RequestError,
    )
    from claimjury.evidence.reference import Reference, load_reference
    from claimjury.jury.events import Event, Recorder
    from claimjury.jury.gate import exit_status
    from claimjury.jury.plan import Plan
    from claimjury.jury.request import DEFAULT_PANEL
    from claimjury.jury.result import ClaimResult, JurorVote, SeatResult, VerifyResult
    from claimjury.jury.verify import plan_verify, verify_claims, verify_claims_sync
    from claimjury.models.hosts import Cloud
    from claimjury.skeptics.refute import refute_claim, refute_claim_sync
    from claimjury.skeptics.result import RefuteResult, SkepticResult

_HOMES = {
    "CallError": "claimjury.errors",
    "Claim": "claimjury.claims",
    "ClaimResult": "claimjury.jury.result",
    "ClaimjuryError": "claimjury.errors",
    "Cloud": "claimjury.models.hosts",
    "CloudNotConfigured": "claimjury.errors",
    "ConfigInvalid": "claimjury.errors",
    "DEFAULT_PANEL": "claimjury.jury.request",
    "Event": "claimjury.jury.events",
    "EvidenceError": "claimjury.errors",
    "InternalError": "claimjury.errors",
    "InvalidRequest": "claimjury.errors",
    "JurorVote": "claimjury.jury.result",
    "Plan": "claimjury.jury.plan",
    "Recorder": "claimjury.jury.events",
    "Reference": "claimjury.evidence.reference",
    "RefuteResult": "claimjury.skeptics.result",
    "RequestError": "claimjury.errors",
    "SeatResult": "claimjury.jury.result",
    "SkepticResult": "claimjury.skeptics.result",
    "VerifyResult": "claimjury.jury.result",
    "exit_status": "claimjury.jury.gate",
    "load_reference": "claimjury.evidence.reference",
    "parse_claims": "claimjury.claims",
    "plan_verify": "claimjury.jury.verify",
    "refute_claim": "claimjury.skeptics.refute",
    "refute_claim_sync": "claimjury.skeptics.refute",
    "verify_claims": "claimjury.jury.verify",
    "verify_claims_sync": "claimjury.jury.verify",
}

__all__ = [
    "DEFAULT_PANEL",
    "CallError",
    "Claim",
    "ClaimResult",
    "ClaimjuryError",
    "Cloud",
    "CloudNotConfigured",
    "ConfigInvalid",
    "Event",
    "EvidenceError",
    "InternalError",
    "InvalidRequest",
    "JurorVote",
    "Plan",
    "Recorder",
    "Reference",
    "RefuteResult",
    "RequestError",
    "SeatResult",
    "SkepticResult",
    "VerifyResult",
    "exit_status",
    "load_reference",
    "parse_claims",
    "plan_verify",
    "refute_claim",
    "refute_claim_sync",
    "verify_claims",
    "verify_claims_sync",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'claimjury' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
