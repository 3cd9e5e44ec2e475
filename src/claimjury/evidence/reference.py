"""The reference: test output, lint, measured numbers, with its origin, since an origin is what it is worth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, assert_never

from claimjury.errors import InvalidRequest, SourceNotFound, SourceNotText
from claimjury.text import clean_line

__all__ = ["MAX_REFERENCE", "Origin", "Reference", "load_reference"]

MAX_REFERENCE: Final = 20_000
"""Characters."""

Origin = Literal["file", "caller"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Text that the claims are measured against.

    Attributes:
        text: At most 20,000 characters.
        origin: `file` (read from a file that the user named) or `caller` (handed over as text by the
            party that asks, so not verified).

    Raises:
        InvalidRequest: The text is empty, over the limit, or holds half of a surrogate pair.
    """

    text: str
    origin: Origin = "caller"

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise InvalidRequest(
                f"The reference is a {type(self.text).__name__}, not text.",
                hint="Give a string or a Reference.",
            )
        if len(self.text) > MAX_REFERENCE:
            raise InvalidRequest(
                f"The reference has {len(self.text):,} characters; at most {MAX_REFERENCE:,} are allowed.",
                hint="Give the part that decides, or put the whole into a --source file, which may be larger.",
            )
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
            case "file":
                return "read from a file; nobody watched how it was made"
            case "caller":
                return "supplied by the party that asks; not verified"
            case _:
                assert_never(self.origin)


def load_reference(path: Path) -> Reference:
    """Read the reference from a file that the user named.

    Raises:
        SourceNotFound: There is no such file, or it cannot be read.
        SourceNotText: It is not UTF-8 text.
        InvalidRequest: It is empty or over the limit.
    """
    shown = clean_line(str(path))
    try:
        # Read as bytes: as text, its line ends would be changed.
        text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise SourceNotText(
            f"The reference {shown} is not UTF-8 (byte {error.start}).", hint="Convert it to UTF-8."
        ) from error
    except (OSError, ValueError) as error:
        raise SourceNotFound(
            f"The reference {shown} cannot be read: {getattr(error, 'strerror', error)}.",
            hint="Check the path, or use `-` to pipe it in.",
        ) from error
    return Reference(text=text, origin="file")
