"""A checker is clean, by a run of ours on this tree, where the change does not loosen it."""

from __future__ import annotations

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
_SUPPRESSING: Final = (
    "# noqa",
    "# type: ignore",
    "# pyright: ignore",
    "eslint-disable",
    "@ts-ignore",
    "@ts-expect-error",
    "@ts-nocheck",
    "#[allow(",
    "# mypy:",
    "# ruff:",
)


def _clean(reading: Reading, evidence: Evidence) -> Decision:
    return _checked(_CHECKERS[reading.all("checker")[0]], evidence, narrower=False)


def _command_clean(reading: Reading, evidence: Evidence) -> Decision:
    """Decide by our run of the same checker: a run over less may be clean where ours is not."""
    program, *rest = reading.one("command").split() or [""]
    arguments = [word for word in rest if word not in ("check", "vet", ".", "./...")]
    if program not in _CHECKERS or any(word.startswith("-") for word in arguments):
        return Silent(
            reason=f"{clean_line(reading.one('command'))} is no command of a checker that is known here."
        )
    return _checked(_CHECKERS[program], evidence, narrower=bool(arguments))


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
    touched = next(
        (path for path in sorted(change.paths) if PurePosixPath(path).name in _CONFIGS[name]), None
    )
    if touched is not None:
        return Silent(reason=f"The change touches {clean_line(touched)}, which may say what {name} looks at.")
    for path in sorted(change.added | change.modified):
        then, now = (data or b"" for data in (evidence.read_then(path), evidence.read(path)))
        for word in _SUPPRESSING:
            if now.count(word.encode()) > then.count(word.encode()):
                return Silent(reason=f"The change adds `{word}` to {clean_line(path)}.")
    return None


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
