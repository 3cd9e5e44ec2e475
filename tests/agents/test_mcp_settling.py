"""Over MCP, what a tool decides goes to no juror, in both eras of the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.helpers import ERAS, VERIFY, answer_of, client_of, refusal_of
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import CONFIRM, trio
from settlers.settle_helpers import changed

SETTLED = {"id": "s1", "statement": "Only `a.py` was changed."}
OPEN = {"id": "c1", "statement": "The loop ends after 7 attempts."}


@pytest.fixture
def project() -> Path:
    """A repository in the working directory."""
    return changed(Path.cwd(), {"a.py": "x = 1\n", "b.py": "y = 1\n"}, {"a.py": "x = 2\n"})


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("era", ERAS)
async def test_a_settled_claim_has_its_proof_and_is_in_no_prompt(era: str) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        async with client_of(server, era) as client:
            answer = answer_of(await client.call_tool(VERIFY, {"claims": [SETTLED, OPEN]}))
        bodies = [str(request.body) for request in server.asked]
    claims = {row["id"]: row for row in answer["result"]["claims"]}
    assert (claims["s1"]["verdict"], claims["s1"]["settled_by"]) == ("CONFIRMED", "scope")
    assert claims["s1"]["proof"][0]["kind"] == "change"
    assert claims["c1"]["verdict"] == "CONFIRMED"
    assert bodies
    assert not any("Only `a.py`" in body for body in bodies)


@pytest.mark.usefixtures("project")
async def test_where_all_is_settled_no_key_is_needed_and_nothing_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with ScriptedOllama(trio(CONFIRM)) as server:
        monkeypatch.setattr("agents.helpers.environ", lambda server: {"OLLAMA_CLOUD_HOST": server.url})
        async with client_of(server) as client:
            answer = answer_of(await client.call_tool(VERIFY, {"claims": [SETTLED]}))
            text = refusal_of(await client.call_tool(VERIFY, {"claims": [SETTLED, OPEN]}))
        assert server.asked == []
    assert answer["exit_status"] == 0
    assert answer["result"]["claims"][0]["settled_by"] == "scope"
    assert text.startswith("CLOUD_NOT_CONFIGURED")
    assert "CONFIRMED, settled by scope: s1: Only `a.py` was changed. (Since " in text


@pytest.mark.usefixtures("project")
async def test_outside_of_the_roots_nothing_is_looked_at(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    with ScriptedOllama(trio([Reply(content=ballot({"s1": "CONFIRMED"}))])) as server:
        async with client_of(server, roots=(other,)) as client:
            answer = answer_of(await client.call_tool(VERIFY, {"claims": [SETTLED]}))
    assert "settled_by" not in answer["result"]["claims"][0]
