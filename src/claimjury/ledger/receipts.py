"""Receipts: a run exported as one canonical JSON file, so that somebody else can check it without us.

It holds claims and raw replies whole, and evidence and prompt by their hashes; no absolute path, no key, no header.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from claimjury.errors import InvalidRequest
from claimjury.jury.counting import Seated
from claimjury.jury.prompt import Prompt
from claimjury.jury.result import ClaimResult, EvidenceRow, ReferenceRow, VerifyResult
from claimjury.ledger.checking import check_receipt
from claimjury.ledger.reading import EvidenceRecord, StoredRun
from claimjury.ledger.receipt_form import (
    SCHEMA,
    THRESHOLDS,
    Receipt,
    ReplyRow,
    canonical,
    manifest_of,
    text_sha256,
    whole_sha256,
)
from claimjury.ledger.recounting import is_unverified, seated

__all__ = ["evidence_items", "export_receipt", "make_receipt", "whole_result"]

_NOT_COUNTED = ("statement", "jurors", "prior_runs", "not_settled", "would_settle", "was")


def whole_result(stored: StoredRun) -> VerifyResult:
    """Give the result of a run that ended and was kept whole.

    Raises:
        InvalidRequest: It did not end, or its content was not kept.
    """
    run_id = stored.row["run_id"]
    if not stored.row["content_kept"]:
        raise InvalidRequest(
            f"The run {run_id} was kept without its content, so its replies and votes are not all there.",
            hint="Only a run that was recorded with content can be exported or counted again.",
        )
    if stored.result is None:
        raise InvalidRequest(
            f"The run {run_id} did not end, so there are no verdicts.",
            hint=f"`claimjury verify --resume {run_id}` asks the seats that have not answered.",
        )
    return stored.result


def make_receipt(stored: StoredRun) -> dict[str, Any]:
    """Give the receipt of a run as JSON-ready data.

    Raises:
        InvalidRequest: The run did not end, its content was not kept, or something in it has no canonical form.
    """
    result = whole_result(stored)
    try:
        parts = _parts(stored, result)
        parts["manifest"] = manifest_of(parts)
        parts["receipt_sha256"] = whole_sha256(parts)
        # Read back as whoever checks it will: what does not have the form does not leave.
        return Receipt.model_validate_json(canonical(parts)).to_json()
    except (ValidationError, ValueError) as error:
        raise InvalidRequest(
            f"The run {result.run_id} cannot be exported: a number or a text in it has no canonical JSON.",
            hint="A host has reported something odd; `claimjury runs show` has the run.",
        ) from error


def export_receipt(stored: StoredRun) -> bytes:
    """Give the bytes of a run's receipt, checked: one that would not fit is not handed out.

    Raises:
        InvalidRequest: As `make_receipt`, or what is kept does not follow from the replies.
    """
    data = canonical(make_receipt(stored))
    report = check_receipt(data)
    if report.first_fault:
        raise InvalidRequest(
            f"The run {stored.row['run_id']} cannot be exported, because its receipt would not fit: {report.first_fault}",
            hint="The ledger was changed by hand, or an older claimjury read this reply in another way.",
        )
    return data


def _parts(stored: StoredRun, result: VerifyResult) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "run": _run(stored, result),
        "rules": _rules(result),
        "claims": [
            {"id": claim.id, "statement": claim.statement, "sha256": text_sha256(claim.statement)}
            for claim in result.judged
        ],
        **_settled(result),
        "evidence": evidence_items(stored.evidence, result.evidence, result.reference),
        "prompt": _prompt(stored),
        "seats": [_seat(stored, result, seat) for seat in seated(result)],
        "verdicts": [_verdict(claim.to_json()) for claim in result.judged],
        "weak": result.weak,
        "scripted": bool(result.scripted),
        "unverified_host": is_unverified(result),
        "egress": [row.to_json() for row in result.egress],
        "warnings": list(result.warnings),
    }


def _settled(result: VerifyResult) -> dict[str, Any]:
    """Give the claims that no juror was asked about, and the tree that settlers looked at."""
    rows = [_settled_row(claim) for claim in result.claims if not claim.judged]
    return {
        **({"settled": rows} if rows else {}),
        **({} if result.tree is None else {"tree": result.tree.to_json()}),
    }


def _settled_row(claim: ClaimResult) -> dict[str, Any]:
    row = claim.to_json_of("id", "statement", "settled_by", "proof", "not_settled")
    verdict = {} if claim.settled_by is None else {"verdict": claim.verdict}
    return {**row, **verdict, "sha256": text_sha256(claim.statement)}


def _present(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


def _run(stored: StoredRun, result: VerifyResult) -> dict[str, Any]:
    return _present(
        {
            "run_id": result.run_id,
            "started_at": stored.row["started_at"],
            "elapsed_ms": result.elapsed_ms,
            "status": result.status,
            "claimjury_version": stored.row["version"],
            "prompt_version": stored.row["prompt_version"],
            "nonce": stored.row["nonce"],
            "host": stored.row["host"],
            "resumed_from": result.resumed_from,
            "claim_ids": None
            if all(claim.judged for claim in result.claims)
            else [claim.id for claim in result.claims],
        }
    )


def _rules(result: VerifyResult) -> dict[str, Any]:
    return _present(
        {
            "min_refute_votes": result.min_refute_votes,
            "polarity": result.params.polarity,
            "panel": [seat.model for seat in result.panel if seat.stands_in_for is None],
            "reask": result.params.reask,
            "seat_timeout_s": result.params.seat_timeout_s,
            **result.params.to_json_of(
                "deadline_s",
                "author",
                "alternates",
                "allow_same_family",
                "caller_set_rules",
                "require_quotes",
                "max_cost_usd",
                "max_tokens",
            ),
            "thresholds": THRESHOLDS.to_json(),
        }
    )


def evidence_items(
    stored: Sequence[EvidenceRecord], said: Sequence[EvidenceRow], reference: ReferenceRow | None
) -> list[dict[str, Any]]:
    """Give the evidence of a run by its hashes."""
    kept = [row for row in stored if row.kind != "reference"]
    rows = [_source(row, one.to_json()) for row, one in zip(kept, said, strict=True)]
    return rows if reference is None else [*rows, _reference(reference)]


def _source(kept: EvidenceRecord, said: dict[str, Any]) -> dict[str, Any]:
    names = ("lines", "encoding", "start_line", "end_line", "commits", "files", "stripped", "redacted")
    return {
        "kind": kept.kind,
        "name": said["path"],
        "file_sha256": said["sha256"],
        "content_sha256": text_sha256(kept.text or ""),
        "size": said["bytes"],
        **{name: said[name] for name in names if name in said},
    }


def _reference(said: ReferenceRow) -> dict[str, Any]:
    redacted = {} if said.redacted is None else {"redacted": [row.to_json() for row in said.redacted]}
    return {
        **redacted,
        "kind": "reference",
        "origin": said.origin,
        "file_sha256": said.sha256,
        "content_sha256": said.sha256,
        "size": said.bytes,
        "lines": said.lines,
    }


def _prompt(stored: StoredRun) -> dict[str, Any]:
    prompt = Prompt(nonce=stored.row["nonce"], system=stored.system or "", user=stored.user or "")
    return {
        "system_sha256": text_sha256(prompt.system),
        "user_sha256": text_sha256(prompt.user),
        "sha256": prompt.sha256,
        "bytes": prompt.bytes,
    }


def _seat(stored: StoredRun, result: VerifyResult, seat: Seated) -> dict[str, Any]:
    said = next(row for row in result.panel if row.model == seat.model).to_json()
    params = result.params.jurors.get(seat.model)
    return {
        **{name: value for name, value in said.items() if name not in ("detail", "elapsed_ms")},
        "votes": [vote.to_json() for vote in seat.votes.values()] if seat.included else [],
        **({} if params is None else {"params": params.to_json()}),
        "replies": [ReplyRow.of(answer).to_json() for answer in stored.replies.get(seat.model, ())],
    }


def _verdict(claim: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in claim.items() if name not in _NOT_COUNTED}
