"""The request: what a caller asks, checked whole before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from claimjury.claims import Claim, parse_claims
from claimjury.errors import InvalidRequest
from claimjury.evidence.reference import Reference
from claimjury.jury.result import Polarity
from claimjury.models.families import family_of, known_families
from claimjury.models.names import checked_panel

__all__ = ["DEFAULT_PANEL", "MAX_PANEL", "SEAT_TIMEOUT_S", "VerifyRequest", "check_request", "checked_seats"]

DEFAULT_PANEL: Final = ("deepseek-v4-pro:cloud", "kimi-k2.7-code:cloud", "glm-5.2:cloud")
MAX_PANEL: Final = 5
MAX_REFUTE_VOTES: Final = 5
SEAT_TIMEOUT_S: Final = 300.0
"""Seconds for all of a seat's attempts, back-off and re-ask; time in line is not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyRequest:
    """A checked request. `warnings` are codes of things accepted that a reader must know."""

    claims: tuple[Claim, ...]
    reference: Reference | None
    panel: tuple[str, ...]
    min_refute_votes: int
    polarity: Polarity
    deadline_s: float | None
    reask: bool
    warnings: tuple[str, ...]


def check_request(
    claims: Iterable[Claim | Mapping[str, Any] | str],
    *,
    reference: str | Reference | None,
    panel: Sequence[str] | None,
    min_refute_votes: int,
    polarity: str,
    deadline_s: float | None,
    reask: bool,
    warnings: Sequence[str] = (),
) -> VerifyRequest:
    """Check everything about a request that needs no file and no network.

    Raises:
        InvalidRequest: Something is not as the contract asks; over a limit is an error, never a cut.
    """
    seats = checked_seats(panel)
    return VerifyRequest(
        claims=parse_claims(claims),
        reference=_reference(reference),
        panel=seats,
        min_refute_votes=_min_refute_votes(min_refute_votes),
        polarity=_polarity(polarity),
        deadline_s=_deadline(deadline_s),
        reask=_reask(reask),
        warnings=(*_rule_warnings(min_refute_votes, seats), *map(str, warnings)),
    )


def checked_seats(panel: Sequence[str] | None) -> tuple[str, ...]:
    """Give the ids of a panel, the default one where none is named.

    Raises:
        InvalidRequest: There are too few or too many, or an id cannot sit.
    """
    if panel is None:
        return DEFAULT_PANEL
    models = [panel] if isinstance(panel, str) else list(panel)
    if not 1 <= len(models) <= MAX_PANEL:
        raise InvalidRequest(
            f"The panel has {len(models)} models; 1 to {MAX_PANEL} are allowed.",
            hint="Three models of three vendors are the default.",
        )
    return checked_panel(models)


def _reference(value: object) -> Reference | None:
    if value is None or isinstance(value, Reference):
        return value
    if isinstance(value, str):
        return Reference(text=value)
    raise InvalidRequest(
        f"The reference is a {type(value).__name__}, not text.",
        hint="Give a string, or `load_reference(path)`.",
    )


def _reask(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise InvalidRequest(f"reask is {value!r}.", hint="Give True or False.")


def _min_refute_votes(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_REFUTE_VOTES:
        raise InvalidRequest(
            f"min_refute_votes is {value!r}; a whole number from 1 to {MAX_REFUTE_VOTES} is allowed.",
            hint="2 is the default: a lone dissent never decides.",
        )
    return value


def _polarity(value: str) -> Polarity:
    for polarity in get_args(Polarity):
        if value == polarity:
            return polarity  # type: ignore[no-any-return]
    raise InvalidRequest(f"The polarity is {value!r}.", hint="Use `assertions` or `findings`.")


def _deadline(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
        raise InvalidRequest(
            f"The deadline is {value!r} seconds.", hint="Give a number over 0, or leave it out."
        )
    return float(value)


def _rule_warnings(min_refute_votes: int, seats: Sequence[str]) -> Iterable[str]:
    if min_refute_votes > len(seats):
        yield "refute_unreachable"
    if min_refute_votes == 1:
        yield "lone_refute_allowed"
    families = [family_of(model) for model in seats]
    for family in known_families(seats):
        if families.count(family) > 1:
            yield f"family_repeated:{family}"
