"""The reference: test output, lint, measured numbers, with its origin, since an origin is what it is worth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, assert_never

from claimjury.errors import InvalidRequest, SourceTooLarge
from claimjury.evidence.decoding import decode
from claimjury.evidence.files import Role, read_named
from claimjury.text import clean_line

__all__ = ["MAX_REFERENCE", "Origin", "Reference", "load_reference"]

MAX_REFERENCE: Final = 20_000
"""Characters."""
_ROLE: Final = Role(
    noun="reference",
    # No encoding in use takes over 4 bytes for a character.
    max_bytes=4 * MAX_REFERENCE + 20_000,
    if_irregular="Name a file of text, or use `-` to pipe it in.",
)

Origin = Literal["ran", "file", "caller"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Text that the claims are measured against.

    Attributes:
        text: At most 20,000 characters.
        redacted: Secrets that were taken out: the line of each, and its form.
        origin: `ran` (claimjury ran checks: the text has command, exit status and tree), `file` (read from a file that the user named) or `caller` (handed over as text by the
            party that asks, so not verified).

    Raises:
        InvalidRequest: The text is empty, over the limit, or holds half of a surrogate pair.
    """

    text: str
    origin: Origin = "caller"
    redacted: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise InvalidRequest(
                f"The reference is a {type(self.text).__name__}, not text.",
                hint="Give a string or a Reference.",
            )
        if len(self.text) > MAX_REFERENCE:
            raise _over_limit(f"{len(self.text):,}")
        if not self.text.strip():
            raise InvalidRequest(
                "The reference is empty.", hint="Leave it out, or check the command that made it."
            )
        if any("\ud800" <= char <= "\udfff" for char in self.text):
            raise InvalidRequest(
                "The reference holds half of a surrogate pair.", hint="Give valid Unicode text."
            )

    @property
    def heading(self) -> str:
        """What a juror is told of where this text comes from."""
        match self.origin:
            case "ran":
                return "run by claimjury itself: each command, its exit status and the hash of the files are given"
            case "file":
                return "read from a file; nobody watched how it was made"
            case "caller":
                return "supplied by the party that asks; not verified"
            case _:
                assert_never(self.origin)


def _over_limit(count: str) -> InvalidRequest:
    return InvalidRequest(
        f"The reference has {count} characters; at most {MAX_REFERENCE:,} are allowed.",
        hint="Give the part that decides, or put the whole into a --source file, which may be larger.",
    )


def load_reference(path: Path, *, allow_secrets: bool = False) -> Reference:
    """Read the reference from a file that the user named. It may lie outside the roots, as test output often does.

    Raises:
        SourceNotFound: There is no such file, or it cannot be read.
        SourceNotText: It is not a regular file, or not text.
        SourceDenied: It is named like a secret, and `allow_secrets` is not set.
        InvalidRequest: It is empty or over the limit.
    """
    try:
        data = read_named(path, _ROLE, allow_secrets=allow_secrets)
    except SourceTooLarge as error:
        raise _over_limit(f"over {MAX_REFERENCE:,}") from error
    decoded = decode(data, clean_line(str(path)), noun=_ROLE.noun)
    return Reference(text=decoded.text, origin="file")
