"""The request: what a caller asks, checked whole before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from claimjury.claims import Claim, parse_claims
from claimjury.errors import InvalidRequest
from claimjury.evidence.reference import Reference
from claimjury.jury.result import Polarity
from claimjury.jury.seating import barred_seats, sitting_routes
from claimjury.models.families import UNKNOWN, author_family, family_names, lineage_of
from claimjury.models.names import checked_panel, same_model
from claimjury.models.routes import Access, Route
from claimjury.text import clean_line, clip

__all__ = [
    "DEFAULT_PANEL",
    "MAX_PANEL",
    "SEAT_TIMEOUT_S",
    "Seating",
    "VerifyRequest",
    "check_request",
    "checked_seating",
    "checked_seats",
]

DEFAULT_PANEL: Final = ("deepseek-v4-pro:cloud", "kimi-k2.7-code:cloud", "glm-5.2:cloud")
MAX_PANEL: Final = 5
MAX_REFUTE_VOTES: Final = 5
SEAT_TIMEOUT_S: Final = 300.0
"""Seconds for all of a seat's attempts, back-off and re-ask; time in line is not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyRequest:
    """A checked request.

    Attributes:
        warnings: Codes of things accepted that a reader must know.
        author: The families that wrote the claims; none of them sits.
        alternates: Models that stand in, in their order.
        allow_same_family: Models of one family sit, with one common vote.
        max_cost_usd: What the run may cost at most, in US dollars.
        max_tokens: How many tokens it may take at most, prompts and answers together.
        require_quotes: Whether a decisive vote without a found quote counts as UNCERTAIN.
        caller_set_rules: Whoever asks, and is not the operator, chose the panel or the threshold.
    """

    claims: tuple[Claim, ...]
    reference: Reference | None
    panel: tuple[str, ...]
    min_refute_votes: int
    polarity: Polarity
    deadline_s: float | None
    reask: bool
    warnings: tuple[str, ...]
    author: tuple[str, ...] = ()
    alternates: tuple[str, ...] = ()
    allow_same_family: bool = False
    max_cost_usd: float | None = None
    max_tokens: int | None = None
    require_quotes: bool = False
    caller_set_rules: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """Who is asked to sit, as given.

    Attributes:
        panel: Model ids, or None for the default panel.
        author: Who wrote the claims: a family, or a model id.
        alternates: Model ids that stand in for seats that fall out.
        allow_same_family: Whether models of one family may sit, with one common vote.
    """

    panel: Sequence[str] | None = None
    author: str | None = None
    alternates: Sequence[str] = ()
    allow_same_family: bool = False


def check_request(
    claims: Iterable[Claim | Mapping[str, Any] | str],
    *,
    seating: Seating,
    access: Access,
    reference: str | Reference | None,
    min_refute_votes: int,
    polarity: str,
    deadline_s: float | None,
    reask: bool,
    max_cost_usd: float | None = None,
    max_tokens: int | None = None,
    require_quotes: bool = False,
    caller_set_rules: bool = False,
    warnings: Sequence[str] = (),
) -> VerifyRequest:
    """Check everything about a request that needs no file and no network.

    Raises:
        InvalidRequest: Something is not as the contract asks; over a limit is an error, never a cut.
    """
    panel, alternates, author = checked_seating(seating, access)
    request = VerifyRequest(
        claims=parse_claims(claims),
        reference=_reference(reference),
        panel=panel,
        min_refute_votes=_min_refute_votes(min_refute_votes),
        polarity=_polarity(polarity),
        deadline_s=_deadline(deadline_s),
        reask=_flag(reask, "reask"),
        warnings=(),
        author=author,
        alternates=alternates,
        allow_same_family=_flag(seating.allow_same_family, "allow_same_family"),
        max_cost_usd=_limit(max_cost_usd, "The most that a run may cost"),
        max_tokens=_whole(_limit(max_tokens, "The most tokens that a run may take")),
        require_quotes=_flag(require_quotes, "require_quotes"),
        caller_set_rules=caller_set_rules,
    )
    return replace(request, warnings=(*_rule_warnings(request, access), *map(str, warnings)))


def checked_seating(
    seating: Seating, access: Access
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Give the panel's ids, the alternates' ids and the author's families.

    Raises:
        InvalidRequest: An id cannot sit, or the author is of no known family.
    """
    panel = checked_seats(seating.panel, access)
    alternates = _alternates(seating.alternates, panel, access)
    return panel, alternates, _author(seating.author, access)


def checked_seats(panel: Sequence[str] | None, access: Access | None = None) -> tuple[str, ...]:
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
    return checked_panel(models) if access is None else checked_panel(models, access.hosts)


def _alternates(given: Sequence[str], seats: Sequence[str], access: Access) -> tuple[str, ...]:
    models = [given] if isinstance(given, str) else list(given)
    if len(models) > MAX_PANEL:
        raise InvalidRequest(
            f"There are {len(models)} alternates; {MAX_PANEL} are allowed.", hint="Each stands in once."
        )
    alternates = checked_panel(models, access.hosts)
    for model in alternates:
        shown = clip(clean_line(model), 60)
        if any(same_model(model, seat) for seat in seats):
            raise InvalidRequest(f"{shown!r} is an alternate and on the panel.", hint="Name it once.")
        if access.route(model).family == UNKNOWN:
            raise InvalidRequest(
                f"The family of the alternate {shown!r} is unknown, so nothing shows that it is an unused one.",
                hint="Say it in your settings: [families], with the id and its vendor.",
            )
    return alternates


def _author(given: str | None, access: Access) -> tuple[str, ...]:
    if given is None:
        return ()
    if not given.strip():
        raise InvalidRequest("The author is empty.", hint="Name a family (anthropic) or a model id.")
    family = author_family(given, access.families)
    if family is None:
        raise InvalidRequest(
            f"The author {clip(clean_line(given), 60)!r} is of no family that is known, so nothing could be kept off the "
            "panel.",
            hint=f"Families are {', '.join(sorted(family_names()))}; your settings can add ids to them ([families]).",
        )
    return tuple(sorted(lineage_of(given, access.families).kin | {family}))


def _reference(value: object) -> Reference | None:
    if value is None or isinstance(value, Reference):
        return value
    if isinstance(value, str):
        return Reference(text=value)
    raise InvalidRequest(
        f"The reference is a {type(value).__name__}, not text.",
        hint="Give a string, or `load_reference(path)`.",
    )


def _flag(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return value
    raise InvalidRequest(f"{name} is {value!r}.", hint="Give True or False.")


def _limit(value: object, what: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
        raise InvalidRequest(f"{what} is {value!r}.", hint="Give a number over 0, or leave it out.")
    return float(value)


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


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


def _rule_warnings(request: VerifyRequest, access: Access) -> Iterable[str]:
    routes = [access.route(model) for model in request.panel]
    author = frozenset(request.author)
    barred = barred_seats(routes, author=author, allow_same_family=request.allow_same_family)
    sitting = sitting_routes(routes, barred)
    if request.min_refute_votes > _voters(sitting):
        yield "refute_unreachable"
    if request.min_refute_votes == 1:
        yield "lone_refute_allowed"
    families = [route.family for route in sitting]
    for family in dict.fromkeys(families):
        if family != UNKNOWN and families.count(family) > 1:
            yield f"family_shares_vote:{family}"
    for route in routes:
        if route.family == UNKNOWN:
            yield f"family_unknown:{clean_line(route.model)}"
        elif route.own_family:
            yield f"family_from_settings:{clean_line(route.model)}={route.family}"


def _voters(sitting: Sequence[Route]) -> int:
    """Count who has a vote: a family has one, a model of an unknown family its own."""
    families = [route.family for route in sitting]
    return len(set(families) - {UNKNOWN}) + families.count(UNKNOWN)
