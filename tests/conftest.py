"""What every test stands on: no waits between retries, no key and no setting of this machine's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import stamina


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True, scope="session")
def no_waits() -> Iterator[None]:
    with stamina.set_testing(True, attempts=3):
        yield


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run in an empty directory below a home that is nobody's."""
    for name in (
        "OLLAMA_API_KEY",
        "OLLAMA_CLOUD_HOST",
        "OLLAMA_HOST",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "NO_COLOR",
    ):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name in [name for name in os.environ if name.startswith(("CLAIMJURY_", "XDG_", "GIT_"))]:
        monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
