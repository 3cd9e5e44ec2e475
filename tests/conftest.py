"""What every test stands on: no waits between retries, no key and no setting of this machine's."""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import stamina

from claimjury.models.providers import PROVIDERS

# What Windows does not have; a test that needs it is skipped there, by name.
_POSIX = re.compile(r"mkfifo|AF_UNIX|symlink_to|chmod|/dev/|/etc/|RLIMIT|umask|geteuid|HOME")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if sys.platform != "win32":
        return
    for item in items:
        function = getattr(item, "function", None)
        if function is not None and _POSIX.search(inspect.getsource(function)):
            item.add_marker(pytest.mark.skip(reason="needs POSIX files"))


# Files that tests read, among them a small project with tests of its own.
collect_ignore = ["data"]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where nothing may be skipped (NO_SKIPS=1, as in CI), a skipped test fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("NO_SKIPS") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True, scope="session")
def no_waits() -> Iterator[None]:
    with stamina.set_testing(True, attempts=3, cap=True):
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
        *(key for row in PROVIDERS.values() for key in row.keys),
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
