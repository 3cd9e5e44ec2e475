"""The schemas that the server hands out are data; they are those of the models."""

from __future__ import annotations

from claimjury.surfaces.mcp.schemas import made_schemas, tool_schemas


def test_the_schemas_on_file_are_those_of_the_models() -> None:
    kept = {name: {"takes": row.takes, "answers": row.answers} for name, row in tool_schemas().items()}
    how = "python -m claimjury.surfaces.mcp.schemas > src/claimjury/surfaces/mcp/schemas.json"
    assert kept == made_schemas(), f"Write them anew: {how}"
