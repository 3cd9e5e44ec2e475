"""What may bring a dependency in beside the manifests that are read: other files, commands that install, imports that nothing declares."""

from __future__ import annotations

import re
import sys
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.declaring import declared_names
from claimjury.settlers.evidence import Evidence
from claimjury.settlers.manifests import declares_by_itself, is_lock, is_manifest, may_declare
from claimjury.settlers.outcome import Silent, show
from claimjury.settlers.sources import parse_source
from claimjury.settlers.syntax import language_of
from claimjury.settlers.texts import bones
from claimjury.text import clean_line

__all__ = ["told_elsewhere", "unread_hit", "unread_then"]

_PROSE: Final = frozenset({".md", ".rst", ".txt", ".adoc", ".markdown"})
_MAX_LINE: Final = 500
_INSTALLS: Final = re.compile(
    r"\b(?:npx|bunx|uvx)\s+[@\w-]|(?:from|import)\s*\(?[\"'](?:https?|npm|jsr):"
    r"|\b(?:pip3?|pipx|npm|yarn|pnpm|bun|apt|apt-get|apk|brew|cargo|gem|conda|mamba|uv|poetry|go)\s+(?:-\S+\s+)*(?:pip\s+)?(?:install|add|get|i)\s+(?!-[re]\b)[@\w-]"
)
_OF_NODE: Final = frozenset(
    [
        *(
            "assert",
            "buffer",
            "child_process",
            "crypto",
            "dns",
            "events",
            "fs",
            "http",
            "https",
            "net",
            "os",
            "path",
        ),
        *(
            "perf_hooks",
            "process",
            "querystring",
            "readline",
            "stream",
            "string_decoder",
            "timers",
            "tls",
            "url",
        ),
        *("util", "v8", "vm", "worker_threads", "zlib"),
    ]
)
"""Modules of Node's own, of those that programs import."""


def unread_hit(name: str, evidence: Evidence) -> Silent | None:
    """Silence where a file that may declare dependencies in a way that is not read here holds the name."""
    paths = dict.fromkeys(hit.path for hit in evidence.found(name).all_hits)
    path = next(filter(_is_unread, paths), None)
    return None if path is None else Silent(reason=f"{clean_line(path)} holds {clean_line(name)} too.")


def _is_unread(path: str) -> bool:
    return may_declare(path) and not is_manifest(path) and not is_lock(path)


def unread_then(name: str, evidence: Evidence) -> Silent | None:
    """Silence likewise by such files of the change as they were at the base."""
    change = evidence.known_change
    wanted = bones(name)
    for path in sorted(change.paths & change.then.keys()) if change else ():
        text = (evidence.read_then(path) or b"").decode("utf-8", "replace") if _is_unread(path) else ""
        if wanted in bones(text):
            return Silent(reason=f"{clean_line(path)} held {clean_line(name)} at the base.")
    return None


def told_elsewhere(evidence: Evidence) -> Silent | None:
    """Silence where the change touches a file that may declare dependencies in a way that is not read here."""
    change = evidence.known_change
    known = declared_names(evidence) if change else frozenset[str]()
    for path in sorted(change.paths) if change else ():
        if (module := _imported_anew(path, known, evidence)) is not None:
            return Silent(
                reason=f"{clean_line(path)} imports {clean_line(module)}, which no manifest declares."
            )
        if (line := _installing(path, evidence)) is not None:
            return Silent(reason=f"{clean_line(path)} installs by itself: {show(line)}.")
        if may_declare(path) and not is_manifest(path):
            return Silent(
                reason=f"The change touches {clean_line(path)}, which may declare dependencies too."
            )
        if path.endswith(".py") and declares_by_itself(evidence.read(path)):
            return Silent(reason=f"{clean_line(path)} declares dependencies of its own.")
    return None


def _installing(path: str, evidence: Evidence) -> str | None:
    """Give a line of a changed file that installs something, other than the project's own declared things."""
    if PurePosixPath(path).suffix in _PROSE:
        return None
    lines = evidence.text(path).splitlines()
    return next((line for line in lines if len(line) <= _MAX_LINE and _INSTALLS.search(line)), None)


def _imported_anew(path: str, known: frozenset[str], evidence: Evidence) -> str | None:
    """Give a package that a changed source imports and did not at the base, where no manifest declares it and the tree has none of it."""
    language = language_of(path)
    if language not in ("python", "javascript", "typescript", "tsx"):
        return None
    new = _roots(path, evidence.read(path), language) - _roots(path, evidence.read_then(path), language)
    usual = sys.stdlib_module_names if language == "python" else _OF_NODE
    return next((root for root in sorted(new - usual - known) if not _is_of_tree(root, evidence)), None)


def _roots(path: str, data: bytes | None, language: str) -> set[str]:
    """Give the first names of what a source imports from elsewhere."""
    source = None if data is None else parse_source(path, data)
    modules = (one.module for one in source.outline.imports) if source else ()
    if language == "python":
        return {module.partition(".")[0] for module in modules if module and not module.startswith(".")}
    bare = (
        module for module in modules if module and not module.startswith((".", "/", "#", "node:", "@/", "~"))
    )
    return {"/".join(module.split("/")[: 2 if module.startswith("@") else 1]) for module in bare}


def _is_of_tree(root: str, evidence: Evidence) -> bool:
    return any(root in path.split("/") or PurePosixPath(path).stem == root for path in evidence.files)
