"""Runs of skeptics in the ledger: kept as they go, listed, shown, exported, checked, forgotten."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from claimjury.errors import InvalidRequest, UnknownRun
from claimjury.ledger.checking import check_receipt, stale_sources
from claimjury.ledger.forgetting import forget_run, prune_runs
from claimjury.ledger.questions import digest
from claimjury.ledger.reading import find_run, list_runs, load_run, search_runs
from claimjury.ledger.receipt_form import canonical, manifest_of, text_sha256, whole_sha256
from claimjury.ledger.refutations import StoredRefutation, load_refutation
from claimjury.ledger.refute_receipts import export_refutation
from claimjury.ledger.refute_recorder import LedgerRefuteRecorder
from claimjury.ledger.store import open_ledger
from claimjury.skeptics.events import RefuteEvent, SkepticEnded
from claimjury.skeptics.result import RefuteResult
from claimjury.testing import Asked, Reply, Script, ScriptedOllama
from ledger.helpers import FILE, all_bytes
from skeptics.helpers import CACHE, CLAIM, GREP, MODEL, READ, angle, calls, refute, repository, steps, verdict

HOLDS = steps(
    calls(READ, GREP), Reply(content=verdict(False, "The read proves nought.", citations=["cache.py:9"]))
)
REFUTES = steps(calls(READ), Reply(content=verdict(True, "Line 9 is wrong.", citations=["cache.py:99"])))
HEDGES = steps(Reply(content=verdict("maybe")))
REFUSED = Reply(status=403)


def mixed(asked: Asked) -> Reply:
    """Three skeptics: one holds, one refutes, one hedges."""
    return {"factual": HOLDS, "logical": REFUTES, "steelman": HEDGES}[angle(asked)](asked)


async def kept(
    script: Script = mixed, *, keep_content: bool = True, **options: Any
) -> tuple[RefuteResult, StoredRefutation]:
    with open_ledger(FILE) as ledger:
        recorder = LedgerRefuteRecorder(ledger, keep_content=keep_content)
        result, _ = await refute(script, recorder=recorder, **options)
        assert recorder.trouble is None
        return result, load_refutation(ledger, result.run_id)


async def test_a_run_is_kept_whole_what_was_told_said_and_read() -> None:
    result, stored = await kept(source_paths=["repo/use.py"], roots=["repo"])
    assert stored.result is not None
    assert stored.result.to_json() == result.to_json()
    assert stored.skeptics == result.skeptics
    assert [row.place for row in stored.openings] == [1, 2, 3]
    assert all(CLAIM in (row.user or "") for row in stored.openings)
    [told] = [row.text for row in stored.evidence]
    assert told == (Path("repo") / "use.py").read_text(encoding="utf-8")
    first, last = stored.turns[1]
    assert [call.name for call in first.answer.tool_calls] == ["read", "grep"]
    assert "return value if until > time.time() else None" in first.calls[0].text
    assert json.loads(last.answer.text)["refuted"] is False
    assert stored.ended is not None
    assert stored.ended["summary"] == "REFUTED: 2 of 3 skeptics refute"


async def test_the_same_list_has_runs_of_both_engines_and_finds_words_of_claims_and_reasons() -> None:
    result, _ = await kept()
    with open_ledger(FILE) as ledger:
        [line] = list_runs(ledger)
        assert (line.kind, line.status, line.exit_status, line.claims) == ("refute", "complete", 20, 1)
        assert find_run(ledger, "last") == find_run(ledger, result.run_id[:12]) == result.run_id
        for words in ("expired", "proves nought"):
            assert [found.run_id for found in search_runs(ledger, words)] == [result.run_id]
        with pytest.raises(InvalidRequest, match="one of skeptics"):
            load_run(ledger, result.run_id)
        with pytest.raises(UnknownRun):
            load_refutation(ledger, "20260101T000000-00000000")


async def test_without_content_nothing_of_the_claim_the_files_or_the_words_is_in_any_byte() -> None:
    result, stored = await kept(keep_content=False)
    assert (stored.row["claim"], stored.result, stored.turns, stored.skeptics) == (None, None, {}, ())
    data = all_bytes()
    for text in (CLAIM, "time.time()", "nought", "cache.py", digest(CLAIM)):
        assert text.encode() not in data
    with open_ledger(FILE) as ledger:
        [line] = list_runs(ledger)
    assert line.summary == f"{result.verdict}: {result.refuted} of {result.n} skeptics refute"
    with pytest.raises(InvalidRequest, match="without its content"):
        export_refutation(stored)


async def test_what_is_forgotten_is_in_no_byte_and_leaves_its_hashes() -> None:
    result, _ = await kept()
    with open_ledger(FILE) as ledger:
        assert forget_run(ledger, result.run_id)
        [tombstone] = ledger.connection.execute("SELECT * FROM tombstones").fetchall()
        assert list_runs(ledger) == []
        with pytest.raises(UnknownRun, match="was forgotten"):
            load_refutation(ledger, result.run_id)
    assert digest(CLAIM) in tombstone["hashes"]
    data = all_bytes()
    for text in (CLAIM, "time.time()", "nought"):
        assert text.encode() not in data


async def test_old_runs_of_skeptics_are_pruned_too() -> None:
    result, _ = await kept()
    with open_ledger(FILE) as ledger:
        assert prune_runs(ledger, older_than_days=0)[0] == [result.run_id]


async def test_a_run_that_is_forgotten_while_it_runs_is_not_kept_and_still_has_its_verdict() -> None:
    with open_ledger(FILE) as ledger:
        recorder = LedgerRefuteRecorder(ledger)

        class Forgetful:
            def record(self, event: RefuteEvent, /) -> None:
                recorder.record(event)
                if isinstance(event, SkepticEnded) and event.skeptic.place == 1:
                    forget_run(ledger, find_run(ledger, "last"))

        result, _ = await refute(HOLDS, recorder=Forgetful())
        assert result.verdict == "HOLDS"
        assert recorder.trouble == "it was forgotten while it ran"
        assert list_runs(ledger) == []


async def test_a_listener_that_raises_costs_no_verdict_and_is_told() -> None:
    class Broken:
        def record(self, event: RefuteEvent, /) -> None:
            raise RuntimeError(type(event).__name__)

    result, _ = await refute(HOLDS, recorder=Broken())
    assert result.verdict == "HOLDS"
    assert "listener_failed" in result.warnings


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed by a signal")
def test_a_killed_run_keeps_what_had_arrived() -> None:
    """The process dies in mid-run; the answers of the skeptics that had ended are in the ledger."""
    repository()

    def slow(asked: Asked) -> Reply:
        if angle(asked) == "factual":
            return HOLDS(asked)
        return Reply(content="", delay_s=60)

    with ScriptedOllama({MODEL: slow}) as server:
        code = (
            "import os, sys\nfrom claimjury.surfaces.cli.main import run\n"
            f"sys.exit(run(['refute', {CLAIM!r}, '-n', '2', '--repo', 'repo', '--ledger', 'ledger.sqlite3']))"
        )
        environ = {"OLLAMA_CLOUD_HOST": server.url, "OLLAMA_API_KEY": "k", "HOME": str(Path.cwd())}
        with subprocess.Popen(
            [sys.executable, "-c", code], stderr=subprocess.PIPE, env=environ, text=True
        ) as process:
            assert process.stderr is not None
            for line in process.stderr:
                if "1. factual does not break it" in line:
                    break
            process.send_signal(signal.SIGKILL)
    with open_ledger(FILE) as ledger:
        [left] = list_runs(ledger)
        assert (left.status, left.exit_status) == ("unfinished", None)
        stored = load_refutation(ledger, left.run_id)
    assert [one.place for one in stored.skeptics] == [1]
    assert len(stored.turns[1]) == 2
    with pytest.raises(InvalidRequest, match="did not end"):
        export_refutation(stored)


# Receipts.


def resealed(parts: dict[str, Any]) -> bytes:
    """Give a receipt with every hash of a part and of the whole computed anew."""
    bare = {name: part for name, part in parts.items() if name not in ("manifest", "receipt_sha256")}
    bare["manifest"] = manifest_of(bare)
    bare["receipt_sha256"] = whole_sha256(bare)
    return canonical(bare)


def said(data: bytes, folder: Path | None = None) -> str:
    return check_receipt(data, evidence=folder).first_fault


async def test_a_receipt_fits_and_with_the_repository_each_tool_call_is_made_again() -> None:
    result, stored = await kept(source_paths=["repo/use.py"], roots=["repo"])
    data = export_refutation(stored)
    report = check_receipt(data, evidence=Path("repo"))
    assert (report.outcome, report.run_id, report.first_fault) == ("scripted", result.run_id, "")
    assert {step.name: step.state for step in report.steps} == dict.fromkeys(
        [step.name for step in report.steps], "fits"
    )
    alone = {step.name: step.state for step in check_receipt(data).steps}
    assert (alone["what tools showed"], alone["evidence"]) == ("not_checked", "not_checked")
    assert str(Path.cwd()) not in data.decode()
    assert CACHE.splitlines()[-1].encode() not in data


async def test_a_receipt_of_a_changed_repository_says_what_tools_show_now() -> None:
    _, stored = await kept(source_paths=["repo/use.py"], roots=["repo"])
    data = export_refutation(stored)
    (Path("repo") / "cache.py").write_text(CACHE.replace("until >", "until >="), encoding="utf-8")
    assert "shows something else in the folder now" in said(data, Path("repo"))
    (Path("repo") / "use.py").write_text("x = 1\n", encoding="utf-8")
    assert [row.name for row in stale_sources(data, Path("repo"))] == ["use.py"]


def _hold(parts: dict[str, Any]) -> None:
    parts["skeptics"][1]["result"]["refuted"] = False


def _other_verdict(parts: dict[str, Any]) -> None:
    parts["verdict"]["verdict"] = "HOLDS"


def _fault(parts: dict[str, Any]) -> None:
    parts["skeptics"][0]["result"].update(grounds="fault", refuted=True, reason="it broke down")


def _other_reason(parts: dict[str, Any]) -> None:
    parts["skeptics"][1]["result"]["reason"] = "Line 9 is right."


def _read_more(parts: dict[str, Any]) -> None:
    parts["skeptics"][2]["result"]["read"] = [{"tool": "read", "path": "cache.py", "start": 1, "end": 9}]


def _other_model(parts: dict[str, Any]) -> None:
    parts["skeptics"][0]["turns"][0]["reply"]["served_model"] = "glm-5.2"
    parts["skeptics"][0]["result"]["served_model"] = "glm-5.2"


def _unseen(parts: dict[str, Any]) -> None:
    parts["skeptics"][0]["turns"][1]["reply"]["prompt_tokens"] = 1
    parts["skeptics"][0]["result"]["usage"]["tokens_in"] = 1


def _drop_skeptic(parts: dict[str, Any]) -> None:
    del parts["skeptics"][2]


def _swap_angle(parts: dict[str, Any]) -> None:
    parts["skeptics"][0]["result"]["angle"] = "provenance"


def _other_claim(parts: dict[str, Any]) -> None:
    parts["claim"] = {"statement": "Something else holds.", "sha256": text_sha256("Something else holds.")}


def _no_script(parts: dict[str, Any]) -> None:
    parts["scripted"] = False


def _no_warning(parts: dict[str, Any]) -> None:
    parts["warnings"] = []


def _no_citation(parts: dict[str, Any]) -> None:
    del parts["skeptics"][1]["result"]["citations"]


def _basis(parts: dict[str, Any]) -> None:
    parts["verdict"]["basis"] = "Everything was read."


def _threshold(parts: dict[str, Any]) -> None:
    parts["rules"]["threshold"] = "unanimous"


def _reply(parts: dict[str, Any]) -> None:
    reply = parts["skeptics"][1]["turns"][1]["reply"]
    reply["text"] = reply["text"].replace("true", "false")
    reply["sha256"] = text_sha256(reply["text"])


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (_hold, "The finding of skeptic 2"),
        (_other_verdict, "`verdict` is not what the findings"),
        (_fault, "The finding of skeptic 1"),
        (_other_reason, "The finding of skeptic 2"),
        (_read_more, "What skeptic 3 read"),
        (_other_model, "The messages of skeptic 1 hold no verdict"),
        (_unseen, "The messages of skeptic 1 hold no verdict"),
        (_drop_skeptic, "There are not 3 skeptics"),
        (_swap_angle, "The angle of skeptic 1"),
        (_other_claim, "The prompt of skeptic 1"),
        (_no_script, "`basis` is not"),
        (_no_warning, "The warning citation_missing:2:cache.py:99"),
        (_no_citation, "The citations of skeptic 2"),
        (_basis, "`basis` is not"),
        (_threshold, "The threshold"),
        (_reply, "The finding of skeptic 2"),
    ],
    ids=lambda value: value.__name__.strip("_") if callable(value) else "",
)
async def test_an_edit_is_named_though_every_hash_is_computed_anew(
    change: Callable[[dict[str, Any]], None], fault: str
) -> None:
    _, stored = await kept()
    parts = json.loads(export_refutation(stored))
    change(parts)
    report = check_receipt(resealed(parts))
    assert report.outcome == "invalid"
    assert report.first_fault.startswith(fault)


async def test_one_changed_byte_is_found() -> None:
    _, stored = await kept()
    data = export_refutation(stored)
    assert "manifest" in said(data.replace(b"nought", b"naught"))
    assert (
        said(data.replace(b'":', b'": ', 1))
        == "The file is not the canonical JSON (RFC 8785) of what it says."
    )
    newer = data.replace(b"claimjury-refute-receipt/v1", b"claimjury-refute-receipt/v9")
    with pytest.raises(InvalidRequest, match="newer claimjury"):
        check_receipt(newer)


async def test_a_run_in_which_a_skeptic_broke_down_or_the_deadline_came_has_a_receipt_that_fits() -> None:
    def script(asked: Asked) -> Reply:
        return HOLDS(asked) if angle(asked) == "factual" else REFUSED

    result, stored = await kept(script)
    assert result.faulted == 2
    assert said(export_refutation(stored)) == ""

    stop = anyio.Event()
    stop.set()
    result, stored = await kept(stop=stop)
    assert (result.status, result.exit_status, result.faulted) == ("interrupted", 130, 3)
    assert said(export_refutation(stored)) == ""


async def test_a_model_without_tools_has_two_openings_and_a_receipt_that_fits() -> None:
    def script(asked: Asked) -> Reply:
        if asked.body.get("tools"):
            return Reply(status=400, error="model does not support tools")
        return Reply(content=verdict(False)(asked))

    result, stored = await kept(script, n=1)
    assert [row.tools for row in stored.openings] == [True, False]
    assert stored.openings[1].given == ("cache.py",)
    assert result.verdict == "HOLDS"
    assert said(export_refutation(stored), Path("repo")) == ""
