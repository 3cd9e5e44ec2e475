"""What a caller may say: the reference tool's arguments, and ours as optional ones. An unknown field is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from claimjury.claims import MAX_CLAIMS, MAX_STATEMENT
from claimjury.errors import InvalidRequest
from claimjury.jury.request import MAX_PANEL, MAX_REFUTE_VOTES
from claimjury.settlers.checks.outcome import CheckName
from claimjury.skeptics.limits import MAX_SKEPTICS
from claimjury.text import clean_line, clip

__all__ = [
    "MAX_CITED",
    "MAX_WAIT_S",
    "CheckArguments",
    "CiteArguments",
    "GetRunArguments",
    "RefuteArguments",
    "VerifyArguments",
    "read_arguments",
]

MAX_WAIT_S = 50.0
MAX_CITED = 2_000_000
"""Characters of a text whose citations are checked."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    more_hint: ClassVar[str] = ""
    cut_hint: ClassVar[str] = ""


Arguments = TypeVar("Arguments", bound=_Strict)


class ClaimArgument(_Strict):
    """One claim. There is no field for reasons: they would persuade the jurors."""

    id: Annotated[str, Field(min_length=1, max_length=64, description="Yours, unique, e.g. c1.")]
    statement: Annotated[
        str,
        Field(
            min_length=1,
            max_length=4_000,
            description="One falsifiable statement, with the file, function or number that it is about. No reasoning.",
        ),
    ]


class VerifyArguments(_Strict):
    """The arguments of `ollama_verify_claims`."""

    more_hint = "; a claim has `id` and `statement`"
    cut_hint = ": split the claims over several calls"

    claims: Annotated[
        list[ClaimArgument], Field(min_length=1, max_length=MAX_CLAIMS, description="1 to 20 claims.")
    ]
    source_paths: Annotated[
        list[str] | None,
        Field(
            default=None,
            max_length=50,
            description="Files that the claims are about, relative to the project: whole, or `a.py:10-80` for lines. "
            "They are sent to every juror. Send what the claims name; a claim about a file that was not sent is thin.",
        ),
    ]
    reference: Annotated[
        str | None,
        Field(
            default=None,
            max_length=20_000,
            description="Test output, lint or measured numbers. Jurors are told that you supplied it and nobody checked it.",
        ),
    ]
    panel: Annotated[
        list[str] | None,
        Field(
            default=None,
            min_length=1,
            max_length=MAX_PANEL,
            description="Model ids; leave it out for the operator's panel. Your own makes every verdict thin.",
        ),
    ]
    min_refute_votes: Annotated[
        int | None,
        Field(
            default=None,
            ge=1,
            le=MAX_REFUTE_VOTES,
            description="Leave it out for the operator's threshold. Your own makes every verdict thin.",
        ),
    ]
    diff: Annotated[
        str | None,
        Field(
            default=None, description="Send what changed between two commits too: `main...HEAD` or `A..B`."
        ),
    ]
    author: Annotated[
        str | None,
        Field(
            default=None,
            description="Your own model id or vendor family, so that your family does not judge you.",
        ),
    ]
    require_quotes: Annotated[
        bool,
        Field(
            description="Count a decisive vote that quotes nothing which stands in the evidence as UNCERTAIN. "
            "It only ever makes a verdict harder to reach."
        ),
    ] = False
    polarity: Annotated[
        Literal["assertions", "findings"] | None,
        Field(
            default=None,
            description="`findings` where CONFIRMED is the bad news, as for defects that you report.",
        ),
    ]
    max_tokens: Annotated[
        int | None, Field(default=None, ge=1, description="Lower the operator's limit for this run.")
    ]
    deadline_s: Annotated[
        float | None,
        Field(default=None, gt=0, description="Seconds after which the run ends with what has arrived."),
    ]
    answer_within_s: Annotated[
        float | None,
        Field(
            default=None,
            gt=0,
            le=600,
            description="Seconds after which you get an answer in any case; a run that is not done goes on, and "
            "`get_run` has the rest. Default 45.",
        ),
    ]


class RefuteArguments(_Strict):
    """The arguments of `claim_verifier`."""

    claim: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_STATEMENT,
            description="One sentence that could be false, with its subject: the file, function or number. No reasoning.",
        ),
    ]
    n: Annotated[
        int | None,
        Field(
            default=None,
            ge=1,
            le=MAX_SKEPTICS,
            description="How many skeptics, 1 to 9; 3 by default, or as many as `across` names. An even number can tie.",
        ),
    ]
    reference: Annotated[
        str | None,
        Field(
            default=None,
            max_length=20_000,
            description="Test output, lint or measured numbers. Skeptics are told that you supplied it and nobody checked it.",
        ),
    ]
    source_paths: Annotated[
        list[str] | None,
        Field(
            default=None,
            max_length=50,
            description="Files that each skeptic gets at once, relative to the project: whole, or `a.py:10-80` for lines. "
            "Seldom needed: skeptics read the project with tools of their own.",
        ),
    ]
    diff: Annotated[
        str | None,
        Field(
            default=None, description="Send what changed between two commits too: `main...HEAD` or `A..B`."
        ),
    ]
    author: Annotated[
        str | None,
        Field(
            default=None,
            description="Your own model id or vendor family, so that nobody of your family is asked.",
        ),
    ]
    model: Annotated[
        str | None,
        Field(
            default=None,
            description="Who all skeptics are; leave it out for the first of the operator's panel that is not of the "
            "author's family. Not with `across`.",
        ),
    ]
    across: Annotated[
        list[str] | None,
        Field(
            default=None,
            min_length=1,
            max_length=MAX_SKEPTICS,
            description="Model ids, each of another vendor: each skeptic is the next of them. Not with `model`.",
        ),
    ]
    anyway: Annotated[
        bool,
        Field(default=False, description="Attack a question or a fragment as it stands."),
    ]
    max_tokens: Annotated[
        int | None, Field(default=None, ge=1, description="Lower the operator's limit for this run.")
    ]
    max_cost_usd: Annotated[
        float | None,
        Field(
            default=None,
            gt=0,
            allow_inf_nan=False,
            description="Lower the operator's limit for this run. A model whose price is not known is then refused.",
        ),
    ]
    deadline_s: Annotated[
        float | None,
        Field(
            default=None, gt=0, description="Seconds after which the run ends; who is late counts as a fault."
        ),
    ]
    answer_within_s: Annotated[
        float | None,
        Field(
            default=None,
            gt=0,
            le=600,
            description="Seconds after which you get an answer in any case; a run that is not done goes on, and "
            "`get_run` has the rest. Default 45.",
        ),
    ]


class CiteArguments(_Strict):
    """The arguments of `check_citations`."""

    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_CITED,
            description="Prose that cites files of this project, as `path:12`, `path:12-20`, `path#L10` or a link: your answer, "
            "as you would send it.",
        ),
    ]


class CheckArguments(_Strict):
    """The arguments of `batch_proof_check`."""

    paths: Annotated[
        list[str] | None,
        Field(
            default=None,
            max_length=50,
            description="Files or directories, relative to cwd. Each says only which project is meant; it narrows no check.",
        ),
    ]
    only: Annotated[
        list[CheckName] | None,
        Field(
            default=None, min_length=1, description="Which checks to run; all that are declared by default."
        ),
    ]
    cwd: Annotated[
        str | None,
        Field(default=None, description="A directory of this project; its top by default."),
    ]
    allow_roots: Annotated[
        list[str] | None,
        Field(
            default=None,
            min_length=1,
            max_length=50,
            description="Directories that projects must lie in, besides cwd. It can only narrow what the operator allows.",
        ),
    ]


class GetRunArguments(_Strict):
    """The arguments of `get_run`."""

    run_id: Annotated[str, Field(min_length=1, max_length=64, description="As another tool gave it.")]
    wait_s: Annotated[
        float,
        Field(
            default=MAX_WAIT_S,
            ge=0,
            le=MAX_WAIT_S,
            description="Seconds to wait for something to change, at most 50.",
        ),
    ]


def read_arguments(kind: type[Arguments], given: Mapping[str, Any]) -> Arguments:
    """Read a caller's arguments.

    Raises:
        InvalidRequest: One of them is unknown, missing or of the wrong form; the first is named.
    """
    try:
        return kind.model_validate(_unwrapped(kind, given))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        shown = clip(clean_line(place), 80)
        if first["type"] == "extra_forbidden":
            raise InvalidRequest(
                f"`{shown}` is no argument. Reasons and other fields are not taken: they would persuade the jurors.",
                hint=f"Arguments are {', '.join(kind.model_fields)}{kind.more_hint}.",
            ) from error
        raise InvalidRequest(
            f"The argument `{shown}` is wrong: {clip(clean_line(first['msg']), 200)}.",
            hint=f"Nothing was sent. Over a limit is an error, never a cut{kind.cut_hint}.",
        ) from error


def _unwrapped(kind: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Any]:
    """Read a list that came as a string of JSON, as some hosts send it."""
    values = dict(given)
    for name, value in given.items():
        field = kind.model_fields.get(name)
        if field is not None and isinstance(value, str) and _is_list(field.annotation):
            try:
                parsed = json.loads(value)
            except (ValueError, RecursionError):
                continue
            values[name] = parsed if isinstance(parsed, list) else value
    return values


def _is_list(annotation: Any) -> bool:
    return any(get_origin(kind) is list for kind in (annotation, *getattr(annotation, "__args__", ())))
