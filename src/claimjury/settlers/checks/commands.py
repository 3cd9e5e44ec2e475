"""The one command line of each check. It changes no file of the project and believes no cache that lies in it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from claimjury.settlers.checks import pytest_witness
from claimjury.settlers.checks.declared import Declaration, mypy_names_files
from claimjury.settlers.checks.outcome import CheckName

__all__ = ["arguments_of", "plugin_folder"]

_PLUGIN: Final = "claimjury_pytest_witness"


def arguments_of(declaration: Declaration, project: Path, scratch: Path) -> tuple[str, ...]:
    """Give what follows the program's name. `scratch` is an empty folder outside of the project."""
    vectors: dict[CheckName, tuple[str, ...]] = {
        # Settings can say `fix = true`.
        "ruff": ("check", "--no-cache", "--no-fix", "--no-fix-only", "."),
        "mypy": ("--no-color-output", "--cache-dir", str(scratch), *_mypy_targets(declaration, project)),
        "pyright": (),
        # Not `-p no:cacheprovider`: with it `--lf` in the settings is an unknown option; with an empty cache it runs all.
        "pytest": ("-p", _PLUGIN, "-o", f"cache_dir={scratch / 'cache'}"),
        "tsc": (
            *("-p", "tsconfig.json", "--noEmit", "--pretty", "false"),
            *("--incremental", "--tsBuildInfoFile", str(scratch / "tsbuildinfo")),
        ),
        "eslint": ("--no-color", "."),
        "cargo-check": (
            *("check", "--workspace", "--all-targets", "--color", "never"),
            *("--target-dir", str(scratch / "target")),
        ),
        "go-vet": ("vet", "./..."),
    }
    return vectors[declaration.name]


def _mypy_targets(declaration: Declaration, project: Path) -> tuple[str, ...]:
    if declaration.name != "mypy" or mypy_names_files(project, declaration):
        return ()
    return (".",)


def plugin_folder(scratch: Path) -> Path:
    """Give a folder that holds the witness alone, so that the project's interpreter sees nothing else of ours."""
    folder = scratch / "plugin"
    folder.mkdir()
    shutil.copyfile(pytest_witness.__file__, folder / f"{_PLUGIN}.py")
    return folder
