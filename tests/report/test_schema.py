"""The published schema: it is what the code gives, and every result and failure fits it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from claimjury.errors import InvalidRequest
from claimjury.report.envelope import envelope, error_envelope
from claimjury.report.schema import SCHEMA_ID, json_schema
from claimjury.testing import Reply, ballot
from jury.helpers import CONFIRM, REFUTE, ask, trio

PUBLISHED = Path(__file__).parents[2] / "docs" / "schema" / "envelope.v1.json"


def test_the_published_schema_is_the_one_that_the_code_gives() -> None:
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == json_schema()
    assert json_schema()["$id"] == SCHEMA_ID


@pytest.fixture
def validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(json_schema())
    return Draft202012Validator(json_schema())


@pytest.mark.parametrize(
    "first",
    [
        CONFIRM,
        REFUTE,
        Reply(""),
        Reply(status=403),
        Reply(CONFIRM.content, served="x"),
        Reply(ballot({"zz": "REFUTED"}), prompt_tokens=-1),
        Reply(ballot({"c1": {"verdict": "UNCERTAIN", "missing": "A log."}}), done_reason="length"),
    ],
    ids=["confirm", "refute", "empty", "403", "mismatch", "dropped", "cut"],
)
async def test_every_result_fits_the_schema(first: Reply, validator: Draft202012Validator) -> None:
    Path("loop.py").write_text("pass\n", encoding="utf-8")
    result = await ask(trio(first), source_paths=["loop.py:1"], reference="14 passed")
    value = envelope(result)
    validator.validate(value)
    del value["result"]["claims"]
    assert not validator.is_valid(value)


def test_a_failure_fits_the_schema(validator: Draft202012Validator) -> None:
    value = error_envelope(InvalidRequest("This is wrong.", hint="Do that."))
    validator.validate(value)
    assert not validator.is_valid({"error": {}, "exit_status": 2})


def test_a_field_of_a_later_version_does_not_break_a_reader_of_this_one(
    validator: Draft202012Validator,
) -> None:
    value = error_envelope(InvalidRequest("This is wrong.", hint="Do that."))
    validator.validate({**value, "later": 1})
