"""What pytest did, written down as it happens. A copy of this file is given to pytest as a plugin.

It runs in the project's own interpreter, so it asks for nothing but pytest, and for no newer Python than Pythons in use.
JUnit's file would not do: it does not tell what was deselected, nor an xpass from a pass, nor a test's own id.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Tuple  # noqa: UP035 - for old Pythons.

import pytest

_RECORD = Path(__file__).with_name("record.json")
_SHARED = "claimjury_witness"
_NOT_SUPPORTED = "async def functions are not natively supported"
_OF_THE_MACHINE = (
    "ModuleNotFoundError",
    "ImportError",
    "FileNotFoundError: [Errno 2] No such file or directory:",
    "PermissionError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "TimeoutError",
    "OSError: [Errno",
    "socket.gaierror",
    "urllib.error.URLError",
    "requests.exceptions.Connect",
    "httpx.Connect",
)
"""How the message of an exception begins that tells of what is not there or cannot be reached: a program, a host, a file."""
_UNEXPECTED = ("Unexpected success", "[XPASS(strict)]")
_WORST = ("error", "failed", "xpassed", "xfailed", "skipped", "passed")
# By its name in pytest's options: as it is written, and whether it has a value.
_NARROWS: Dict[str, Tuple[str, bool]] = {  # noqa: UP006
    "keyword": ("-k", True),
    "markexpr": ("-m", True),
    "deselect": ("--deselect", True),
    "ignore": ("--ignore", True),
    "ignore_glob": ("--ignore-glob", True),
    "maxfail": ("--maxfail (-x)", True),
    "lf": ("--last-failed", False),
    "stepwise": ("--stepwise", False),
    "collectonly": ("--collect-only", False),
    "setuponly": ("--setup-only", False),
    "setupplan": ("--setup-plan", False),
    "testmon": ("--testmon", False),
    "picked": ("--picked", False),
    "splits": ("--splits", True),
    "num_shards": ("--num-shards", True),
}


class _Witness:
    def __init__(self, config: Any) -> None:
        self.config = config
        self.items: Dict[str, str] = {}  # noqa: UP006
        self.modules: Dict[str, str] = {}  # noqa: UP006
        self.reruns = 0
        self.subtests = 0
        self.unexpected = 0
        # Of pytest-xdist's workers, each sees all tests.
        self.seen: Dict[str, int] = {"deselected": 0, "flaky": 0}  # noqa: UP006

    @property
    def is_worker(self) -> bool:
        return hasattr(self.config, "workerinput")

    def pytest_deselected(self, items: List[Any]) -> None:  # noqa: UP006
        self.seen["deselected"] += len(items)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: Any) -> None:
        self.seen["flaky"] = sum(item.get_closest_marker("flaky") is not None for item in session.items)
        if self.is_worker:
            self.config.workeroutput[_SHARED] = dict(self.seen)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        shared = getattr(node, "workeroutput", {}).get(_SHARED, {})
        self.seen = {name: max(count, shared.get(name, 0)) for name, count in self.seen.items()}

    def pytest_collectreport(self, report: Any) -> None:
        if report.outcome != "passed":
            self.modules[report.nodeid] = "error" if report.outcome == "failed" else "skipped"

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.outcome == "rerun":
            self.reruns += 1
            self.items.pop(report.nodeid, None)
            return
        self.subtests += hasattr(report, "context")
        self.unexpected += _passed_against_expectation(report)
        came = _came(report)
        if came is not None:
            before = self.items.get(report.nodeid, came)
            self.items[report.nodeid] = min(came, before, key=_WORST.index)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: Any) -> None:
        if self.is_worker:
            return
        record = {
            "items": self.items,
            "modules": self.modules,
            "selected": session.testscollected,
            "reruns": self.reruns,
            "subtests": self.subtests,
            "unexpected": self.unexpected,
            "narrowed": _narrowed(self.config),
            **self.seen,
        }
        _RECORD.write_text(json.dumps(record), encoding="utf-8")


def _came(report: Any) -> Any:
    """Give what a phase of a test says of it, or None where it says nothing."""
    if report.outcome == "failed":
        return "failed" if report.when == "call" and not _is_the_machines(report) else "error"
    expected_to_fail = hasattr(report, "wasxfail")
    if report.outcome == "skipped":
        return "xfailed" if expected_to_fail else _skipped(report)
    if report.when != "call":
        return None
    return "xpassed" if expected_to_fail else "passed"


def _is_the_machines(report: Any) -> bool:
    """Whether a test may have failed by what is not on this machine: a plugin, a module, a program, a host, a variable."""
    crash = getattr(report.longrepr, "reprcrash", None)
    message = report.longrepr if isinstance(report.longrepr, str) else getattr(crash, "message", "")
    of_environ = message.startswith("KeyError") and Path(getattr(crash, "path", "")).name in (
        "os.py",
        "<frozen os>",
    )
    return _NOT_SUPPORTED in message or message.startswith(_OF_THE_MACHINE) or of_environ


def _passed_against_expectation(report: Any) -> bool:
    """Whether what pytest reports as a failure is a test that passed: of unittest, or a strict xfail."""
    said = report.longrepr
    return report.outcome == "failed" and isinstance(said, str) and said.startswith(_UNEXPECTED)


def _skipped(report: Any) -> Any:
    """A skipped part of a test (a subtest) is not the test."""
    return None if hasattr(report, "context") else "skipped"


def _narrowed(config: Any) -> List[str]:  # noqa: UP006
    found = []
    for name, (written, has_value) in _NARROWS.items():
        value = getattr(config.option, name, None)
        if value:
            found.append(f"{written} {value}" if has_value else written)
    if getattr(getattr(config, "args_source", None), "name", "") == "ARGS":
        found.append(f"paths {' '.join(map(str, config.args))}")
    for plugin in config.pluginmanager.get_plugins():
        for name in ("collect_ignore", "collect_ignore_glob"):
            value = getattr(plugin, name, None)
            if isinstance(value, list) and value:
                found.append(f"{name} {' '.join(map(str, value))}")
    return found


def pytest_configure(config: Any) -> None:
    """Begin to watch."""
    config.pluginmanager.register(_Witness(config), "claimjury-witness")
