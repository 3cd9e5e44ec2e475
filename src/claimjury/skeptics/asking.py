"""Asking: is this a claim that can be broken? An empty text, a question or a fragment has nothing to attack."""

from __future__ import annotations

import re
from typing import Final

from claimjury.claims import parse_claims
from claimjury.errors import InvalidRequest
from claimjury.lint import is_question
from claimjury.skeptics.limits import MAX_SKEPTICS

__all__ = ["checked_claim", "checked_count"]

_HINT: Final = (
    "State it as one sentence that could be false, with its subject: `parse_date raises ValueError for 30 February`. "
    "--anyway attacks it as it stands."
)
# Words that begin a commit message. `Returns are validated` and `add returns the sum` have a subject all the same.
_NO_SUBJECT: Final = re.compile(
    r"(?:fixed|fixes|fixing|added|adding|removed|removing|updated|updating|handled|handles|handling|implemented|"
    r"implements|implementing|refactored|refactoring|ensures|ensured|ensuring|improved|improves|improving|made|makes|"
    r"corrected|renamed|supported|works|worked|returns|raises|throws|should|must|done)\b(?![.(/])"
    r"(?!.*\b(?:is|are|was|were|must|has|have|never|always|returns|raises|exits|exports|deletes|approve)\b)",
    re.IGNORECASE | re.DOTALL,
)
_LEADING: Final = re.compile(r"^[\W_]+")
_MIN_WORDS: Final = 3


def checked_claim(claim: object, *, anyway: bool = False) -> str:
    """Give the claim as it is attacked.

    Args:
        claim: One free text.
        anyway: Whether a question or a fragment is attacked too; an empty text never is.

    Raises:
        InvalidRequest: It is no claim, with how to state it.
    """
    if not isinstance(claim, str) or not claim.strip():
        raise InvalidRequest("The claim is empty.", hint=_HINT.partition(" --anyway")[0])
    text = parse_claims([claim])[0].statement
    if not anyway and (fault := _fault(text)):
        raise InvalidRequest(fault, hint=_HINT)
    return text


def _fault(text: str) -> str | None:
    bare = _LEADING.sub("", text)
    if is_question(text):
        return "The claim is a question, and a question cannot be false."
    spaced = bare.isascii()
    if (spaced and len(bare.split()) < _MIN_WORDS) or _NO_SUBJECT.match(bare):
        return "The claim is a fragment: it does not say of what it is true."
    return None


def checked_count(n: object) -> int:
    """Give how many skeptics are asked.

    Raises:
        InvalidRequest: It is no number from 1 to `MAX_SKEPTICS`.
    """
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= MAX_SKEPTICS:
        raise InvalidRequest(
            f"The number of skeptics must be from 1 to {MAX_SKEPTICS}.",
            hint="Three is the default; an odd number has no tie.",
        )
    return n
