"""What the tests of sources share: a file made, and a refusal read."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimjury.errors import RequestError
from claimjury.evidence.sources import load_sources


def write(name: str, data: bytes = b"x\n") -> Path:
    """Make a file, with its folders."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def refusal(kind: type[RequestError], *paths: str | Path, roots: list[Path] | None = None) -> str:
    """Give the message of the refusal, which must say what to do and exit with 2."""
    with pytest.raises(kind) as caught:
        load_sources(paths, roots=roots)
    assert caught.value.hint
    assert caught.value.exit_status == 2
    return caught.value.message
