from __future__ import annotations

import pytest

from cli.helpers import Cli


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capfd, monkeypatch)
