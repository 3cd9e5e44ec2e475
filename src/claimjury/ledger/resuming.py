"""Resuming: an unfinished run asked again for what it lacks, with the prompt bytes that were stored.

What a seat had answered is read from the ledger and not asked for again. Refused where a source has changed since: old
votes and new ones must not be about different evidence.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, get_args

from claimjury.claims import Claim
from claimjury.errors import InvalidRequest
from claimjury.evidence.reference import Origin, Reference
from claimjury.evidence.sources import Source
from claimjury.jury.events import Earlier
from claimjury.jury.plan import Asked, Plan, make_plan
from claimjury.jury.prompt import Prompt
from claimjury.jury.request import VerifyRequest
from claimjury.jury.result import SeatResult
from claimjury.jury.seating import takes_stand_in
from claimjury.jury.settling import Settling
from claimjury.jury.verify import load_evidence
from claimjury.ledger.reading import StoredRun
from claimjury.models.daemon import Daemon
from claimjury.models.routes import Access
from claimjury.settlers.outcome import TreeRow
from claimjury.text import clean_line

__all__ = ["access_then", "asked_then", "plan_again", "request_then"]

_ORIGINS: Final[dict[str, Origin]] = {origin: origin for origin in get_args(Origin)}


def plan_again(stored: StoredRun, access: Access, *, deadline_s: float | None = None) -> tuple[Plan, Earlier]:
    """Give the plan of a stored run, and the replies that it had heard. Its deadline was its own; this one is new.

    Raises:
        InvalidRequest: Its content was not kept, it went to another host, or a source has changed.
        EvidenceError: A source cannot be read any more.
    """
    run_id = stored.row["run_id"]
    if stored.system is None or stored.user is None:
        raise InvalidRequest(
            f"The run {run_id} was kept without its content, so it cannot go on.", hint="Ask anew."
        )
    if stored.result is not None and not _unanswered(stored, stored.result.panel):
        raise InvalidRequest(
            f"Every juror of the run {run_id} has answered: nothing is left to ask.",
            hint=f"`claimjury runs show {run_id}` shows it.",
        )
    access = access_then(stored, access)
    asked = asked_then(json.loads(stored.row["asked"]))
    sources, _ = load_evidence(asked.source_paths, asked)
    _refuse_changes(stored, sources)
    prompt = Prompt(nonce=stored.row["nonce"], system=stored.system, user=stored.user)
    request = request_then(stored, deadline_s)
    plan = make_plan(request, sources, access, asked, prompt=prompt, settling=_settling(stored))
    _refuse_other_hosts(stored, plan)
    return plan, _earlier(stored)


def _settling(stored: StoredRun) -> Settling | None:
    """Give what was settled then: a resumed run is about the tree of its first part."""
    said = stored.request.get("settling")
    if said is None:
        return None
    claims = tuple(Claim(id=row.id, statement=row.statement) for row in stored.settlements)
    tree = None if said["tree"] is None else TreeRow.model_validate_json(json.dumps(said["tree"]))
    return Settling(
        claims=claims, rows={row.id: row for row in stored.settlements}, tree=tree, only=said["only"]
    )


def _refuse_other_hosts(stored: StoredRun, plan: Plan) -> None:
    then = {stored.row["host"]: ", ".join(plan.hosts)}
    then |= {seat.host: plan.routes[seat.model].host.host for seat in _seats(stored) if seat.host}
    for host, now in then.items():
        if host != now:
            raise InvalidRequest(
                f"The run {stored.row['run_id']} went to {host}, and now it would go to {now}.",
                hint="Set OLLAMA_CLOUD_HOST and your servers as they were, or ask anew.",
            )


def access_then(stored: StoredRun, access: Access) -> Access:
    """Give access with the daemon where the run asked it."""
    if not stored.request.get("local") or access.daemon is not None:
        return access
    return replace(access, daemon=Daemon.from_env(os.environ))


def _earlier(stored: StoredRun) -> Earlier:
    """Give what was heard. A seat that its stand-in has stays fallen: asked again, it would cost the stand-in's votes."""
    seats = {seat.model: seat for seat in _seats(stored)}
    stand_ins = {
        seat.stands_in_for: seat.model
        for seat in seats.values()
        if seat.stands_in_for in seats and (seat.included or _cut_short(seat))
    }
    finished = {model for model, seat in seats.items() if _answered(stored, seat)}
    return Earlier(
        run_id=stored.row["run_id"],
        replies=stored.replies,
        finished=frozenset(finished.union(stand_ins)),
        fallen={model: seats[model] for model in stand_ins},
        stand_ins=stand_ins,
    )


def _seats(stored: StoredRun) -> Sequence[SeatResult]:
    return stored.seats if stored.result is None else stored.result.panel


def _unanswered(stored: StoredRun, panel: Sequence[SeatResult]) -> list[str]:
    """Give the seats that have something left to say; one that was taken over by a stand-in has not."""
    filled = {seat.stands_in_for for seat in panel if seat.stands_in_for and _answered(stored, seat)}
    return [seat.model for seat in panel if seat.model not in filled and not _answered(stored, seat)]


def _answered(stored: StoredRun, seat: SeatResult) -> bool:
    """Tell whether a seat has nothing left to say: all its votes are in, or it was asked as often as it may be."""
    reason = seat.exclude_reason or ""
    if reason.startswith("call_failed:") or _cut_short(seat):
        return False
    asked_again = seat.included or reason in ("no_valid_verdicts", "reply_truncated")
    missing = asked_again and seat.verdicts_returned < len(stored.claims)
    return not missing or not stored.request["reask"] or len(stored.replies.get(seat.model, ())) > 1


def _cut_short(seat: SeatResult) -> bool:
    return seat.exclude_reason is not None and not takes_stand_in(seat.exclude_reason)


def asked_then(row: dict[str, Any]) -> Asked:
    """Give how the evidence was named, made independent of today's working directory."""
    folder = Path(row["folder"])
    roots = [str(folder)] if row["roots"] is None else [str(folder / root) for root in row["roots"]]
    return Asked(
        folder=str(folder),
        source_paths=tuple(str(folder / path) for path in row["source_paths"]),
        roots=tuple(roots),
        diff=row["diff"],
        allow_secrets=row["allow_secrets"],
        redact=row.get("redact", False),
        strip_comments=row.get("strip_comments", False),
        settle=row.get("settle", "off"),
        base=row.get("base"),
        aside=tuple(row.get("aside", ())),
    )


def request_then(stored: StoredRun, deadline_s: float | None) -> VerifyRequest:
    """Give what was asked, with its claims and its reference."""
    asked = stored.request
    reference = next((row for row in stored.evidence if row.kind == "reference"), None)
    return VerifyRequest(
        claims=tuple(Claim(id=ident, statement=statement or "") for ident, statement in stored.claims),
        reference=None if reference is None else _reference(reference.text, reference.origin),
        panel=tuple(asked["panel"]),
        min_refute_votes=stored.row["min_refute_votes"],
        polarity=asked["polarity"],
        deadline_s=deadline_s,
        reask=asked["reask"],
        require_quotes=asked.get("require_quotes", False),
        warnings=tuple(asked["warnings"]),
        author=tuple(asked.get("author", ())),
        alternates=tuple(asked.get("alternates", ())),
        allow_same_family=asked.get("allow_same_family", False),
        max_cost_usd=asked.get("max_cost_usd"),
        max_tokens=asked.get("max_tokens"),
        caller_set_rules=asked.get("caller_set_rules", False),
    )


def _reference(text: str | None, origin: str | None) -> Reference:
    return Reference(text=text or "", origin=_ORIGINS.get(origin or "", "caller"))


def _refuse_changes(stored: StoredRun, sources: tuple[Source, ...]) -> None:
    then = [(row.name or "", row.file_sha256) for row in stored.evidence if row.kind != "reference"]
    now = [(source.shown, source.sha256) for source in sources]
    if then == now:
        return
    changed = dict.fromkeys(name for name, _ in set(then) ^ set(now)) or dict.fromkeys(
        name for name, _ in now
    )
    names = ", ".join(clean_line(name) for name in changed)
    raise InvalidRequest(
        f"The evidence of the run {stored.row['run_id']} has changed: {names}.",
        hint="Old votes and new ones would be about different evidence. Ask anew.",
    )
