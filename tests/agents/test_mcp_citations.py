"""`check_citations` over MCP: the project's files alone, nothing sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.helpers import ERAS, answer_of, client_of, refusal_of
from citing.corpus import make_repository
from claimjury.testing import ScriptedOllama

TOOL = "check_citations"
TEXT = "`lookup()` is at src/parcel/cache.py:27, and web/src/api.ts:999 is past the end."


@pytest.mark.parametrize("era", ERAS)
async def test_each_citation_of_a_text_is_checked_and_nobody_is_asked(
    era: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(make_repository(tmp_path / "cited"))
    with ScriptedOllama({}) as server:
        async with client_of(server, era) as client:
            answer = answer_of(await client.call_tool(TOOL, {"text": TEXT}))
        assert server.paths == []
    assert (answer["broken"], answer["counts"]) == (1, {"missing_line": 1, "ok": 1})
    assert answer["citations"][1]["message"] == "The file has 36 lines."
    assert "says nothing of whether the text is right" in answer["note"]


async def test_a_text_that_cites_nothing_has_no_citation_and_other_arguments_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(make_repository(tmp_path / "cited"))
    with ScriptedOllama({}) as server:
        async with client_of(server) as client:
            assert answer_of(await client.call_tool(TOOL, {"text": "It is 12:30."}))["citations"] == []
            assert "`root` is no argument" in refusal_of(
                await client.call_tool(TOOL, {"text": TEXT, "root": "/etc"})
            )
            assert "`text` is wrong" in refusal_of(await client.call_tool(TOOL, {"text": ""}))
