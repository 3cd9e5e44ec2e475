"""Runs with receipts, and a forger who knows every hash."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from claimjury.evidence.reference import load_reference
from claimjury.ledger.checking import CheckReport, check_receipt
from claimjury.ledger.reading import StoredRun, load_run
from claimjury.ledger.receipt_form import canonical, manifest_of, text_sha256, whole_sha256
from claimjury.ledger.receipts import export_receipt
from claimjury.ledger.store import open_ledger
from claimjury.surfaces.cli.claims_file import load_claims_file
from claimjury.testing import Script
from claimjury.testing.demo import DEMO_PANEL, EXAMPLE, demo_scripts
from jury.helpers import TRIO
from ledger.helpers import FILE, kept
from ledger.plain_host import plain_host

Path_ = tuple[str | int, ...]


async def stored_run(scripts: Mapping[str, Script], **options: Any) -> StoredRun:
    """Run a panel into the ledger and read the run back."""
    result = await kept(scripts, **options)
    with open_ledger(FILE) as ledger:
        return load_run(ledger, result.run_id)


async def demo_run(**options: Any) -> StoredRun:
    """Keep the run of the demo: a re-ask, prose around a ballot, a model that is not the one asked for, a dissent."""
    return await stored_run(
        demo_scripts(),
        claims=load_claims_file(EXAMPLE / "claims.json"),
        panel=DEMO_PANEL,
        source_paths=[EXAMPLE / "ttl_cache.py", EXAMPLE / "test_ttl_cache.py"],
        reference=load_reference(EXAMPLE / "test_output.txt"),
        roots=[EXAMPLE],
        **options,
    )


def unmarked(verdicts: Mapping[str, str], model: str) -> bytes:
    """Give a reply without the scripted server's mark, as a real host's would be."""
    votes = [
        {"id": ident, "rationale": "Line 1 shows it.", "verdict": verdict, "severity": "high"}
        for ident, verdict in verdicts.items()
    ]
    whole = {
        "model": model.removesuffix(":cloud"),
        "message": {"role": "assistant", "content": json.dumps({"verdicts": votes})},
        "done": True,
        "done_reason": "stop",
    }
    return json.dumps(whole).encode()


async def real_receipt(**options: Any) -> bytes:
    """Give the receipt of a run whose replies carry no mark of a script."""
    bodies = {model.removesuffix(":cloud"): unmarked({"c1": "CONFIRMED"}, model) for model in TRIO}
    with plain_host(bodies) as cloud:
        return export_receipt(await stored_run({}, **{"panel": TRIO, "cloud": cloud, **options}))


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Give the path of every leaf; an empty list or object is one."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    children = [leaf for key, item in items for leaf in leaves(item, (*path, key))]
    return iter(children or [path])


def changed(parts: dict[str, Any], path: Path_) -> dict[str, Any]:
    """Give a copy with one leaf changed to another of its kind."""
    copied = copy.deepcopy(parts)
    holder: Any = copied
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = _other(holder[path[-1]])
    return copied


def _other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            others = {"CONFIRMED": "REFUTED", "REFUTED": "CONFIRMED", "UNCERTAIN": "CONFIRMED"}
            return others.get(value, _other_word(value))
        case list():
            return ["x"]
        case _:
            return {"x": "x"}


def _other_word(value: str) -> str:
    sets = [
        ("assertions", "findings"),
        ("complete", "partial"),
        ("firm", "thin"),
        ("high", "medium", "low"),
        ("source", "diff"),
        ("file", "caller"),
    ]
    words = next((words for words in sets if value in words), (value,))
    return next((word for word in words if word != value), f"{value}x")


def resealed(parts: dict[str, Any]) -> bytes:
    """Give the bytes with `receipt_sha256` computed anew, and nothing else."""
    return canonical({**parts, "receipt_sha256": whole_sha256(parts)})


def forged(parts: dict[str, Any]) -> bytes:
    """Give the bytes with every hash computed anew that can be: texts, manifest, whole."""
    parts = copy.deepcopy(parts)
    for claim in parts["claims"]:
        claim["sha256"] = text_sha256(claim["statement"])
    for seat in parts["seats"]:
        for reply in seat["replies"]:
            reply["sha256"] = text_sha256(reply["text"])
    return resealed({**parts, "manifest": manifest_of(parts)})


def check(data: bytes, evidence: Path | None = None) -> CheckReport:
    return check_receipt(data, evidence=evidence)
