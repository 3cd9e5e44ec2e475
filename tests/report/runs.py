"""Runs for the tests of the HTML report: the demo's, made up ones of any size, and one whose every word is hostile."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, Final

from claimjury import VerifyResult, load_reference, verify_claims_sync
from claimjury.report.html import HtmlRun
from claimjury.surfaces.cli.claims_file import load_claims_file
from claimjury.testing import ScriptedOllama
from claimjury.testing.demo import DEMO_PANEL, EXAMPLE, demo_scripts

SOURCE: Final = "def area(width, height):\n\treturn width + height  # ##[error]x\n"
ARABIC: Final = "تحسب الدالة مساحة المستطيل، وتعيد القيمة 0 عندما يكون العرض صفراً."
HEBREW: Final = "הפונקציה מחזירה את הסכום ולא את המכפלה 🙈"
EMOJI: Final = "👩‍👩‍👧‍👦 🇪🇺 ✅ handles flags and families of code points 🧪"
LONG: Final = (
    "The loop in `retry` counts from zero and stops when `attempt == limit`, so the seventh attempt is the last "
    "one that is made; the test `test_gives_up` asserts the same on line 88. "
) * 6 + "x" * 300
HOSTILE: Final = (
    "<script>document.documentElement.dataset.pwned=1</script></style></title></script></textarea>-->"
    "<img src=http://evil.example/a onerror=document.documentElement.dataset.pwned=1>"
    "\"' onmouseover=alert(1) style=background:url(http://evil.example) "
    "javascript:alert(1) <a href=javascript:alert(1)>x</a>{{ 7 * 7 }}{% raw %}&lt;&#x202e;"
    "\x1b[31mred\x1b]8;;http://evil.example\x07\u202eevil\u2066\x00\ud800##[error]x ##vso[task.complete]"
)


def demo_run() -> HtmlRun:
    """Give the demo's run, with its evidence."""
    names = ("ttl_cache.py", "test_ttl_cache.py")
    with ScriptedOllama(demo_scripts(), catalogue=[]) as server:
        result = verify_claims_sync(
            load_claims_file(EXAMPLE / "claims.json"),
            source_paths=[EXAMPLE / name for name in names],
            reference=load_reference(EXAMPLE / "test_output.txt"),
            roots=[EXAMPLE],
            panel=DEMO_PANEL,
            cloud=server.cloud,
        )
    return HtmlRun(
        result=result,
        sources={name: (EXAMPLE / name).read_text(encoding="utf-8") for name in names},
        started_at="2026-09-14 10:12 UTC",
        reference=(EXAMPLE / "test_output.txt").read_text(encoding="utf-8"),
    )


def claim(number: int, kind: int = 0, **fields: Any) -> dict[str, Any]:
    """Give a claim as JSON; `kind` is 0 firm, 1 thin, 2 undecided, 3 refuted."""
    words = (
        ["CONFIRMED"] * 3,
        ["CONFIRMED", "REFUTED", "CONFIRMED"],
        ["UNCERTAIN", "UNCERTAIN", "CONFIRMED"],
        ["REFUTED", "CONFIRMED", "REFUTED"],
    )[kind]
    votes = [
        {
            "model": model,
            "family": family,
            "verdict": word,
            "severity": "medium",
            "rationale": f"Line {number} of area.py says so.",
        }
        for (model, family), word in zip(PANEL, words, strict=False)
    ]
    more: dict[str, Any] = (
        {"standing": {"grade": "firm"}},
        {"standing": {"grade": "thin", "reasons": ["split"]}},
        {"why": "uncertain", "missing": ["The output of `pytest -k area`."], "agent_action": "run_check"},
        {"standing": {"grade": "thin", "reasons": ["split", "seat_missing"]}},
    )[kind]
    return {
        "id": f"c{number}",
        "statement": f"Claim {number}: `area` multiplies width by height.",
        "verdict": ("CONFIRMED", "CONFIRMED", "NEEDS_REVIEW", "REFUTED")[kind],
        "confidence": ("high", "medium", "low", "medium")[kind],
        "refute_votes": words.count("REFUTED"),
        "confirm_votes": words.count("CONFIRMED"),
        "uncertain_votes": words.count("UNCERTAIN"),
        "missing_votes": 0,
        "weak": False,
        "contested": False,
        "jurors": votes,
        **more,
        **fields,
    }


PANEL: Final = (
    ("deepseek-v4-pro:cloud", "deepseek"),
    ("kimi-k2.7-code:cloud", "moonshot"),
    ("glm-5.2:cloud", "zhipu"),
)


def seat(model: str, family: str, **fields: Any) -> dict[str, Any]:
    return {
        "model": model,
        "family": family,
        "served_model": model.removesuffix(":cloud"),
        "included": True,
        "verdicts_returned": 20,
        "elapsed_ms": 8_400,
        "attempts": 1,
        "usage": {"tokens_in": 4_100, "tokens_out": 900},
        "backend": "cloud",
        "host": "https://ollama.com",
        **fields,
    }


def result(claims: list[dict[str, Any]], **fields: Any) -> VerifyResult:
    """Give a result of these claims, read as JSON as from a ledger."""
    return VerifyResult.model_validate(
        {
            "run_id": "20260914T101200-0a1b2c3d",
            "status": "complete",
            "claims": claims,
            "panel": [seat(*who) for who in PANEL],
            "summary": f"{len(claims)} claim(s); panel 3/3 cloud-served",
            "min_refute_votes": 2,
            "weak": False,
            "prompt_version": "1",
            "params": {
                "polarity": "assertions",
                "reask": True,
                "seat_timeout_s": 300.0,
                "prompt_sha256": "ab" * 32,
                "jurors": {who: {"sent_model": who, "num_predict": 4096, "think": "low"} for who, _ in PANEL},
            },
            "evidence": [
                {"path": "src/area.py", "sha256": "cd" * 32, "bytes": 59, "lines": 2, "encoding": "utf-8"}
            ],
            "egress": [{"host": "ollama.com", "vendor": "Ollama", "files": ["src/area.py"], "bytes": 30_000}],
            "warnings": [],
            "elapsed_ms": 9_100,
            **fields,
        },
        strict=False,
    )


def run(claims: list[dict[str, Any]], **fields: Any) -> HtmlRun:
    return HtmlRun(result=result(claims, **fields), sources={"src/area.py": SOURCE}, started_at="2026-09-14")


def mixed(count: int, first: int = 1) -> list[dict[str, Any]]:
    """Give claims of all kinds, with long, right-to-left and emoji text among them."""
    statements = {2: ARABIC, 3: EMOJI, 5: HEBREW}
    claims = []
    for number in range(first, first + count):
        made = claim(number, number % 4)
        if number % 20 in statements:
            made["statement"] = statements[number % 20]
        if number % 20 == 4:
            made["jurors"][0]["rationale"] = LONG
        if number % 20 == 5:
            made["jurors"][1]["rationale"] = HEBREW
        claims.append(made)
    return claims


def many(runs: int, each: int = 20) -> list[HtmlRun]:
    """Give several runs of `each` claims."""
    return [
        run(mixed(each), run_id=f"20260914T1012{number:02}-{number:08x}", summary=f"{each} claim(s)")
        for number in range(runs)
    ]


def hostile_run(word: str = HOSTILE) -> HtmlRun:
    """Give a run that has this text wherever a model, a user or a host has a say, each with its own `mark7.`."""
    vote = {"severity": "high", "rationale": HOSTILE, "missing": HOSTILE}
    jurors = [
        {"model": HOSTILE, "family": HOSTILE, "verdict": said, **vote} for said in ("REFUTED", "CONFIRMED")
    ]
    prior = {"run_id": HOSTILE, "ended_at": HOSTILE, "verdict": "REFUTED", "scripted": True}
    fields: dict[str, Any] = {"id": HOSTILE, "statement": HOSTILE, "jurors": jurors, "prior_runs": [prior]}
    bad_seat = {
        "served_model": HOSTILE,
        "included": False,
        "exclude_reason": f"served_model_mismatch:{HOSTILE}",
        "detail": HOSTILE,
        "raw_sample": HOSTILE,
        "dropped": [{"id": HOSTILE, "reason": HOSTILE}],
        "excluded_votes": [{"id": HOSTILE, "verdict": "REFUTED", **vote}],
        "reasked": [HOSTILE],
        "replayed": True,
        "host": HOSTILE,
    }
    row = {"path": HOSTILE, "sha256": HOSTILE, "bytes": 9, "lines": 1, "encoding": HOSTILE}
    made = result(
        [claim(1, 3, **fields), claim(2, 2, **fields, missing=[HOSTILE]), claim(3, 0, **fields)],
        run_id=HOSTILE,
        panel=[seat(HOSTILE, HOSTILE, **bad_seat), seat(HOSTILE, HOSTILE)],
        summary=HOSTILE,
        prompt_version=HOSTILE,
        params={
            "polarity": "assertions",
            "reask": False,
            "seat_timeout_s": 1.0,
            "deadline_s": 2.0,
            "prompt_sha256": HOSTILE,
            "jurors": {HOSTILE: {"sent_model": HOSTILE, "num_predict": 1, "temperature": 0.2}},
        },
        evidence=[
            {**row, "commits": [HOSTILE, HOSTILE], "files": [HOSTILE], "replaced": 2},
            {**row, "start_line": 5, "end_line": 5},
        ],
        reference={"origin": "caller", "sha256": HOSTILE, "bytes": 9, "lines": 1},
        egress=[{"host": HOSTILE, "vendor": HOSTILE, "files": [HOSTILE], "bytes": 1}],
        scripted=True,
        resumed_from=HOSTILE,
        reused_from=HOSTILE,
        warnings=[HOSTILE, f"close_ids:{HOSTILE}"],
    )
    marked = VerifyResult.model_validate(_marked(made.to_json(), word, count(1)), strict=False)
    whole, excerpt = marked.evidence
    return HtmlRun(
        result=marked,
        sources={whole.path: f"mark901.{word}", f"{excerpt.path}:5-5": f"mark902.{word}"},
        started_at=f"mark903.{word}",
        reference=f"mark904.{word}",
    )


def _marked(value: Any, word: str, numbers: Iterator[int]) -> Any:
    """Put `word` with a mark of its own for each hostile text of some JSON."""
    if isinstance(value, dict):
        return {_marked(key, word, numbers): _marked(inner, word, numbers) for key, inner in value.items()}
    if isinstance(value, list):
        return [_marked(inner, word, numbers) for inner in value]
    if isinstance(value, str) and HOSTILE in value:
        return value.replace(HOSTILE, f"mark{next(numbers)}.{word}")
    return value
