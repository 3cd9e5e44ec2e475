"""`claimjury schema`: the JSON Schema of what `--json` prints."""

from __future__ import annotations

__all__ = ["schema"]


def schema() -> int:
    """Print the JSON Schema of the object that `verify --json` prints, failures included."""
    from claimjury.report.schema import json_schema
    from claimjury.surfaces.cli.outputs import print_json

    print_json(json_schema())
    return 0
