"""The angles that skeptics attack from, in their fixed order. Pure.

The order is part of the rule: the first N skeptics take the first N angles, so that two panels of one size always
attack alike. Only a panel of more than five goes round again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["ANGLES", "Angle", "AngleName", "angle_named", "angle_of"]

AngleName = Literal["factual", "logical", "steelman", "provenance", "adversarial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Angle:
    """One way to attack a claim.

    Attributes:
        name: The short name, as a block has it.
        title: The whole name.
        prompt: What a skeptic of this angle is told to do.
    """

    name: AngleName
    title: str
    prompt: str


ANGLES: Final = (
    Angle(
        name="factual",
        title="factual/empirical",
        prompt="Check what the claim says against what is there. Find each file, line, name, number and result that "
        "it rests on, and read it yourself. Where the claim says that something is absent, search for it before "
        "you agree. One fact that is otherwise than stated refutes the claim.",
    ),
    Angle(
        name="logical",
        title="logical/definitional/scope",
        prompt="Check whether the claim follows, and how far it reaches. Look for a word that can be read two ways, "
        "a step that is missing, a cause that is only a coincidence, and words such as all, never, only and always "
        "that cover more than was looked at. A comparison without what it is compared with, and under which "
        "condition, is unsupported as stated.",
    ),
    Angle(
        name="steelman",
        title="steelman-then-break",
        prompt="First put the claim in its strongest fair reading, and name the best evidence for it. Then try to "
        "break that reading, and not a weaker one. If only a reading that the words do not bear survives, the claim "
        "as written is refuted.",
    ),
    Angle(
        name="provenance",
        title="provenance",
        prompt="Ask where each part of the claim comes from. Comments, docstrings, names, test titles, commit "
        "messages and reports are what somebody said, not evidence that it is so. Follow each citation: the file and "
        "the line must exist and must say what the claim takes from them. What rests on a source that nobody can "
        "look at is unsupported.",
    ),
    Angle(
        name="adversarial",
        title="adversarial counterexample",
        prompt="Build the one case in which the claim fails: an input, an order of events, a configuration or a "
        "platform that it covers and that its author did not think of. Show from the code what happens then. A "
        "case that the claim does not cover refutes nothing.",
    ),
)
_ALIASES: Final = {spelling: angle for angle in ANGLES for spelling in (angle.name, angle.title)}


def angle_of(place: int) -> Angle:
    """Give the angle of the skeptic at `place`, counted from 1; the sixth takes the first angle again."""
    return ANGLES[(place - 1) % len(ANGLES)]


def angle_named(name: str) -> Angle | None:
    """Give the angle of a short or whole name, whatever its case, or None where there is none such."""
    return _ALIASES.get(name.casefold())
