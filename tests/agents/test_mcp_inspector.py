"""The MCP Inspector against our server: every tool, over both transports, in both eras, and its release of before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from agents.helpers import CLAIMS, VERIFY
from agents.node_clients import (
    ERAS,
    IS_ERROR,
    MODES,
    OLD,
    Operator,
    Seen,
    at_once,
    call,
    inspect,
    needs_node_clients,
    operator_of,
    over_http,
)
from claimjury.surfaces.mcp.words import PROMPT_NAME
from claimjury.testing import Reply, ScriptedOllama, ballot
from jury.helpers import REFUTE, TRIO, trio

pytestmark = [needs_node_clients, pytest.mark.timeout(180)]
TRANSPORTS: Final = ("stdio", "http")


@pytest.fixture(scope="module")
def operators(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Operator]]:
    """Give the operator of one server that runs over HTTP, and of those that Inspector starts."""
    with ScriptedOllama(trio(REFUTE)) as server:
        operator = operator_of(server, tmp_path_factory.mktemp("operator"))
        with over_http(operator) as serving:
            yield {"stdio": operator, "http": serving}


def told(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the claims without the runs before, which a ledger does not keep with a run."""
    return [{**claim, "prior_runs": None} for claim in answer["result"]["claims"]]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_inspector_lists_every_tool_and_finds_no_fault_in_a_schema(
    transport: str, operators: dict[str, Operator], tmp_path: Path
) -> None:
    def listed(mode: str) -> Seen:
        strict = () if mode == OLD else ("--strict",)
        return inspect(operators[transport], mode, "tools/list", *strict, scratch=tmp_path)

    for mode, seen in at_once(listed, MODES).items():
        assert [tool["name"] for tool in seen.result["tools"]] == [
            VERIFY,
            "claim_verifier",
            "check_citations",
            "get_run",
        ], mode
        assert (seen.status, seen.said) == (0, ""), mode


@pytest.mark.parametrize(("transport", "modes"), [("stdio", ERAS), ("http", MODES)], ids=TRANSPORTS)
def test_inspector_gets_verdict_and_standing_and_reads_the_run_again(
    transport: str, modes: tuple[str, ...], operators: dict[str, Operator], tmp_path: Path
) -> None:
    asked = {"claims": CLAIMS, "source_paths": ["loop.py"], "reference": "a=b\n7 passed"}

    def verified(mode: str) -> Seen:
        return call(operators[transport], mode, VERIFY, asked, scratch=tmp_path)

    firsts = {mode: seen.answer for mode, seen in at_once(verified, modes).items()}

    def read_again(mode: str) -> Seen:
        return call(
            operators[transport], mode, "get_run", {"run_id": firsts[mode]["run_id"]}, scratch=tmp_path
        )

    again = {mode: seen.answer for mode, seen in at_once(read_again, modes).items()}
    for mode, first in firsts.items():
        claim = first["result"]["claims"][0]
        assert first["status"] == "complete"
        assert (claim["verdict"], claim["confirm_votes"], claim["refute_votes"]) == ("CONFIRMED", 2, 1)
        assert claim["standing"] == {"grade": "thin", "reasons": ["split", "unverified_host"]}
        assert first["result"]["evidence"][0]["path"] == "loop.py"
        assert told(again[mode]) == told(first)


@pytest.mark.parametrize(
    ("tool", "arguments", "refusal"),
    [
        (VERIFY, {"claims": CLAIMS, "reference": "y" * 200_000}, "INVALID_REQUEST: .*at most 20000"),
        ("get_run", {"run_id": "gone"}, "UNKNOWN_RUN: .*gone"),
    ],
    ids=["200 kB of reference", "a run that is gone"],
)
def test_inspector_gets_code_and_hint_of_a_refusal(
    tool: str, arguments: dict[str, Any], refusal: str, operators: dict[str, Operator], tmp_path: Path
) -> None:
    def refused(mode: str) -> Seen:
        return call(operators["http"], mode, tool, arguments, scratch=tmp_path)

    for mode, seen in at_once(refused, MODES).items():
        first, hint = seen.refusal
        assert re.match(refusal, first), mode
        assert hint
        assert seen.status == (0 if mode == OLD else IS_ERROR)


def test_inspector_gets_the_prompt(operators: dict[str, Operator], tmp_path: Path) -> None:
    def got(mode: str) -> Seen:
        return inspect(operators["http"], mode, "prompts/get", "--prompt-name", PROMPT_NAME, scratch=tmp_path)

    for mode, seen in at_once(got, MODES).items():
        assert "could be false" in seen.result["messages"][0]["content"]["text"], mode


def test_claims_of_over_a_quarter_of_a_megabyte_reach_every_juror(tmp_path: Path) -> None:
    claims = [
        {"id": f"c{number}", "statement": f"{number} " + "\U0001f642" * 3_900} for number in range(1, 21)
    ]
    votes = Reply(content=ballot({claim["id"]: "CONFIRMED" for claim in claims}))
    with ScriptedOllama(dict.fromkeys(TRIO, [votes])) as server:
        operator = operator_of(server, tmp_path / "operator")
        answer = call(operator, "modern", VERIFY, {"claims": claims}, scratch=tmp_path).answer
        assert len(server.asked) == 3
        assert all(len(asked.raw) > 262_144 for asked in server.asked)
    assert {claim["verdict"] for claim in answer["result"]["claims"]} == {"CONFIRMED"}
