"""A small repository with a bug, and scripted skeptics over it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from claimjury.models.routes import Access
from claimjury.skeptics.refute import refute_claim
from claimjury.skeptics.result import RefuteResult
from claimjury.testing import Asked, Reply, Script, ScriptedOllama

MODEL: Final = "deepseek-v4-pro:cloud"
CLAIM: Final = "In cache.py the function get returns None for a key that has expired."
CACHE: Final = """\
import time

class Cache:
    def __init__(self):
        self.items = {}

    def get(self, key):
        value, until = self.items.get(key, (None, 0))
        return value if until > time.time() else None
"""
READ: Final = ("read", {"path": "cache.py"})
GREP: Final = ("grep", {"pattern": r"\.get\("})


def repository(path: Path | None = None) -> Path:
    folder = path or Path.cwd() / "repo"
    if (folder / ".git").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cache.py").write_text(CACHE, encoding="utf-8")
    (folder / "use.py").write_text("from cache import Cache\n\nprint(Cache().get('a'))\n", encoding="utf-8")
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "The cache works."], check=True)
    return folder


def spoken(asked: Asked) -> int:
    """How often the model has spoken in the talk that a request goes on with."""
    return sum(row.get("role") == "assistant" for row in asked.body["messages"])


def verdict(refuted: object, reason: str = "cache.py:9 shows it.", **rest: Any) -> Callable[[Asked], str]:
    def content(asked: Asked) -> str:
        body = {"nonce": asked.nonce, "reason": reason, "basis": "evidence", "refuted": refuted, **rest}
        return json.dumps(body)

    return content


def steps(*replies: Reply) -> Callable[[Asked], Reply]:
    """Script one skeptic: each of its turns is told by what tools have said so far, not by who else asks."""

    def script(asked: Asked) -> Reply:
        return replies[min(spoken(asked), len(replies) - 1)]

    return script


def calls(*asked: tuple[str, Any]) -> Reply:
    return Reply(calls=list(asked))


def angle(asked: Asked) -> str:
    """The short name of the angle that a request is asked from."""
    titles = ("factual", "logical", "steelman", "provenance", "adversarial")
    return next(name for name in titles if f"# Your angle: {name}" in asked.prompt)


async def refute(script: Script, claim: str = CLAIM, **options: Any) -> tuple[RefuteResult, ScriptedOllama]:
    with ScriptedOllama({options.get("model") or MODEL: script}) as server:
        access = Access(cloud=server.trusted_cloud)
        if "repo" not in options:
            options["repo"] = repository()
        result = await refute_claim(claim, access=access, **options)
    return result, server


def grounds(result: RefuteResult) -> list[tuple[bool, str]]:
    return [(one.refuted, one.grounds) for one in result.skeptics]


def reasons(result: RefuteResult) -> Sequence[str]:
    return [one.reason for one in result.skeptics]
