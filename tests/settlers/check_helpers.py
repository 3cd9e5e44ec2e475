"""Small projects and small programs for checks: real files, real processes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import psutil

from claimjury.settlers.checks.outcome import CheckOutcome
from claimjury.settlers.checks.run import run_checks

__all__ = ["OURS", "PYTEST", "TREE", "is_gone", "make_project", "only_check", "program"]

OURS: Final = str(Path(sys.executable).parent)
"""Where ruff, mypy and pytest are."""
PYTEST: Final = {"pytest.ini": "[pytest]\n"}
# A program that starts another, which leaves its session, writes its id to a pipe and hangs for ever.
TREE: Final = """
import os, signal, subprocess, sys
code = "import os, signal; open({fifo!r}, 'w').write(str(os.getpid())); signal.pause()"
subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
print("begun", flush=True)
{end}
"""


def make_project(files: Mapping[str, str], at: Path | None = None) -> Path:
    """Write these files, below the working directory where no folder is named."""
    top = at or Path.cwd()
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return top


def program(path: Path, code: str, *, python: bool = False) -> Path:
    """Write a program that can be run: of sh, or of Python."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable if python else '/bin/sh'}\n{code}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def only_check(project: Path, name: str, **options: float) -> CheckOutcome:
    """Run one check."""
    (check,) = run_checks(project, only=[name], **options).checks  # type: ignore[arg-type]
    return check


def is_gone(process: psutil.Process) -> bool:
    """Whether a process has ended, or does within 10 seconds; who its parent is decides whether it is a zombie until then."""
    try:
        process.wait(10)
    except psutil.TimeoutExpired:
        return process.status() == psutil.STATUS_ZOMBIE
    return True
