"""What models and hosts say that no file takes as it is: half a surrogate pair. A kept run can always be read back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from claimjury.ledger.reading import load_run
from claimjury.ledger.recorder import LedgerRecorder
from claimjury.ledger.refutations import load_refutation
from claimjury.ledger.refute_receipts import export_refutation
from claimjury.ledger.refute_recorder import LedgerRefuteRecorder
from claimjury.ledger.store import open_ledger
from claimjury.models.answers import Answer
from claimjury.testing import Asked, Reply, Script
from jury.helpers import TRIO
from ledger.helpers import FILE, kept
from skeptics.helpers import READ, calls, grounds, refute, repository, spoken, steps, verdict

HALF = "\ud800"


def raw(message: dict[str, Any], **fields: Any) -> Reply:
    """Give a body in ASCII, so that an escape in it may be half a pair."""
    whole = {"model": "deepseek-v4-pro", "message": {"role": "assistant", **message}, "done": True}
    return Reply(body=json.dumps({**whole, "done_reason": "stop", **fields}).encode())


async def read_back(script: Script, **options: Any) -> tuple[Any, Any]:
    with open_ledger(FILE) as ledger:
        recorder = LedgerRefuteRecorder(ledger)
        result, _ = await refute(script, n=1, recorder=recorder, **options)
        assert recorder.trouble is None
        assert "listener_failed" not in result.warnings
        return result, load_refutation(ledger, result.run_id)


async def test_a_skeptic_that_cites_half_a_surrogate_is_kept_shown_and_exported() -> None:
    def script(asked: Asked) -> Reply:
        content = verdict(False, citations=[f"a{HALF}.py:3", f"{HALF}:4", "cache.py:9"])(asked)
        return raw({"content": content}) if spoken(asked) else calls(READ)

    result, stored = await read_back(script)
    assert grounds(result) == [(False, "evidence")]
    cited = [(row.path, row.line, row.exists) for row in result.skeptics[0].citations]
    assert cited == [("a.py", 3, False), ("cache.py", 9, True)]
    assert stored.result == result
    assert export_refutation(stored)


async def test_a_file_is_cited_by_its_own_name_whatever_is_shown_of_it() -> None:
    (repository() / "a\u202eb.py").write_text("x = 1\n", encoding="utf-8")
    said = Reply(content=verdict(False, citations=["a\u202eb.py:1"]))
    result, stored = await read_back(steps(calls(READ), said))
    assert [(row.path, row.exists) for row in result.skeptics[0].citations] == [("ab.py", True)]
    assert export_refutation(stored)


@pytest.mark.parametrize("name", ["model", "remote_model", "remote_host", "done_reason"])
async def test_a_host_that_names_half_a_surrogate_leaves_a_run_that_can_be_read(name: str) -> None:
    def script(asked: Asked) -> Reply:
        return raw({"content": verdict(False)(asked)}, **{name: f"deepseek-v4-pro{HALF}"})

    result, stored = await read_back(script)
    assert stored.result == result
    assert export_refutation(stored)


def test_a_name_with_a_harmful_character_stays_another_than_the_one_without() -> None:
    assert Answer(text="", host="h", served_model=f"m{HALF}").served_model == "m\\ud800"


async def test_a_tool_by_the_name_of_half_a_surrogate_is_kept_with_its_answer() -> None:
    def script(asked: Asked) -> Reply:
        if spoken(asked):
            return Reply(content=verdict(False))
        odd = {"function": {"name": f"re{HALF}ad", "arguments": {}}}
        return raw({"content": "", "tool_calls": [odd, _call(*READ)]})

    _, stored = await read_back(script)
    assert [call.failed for call in stored.turns[1][0].calls] == [True, False]


async def test_a_message_of_half_a_surrogate_without_a_verdict_is_asked_once_more() -> None:
    def script(asked: Asked) -> Reply:
        said = ["", f"Hm.{HALF}", verdict(False)(asked)]
        return raw({"content": said[spoken(asked)]}) if spoken(asked) else calls(READ)

    result, stored = await read_back(script)
    assert grounds(result) == [(False, "evidence")]
    assert export_refutation(stored)


def _call(name: str, arguments: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}}


async def test_a_jury_that_says_half_a_surrogate_everywhere_leaves_a_run_that_can_be_read() -> None:
    def script(asked: Asked) -> Reply:
        vote = {
            "id": "c1",
            "verdict": "REFUTED",
            "severity": "high",
            "rationale": f"Li{HALF}ne 1.",
            "missing": HALF,
            "quotes": [f"x{HALF}y", {"text": HALF, "source": HALF}],
        }
        odd = {**vote, "id": f"c{HALF}"}
        content = json.dumps({"nonce": asked.nonce, "verdicts": [vote, odd]})
        return raw({"content": content}, model=asked.body["model"])

    result = await kept(dict.fromkeys(TRIO, script))
    with open_ledger(FILE) as ledger:
        assert load_run(ledger, result.run_id).result == result


async def test_a_write_that_fails_for_whatever_reason_is_trouble_and_not_silence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_args: object) -> None:
        raise UnicodeEncodeError("utf-8", HALF, 0, 1, "surrogates not allowed")

    with open_ledger(FILE) as ledger:
        for recorder in (LedgerRefuteRecorder(ledger), LedgerRecorder(ledger)):
            monkeypatch.setattr(recorder, "_insert", refuse)
            recorder._write(lambda one=recorder: one._insert("runs", {}))  # type: ignore[misc]
            assert "surrogates not allowed" in (recorder.trouble or "")
