"""The shape of the code: its budgets, its public names, its one error tree."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import statistics
from pathlib import Path

import pytest

import claimjury
from claimjury import errors

ROOT = Path(claimjury.__file__).parent
MODULES = sorted(path for path in ROOT.rglob("*.py") if "example" not in path.parts)
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> list[FunctionNode]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, FunctionNode)]


def length(node: FunctionNode) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_module_has_over_400_lines() -> None:
    assert [path.name for path in MODULES if len(path.read_text(encoding="utf-8").split("\n")) > 400] == []


def test_no_function_has_over_40_lines_and_their_median_is_at_most_10() -> None:
    long = [f"{path.name}:{node.name}" for path in MODULES for node in functions(path) if length(node) > 40]
    assert long == []
    assert statistics.median(length(node) for path in MODULES for node in functions(path)) <= 10


def test_every_module_has_a_docstring() -> None:
    assert [
        path for path in MODULES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ] == []


def test_the_public_names_exist_and_are_at_most_30() -> None:
    names = claimjury.__all__
    assert len(names) <= 30
    assert set(names) == set(claimjury._HOMES)
    for name in names:
        assert getattr(claimjury, name) is getattr(importlib.import_module(claimjury._HOMES[name]), name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        claimjury.nothing  # noqa: B018


def test_every_module_can_be_imported_and_exports_what_it_lists() -> None:
    for module in pkgutil.walk_packages([str(ROOT)], "claimjury."):
        if module.name.endswith("__main__") or ".example" in module.name:
            continue
        imported = importlib.import_module(module.name)
        assert [name for name in getattr(imported, "__all__", []) if not hasattr(imported, name)] == []


def test_the_error_tree_is_the_one_that_its_docstring_draws() -> None:
    drawn = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    defined = [
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.ClaimjuryError) and name != "ClaimjuryError"
    ]
    assert sorted(drawn) == sorted(defined)
    assert sorted(errors.__all__) == sorted(
        [*defined, "ClaimjuryError", "CallCode", "ErrorCode", "RequestCode"]
    )


def test_every_error_says_what_to_do_next() -> None:
    error = errors.InvalidRequest("This is wrong.", hint="Do that.")
    assert (error.code, error.exit_status, error.retryable) == ("INVALID_REQUEST", 2, False)
    assert str(error) == "This is wrong. Do that."
