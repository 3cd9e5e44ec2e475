"""The documents keep up: every promise has a test, every option is told, every code is explained."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.main import get_command

from claimjury.errors import CallCode
from claimjury.jury.standing import AgentAction, ThinReason, Why
from claimjury.report import wording
from claimjury.settings.model import Settings
from claimjury.settlers.registry import SETTLERS
from claimjury.surfaces.cli.main import app

ROOT = Path(__file__).parent.parent
REQUIREMENTS: dict[str, dict[str, Any]] = tomllib.loads(
    (ROOT / "tests" / "requirements.toml").read_text(encoding="utf-8")
)


def promises(document: str, *, heading: str | None = None) -> Iterator[str]:
    """Give the list items of a document, those below one heading where it is named."""
    text = (ROOT / document).read_text(encoding="utf-8")
    if heading is not None:
        text = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return iter(re.findall(r"^- (.+)$", text, re.MULTILINE))


def test_every_sentence_of_the_security_page_is_tied_to_a_test() -> None:
    tied = {row["text"] for row in REQUIREMENTS.values() if row["source"] == "SECURITY.md"}
    assert set(promises("SECURITY.md")) == tied


def test_every_promise_of_the_readme_is_tied_to_a_test() -> None:
    tied = {row["text"] for row in REQUIREMENTS.values() if row["source"] == "README.md"}
    assert set(promises("README.md", heading="What it promises")) == tied


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_requirement_names_tests_that_exist(name: str) -> None:
    tests = REQUIREMENTS[name]["tests"]
    assert tests
    for test in tests:
        file, _, function = test.partition("::")
        tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
        defined = {
            node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        }
        assert function in defined, test


def option_names(command: str) -> list[str]:
    commands = getattr(get_command(app), "commands", {})
    return [name for param in commands[command].params for name in param.opts if name.startswith("-")]


def test_every_option_of_verify_is_told_in_the_readme() -> None:
    told = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in option_names("verify") if f"`{name}" not in told] == []


@pytest.mark.parametrize("command", ["doctor", "panel", "config", "demo"])
def test_every_option_of_the_other_commands_is_told_in_their_page(command: str) -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    section = page.split(f"## `claimjury {command}`", 1)[1].split("\n## ", 1)[0]
    assert [name for name in option_names(command) if f"`{name}" not in section] == []


def test_every_command_is_told() -> None:
    told = (ROOT / "README.md").read_text(encoding="utf-8") + (ROOT / "docs" / "commands.md").read_text(
        encoding="utf-8"
    )
    commands = getattr(get_command(app), "commands", {})
    assert [name for name in commands if f"`claimjury {name}`" not in told] == []


def test_every_setting_is_told_with_its_default() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert [name for name in Settings.model_fields if f"| `{name}` |" not in page] == []


def test_every_option_has_a_help_text() -> None:
    commands = getattr(get_command(app), "commands", {})
    silent = [
        (name, param.name)
        for name, command in commands.items()
        for param in command.params
        if not getattr(param, "help", None)
    ]
    assert silent == []


@pytest.mark.parametrize(
    "words", [CallCode, ThinReason, Why, AgentAction], ids=["calls", "thin", "why", "action"]
)
def test_every_code_of_a_closed_set_is_in_the_glossary(words: Any) -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert [word for word in get_args(words) if f"`{word}`" not in glossary] == []


def test_every_code_of_a_closed_set_has_a_sentence() -> None:
    assert set(wording.THIN) == set(get_args(ThinReason))
    assert set(wording.WHY) == set(get_args(Why))
    assert set(wording.ACTIONS) == set(get_args(AgentAction))


def test_every_decision_page_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = set(re.findall(r"\]\((\d\d-[a-z-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8")))
    assert listed == {path.name for path in folder.glob("[0-9]*.md")}


def test_the_readme_names_its_two_commands_before_all_others() -> None:
    blocks = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert [line.split()[1] for line in blocks[0].strip().split("\n")] == ["scripts/demo", "scripts/test"]
    for script in ("scripts/demo", "scripts/test", "scripts/setup", ".ci/run"):
        assert (ROOT / script).stat().st_mode & 0o111


def test_links_between_documents_lead_somewhere() -> None:
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_the_page_on_settling_has_every_settler_in_its_own_words() -> None:
    page = (ROOT / "docs" / "settle.md").read_text(encoding="utf-8")
    for settler in SETTLERS:
        only = [f"`{name}` only confirms" for name, form in settler.forms.items() if not form.refutes]
        only += [f"`{name}` only refutes" for name, form in settler.forms.items() if not form.confirms]
        leaves = " ".join([settler.refuses, *([f"{'; '.join(only)}."] if only else [])])
        assert f"| `{settler.name}` | {settler.does} | {leaves} |" in page
