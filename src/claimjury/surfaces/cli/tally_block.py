"""`claimjury tally-block`: the block that a coding agent wrote, counted again from its skeptics' lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from claimjury.surfaces.cli import options as opt

if TYPE_CHECKING:
    from claimjury.skeptics.block import ReadBlock
    from claimjury.skeptics.tally import RefuteTally

__all__ = ["tally_block"]

BlockFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="A text that holds one block of skeptics, or - for standard input."),
]
_MAX_BYTES: Final = 1_000_000
_DECIDES_NOTHING: Final = 20
_GROUNDS: Final = (
    "A block alone does not show on what grounds a skeptic refuted. A reason that begins with `by default:` or "
    "`fault:` is taken at its word; every other refutation counts as one on evidence."
)
_CEILING: Final = (
    "This is supporting evidence, not proof. Skeptics that one model plays in one context are not independent, and "
    "nothing here checks what they cite."
)
_EXITS: Final = {
    0: "the claim holds, without a tie",
    4: "every skeptic broke down",
    10: "the claim is refuted on evidence",
    20: "a tie, a refutation only by default or fault, or a block that contradicts itself",
}


def tally_block(file: BlockFile, as_json: opt.Json = False) -> int:
    """Count a coding agent's block of skeptics again, and say where it contradicts itself.

    Exit status: 0 the claim holds; 10 refuted on evidence; 20 a tie, refuted only by default or fault, or the block says
    otherwise than its lines; 4 every skeptic broke down; 2 it cannot be read.
    """
    from claimjury.skeptics.block import parse_block
    from claimjury.surfaces.cli.outputs import print_json
    from claimjury.surfaces.cli.streams import emit

    read = parse_block(_text(file))
    # A block that contradicts itself decides nothing, whichever of its two answers would pass a gate.
    status = _DECIDES_NOTHING if read.differences else read.block.tally.exit_status
    if as_json:
        print_json({**_as_json(read), "exit_status": status})
    else:
        emit("".join(f"{line}\n" for line in _as_lines(read, status)))
    return status


def _text(file: str) -> str:
    from pathlib import Path

    from claimjury.evidence.decoding import decode
    from claimjury.evidence.files import Role, read_named
    from claimjury.text import clean_line

    if file == "-":
        return decode(_standard_input(), "on standard input", noun="text").text
    role = Role(
        noun="block's file",
        max_bytes=_MAX_BYTES,
        if_irregular="Name a file, or use `-` to pipe the block in.",
        if_large="A block has a few lines: check that this is the right file.",
        if_denied="Give the block in a file of another name, or use `-` to pipe it in.",
    )
    return decode(read_named(Path(file), role), clean_line(file), noun="file").text


def _standard_input() -> bytes:
    import sys

    from claimjury.errors import InvalidRequest

    if sys.stdin is None:
        raise InvalidRequest(
            "Standard input is closed, so `-` names nothing.", hint="Pipe the block in, or name a file."
        )
    data = sys.stdin.buffer.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise InvalidRequest(
            f"Standard input is over {_MAX_BYTES:,} bytes.",
            hint="A block has a few lines: pipe in only that.",
        )
    return data


def _as_json(read: ReadBlock) -> dict[str, Any]:
    from dataclasses import asdict

    counted = asdict(read.block.tally)
    skeptics = [
        {
            "number": place,
            "angle": row.angle,
            "refuted": row.finding.refutes,
            "grounds": row.finding.counted,
            "reason": row.finding.reason,
        }
        for place, row in enumerate(read.block.skeptics, start=1)
    ]
    # The status of the whole stands beside it: that of the lines alone would pass where the block contradicts itself.
    del counted["exit_status"]
    return {
        "agrees": not read.differences,
        "tally": counted,
        "said": asdict(read.said),
        "differences": [asdict(difference) for difference in read.differences],
        "out_of_order": list(read.out_of_order),
        "claim": read.block.claim,
        "skeptics": skeptics,
        "basis": read.block.basis,
        "notes": [_GROUNDS, _CEILING],
    }


def _as_lines(read: ReadBlock, status: int) -> list[str]:
    from claimjury.text import clean_line

    lines = [_headline(read), f"Claim: {clean_line(read.block.claim)}"]
    lines += [
        f"  line {row.line}: {row.field} is {clean_line(row.said)}, and its lines come to {row.recomputed}"
        for row in read.differences
    ]
    if read.out_of_order:
        places = ", ".join(map(str, read.out_of_order))
        lines.append(f"The angles are not in their fixed order: see skeptic {places}.")
    return [*lines, _GROUNDS, _CEILING, f"Exit status {status}: {_EXITS[status]}."]


def _headline(read: ReadBlock) -> str:
    counted = read.block.tally
    if not read.differences:
        return f"{_counts(counted)} The block agrees with its lines."
    return (
        f"THE BLOCK CONTRADICTS ITSELF and decides nothing. It says {read.said.verdict}, refuted={read.said.refuted}/"
        f"{read.said.out_of}. Its lines come to {_counts(counted)}"
    )


def _counts(counted: RefuteTally) -> str:
    tie = " by a tie" if counted.tie else ""
    return (
        f"{counted.verdict}{tie}: {counted.refuted} of {counted.n} refute it ({counted.refuted_on_evidence} on evidence, "
        f"{counted.refuted_by_default} by default, {counted.faulted} by fault)."
    )
