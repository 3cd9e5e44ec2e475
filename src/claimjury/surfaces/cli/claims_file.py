"""The claims file that a user names: read through one checked handle, like a source, but outside of the roots too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from claimjury.claims import MAX_CLAIMS, read_claims
from claimjury.errors import InvalidRequest
from claimjury.evidence.files import Role, read_named
from claimjury.text import clean_line

__all__ = ["load_claims_file"]

_FILE: Final = Role(
    noun="claims file",
    max_bytes=5_000_000,
    if_irregular="Name a file, or use `-` to pipe the claims in.",
    if_large=f"A run takes {MAX_CLAIMS} claims: check that this is the right file.",
    if_denied="Give the claims in a file of another name, or use --claim TEXT.",
)


def load_claims_file(path: Path) -> list[Mapping[str, Any] | str]:
    """Give the raw items of the claims file at `path`.

    Raises:
        SourceNotFound: There is no such file, or it cannot be read.
        SourceNotText: It is not a regular file.
        SourceDenied: It is named like a secret.
        SourceTooLarge: It is over 5 MB.
        InvalidRequest: It is not UTF-8, not of its form, or holds no claim.
    """
    data = read_named(path, _FILE)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRequest(
            f"{clean_line(str(path))} is not UTF-8 (byte {error.start}).",
            hint="Save the claims file as UTF-8, for example with `iconv -f ENCODING -t utf-8`.",
        ) from error
    return read_claims(path, text.replace("\r\n", "\n").replace("\r", "\n"))
