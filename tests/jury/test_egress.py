"""What leaves, when it is said, and where the key goes."""

from __future__ import annotations

import logging
from pathlib import Path

import anyio
import httpx2
import pytest
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest

from claimjury import Cloud, CloudNotConfigured, verify_claims
from claimjury.jury.events import EgressAnnounced, SeatAsked
from claimjury.models.hosts import DEFAULT_HOST
from claimjury.models.ollama.model import OllamaModel
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import CLAIM, CONFIRM, FIRST, TRIO, Heard, ask, trio

KEY = "sk-canary-0123456789"


async def test_what_leaves_is_announced_before_the_first_request(caplog: pytest.LogCaptureFixture) -> None:
    Path("loop.py").write_text("pass\n", encoding="utf-8")
    at_announcement: list[list[str]] = []

    class Watcher(Heard):
        def record(self, event: object, /) -> None:
            super().record(event)  # type: ignore[arg-type]
            if isinstance(event, EgressAnnounced):
                at_announcement.append(list(server.paths))

    heard = Watcher()
    with caplog.at_level(logging.INFO, "claimjury.egress"), ScriptedOllama(trio(CONFIRM)) as server:
        await verify_claims([CLAIM], source_paths=["loop.py"], cloud=server.cloud, recorder=heard)
    assert at_announcement == [[]]
    kinds = [type(event) for event in heard.events]
    assert kinds.index(EgressAnnounced) < kinds.index(SeatAsked)
    [line] = [record.getMessage() for record in caplog.records if record.name == "claimjury.egress"]
    for part in ("1 claim", "loop.py (5 bytes)", server.url, *TRIO):
        assert part in line


async def test_the_catalogue_is_asked_without_evidence() -> None:
    details = {"novel-1": {"capabilities": ["thinking"], "model_info": {"x.context_length": 65_536}}}
    with ScriptedOllama({"novel-1:cloud": [CONFIRM]}, catalogue=["novel-1"], details=details) as server:
        result = await verify_claims([CLAIM], panel=["novel-1:cloud"], cloud=server.cloud)
        chat = sum(len(asked.raw) for asked in server.asked)
        assert server.paths == ["GET /api/tags", "POST /api/show", "POST /api/chat"]
    assert result.egress[0].bytes - chat == len('{"model":"novel-1"}')


def test_the_host_is_ollamas_own_unless_the_environment_names_another() -> None:
    assert Cloud.from_env({}).host == "https://ollama.com"
    assert Cloud.from_env({"OLLAMA_CLOUD_HOST": "http://127.0.0.1:9/"}).host == "http://127.0.0.1:9"


def test_the_key_is_read_from_the_environment_alone() -> None:
    Path(".env").write_text(f"OLLAMA_API_KEY={KEY}\n", encoding="utf-8")
    Path("claimjury.toml").write_text(f'OLLAMA_API_KEY = "{KEY}"\n', encoding="utf-8")
    with pytest.raises(CloudNotConfigured):
        anyio.run(verify_claims, [CLAIM])
    assert Cloud.from_env({"OLLAMA_API_KEY": f" {KEY}\n"}).api_key == KEY
    assert Cloud.from_env({"OLLAMA_API_KEY": "  "}).api_key is None


async def test_the_key_is_sent_to_ollamas_own_host() -> None:
    seen: list[tuple[str, str | None]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append((str(request.url), request.headers.get("authorization")))
        return httpx2.Response(200, json={"model": "glm-5.2", "message": {"content": "hi"}, "done": True})

    cloud = Cloud(api_key=KEY)
    transport = httpx2.MockTransport(answer)
    async with httpx2.AsyncClient(
        base_url=DEFAULT_HOST, headers=cloud.headers(), transport=transport
    ) as client:
        model = OllamaModel("glm-5.2", host=cloud, client=client)
        response = await model_request(model, [ModelRequest.user_text_prompt("hi")])
    assert seen == [("https://ollama.com/api/chat", f"Bearer {KEY}")]
    assert response.model_name == "glm-5.2"


async def test_the_key_is_in_no_log_at_any_level(caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level(logging.DEBUG),
        ScriptedOllama(trio([Reply(status=503, error=KEY), CONFIRM])) as server,
    ):
        cloud = Cloud(host=server.url, api_key=KEY, trusted_hosts=(server.url,))
        await verify_claims([CLAIM], cloud=cloud)
    assert [asked.headers["authorization"] for asked in server.asked] == [f"Bearer {KEY}"] * 4
    assert any(record.name == "stamina" for record in caplog.records)
    assert KEY not in caplog.text
    assert KEY not in repr([vars(record) for record in caplog.records])
    assert KEY not in repr(cloud)


async def test_an_answer_of_a_host_that_is_not_trusted_makes_its_verdicts_thin() -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        plain = await verify_claims([CLAIM], cloud=server.cloud)
        trusted = await verify_claims([CLAIM], cloud=server.trusted_cloud)
    assert [run.claims[0].standing and run.claims[0].standing.reasons for run in (plain, trusted)] == [
        ("no_evidence", "unverified_host"),
        ("no_evidence",),
    ]


async def test_special_tokens_of_chat_templates_are_sent_as_they_stand() -> None:
    tokens = "<|im_start|>system <|eot_id|> [INST] <start_of_turn>"
    with ScriptedOllama({FIRST: [Reply(content=ballot({"c1": "CONFIRMED"}))]}) as server:
        await verify_claims([tokens], panel=[FIRST], cloud=server.cloud)
        assert tokens in server.asked[0].prompt


async def test_a_run_that_is_refused_by_its_plan_sends_no_evidence_elsewhere() -> None:
    result = await ask(trio(Reply(status=403, error="upgrade")))
    assert len(result.egress) == 1
