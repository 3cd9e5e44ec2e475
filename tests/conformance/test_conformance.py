"""The recorded cases of the contract, played through the public API against scripted jurors over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from claimjury import VerifyResult, verify_claims
from claimjury.testing import Asked, Reply, ScriptedOllama

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = [
    json.loads(line)
    for name in ("verify_claims.jsonl", "own_cases.jsonl")
    for line in (HERE / name).read_text(encoding="utf-8").split("\n")
    if line
]


def spoken(content: str) -> Callable[[Asked], str]:
    """Give the content of a reply; `NONCE` in a case stands for the nonce of the run."""
    return lambda asked: content.replace("NONCE", asked.nonce)


def scripted(juror: dict[str, Any]) -> list[Reply]:
    turns = juror.get("turns") or [juror]
    return [
        Reply(
            content=spoken(turn.get("content", "")),
            served=turn.get("served"),
            status=turn.get("status", 200),
            error=turn.get("error", ""),
            done_reason=turn.get("done_reason", "stop"),
            prompt_tokens=turn.get("prompt_tokens"),
        )
        for turn in turns
    ]


def as_recorded(result: VerifyResult, expect: dict[str, Any]) -> dict[str, Any]:
    """Give the result in the shape of a case, with the fields that the case records."""
    shown = result.to_json()
    claims = []
    for claim, wanted in zip(shown["claims"], expect["claims"], strict=True):
        kept = {name: claim.get(name) for name in wanted}
        kept["jurors"] = [
            {name: juror.get(name) for name in row}
            for juror, row in zip(claim["jurors"], wanted["jurors"], strict=False)
        ]
        assert len(claim["jurors"]) == len(wanted["jurors"])
        claims.append(kept)
    panel = [
        {
            **{name: seat.get(name) for name in wanted},
            "exclude_kind": (seat["exclude_reason"].partition(":")[0] if "exclude_reason" in seat else None),
        }
        for seat, wanted in zip(shown["panel"], expect["panel"], strict=True)
    ]
    return {**{name: shown.get(name) for name in expect}, "claims": claims, "panel": panel}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
async def test_a_recorded_case_comes_out_as_recorded(case: dict[str, Any], tmp_path: Path) -> None:
    request = dict(case["request"])
    paths = []
    for name, text in request.pop("sources", {}).items():
        Path(name).write_text(text, encoding="utf-8")
        paths.append(name)
    with ScriptedOllama({model: scripted(juror) for model, juror in case["jurors"].items()}) as server:
        result = await verify_claims(request.pop("claims"), source_paths=paths, cloud=server.cloud, **request)
    assert as_recorded(result, case["expect"]) == case["expect"]
