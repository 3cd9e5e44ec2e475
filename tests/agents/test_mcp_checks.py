"""`batch_proof_check` over MCP: off until the operator enables it, within the operator's roots, ended with its call."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import psutil
import pytest

from agents.helpers import ERAS, answer_of, client_of, refusal_of, tools_of
from claimjury.errors import InvalidRequest
from claimjury.settings.files import user_file
from claimjury.testing import ScriptedOllama
from settlers.check_helpers import OURS, TREE, is_gone, make_project, program

TOOL = "batch_proof_check"


def enable(more: str = "") -> None:
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(f"mcp_checks = true\n{more}", encoding="utf-8")


async def called(given: Mapping[str, Any], era: str = "auto", **rest: Any) -> Any:
    with ScriptedOllama({}) as server:
        async with client_of(server, era, **rest) as client:
            answer = await client.call_tool(TOOL, dict(given))
        assert server.paths == []
    return answer


async def test_it_is_not_listed_and_cannot_be_called_until_the_operator_enables_it() -> None:
    with ScriptedOllama({}) as server:
        async with client_of(server) as client:
            assert TOOL not in {tool.name for tool in (await client.list_tools()).tools}
            with pytest.raises(Exception, match="There is no tool"):
                await client.call_tool(TOOL, {})
        async with tools_of(server) as tools:
            with pytest.raises(InvalidRequest, match="has not let callers run"):
                await tools.batch_proof_check({}, progress=_quiet)


async def _quiet(_ended: int, _of: int, _message: str) -> None:
    pass


@pytest.mark.parametrize("era", ERAS)
async def test_once_enabled_it_says_honestly_that_it_runs_code(era: str) -> None:
    enable()
    with ScriptedOllama({}) as server:
        async with client_of(server, era) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    annotations = tools[TOOL].annotations
    assert annotations is not None
    assert (annotations.read_only_hint, annotations.destructive_hint, annotations.open_world_hint) == (
        False,
        True,
        True,
    )
    assert set(tools[TOOL].input_schema["properties"]) == {"paths", "only", "cwd", "allow_roots"}
    assert len((tools[TOOL].description or "").encode()) < 2_048
    assert tools["get_run"].annotations is not None
    assert tools["get_run"].annotations.read_only_hint is True


@pytest.mark.parametrize("era", ERAS)
async def test_it_answers_with_each_check_and_of_the_tests_those_that_did_not_pass(
    era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    enable()
    monkeypatch.setenv("PATH", OURS, prepend=os.pathsep)
    make_project(
        {"pytest.ini": "[pytest]\n", "test_a.py": "def test_a(): pass\ndef test_b(): assert 0, 'x' * 9_000\n"}
    )
    answer = answer_of(await called({"only": ["pytest"]}, era))
    (check,) = answer["checks"]
    assert (answer["exit_status"], check["outcome"], check["exit_status"]) == (10, "fail", 1)
    assert (check["tests"]["passed"], check["tests"]["failed"]) == (1, 1)
    assert check["tests"]["cases"] == [{"id": "test_a.py::test_b", "outcome": "failed"}]
    assert len(check["output"]) < 4_100


async def test_its_arguments_only_narrow_the_operator_s_roots(tmp_path: Path) -> None:
    enable()
    outside = make_project({"tsconfig.json": "{}"}, tmp_path / "outside")
    top = make_project({"tsconfig.json": "{}", "inner/x": ""})
    program(top / "node_modules/.bin/tsc", "exit 0")
    (top / "link").symlink_to(outside)
    for given in ({"cwd": ".."}, {"cwd": "link"}, {"allow_roots": [str(outside)]}, {"paths": ["link"]}):
        assert "SOURCE_OUTSIDE_ROOTS" in refusal_of(await called(given))
    assert answer_of(await called({"cwd": "inner"}))["checks"][0]["outcome"] == "pass"
    assert answer_of(await called({"cwd": "inner", "allow_roots": ["inner"]}))["checks"] == []
    enable(f'check_roots = ["{outside}"]\n')
    assert "SOURCE_OUTSIDE_ROOTS" in refusal_of(await called({}))
    assert "There is no project" in refusal_of(await called({}, roots=()))
    wrong: list[dict[str, Any]] = [{"timeout_s": 3}, {"only": ["black"]}, {"only": []}]
    for arguments in wrong:
        assert "INVALID_REQUEST" in refusal_of(await called(arguments))


@pytest.mark.parametrize("how", ["cancelled", "server-ends"])
async def test_what_it_started_ends_with_the_call_or_with_the_server(how: str) -> None:
    enable()
    top = make_project({"eslint.config.js": ""})
    fifo = top.parent / "fifo"
    os.mkfifo(fifo)
    program(top / "node_modules/.bin/eslint", TREE.format(fifo=str(fifo), end="signal.pause()"), python=True)
    told: list[str] = []

    async def progress(_ended: int, _of: int, message: str) -> None:
        told.append(message)

    with ScriptedOllama({}) as server:
        async with tools_of(server) as tools, anyio.create_task_group() as group:

            async def call() -> None:
                await tools.batch_proof_check({}, progress=progress)

            group.start_soon(call)
            pid = int(await anyio.to_thread.run_sync(fifo.read_text))
            grandchild = psutil.Process(pid)
            if how == "cancelled":
                group.cancel_scope.cancel()
            else:
                await tools.jobs.save()
        assert await anyio.to_thread.run_sync(is_gone, grandchild)
    assert told == ["eslint in ."]
