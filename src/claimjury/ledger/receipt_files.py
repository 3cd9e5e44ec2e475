"""The file of a receipt, of either engine: its bytes, its JSON, and its hashes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from claimjury.errors import InvalidRequest
from claimjury.ledger.receipt_form import canonical, manifest_of, whole_sha256
from claimjury.values import Value

__all__ = [
    "MAX_RECEIPT",
    "ReceiptFile",
    "canonical_faults",
    "hash_faults",
    "misfit",
    "no_receipt",
    "parse_receipt",
]

MAX_RECEIPT: Final = 64_000_000
"""Bytes."""
_FORM: Final = re.compile(r"(claimjury(?:-refute)?-receipt)/v[0-9]{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptFile:
    """A receipt as it was read: its bytes, its JSON, and the form that it says it has."""

    data: bytes
    parts: dict[str, Any]
    form: str


def parse_receipt(data: bytes) -> ReceiptFile:
    """Read the JSON of a receipt.

    Raises:
        InvalidRequest: It is no receipt.
    """
    if len(data) > MAX_RECEIPT:
        raise no_receipt(f"It has {len(data):,} bytes, and none is so large.")
    try:
        parts = json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise no_receipt("It is not JSON.") from error
    form = parts.get("schema") if isinstance(parts, dict) else None
    if not isinstance(form, str) or not _FORM.fullmatch(form):
        raise no_receipt("It does not say that it is one.")
    return ReceiptFile(data=data, parts=dict(parts), form=form)


def no_receipt(why: str) -> InvalidRequest:
    """Give the error of what is none."""
    return InvalidRequest(
        f"This is no receipt. {why}", hint="`claimjury runs export ID --receipt FILE` makes one."
    )


def misfit(error: ValidationError, form: str) -> str:
    """Say what does not have the form."""
    place = ".".join(map(str, error.errors(include_input=False, include_url=False)[0]["loc"]))
    return f"`{place}` does not have the form of {form}."


def canonical_faults(file: ReceiptFile, receipt: Value) -> Iterator[str]:
    """Say whether the file is anything but the one way to write what it says."""
    if canonical(receipt.to_json()) != file.data:
        yield "The file is not the canonical JSON (RFC 8785) of what it says."


def hash_faults(file: ReceiptFile) -> Iterator[str]:
    """Say which part does not have its hash."""
    expected, said = manifest_of(file.parts), file.parts["manifest"]
    for name in dict.fromkeys([*expected, *said]):
        if expected.get(name) != said.get(name):
            yield f"The hash of `{name}` is not the one in the manifest."
    if whole_sha256(file.parts) != file.parts["receipt_sha256"]:
        yield "`receipt_sha256` is not the hash of the receipt."
