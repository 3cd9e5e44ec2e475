"""A checker is clean, by a run of ours on this tree, where the change does not loosen it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import Final

from claimjury.settlers.checks.outcome import CheckName, CheckOutcome
from claimjury.settlers.evidence import Change, Evidence
from claimjury.settlers.our_runs import our_run, run_proof
from claimjury.settlers.outcome import Decision, Form, Reading, Settler, Silent, confirmed, refuted
from claimjury.text import clean_line

__all__ = ["CHECKERS", "decide_command", "is_command"]

_GRAMMAR: Final = r"""
command: TEXT
!checker: "ruff" "check"? | "mypy" | "pyright" | "tsc" | "eslint" | "cargo" "check" | "go" "vet"
!error_kind: "type" | "lint"
!spotless: "clean"
exit_status: INT
_trouble: error_kind? "errors"
_clean: _pass ("without" _trouble)? | _is spotless | ("reports" | "finds" | "ends" "with" | "gives" | "shows") "no" _trouble | "exits" "with" "status"? exit_status
checker_clean: checker _now? _clean | _there_is "no" checker _trouble
command_clean: command _now? _clean
"""
_SETTINGS: Final = re.compile(
    r".*\.(?:toml|ini|cfg|conf|jsonc?|json5|ya?ml|pyi|lock|mod|sum|work)"
    r"|.*\.(?:config|conf|rc)\.[^.]+|\.[^/]*(?:rc|ignore|config)(?:\.[^.]+)?|py\.typed",
    re.DOTALL,
)
"""What may say what a checker looks at, whichever it is: settings lead to other settings."""
_OF_HOSTS: Final = (".github/", ".gitlab/", ".circleci/", ".devcontainer/")
"""Folders that services read, and no checker."""
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
    # By its name alone a checker is meant, as the project has it.
    "ruff": ("ruff", False),
    "eslint": ("eslint", False),
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
_SUPPRESSING: Final = re.compile(
    rb"#\s*(?:noqa|type:\s*ignore|pyright:|mypy:|ruff:|flake8:|pylint:)|eslint-disable|@ts-(?:ignore|expect-error|nocheck)"
    rb"|#!?\[\s*(?:allow|expect|cfg)\b|no_type_check|\bnot\s+(?:\w+\.)?TYPE_CHECKING\b|//go:build|// \+build|/\*\s*eslint\b|#\s*isort:",
    re.IGNORECASE,
)


_KINDS: Final[dict[str, tuple[CheckName, ...]]] = {
    "type": ("mypy", "pyright", "tsc"),
    "lint": ("ruff", "eslint"),
}
_REMARKS: Final = re.compile(r"\b(?<!\b0 )warnings?\b|: note:", re.IGNORECASE)
"""What a checker says beside errors: with it, whether it is clean is a matter of words."""
_LEADS: Final = re.compile(rb"(?:[Pp]lugins?|extends?)\b.{0,2000}", re.DOTALL)
_SCRIPTS: Final = re.compile(r".*\.[cm]?[jt]s", re.DOTALL)
_NO_ERRORS: Final = re.compile(r"\b0 errors\b")
_FIXES: Final = re.compile(rb"^[ \t]*(?:fix|fix-only)[ \t]*=[ \t]*true\b", re.MULTILINE)


def is_command(text: str) -> bool:
    """Whether a text is a command of a checker that is known here."""
    return " ".join(text.split()) in _COMMANDS


def _clean(reading: Reading, evidence: Evidence) -> Decision:
    name = _CHECKERS[reading.all("checker")[0]]
    return _worded(reading, name) or _checked(
        name, evidence, narrower=False, spotless=reading.maybe("spotless") is not None
    )


def _worded(reading: Reading, name: CheckName) -> Silent | None:
    """Silence where the words ask for something else than that the checker ends with 0."""
    if int(reading.maybe("exit_status") or 0):
        return Silent(reason="What another exit status than 0 means is not settled.")
    kind = reading.maybe("error_kind")
    if kind is not None and name not in _KINDS[kind]:
        return Silent(reason=f"{name} does not look for {kind} errors.")
    return None


def _command_clean(reading: Reading, evidence: Evidence) -> Decision:
    command = " ".join(reading.one("command").split())
    if "::" in command:
        return Silent(reason=f"{clean_line(command)} is no command; of a test, say: The test `...` passes.")
    if command not in _COMMANDS:
        return Silent(reason=f"{clean_line(command)} is no command of a checker that is known here.")
    return _worded(reading, _COMMANDS[command][0]) or decide_command(
        command, evidence, spotless=reading.maybe("spotless") is not None
    )


def decide_command(text: str, evidence: Evidence, *, spotless: bool = False) -> Decision:
    """Decide whether a command passes, by our run of the same checker: a run over less may be clean where ours is not.

    Args:
        text: One that `is_command`.
        evidence: With our run.
        spotless: It is said to be clean, which is more than that it passes.
    """
    command = " ".join(text.split())
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
    return _checked(name, evidence, narrower=narrower, spotless=spotless)


def _checked(name: CheckName, evidence: Evidence, *, narrower: bool, spotless: bool) -> Decision:
    one = our_run(name, evidence)
    if isinstance(one, Silent):
        return one
    proof = run_proof(one, f"{name} ended with {one.exit_status}.")
    if one.outcome == "fail":
        return _failed(one, evidence, narrower=narrower) or refuted(proof)
    if spotless and _REMARKS.search(one.output):
        return Silent(reason=f"{proof.text} It has warnings or notes, with which it is not clean to all.")
    change = evidence.change()
    if isinstance(change, Silent):
        return confirmed(proof) if change.unchanged else change
    return _loosened(name, change, evidence) or confirmed(proof)


def _failed(one: CheckOutcome, evidence: Evidence, *, narrower: bool) -> Silent | None:
    """Silence where ours failed and another run need not."""
    if narrower:
        return Silent(
            reason=f"{one.name} ended with {one.exit_status}. That was a run over all that the project declares."
        )
    fixing = next(
        (path for path in sorted(evidence.files) if path.endswith(".toml") and _fixes(path, evidence)), None
    )
    if _NO_ERRORS.search(one.output):
        return Silent(reason=f"{one.name} ended with {one.exit_status}, and found no errors.")
    if one.name == "ruff" and fixing is not None:
        return Silent(reason=f"{clean_line(fixing)} has ruff fix what it finds, and ours fixes nothing.")
    return None


def _fixes(path: str, evidence: Evidence) -> bool:
    return _FIXES.search(evidence.read(path) or b"") is not None


def _loosened(name: CheckName, change: Change, evidence: Evidence) -> Silent | None:
    """Silence where the change touches what the checker is told, or adds words that silence it."""
    plugins = _named_plugins(evidence)
    touched = next((path for path in sorted(change.paths) if _configures(path, plugins)), None)
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


def _named_plugins(evidence: Evidence) -> bytes:
    """Give what stands behind the word in settings: the plugins of mypy or ESLint, by their modules or files."""
    settings = (path for path in evidence.files if _SETTINGS.fullmatch(PurePosixPath(path).name))
    texts = (_leads(path, evidence.read(path) or b"") for path in settings)
    return b"\n".join(texts)


def _leads(path: str, text: bytes) -> bytes:
    """Give the part of settings that may name other files; a script may do so anywhere."""
    if path.endswith((".pyi", ".lock")):
        return b""
    return text if _SCRIPTS.fullmatch(path) else b"\n".join(_LEADS.findall(text))


def _configures(path: str, plugins: bytes) -> bool:
    """Whether a file tells a checker what it looks at, or what it is to say."""
    file = PurePosixPath(path)
    if path.startswith(_OF_HOSTS):
        return False
    if _SETTINGS.fullmatch(file.name):
        return True
    return re.search(rb"\b%b\b" % re.escape(file.stem.encode()), plugins) is not None


CHECKERS: Final = Settler(
    name="checkers",
    does="A linter, type checker or compiler is clean, by a run of ours on this tree (`--check`).",
    refuses="Logs of others; changes that touch what the checker is told or add words that silence it; commands with options.",
    grammar=_GRAMMAR,
    forms={
        "checker_clean": Form(decide=_clean, of_moment=True),
        "command_clean": Form(decide=_command_clean, of_moment=True),
    },
)
