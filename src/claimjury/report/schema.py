"""The published schema of what `--json` prints: versioned, and never narrowed within a version."""

from __future__ import annotations

from typing import Any, Final

from pydantic import TypeAdapter

from claimjury.report.envelope import Envelope, ErrorEnvelope

__all__ = ["SCHEMA_ID", "json_schema", "open_schema"]

SCHEMA_ID: Final = "urn:claimjury:envelope:v1"


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of the object that `claimjury verify --json` prints, failures included.

    Objects are open: a later claimjury may add fields, so that a reader of this version keeps working.
    """
    adapter: TypeAdapter[Envelope | ErrorEnvelope] = TypeAdapter(Envelope | ErrorEnvelope)
    schema = open_schema(adapter.json_schema(mode="validation"))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_ID, **schema}


def open_schema(value: Any) -> Any:
    """Take the ban on further fields off, and the nulls that absent fields never are."""
    if isinstance(value, list):
        return [open_schema(item) for item in value if item != {"type": "null"}]
    if not isinstance(value, dict):
        return value
    kept = {
        name: open_schema(item)
        for name, item in value.items()
        if name != "additionalProperties" or item is not False
    }
    if kept.get("default", 0) is None:
        del kept["default"]
    options = kept.get("anyOf")
    if isinstance(options, list) and len(options) == 1:
        return {**{name: item for name, item in kept.items() if name != "anyOf"}, **options[0]}
    return kept
