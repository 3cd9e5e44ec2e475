"""The corpus of citations: a small repository, 60 texts of one form each, and 60 last messages of coding agents."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

CORPUS: Final = Path(__file__).parents[1] / "data" / "citations"


def rows(name: str) -> list[dict[str, Any]]:
    lines = (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def make_repository(folder: Path) -> Path:
    """Give the repository of the corpus, tracked by git, with the empty folder of its submodule."""
    shutil.copytree(CORPUS / "repo", folder)
    (folder / "vendor" / "lib").mkdir(parents=True, exist_ok=True)
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "The parcel service."]):
        subprocess.run([*git, *command], check=True)
    return folder
