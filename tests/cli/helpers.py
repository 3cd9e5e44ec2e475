"""Running the command line in this process, against a scripted host."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from claimjury.surfaces.cli.main import run
from claimjury.testing import ScriptedOllama


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


class Cli:
    """Runs command lines and gives what came of them."""

    def __init__(self, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capfd = capfd
        self._monkeypatch = monkeypatch

    def use(self, server: ScriptedOllama) -> None:
        self._monkeypatch.setenv("OLLAMA_CLOUD_HOST", server.url)
        self._monkeypatch.setenv("OLLAMA_API_KEY", "sk-canary-0123456789")

    def __call__(self, *args: str) -> Ran:
        self._capfd.readouterr()
        status = run(args)
        out, err = self._capfd.readouterr()
        return Ran(status=status, out=out, err=err)
