"""Runs of skeptics that were kept, shown as `refute` showed them, or as far as they came."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimjury.ledger.refutations import StoredRefutation

__all__ = ["show_refutation"]


def show_refutation(stored: StoredRefutation, output: Path | None, output_format: str) -> int:
    """Show a kept run of skeptics. Exit status: 0, whatever its verdict."""
    from claimjury.surfaces.cli.outputs import write_file
    from claimjury.surfaces.cli.refuting import show_refute
    from claimjury.surfaces.cli.streams import emit
    from claimjury.text import safe_json

    if stored.result is not None:
        show_refute(stored.result, output, output_format)
        return 0
    if output_format == "json":
        text = safe_json(_unfinished_json(stored)) + "\n"
    else:
        text = "".join(f"{line}\n" for line in _unfinished(stored))
    if output is not None:
        write_file(output, text)
    else:
        emit(text)
    return 0


def _unfinished(stored: StoredRefutation) -> Iterator[str]:
    from claimjury.text import clean_line

    run_id, n = stored.row["run_id"], stored.row["n"]
    if stored.ended is not None:
        yield f"{run_id}: {stored.ended['summary']}. Only its hashes, counts and findings were kept."
        return
    yield f"{run_id}: no verdict, since it did not end; {len(stored.skeptics)} of {n} skeptics had."
    for one in stored.skeptics:
        yield (
            f"  {one.place}. [{one.angle}] refuted={str(one.refuted).lower()} ({one.grounds}) -- {clean_line(one.reason)}"
        )


def _unfinished_json(stored: StoredRefutation) -> dict[str, object]:
    if stored.ended is not None:
        kept = {name: stored.ended[name] for name in ("status", "exit_status", "verdict", "summary")}
        return {"run_id": stored.row["run_id"], "content_kept": False, **kept}
    return {
        "run_id": stored.row["run_id"],
        "status": "unfinished",
        "n": stored.row["n"],
        "skeptics": [one.to_json() for one in stored.skeptics],
    }
