"""What a user names on the command line, read: claims and the reference, from files or standard input."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from claimjury.claims import read_claims
from claimjury.errors import InvalidRequest
from claimjury.evidence.reference import Reference, load_reference
from claimjury.surfaces.cli.claims_file import load_claims_file

__all__ = ["read_claim_items", "read_reference", "refuse_two_stdin"]


def refuse_two_stdin(claims: str | None, reference: str | None) -> None:
    """Refuse to read two things from one standard input.

    Raises:
        InvalidRequest: Both are `-`.
    """
    if claims == "-" and reference == "-":
        raise InvalidRequest(
            "CLAIMS and --reference both ask for standard input.",
            hint="Only one can be `-`; name a file for the other.",
        )


def read_claim_items(claims: str | None, texts: Sequence[str] | None) -> list[Mapping[str, Any] | str]:
    """Give the items of CLAIMS, then those of --claim.

    Raises:
        ClaimjuryError: There is neither, or CLAIMS cannot be used.
    """
    if claims is None and not texts:
        raise InvalidRequest(
            "There is nothing to judge.", hint="Give a CLAIMS file, `-` for standard input, or --claim TEXT."
        )
    items: list[Mapping[str, Any] | str] = []
    if claims == "-":
        items += read_claims(None, _standard_input())
    elif claims is not None:
        items += load_claims_file(Path(claims))
    return items + list(texts or ())


def read_reference(reference: str | None, *, allow_secrets: bool = False) -> Reference | None:
    """Give the reference of a file, or of standard input, whose origin nobody watched.

    Raises:
        ClaimjuryError: It cannot be used.
    """
    if reference is None:
        return None
    if reference == "-":
        return Reference(text=_standard_input(), origin="caller")
    return load_reference(Path(reference), allow_secrets=allow_secrets)


def _standard_input() -> str:
    if sys.stdin is None:
        raise InvalidRequest(
            "Standard input is closed, so `-` names nothing.", hint="Pipe something in, or name a file."
        )
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidRequest(
            f"Standard input is not UTF-8 (byte {error.start}).",
            hint="Convert it, for example with `iconv -f ENCODING -t utf-8`.",
        ) from error
