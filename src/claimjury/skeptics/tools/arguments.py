"""What a model may send to each tool. The schemas that it is shown are these classes'."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from claimjury.skeptics.tools.limits import MAX_COMMITS, MAX_PATH, MAX_PATTERN

__all__ = ["DiffArguments", "GlobArguments", "GrepArguments", "LogArguments", "ReadArguments"]

_Line = Annotated[int, Field(ge=1, le=1_000_000_000)]
_Path = Annotated[str, Field(min_length=1, max_length=MAX_PATH)]
_Pattern = Annotated[str, Field(min_length=1, max_length=MAX_PATTERN)]
_ROOTED = "relative to the root of the repository"


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReadArguments(_Arguments):
    path: Annotated[_Path, Field(description=f"The file, {_ROOTED}.")]
    start: Annotated[_Line, Field(description="The first line, counted from 1.")] = 1
    end: Annotated[_Line | None, Field(description="The last line; without it, as many as fit.")] = None


class GrepArguments(_Arguments):
    pattern: Annotated[
        _Pattern, Field(description="A regular expression in RE2's syntax, matched against single lines.")
    ]
    path: Annotated[_Path | None, Field(description=f"A file or a folder, {_ROOTED}; without it, all.")] = (
        None
    )
    glob: Annotated[_Pattern | None, Field(description="Only files that match it, like *.py.")] = None
    ignore_case: Annotated[bool, Field(description="Whether `a` matches `A`.")] = False


class GlobArguments(_Arguments):
    pattern: Annotated[
        _Pattern, Field(description="Like src/**/*.py; without a slash it matches names in any folder.")
    ]


class DiffArguments(_Arguments):
    range: Annotated[
        _Pattern, Field(description="A..B, A...B (from where B left A), or A (to HEAD), of commits.")
    ]
    path: Annotated[_Path | None, Field(description=f"A file or a folder, {_ROOTED}; without it, all.")] = (
        None
    )


class LogArguments(_Arguments):
    range: Annotated[
        _Pattern | None, Field(description="A..B, A...B, or A and what it comes from; without it, HEAD.")
    ] = None
    path: Annotated[
        _Path | None, Field(description=f"Only commits that touch this file or folder, {_ROOTED}.")
    ] = None
    limit: Annotated[int, Field(ge=1, le=MAX_COMMITS, description="How many commits, newest first.")] = 20
