"""Receipts of skeptics: a run exported as one canonical JSON file, so that somebody else can check it without us.

It holds the claim and every raw message whole; evidence, prompts and what tools answered by their hashes.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pydantic import ValidationError

from claimjury.errors import InvalidRequest
from claimjury.ledger.checking import check_receipt
from claimjury.ledger.receipt_form import ReplyRow, canonical, manifest_of, text_sha256, whole_sha256
from claimjury.ledger.receipts import evidence_items
from claimjury.ledger.refutations import StoredCall, StoredOpening, StoredRefutation, StoredTurn
from claimjury.ledger.refute_receipt_form import REFUTE_SCHEMA, RefuteReceipt, VerdictRow
from claimjury.skeptics.result import RefuteResult, SkepticResult

__all__ = ["export_refutation", "whole_refutation"]


def whole_refutation(stored: StoredRefutation) -> RefuteResult:
    """Give the result of a run of skeptics that ended and was kept whole.

    Raises:
        InvalidRequest: It did not end, or its content was not kept.
    """
    run_id = stored.row["run_id"]
    if not stored.row["content_kept"]:
        raise InvalidRequest(
            f"The run {run_id} was kept without its content, so what the skeptics said is not there.",
            hint="Only a run that was recorded with content can be exported or reported.",
        )
    if stored.result is None:
        raise InvalidRequest(
            f"The run {run_id} did not end, so there is no verdict.",
            hint=f"`claimjury runs show {run_id}` shows the skeptics that had; ask anew for a verdict.",
        )
    return stored.result


def export_refutation(stored: StoredRefutation) -> bytes:
    """Give the bytes of a run's receipt, checked: one that would not fit is not handed out.

    Raises:
        InvalidRequest: The run did not end, its content was not kept, something in it has no canonical form, or what is
            kept does not follow from the messages.
    """
    result = whole_refutation(stored)
    try:
        parts = _parts(stored, result)
        parts["manifest"] = manifest_of(parts)
        parts["receipt_sha256"] = whole_sha256(parts)
        data = canonical(RefuteReceipt.model_validate_json(canonical(parts)).to_json())
    except (ValidationError, ValueError) as error:
        raise InvalidRequest(
            f"The run {result.run_id} cannot be exported: a number or a text in it has no canonical JSON.",
            hint="A model or a host has said something odd; `claimjury runs show` has the run.",
        ) from error
    if fault := check_receipt(data).first_fault:
        raise InvalidRequest(
            f"The run {result.run_id} cannot be exported, because its receipt would not fit: {fault}",
            hint="The ledger was changed by hand, or an older claimjury read this message in another way.",
        )
    return data


def _parts(stored: StoredRefutation, result: RefuteResult) -> dict[str, Any]:
    return {
        "schema": REFUTE_SCHEMA,
        "run": _run(stored, result),
        "rules": _rules(stored, result),
        "claim": {"statement": result.claim, "sha256": text_sha256(result.claim)},
        "evidence": evidence_items(stored.evidence, result.evidence, result.reference),
        "skeptics": [_skeptic(stored, one) for one in result.skeptics],
        "verdict": result.to_json_of(*VerdictRow.model_fields),
        "scripted": bool(result.scripted),
        "egress": [row.to_json() for row in result.egress],
        "warnings": list(result.warnings),
    }


def _run(stored: StoredRefutation, result: RefuteResult) -> dict[str, Any]:
    return {
        "run_id": result.run_id,
        "started_at": stored.row["started_at"],
        "elapsed_ms": result.elapsed_ms,
        "status": result.status,
        "claimjury_version": stored.row["version"],
        "prompt_version": stored.row["prompt_version"],
        "nonce": stored.row["nonce"],
        "host": stored.row["host"],
    }


def _rules(stored: StoredRefutation, result: RefuteResult) -> dict[str, Any]:
    return {"n": result.n, "threshold": result.threshold, **_present(stored.request)}


def _skeptic(stored: StoredRefutation, one: SkepticResult) -> dict[str, Any]:
    return {
        "result": one.to_json(),
        "openings": [_opening(row) for row in stored.openings if row.place == one.place],
        "turns": [_turn(row) for row in stored.turns.get(one.place, ())],
    }


def _opening(row: StoredOpening) -> dict[str, Any]:
    return {
        "tools": row.tools,
        "given": list(row.given),
        "system_sha256": text_sha256(row.system or ""),
        "user_sha256": text_sha256(row.user or ""),
        "bytes": row.bytes,
    }


def _turn(row: StoredTurn) -> dict[str, Any]:
    return {
        "sent_bytes": row.sent_bytes,
        "reply": ReplyRow.of(row.answer).to_json(),
        "calls": [asdict(call) for call in row.answer.tool_calls],
        "answers": [_tool_answer(call) for call in row.calls],
    }


def _tool_answer(call: StoredCall) -> dict[str, Any]:
    return {
        "position": call.position,
        "failed": call.failed,
        "looked": [_present({**asdict(row), "files": list(row.files) or None}) for row in call.looked],
        "text_sha256": text_sha256(call.text),
        "bytes": len(call.text.encode("utf-8", "surrogatepass")),
    }


def _present(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}
