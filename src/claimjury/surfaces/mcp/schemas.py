"""The JSON Schemas of the tools, kept as data beside this module.

Made from the models at each start they would cost a twentieth of the time to a server's first answer. After a change of
a model: python -m claimjury.surfaces.mcp.schemas > src/claimjury/surfaces/mcp/schemas.json
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = ["ToolSchemas", "made_schemas", "tool_schemas"]

_FILE: Final = Path(__file__).with_name("schemas.json")
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSchemas:
    """What a tool takes, and what it answers."""

    takes: Schema
    answers: Schema


def tool_schemas() -> dict[str, ToolSchemas]:
    """Give the schemas by tool."""
    rows = json.loads(_FILE.read_text(encoding="utf-8"))
    return {name: ToolSchemas(**row) for name, row in rows.items()}


def made_schemas() -> dict[str, dict[str, Schema]]:
    """Make what the file holds from the models."""
    from claimjury.report.envelope import Envelope
    from claimjury.settlers.checks.outcome import ChecksResult
    from claimjury.skeptics.result import RefuteResult
    from claimjury.surfaces.mcp.arguments import (
        CheckArguments,
        CiteArguments,
        GetRunArguments,
        RefuteArguments,
        VerifyArguments,
    )
    from claimjury.surfaces.mcp.forms import CitedPlaces, RunningRun
    from claimjury.surfaces.mcp.skeptic_job import RunningRefute

    jury, skeptics = Envelope | RunningRun, RefuteResult | RunningRefute
    tools: dict[str, tuple[Any, Any]] = {
        "ollama_verify_claims": (VerifyArguments, jury),
        "claim_verifier": (RefuteArguments, skeptics),
        "check_citations": (CiteArguments, CitedPlaces),
        "batch_proof_check": (CheckArguments, ChecksResult),
        "get_run": (GetRunArguments, jury | skeptics),
    }
    return {
        name: {"takes": takes.model_json_schema(), "answers": _object(answers)}
        for name, (takes, answers) in tools.items()
    }


def _object(kind: Any) -> Schema:
    """Give a schema whose root is an object, as protocols up to 2025-11-25 ask."""
    from pydantic import TypeAdapter

    from claimjury.report.schema import open_schema

    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    return {"type": "object", **open_schema(adapter.json_schema(mode="validation"))}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(made_schemas(), indent=1, ensure_ascii=False) + "\n")
