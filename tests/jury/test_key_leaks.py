"""Ways in which a key could get out. Each plants one and looks everywhere."""

from __future__ import annotations

import json

import pytest

from claimjury import Cloud, ConfigInvalid, VerifyResult, verify_claims
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import CLAIM, CONFIRM, FIRST, TRIO, Heard, trio

KEY = "sk-canary-0123456789"
ESCAPED = "".join(f"\\u{ord(char):04x}" for char in KEY)
BALLOT = json.dumps(
    {"verdicts": [{"id": "c1", "rationale": "KEY", "verdict": "UNCERTAIN", "missing": "KEY"}]}
)


async def run(first: Reply, **host: object) -> tuple[VerifyResult, Heard]:
    heard = Heard()
    with ScriptedOllama(trio([first, first, first, CONFIRM]), **host) as server:  # type: ignore[arg-type]
        cloud = Cloud(host=server.url, api_key=KEY, trusted_hosts=(server.url,))
        result = await verify_claims([CLAIM], cloud=cloud, recorder=heard)
        assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    return result, heard


@pytest.mark.parametrize(
    "reply",
    [
        Reply(BALLOT.replace("KEY", KEY)),
        Reply(BALLOT.replace("KEY", ESCAPED)),
        Reply(ballot({KEY: "CONFIRMED"})),
        Reply(f"Your key is {KEY}."),
        Reply(CONFIRM.content, served=KEY),
        Reply(CONFIRM.content, fields={"remote_model": KEY}),
        Reply(status=401, error=f"bad key {KEY}"),
        Reply(status=403, error="x" * 285 + KEY),
        Reply(status=500, body=f"plain text {KEY}".encode()),
        Reply(status=400, body=json.dumps({"error": {"message": KEY}}).replace(KEY, ESCAPED).encode()),
        Reply(status=307, body=b"", headers={"Location": f"https://evil.example/{KEY}"}),
        Reply(body=f"<html>{KEY}</html>".encode(), headers={"Content-Type": f"text/{KEY}"}),
        Reply("half", error=f"broke {KEY}"),
    ],
    ids=[
        "rationale",
        "escaped rationale",
        "id",
        "prose",
        "served model",
        "remote model",
        "401",
        "cut 403",
        "plain 500",
        "escaped 400",
        "redirect",
        "portal",
        "error line",
    ],
)
async def test_a_key_that_the_host_echoes_is_in_neither_result_nor_event(reply: Reply) -> None:
    result, heard = await run(reply)
    assert KEY not in result.model_dump_json()
    assert KEY[:10] not in repr(heard.events)
    assert result.claims[0].confirm_votes >= 2


async def test_a_key_in_the_catalogue_is_in_no_warning() -> None:
    locked = Reply(status=403, error="upgrade")
    result, _ = await run(locked, catalogue=[f"model-{KEY}", "glm-5.2"], plans={"glm-5.2": KEY})
    assert result.warnings == ("catalogue:model-[key], glm-5.2 ([key])",)


@pytest.mark.parametrize("key", ["sk-live-0123\nX-Evil: 1", "sk live", "schlüssel-0123456789", "sk\x00live"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        Cloud.from_env({"OLLAMA_API_KEY": key})
    assert key not in str(caught.value)
    assert "OLLAMA_API_KEY" in caught.value.message


async def test_a_short_key_is_not_looked_for_in_every_word() -> None:
    with ScriptedOllama({FIRST: [CONFIRM]}) as server:
        cloud = Cloud(host=server.url, api_key="e", trusted_hosts=(server.url,))
        result = await verify_claims([CLAIM], panel=[FIRST], cloud=cloud)
    assert result.panel[0].served_model == "deepseek-v4-pro"
    assert TRIO[0] == result.panel[0].model
