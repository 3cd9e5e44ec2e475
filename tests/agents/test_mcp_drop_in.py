"""A client that was written for the reference tool: it knows its contract alone, and works against our server."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, Literal

import pytest

from agents.helpers import environ
from claimjury.testing import Reply, Script, ScriptedOllama, ballot
from jury.helpers import CONFIRM, REFUTE, TRIO, trio

Outcome = Literal["accept", "revise", "escalate", "unreachable", "refused"]
pytestmark = pytest.mark.timeout(120)


class GateClient:
    """Spawns the server, calls the tool, reads the first text block, and maps the verdicts to what to do next."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        self._id = 0
        self._request(
            "initialize",
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "gate", "version": "1"},
            },
        )
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def decide(self, arguments: dict[str, Any]) -> tuple[Outcome, dict[str, Any] | str]:
        answer = self._request("tools/call", {"name": "ollama_verify_claims", "arguments": arguments})
        text = answer["content"][0]["text"]
        if answer.get("isError"):
            return "refused", text
        result = json.loads(text)["result"]
        if not any(seat["included"] for seat in result["panel"]):
            return "unreachable", result
        return self._mapped(result), result

    @staticmethod
    def _mapped(result: dict[str, Any]) -> Outcome:
        verdicts = [claim["verdict"] for claim in result["claims"]]
        if "REFUTED" in verdicts:
            return "revise"
        if result["weak"] or "NEEDS_REVIEW" in verdicts:
            return "escalate"
        return "accept"

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        assert self._process.stdout is not None
        while True:
            message = json.loads(self._process.stdout.readline())
            if message.get("id") == self._id:
                value: dict[str, Any] = message["result"]
                return value

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


def decide(scripts: dict[str, Script], **arguments: Any) -> tuple[Outcome, Any]:
    asked = {"claims": [{"id": "c1", "statement": "The loop ends after 7 attempts."}], **arguments}
    with ScriptedOllama(scripts) as server:
        client = GateClient([sys.executable, "-m", "claimjury", "mcp"], environ(server))
        try:
            return client.decide(asked)
        finally:
            client.close()


@pytest.mark.parametrize(
    ("scripts", "arguments", "expected"),
    [
        (trio(CONFIRM), {}, "accept"),
        (trio(CONFIRM), {"min_refute_votes": 2, "reference": "7 attempts were counted."}, "accept"),
        (dict.fromkeys(TRIO, [REFUTE]), {}, "revise"),
        ({**trio(CONFIRM), TRIO[0]: [REFUTE]}, {}, "accept"),
        ({TRIO[0]: [CONFIRM], **dict.fromkeys(TRIO[1:], [Reply(status=410)])}, {}, "escalate"),
        (dict.fromkeys(TRIO, [Reply(content=ballot({"c1": "UNCERTAIN"}))]), {}, "escalate"),
        (dict.fromkeys(TRIO, [Reply(status=401, error="unauthorized")]), {}, "unreachable"),
        (trio(CONFIRM), {"claims": []}, "refused"),
        (trio(CONFIRM), {"source_paths": ["/etc/passwd"]}, "refused"),
        (trio(CONFIRM), {"no_such_argument": 1}, "refused"),
    ],
    ids=[
        *(
            "confirmed",
            "with a reference",
            "refuted",
            "a lone dissent",
            "weak",
            "undecided",
            "nobody reached",
        ),
        *("no claims", "a file outside", "an unknown argument"),
    ],
)
def test_a_client_of_the_reference_tool_maps_our_answers_as_it_does_its_own(
    scripts: dict[str, Script], arguments: dict[str, Any], expected: Outcome
) -> None:
    outcome, answer = decide(scripts, **arguments)
    assert outcome == expected, answer
    if isinstance(answer, dict):
        [claim] = answer["claims"]
        assert {
            "id",
            "statement",
            "verdict",
            "confidence",
            "refute_votes",
            "confirm_votes",
            "uncertain_votes",
        } <= set(claim)
        assert all({"model", "included", "verdicts_returned"} <= set(seat) for seat in answer["panel"])
        assert {"summary", "min_refute_votes", "weak"} <= set(answer)
