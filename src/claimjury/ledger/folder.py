"""A folder held against a receipt: the evidence that lies there, and what of it has changed since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from claimjury.errors import ConfigInvalid, InvalidRequest, RequestError
from claimjury.evidence.clearing import cleared_source
from claimjury.evidence.decoding import decode
from claimjury.evidence.files import read_file
from claimjury.evidence.reference import MAX_REFERENCE, Reference
from claimjury.evidence.roots import confine
from claimjury.evidence.sources import Source, count_lines
from claimjury.evidence.stripping import stripped
from claimjury.ledger.check_steps import Step, make_step
from claimjury.ledger.receipt_form import EvidenceItem, text_sha256
from claimjury.text import clean_line
from claimjury.values import Value

__all__ = [
    "Changed",
    "changes",
    "checked_folder",
    "evidence_step",
    "find_reference",
    "reload_source",
    "source_faults",
]

_BYTES_PER_CHARACTER: Final = 4


class Changed(Value):
    """A source that is not any more what was judged.

    Attributes:
        name: Relative to the folder, as in the receipt.
        state: `missing` where there is no such file that can be read.
        sha256: Of the file as it is now.
    """

    name: str
    state: Literal["changed", "missing"]
    sha256: str | None = None


def checked_folder(folder: Path) -> Path:
    """Give the folder, links followed.

    Raises:
        ConfigInvalid: It is none.
    """
    if not folder.is_dir():
        raise ConfigInvalid(
            f"{clean_line(str(folder))} is not a directory.",
            hint="Name the one that the sources' names are relative to.",
        )
    return folder.resolve()


def changes(evidence: Sequence[EvidenceItem], folder: Path) -> Iterator[Changed]:
    """Give the files that differ from what was judged, in their order, each once. Diffs never change."""
    files = {row.name: row for row in evidence if row.kind == "source" and row.name is not None}
    for name, row in files.items():
        try:
            now = sha256(_bytes(name, folder)).hexdigest()
        except RequestError:
            yield Changed(name=name, state="missing")
            continue
        if now != row.file_sha256:
            yield Changed(name=name, state="changed", sha256=now)


def source_faults(evidence: Sequence[EvidenceItem], folder: Path) -> Iterator[str]:
    """Say which files are not those that were judged, as sentences."""
    for change in changes(evidence, folder):
        if change.state == "missing":
            yield f"The file {change.name} cannot be read in the folder."
        else:
            yield f"The file {change.name} is not the one that was judged: its hash is {change.sha256}."
    for row in evidence:
        if row.kind == "source":
            yield from _content_faults(row, folder)


def evidence_step(evidence: Sequence[EvidenceItem], folder: Path | None) -> Step:
    """Give whether the evidence is what lies in the folder, as far as that can be told."""
    name = "evidence"
    if folder is None:
        unchecked = "Without a folder the evidence is known by its hashes alone." if evidence else ""
        return make_step(name, [], unchecked=unchecked)
    others = list(_unlooked(evidence, folder))
    unchecked = f"Only files are looked up in a folder; not checked there: {', '.join(others)}."
    return make_step(name, source_faults(evidence, folder), unchecked=unchecked if others else "")


def _unlooked(evidence: Sequence[EvidenceItem], folder: Path) -> Iterator[str]:
    """Give the evidence that is no file of the folder; the reference may be one, under any name."""
    for row in evidence:
        if row.kind == "diff":
            yield row.name or "a diff"
        elif row.kind == "reference" and find_reference(row, folder) is None:
            yield "the reference"


def _content_faults(row: EvidenceItem, folder: Path) -> Iterator[str]:
    try:
        source = reload_source(row, folder)
    except RequestError:
        yield f"The file {row.name} cannot be read as it was."
        return
    if text_sha256(source.text) != row.content_sha256:
        yield f"What was sent of {row.name} is not what the file says there."
    if (source.bytes, source.lines, source.encoding) != (row.size, row.lines, row.encoding):
        yield f"Size, lines or encoding of {row.name} are not those of the file."


def reload_source(row: EvidenceItem, folder: Path) -> Source:
    """Give a source as it was sent.

    Raises:
        EvidenceError: It cannot be read, or is not text.
    """
    name = row.name or ""
    data = _bytes(name, folder)
    decoded = decode(data, clean_line(name))
    bare = stripped(decoded.text, name) if row.stripped is not None else None
    text = decoded.text if bare is None else bare[0]
    excerpt = None if row.start_line is None or row.end_line is None else (row.start_line, row.end_line)
    source = Source(
        path=name,
        text=text if excerpt is None else _cut(text, excerpt),
        sha256=sha256(data).hexdigest(),
        bytes=len(data),
        lines=count_lines(decoded.text),
        encoding=decoded.encoding,
        replaced=decoded.replaced,
        guessed=decoded.guessed,
        excerpt=excerpt,
        stripped=None if bare is None else bare[1],
        whole=None if excerpt is None else text,
    )
    return cleared_source(source, redacting=True) if row.redacted else source


def find_reference(row: EvidenceItem, folder: Path) -> Reference | None:
    """Give the reference where a file at the top of the folder is it, by its hash; it has no name of its own."""
    if row.size > MAX_REFERENCE * _BYTES_PER_CHARACTER:
        return None
    for path in sorted(folder.iterdir()):
        # What may not be read, or could be no reference, is not it.
        with suppress(OSError, InvalidRequest):
            if not path.is_file() or path.stat().st_size != row.size:
                continue
            data = path.read_bytes()
            if sha256(data).hexdigest() == row.content_sha256:
                return Reference(text=data.decode("utf-8", "replace"), origin=row.origin or "caller")
    return None


def _cut(text: str, excerpt: tuple[int, int]) -> str:
    """Give the lines of an excerpt, as evidence/sources.py cuts them."""
    first, last = excerpt
    lines = text.split("\n")
    if not 1 <= first <= last:
        raise InvalidRequest("An excerpt names no lines.", hint="Lines count from 1.")
    cut = "\n".join(lines[first - 1 : last])
    return f"{cut}\n" if last < len(lines) else cut


def _bytes(name: str, folder: Path) -> bytes:
    """Read one file below the folder; a name that leads out of it is refused."""
    shown = clean_line(name)
    resolved, _ = confine(folder / name, [folder])
    return read_file(resolved, shown)
