"""A checker is clean, by a run of ours on this tree, where the change does not loosen it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.checks.outcome import CheckName
from claimjury.settlers.evidence import Change, Evidence
from claimjury.settlers.our_runs import our_run, run_proof
from claimjury.settlers.outcome import Decision, Form, Reading, Settler, Silent, confirmed, refuted
from claimjury.text import clean_line

__all__ = ["CHECKERS"]

_GRAMMAR: Final = r"""
command: TEXT
!checker: "ruff" | "mypy" | "pyright" | "tsc" | "eslint" | "cargo" "check" | "go" "vet"
_trouble: ("type" | "lint")? ("errors" | "issues" | "problems" | "diagnostics" | "findings")
_clean: _pass ("without" _trouble)? | _is "clean" | ("reports" | "finds" | "ends" "with" | "gives" | "shows") "no" _trouble | "exits" "with" ("0" | "status" "0")
checker_clean: checker _now? _clean | _there_is "no" checker _trouble
command_clean: command _now? _clean
"""
_CONFIGS: Final[dict[CheckName, frozenset[str]]] = {
    "ruff": frozenset(["pyproject.toml", "ruff.toml", ".ruff.toml"]),
    "mypy": frozenset(["pyproject.toml", "mypy.ini", ".mypy.ini", "setup.cfg"]),
    "pyright": frozenset(["pyproject.toml", "pyrightconfig.json"]),
    "tsc": frozenset(["tsconfig.json", "package.json"]),
    "eslint": frozenset(
        [
            "package.json",
            "eslint.config.js",
            "eslint.config.mjs",
            "eslint.config.cjs",
            "eslint.config.ts",
            ".eslintrc.json",
        ]
    ),
    "cargo-check": frozenset(["Cargo.toml", "Cargo.lock"]),
    "go-vet": frozenset(["go.mod"]),
}
_CHECKERS: Final[dict[str, CheckName]] = {
    "ruff": "ruff",
    "mypy": "mypy",
    "pyright": "pyright",
    "tsc": "tsc",
    "eslint": "eslint",
    "cargo": "cargo-check",
    "go": "go-vet",
}
_COMMANDS: Final[dict[str, tuple[CheckName, bool]]] = {
    "ruff check": ("ruff", False),
    "ruff check .": ("ruff", False),
    "mypy": ("mypy", False),
    "mypy .": ("mypy", False),
    "pyright": ("pyright", False),
    "tsc": ("tsc", False),
    "tsc --noEmit": ("tsc", False),
    "npx tsc --noEmit": ("tsc", False),
    "eslint .": ("eslint", False),
    "npx eslint .": ("eslint", False),
    # Ours looks at tests, examples and every member of a workspace too.
    "cargo check": ("cargo-check", True),
    "go vet": ("go-vet", True),
    "go vet ./...": ("go-vet", False),
}
"""What ours is the same as, and whether it looks at less than ours: a path or an option makes another command."""
_IGNORING: Final = frozenset([".gitignore", ".ignore", ".eslintignore"])
_SUPPRESSING: Final = re.compile(
    rb"#\s*(?:noqa|type:\s*ignore|pyright:|mypy:|ruff:|flake8:|pylint:)|eslint-disable|@ts-(?:ignore|expect-error|nocheck)"
    rb"|#!?\[\s*(?:allow|expect)\b|no_type_check",
    re.IGNORECASE,
)


def _clean(reading: Reading, evidence: Evidence) -> Decision:
    return _checked(_CHECKERS[reading.all("checker")[0]], evidence, narrower=False)


def _command_clean(reading: Reading, evidence: Evidence) -> Decision:
    """Decide by our run of the same checker: a run over less may be clean where ours is not."""
    command = " ".join(reading.one("command").split())
    if command not in _COMMANDS:
        return Silent(reason=f"{clean_line(command)} is no command of a checker that is known here.")
    name, narrower = _COMMANDS[command]
    one = our_run(name, evidence)
    # With nothing said in its settings mypy must be told what to look at, and by itself it looks at nothing.
    if (
        name == "mypy"
        and not isinstance(one, Silent)
        and command.endswith(" .") != (one.command[-1:] == (".",))
    ):
        return Silent(
            reason=f"Ours was {' '.join(map(clean_line, one.command[1:]))!r}, which is another command."
        )
    return _checked(name, evidence, narrower=narrower)


def _checked(name: CheckName, evidence: Evidence, *, narrower: bool) -> Decision:
    one = our_run(name, evidence)
    if isinstance(one, Silent):
        return one
    proof = run_proof(one, f"{name} ended with {one.exit_status}.")
    if one.outcome == "fail":
        return (
            Silent(reason=f"{proof.text} That was a run over all that the project declares.")
            if narrower
            else refuted(proof)
        )
    change = evidence.change()
    if isinstance(change, Silent):
        return confirmed(proof) if change.reason.startswith("Nothing differs") else change
    return _loosened(name, change, evidence) or confirmed(proof)


def _loosened(name: CheckName, change: Change, evidence: Evidence) -> Silent | None:
    """Silence where the change touches what the checker is told, or adds words that silence it."""
    touched = next((path for path in sorted(change.paths) if _configures(path, name)), None)
    if touched is not None:
        return Silent(reason=f"The change touches {clean_line(touched)}, which may say what {name} looks at.")
    for path in sorted(change.added | change.modified):
        then, now = (data or b"" for data in (evidence.read_then(path), evidence.read(path)))
        words = Counter(map(bytes.lower, _SUPPRESSING.findall(now)))
        words.subtract(map(bytes.lower, _SUPPRESSING.findall(then)))
        more = next((word for word, count in words.items() if count > 0), None)
        if more is not None:
            return Silent(reason=f"The change adds `{more.decode()}` to {clean_line(path)}.")
    return None


def _configures(path: str, name: CheckName) -> bool:
    """Whether a file tells a checker what it looks at, or what it is to say."""
    file = PurePosixPath(path).name
    settings = file in _CONFIGS[name] or file in _IGNORING
    return settings or (name == "tsc" and file.startswith("tsconfig")) or file.startswith(".eslintrc")


CHECKERS: Final = Settler(
    name="checkers",
    does="A linter, type checker or compiler is clean, by a run of ours on this tree (`--check`).",
    refuses="Logs of others; changes that touch what the checker is told or add words that silence it; commands with options.",
    grammar=_GRAMMAR,
    forms={
        "checker_clean": Form(decide=_clean),
        "command_clean": Form(decide=_command_clean),
    },
)
