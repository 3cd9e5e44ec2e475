"""Manifests: what a project's own files say of its version and of what it depends on, by name and section. Lock files are not read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, Final

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from claimjury.settlers.configs import strict_json, strict_toml

__all__ = [
    "BUILD",
    "Dependency",
    "Manifest",
    "declares_by_itself",
    "is_lock",
    "is_manifest",
    "may_declare",
    "normal_name",
    "read_manifest",
    "says_versions",
]

BUILD: Final = "build-system"
"""The section of what is needed to build, which is no dependency of what is built."""

_EXACT: Final = re.compile(r"(===?|=|)\s*v?(\d+(?:\.\d+)+(?:[-+.]?[0-9A-Za-z]+)*)")
_REQUIREMENTS: Final = re.compile(r"(?:.*[-_.])?requirements(?:[-_.].*)?\.(?:txt|in)\Z")
_NPM: Final = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_DECLARING_KEY: Final = re.compile(r'"[\w-]*(?:dependencies|requires|deps)":')
_OVERRIDING: Final = frozenset(
    {"overrides", "resolutions", "bundledDependencies", "bundleDependencies", "jspm", "catalog"}
)
"""Tables of package.json by which more, or another version, is installed than what is asked for."""
_CARGO: Final = ("dependencies", "dev-dependencies", "build-dependencies")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """One entry of a manifest.

    Attributes:
        name: Normalised as its ecosystem does.
        section: Where it stands.
        wanted: The version or range, as it is written; empty where none is.
        extras: What of it is asked for beside it, as it is written.
        optional: It is installed only where it is asked for.
        ranging: A bare version is a range here, as in Cargo.
    """

    name: str
    section: str
    wanted: str
    extras: str = ""
    optional: bool = False
    ranging: bool = False

    @property
    def exact(self) -> str | None:
        """The one version that is meant, where one is: no range, address or branch."""
        match = _EXACT.fullmatch(self.wanted.strip())
        return None if match is None or (self.ranging and not match[1]) else match[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a manifest says.

    Attributes:
        path: The file.
        name: Of the package; None where it is not said.
        version: Of the package; None where it is not said, or computed.
        dependencies: In the order of the file.
        whole: Nothing in it leads to other files or is unreadable.
    """

    path: str
    name: str | None = None
    version: str | None = None
    dependencies: tuple[Dependency, ...] = ()
    whole: bool = True


def is_manifest(path: str) -> bool:
    """Whether a file is a manifest by its name."""
    name = PurePosixPath(path).name
    return name in _READERS or _REQUIREMENTS.match(name) is not None


def may_declare(path: str) -> bool:
    """Whether a file may declare dependencies, by its name: a manifest of any kind, settings, or a recipe."""
    file = PurePosixPath(path)
    return file.name.startswith(_RECIPES) or file.suffix in _SETTINGS


def declares_by_itself(data: bytes | None) -> bool:
    """Whether a script of Python declares what it needs in a comment (PEP 723)."""
    return re.search(rb"^# /// script", data or b"", re.MULTILINE) is not None


def is_lock(path: str) -> bool:
    """Whether a file says what is installed, by its name."""
    name = PurePosixPath(path).name
    return name in _LOCKS or name.endswith(".lock")


def says_versions(path: str) -> bool:
    """Whether a manifest is of a kind that says the version of its own package."""
    return PurePosixPath(path).name in ("pyproject.toml", "package.json", "Cargo.toml")


def normal_name(name: str, path: str) -> str:
    """Give a package's name as the ecosystem of a manifest writes it."""
    if path.endswith("Cargo.toml"):
        return name.replace("_", "-")
    return canonicalize_name(name) if PurePosixPath(path).suffix in (".toml", ".txt", ".in") else name


def read_manifest(path: str, data: bytes) -> Manifest | None:
    """Give what a manifest says; None where it cannot be read."""
    name = PurePosixPath(path).name
    reader = _READERS.get(name, _requirements)
    try:
        return reader(path, data.decode("utf-8-sig"))
    except (ValueError, TypeError, AttributeError, IndexError, RecursionError):
        return None


def _pyproject(path: str, text: str) -> Manifest:
    tables = strict_toml(text)
    project, tool = tables.get("project", {}), tables.get("tool", {})
    poetry = tool.get("poetry", {})
    rows = [*_requirement_rows(project.get("dependencies", ()), "dependencies")]
    for group, wanted in project.get("optional-dependencies", {}).items():
        rows += _requirement_rows(wanted, f"optional-dependencies.{group}")
    for group, wanted in tables.get("dependency-groups", {}).items():
        rows += _requirement_rows(
            [one for one in wanted if isinstance(one, str)], f"dependency-groups.{group}"
        )
    rows += _requirement_rows(tables.get("build-system", {}).get("requires", ()), BUILD)
    rows += _table_rows(poetry.get("dependencies", {}), "poetry.dependencies", canonicalize_name)
    for group, table in poetry.get("group", {}).items():
        rows += _table_rows(table.get("dependencies", {}), f"poetry.{group}", canonicalize_name)
    version = project.get("version") or poetry.get("version")
    dynamic = {"dependencies", "optional-dependencies"} & {*project.get("dynamic", ())}
    return Manifest(
        path=path,
        name=project.get("name") or poetry.get("name"),
        version=version if isinstance(version, str) else None,
        dependencies=tuple(rows),
        whole=not dynamic and not _has_other_tables(tool),
    )


def _has_other_tables(tool: Mapping[str, Any]) -> bool:
    """Whether a tool's own table declares dependencies in a way that is not read here."""
    poetry = json.dumps(tool.get("poetry", {}), default=str)
    others = json.dumps({name: table for name, table in tool.items() if name != "poetry"}, default=str)
    return '"dev-dependencies"' in poetry or _DECLARING_KEY.search(others) is not None


def _requirement_rows(lines: Iterable[str], section: str) -> Iterator[Dependency]:
    for line in lines:
        try:
            one = Requirement(line)
        except InvalidRequirement as error:
            raise ValueError(line) from error
        yield Dependency(
            name=canonicalize_name(one.name),
            section=section,
            wanted=str(one.specifier) or (one.url or ""),
            extras=",".join(sorted(one.extras)),
        )


def _table_rows(table: Mapping[str, Any], section: str, normal: Any) -> Iterator[Dependency]:
    for name, value in table.items():
        wanted = (
            value if isinstance(value, str) else value.get("version", "") if isinstance(value, dict) else ""
        )
        if (name, section) != ("python", "poetry.dependencies"):
            optional = isinstance(value, dict) and value.get("optional") is True
            yield Dependency(name=normal(name), section=section, wanted=str(wanted), optional=optional)


def _requirements(path: str, text: str) -> Manifest:
    rows: list[Dependency] = []
    whole = True
    for raw in text.replace("\\\n", " ").splitlines():
        line = re.sub(r"(?:\A|\s)#.*", "", raw).strip()
        if not line:
            continue
        if line.startswith("-") or "://" in line:
            whole = False
            continue
        rows += _requirement_rows([re.sub(r"\s--hash.*", "", line)], "requirements")
    return Manifest(path=path, dependencies=tuple(rows), whole=whole)


def _package_json(path: str, text: str) -> Manifest:
    package = strict_json(text)
    rows = [row for section in _NPM for row in _table_rows(package.get(section, {}), section, str)]
    version = package.get("version")
    return Manifest(
        path=path,
        name=package.get("name"),
        version=version if isinstance(version, str) else None,
        dependencies=tuple(rows),
        whole=not any(row.wanted.startswith("npm:") for row in rows)
        and not any(_OVERRIDING.intersection(_table(package.get(name))) for name in ("pnpm", "workspaces"))
        and not _OVERRIDING.intersection(package),
    )


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _cargo(path: str, text: str) -> Manifest:
    tables = strict_toml(text)
    package = tables.get("package", {})
    rows = [row for section in _CARGO for row in _table_rows(tables.get(section, {}), section, _crate)]
    for target, inner in tables.get("target", {}).items():
        rows += [
            row
            for section in _CARGO
            for row in _table_rows(inner.get(section, {}), f"{target}.{section}", _crate)
        ]
    rows += _table_rows(tables.get("workspace", {}).get("dependencies", {}), "workspace.dependencies", _crate)
    version = package.get("version")
    return Manifest(
        path=path,
        name=package.get("name"),
        version=version if isinstance(version, str) else None,
        dependencies=tuple(replace(row, ranging=True) for row in rows),
        # `x = { package = "y" }` is a dependency on y.
        whole=re.search(r"\bpackage\s*=", text) is None
        and not {"patch", "replace", "dev_dependencies", "build_dependencies"}.intersection(tables),
    )


def _crate(name: str) -> str:
    return name.replace("_", "-")


def _go_mod(path: str, text: str) -> Manifest:
    rows: list[Dependency] = []
    module, block, whole = None, "", True
    for raw in text.splitlines():
        line, _, comment = raw.partition("//")
        words = line.replace("(", " ( ").split()
        if not words:
            continue
        if words[0] == ")":
            block = ""
        elif len(words) > 1 and words[1] == "(":
            block = words[0]
        elif words[0] == "module":
            module = words[1]
        else:
            wanted = words if block else words[1:]
            whole = whole and (block or words[0]) not in ("replace", "tool") and '"' not in line
            if (block or words[0]) == "require" and len(wanted) == 2:
                section = "require // indirect" if "indirect" in comment else "require"
                rows.append(Dependency(name=wanted[0], section=section, wanted=wanted[1]))
    return Manifest(path=path, name=module, dependencies=tuple(rows), whole=whole)


_RECIPES: Final = (
    "Dockerfile",
    "Containerfile",
    "Podfile",
    "Gemfile",
    "Pipfile",
    "Rakefile",
    "setup.py",
    "noxfile.py",
    "conanfile",
    "Brewfile",
    "Aptfile",
    ".tool-versions",
    "WORKSPACE",
    "MODULE.bazel",
    "meson.build",
    "DESCRIPTION",
)
_SETTINGS: Final = frozenset(
    f".{ending}"
    for ending in [
        "toml",
        "yaml",
        "yml",
        "json",
        "ini",
        "cfg",
        "txt",
        "in",
        "lock",
        "xml",
        "gradle",
        "kts",
        "props",
        "csproj",
        "gemspec",
        "cabal",
        "exs",
        "swift",
        "nix",
        "bazel",
        "sbt",
        "mod",
        "edn",
        "pip",
        "tf",
        "cmake",
        "sum",
        "work",
        "jsonc",
        "fsproj",
        "vbproj",
        "config",
        "bzl",
        "Dockerfile",
        "dockerfile",
        "ipynb",
        "html",
        "htm",
        "lockb",
        "podspec",
        "opam",
        "rockspec",
        "toml.in",
    ]
)
_LOCKS: Final = frozenset(
    ["package-lock.json", "pnpm-lock.yaml", "npm-shrinkwrap.json", "go.sum", "bun.lockb"]
)


_READERS: Final = {
    "pyproject.toml": _pyproject,
    "package.json": _package_json,
    "Cargo.toml": _cargo,
    "go.mod": _go_mod,
}
