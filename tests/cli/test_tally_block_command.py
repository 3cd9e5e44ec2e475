"""`claimjury tally-block`: its answer, its exit status, and what it says where a block contradicts itself."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.helpers import Cli

FILE = Path("block.txt")


def block(*reasons: str, verdict: str = "HOLDS", count: str = "0/3", n: int = 3) -> str:
    """Give a block whose skeptics refute where their reason begins with `!`."""
    angles = ["factual", "logical", "steelman", "provenance", "adversarial"]
    skeptics = [
        f"  {place}. [{angle}] refuted={str(reason.startswith('!')).lower()} -- {reason.lstrip('!')}\n"
        for place, (angle, reason) in enumerate(zip(angles, reasons, strict=False), start=1)
    ]
    panel = f"N={n}, refuted={count}, threshold=majority-refute (REFUTED iff refuted*2 > N)"
    return (
        f"VERDICT: {verdict}\nPanel: {panel}\nClaim: nothing else calls it\n"
        f"Skeptics:\n{''.join(skeptics)}Basis: src was searched.\n"
    )


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))


@pytest.mark.parametrize(
    ("text", "status", "headline"),
    [
        (
            block("a", "b", "c"),
            0,
            "HOLDS: 0 of 3 refute it (0 on evidence, 0 by default, 0 by fault).",
        ),
        (block("!a", "b", "c", count="1/3"), 0, "HOLDS: 1 of 3 refute it (1 on evidence"),
        (block("!a", "!b", "c", verdict="REFUTED", count="2/3"), 10, "REFUTED: 2 of 3 refute it (2 on"),
        (
            block("!a", "!by default: b", "c", verdict="REFUTED", count="2/3"),
            20,
            "REFUTED: 2 of 3 refute it (1 on evidence, 1 by default, 0 by fault).",
        ),
        (
            block("!fault: a", "!fault: b", "!fault: c", verdict="REFUTED", count="3/3"),
            4,
            "REFUTED: 3 of 3 refute it (0 on evidence, 0 by default, 3 by fault).",
        ),
        (block("!a", "b", count="1/2", n=2), 20, "HOLDS by a tie: 1 of 2 refute it"),
    ],
)
def test_a_block_that_agrees_with_itself_exits_as_its_lines_come_to(
    cli: Cli, text: str, status: int, headline: str
) -> None:
    FILE.write_text(text, encoding="utf-8")
    ran = cli("tally-block", str(FILE))
    assert (ran.status, ran.err) == (status, "")
    assert ran.out.startswith(headline)
    assert "The block agrees with its lines." in ran.out
    assert "A block alone does not show on what grounds a skeptic refuted." in ran.out
    assert "supporting evidence, not proof" in ran.out
    assert f"Exit status {status}: " in ran.out


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            block("!a", "!b", "c", verdict="HOLDS", count="1/3"),
            ["line 1: verdict is HOLDS, and its lines come to REFUTED", "line 2: refuted is 1/3"],
        ),
        (
            block("a", "b", "c", verdict="REFUTED"),
            ["line 1: verdict is REFUTED, and its lines come to HOLDS"],
        ),
        (
            block("a", "b", "c", n=5, count="0/5"),
            ["line 2: n is 5, and its lines come to 3", "line 2: refuted is 0/5, and its lines come to 0/3"],
        ),
        (
            block("a", "b", "fault: c", verdict="HOLDS"),
            ["line 7: skeptic is refuted=false, and its lines come to refuted=true"],
        ),
        (block("a", "b", "c").replace("> N", ">= N"), ["line 2: threshold is majority-refute"]),
    ],
)
def test_a_block_that_contradicts_itself_decides_nothing_and_shows_both_answers(
    cli: Cli, text: str, lines: list[str]
) -> None:
    FILE.write_text(text, encoding="utf-8")
    ran = cli("tally-block", str(FILE))
    assert ran.status == 20
    assert ran.out.startswith("THE BLOCK CONTRADICTS ITSELF and decides nothing. It says ")
    for line in lines:
        assert line in ran.out


def test_json_holds_the_recomputed_tally_what_the_block_said_and_where_they_differ(cli: Cli) -> None:
    FILE.write_text(block("!a", "!by default: b", "c", verdict="HOLDS", count="2/3"), encoding="utf-8")
    ran = cli("tally-block", str(FILE), "--json")
    value = ran.json
    notes = value.pop("notes")
    assert [note.split(" ")[0] for note in notes] == ["A", "This"]
    assert value == {
        "agrees": False,
        "tally": {
            "verdict": "REFUTED",
            "n": 3,
            "refuted": 2,
            "refuted_on_evidence": 1,
            "refuted_by_default": 1,
            "faulted": 0,
            "tie": False,
        },
        "said": {
            "verdict": "HOLDS",
            "n": 3,
            "refuted": 2,
            "out_of": 3,
            "threshold": "majority-refute (REFUTED iff refuted*2 > N)",
        },
        "differences": [{"field": "verdict", "line": 1, "said": "HOLDS", "recomputed": "REFUTED"}],
        "out_of_order": [],
        "claim": "nothing else calls it",
        "skeptics": [
            {"number": 1, "angle": "factual", "refuted": True, "grounds": "evidence", "reason": "a"},
            {"number": 2, "angle": "logical", "refuted": True, "grounds": "default", "reason": "b"},
            {"number": 3, "angle": "steelman", "refuted": False, "grounds": "evidence", "reason": "c"},
        ],
        "basis": "src was searched.",
        "exit_status": 20,
    }
    assert ran.status == 20


def test_a_block_is_read_from_standard_input_out_of_an_agents_whole_answer(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = f"Here is what I found.\r\n\r\n```\r\n{block('a', 'b', 'c')}```\r\n"
    pipe(monkeypatch, answer.encode())
    assert cli("tally-block", "-").status == 0


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_block_with_a_byte_order_mark_is_read(cli: Cli, encoding: str) -> None:
    FILE.write_text(block("a", "b", "c"), encoding=encoding)
    assert cli("tally-block", str(FILE)).status == 0


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"", "INVALID_REQUEST", "There is no block: no line begins with `VERDICT:`."),
        (b"It holds, I think.\n", "INVALID_REQUEST", "There is no block"),
        (b"\x7fELF\x00\x01", "SOURCE_NOT_TEXT", "is binary"),
        (b"x" * 1_000_001, None, "1,000,00"),
        (block("a", "b", "").encode(), "INVALID_REQUEST", "Line 7: skeptic 3 gives no reason after `--`."),
    ],
)
def test_what_is_no_block_exits_with_2_and_says_why(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, data: bytes, code: str | None, words: str
) -> None:
    FILE.write_bytes(data)
    for name in (str(FILE), "-"):
        pipe(monkeypatch, data)
        ran = cli("tally-block", name, "--json")
        assert (ran.status, ran.json["exit_status"]) == (2, 2)
        assert code in (None, ran.json["error"]["code"])
        assert words in ran.json["error"]["message"]
        assert ran.json["error"]["hint"]


def test_a_file_that_is_missing_or_a_directory_exits_with_2(cli: Cli) -> None:
    assert cli("tally-block", "missing.txt").status == 2
    assert cli("tally-block", ".").status == 2
    assert cli("tally-block").status == 2


def test_closed_standard_input_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    ran = cli("tally-block", "-")
    assert (ran.status, "Standard input is closed" in ran.err) == (2, True)


def test_angles_out_of_their_order_are_said(cli: Cli) -> None:
    FILE.write_text(block("a", "b", "c").replace("[steelman]", "[factual]"), encoding="utf-8")
    ran = cli("tally-block", str(FILE))
    assert (ran.status, "not in their fixed order: see skeptic 3." in ran.out) == (0, True)


def test_an_agents_words_act_on_no_terminal(cli: Cli) -> None:
    text = block("a", "b", "c").replace("nothing else", r"\x1b[31m\n::error::nothing \u202e")
    FILE.write_text(text.replace("> N", "\x1b]0;x\x07 ##[group]"), encoding="utf-8")
    ran = cli("tally-block", str(FILE))
    shown = ran.out + json.dumps(cli("tally-block", str(FILE), "--json").json, ensure_ascii=True)
    assert not any(word in shown for word in ("\x1b", "\u202e", "\n::error"))
    assert "##[" not in ran.out
    assert ran.status == 20
